"""Learners that take other samples, or fewer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from steel_verified.classes.finite import Marks
from steel_verified.evidence.oracle import Searched, of_kind
from steel_verified.learning import looped
from steel_verified.theory import counts, schedules
from steel_verified.theory.progressions import Level, Progression

from ..broken import Broken, listed_in
from .attempts import PARAMETERS, Attempt

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.evidence.oracle import Classifier, Summary
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.schedules import PeriodTest, PositionTimes


BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


def changing_positions(
    change: Callable[[PositionTimes], PositionTimes],
) -> Callable[[Parameters, int, int], tuple[PositionTimes, ...]]:
    def changed(p: Parameters, word_length: int, period: int) -> tuple[PositionTimes, ...]:
        return tuple(map(change, schedules.position_times(p, word_length, period)))

    return changed


def changing_period_tests(
    change: Callable[[list[PeriodTest]], list[PeriodTest]],
) -> Callable[[Parameters, int], list[PeriodTest]]:
    def changed(p: Parameters, word_length: int) -> list[PeriodTest]:
        return change(list(schedules.period_tests(p, word_length)))

    return changed


def shortened(times: Progression) -> Progression:
    """Return the progression with one sample fewer."""
    first, *inner = times.levels
    return Progression(times.first, (Level(first.count - 1, first.stride), *inner))


@broken("times")
def one_sample_fewer_at_each_position(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "position_times",
        changing_positions(lambda p: replace(p, early=shortened(p.early), late=shortened(p.late))),
    )


@broken("times")
def half_as_many_samples_at_each_position(at: Attempt) -> None:
    """The roll-out is shortened as well, as if δ were larger."""

    def half(p: Parameters) -> int:
        return counts.position_samples(p) // 2

    at.patch.setattr(schedules, "position_samples", half)


@broken("times")
def one_repetition_fewer_in_period_tests(at: Attempt) -> None:
    def fewer(p: Parameters, word_length: int, period: int) -> int:
        return counts.period_test_repetitions(p, word_length, period) - 1

    at.patch.setattr(schedules, "period_test_repetitions", fewer)


@broken("TooClose")
def samples_one_step_too_close(at: Attempt) -> None:
    """Every position is sampled one step before the mixing time is over."""

    def close(times: Progression) -> Progression:
        (level,) = times.levels
        return Progression(times.first, (Level(level.count, PARAMETERS.mixing_time - 1),))

    at.patch.setattr(
        looped,
        "position_times",
        changing_positions(lambda p: replace(p, early=close(p.early), late=close(p.late))),
    )


@broken("TooClose")
def late_half_right_after_the_early_one(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "position_times",
        changing_positions(
            lambda p: replace(p, late=p.late.shifted(p.early.last + 24 - p.late.first))
        ),
    )


@broken("times")
def halves_swapped(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "position_times",
        changing_positions(lambda p: replace(p, early=p.late, late=p.early)),
    )


@broken("DETERMINISTIC")
def positions_off_by_one(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "position_times",
        changing_positions(
            lambda p: replace(p, early=p.early.shifted(-1), late=p.late.shifted(-1))
        ),
    )


@broken("TooClose")
def positions_one_cycle_early(at: Attempt) -> None:
    """The state is right, but the loop may not be in its cycle yet."""

    def early(p: Parameters, word_length: int, period: int) -> tuple[PositionTimes, ...]:
        found = schedules.position_times(p, word_length, period)
        back = -word_length * period
        return tuple(replace(p, early=p.early.shifted(back)) for p in found)

    at.patch.setattr(looped, "position_times", early)


@broken("times")
def ones_of_period_tests_off_by_one(at: Attempt) -> None:
    at.patch.setattr(
        looped,
        "period_tests",
        changing_period_tests(lambda ts: [replace(t, ones=t.ones.shifted(-1)) for t in ts]),
    )


@broken("times")
def sampling_before_the_loop_has_settled(at: Attempt) -> None:
    def at_once(p: Parameters, word_length: int) -> int:
        del p
        return word_length

    at.patch.setattr(schedules, "settling_time", at_once)


@broken("times")
def times_chosen_by_the_noise(at: Attempt) -> None:
    """The oracle stores what it saw, and the learner uses it."""
    seen: list[Marks] = []
    honest = at.oracle

    def remembering(zeros: Summary, ones: Summary) -> Classifier | None:
        seen.extend(of_kind(Marks, ones))
        return honest.separating(zeros, ones)

    def chosen(times: Progression) -> Progression:
        return times.shifted(-1 - seen[-1].some % 2)

    at.oracle = Searched(honest, remembering)
    at.patch.setattr(
        looped, "position_times", changing_positions(lambda p: replace(p, late=chosen(p.late)))
    )


@broken("times")
def the_largest_hypothesis_skipped(at: Attempt) -> None:
    at.patch.setattr(looped, "period_tests", changing_period_tests(lambda tests: tests[1:]))


@broken("times")
def hypotheses_from_2_up(at: Attempt) -> None:
    at.patch.setattr(looped, "period_tests", changing_period_tests(lambda tests: tests[::-1]))
