"""Ways in which the noise could decide by accident; each one is stopped.

Each of them once passed the type checker and ran. Those that the type checker now rejects are
programs in `tests/typing/reject`; the tests here show what happens if they run nevertheless.
"""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

import pytest

from proofs_checks.checker.looped import check
from proofs_checks.checker.looped import read as read_certificate
from steel_verified.classes.finite import Marks
from steel_verified.errors import BrokenWorld, InvalidArgument, TooClose
from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.evidence.entries import Read
from steel_verified.evidence.ledger import opened
from steel_verified.evidence.observed import Observed, SealedError, find_period, read, reveal, run
from steel_verified.evidence.oracle import Searched, of_kind
from steel_verified.evidence.plans import Plan
from steel_verified.learning import looped as learner
from steel_verified.learning.drive import Watch, checked_run, drive
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted
from steel_verified.theory import schedules
from steel_verified.theory.budget import period_charge
from steel_verified.theory.progressions import Progression
from steel_verified.theory.schedules import SeparatedTimes

from .small import EVERY_TENTH, ORACLE, RECIPE, looped, turning, two_samples

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Summary
    from steel_verified.learning.looped import State
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.schedules import PositionTimes


PRICE: Final = partial(period_charge, RECIPE.parameters)


def rules_broken(learned: Accepted) -> set[str]:
    """Return the rules by which the checker rejects the certificate of a run."""
    result = learned.model.table, learned.current, learned.classifiers
    data = certificate(learned.ledger, None, *result, provenance("turning", 0, 0))
    findings = check(read_certificate(data))
    return {finding.rule for finding in findings}


def test_checker_accepts_a_correct_run() -> None:
    assert rules_broken(accepted(checked_run(turning(), ORACLE, RECIPE))) == set()


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


def test_private_attribute_of_an_observed_value_cannot_be_read() -> None:
    zeros, _, _ = two_samples()
    for name in ("_Observed__value", "__value", "_value", "value"):
        with pytest.raises((SealedError, AttributeError)):
            getattr(zeros.summary, name)
    with pytest.raises((TypeError, SealedError)):
        vars(zeros.summary)


def test_observed_values_cannot_be_pickled() -> None:
    zeros, ones, _ = two_samples()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(SealedError):
            pickle.dumps(zeros.summary, protocol)
        with pytest.raises(TypeError):  # a ledger cannot be pickled either
            pickle.dumps([ones], protocol)
    with pytest.raises(SealedError):
        asdict(ones)


def test_reduce_of_an_observed_value_raises() -> None:
    for observed in (two_samples()[0].summary, looped().trajectory, Observed(3)):
        with pytest.raises(SealedError):
            observed.__reduce__()
        with pytest.raises(SealedError):
            observed.__reduce_ex__(4)
        with pytest.raises(SealedError):
            observed.__getstate__()


def test_imported_reveal_raises_outside_the_listed_modules() -> None:
    zeros, _, _ = two_samples()
    with pytest.raises(SealedError, match="test_seal may not open"):
        reveal(zeros.summary)
    with pytest.raises(SealedError, match="may not open"):
        list(map(reveal, [zeros.summary]))


@dataclass
class Remembering:
    """A search that stores the datasets it was given."""

    seen: list[Marks] = field(default_factory=list)

    def __call__(self, zeros: Summary, ones: Summary) -> int | None:
        self.seen.extend(of_kind(Marks, ones))
        return ORACLE.separating(zeros, ones)


def test_plan_changed_by_the_oracles_memory_is_rejected_by_the_checker() -> None:
    """An oracle may store what it saw; a learner that uses it leaves a different record."""
    memory, states = Remembering(), list["State"]()
    result = drive(RECIPE, turning(), Searched(ORACLE, memory), [Watch(states.append)])
    assert memory.seen
    assert result.ledger == checked_run(turning(), ORACLE, RECIPE).ledger
    oracle = Searched(ORACLE, memory)
    world = turning()
    state: State = RECIPE.begin()
    plan = RECIPE.next_plan(state)
    assert isinstance(plan, Plan)
    longer = replace(plan, steps=plan.steps + memory.seen[-1].some)
    state = RECIPE.absorb(state, run(state.ledger, world, longer), oracle)
    while isinstance(plan := RECIPE.next_plan(state), Plan):
        state = RECIPE.absorb(state, run(state.ledger, world, plan), oracle)
    assert isinstance(plan, Accepted)
    assert "plans" in rules_broken(plan)


def test_watch_function_cannot_ask_the_oracle() -> None:
    def curious(state: State) -> None:
        if state.datasets:
            (sample, *_) = state.datasets[0].samples
            find_period(state.ledger, ORACLE, [(2, sample, sample)], PRICE)

    with pytest.raises(InvalidArgument, match="the newest ledger"):
        drive(RECIPE, turning(), ORACLE, [Watch(curious)])


