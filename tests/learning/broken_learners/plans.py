"""Learners that act differently: other words, roll-outs and tours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.evidence.observed import read
from steel_verified.learning import looped
from steel_verified.learning.graph import covering_cycle, escaping_word, visits
from steel_verified.learning.model import Model
from steel_verified.theory import counts
from steel_verified.theory.progressions import Level, Progression

from ..broken import Broken, listed_in
from .attempts import PARAMETERS, Attempt

if TYPE_CHECKING:
    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.observed import Loop, Sample
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import Word
    from steel_verified.theory.parameters import Parameters

    Datasets = tuple[tuple[Progression, ...], ...]


BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


@broken("InvalidArgument")
def a_roll_out_too_short_for_its_samples(at: Attempt) -> None:
    def shorter(p: Parameters, word_length: int, period: int) -> int:
        return counts.cycle_find_steps(p, word_length, period) - PARAMETERS.mixing_time

    at.patch.setattr(looped, "cycle_find_steps", shorter)


@broken("plans")
def a_roll_out_one_step_short(at: Attempt) -> None:
    """The roll-out for the period tests is shorter; its samples end before the missing step."""

    def shorter(p: Parameters, word_length: int) -> int:
        return counts.initial_rollout(p, word_length) - 1

    at.patch.setattr(looped, "initial_rollout", shorter)


@broken("plans")
def a_roll_out_one_step_long(at: Attempt) -> None:
    def longer(p: Parameters, word_length: int) -> int:
        return counts.initial_rollout(p, word_length) + 1

    at.patch.setattr(looped, "initial_rollout", longer)


@broken("times")
def a_look_before_the_rows_are_read(at: Attempt) -> None:
    """Rows at other times are read first; only the right rows are used."""

    def peeking(
        ledger: Ledger,
        loop: Loop[BitRows],
        functions: Class[BitRows],
        datasets: Datasets,
    ) -> tuple[tuple[Sample, ...], Ledger]:
        _, ledger = read(ledger, loop, functions, ((Progression(30),),))
        return read(ledger, loop, functions, datasets)

    at.patch.setattr(looped, "read", peeking)


@broken("words")
def a_first_word_of_two_actions(at: Attempt) -> None:
    def two(p: Parameters, word: Word) -> object:
        return right(p, (0, 1) if len(word) == 1 and not begun else word)

    begun: list[int] = []
    right = looped.begin_call

    def first_only(p: Parameters, word: Word) -> object:
        found = two(p, word)
        begun.append(1)
        return found

    at.patch.setattr(looped, "begin_call", first_only)


@broken("DETERMINISTIC")
def a_word_that_does_not_escape(at: Attempt) -> None:
    def stays(model: Model) -> Word:
        del model
        return (0,)

    at.patch.setattr(looped, "escaping_word", stays)


@broken("words")
def a_longer_word_than_the_shortest(at: Attempt) -> None:
    def longer(model: Model) -> Word:
        return (*escaping_word(model), 0)

    at.patch.setattr(looped, "escaping_word", longer)


@broken("order")
def exploration_stopped_early(at: Attempt) -> None:
    """Exploration stops when all states are known, even if transitions are unknown."""
    at.with_encoder = False
    at.patch.setattr(Model, "is_total", property(lambda model: model.states == 3))


@broken("times")
def a_tour_without_its_silent_pass(at: Attempt) -> None:
    right = looped._tour_samples  # noqa: SLF001 (it is the learner's)

    def from_the_first(model: Model, tour: looped.Touring) -> tuple[Progression, ...]:
        length = len(tour.cycle)
        return tuple(
            Progression(times.first - length, (Level(tour.passes, length),))
            for times in right(model, tour)
        )

    at.patch.setattr(looped, "_tour_samples", from_the_first)


@broken("REALISABLE")
def a_tour_that_misses_a_state(at: Attempt) -> None:
    """The state that it misses is sampled at the start of the pass."""

    def missing(model: Model, home: int, at_least: int) -> Word:
        return covering_cycle(model, home, at_least, through=(home,))

    def sampled(model: Model, tour: looped.Touring) -> tuple[Progression, ...]:
        visited, length = visits(model, tour.home, tour.cycle), len(tour.cycle)
        return tuple(
            Progression(
                length + 1 + (visited.index(label) if label in visited else 0),
                (Level(tour.passes - 1, length),),
            )
            for label in range(model.states)
        )

    at.patch.setattr(looped, "covering_cycle", missing)
    at.patch.setattr(looped, "_tour_samples", sampled)


@broken("TooClose")
def a_tour_shorter_than_the_mixing_time(at: Attempt) -> None:
    def short(model: Model, home: int, at_least: int) -> Word:
        return covering_cycle(model, home, min(at_least, 1))

    at.patch.setattr(looped, "covering_cycle", short)


@broken("tour")
def a_tour_that_goes_round_twice(at: Attempt) -> None:
    def twice(model: Model, home: int, at_least: int) -> Word:
        return covering_cycle(model, home, at_least) * 2

    at.patch.setattr(looped, "covering_cycle", twice)


@broken("times")
def a_state_sampled_at_its_last_visit(at: Attempt) -> None:
    def backwards(model: Model, state: int, word: Word) -> tuple[int, ...]:
        visited = visits(model, state, word)
        last = {label: len(visited) - 1 - visited[::-1].index(label) for label in visited}
        return tuple(s if last[s] == i else -1 for i, s in enumerate(visited))

    at.patch.setattr(looped, "visits", backwards)


@broken("plans")
def one_pass_fewer(at: Attempt) -> None:
    def fewer(p: Parameters, states: int) -> int:
        return counts.sampling_passes(p, states) - 1

    at.patch.setattr(looped, "sampling_passes", fewer)


@broken("order")
def no_tour_at_all(at: Attempt) -> None:
    def none(p: Parameters, states: int) -> int:
        del p, states
        return 0

    at.patch.setattr(looped, "sampling_passes", none)
