"""Ways to violate a condition of the guarantee, each as a random world that violates only it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from steel_verified.theory.conditions import Condition
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from tests.studies.violations.drawing import (
    DrawnTable,
    Seen,
    ViolatedWorld,
    among,
    below,
    certain,
    drawn_class,
    drawn_others,
    drawn_parts,
    drawn_table,
    fast_noise,
    mixed,
    one_versus_rest,
    periodic_noise,
    put_together,
    realising,
    slowed,
    sure,
    uniform,
)
from tests.studies.violations.remembering import (
    acts_late,
    counting,
    freezing,
    hidden_factor,
    lying,
    moving,
    seen_late,
    sticky,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator

    from steel_verified.worlds.dynamics import Table
    from tests.studies.violations.drawing import Classifier, Parts
    from tests.studies.violations.process import Laws


@dataclass(frozen=True, slots=True)
class Break:
    """Which condition a violation breaks (None: all hold), and a description."""

    condition: Condition | None
    text: str


class Violation(Enum):
    """A kind of violation. The honest kinds break nothing; they measure false alarms."""

    HONEST = Break(None, "all conditions hold")
    ONE_STATE_MORE = Break(Condition.MAX_STATES, "N = |S| − 1")
    TWICE_THE_STATES = Break(Condition.MAX_STATES, "N ≤ |S|/2")
    SLIP_1000 = Break(Condition.DETERMINISTIC, "slips with chance 0.001")
    SLIP_100 = Break(Condition.DETERMINISTIC, "slips with chance 0.01")
    SLIP_10 = Break(Condition.DETERMINISTIC, "slips with chance 0.1")
    CHANGE = Break(Condition.UNCHANGING, "one transition changes during the run")
    NO_WAY_BACK = Break(Condition.CONNECTED, "a part of the world has no way back")
    LARGE_DIAMETER = Break(Condition.MAX_DIAMETER, "D̂ ≤ D/2")
    MISSING = Break(Condition.REALISABLE, "no classifier for one state")
    ERRING = Break(Condition.REALISABLE, "the classifier of one state errs")
    ALIKE = Break(Condition.REALISABLE, "two states look alike")
    SHARED = Break(Condition.REALISABLE, "two states share an observation")
    PERIODIC = Break(Condition.MIXING, "periodic noise")
    SLOW = Break(Condition.MIXING, "t̂_mix ≤ t_mix/10")
    FOLLOWING = Break(Condition.EXOGENOUS, "noise that follows actions")
    HONEST_SLOW = Break(None, "all conditions hold, slow noise")
    CHANGE_HALF = Break(Condition.UNCHANGING, "many transitions change half-way")
    ABSORBING = Break(Condition.CONNECTED, "one state is never left")
    SEEN_LATE = Break(Condition.REALISABLE, "observations come one step late")
    ACTS_LATE = Break(Condition.REALISABLE, "actions work one step late")
    STICKY = Break(Condition.DETERMINISTIC, "sticky actions with chance 1/4")
    MOVING = Break(Condition.REALISABLE, "a velocity that is not seen")
    HIDDEN = Break(Condition.REALISABLE, "a factor of the state that is not seen")
    COUNTING = Break(Condition.REALISABLE, "a bit that a hidden counter flips late")
    FREEZING = Break(Condition.REALISABLE, "a camera that freezes")
    LYING = Break(Condition.REALISABLE, "some rows show any state")
    WRONG_CLASS = Break(Condition.REALISABLE, "a class for another world")
    ONE_STATE = Break(None, "a world of one state, and N is not 1")

    @property
    def condition(self) -> Condition | None:
        return self.value.condition

    @property
    def is_honest(self) -> bool:
        """Whether all is as every method assumes: without two states N has to be 1."""
        return self.condition is None and self is not Violation.ONE_STATE

    @property
    def text(self) -> str:
        return self.value.text


SLIP_CHANCES = {
    Violation.SLIP_1000: Fraction(1, 1000),
    Violation.SLIP_100: Fraction(1, 100),
    Violation.SLIP_10: Fraction(1, 10),
}
"""The probability of a slip at each step."""


def violated_world(violation: Violation, seed: int) -> ViolatedWorld:
    """The world of a seed in which this condition is violated; a pure function of both."""
    draw = np.random.default_rng((list(Violation).index(violation), seed))
    return _MAKERS.get(violation, _honest)(draw, violation, seed)


def _honest(
    draw: Generator, violation: Violation, seed: int, parts: Parts | None = None
) -> ViolatedWorld:
    """A world with these parts, and a class that realises it."""
    parts = parts or drawn_parts(draw)
    return put_together(draw, violation, seed, parts, realising(draw, parts))


def _one_state_more(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    world = _honest(draw, violation, seed)
    return _told(world, max_states=len(world.table) - 1)


def _twice_the_states(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    world = _honest(draw, violation, seed, drawn_parts(draw, least=4))
    return _told(world, max_states=len(world.table) // 2)


def _large_diameter(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    world = _honest(draw, violation, seed)
    return _told(world, max_diameter=Dynamics(world.table).diameter // 2)


def _told(
    world: ViolatedWorld, *, max_states: int | None = None, max_diameter: int | None = None
) -> ViolatedWorld:
    """The same world, with other bounds given to the learner."""
    given = world.parameters
    return replace(
        world,
        parameters=replace(
            given,
            max_states=given.max_states if max_states is None else max_states,
            max_diameter=given.max_diameter if max_diameter is None else max_diameter,
        ),
    )


def _slipping(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """With some probability, another action is taken, or the state jumps to any state."""
    world = _honest(draw, violation, seed)
    chance, states = SLIP_CHANCES[violation], len(world.table)
    actions_matter = any(len(set(row)) > 1 for row in world.table)
    if below(draw, 2) and actions_matter:
        slips = [
            tuple(Fraction(row.count(s), len(row)) for s in range(states)) for row in world.table
        ]
    else:
        slips = [uniform(states)] * states
    moves = tuple(
        tuple(mixed(chance, slip, law) for law in laws)
        for slip, laws in zip(slips, world.process.moves, strict=True)
    )
    return replace(world, process=replace(world.process, moves=moves), size=chance)


def _changing(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """One transition gets another target at some step in the middle of the run."""
    parts = drawn_parts(draw)
    world = _honest(draw, violation, seed, parts)
    later = _changed(world.table, *parts.drawn.other_target(draw))
    diameter = max(world.parameters.max_diameter, Dynamics(later).diameter)
    return replace(
        _told(world, max_diameter=diameter),
        later=later,
        changes_at=Fraction(among(draw, 10, 90), 100),
    )


def _changing_half(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Half-way, all transitions that are not needed to reach every state get any target."""
    parts = drawn_parts(draw)
    world, drawn = _honest(draw, violation, seed, parts), parts.drawn
    later = drawn.table
    for state, onward in enumerate(drawn.onward):
        for action in (a for a in range(parts.actions) if a != onward):
            later = _changed(later, state, action, below(draw, parts.states))
    state, action, to = drawn.other_target(draw)
    later = _changed(later, state, action, to)
    diameter = max(world.parameters.max_diameter, Dynamics(later).diameter)
    return replace(_told(world, max_diameter=diameter), later=later, changes_at=Fraction(1, 2))


