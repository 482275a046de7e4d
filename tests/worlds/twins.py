"""Pairs of worlds with the same law of data: one breaks a condition, its twin breaks none.

No learner can tell them apart, so the violation cannot be noticed; and what is learned is right for
the twin. Hidden states are numbered so that the two show the same data from the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from proofs_checks.small_cases.slow_noise import permuted_world
from steel_verified.classes.finite import Tables, tables
from steel_verified.theory.conditions import Condition
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import ExBmdp, HiddenModel, Law, certain, law
from tests.studies.necessity import unchanged_world
from tests.worlds.laws_of_data import hidden_model

from .readings import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from steel_verified.worlds.dynamics import Table

ONE, HALF = Fraction(1), Fraction(1, 2)
HORIZON: Final = 2_000


@dataclass(frozen=True)
class Twins:
    """A world that breaks conditions, and its twin. The bounds and F are the same for both."""

    name: str
    breaks: frozenset[Condition]
    broken: Reading
    twin: ExBmdp
    classifiers: Tables
    max_states: int
    steps: int | None = None
    """The law of data is the same for so many steps; for any number of steps if this is None."""
    by_classifiers: bool = False
    """Whether only the values of classifiers have the same law, and not the observations."""

    @property
    def parameters(self) -> Parameters:
        """Bounds that are true of the twin."""
        return Parameters(
            actions=self.twin.dynamics.actions,
            max_states=self.max_states,
            max_diameter=max(self.max_states - 1, self.twin.dynamics.diameter),
            mixing_time=mixing_time(self.twin.noise),
            class_size=self.classifiers.class_size,
            delta=Fraction(1, 1000),
            epsilon=Fraction(1, 2),
        )


def classifiers_of(observations: int, ones: Iterable[Collection[int]]) -> Tables:
    """A classifier that is 1 on each of these sets of observations, and a constant one."""
    rows = [[x in own for x in range(observations)] for own in ones]
    return tables([*rows, [True] * observations])


def quiet_world(table: Table, start: int, shows: tuple[Law, ...], observations: int) -> ExBmdp:
    """A world without noise, except in what each state shows."""
    laws = tuple(
        (tuple(dict(shown).get(x, Fraction(0)) for x in range(observations)),) for shown in shows
    )
    return ExBmdp(Dynamics(table), Chain(((ONE,),)), (ONE,), laws, start)


def _moved_by(table: Table) -> tuple[tuple[Law, ...], ...]:
    return tuple(tuple(certain(to) for to in row) for row in table)


def _coin(*sides: int) -> Law:
    return law({side: Fraction(1, len(sides)) for side in sides})


_FLIP_OR_STAY: Final[Table] = ((1, 0), (0, 1))
"""Action 0 goes to the other state, action 1 stays."""


def _unreachable() -> Twins:
    """A third state leads to the others, and nothing leads to it. The run starts elsewhere."""
    coins = (_coin(0, 1), _coin(2, 3), _coin(4, 5))
    model = HiddenModel(certain(0), _moved_by((*_FLIP_OR_STAY, (0, 1))), coins)
    return Twins(
        "a part that is never reached",
        frozenset({Condition.CONNECTED}),
        Reading(model, (0, 1, 2), (0, 0, 0)),
        quiet_world(_FLIP_OR_STAY, 0, coins[:2], 6),
        classifiers_of(6, [{0, 1}, {2, 3}, {4, 5}]),
        max_states=3,
    )


def _fallen() -> Twins:
    """In state 2 the first action decides for ever between two parts of the world."""
    coins = (_coin(0, 1), _coin(2, 3), _coin(4, 5), _coin(6, 7))
    model = HiddenModel(certain(2), _moved_by((*_FLIP_OR_STAY, (0, 3), (3, 3))), coins)
    return Twins(
        "a fall at the first step",
        frozenset({Condition.CONNECTED}),
        Reading(model, (0, 1, 2, 3), (0, 0, 0, 0)),
        quiet_world(_FLIP_OR_STAY, 1, coins[:2], 8),
        classifiers_of(8, [{0, 1}, {2, 3}, {4, 5}, {6, 7}]),
        max_states=4,
    )


def _controlled() -> Twins:
    """Action 0 flips the state, action 1 flips the noise; F reads both. N is 2 · 2."""
    table = ((2, 1), (3, 0), (0, 3), (1, 2))
    coins = tuple(_coin(2 * h, 2 * h + 1) for h in range(4))
    each = [{0, 1}, {2, 3}, {4, 5}, {6, 7}]
    return Twins(
        "noise that actions move",
        frozenset({Condition.EXOGENOUS}),
        Reading(HiddenModel(certain(0), _moved_by(table), coins), (0, 0, 1, 1), (0, 1, 0, 1)),
        quiet_world(table, 0, coins, 8),
        classifiers_of(8, [each[0] | each[1], each[2] | each[3], *each]),
        max_states=4,
    )


def _slips() -> Twins:
    """A move ends in one of two states by chance, and both lead on alike; F tells all four apart.

    In the twin, which of the two it is belongs to the noise, which is drawn anew in each step.
    """
    moves = tuple(
        tuple(law({2 * to: HALF, 2 * to + 1: HALF}) for to in _FLIP_OR_STAY[h // 2])
        for h in range(4)
    )
    model = HiddenModel(_coin(0, 1), moves, tuple(certain(h) for h in range(4)))
    shown = tuple(
        tuple(tuple(Fraction(x == 2 * s + e) for x in range(4)) for e in range(2)) for s in range(2)
    )
    return Twins(
        "slips between states that behave alike",
        frozenset({Condition.DETERMINISTIC}),
        Reading(model, (0, 1, 2, 3), (0, 0, 0, 0)),
        ExBmdp(Dynamics(_FLIP_OR_STAY), Chain(((HALF, HALF),) * 2), (HALF, HALF), shown, 0),
        classifiers_of(4, [{0}, {1}, {2}, {3}, {0, 1}, {2, 3}]),
        max_states=4,
    )


def _alike() -> Twins:
    """States 1 and 2 show the same and lead to the same state. The twin has one in their place."""
    looks = (_coin(0, 1), _coin(2, 3))
    model = HiddenModel(certain(0), _moved_by(((1, 2), (0, 0), (0, 0))), (*looks, looks[1]))
    return Twins(
        "two states that are alike",
        frozenset({Condition.REALISABLE}),
        Reading(model, (0, 1, 2), (0, 0, 0)),
        quiet_world(((1, 1), (0, 0)), 0, looks, 4),
        classifiers_of(4, [{0, 1}, {2, 3}]),
        max_states=3,
    )


def _copies() -> Twins:
    """Six states on a ring show two looks in turn; N is 2 and D̂ is 1, as for the twin."""
    looks = (_coin(0, 1), _coin(2, 3))
    ring = HiddenModel(
        certain(0), _moved_by(tuple(((s + 1) % 6,) * 2 for s in range(6))), looks * 3
    )
    return Twins(
        "copies of states, more than N",
        frozenset(
            {
                Condition.REALISABLE,
                Condition.MAX_STATES,
                Condition.MAX_DIAMETER,
                Condition.CLASS_SIZE,
            }
        ),
        Reading(ring, tuple(range(6)), (0,) * 6),
        quiet_world(((1, 1), (0, 0)), 0, looks, 4),
        classifiers_of(4, [{0, 1}, {2, 3}]),
        max_states=2,
    )


def _out_of_sight() -> Twins:
    """Four states on a ring look different, but F tells even from odd ones only."""
    ring = HiddenModel(
        certain(0),
        _moved_by(tuple(((s + 1) % 4,) * 2 for s in range(4))),
        tuple(certain(s) for s in range(4)),
    )
    return Twins(
        "states that differ where F cannot see",
        frozenset({Condition.REALISABLE, Condition.CLASS_SIZE}),
        Reading(ring, tuple(range(4)), (0,) * 4),
        quiet_world(((1, 1), (0, 0)), 0, (certain(0), certain(1)), 4),
        classifiers_of(4, [{0, 2}, {1, 3}]),
        max_states=4,
        by_classifiers=True,
    )


def _constant() -> Twins:
    """M_3 with noise that never changes: the run sees one noise state only, as in M_1."""
    world = permuted_world(3, Fraction(1, 2))
    stays = hidden_model(world)
    moves = tuple(
        tuple(certain(to - to % 2 + h % 2) for ((to, _), *_) in row)
        for h, row in enumerate(stays.moves)
    )
    model = HiddenModel(certain(0), moves, stays.shows)
    right_on = [{x for x, owner in enumerate(world.encoder()) if owner == s} for s in range(3)]
    return Twins(
        "noise that never changes",
        frozenset({Condition.MIXING}),
        Reading(model, tuple(h // 2 for h in range(6)), tuple(h % 2 for h in range(6))),
        unchanged_world(3),
        classifiers_of(6, [{0, 3}, {1, 4}, {2, 5}, *right_on]),
        max_states=3,
    )


def _periodic() -> Twins:
    """The noise goes to and fro, and F reads it. N is 2 · 2: for the twin it is more state."""
    table = ((3, 1), (2, 0), (1, 3), (0, 2))
    shows = tuple(_coin(2 * h, 2 * h + 1) for h in range(4))
    each = [{0, 1}, {2, 3}, {4, 5}, {6, 7}]
    return Twins(
        "periodic noise that F can read",
        frozenset({Condition.MIXING}),
        Reading(HiddenModel(certain(0), _moved_by(table), shows), (0, 0, 1, 1), (0, 1, 0, 1)),
        quiet_world(table, 0, shows, 8),
        classifiers_of(8, [each[0] | each[1], each[2] | each[3], *each]),
        max_states=4,
    )


def _later() -> Twins:
    """After many steps the two actions change their meaning; the run is over before."""
    moves: list[tuple[Law, ...]] = []
    for h in range(2 * HORIZON + 2):
        time, s = divmod(h, 2)
        after = min(time + 1, HORIZON)
        flip, stay = certain(2 * after + 1 - s), certain(2 * after + s)
        moves.append((flip, stay) if time < HORIZON else (stay, flip))
    model = HiddenModel(certain(0), tuple(moves), (certain(0), certain(1)) * (HORIZON + 1))
    times = [h // 2 for h in range(len(model))]
    return Twins(
        "dynamics that change after the run",
        frozenset({Condition.UNCHANGING}),
        Reading(
            model,
            tuple(h % 2 for h in range(len(model))),
            (0,) * len(model),
            epoch=tuple(int(time == HORIZON) for time in times),
        ),
        quiet_world(_FLIP_OR_STAY, 0, (certain(0), certain(1)), 2),
        classifiers_of(2, [{0}, {1}]),
        max_states=2,
        steps=HORIZON,
    )


def _resets() -> Twins:
    """Action 1 ends the episode, and the next one begins in state 0: a transition to state 0."""
    table = ((1, 0), (2, 0), (0, 0))
    coins = (_coin(0, 1), _coin(2, 3), _coin(4, 5))
    model = HiddenModel(certain(0), _moved_by(table), coins)
    return Twins(
        "resets that a state and an action determine",
        frozenset({Condition.UNBROKEN}),
        Reading(model, (0, 1, 2), (0, 0, 0), resets=frozenset({1})),
        quiet_world(table, 0, coins, 6),
        classifiers_of(6, [{0, 1}, {2, 3}, {4, 5}]),
        max_states=3,
    )


_MADE: Final[tuple[Callable[[], Twins], ...]] = (
    _unreachable,
    _fallen,
    _controlled,
    _slips,
    _alike,
    _copies,
    _out_of_sight,
    _constant,
    _periodic,
    _later,
    _resets,
)
TWINS: Final = tuple(make() for make in _MADE)
