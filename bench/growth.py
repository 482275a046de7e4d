"""How the steps of located STEEL grow, and with what: python -m bench.growth.

One quantity is varied at a time, on the combination lock with K = 20 and the paper's parameters.
Steps are means over noise seeds. An exponent is the slope of a straight line through log steps by
log quantity. Every run is checked against the truth.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log
from statistics import linear_regression, mean
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.cli.console import show
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located, rounds
from steel_verified.learning.results import accepted
from steel_verified.reports.tables import Column, Kind, Prose, Table
from steel_verified.theory.validation import independent_samples, validation_samples
from steel_verified.worlds.catalogue import setting
from steel_verified.worlds.combination_lock import CombinationLock, combination_lock
from steel_verified.worlds.dynamics import Dynamics, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.theory.parameters import Parameters

ENV_SEED: Final = 0
NOISE_SEEDS: Final = range(3)
STATES: Final = 20
COMPONENTS: Final = 512


@dataclass(frozen=True, eq=False)
class WideLock(CombinationLock):
    """A lock with more actions: one leads on, all others lead back to the first state."""

    actions: int = 2

    def dynamics(self) -> Dynamics:
        states = len(self.right_actions)
        right = np.random.default_rng(ENV_SEED).integers(self.actions, size=states).tolist()
        return Dynamics(
            tuple(
                tuple((i + 1) % states if a == right[i] else 0 for a in range(self.actions))
                for i in range(states)
            )
        )


@dataclass(frozen=True)
class Steps:
    """The steps of a run, or means of several."""

    exploring: float
    validating: float

    @property
    def in_all(self) -> float:
        return self.exploring + self.validating


@dataclass(frozen=True)
class Axis:
    """A quantity that is varied: its values, and the lock and parameters for each."""

    name: str
    values: tuple[float, ...]
    lock: Callable[[float], CombinationLock]
    parameters: Callable[[float], Parameters]


def _lock(states: int = STATES, components: int = COMPONENTS) -> CombinationLock:
    return combination_lock(ENV_SEED, states=states, components=components, least_noise=0.1)


def _slowed(times: float) -> CombinationLock:
    plain = _lock()
    return replace(plain, turns_on=plain.turns_on / times, turns_off=plain.turns_off / times)


def _wide(actions: int) -> CombinationLock:
    plain = _lock()
    return WideLock(
        plain.turns_on,
        plain.turns_off,
        plain.indicators,
        plain.right_actions,
        plain.start,
        plain.first_action,
        actions,
    )


def _given(states: int = STATES) -> Parameters:
    return setting("combination-lock", states=states).parameters


SLOWNESS: Final = (1, 2, 4, 8)
"""How many times slower every noise bit flickers; t̂_mix is enough for the slowest."""
AXES: Final = (
    Axis("K", (10, 20, 50, 100, 200), lambda k: _lock(int(k)), lambda k: _given(int(k))),
    Axis(
        "|A|",
        (2, 4, 8, 16),
        lambda a: _wide(int(a)),
        lambda a: replace(_given(), actions=int(a)),
    ),
    Axis(
        "t̂_mix",
        (40, 80, 160, 320, 640),
        lambda _: _lock(),
        lambda t: replace(_given(), mixing_time=int(t)),
    ),
    Axis(
        "noise bits",
        (128, 256, 512, 1024, 2048),
        lambda bits: _lock(components=STATES + int(bits)),
        lambda _: replace(_given(), mixing_time=80),
    ),
    Axis(
        "slowness",
        SLOWNESS,
        _slowed,
        lambda _: replace(_given(), mixing_time=_slowed(SLOWNESS[-1]).truth().mixing_time),
    ),
    Axis(
        "N",
        (30, 60, 120, 240),
        lambda _: _lock(),
        lambda n: replace(_given(), max_states=int(n), max_diameter=int(n)),
    ),
    Axis(
        "1/ε",
        (5, 20, 80, 320),
        lambda _: _lock(),
        lambda inverse: replace(_given(), epsilon=Fraction(1, int(inverse))),
    ),
)


def steps_of(lock: CombinationLock, parameters: Parameters) -> Steps:
    """Mean steps over the noise seeds; every run is right."""
    found = []
    for seed in NOISE_SEEDS:
        world, truth = lock.world(seed), lock.truth()
        assert parameters.mixing_time >= truth.mixing_time
        result = checked_run(
            world, lock.oracle(), Located(parameters, first_action=lock.first_action)
        )
        learned = accepted(result)
        assert compare(learned, truth, world.state).all_right
        validating = sum(validation.steps for validation in rounds(learned.ledger))
        found.append(Steps(learned.ledger.steps - validating, validating))
    return Steps(mean(s.exploring for s in found), mean(s.validating for s in found))


def exponent(values: Sequence[float], steps: Sequence[float]) -> float:
    """The slope of log steps by log value."""
    return linear_regression([*map(log, values)], [*map(log, steps)]).slope


COLUMNS: Final = (
    Column("quantity", Kind.CODE),
    Column("value", Kind.NUMBER),
    Column("exploring", Kind.NUMBER),
    Column("validating", Kind.NUMBER),
    Column("in all", Kind.NUMBER),
    Column("mostly"),
)


def growth() -> tuple[Table, Table]:
    """Steps for each value of each quantity, and the exponents with which they grow."""
    rows: list[tuple[str, ...]] = []
    slopes: list[tuple[str, ...]] = []
    for axis in AXES:
        found = []
        for value in axis.values:
            steps = steps_of(axis.lock(value), axis.parameters(value))
            found.append(steps)
            rows.append((axis.name, f"{value:,g}", *_shown(steps)))
            print(*rows[-1], file=sys.stderr, flush=True)
        slopes.append(
            (
                axis.name,
                f"{axis.values[0]:,g} to {axis.values[-1]:,g}",
                *(
                    f"{exponent(axis.values, values):.2f}"
                    for values in (
                        [s.exploring for s in found],
                        [s.validating for s in found],
                        [s.in_all for s in found],
                    )
                ),
            )
        )
    seeds = (
        f"environment seed {ENV_SEED}, mean of noise seeds {NOISE_SEEDS[0]} to {NOISE_SEEDS[-1]}"
    )
    numbers = (Column(name, Kind.NUMBER) for name in ("exploring", "validating", "in all"))
    exponents = (Column("quantity", Kind.CODE), Column("values", Kind.CODE), *numbers)
    return (
        Table(f"Steps on locks ({seeds})", COLUMNS, tuple(rows)),
        Table("Growth exponents", exponents, tuple(slopes)),
    )


def _shown(steps: Steps) -> tuple[str, ...]:
    mostly = "exploring" if steps.exploring > steps.validating else "validating"
    numbers = (steps.exploring, steps.validating, steps.in_all)
    return (*(f"{number:,.0f}" for number in numbers), mostly)


def limit() -> Table:
    """How many samples a validation takes, beside independent samples."""
    epsilon, share = Fraction(1, 20), Fraction(1, 40)
    least = independent_samples(epsilon, share)
    rows = []
    for j in (1, 2, 3, 4, 6, 8):
        n = validation_samples(epsilon, j, share)
        rows.append((str(j), n, f"{n / least:.2f}"))
    columns = (
        Column("j", Kind.NUMBER),
        Column("n", Kind.NUMBER),
        Column(f"times the {least} of independent samples", Kind.NUMBER),
    )
    return Table("Validation: n at ε = 1/20, with 1/40 of δ", columns, tuple(rows))


def main() -> None:
    show([limit()])
    for table in growth():
        show([Prose(""), table])


if __name__ == "__main__":
    main()