def _changed(table: Table, state: int, action: int, to: int) -> Table:
    row = table[state]
    return (*table[:state], (*row[:action], to, *row[action + 1 :]), *table[state + 1 :])


def _without_way_back(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Two connected parts, and one transition from the first to the second, but none back."""
    before, after, actions = among(draw, 2, 4), among(draw, 2, 4), among(draw, 2, 3)
    first, second = drawn_table(draw, before, actions), drawn_table(draw, after, actions)
    behind = tuple(tuple(to + before for to in row) for row in second.table)
    state, action, _ = first.other_target(draw)
    apart = _changed((*first.table, *behind), state, action, before + below(draw, after))
    # Everything else is drawn for connected dynamics: the same with a transition back.
    last, leaving, _ = second.other_target(draw)
    back = _changed(apart, before + last, leaving, 0)
    connected = DrawnTable(back, (*first.onward, *second.onward))
    world = _honest(draw, violation, seed, drawn_parts(draw, drawn=connected))
    return replace(
        _told(world, max_diameter=before + after - 1),
        table=apart,
        process=replace(world.process, moves=sure(apart), start=below(draw, before)),
    )


def _absorbing(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """One state leads to itself, whatever the action; it can be reached from all others."""
    parts = drawn_parts(draw)
    world = _honest(draw, violation, seed, parts)
    states, state = parts.states, below(draw, parts.states)
    table = (*world.table[:state], (state,) * parts.actions, *world.table[state + 1 :])
    start = (state + among(draw, 1, states - 1)) % states
    return replace(
        world, table=table, process=replace(world.process, moves=sure(table), start=start)
    )


def _missing(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """No classifier separates one of the states from all others."""
    parts = drawn_parts(draw)
    own = one_versus_rest(parts.seen, below(draw, parts.states))
    classifiers = [f for f in realising(draw, parts) if f != own]
    return put_together(draw, violation, seed, parts, classifiers)


def _wrong_class(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """No classifier is that of a state; there are as many others, which are 1 at random."""
    parts = drawn_parts(draw)
    own = [one_versus_rest(parts.seen, s) for s in range(parts.states)]
    others = [tuple(bool(bit) for bit in draw.integers(2, size=len(parts.seen))) for _ in own]
    classifiers = [*others, *drawn_others(draw, parts.seen)]
    return put_together(draw, violation, seed, parts, [f for f in classifiers if f not in own])


def _one_state(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """All that is seen is noise."""
    alone = DrawnTable(((0,) * among(draw, 2, 3),), (0,))
    world = _honest(draw, violation, seed, drawn_parts(draw, drawn=alone))
    return _told(world, max_states=among(draw, 2, 8))


def _erring(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """The classifier of one state is wrong on one observation, of that state or of another."""
    parts = drawn_parts(draw)
    state, shown_by = below(draw, parts.states), below(draw, parts.states)
    chance = Fraction(among(draw, 1, 6), 20)
    many = len(parts.values[0][0])
    rest = (1 - chance) / (many - 1)
    values = list(parts.values)
    values[shown_by] = ((chance, *(rest,) * (many - 1)),) * len(parts.noise)
    own = one_versus_rest(parts.seen, state)
    wrong = tuple(
        value != (x.value == 0 and shown_by in x.states)
        for value, x in zip(own, parts.seen, strict=True)
    )
    classifiers = [f for f in realising(draw, parts) if f != own]
    parts = replace(parts, values=tuple(values))
    world = put_together(draw, violation, seed, parts, [*classifiers, wrong])
    return replace(world, size=chance)


def _alike(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Two states show the same observations, but lead to states that look different."""
    while True:
        parts = drawn_parts(draw)
        one, other = sorted(draw.permutation(parts.states)[:2].tolist())
        looks = [one if s == other else s for s in range(parts.states)]
        table = parts.drawn.table
        if [looks[to] for to in table[one]] != [looks[to] for to in table[other]]:
            break
    world = _honest(draw, violation, seed, parts)
    emission = tuple(world.process.emission[look] for look in looks)
    seen = tuple(
        Seen(x.states | {other} if one in x.states else x.states, x.value) for x in parts.seen
    )
    own = [one_versus_rest(seen, s) for s in range(parts.states)]
    return _seen_as(draw, world, emission, [*own, *drawn_others(draw, seen)])


def _shared(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """Two states show the same observation with some probability."""
    parts = drawn_parts(draw)
    world = _honest(draw, violation, seed, parts)
    pair = frozenset(draw.permutation(parts.states)[:2].tolist())
    chance = Fraction(among(draw, 1, 10), 20)
    seen = (*parts.seen, Seen(pair, 0))
    none = certain(len(seen), len(seen) - 1)
    emission = tuple(
        tuple(
            mixed(chance if s in pair else Fraction(0), none, (*law, Fraction(0))) for law in laws
        )
        for s, laws in enumerate(world.process.emission)
    )
    own = [one_versus_rest(seen, s) for s in range(parts.states)]
    shared = _seen_as(draw, world, emission, [*own, *drawn_others(draw, seen)])
    return replace(shared, size=chance)


def _seen_as(
    draw: Generator, world: ViolatedWorld, emission: Laws, classifiers: list[Classifier]
) -> ViolatedWorld:
    """The same world with another emission and another class."""
    oracle = drawn_class(draw, classifiers)
    return replace(
        world,
        process=replace(world.process, emission=emission),
        oracle=oracle,
        parameters=replace(world.parameters, class_size=oracle.class_size),
    )


def _periodic(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    noise = periodic_noise(draw, among(draw, 2, 4))
    parts = drawn_parts(draw, noise=noise, told_mixing_time=among(draw, 1, 4))
    return _honest(draw, violation, seed, parts)


def _slow(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """The noise changes so rarely that t_mix is at least ten times t̂_mix."""
    given, turns = among(draw, 1, 3), 4 ** among(draw, 2, 5)
    fast = fast_noise(draw, among(draw, 2, 3))
    while (true := mixing_time(Chain(noise := slowed(fast, 1 - Fraction(1, turns))))) < 10 * given:
        turns *= 2
    parts = drawn_parts(draw, noise=noise, told_mixing_time=given)
    return replace(_honest(draw, violation, seed, parts), size=Fraction(true, given))


def _honest_slow(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """The noise changes rarely, but t̂_mix is a true bound."""
    turns = 4 ** among(draw, 1, 3)
    noise = slowed(fast_noise(draw, among(draw, 2, 3)), 1 - Fraction(1, turns))
    true = mixing_time(Chain(noise))
    parts = drawn_parts(draw, noise=noise, told_mixing_time=true)
    return replace(_honest(draw, violation, seed, parts), size=Fraction(true))


def _following(draw: Generator, violation: Violation, seed: int) -> ViolatedWorld:
    """With some probability (often 1) the action determines the next noise state."""
    parts = drawn_parts(draw, noise=fast_noise(draw, size := 2))
    world = _honest(draw, violation, seed, parts)
    share = Fraction(min(12, among(draw, 2, 20)), 12)
    noise = tuple(
        tuple(mixed(share, certain(size, action % size), row) for row in parts.noise)
        for action in range(parts.actions)
    )
    return replace(world, process=replace(world.process, noise=noise), size=share)


_MAKERS: dict[Violation, Callable[[Generator, Violation, int], ViolatedWorld]] = {
    Violation.ONE_STATE_MORE: _one_state_more,
    Violation.TWICE_THE_STATES: _twice_the_states,
    Violation.SLIP_1000: _slipping,
    Violation.SLIP_100: _slipping,
    Violation.SLIP_10: _slipping,
    Violation.CHANGE: _changing,
    Violation.NO_WAY_BACK: _without_way_back,
    Violation.LARGE_DIAMETER: _large_diameter,
    Violation.MISSING: _missing,
    Violation.ERRING: _erring,
    Violation.ALIKE: _alike,
    Violation.SHARED: _shared,
    Violation.PERIODIC: _periodic,
    Violation.SLOW: _slow,
    Violation.FOLLOWING: _following,
    Violation.HONEST_SLOW: _honest_slow,
    Violation.CHANGE_HALF: _changing_half,
    Violation.ABSORBING: _absorbing,
    Violation.SEEN_LATE: seen_late,
    Violation.ACTS_LATE: acts_late,
    Violation.STICKY: sticky,
    Violation.MOVING: moving,
    Violation.HIDDEN: hidden_factor,
    Violation.COUNTING: counting,
    Violation.FREEZING: freezing,
    Violation.LYING: lying,
    Violation.WRONG_CLASS: _wrong_class,
    Violation.ONE_STATE: _one_state,
}
