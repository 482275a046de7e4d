"""Build a small random world, with true parameters and a class F that realises it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.violated.drawing import (
    DrawnTable,
    Seen,
    among,
    below,
    certain,
    drawn_class,
    drawn_others,
    drawn_table,
    drawn_values,
    fast_noise,
    one_versus_rest,
    uniform,
)
from steel_verified.worlds.violated.process import Change, Process, ProcessWorld

if TYPE_CHECKING:
    from numpy.random import Generator

    from steel_verified.classes.finite import Tables
    from steel_verified.worlds.dynamics import Table
    from steel_verified.worlds.violated.drawing import Classifier, Rows
    from steel_verified.worlds.violated.process import Laws
    from steel_verified.worlds.violated.violations import Violation

_DELTA: Final = Fraction(1, 1000)
_EPSILON: Final = Fraction(1, 5)


@dataclass(frozen=True, slots=True)
class ViolatedWorld:
    """A world in which one condition is violated, and the input of a learner for it."""

    violation: Violation
    seed: int
    process: Process
    table: Table
    """The transitions; if they are random, the most likely ones."""
    oracle: Tables
    parameters: Parameters
    first_action: int
    size: Fraction | None = None
    """The size of the violation: the probability of a slip, of an error of the classifier or of the
    shared observation, or t_mix / t̂_mix; t_mix for honest slow noise. None if it has no size."""
    later: Table | None = None
    """The transitions after the change, if there is one."""
    changes_at: Fraction = Fraction(0)
    """When the change happens: a share of the steps that the run would take without the change."""

    def begin(self, *, change_after: int | None = None) -> ProcessWorld:
        """The running world, with noise from its seed; it may change after this many steps."""
        if self.later is None or change_after is None:
            return ProcessWorld(self.process, self.seed)
        return ProcessWorld(self.process, self.seed, Change(change_after, sure(self.later)))


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a world before it is built."""

    drawn: DrawnTable
    noise: Rows
    mixing_time: int
    values: tuple[Rows, ...]
    """For each latent state, the distribution of the value in each noise state."""

    @property
    def states(self) -> int:
        return len(self.drawn.table)

    @property
    def actions(self) -> int:
        return len(self.drawn.table[0])

    @property
    def seen(self) -> tuple[Seen, ...]:
        """All observations: one for each state and each value."""
        many = len(self.values[0][0])
        return tuple(Seen(frozenset({s}), v) for s in range(self.states) for v in range(many))


def sure(table: Table) -> Laws:
    """A transition table as distributions with one certain outcome each."""
    return tuple(tuple(certain(len(table), to) for to in row) for row in table)


def drawn_parts(
    draw: Generator,
    *,
    least: int = 3,
    drawn: DrawnTable | None = None,
    noise: Rows | None = None,
    told_mixing_time: int | None = None,
) -> Parts:
    """Draw the parts of a world with at least this many states; given parts are not drawn.

    The noise is fast unless it is given. Given noise is visible in every state, often without
    error; other noise is hidden in some states.
    """
    if drawn is None:
        states = max(least, (3, 3, 4, 4, 5, 5, 6, 8)[below(draw, 8)])
        drawn = drawn_table(draw, states, among(draw, 2, 3))
    shown = [Fraction(below(draw, 3), 2) for _ in drawn.table]
    if noise is None:
        noise = fast_noise(draw, among(draw, 2, 3))
    else:
        shown = [(Fraction(1, 2), Fraction(1), Fraction(1))[below(draw, 3)]] * len(drawn.table)
    if told_mixing_time is None:
        told_mixing_time = mixing_time(Chain(noise)) + below(draw, 2)
    many = among(draw, 2, min(3, len(noise)))
    values = tuple(drawn_values(draw, len(noise), many, share) for share in shown)
    return Parts(drawn, noise, told_mixing_time, values)


def realising(draw: Generator, parts: Parts) -> list[Classifier]:
    """One-versus-rest classifiers for all states, and other classifiers."""
    own = [one_versus_rest(parts.seen, s) for s in range(parts.states)]
    return [*own, *drawn_others(draw, parts.seen)]


def put_together(
    draw: Generator, violation: Violation, seed: int, parts: Parts, classifiers: list[Classifier]
) -> ViolatedWorld:
    """The world with these parts and classifiers, and true bounds N and D̂."""
    table, many = parts.drawn.table, len(parts.values[0][0])
    zero = Fraction(0)
    emission = tuple(
        tuple(
            (zero,) * (s * many) + law + (zero,) * ((parts.states - 1 - s) * many) for law in laws
        )
        for s, laws in enumerate(parts.values)
    )
    oracle = drawn_class(draw, classifiers)
    return ViolatedWorld(
        violation=violation,
        seed=seed,
        process=Process(
            moves=sure(table),
            noise=(parts.noise,) * parts.actions,
            emission=emission,
            initial_noise=uniform(len(parts.noise)),
            start=below(draw, parts.states),
        ),
        table=table,
        oracle=oracle,
        parameters=Parameters(
            actions=parts.actions,
            max_states=parts.states + below(draw, 2),
            max_diameter=Dynamics(table).diameter + below(draw, 2),
            mixing_time=parts.mixing_time,
            class_size=oracle.class_size,
            delta=_DELTA,
            epsilon=_EPSILON,
        ),
        first_action=below(draw, parts.actions),
    )
