"""Ways to let the noise decide by accident, each of which is stopped.

They once passed the type checker and ran. Those that the type checker stops by now are programs in
`tests/typing/reject`; here is what happens when they run all the same.
"""

from __future__ import annotations

import pickle
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

import pytest

from proofs_checks.checker.looped.reading import read as read_certificate
from proofs_checks.checker.looped.rules import check
from steel_verified.errors import BrokenWorld, InvalidArgument, TooClose
from steel_verified.evidence.asking import find_period
from steel_verified.evidence.certificate import certificate, certificate_as_bytes, provenance
from steel_verified.evidence.ledger import Read, opened
from steel_verified.evidence.omega import Observed, SealedError, reveal
from steel_verified.evidence.oracle import Searched
from steel_verified.evidence.plans import Plan
from steel_verified.evidence.recording import read, run
from steel_verified.learning import cycle_find, steel
from steel_verified.learning.results import Accepted, Contradicted, accepted
from steel_verified.theory import schedules
from steel_verified.theory.budget import period_charge
from steel_verified.theory.conditions import Condition
from steel_verified.theory.progressions import Progression
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, SeparatedTimes
from steel_verified.worlds.driver import learn_looped

from .small import EVERY_TENTH, ORACLE, RECIPE, looped, turning, two_samples

if TYPE_CHECKING:
    from steel_verified.classes.finite import Marks
    from steel_verified.learning.steel import State
    from steel_verified.theory.recipe import Recipe
    from steel_verified.theory.schedules import PositionTimes, WhyFixed


PRICE: Final = partial(period_charge, RECIPE)


def rules_broken(learned: Accepted[int]) -> set[str]:
    """The rules by which the checker rejects the certificate of a run."""
    written = certificate(
        learned.ledger,
        learned.model.table,
        learned.current,
        learned.classifiers,
        provenance("turning", 0, 0),
    )
    findings = check(read_certificate(certificate_as_bytes(written)))
    return {finding.rule for finding in findings}


def test_a_right_run_breaks_no_rule() -> None:
    assert rules_broken(accepted(learn_looped(turning(), ORACLE, RECIPE))) == set()


def test_reading_the_private_attribute() -> None:
    zeros, _, _ = two_samples()
    for name in ("_Observed__value", "__value", "_value", "value"):
        with pytest.raises((SealedError, AttributeError)):
            getattr(zeros.summary, name)
    with pytest.raises((TypeError, SealedError)):
        vars(zeros.summary)


def test_comparing_pickles() -> None:
    zeros, ones, _ = two_samples()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(SealedError):
            pickle.dumps(zeros.summary, protocol)
        with pytest.raises(SealedError):
            pickle.dumps([ones], protocol)
    with pytest.raises(SealedError):
        asdict(ones)


def test_taking_it_apart_with_reduce() -> None:
    for observed in (two_samples()[0].summary, looped().trajectory, Observed(3)):
        with pytest.raises(SealedError):
            observed.__reduce__()
        with pytest.raises(SealedError):
            observed.__reduce_ex__(4)
        with pytest.raises(SealedError):
            observed.__getstate__()


def test_importing_reveal() -> None:
    zeros, _, _ = two_samples()
    with pytest.raises(SealedError, match="test_seal may not open"):
        reveal(zeros.summary)
    with pytest.raises(SealedError, match="may not open"):
        list(map(reveal, [zeros.summary]))


@dataclass
class Remembering:
    """A search that remembers what it was shown."""

    seen: list[Marks] = field(default_factory=list)

    def __call__(self, zeros: Marks, ones: Marks) -> int | None:
        self.seen.append(ones)
        return ORACLE.separating(zeros, ones)


def test_an_oracle_with_a_memory_cannot_change_the_record() -> None:
    """A memory is the oracle's own affair; whoever acts on it leaves another record."""
    memory, states = Remembering(), list["State[Marks, int]"]()
    result = learn_looped(turning(), Searched(ORACLE, memory), RECIPE, watch=states.append)
    assert memory.seen
    assert result.ledger == learn_looped(turning(), ORACLE, RECIPE).ledger
    oracle = Searched(ORACLE, memory)
    world = turning()
    state: State[Marks, int] = steel.begin(RECIPE)
    plan = steel.next_plan(state)
    assert isinstance(plan, Plan)
    longer = replace(plan, steps=plan.steps + memory.seen[-1].some)
    state = steel.absorb(state, run(state.ledger, world, longer), oracle)
    while isinstance(plan := steel.next_plan(state), Plan):
        state = steel.absorb(state, run(state.ledger, world, plan), oracle)
    assert isinstance(plan, Accepted)
    assert "plans" in rules_broken(plan)


