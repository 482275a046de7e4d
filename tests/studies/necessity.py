"""How runs end on the worlds that show two conditions to be necessary (l. 1649–1692).

    python -m tests.studies.necessity          # print the tables of ASSUMPTIONS.md
    python -m tests.studies.necessity --run    # make the missing runs: two minutes for all 16,000

In M_2 and M_3 the learner is given t̂_mix = 1, but the noise mixes more slowly. In M and M' a state
cannot be reached again. So the guarantee does not hold, and runs fail at least as often as the
paper predicts. The self-check is off, because the study is about the algorithms themselves.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Final

import numpy as np

from proofs_checks.small_cases.slow_noise import (
    chance_unchanged,
    only,
    permuted_world,
    ring,
    slow_world,
)
from steel_verified.classes.finite import Tables, tables
from steel_verified.cli.console import show
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted, encode
from steel_verified.reports.tables import Column, Kind, Style, Table
from steel_verified.sweeps.study import Job, at_once
from steel_verified.theory.parameters import Parameters
from steel_verified.using.attempt import attempt
from steel_verified.worlds.chains import Chain, least, stationary
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.tabular import (
    ExBmdp,
    HiddenModel,
    HiddenWorld,
    certain,
    law,
    tabular_world,
)

from .rows import completed, recorded_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steel_verified.learning.results import Result
    from steel_verified.sweeps.study import Row, Study


def unchanged_world(states: int) -> ExBmdp:
    """M_1, without noise: only N of the 2N observations of M_2 and M_3 occur (l. 1674)."""
    emission = tuple((only(s, states),) for s in range(states))
    return ExBmdp(ring(states), Chain(((Fraction(1),),)), (Fraction(1),), emission, start=0)


def slow_enough(steps: int, at_least: Fraction) -> Fraction:
    """γ = 1/m with the least m ≥ 2 for which `chance_unchanged` is at least `at_least`."""
    if not 0 < at_least < 1:
        raise InvalidArgument("at_least", at_least, "a number strictly between 0 and 1")
    m = least(lambda m: m > 1 and chance_unchanged(Fraction(1, m), steps) >= at_least)
    return Fraction(1, m)


def falling_world(falls_with: int) -> HiddenModel:
    """M: in state 0 one of two actions leads to states 1 and 2, and never back (l. 1655).

    The other action stays in state 0. With the other value of `falls_with` it is M' (l. 1659).
    State s shows observation 2s or 2s + 1, with equal probability.
    """
    if falls_with not in (0, 1):
        raise InvalidArgument("falls_with", falls_with, "0 or 1, one of the two actions")
    table = [[0, 0], [2, 1], [1, 2]]
    table[0][falls_with] = 1
    half = Fraction(1, 2)
    return HiddenModel(
        start=certain(0),
        moves=tuple(tuple(certain(to) for to in row) for row in table),
        shows=tuple(law({2 * s: half, 2 * s + 1: half}) for s in range(3)),
    )


METHODS: Final[Mapping[str, Callable[[Parameters], Looped | Located]]] = {
    "looped": Looped,
    "located": Located,
}
SLOW: Final = {"M_2": slow_world, "M_3": permuted_world}
FALLING: Final = {"M": 0, "M'": 1}
"""The action that leads to a part of the world that the run cannot leave again."""
SHARES: Final = (Fraction(9, 10), Fraction(1, 2), Fraction(1, 10))
"""The share of runs that see only one noise state; 0.9 in the paper (l. 1684)."""
RUNS: Final = 1000
_BLOCK: Final = 100
_STATES: Final = 3
PARAMETERS: Final = Parameters(
    actions=2,
    max_states=_STATES,
    max_diameter=_STATES - 1,
    mixing_time=1,
    class_size=2 * _STATES + 1,
    delta=Fraction(1, 20),
    epsilon=Fraction(1, 5),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """Runs of one method on one world; for slow noise, with the share of runs without a change."""

    method: str
    world: str
    share: Fraction | None = None

    @property
    def keys(self) -> list[str]:
        """The keys of the rows of these runs."""
        return [self._key(seeds) for seeds in _blocks()]

    def jobs(self) -> list[Job]:
        return [Job(self._key(seeds), partial(fates, self, seeds)) for seeds in _blocks()]

    def _key(self, seeds: range) -> str:
        share = "" if self.share is None else f" share={self.share}"
        return f"necessity {self.method} {self.world}{share} seeds={seeds[0]:03d}-{seeds[-1]:03d}"


SLOW_CELLS: Final = tuple(
    Cell(method, world, share) for method in METHODS for share in SHARES for world in SLOW
)
FALLING_CELLS: Final = tuple(Cell(method, world) for method in METHODS for world in FALLING)


def necessity_study() -> Study:
    """All runs, divided into blocks of seeds."""
    return at_once(job for cell in (*SLOW_CELLS, *FALLING_CELLS) for job in cell.jobs())


@cache
def quiet_steps(method: str) -> int:
    """The exact number of steps of a run that sees only one noise state.

    Without noise, the actions determine the observations, so the run on M_1 is deterministic.
    """
    world = tabular_world(unchanged_world(_STATES), 0)
    chosen = METHODS[method](PARAMETERS)
    return accepted(attempt(world, _slow_class(), chosen, self_check=None)).ledger.steps


def gamma_of(method: str, share: Fraction) -> Fraction:
    """A γ with which at least this share of the runs see only one noise state."""
    return slow_enough(quiet_steps(method), share)


def fates(cell: Cell, seeds: Sequence[int]) -> Row:
    """How many runs were right, were not accepted, or were silently wrong."""
    if cell.share is None:
        found = [_fallen(cell, seed) for seed in seeds]
    else:
        world = SLOW[cell.world](_STATES, gamma_of(cell.method, cell.share))
        found = [_slow(cell.method, world, seed) for seed in seeds]
    return {fate: found.count(fate) for fate in ("right", "noticed", "wrong")}


def _slow(method: str, truth: ExBmdp, seed: int) -> str:
    world, oracle = tabular_world(truth, seed), _slow_class()
    result = attempt(world, oracle, METHODS[method](PARAMETERS), self_check=None)
    if not isinstance(result, Accepted):
        return "noticed"
    right = _good_encoder(result, oracle, truth, world.state)
    return "right" if right else "wrong"


def _good_encoder(learned: Accepted, oracle: Tables, truth: ExBmdp, state: int) -> bool:
    """Whether the dynamics are right, and the encoder's error is at most ε on each state."""
    meaning = relabelling(learned.model, learned.current, truth.dynamics, state)
    if meaning is None or learned.classifiers is None:
        return False
    labels = encode(oracle, learned.classifiers, np.arange(truth.observations)).tolist()
    weights = stationary(truth.noise)

    def error(label: int, s: int) -> Fraction:
        return sum(
            (
                weight * p
                for weight, law in zip(weights, truth.emission[s], strict=True)
                for x, p in enumerate(law)
                if labels[x] != label
            ),
            Fraction(0),
        )

    return all(error(label, s) <= PARAMETERS.epsilon for label, s in enumerate(meaning))


