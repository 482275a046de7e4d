"""Appending to the ledger takes constant time, entries are immutable, and only the room writes."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from fractions import Fraction
from time import perf_counter

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import (
    PeriodFound,
    Ran,
)
from steel_verified.evidence.ledger import KEY, Ledger, appended, opened
from steel_verified.evidence.observed import Loop, Observed, Sample, run
from steel_verified.evidence.oracle import Summary
from steel_verified.evidence.plans import Plan
from steel_verified.theory.budget import Budget, Charge

from .small import RECIPE, looped, turning, two_samples

STEP = Plan((1,), 1)
LONG = 50_000


def extended(ledger: Ledger, entries: int) -> Ledger:
    """Return the ledger of the same run after `entries` more plans of one step."""
    world = turning(at=ledger.steps)
    for _ in range(entries):
        ledger = run(ledger, world, STEP).ledger
    return ledger


def test_appending_takes_constant_time_and_memory() -> None:
    """Times may differ by a factor of 20; copying all entries would take 400 kB of memory."""

    def cheapest(ledger: Ledger) -> tuple[Ledger, float, int]:
        times, sizes = [], []
        for _ in range(20):
            tracemalloc.start()
            ledger = extended(ledger, 1)
            sizes.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            began = perf_counter()
            ledger = extended(ledger, 1)
            times.append(perf_counter() - began)
        return ledger, min(times), min(sizes)

    ledger, early, small = cheapest(opened(RECIPE.parameters))
    ledger, late, large = cheapest(extended(ledger, LONG))
    assert len(ledger.entries) == 1 + LONG + 80
    assert late < 20 * early
    assert large < small + 10_000


def test_old_ledger_does_not_contain_later_entries() -> None:
    ledgers = [opened(RECIPE.parameters)]
    for _ in range(5):
        ledgers.append(extended(ledgers[-1], 1))
    whole = ledgers[-1].entries
    for n, ledger in enumerate(ledgers):
        assert ledger.entries == whole[: n + 1]
        assert (ledger.steps, ledger.runs) == (n, n)
        assert ledger == extended(opened(RECIPE.parameters), n)
        assert ledger != extended(opened(RECIPE.parameters), n + 1)


def test_only_the_newest_ledger_can_be_continued() -> None:
    """What was run, read and asked stays recorded: a trajectory allows no second attempt."""
    first = opened(RECIPE.parameters)
    second = extended(first, 1)
    with pytest.raises(InvalidArgument, match=r"1 of 2 entries: expected the newest ledger"):
        run(first, turning(), STEP)
    assert extended(second, 1).entries[:2] == second.entries
    assert len(first.entries) == 1


def test_ledgers_of_two_runs_are_independent() -> None:
    one, other = opened(RECIPE.parameters), opened(RECIPE.parameters)
    assert one == other
    assert hash(one) == hash(other)
    assert not one.is_of_same_run(other)
    longer = extended(one, 3)
    assert one.is_of_same_run(longer)
    assert len(other.entries) == 1
    assert longer != other


CHARGE = Charge(Fraction(1, 100), "tests", tests=1, samples=1)
FREE = Ran(0, (0,), 0, 1)
PAID = PeriodFound(0, (), 1, CHARGE.amount)
LEDGER = opened(RECIPE.parameters)
FORGED = [
    lambda key: appended(opened(RECIPE.parameters), FREE, key),
    lambda key: appended(opened(RECIPE.parameters), PAID, key, CHARGE),
    lambda key: replace(LEDGER, key=key),
    lambda key: replace(LEDGER, key=key, entry=FREE, earlier=LEDGER),
    lambda key: Loop(STEP, opened(RECIPE.parameters), 0, "", looped().trajectory, key=key),
    lambda key: Sample(0, (), opened(RECIPE.parameters), None, Observed(Summary()), key=key),
]


@pytest.mark.parametrize("forge", FORGED)
@pytest.mark.parametrize("key", [None, object(), "KEY", True], ids=["none", "new", "text", "true"])
def test_ledger_objects_cannot_be_made_without_the_key(forge: object, key: object) -> None:
    assert callable(forge)
    with pytest.raises(TypeError, match=r"cannot be made otherwise|comes from running a plan"):
        forge(key)


def test_a_decision_needs_its_charge() -> None:
    less = replace(CHARGE, amount=Fraction(0))
    for entry, charge in ((PAID, None), (PAID, less), (FREE, CHARGE)):
        with pytest.raises(InvalidArgument, match="that of the decision"):
            appended(opened(RECIPE.parameters), entry, KEY, charge)
    assert appended(opened(RECIPE.parameters), PAID, KEY, CHARGE).budget.spent == CHARGE.amount


def test_entries_cannot_be_changed_or_copied_with_changes() -> None:
    entry = looped().ledger.last_run
    assert entry is not None
    with pytest.raises(AttributeError):
        entry.steps = 7  # type: ignore[misc]  # this must not be possible
    zeros, _, ledger = two_samples()
    with pytest.raises((TypeError, ValueError), match="key"):
        replace(zeros, number=1)  # type: ignore[call-arg]  # wrong on purpose
    with pytest.raises((TypeError, ValueError), match="key"):
        replace(ledger, budget=Budget(Fraction(1, 2)))  # type: ignore[call-arg]  # wrong on purpose