def test_second_attempt_on_one_trajectory_is_refused() -> None:
    """The cheat: read other times of the same loop, and keep the better answer."""
    loop = looped()
    times = ((EVERY_TENTH,), (EVERY_TENTH.shifted(1),))
    (zeros, ones), ledger = read(loop.ledger, loop, ORACLE, times)
    find_period(ledger, ORACLE, [(2, zeros, zeros)], PRICE)
    with pytest.raises(InvalidArgument, match="the newest ledger"):
        read(loop.ledger, loop, ORACLE, times)
    with pytest.raises(InvalidArgument, match="the newest ledger"):
        find_period(ledger, ORACLE, [(2, zeros, ones)], PRICE)


def test_second_attempt_in_the_same_world_is_refused() -> None:
    world = turning()
    checked_run(world, ORACLE, RECIPE)
    with pytest.raises(BrokenWorld, match="give each run a new world"):
        checked_run(world, ORACLE, RECIPE)


def test_times_chosen_by_the_noise_are_rejected_by_the_checker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reason is checked: the ledger counts decisions, and the checker compares times."""
    memory = Remembering()

    def chosen(p: Parameters, word_length: int, period: int) -> tuple[PositionTimes, ...]:
        right = schedules.position_times(p, word_length, period)
        left_out = memory.seen[-1].some % 2
        (level,) = right[0].late.levels
        fewer = (replace(level, count=level.count - left_out),)
        return tuple(replace(p, late=replace(p.late, levels=fewer)) for p in right)

    monkeypatch.setattr(learner, "position_times", chosen)
    learned = accepted(checked_run(turning(), Searched(ORACLE, memory), RECIPE))
    assert "times" in rules_broken(learned)
    after = [entry.after for entry in learned.ledger.entries if isinstance(entry, Read)]
    assert after == sorted(after)
    assert after[-1] == learned.ledger.decisions - 1


def test_times_that_are_too_close_are_refused_for_any_reason() -> None:
    with pytest.raises(TooClose):
        SeparatedTimes(pieces=(Progression(1), Progression(2)), apart=2)


def test_dropped_rows_raise_broken_world() -> None:
    """Neither the world nor code between it and the learner can drop a row undetected."""
    world = turning()
    right = world.run

    def dropping(plan: Plan) -> object:
        trajectory = right(plan)
        return replace(trajectory, observe=lambda asked: [states[1:] for _, states in asked])

    world.run = dropping  # type: ignore[method-assign,assignment]  # wrong on purpose
    with pytest.raises(BrokenWorld, match=r"gave \d+ rows? for \d+ times?"):
        checked_run(world, ORACLE, RECIPE)


def test_plan_that_is_run_twice_is_refused_or_rejected() -> None:
    """If it is recorded once, it is refused; if twice, the checker rejects the record."""
    ledger, world = opened(RECIPE.parameters), turning()
    run(ledger, world, Plan((0,), 7))
    with pytest.raises(BrokenWorld, match="reports 7 steps, but 0"):
        run(ledger, world, Plan((0,), 7))
    world = turning()
    state: State = RECIPE.begin()
    while isinstance(plan := RECIPE.next_plan(state), Plan):
        loop = run(state.ledger, world, plan)
        if loop.ledger.runs == 1:
            loop = run(loop.ledger, world, plan)
        state = RECIPE.absorb(state, loop, ORACLE)
    assert isinstance(plan, Accepted)
    assert rules_broken(plan) == {"order"}


def test_negative_charge_is_refused_and_not_recorded() -> None:
    zeros, ones, ledger = two_samples()
    with pytest.raises(InvalidArgument, match=r"charge\.amount"):
        find_period(
            ledger,
            ORACLE,
            [(2, zeros, ones)],
            lambda tests: replace(PRICE(tests), amount=Fraction(-1, 100)),
        )
    assert len(ledger.entries) == 3


def test_run_with_other_parameters_than_recorded_is_rejected() -> None:
    """One argument has both; a learner that exchanges it during the run leaves another record."""
    fewer = Looped(replace(RECIPE.parameters, class_size=1))
    with pytest.raises(InvalidArgument, match="class_size = 1: expected at least 2"):
        checked_run(turning(), ORACLE, fewer)
    hasty = Looped(replace(RECIPE.parameters, mixing_time=1))
    world = turning()
    state: State = replace(RECIPE.begin(), method=hasty)
    while isinstance(plan := RECIPE.next_plan(state), Plan):
        state = RECIPE.absorb(state, run(state.ledger, world, plan), ORACLE)
    assert isinstance(plan, Accepted)
    assert "plans" in rules_broken(plan)
