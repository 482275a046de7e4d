"""Worlds whose latent state has more in it than an observation shows: a delay, a counter, a camera.

Each is a honest world with a memory: its latent states are pairs of a state and what is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar

from tests.studies.violations.drawing import (
    DrawnTable,
    Truth,
    among,
    below,
    certain,
    drawn_parts,
    drawn_table,
    mixed,
    put_together,
    realising,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.random import Generator

    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from tests.studies.violations.breaking import Violation
    from tests.studies.violations.drawing import Rows, ViolatedWorld

Memory = TypeVar("Memory")


@dataclass(frozen=True)
class Remembering(Generic[Memory]):
    """How latent states with a memory move and look."""

    moves: Callable[[int, Memory, int], Mapping[tuple[int, Memory], Fraction]]
    """The chances of the next state and memory, from a state and a memory, by an action."""
    looks: Callable[[int, Memory], Rows]
    """What is shown, for each noise state."""

    def of(
        self, world: ViolatedWorld, state: int, memory: Memory, *, is_true: bool
    ) -> ViolatedWorld:
        """Return the world with this memory. If `is_true`, the world without it is the truth."""
        first = state, memory
        laws: dict[tuple[int, Memory], list[Mapping[tuple[int, Memory], Fraction]]] = {}
        found = [first]
        for pair in found:
            laws[pair] = [self.moves(*pair, action) for action in range(world.process.actions)]
            found += dict.fromkeys(to for law in laws[pair] for to in law if to not in found)
        number = {pair: place for place, pair in enumerate(found)}
        none = Fraction(0)
        moves = tuple(
            tuple(tuple(law.get(to, none) for to in found) for law in laws[pair]) for pair in found
        )
        process = replace(
            world.process,
            moves=moves,
            emission=tuple(self.looks(*pair) for pair in found),
            start=0,
        )
        table = tuple(
            tuple(number[max(law, key=lambda to: law[to])] for law in laws[pair]) for pair in found
        )
        usual = Truth(world.table, world.process.emission, tuple(state for state, _ in found))
        return replace(world, process=process, table=table, truth=usual if is_true else None)


def _sure(state: int, memory: Memory) -> dict[tuple[int, Memory], Fraction]:
    return {(state, memory): Fraction(1)}


def _base(
    draw: Generator, violation: Violation, seed: int, drawn: DrawnTable | None = None
) -> ViolatedWorld:
    parts = drawn_parts(draw, drawn=drawn)
    return put_together(draw, violation, seed, parts, realising(draw, parts))


def seen_late(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Each observation is that of the state one step before."""
    world = _base(draw, violation, seed)
    table, emission = world.table, world.process.emission
    late = Remembering[int](
        lambda state, _, action: _sure(table[state][action], state),
        lambda _, before: emission[before],
    )
    return late.of(world, world.process.start, world.process.start, is_true=False)


