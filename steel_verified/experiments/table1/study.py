"""The runs of Table 1 as jobs: a row for each method and column, or for each block of seeds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.table1.columns import SMALL_WORLDS, Method, Property
from steel_verified.experiments.table1.locks import (
    PPE_FEW_GAPS,
    PPE_LEAST,
    PpeRuns,
    run_on_lock,
    run_ppe,
)
from steel_verified.experiments.table1.methods import run_method
from steel_verified.sweeps.study import Job, at_once

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.experiments.table1.methods import Ended
    from steel_verified.sweeps.study import Row, Study

RUNS: Final = {column: 100 if column in SMALL_WORLDS else 20 for column in Property}
"""The number of runs of each method."""
_BLOCK: Final = {column: 50 if column in SMALL_WORLDS else 5 for column in Property}
OTHER_PPE: Final = (PPE_LEAST, PPE_FEW_GAPS)
"""Further runs of PPE on the lock."""


def cell_keys(method: Method, column: Property) -> list[str]:
    """The keys of the rows of a cell."""
    return [_key(f"{column.name.lower()} {method.key}", seeds) for seeds in _blocks(column)]


def ppe_keys(runs: PpeRuns) -> list[str]:
    """The keys of the rows of further runs of PPE."""
    return [_key(f"lock {runs.key}", seeds) for seeds in _blocks(Property.GUARANTEE)]


def table1_study() -> Study:
    """All runs; those on locks, which take longer, come last."""
    jobs = [
        Job(key, partial(cell_row, method, column, seeds))
        for column in sorted(Property, key=lambda column: column not in SMALL_WORLDS)
        for method in Method
        for key, seeds in zip(cell_keys(method, column), _blocks(column), strict=True)
    ]
    for runs in OTHER_PPE:
        blocks = zip(ppe_keys(runs), _blocks(Property.GUARANTEE), strict=True)
        jobs += [Job(key, partial(ppe_row, runs, seeds)) for key, seeds in blocks]
    return at_once(jobs)


def cell_row(method: Method, column: Property, seeds: Iterable[int]) -> Row:
    """How each run of a method ended, as letters, and after how many steps, without times."""
    if column not in SMALL_WORLDS:
        return _row(run_on_lock(method, seed) for seed in seeds)
    world, resets = SMALL_WORLDS[column](), column is not Property.NO_RESET
    return _row(run_method(method, world, seed, resets=resets) for seed in seeds)


def ppe_row(runs: PpeRuns, seeds: Iterable[int]) -> Row:
    """The same for further runs of PPE on the lock."""
    return _row(run_ppe(runs, seed) for seed in seeds)


def _row(ended: Iterable[Ended]) -> Row:
    listed = list(ended)
    return {
        "fates": "".join(one.fate.value for one in listed),
        "steps": [one.steps for one in listed],
    }


def _blocks(column: Property) -> list[range]:
    size = _BLOCK[column]
    return [range(first, first + size) for first in range(0, RUNS[column], size)]


def _key(what: str, seeds: range) -> str:
    return f"table1 {what} seeds={seeds[0]:02d}-{seeds[-1]:02d}"
