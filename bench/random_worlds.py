"""Steps of located STEEL on random worlds, beside the paper's algorithm.

    python -m bench.random_worlds        # 40 worlds of each kind, some minutes
    python -m bench.random_worlds 200    # so many of each

The worlds are those of `tests/learning`: bits with up to 30 states, and points in 2 to 20
dimensions with half-spaces as classifiers. What the paper's algorithm takes is predicted, with the
true diameter.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Final

from steel_verified.cli.console import show
from steel_verified.learning.looped import Looped
from steel_verified.reports.tables import Column, Kind, Table
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.ideal import ideal_run
from tests.learning.random_worlds import bits_run, half_spaces_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.learning.random_worlds import RandomRun

FIRST_SEED: Final = 5000
MOST_STEPS: Final = 300_000
DIMENSIONS: Final = (2, 5, 10, 20)
_NUMBERS: Final = (
    "right",
    "not accepted",
    "exploring",
    "most exploring",
    "validating",
    "looped",
    "times fewer",
)
COLUMNS: Final = (
    Column("worlds", Kind.CODE),
    *(Column(name, Kind.NUMBER) for name in _NUMBERS),
)


def looped_steps(run: RandomRun) -> int:
    """What the paper's algorithm takes on the same world, as predicted."""
    p = run.parameters
    parameters = Parameters(
        actions=p.actions,
        max_states=p.max_states,
        max_diameter=max(1, run.dynamics.diameter),
        mixing_time=p.mixing_time,
        class_size=run.class_size,
        delta=p.delta,
        epsilon=p.epsilon,
    )
    predicted = ideal_run(
        run.dynamics, run.start, Looped(parameters), first_action=run.first_action
    )
    return predicted.ledger.steps


def row(title: str, runs: list[RandomRun]) -> tuple[str, ...]:
    """Medians over the runs that were accepted."""
    ended = Counter(run.ended for run in runs)
    assert ended.keys() <= {"right", "not accepted"}
    right = [run for run in runs if run.ended == "right"]
    exploring = [run.steps - run.validating for run in right]
    looped = [looped_steps(run) for run in right]
    fewer = [steps / run.steps for steps, run in zip(looped, right, strict=True)]
    return (
        title,
        str(ended["right"]),
        str(ended["not accepted"]),
        f"{median(exploring):,.0f}",
        f"{max(exploring):,}",
        f"{median(run.validating for run in right):,.0f}",
        f"{median(looped):,.0f}",
        f"{median(fewer):,.0f}",
    )


def many(title: str, run: Callable[[int], RandomRun], worlds: int) -> tuple[str, ...]:
    """Run worlds of one kind, and say what they took."""
    runs = []
    for seed in range(FIRST_SEED, FIRST_SEED + worlds):
        print(f"{title}: seed {seed}", file=sys.stderr, flush=True)
        runs.append(run(seed))
    return row(title, runs)


def main(worlds: int) -> None:
    rows = [many("bits, |S| ≤ 30", lambda seed: bits_run(seed, 30, MOST_STEPS), worlds)]
    for features in DIMENSIONS:
        runs = partial(half_spaces_run, max_states=6, max_steps=MOST_STEPS, features=features)
        rows.append(many(f"{features} dimensions, |S| ≤ 6", runs, worlds))
    title = f"Random worlds: medians of runs that were right, {worlds} worlds of each kind"
    show([Table(title, COLUMNS, tuple(rows))])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