def acts_late(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Each action takes effect one step later."""
    world = _base(draw, violation, seed)
    table, emission = world.table, world.process.emission
    late = Remembering[int](
        lambda state, last, action: _sure(table[state][last], action),
        lambda state, _: emission[state],
    )
    return late.of(world, world.process.start, below(draw, len(table[0])), is_true=False)


def sticky(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """With chance 1/4 the action before is taken again, whatever is asked for."""
    world = _base(draw, violation, seed)
    table, emission, chance = world.table, world.process.emission, Fraction(1, 4)

    def moves(state: int, last: int, action: int) -> Mapping[tuple[int, int], Fraction]:
        if action == last:
            return _sure(table[state][action], action)
        return {(table[state][action], action): 1 - chance, (table[state][last], last): chance}

    made = Remembering[int](moves, lambda state, _: emission[state])
    begun = made.of(world, world.process.start, below(draw, len(table[0])), is_true=True)
    return replace(begun, size=chance)


def moving(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """A place on a ring is seen, but not the velocity, which actions turn on and off."""
    places, actions = among(draw, 3, 6), among(draw, 2, 3)
    ring = tuple(tuple((s + (a == 0)) % places for a in range(actions)) for s in range(places))
    world = _base(draw, violation, seed, DrawnTable(ring, (0,) * places))
    emission = world.process.emission

    def moves(place: int, velocity: int, action: int) -> Mapping[tuple[int, int], Fraction]:
        after = (velocity, 1 - velocity, 0)[action]
        return _sure((place + velocity) % places, after)

    return Remembering[int](moves, lambda place, _: emission[place]).of(
        world, world.process.start, below(draw, 2), is_true=False
    )


def counting(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """A bit is seen that flips when one transition was taken some 3 to 20 times."""
    states, actions, most = among(draw, 2, 3), among(draw, 2, 3), among(draw, 3, 20)
    alone = drawn_table(draw, states, actions)
    where, which = below(draw, states), below(draw, actions)

    def after(seen: int, action: int, flips: int) -> int:
        bit, state = divmod(seen, states)
        return (bit ^ flips) * states + alone.table[state][action]

    def counted(seen: int, action: int) -> bool:
        return (seen % states, action) == (where, which)

    both: Table = tuple(
        tuple(after(seen, action, counted(seen, action)) for action in range(actions))
        for seen in range(2 * states)
    )
    world = _base(draw, violation, seed, DrawnTable(both, alone.onward * 2))
    emission = world.process.emission

    def moves(seen: int, count: int, action: int) -> Mapping[tuple[int, int], Fraction]:
        now = count + counted(seen, action)
        return _sure(after(seen, action, now == most), now % most)

    return Remembering[int](moves, lambda seen, _: emission[seen]).of(
        world, world.process.start, 0, is_true=False
    )


def freezing(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Now and then the camera freezes: some state's observation stays for some 20 steps."""
    world = _base(draw, violation, seed, drawn_table(draw, 3, 2))
    table, emission = world.table, world.process.emission
    freezes, melts = Fraction(1, among(draw, 50, 500)), Fraction(1, 20)
    many, looks = len(emission[0][0]), len(emission[0])
    shown = [_mean(laws) for laws in emission]

    def moves(
        state: int, held: int | None, action: int
    ) -> Mapping[tuple[int, int | None], Fraction]:
        to = table[state][action]
        if held is not None:
            return {(to, held): 1 - melts, (to, None): melts}
        law: dict[tuple[int, int | None], Fraction] = {
            (to, x): freezes * weight for x, weight in enumerate(shown[to]) if weight
        }
        return {(to, None): 1 - freezes, **law}

    def look(state: int, held: int | None) -> Rows:
        return emission[state] if held is None else (certain(many, held),) * looks

    made = Remembering[int | None](moves, look)
    return replace(made.of(world, world.process.start, None, is_true=True), size=freezes)


def _mean(laws: Rows) -> Distribution:
    return tuple(sum(weights, Fraction(0)) / len(laws) for weights in zip(*laws, strict=True))


def lying(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """With some chance an observation is that of any state."""
    world = _base(draw, violation, seed)
    emission, chance = world.process.emission, Fraction(1, (10, 30, 100)[below(draw, 3)])
    looks = range(len(emission[0]))
    any_state = [_mean(tuple(laws[e] for laws in emission)) for e in looks]
    lies = tuple(tuple(mixed(chance, any_state[e], laws[e]) for e in looks) for laws in emission)
    truth = Truth(world.table, emission, tuple(range(len(world.table))))
    return replace(world, process=replace(world.process, emission=lies), size=chance, truth=truth)


def hidden_factor(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Only one of two factors of the state is seen, and what it does depends on the other."""
    world = _base(draw, violation, seed, drawn_table(draw, among(draw, 3, 5), 2))
    emission, states = world.process.emission, len(world.table)
    tables = [world.table, *(drawn_table(draw, states, 2).table for _ in range(2))]
    switch = below(draw, 2)

    def moves(state: int, other: int, action: int) -> Mapping[tuple[int, int], Fraction]:
        turned = (other + (action == switch and state == 0)) % len(tables)
        return _sure(tables[other][state][action], turned)

    return Remembering[int](moves, lambda state, _: emission[state]).of(
        world, world.process.start, 0, is_true=False
    )