def _fallen(cell: Cell, seed: int) -> str:
    """The first action is 0 for even seeds and 1 for odd seeds, so each has probability 1/2."""
    model = falling_world(FALLING[cell.world])
    oracle = tables([[x // 2 == s for x in range(6)] for s in range(3)])
    result: Result = attempt(
        HiddenWorld(model, seed),
        oracle,
        METHODS[cell.method](PARAMETERS),
        first_action=seed % 2,
        self_check=None,
    )
    if not isinstance(result, Accepted):
        return "noticed"
    return "right" if result.model.states == len(model) else "wrong"


def _slow_class() -> Tables:
    """Classifiers for the states of M_2, then those for M_3, and a constant one.

    The oracle returns the first one that separates: that of M_2 if both do.
    """
    n = _STATES
    for_slow = [{s, n + s} for s in range(n)]
    for_permuted = [{s, n + (s + 1) % n} for s in range(n)]
    ones = [*for_slow, *for_permuted, set(range(2 * n))]
    return tables([[x in own for x in range(2 * n)] for own in ones])


def _blocks() -> list[range]:
    return [range(first, first + _BLOCK) for first in range(0, RUNS, _BLOCK)]


def _number(name: str, heading: str | None = None) -> Column:
    return Column(name, Kind.NUMBER, heading=heading)


_METHOD: Final = Column("method", Kind.CODE, style=Style.NAME)
_FATES: Final = (
    Column("world", Kind.CODE),
    _number("predicted", "predicted failures"),
    _number("right"),
    _number("noticed"),
    _number("wrong", "silently wrong"),
)


def fates_of(cell: Cell, rows: Mapping[str, Row]) -> tuple[int, int, int]:
    """How many runs of a cell were right, noticed or wrong, over all blocks of seeds."""

    def total(fate: str) -> int:
        return sum(count for key in cell.keys if isinstance(count := rows[key][fate], int))

    return total("right"), total("noticed"), total("wrong")


def slow_noise_table(rows: Mapping[str, Row]) -> Table:
    """Runs on M_2(γ) and M_3(γ) with t̂_mix = 1."""
    listed = []
    for cell in SLOW_CELLS:
        assert cell.share is not None
        steps, gamma = quiet_steps(cell.method), gamma_of(cell.method, cell.share)
        # In thousandths, rounded down.
        same = Decimal(int(chance_unchanged(gamma, steps) * 1000)).scaleb(-3)
        predicted = f"≥ {same}" if cell.world == "M_3" else f"≤ {1 - same}"
        head = (cell.method, steps, str(gamma), cell.world, predicted)
        listed.append((*head, *fates_of(cell, rows)))
    columns = (_METHOD, _number("steps"), _number("gamma", "γ"), *_FATES)
    return Table(f"Slow noise, {RUNS:,} runs in each row", columns, tuple(listed))


def falling_table(rows: Mapping[str, Row]) -> Table:
    """Runs on M and M', in which one state cannot be reached again."""
    listed = tuple(
        (cell.method, cell.world, "≥ 1/2", *fates_of(cell, rows)) for cell in FALLING_CELLS
    )
    return Table(f"A fall, {RUNS:,} runs in each row", (_METHOD, *_FATES), listed)


if __name__ == "__main__":
    made = completed(necessity_study(), "necessity") if "--run" in sys.argv else None
    rows = recorded_rows("necessity") if made is None else made
    show([slow_noise_table(rows), falling_table(rows)])
