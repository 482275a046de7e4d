"""Draw a small random world: dynamics, noise, observations, and a class F that realises it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from steel_verified.classes.finite import Tables, tables
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from tests.studies.violations.process import Change, Process, ProcessWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.random import Generator

    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from tests.studies.violations.breaking import Violation
    from tests.studies.violations.process import Laws

Rows: TypeAlias = tuple["Distribution", ...]
"""A transition matrix, or one distribution for each noise state."""

_PARTS: Final = 12
"""Weights of drawn distributions are twelfths: exact, with a small common denominator."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A transition table, and one action per state such that these actions visit all states."""

    table: Table
    onward: tuple[int, ...]

    def other_target(self, draw: Generator) -> tuple[int, int, int]:
        """A state, an action that is not needed to reach every state, and another target."""
        state = below(draw, len(self.table))
        others = [a for a in range(len(self.table[0])) if a != self.onward[state]]
        action = others[below(draw, len(others))]
        to = below(draw, len(self.table) - 1)
        return state, action, to + (to >= self.table[state][action])


def below(draw: Generator, end: int) -> int:
    """A random integer from 0 to end − 1."""
    return int(draw.integers(end))


def among(draw: Generator, first: int, last: int) -> int:
    """A random integer from first to last."""
    return int(draw.integers(first, last + 1))


def drawn_table(draw: Generator, states: int, actions: int) -> DrawnTable:
    """Connected dynamics with at least two actions: a ring through all states, and others.

    The other transitions go to any state, stay in place, or lead back to state 0, as in a lock.
    """
    order = draw.permutation(states).tolist()
    after = dict(pairwise([*order, order[0]]))
    elsewhere: tuple[Callable[[int], int], ...] = (
        lambda _: below(draw, states),
        lambda state: state,
        lambda _: 0,
    )
    kinds = [(0, 0, 0, 0, 1, 2)[below(draw, 6)] for _ in range(actions)]
    onward = tuple(below(draw, actions) for _ in range(states))
    table = tuple(
        tuple(after[s] if a == onward[s] else elsewhere[kinds[a]](s) for a in range(actions))
        for s in range(states)
    )
    return DrawnTable(table, onward)


def drawn_law(draw: Generator, size: int) -> Distribution:
    """A distribution on `size` outcomes, in twelfths."""
    cuts = sorted(among(draw, 0, _PARTS) for _ in range(size - 1))
    return tuple(Fraction(b - a, _PARTS) for a, b in pairwise((0, *cuts, _PARTS)))


def certain(size: int, outcome: int) -> Distribution:
    """The distribution with one certain outcome."""
    return tuple(Fraction(i == outcome) for i in range(size))


def uniform(size: int) -> Distribution:
    return (Fraction(1, size),) * size


def mixed(share: Fraction, one: Distribution, other: Distribution) -> Distribution:
    """The first distribution with probability `share`, else the second."""
    return tuple(share * p + (1 - share) * q for p, q in zip(one, other, strict=True))


def fast_noise(draw: Generator, size: int) -> Rows:
    """A chain that is redrawn independently with probability 1/2 at each step."""
    return tuple(mixed(Fraction(1, 2), uniform(size), drawn_law(draw, size)) for _ in range(size))


def slowed(noise: Rows, stay: Fraction) -> Rows:
    """The same chain, but it stays in place with this probability before it moves."""
    return tuple(mixed(stay, certain(len(noise), e), row) for e, row in enumerate(noise))


def periodic_noise(draw: Generator, period: int) -> Rows:
    """A chain on `period` or 2·`period` states that moves to the next class at each step."""
    if below(draw, 2):
        return tuple(certain(period, (e + 1) % period) for e in range(period))
    size = 2 * period
    rows = []
    for e in range(size):
        share = Fraction(among(draw, 1, _PARTS - 1), _PARTS)
        new = 2 * ((e // 2 + 1) % period)
        rows.append(mixed(share, certain(size, new), certain(size, new + 1)))
    return tuple(rows)


def drawn_values(draw: Generator, noise: int, values: int, shown: Fraction) -> Rows:
    """For each noise state, the distribution of a visible value.

    With probability `shown` the value tells the noise state; otherwise it is independent of it.
    """
    hidden = mixed(Fraction(3, 4), drawn_law(draw, values), uniform(values))
    return tuple(mixed(shown, certain(values, e * values // noise), hidden) for e in range(noise))


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation: the states that may show it, and the value shown beside the state."""

    states: frozenset[int]
    value: int


Classifier: TypeAlias = tuple[bool, ...]
"""The value of the classifier on each observation."""


def one_versus_rest(seen: Iterable[Seen], state: int) -> Classifier:
    return tuple(state in x.states for x in seen)


def drawn_others(draw: Generator, seen: tuple[Seen, ...]) -> list[Classifier]:
    """Both constants, classifiers that read the value alone or also one state, and random ones."""
    values = sorted({x.value for x in seen})
    states = len(frozenset[int]().union(*(x.states for x in seen)))
    readers = [tuple(x.value == value for x in seen) for value in values]
    made = [(False,) * len(seen), (True,) * len(seen), *readers]
    for _ in range(2):
        own = one_versus_rest(seen, below(draw, states))
        reader = readers[below(draw, len(readers))]
        made.append(tuple(a or b for a, b in zip(own, reader, strict=True)))
        made.append(tuple(a and b for a, b in zip(own, reader, strict=True)))
        made.append(tuple(bool(bit) for bit in draw.integers(2, size=len(seen))))
    return made


def drawn_class(draw: Generator, classifiers: Iterable[Classifier]) -> Tables:
    """The class of these classifiers, without duplicates, in random order."""
    listed = sorted(set(classifiers))
    return tables([listed[i] for i in draw.permutation(len(listed)).tolist()])


_DELTA: Final = Fraction(1, 1000)
_EPSILON: Final = Fraction(1, 5)


@dataclass(frozen=True, slots=True)
class Truth:
    """What counts as true if rows lie or steps slip: a world in which they do not."""

    table: Table
    emission: Laws
    state_of: tuple[int, ...]
    """Its state in each latent state of the process."""


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
    truth: Truth | None = None
    """What counts as true, if it is not the process itself."""
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
