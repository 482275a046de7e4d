"""The worlds that show in the paper that two conditions are necessary, and runs on them
(l. 1649–1692).

Slow noise: M_1 has no noise. M_2(γ) and M_3(γ) have two noise states, which change with
probability γ. In the first noise state, all three show the same observations. In the second one,
M_3 shows the states in another order than M_2, so no encoder is good in both.

Falling: in one state an action leads to states from which that state cannot be reached again. M'
is M with the two actions exchanged in that state.

In M_2 and M_3 the learner is given t̂_mix = 1, but the noise mixes more slowly. In M and M' a state
cannot be reached again. So the guarantee does not hold, and runs fail at least as often as the
paper predicts. The self-check is off, because the study is about the algorithms themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.classes.finite import Tables, tables
from steel_verified.errors import InvalidArgument
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted, encode
from steel_verified.sweeps.study import Job, at_once
from steel_verified.theory.parameters import Parameters
from steel_verified.using.attempt import attempt
from steel_verified.worlds.chains import Chain, least, stationary
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.tabular import (
    ExBmdp,
    HiddenModel,
    HiddenWorld,
    certain,
    law,
    tabular_world,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steel_verified.learning.results import Result
    from steel_verified.sweeps.study import Row, Study


_HALF: Final = Fraction(1, 2)


def unchanged_world(states: int) -> ExBmdp:
    """M_1: state s shows observation s. Only N of the 2N observations occur (l. 1674)."""
    return ExBmdp(
        dynamics=_ring(states),
        noise=Chain(((Fraction(1),),)),
        initial_noise=(Fraction(1),),
        emission=tuple((_only(s, states),) for s in range(states)),
        start=0,
    )


def slow_world(states: int, gamma: Fraction) -> ExBmdp:
    """M_2(γ): in the second noise state, state s shows observation N + s (l. 1676)."""
    return _with_slow_noise(states, gamma, lambda s: states + s)


def permuted_world(states: int, gamma: Fraction) -> ExBmdp:
    """M_3(γ): in the second noise state, state s shows what the next state shows in M_2 (l. 1678).

    States are numbered from 0, as the erratum of claim I07 requires.
    """
    return _with_slow_noise(states, gamma, lambda s: states + (s + 1) % states)


def chance_unchanged(gamma: Fraction, steps: int) -> Fraction:
    """The probability that all observations of `steps` steps come from one noise state (claim I11).

    The start is uniform, and so is every later distribution. Between the first and the last of n
    observations, the noise has n − 1 opportunities to change.
    """
    return (1 - gamma) ** (steps - 1)


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
    return HiddenModel(
        start=certain(0),
        moves=tuple(tuple(certain(to) for to in row) for row in table),
        shows=tuple(law({2 * s: _HALF, 2 * s + 1: _HALF}) for s in range(3)),
    )


def _with_slow_noise(states: int, gamma: Fraction, shown: Callable[[int], int]) -> ExBmdp:
    return ExBmdp(
        dynamics=_ring(states),
        noise=Chain(((1 - gamma, gamma), (gamma, 1 - gamma))),
        initial_noise=(_HALF, _HALF),
        emission=tuple((_only(s, states), _only(shown(s), states)) for s in range(states)),
        start=0,
    )


def _ring(states: int) -> Dynamics:
    """Action 0 leads to the next state, action 1 stays."""
    if states < 2:
        raise InvalidArgument("states", states, "at least 2: see the erratum of claim I08")
    return Dynamics(tuple(((s + 1) % states, s) for s in range(states)))


def _only(observation: int, states: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(x == observation) for x in range(2 * states))


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
