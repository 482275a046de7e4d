"""Where steps slip: nothing is wrong within the bounds, and beyond them with chance δ at most."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from proofs_checks.checker import certain, slipping
from proofs_checks.checker.reading import Work
from steel_verified.learning.deciding import Decided
from steel_verified.learning.slipping import Impossible, Slipping
from steel_verified.learning.tallies import Tallies
from steel_verified.theory import slips
from steel_verified.theory.slips import Slips
from tests.learning.certain.worlds import is_right

from .slips import Slippery, drawn, explored, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from steel_verified.learning.knowledge import Bits
    from steel_verified.learning.slipping import Exploring

RATES = (Fraction(1, 100), Fraction(1, 20), Fraction(1, 5))


def method_of(seed: int) -> Callable[[int, int], Slipping]:
    rate = RATES[seed % len(RATES)]
    return lambda size, actions: Slipping(
        rate, size, actions, Fraction(1, 20), seed=seed, check_steps=20
    )


def faults(seeds: range, most: int = 110) -> Iterator[str]:
    """What goes wrong in adversarial worlds, with the method's own actions and with random ones."""
    for seed in seeds:
        for actions in (None, seed):
            world, method = drawn(seed, method_of(seed))
            known, rows = explored(world, method, most, seed=actions)
            if found := fault(world, known, rows):
                yield found


def test_nothing_is_wrong_whatever_an_adversary_chooses_within_the_bounds() -> None:
    assert not list(faults(range(36)))


def test_most_of_these_worlds_are_decided_in_spite_of_slips() -> None:
    """A method that never answers would pass the test above."""
    decided = slipped = 0
    for seed in range(0, 60, 3):
        world, method = drawn(seed, method_of(seed))
        known, _ = explored(world, method, 300)
        if isinstance(known.decision, Decided):
            decided += 1
            slipped += known.decision.slipped
    assert decided >= 8
    assert slipped > 0


def _one_slip_less(self: Slips, steps: int) -> int:
    return max(0, MOST(self, steps) - 1)


