"""Replays loops in the model: each loop must agree with the state in which the learner was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steel_verified.learning.words import shortest_words
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steel_verified.evidence.plans import Word
    from steel_verified.learning.calls import Call
    from steel_verified.learning.model import Model
    from steel_verified.theory.parameters import Parameters


def with_loop(
    model: Model, before: int | None, word: Word, labels: tuple[int, ...], *, at_step: int
) -> Model:
    """Return the model with the transitions of a call of CycleFind, whose word must be escaping.

    Raises `AssumptionViolated` if all transitions of the loop are known, or if the model, followed
    from `before`, leads elsewhere.
    """
    grown = model.with_cycle(labels, word)
    if grown.transitions() == model.transitions():
        raise AssumptionViolated(
            f"the word {word} must leave the known graph, but all of its loop is known",
            Condition.DETERMINISTIC,
            Condition.REALISABLE,
            Condition.MAX_STATES,
            Condition.UNCHANGING,
            Condition.MIXING,
        )
    require_consistent(grown, before, word, labels, at_step=at_step)
    return grown


def require_few_states(labels: Iterable[int], max_states: int) -> None:
    """Raise `AssumptionViolated` if more than N states were distinguished."""
    if (states := max(labels) + 1) > max_states:
        raise AssumptionViolated(
            f"{states} states were told apart, more than max_states = {max_states}",
            Condition.MAX_STATES,
            Condition.MIXING,
            Condition.EXOGENOUS,
        )


def require_consistent(
    model: Model, before: int | None, word: Word, labels: tuple[int, ...], *, at_step: int
) -> None:
    """Raise `AssumptionViolated` if the loop, followed from `before`, does not reach `labels`.

    `model` contains the transitions of the cycle. If the path into the cycle takes an unknown
    transition, nothing is checked.
    """
    here, words = before, 0
    first: dict[int, int] = {}
    while here is not None and here not in first:
        first[here] = words
        here = model.walk(here, word)
        words += 1
    if here is None:
        return
    # After `words` words the loop is in its cycle, and it must be at the position that was found.
    found = labels[words * len(word) % len(labels)]
    period = len(labels) // len(word)
    if here == found and words - first[here] == period:
        return
    expected = f"state {found} with the period {period}"
    raise AssumptionViolated(
        f"from state {before} at step {at_step}, the model leads the loop of {word} to state "
        f"{here} with the period {words - first[here]}, but {expected} was found",
        Condition.DETERMINISTIC,
        Condition.REALISABLE,
        Condition.UNCHANGING,
        Condition.MAX_STATES,
        Condition.MIXING,
    )


def require_whole_run(model: Model, calls: Iterable[Call]) -> None:
    """Replay all calls in the finished model; raise `AssumptionViolated` if they disagree.

    The state in which the first call began is not known.
    """
    before: int | None = None
    for call in calls:
        require_consistent(model, before, call.word, call.labels, at_step=call.start)
        before = call.current


def require_bounds(model: Model, parameters: Parameters) -> None:
    """Raise `AssumptionViolated` if a finished model contradicts a given bound."""
    ways = (shortest_words(model, state).items() for state in range(model.states))
    diameter = max(
        (len(word) for state, words in enumerate(ways) for to, word in words if to != state),
        default=0,
    )
    if diameter > parameters.max_diameter:
        raise AssumptionViolated(
            f"two states are {counted(diameter, 'step')} apart, more than max_diameter = "
            f"{parameters.max_diameter}",
            Condition.MAX_DIAMETER,
        )
    if model.states > parameters.class_size:
        raise AssumptionViolated(
            f"{model.states} states need as many classifiers, more than class_size = "
            f"{parameters.class_size}",
            Condition.CLASS_SIZE,
        )
