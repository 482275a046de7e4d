"""Learners that ask differently for periods and labels, or change the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.observed import find_labels, find_period
from steel_verified.learning import looped
from steel_verified.learning.looped import Cycle, Dataset

from ..broken import Broken, listed_in
from .attempts import PARAMETERS, Attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Loop, Sample
    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.looped import State
    from steel_verified.theory.budget import Charge

    Tests = Sequence[tuple[int, Sample, Sample]]
    Samples = Sequence[Sample]
    Labels = tuple[int, ...]
    Price = Callable[[int], Charge]
    AskForPeriod = Callable[[Ledger, Class[BitRows], Tests, Price], tuple[int, Ledger]]
    AskForLabels = Callable[
        [Ledger, Class[BitRows], Samples, Samples, Price], tuple[Labels, Ledger]
    ]


BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


def asking_for_a_period(
    change: Callable[
        [Ledger, Tests, Callable[[Tests, Ledger], tuple[int, Ledger]]], tuple[int, Ledger]
    ],
) -> AskForPeriod:
    """Return a learner that asks for the period in another way; `ask` asks correctly."""

    def changed(
        ledger: Ledger,
        oracle: Class[BitRows],
        tests: Tests,
        charge: Price,
    ) -> tuple[int, Ledger]:
        return change(ledger, tests, lambda some, on: find_period(on, oracle, some, charge))

    return changed


@broken("period")
def a_period_answered_without_a_test(at: Attempt) -> None:
    at.patch.setattr(
        looped, "find_period", asking_for_a_period(lambda ledger, _, ask: ask((), ledger))
    )


@broken("order")
def a_period_decided_without_asking(at: Attempt) -> None:
    at.patch.setattr(looped, "find_period", asking_for_a_period(lambda ledger, *_: (1, ledger)))


@broken("period")
def the_last_hypothesis_not_tested(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "find_period",
        asking_for_a_period(lambda ledger, tests, ask: ask(tests[:-1], ledger)),
    )


@broken("order")
def the_period_asked_for_twice(at: Attempt) -> None:
    """The learner asks again to see whether the answer is the same."""
    at.patch.setattr(
        looped,
        "find_period",
        asking_for_a_period(lambda ledger, tests, ask: ask(tests, ask(tests, ledger)[1])),
    )


@broken("InvalidArgument")
def a_second_try_on_the_same_trajectory(at: Attempt) -> None:
    """Ask for the period, forget the answer, and ask again."""

    def again(
        ledger: Ledger, tests: Tests, ask: Callable[[Tests, Ledger], tuple[int, Ledger]]
    ) -> tuple[int, Ledger]:
        ask(tests, ledger)
        return ask(tests[1:], ledger)

    at.patch.setattr(looped, "find_period", asking_for_a_period(again))


@broken("comparisons")
def zeros_and_ones_exchanged(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "find_period",
        asking_for_a_period(
            lambda ledger, tests, ask: ask([(h, ones, zeros) for h, zeros, ones in tests], ledger)
        ),
    )


@broken("comparisons")
def one_dataset_for_all_hypotheses(at: Attempt) -> None:
    """D_0 of the first hypothesis is used for all."""
    at.patch.setattr(
        looped,
        "find_period",
        asking_for_a_period(
            lambda ledger, tests, ask: ask([(h, tests[0][1], ones) for h, _, ones in tests], ledger)
        ),
    )


@broken("plans")
def a_smaller_period_than_the_tests_say(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "find_period",
        asking_for_a_period(lambda ledger, tests, ask: (1, ask(tests, ledger)[1])),
    )


@broken("plans")
def a_larger_period_than_the_tests_say(at: Attempt) -> None:
    def larger(
        ledger: Ledger, tests: Tests, ask: Callable[[Tests, Ledger], tuple[int, Ledger]]
    ) -> tuple[int, Ledger]:
        period, ledger = ask(tests, ledger)
        return min(period * 2, PARAMETERS.max_states), ledger

    at.patch.setattr(looped, "find_period", asking_for_a_period(larger))


def asking_for_labels(
    known: Callable[[Samples], Samples] = lambda known: known,
    positions: Callable[[Samples], Samples] = lambda them: them,
    labels: Callable[[Labels, Samples, Samples], Labels] = lambda said, *_: said,
) -> AskForLabels:
    """Return a learner that asks with other datasets, or changes the answer.

    `labels` receives the answer, the datasets of known states, and those of the positions.
    """

    def changed(
        ledger: Ledger,
        oracle: Class[BitRows],
        held: Samples,
        found: Samples,
        charge: Price,
    ) -> tuple[Labels, Ledger]:
        said, after = find_labels(ledger, oracle, known(held), positions(found), charge)
        return labels(said, held, found), after

    return changed


@broken("MAX_STATES")
def every_position_a_new_state(at: Attempt) -> None:
    """In later calls, positions are not compared with the known states."""
    at.patch.setattr(
        looped,
        "find_labels",
        asking_for_labels(
            known=lambda _: (),
            labels=lambda said, held, _: tuple(label + len(held) for label in said),
        ),
    )


@broken("comparisons")
def known_states_in_another_order(at: Attempt) -> None:
    """States are compared from the last to the first, and the labels are reversed again."""

    def turned_back(said: Labels, held: Samples, _: Samples) -> Labels:
        return tuple(len(held) - 1 - s if s < len(held) else s for s in said)

    at.patch.setattr(
        looped,
        "find_labels",
        asking_for_labels(known=lambda held: held[::-1], labels=turned_back),
    )


@broken("comparisons")
def rows_of_a_period_test_reused_for_a_position(at: Attempt) -> None:
    """If the loop stays in one state, every row shows it."""
    tested: list[Sample] = []

    def noting(
        ledger: Ledger, tests: Tests, ask: Callable[[Tests, Ledger], tuple[int, Ledger]]
    ) -> tuple[int, Ledger]:
        tested.append(tests[0][2])
        return ask(tests, ledger)

    at.patch.setattr(looped, "find_period", asking_for_a_period(noting))
    at.patch.setattr(
        looped,
        "find_labels",
        asking_for_labels(positions=lambda them: them if len(them) > 1 else tested[-1:]),
    )


@broken("DETERMINISTIC")
def rows_of_one_position_used_for_another(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "find_labels",
        asking_for_labels(positions=lambda them: (*them[:-1], them[0])),
    )


@broken("labels")
def a_position_guessed_from_the_others(at: Attempt) -> None:
    """In the call with a word of three actions, the last state follows from what is known."""
    asked: list[int] = []

    def fewer(them: Samples) -> Samples:
        asked.append(len(them))
        return them[:-1] if len(asked) == 3 else them

    at.patch.setattr(
        looped,
        "find_labels",
        asking_for_labels(
            positions=fewer, labels=lambda said, *_: (*said, 1) if len(asked) == 3 else said
        ),
    )


@broken("DETERMINISTIC")
def a_label_against_the_verdicts(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "find_labels",
        asking_for_labels(labels=lambda said, *_: (*said[:-1], 0)),
    )


@broken("DETERMINISTIC")
def labels_exchanged_after_the_verdicts(at: Attempt) -> None:
    """States 1 and 2 exchange their labels in a call that finds both."""
    at.patch.setattr(
        looped,
        "find_labels",
        asking_for_labels(labels=lambda said, *_: (0, 2, 1) if said == (0, 1, 2) else said),
    )


@broken("comparisons")
def samples_merged_into_known_states(at: Attempt) -> None:
    """As in the authors' code, D(s) grows with each call that visits s."""
    right = looped._with_cycle  # noqa: SLF001 (it is the learner's)
    seen: list[tuple[Labels, Samples]] = []

    def noting(said: Labels, _: Samples, found: Samples) -> Labels:
        seen.append((said, found))
        return said

    def merging(state: State, cycle: Cycle, loop: Loop[BitRows]) -> State:
        state = right(state, cycle, loop)
        labels, samples = seen[-1]
        first = dict(reversed(list(zip(labels, samples, strict=True))))
        datasets = tuple(
            Dataset(dataset.times, (*dataset.samples, first[label]))
            if label in first and first[label] is not dataset.samples[0]
            else dataset
            for label, dataset in enumerate(state.datasets)
        )
        return replace(state, datasets=datasets)

    at.patch.setattr(looped, "find_labels", asking_for_labels(labels=noting))
    at.patch.setattr(looped, "_with_cycle", merging)
