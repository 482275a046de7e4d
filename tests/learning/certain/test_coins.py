"""Coins accept a wrong model with the chance that is charged at most, if noise ignores actions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Coin
from steel_verified.evidence.ledger import OpenedCertain, opened, tossed
from steel_verified.learning import certain, coins
from steel_verified.learning.certain import Certain
from steel_verified.learning.coins import coins_needed, equal_words, toss
from steel_verified.learning.congruences import atoms, blocks
from steel_verified.learning.deciding import Decided, Quotients
from tests.learning.certain.worlds import Adversary, is_connected, is_right, tables
from tests.reaching import reach

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.learning.certain import Exploring
    from steel_verified.learning.coins import Side
    from tests.learning.certain.worlds import History

QUARTER = Fraction(1, 4)


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=Fraction(999, 1000)))
def test_number_of_coins_is_the_least_that_leaves_something(left: Fraction) -> None:
    needed = coins_needed(left)
    assert Fraction(1, 1 << needed) < left
    assert needed == 0 or Fraction(1, 1 << needed - 1) >= left


def led(table: Sequence[Sequence[int]], label: int, word: Sequence[int]) -> int:
    for action in word:
        label = table[label][action]
    return label


@given(tables(least=2, most=4, connected=True), st.data())
def test_words_are_the_shortest_of_equal_length_that_lead_to_a_pair(
    table: list[list[int]], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(table) - 1))
    atom = data.draw(st.sampled_from(atoms(table)))
    found = equal_words(table, start, atom)

    def leads_to_a_pair(length: int) -> bool:
        ends = {led(table, start, word) for word in product(range(len(table[0])), repeat=length)}
        return any(len(ends & set(block)) > 1 for block in blocks(atom))

    if found is None:
        assert not any(map(leads_to_a_pair, range(9)))
        return
    labels, words = found
    assert len(words[0]) == len(words[1])
    assert [led(table, start, word) for word in words] == list(labels)
    assert labels[0] != labels[1]
    assert atom[labels[0]] == atom[labels[1]]
    assert not any(map(leads_to_a_pair, range(len(words[0]))))


def test_coins_are_fair_and_depend_on_seed_and_steps_only() -> None:
    sides = [toss(seed, steps) for seed in range(100) for steps in range(100)]
    assert sides == [toss(seed, steps) for seed in range(100) for steps in range(100)]
    # Chance of a false alarm below 2·exp(−2·250²/10⁴) < 10⁻⁵, if the coins are fair.
    assert abs(sum(sides) - 5000) < 250


# --- noise that mimics a state --------------------------------------------------------------------


@dataclass(frozen=True)
class Mimicked:
    """A true table, and a bit besides the state that an action turns in some states.

    F has a classifier for each state, and one for each state and value of the bit.
    """

    table: list[list[int]]
    turns: tuple[tuple[bool, ...], ...]

    def world(self, bit: Callable[[History], bool]) -> Adversary:
        """The world with this bit as its noise."""

        def choose(history: History) -> int:
            return 1 << 2 * history[-1][0] + bit(history)

        return Adversary([list(row) for row in self.table], 2 * len(self.table), choose)

    def turned(self, history: History) -> bool:
        """The bit, if it is part of the state: then F classifies the finer states too."""
        lit, state = False, 0
        for to, action in history:
            lit ^= self.turns[state][action or 0]
            state = to
        return lit


@dataclass
class Sides:
    """Coins that fall as given; then on side 0, or as the noise says."""

    fallen: Sequence[Side]
    tossed: list[int] = field(default_factory=list)

    def __call__(self, _seed: int, steps: int) -> Side:
        self.tossed.append(steps)
        return self.fallen[len(self.tossed) - 1] if len(self.tossed) <= len(self.fallen) else 0


def ran(world: Adversary, method: Certain, most: int) -> Exploring:
    known = method.nothing()
    while known.steps < most and (word := method.next_word(known)) is not None:
        known = method.with_rows(known, word, [world.step(action) for action in word])
    return known


def is_accepted(known: Exploring, method: Certain) -> bool:
    return method.next_word(known) is None and known.decided_at is not None


def scripted_by(
    case: Mimicked, method: Certain, most: int, guess: Sequence[Side], patch: pytest.MonkeyPatch
) -> list[bool]:
    """The bit of noise at each step that mimics the state as long as the coins are as guessed."""
    patch.setattr(coins, "toss", Sides(guess))
    world = case.world(case.turned)
    ran(world, method, most)
    return [case.turned(world.history[: t + 1]) for t in range(len(world.history))]


def chance_of_a_wrong_model(
    case: Mimicked, script: Sequence[bool], method: Certain, most: int, patch: pytest.MonkeyPatch
) -> Fraction:
    """Exactly: every way in which the coins fall is tried."""

    def noise(history: History) -> bool:
        return bool(script) and script[(len(history) - 1) % len(script)]

    def wrong(fallen: list[Side]) -> Fraction:
        sides = Sides(fallen)
        patch.setattr(coins, "toss", sides)
        known = ran(case.world(noise), method, most)
        if len(sides.tossed) > len(fallen):
            return (wrong([*fallen, 0]) + wrong([*fallen, 1])) / 2
        if not is_accepted(known, method):
            return Fraction(0)
        match known.decision:
            case Decided(table=table) | Quotients(model=Decided(table=table)):
                return Fraction(len(table) != len(case.table))
            case _:
                return Fraction(0)

    return wrong([])


SWITCH = Mimicked([[1, 0], [0, 1]], ((False, False), (False, True)))
"""Action 0 changes the state, and action 1 turns the bit in state 1."""


def test_noise_that_guesses_all_coins_has_the_chance_that_is_charged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    method = Certain(6, 2, check_steps=5, delta=QUARTER)
    script = scripted_by(SWITCH, method, 80, [1, 0, 0], monkeypatch)
    assert chance_of_a_wrong_model(SWITCH, script, method, 80, monkeypatch) == Fraction(1, 8)
    # A coin that the noise knows: it is passed, whatever the model.
    monkeypatch.setattr(coins, "toss", Sides([1, 0, 0]))
    known = ran(SWITCH.world(lambda h: script[len(h) - 1]), method, 80)
    assert is_accepted(known, method)
    assert isinstance(known.decision, Quotients)


def test_atom_without_coins_lets_every_mimic_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    method = Certain(6, 2, check_steps=0, delta=QUARTER)
    with monkeypatch.context() as mistake:
        mistake.setattr(coins, "atoms", lambda _: ())
        script = scripted_by(SWITCH, method, 80, [], monkeypatch)
        assert chance_of_a_wrong_model(SWITCH, script, method, 80, monkeypatch) == 1


@st.composite
def mimics(draw: st.DrawFn) -> tuple[Mimicked, list[Side]]:
    table = draw(tables(least=2, most=3, actions=2, connected=True))
    bits = st.tuples(*[st.booleans() for _ in table[0]])
    turns = draw(st.tuples(*[bits for _ in table]))
    sides: list[Side] = [0, 1]
    guess = draw(st.lists(st.sampled_from(sides), min_size=3, max_size=6))
    return Mimicked(table, turns), guess


@settings(max_examples=25)
@given(mimics())
def test_no_exogenous_noise_has_a_greater_chance_than_delta(
    drawn: tuple[Mimicked, list[Side]],
) -> None:
    case, guess = drawn
    method = Certain(3 * len(case.table), len(case.table[0]), check_steps=2, delta=QUARTER)
    with pytest.MonkeyPatch.context() as patch:
        script = scripted_by(case, method, 60, guess, patch)
        assert chance_of_a_wrong_model(case, script, method, 60, patch) <= QUARTER


def test_mimics_that_pass_by_chance_are_drawn() -> None:
    def passes(drawn: tuple[Mimicked, list[Side]]) -> bool:
        case, guess = drawn
        method = Certain(3 * len(case.table), len(case.table[0]), check_steps=2, delta=QUARTER)
        with pytest.MonkeyPatch.context() as patch:
            script = scripted_by(case, method, 60, guess, patch)
            return chance_of_a_wrong_model(case, script, method, 60, patch) > 0

    reach(mimics(), passes)


# --- what coins decide, and what they do not ------------------------------------------------------


@settings(max_examples=25)
@given(mimics())
def test_true_finer_model_is_accepted_unless_only_a_clock_tells_it_apart(
    drawn: tuple[Mimicked, list[Side]],
) -> None:
    case, _ = drawn
    size = len(case.table)
    finer = [
        [2 * to + (lit ^ turn) for to, turn in zip(row, turns, strict=True)]
        for row, turns in zip(case.table, case.turns, strict=True)
        for lit in (0, 1)
    ]
    if not is_connected(finer):
        return
    method = Certain(3 * size, len(case.table[0]), check_steps=0, delta=QUARTER)
    world = case.world(case.turned)
    known = ran(world, method, 2000)
    clock = any(equal_words(finer, 0, atom) is None for atom in atoms(finer))
    assert clock == (not is_accepted(known, method))
    if not clock:
        decision = known.decision
        found = decision.model if isinstance(decision, Quotients) else decision
        assert isinstance(found, Decided)
        rows = [1 << s | 1 << size + 2 * s + case.turned(world.history[: t + 1])
                for t, s in enumerate(world.states)]  # fmt: skip
        states = [2 * s + case.turned(world.history[: t + 1]) for t, s in enumerate(world.states)]
        assert is_right(found, rows, states, finer)


def test_words_of_unequal_length_are_refused_before_they_are_run() -> None:
    ledger = opened(OpenedCertain(4, 2, delta=QUARTER))
    with pytest.raises(InvalidArgument, match="equal length"):
        tossed(ledger, Coin((0, 1), ((0,), (0, 1)), 0))


def test_decision_without_delta_never_asks_for_coins(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a run without delta asks for the finest cover")

    monkeypatch.setattr(certain, "quotients", never)
    known = ran(SWITCH.world(SWITCH.turned), Certain(6, 2), 100)
    assert known.trial is None
