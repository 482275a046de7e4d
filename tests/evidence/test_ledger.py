"""Only the evidence room writes the ledger and opens what was observed."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Final

import pytest

from steel_verified.classes.finite import tables
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.checkpoint import KeptOracle, KeptWorld, Look, Passed
from steel_verified.evidence.entries import PeriodFound, Ran
from steel_verified.evidence.ledger import KEY, Ledger, appended, opened
from steel_verified.evidence.observed import find_period, reveal, run
from steel_verified.evidence.oracle import Summary
from steel_verified.evidence.plans import Plan
from steel_verified.evidence.sealed import (
    Loop,
    Observed,
    Pool,
    Sample,
    SealedError,
    Validation,
)
from steel_verified.learning.drive import Watch, drive
from steel_verified.theory.budget import Budget, Charge, period_charge
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.simulated import Asked, SimulatedWorld

from .small import ORACLE, RECIPE, looped, turning, two_samples

if TYPE_CHECKING:
    import numpy as np

    from steel_verified.learning.looped import State


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
            began = process_time()
            ledger = extended(ledger, 1)
            times.append(process_time() - began)
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
    lambda key: replace(LEDGER, key=key, length=2),
    lambda key: Loop(STEP, opened(RECIPE.parameters), 0, "", looped().trajectory, key=key),
    lambda key: Sample(0, (), opened(RECIPE.parameters), None, Observed(Summary()), key=key),
    lambda key: Pool(3, LEDGER, Observed(Summary()), key=key),
    lambda key: Validation(0, LEDGER, (0, 0), (2, 1), 3, (0, 1), key=key),
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


PRICE: Final = partial(period_charge, RECIPE.parameters)


# The programs are text, because the type checker would reject each of them.
USES = """
bool(x); not x; 1 if x else 2; x and 1; all([x]); len(x); iter(x); list(x); int(x); float(x);
complex(x); round(x); abs(x); hash(x); -x; ~x; x == 1; x != 1; 1 == x; x < 1; 1 < x; x >= 1; x == x;
x in [1]; 1 in x; [1][x]; x[0]; x(); {x}; {x: 1}; sorted([x, x]); max(x, 1); range(x); x + 1; 1 + x;
1 - x; x * 2; 2 ** x; x ** 2; divmod(x, 2); divmod(2, x); x @ x; x & 1; 1 | x; x << 1; sum([x]);
copy.copy(x); copy.deepcopy(x); copy.deepcopy([x]); pickle.dumps(x); pickle.dumps((1, x));
pickle.dumps(x, 0); x.__reduce__(); x.__reduce_ex__(2); x.__getstate__();
x._Observed__value; getattr(x, '_Observed__value')
""".replace("\n", " ").split(";")


@pytest.mark.parametrize("use", [use.strip() for use in USES])
def test_each_use_of_an_observed_value_raises_sealed_error(use: str) -> None:
    with pytest.raises(SealedError, match="depends on the noise"):
        eval(use, {"x": Observed(1), "copy": copy, "pickle": pickle})


def test_observed_value_is_immutable_and_hidden_in_its_repr() -> None:
    sealed = Observed(17)
    with pytest.raises(FrozenInstanceError):
        sealed.anything = 1  # type: ignore[attr-defined]  # this must not be possible
    assert "17" not in f"{sealed!r} {sealed} {sealed:}"
    assert not hasattr(sealed, "__dict__")


def test_imported_reveal_raises_outside_the_listed_modules() -> None:
    zeros, _, _ = two_samples()
    with pytest.raises(SealedError, match="test_ledger may not open"):
        reveal(zeros.summary)
    with pytest.raises(SealedError, match="may not open"):
        list(map(reveal, [zeros.summary]))


def test_watch_function_cannot_ask_the_oracle() -> None:
    def curious(state: State) -> None:
        if state.datasets:
            (sample, *_) = state.datasets[0].samples
            find_period(state.ledger, ORACLE, [(2, sample, sample)], PRICE)

    with pytest.raises(InvalidArgument, match="the newest ledger"):
        drive(RECIPE, turning(), ORACLE, [Watch(curious)])


OF_THREE = tables([[True, False, False], [False, True, False], [False, False, True]])
PLAN = Plan((0,), 3)
DATASETS = ((Progression(1),), (Progression(2),), (Progression(3),))


def new_world() -> SimulatedWorld[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Return a world whose observation is its state."""

    def observe(asked: object) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
        assert isinstance(asked, list)
        return [each.states for each in asked if isinstance(each, Asked)]

    return SimulatedWorld(Dynamics(((1,), (2,), (0,))), 0, observe)


def test_rows_packed_without_a_summary_are_stored_and_retraced() -> None:
    world, oracle = KeptWorld(new_world(), OF_THREE), KeptOracle(OF_THREE)
    first, second, third = world.run(PLAN).rows(*DATASETS)
    read = (
        oracle.summarise(first),
        oracle.pack(first),
        oracle.pack(second),
        oracle.summarise(third),
    )
    assert [len(look.packed) for look in oracle.looks] == [1, 1, 0]

    passed = Passed("run", 3, world.plans, tuple(oracle.looks))
    again, remembering = KeptWorld(new_world(), OF_THREE, passed), KeptOracle(OF_THREE, passed)
    one, two, three = again.run(PLAN).rows(*DATASETS)
    assert all(isinstance(look, Look) for look in (one, two, three))
    assert read == (
        remembering.summarise(one),
        remembering.pack(one),
        remembering.pack(two),
        remembering.summarise(three),
    )
    assert list(remembering.looks) == oracle.looks
    again.end()
    assert not again.is_retracing
