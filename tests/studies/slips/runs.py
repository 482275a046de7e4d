"""The study of slips: the method slipping on worlds each step of which slips with chance p."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.table1.worlds import random_moves
from steel_verified.learning.deciding import Decided
from steel_verified.learning.drive import drive
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.learning.slipping import Slipping
from steel_verified.sweeps.study import Job, at_once
from steel_verified.theory.parameters import ONE_IN_20
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics, relabelling
from steel_verified.worlds.runs import method_named, run
from steel_verified.worlds.tabular import HiddenWorld
from tests.learning.slips import drawn, explored, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Row, Study
    from steel_verified.worlds.catalogue import Sizes
    from tests.learning.slips import Slippery

RIGHT, OPEN, NOTICED, WRONG = "RONW"


@dataclass(frozen=True, slots=True)
class Cell:
    """Runs on worlds of one kind with one chance of a slip."""

    name: str
    title: str
    rate: Fraction
    runs: int
    run: Callable[[Fraction, int], tuple[str, int, int]]
    """Takes the rate and a seed; returns how the run ended, its steps, and how many slipped."""

    @property
    def key(self) -> str:
        return f"slips {self.name} p={self.rate} runs={self.runs}"

    def row(self) -> Row:
        ended = [self.run(self.rate, seed) for seed in range(self.runs)]
        return {
            "fates": "".join(fate for fate, _, _ in ended),
            "steps": [steps for _, steps, _ in ended],
            "slips": [slips for _, _, slips in ended],
        }


def catalogue_run(name: str, sizes: Sizes, rate: Fraction, seed: int) -> tuple[str, int, int]:
    """A run on a world of the catalogue, without the steps that check what was decided."""
    chosen = instance(name, seed, **sizes)
    method = method_named("slipping", chosen, slips=rate)
    result, info = run(chosen, method, seed, self_check=None, max_steps=5_000)
    slips = info.slipped or 0
    if info.findings is None:
        contradicted = type(result).__name__ == "Contradicted"
        return NOTICED if contradicted else OPEN, result.ledger.steps, slips
    return RIGHT if info.findings.all_right else WRONG, result.ledger.steps, slips


def small_run(rate: Fraction, seed: int) -> tuple[str, int, int]:
    """A run on a random world of 2 to 4 states, with noise that is hard to tell from states."""

    def method_of(size: int, actions: int) -> Slipping:
        return Slipping(rate, size, actions, ONE_IN_20, seed=seed, check_steps=0)

    world, method = drawn(seed, method_of)
    random = Random(f"slips {seed}")

    def wish(world: Slippery, _action: int) -> int | None:
        return random.randrange(len(world.table)) if random.random() < rate else None

    world.wish, world.most, world.lead = wish, lambda steps: steps, 1 << 30
    known, rows = explored(world, method, 2_000)
    found = fault(world, known, rows)
    if isinstance(known.decision, Decided):
        return WRONG if found else RIGHT, known.steps, len(world.slipped)
    return NOTICED if found else OPEN, known.steps, len(world.slipped)


def switch_run(rate: Fraction, seed: int) -> tuple[str, int, int]:
    """A run on the world of the last column of Table 1; action 1 fails to flip with chance p."""
    small = random_moves(1 - rate)
    world = HiddenWorld(small.model, seed)
    method = Slipping(rate, small.functions.class_size, 2, ONE_IN_20, seed=seed, check_steps=0)
    result = drive(method, world, small.functions, max_steps=2_000)
    if not isinstance(result, Accepted) or result.decided is None:
        ended = NOTICED if isinstance(result, Contradicted) else OPEN
        return ended, result.ledger.steps, 0
    usual = Dynamics(((0, 1), (1, 0)))
    here = world.state // len(small.noise)
    found = relabelling(result.model, result.current, usual, here)
    slips = result.decided.slipped
    return RIGHT if found is not None else WRONG, result.ledger.steps, slips


_RATES: Final = tuple(Fraction(1, n) for n in (1000, 100, 20, 10, 5))
_LOCK: Final = partial(catalogue_run, "combination-lock", {"states": 20})
CELLS: Final = (
    *(Cell("lock", "lock, K = 20", rate, 10, _LOCK) for rate in _RATES[:4]),
    *(
        Cell("maze", "multi-maze", rate, 3, partial(catalogue_run, "multi-maze", {}))
        for rate in _RATES[:2]
    ),
    *(Cell("grid", "grid", rate, 20, partial(catalogue_run, "grid", {})) for rate in _RATES),
    *(
        Cell("switch", "switch of Table 1", rate, 100, switch_run)
        for rate in (*_RATES[1:], Fraction(2, 5))
    ),
    *(Cell("small", "small random worlds", rate, 100, small_run) for rate in _RATES),
)


def slips_study() -> Study:
    return at_once(Job(cell.key, cell.row) for cell in CELLS)


@dataclass(frozen=True, slots=True)
class Ended:
    """The runs of a cell."""

    cell: Cell
    fates: str
    steps: Sequence[int]
    slips: Sequence[int]

    def shown(self) -> tuple[str | int, ...]:
        """The row of the table."""
        right = sorted(
            s for s, fate in zip(self.steps, self.fates, strict=True) if fate == RIGHT
        ) or [0]
        return (
            self.cell.title,
            str(self.cell.rate),
            len(self.fates),
            *(self.fates.count(fate) for fate in (RIGHT, OPEN, NOTICED, WRONG)),
            right[0],
            int(median(right)),
            right[-1],
            sum(self.slips),
        )


def ended_cells(rows: Mapping[str, Row]) -> list[Ended]:
    """The cells that were run, in order."""
    return [
        Ended(cell, str(row["fates"]), _numbers(row["steps"]), _numbers(row["slips"]))
        for cell in CELLS
        if (row := rows.get(cell.key)) is not None
    ]


def _numbers(value: Json) -> list[int]:
    return [each for each in value if isinstance(each, int)] if isinstance(value, list) else []
