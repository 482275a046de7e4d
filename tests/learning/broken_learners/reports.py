"""Learners that train, charge, report or declare something else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.observed import train
from steel_verified.learning import looped
from steel_verified.learning.looped import Cycle, Looped
from steel_verified.theory import budget

from ..broken import Broken, listed_in
from .attempts import PARAMETERS, Attempt, with_other_constants

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Sample
    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.learning.looped import State
    from steel_verified.learning.results import Accepted
    from steel_verified.theory.budget import Charge
    from steel_verified.theory.parameters import Parameters

    Train = Callable[
        [Ledger, Class[BitRows], Sequence[Sequence[Sample]], Charge],
        tuple[tuple[Classifier, ...], Ledger],
    ]


BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


def training_on(
    some: Callable[[Sequence[Sample]], Sequence[Sample]],
) -> Train:
    def changed(
        ledger: Ledger,
        oracle: Class[BitRows],
        datasets: Sequence[Sequence[Sample]],
        charge: Charge,
    ) -> tuple[tuple[Classifier, ...], Ledger]:
        return train(ledger, oracle, [some(samples) for samples in datasets], charge)

    return changed


@broken("comparisons")
def training_on_the_tour_alone(at: Attempt) -> None:
    at.patch.setattr(looped, "train", training_on(lambda samples: samples[1:]))


@broken("comparisons")
def training_on_phase_1_alone(at: Attempt) -> None:
    at.patch.setattr(looped, "train", training_on(lambda samples: samples[:1]))


@broken("InvalidArgument")
def classifiers_exchanged(at: Attempt) -> None:
    def exchanged(learned: Accepted) -> Accepted:
        assert learned.classifiers is not None
        first, second, *others = learned.classifiers
        return replace(learned, classifiers=(second, first, *others))

    at.reported = exchanged


@broken("InvalidArgument")
def an_encoder_left_out(at: Attempt) -> None:
    at.reported = lambda learned: replace(learned, classifiers=None)


def charging(amount: Callable[[Fraction], Fraction]) -> Callable[[Parameters, int], Charge]:
    def changed(p: Parameters, tests: int) -> Charge:
        charge = budget.period_charge(p, tests)
        return replace(charge, amount=amount(charge.amount))

    return changed


@broken("charges")
def period_tests_not_charged(at: Attempt) -> None:
    at.patch.setattr(looped, "period_charge", charging(lambda _: Fraction(0)))


@broken("InvalidArgument")
def period_tests_charged_negatively(at: Attempt) -> None:
    at.patch.setattr(looped, "period_charge", charging(lambda amount: -amount))


@broken("charges")
def period_tests_charged_by_half(at: Attempt) -> None:
    at.patch.setattr(looped, "period_charge", charging(lambda amount: amount / 2))


@broken("Overspent")
def period_tests_charged_too_much(at: Attempt) -> None:
    at.patch.setattr(looped, "period_charge", charging(lambda _: Fraction(1, 10)))


@broken("charges")
def labels_charged_as_one_test(at: Attempt) -> None:
    def one(p: Parameters, tests: int) -> Charge:
        return budget.position_charge(p, min(tests, 1))

    at.patch.setattr(looped, "position_charge", one)


@broken("charges")
def an_encoder_for_free(at: Attempt) -> None:
    def free(p: Parameters, states: int) -> Charge:
        return replace(budget.encoder_charge(p, states), amount=Fraction(0))

    at.patch.setattr(looped, "encoder_charge", free)


def with_table(learned: Accepted, change: Callable[[list[list[int | None]]], None]) -> Accepted:
    table = [list(row) for row in learned.model.table]
    change(table)
    return replace(learned, model=replace(learned.model, table=tuple(map(tuple, table))))


@broken("table")
def a_transition_changed_in_the_table(at: Attempt) -> None:
    def wrong(table: list[list[int | None]]) -> None:
        table[1][1] = 1

    at.reported = lambda learned: with_table(learned, wrong)


@broken("table")
def two_states_exchanged_in_the_table(at: Attempt) -> None:
    at.reported = lambda learned: with_table(learned, lambda table: table.reverse())


@broken("current")
def another_current_state(at: Attempt) -> None:
    at.reported = lambda learned: replace(learned, current=(learned.current + 1) % 3)


@broken("tour")
def the_state_lost_after_each_call(at: Attempt) -> None:
    """The learner assumes that it is one position further, where no observation contradicts it."""
    at.patch.setattr(Cycle, "current", property(lambda c: c.labels[(c.steps + 1) % len(c.labels)]))


@broken("plans")
def a_smaller_rate_in_the_name_of_the_paper(at: Attempt) -> None:
    with_other_constants(at.patch, SEPARATION_RATE=Fraction(1, 2))


@broken("plans")
def a_smaller_encoder_factor_in_the_name_of_the_paper(at: Attempt) -> None:
    with_other_constants(at.patch, ENCODER_FACTOR=1)


@broken("plans")
def a_larger_encoder_rate_in_the_name_of_the_paper(at: Attempt) -> None:
    with_other_constants(at.patch, ENCODER_RATE=Fraction(1))


def working_with(at: Attempt, **other: int | Fraction) -> None:
    """Declare some parameters, and use others."""
    right = Looped.begin
    used: Parameters = replace(PARAMETERS, **other)  # type: ignore[arg-type]  # a value of its field's type

    def begin(method: Looped, ledger: Ledger | None = None) -> State:
        state: State = right(method, ledger)
        return replace(state, method=replace(method, parameters=used))

    at.patch.setattr(Looped, "begin", begin)


@broken("Overspent")
def a_larger_delta_than_stated(at: Attempt) -> None:
    working_with(at, delta=Fraction(1, 2))


@broken("plans")
def a_larger_epsilon_than_stated(at: Attempt) -> None:
    working_with(at, epsilon=Fraction(1, 10))


@broken("plans")
def a_shorter_mixing_time_than_stated(at: Attempt) -> None:
    working_with(at, mixing_time=5)


@broken("plans")
def fewer_states_than_stated(at: Attempt) -> None:
    working_with(at, max_states=3)


@broken("plans")
def a_smaller_class_than_stated(at: Attempt) -> None:
    working_with(at, class_size=3)


@broken("InvalidArgument")
def a_smaller_class_than_the_oracle_has(at: Attempt) -> None:
    at.method = Looped(replace(PARAMETERS, class_size=11))


@broken("InvalidArgument")
def fewer_actions_than_the_world_has(at: Attempt) -> None:
    at.method = Looped(replace(PARAMETERS, actions=1))