def _early_epoch(self: Slips, steps: int) -> int:
    return MOST(self, max(1, steps // 2))


def _short_lead(self: Slips, pairs: int) -> int:
    return max(1, LEAD(self, pairs) - 1)


def _no_third_state(self: Tallies, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> object:
    """As if an action at f had to lead to f or to g."""
    after, own = self.after[places], self.after[places, :, places][:, :, None]
    return (self.visits[places][:, :, None] - np.maximum(own, after)).sum(axis=1, dtype=np.int32)


def _always_leaves(self: Tallies, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> object:
    """As if every action left the state."""
    counts = np.where(self.apart[places][:, None, :], 0, self.after[places])
    counts[np.arange(len(places)), :, places] = 0
    return (self.visits[places] - counts.max(axis=2)).sum(axis=1)


def _missed_by_each(self: Tallies, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> object:
    """As if the most frequent next classifier had to be the usual one of each row before."""
    return MISSES(self, places) + (self.visits[places] > 0).sum(axis=1)


def _counted_only(
    self: Tallies, before: Bits, action: int | None, row: Bits, most: int, lead: int
) -> Tallies:
    """As if a next state that was seen often were decided, however often others were."""
    known = TOLD(self, before, action, row, most, lead)
    known.led[:] = known.after >= lead
    return known


MOST, LEAD, MISSES, TOLD = Slips.most, Slips.lead, Tallies.misses, Tallies.with_row
MISTAKES = {
    "a slip less than k": (Slips, "most", _one_slip_less),
    "the k of half as many steps": (Slips, "most", _early_epoch),
    "a lead of L − 1": (Slips, "lead", _short_lead),
    "no third state": (Tallies, "_elsewhere", _no_third_state),
    "no action that stays": (Tallies, "misses", _always_leaves),
    "one miss more for each action": (Tallies, "misses", _missed_by_each),
    "counts instead of leads": (Tallies, "with_row", _counted_only),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_planted_mistake_is_found_by_the_adversary(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, attribute, mistake = MISTAKES[name]
    worlds = [drawn(seed, method_of(seed)) for seed in range(120)]
    monkeypatch.setattr(owner, attribute, mistake)
    found = (
        fault(world, *explored(world, method, 200, seed=seed if seed % 2 else None))
        for seed, (world, method) in enumerate(worlds)
    )
    assert any(found)


# --- all adversaries, exactly


def worst(method: Slipping, table: list[list[int]], bit: Callable[[int, int], int]) -> Fraction:
    """The largest chance of a wrong answer in the first steps that any adversary can have.

    He sees all that happened, and lets each step slip to any state with chance p or never. One more
    classifier shows a bit of the state and the time.
    """
    size, most = len(table), 11 - len(table)

    def row(state: int, time: int) -> Bits:
        return 1 << state | bit(state, time) << size

    def value(known: Exploring, states: tuple[int, ...]) -> Fraction:
        if isinstance(known.decision, Decided):
            rows = [row(state, time) for time, state in enumerate(states)]
            right = is_right(known.decision, rows, states, table)
            return Fraction(not (right and len(known.decision.table) == size))
        if isinstance(known.decision, Impossible) or len(states) > most:
            return Fraction(0)
        word = method.next_word(known)
        assert word is not None
        (action,) = word

        def after(to: int) -> Fraction:
            seen = method.with_rows(known, word, (row(to, len(states)),))
            return value(seen, (*states, to))

        usual = table[states[-1]][action]
        slips = max(after(to) for to in range(size) if to != usual)
        stays = after(usual)
        return max(stays, (1 - method.rate) * stays + method.rate * slips)

    begun = method.with_rows(method.nothing(), (0,), (row(0, 0),))
    return value(begun, (0,))


TINY = {
    "one action": ([[1], [0]], lambda _state, _time: 0, 2),
    "two actions": ([[1, 0], [0, 1]], lambda _state, _time: 0, 2),
    "slow noise": ([[1], [0]], lambda _state, time: time // 2 % 2, 3),
    "a ring": ([[1], [2], [0]], lambda _state, _time: 0, 3),
}


@pytest.fixture
def short_epochs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Epochs that end at steps 4, 8, 16, …, so that few steps can break the bound on slips."""
    monkeypatch.setattr(slips, "FIRST_EPOCH", 4)
    slips.most_in_epoch.cache_clear()
    yield
    slips.most_in_epoch.cache_clear()


@pytest.mark.usefixtures("short_epochs")
@pytest.mark.parametrize("name", TINY)
def test_every_adversary_makes_the_answer_wrong_with_chance_delta_at_most(name: str) -> None:
    table, bit, size = TINY[name]
    delta = Fraction(1, 4)
    method = Slipping(Fraction(1, 5), size, len(table[0]), delta, check_steps=0, guess=1.0)
    assert worst(method, table, bit) <= delta


def test_half_of_delta_pays_for_leads_and_a_shorter_lead_costs_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any number of steps may have slipped here, so only a wrong lead makes an answer wrong."""
    monkeypatch.setattr(Slips, "most", lambda _self, steps: steps)
    table, bit, size = TINY["two actions"]
    method = Slipping(Fraction(1, 5), size, 2, Fraction(1, 2), check_steps=0, guess=1.0)
    assert method.slips.lead(4) == 2
    assert 0 < worst(method, table, bit) <= method.delta / 2
    monkeypatch.setattr(Slips, "lead", _short_lead)
    assert worst(method, table, bit) > method.delta / 2


# --- the checker counts by itself


@pytest.mark.parametrize("seed", range(24))
def test_the_checker_refutes_what_the_learner_refutes(seed: int) -> None:
    """Both apply the same rules, one step by step, the other at the ends of the epochs."""
    world, method = drawn(seed, method_of(seed))
    known, rows = explored(world, method, 60 + 9 * seed, seed=seed)
    path = certain.Trajectory(tuple(rows), tuple(world.actions[1:]))
    record = certain.Record(method.classifiers, method.actions, True, (path,), ())  # noqa: FBT003
    counts = slipping.Counts(record, method.rate, method.delta, Work.of_file(0))
    assert counts.most[-1] == method.slips.most(known.steps)
    assert counts.lead(known.steps + 99) == method.slips.lead(method.classifiers * method.actions)
    left = {counts.columns[number] for number in known.tallies.left.tolist()}
    assert set(counts.left()) == left


# --- what rows cannot tell


def test_a_clock_that_slips_may_be_the_state_so_such_a_run_stays_open() -> None:
    """One process, two worlds: a switch beside noise that is a clock and sometimes stops; or a
    clock whose steps slip, beside noise that obeys the actions. F has the classifiers of both."""
    random = np.random.default_rng(0)
    switch = clock = 0
    method = Slipping(Fraction(1, 20), 5, 2, check_steps=0)
    known = method.nothing()
    while known.steps < 400:
        word = method.next_word(known)
        assert word is not None
        switch ^= word[0]
        clock = (clock + (random.random() >= 1 / 20)) % 3
        known = method.with_rows(known, word, (1 << switch | 1 << 2 + clock,))
    assert not known.tallies.out
    assert not isinstance(known.decision, Decided | Impossible)


def test_one_label_is_no_answer_since_there_are_two_states() -> None:
    method = Slipping(Fraction(1, 1000), 1, 3, check_steps=0)
    known = method.nothing()
    while (word := method.next_word(known)) is not None:
        known = method.with_rows(known, word, (1,) * len(word))
    assert isinstance(known.decision, Impossible)
    assert "two states" in known.decision.because


@pytest.mark.parametrize(("visits", "expected"), [(False, Decided), (True, Impossible)])
def test_a_state_that_only_slips_enter(visits: bool, expected: type) -> None:  # noqa: FBT001
    """Usual steps do not lead to state 2, so it may be missed; if it is seen, this is noticed."""
    table = [[1, 0], [0, 1], [0, 1]]
    method = Slipping(Fraction(1, 20), 3, 2, check_steps=0)
    aim = 2 if visits else 0
    world = Slippery(
        table,
        lambda _: 0,
        lambda world, _: aim if len(world.states) in (2, 4, 6, 8) else None,
        method.slips.most,
        method.slips.lead(6),
    )
    known, _ = explored(world, method, 200)
    assert isinstance(known.decision, expected)
    if isinstance(known.decision, Decided):
        assert known.decision.table == ((1, 0), (0, 1))