def test_what_watches_a_run_cannot_ask_on_its_own() -> None:
    def curious(state: State[Marks, int]) -> None:
        if state.datasets:
            (sample, *_) = state.datasets[0].samples
            find_period(state.ledger, ORACLE, [(2, sample, sample)], PRICE)

    with pytest.raises(InvalidArgument, match="the newest ledger"):
        learn_looped(turning(), ORACLE, RECIPE, watch=curious)


def test_retrying_on_one_trajectory() -> None:
    """Other times of the same loop are read, and the better answer is kept."""
    loop = looped()
    times = ((EVERY_TENTH,), (EVERY_TENTH.shifted(1),))
    (zeros, ones), ledger = read(loop.ledger, loop, ORACLE, times)
    find_period(ledger, ORACLE, [(2, zeros, zeros)], PRICE)
    with pytest.raises(InvalidArgument, match="the newest ledger"):
        read(loop.ledger, loop, ORACLE, times)
    with pytest.raises(InvalidArgument, match="the newest ledger"):
        find_period(ledger, ORACLE, [(2, zeros, ones)], PRICE)


def test_retrying_in_the_same_world() -> None:
    world = turning()
    learn_looped(world, ORACLE, RECIPE)
    with pytest.raises(BrokenWorld, match="give each run a new world"):
        learn_looped(world, ORACLE, RECIPE)


def test_times_chosen_by_the_noise_with_a_false_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is not taken on trust: the ledger counts the decisions, the checker the times."""
    memory = Remembering()

    def chosen(
        recipe: Recipe, word_length: int, period: int, because: WhyFixed
    ) -> tuple[PositionTimes, ...]:
        del because
        right = schedules.position_times(recipe, word_length, period, FixedByParameters())
        left_out = memory.seen[-1].some % 2
        (level,) = right[0].late.levels
        fewer = (replace(level, count=level.count - left_out),)
        return tuple(replace(p, late=replace(p.late, levels=fewer)) for p in right)

    monkeypatch.setattr(cycle_find, "position_times", chosen)
    learned = accepted(learn_looped(turning(), Searched(ORACLE, memory), RECIPE))
    assert "times" in rules_broken(learned)
    after = [entry.after for entry in learned.ledger.entries if isinstance(entry, Read)]
    assert after == sorted(after)
    assert after[-1] == learned.ledger.decisions - 1


def test_a_reason_is_no_license_for_times_that_are_too_close() -> None:
    with pytest.raises(TooClose):
        SeparatedTimes(
            pieces=(Progression(1), Progression(2)), apart=2, because=FixedByParameters()
        )


def test_dropping_rows() -> None:
    """Neither the world nor anything between it and the learner can drop a row unnoticed."""
    world = turning()
    right = world.run

    def dropping(plan: Plan) -> object:
        trajectory = right(plan)
        return replace(trajectory, observe=lambda asked: [states[1:] for _, states in asked])

    world.run = dropping  # type: ignore[method-assign,assignment]  # wrong on purpose
    with pytest.raises(BrokenWorld, match=r"gave \d+ rows? for \d+ times?"):
        learn_looped(world, ORACLE, RECIPE)


def test_running_a_plan_twice() -> None:
    """Written once, it is refused; written twice, the record contradicts what was found."""
    ledger, world = opened(RECIPE), turning()
    run(ledger, world, Plan((0,), 7))
    with pytest.raises(BrokenWorld, match="reports 7 steps, but 0"):
        run(ledger, world, Plan((0,), 7))
    world = turning()
    state: State[Marks, int] = steel.begin(RECIPE)
    while isinstance(plan := steel.next_plan(state), Plan):
        loop = run(state.ledger, world, plan)
        if loop.ledger.runs == 1:
            loop = run(loop.ledger, world, plan)
        state = steel.absorb(state, loop, ORACLE)
    assert isinstance(plan, Contradicted)
    assert plan.causes[0].condition is Condition.DETERMINISTIC


def test_charging_a_negative_amount() -> None:
    zeros, ones, ledger = two_samples()
    with pytest.raises(InvalidArgument, match=r"charge\.amount"):
        find_period(
            ledger,
            ORACLE,
            [(2, zeros, ones)],
            lambda tests: replace(PRICE(tests), amount=Fraction(-1, 100)),
        )
    assert len(ledger.entries) == 3


def test_a_recipe_for_other_parameters_than_those_checked() -> None:
    """There is one argument for both; whoever exchanges it on the way leaves another record."""
    fewer = paper(replace(RECIPE.parameters, class_size=1))
    with pytest.raises(InvalidArgument, match="class_size = 1: expected at least 2"):
        learn_looped(turning(), ORACLE, fewer)
    hasty = paper(replace(RECIPE.parameters, mixing_time=1))
    world = turning()
    state: State[Marks, int] = replace(steel.begin(RECIPE), recipe=hasty)
    while isinstance(plan := steel.next_plan(state), Plan):
        state = steel.absorb(state, run(state.ledger, world, plan), ORACLE)
    assert isinstance(plan, Accepted)
    assert "plans" in rules_broken(plan)
