"""Located STEEL: once all reachable transitions are known, revisit, validate and accept."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.evidence.observed import check_pass, fix, one_against_all, read
from steel_verified.learning.located_state import Exploring, Revisiting, Validating
from steel_verified.learning.merging import with_samples
from steel_verified.learning.policy import ENOUGH, shortest_way
from steel_verified.learning.results import Accepted, NotAccepted
from steel_verified.learning.words import covering_cycle, visits
from steel_verified.theory.conditions import Condition, listed
from steel_verified.theory.progressions import Progression
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.observed import Loop
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.learning.located_state import State
    from steel_verified.learning.model import Model

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

_ONE_STATE: Final = (
    "all labels were merged into one state, which any validation would pass; if there is just one, "
    "give max_states = 1"
)
_WHY_ONE_STATE: Final = (
    Condition.DETERMINISTIC,
    Condition.REALISABLE,
    Condition.MAX_STATES,
    Condition.UNCHANGING,
)
"""One wrong step, or one wrongly classified observation, can merge labels of different states."""

MANY_PASSES: Final = 256
"""A run ends if more than N labels are left, and were all seen on 255 walks since two were merged.
On each walk a label is seen at least t̂_mix after the walk before. Two labels of one state stay
apart only if a classifier is 1 in all views of one and 0 in all of the other. One that is 1 with
chance q after so long has chance (q(1 − q))²⁵⁵ < 2⁻⁵⁰⁰ for this, if views are independent. Nothing
is promised of runs that end so. Of 250 random worlds with a true N none did."""
_MANY_LABELS: Final = (
    "{labels} were each seen on {passes} walks through all of them, and no two of them could be "
    "merged; there may be {bound} states only"
)
WHY_MANY_LABELS: Final = (
    Condition.MAX_STATES,
    Condition.MIXING,
    Condition.EXOGENOUS,
    Condition.REALISABLE,
)
"""The possible causes if more than N labels are left that were not merged."""


def go_on(
    state: State[Summary, Classifier], oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Explore while a reachable transition is unknown; otherwise validate."""
    assert isinstance(state.stage, Exploring)
    current, labels = state.labels.root(state.stage.current), state.labels
    if any(None in labels.rows[label] for label in labels.reached(current)):
        return replace(state, stage=Exploring(current, state.stage.lost))
    return _closed(state, current, passes=1, oracle=oracle)


def _closed(
    state: State[Summary, Classifier],
    current: int,
    passes: int,
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """All reachable transitions are known: walk into a terminal component, train and validate it.

    A terminal component is a strongly connected component that cannot be left.
    """
    labels = state.labels
    terminal = labels.terminal(current)
    if current not in terminal:
        way = shortest_way(labels, current, terminal.__contains__)
        assert way is not None, "a terminal component can be reached"
        return replace(state, stage=Revisiting(current, way))
    model, states = labels.model_of(terminal)
    kept = tuple(sorted(terminal))
    if len(kept) == 1 < state.bound:
        causes = listed(_WHY_ONE_STATE)
        ended = NotAccepted(state.recipe, model, state.ledger, _ONE_STATE, causes)
        return replace(state, stage=ended)
    if len(kept) > state.bound and passes >= MANY_PASSES:
        return _too_many(state, model, passes - 1)
    pools = [state.pools[label] for label in kept]
    apart = state.recipe.parameters.mixing_time
    walk = covering_cycle(model, states[current], at_least=apart)
    # After each failed round, every label must be seen twice as often before the next one.
    enough = min(pool.rows for pool in pools) >= ENOUGH << state.ledger.decisions
    trained = one_against_all(oracle, pools)
    found = tuple(classifier for classifier in trained if classifier is not None)
    if len(kept) > state.bound or len(found) < len(kept) or not enough:
        return replace(state, stage=Revisiting(current, walk, passes=passes))
    visited = visits(model, states[current], walk)
    validation, ledger = fix(
        state.ledger,
        walk=walk,
        visits=tuple(visited.index(label) + 1 for label in range(model.states)),
        classifiers=found,
    )
    stage: Validating[Summary, Classifier] = Validating(validation, model, kept, states[current])
    return replace(state, ledger=ledger, stage=stage)


def _too_many(
    state: State[Summary, Classifier], model: Model, passes: int
) -> State[Summary, Classifier]:
    """End a run that has found more than N states, as far as can be seen."""
    because = _MANY_LABELS.format(
        labels=counted(model.states, "label"), passes=passes, bound=state.bound
    )
    causes = listed(WHY_MANY_LABELS)
    ended = NotAccepted(state.recipe, model, state.ledger, because, causes)
    return replace(state, stage=ended)


def revisited(
    state: State[Summary, Classifier],
    revisiting: Revisiting,
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Add the row that was seen; if labels were merged or the walk is finished, decide again."""
    (sample,), ledger = read(state.ledger, loop, oracle, ((Progression(1),),))
    (action,) = loop.plan.word
    to = state.labels.rows[revisiting.current][action]
    assert to is not None, "the walk goes through known transitions"
    before = len(state.labels.rows)
    state = with_samples(replace(state, ledger=ledger), to, (sample,), oracle)
    here, done = state.labels.root(to), revisiting.done + 1
    if len(state.labels.rows) < before:
        return go_on(replace(state, stage=Exploring(here)), oracle)
    if done < revisiting.passes * len(revisiting.walk):
        return replace(state, stage=replace(revisiting, current=here, done=done))
    return _closed(state, here, 2 * revisiting.passes, oracle)


def checked(
    state: State[Summary, Classifier],
    validating: Validating[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Check each pass but the first; accept if all passes succeed, explore after a failure."""
    validation, done = validating.validation, validating.done + 1
    if validating.done == 0:
        return replace(state, stage=replace(validating, done=1))
    failed, samples, ledger = check_pass(state.ledger, loop, oracle, validation)
    state = replace(state, ledger=ledger)
    seen = (*validating.seen, samples)
    if not failed and done <= validation.passes:
        return replace(state, stage=replace(validating, done=done, seen=seen))
    home = validating.home
    if not failed:
        found, certified = validation.classifiers, oracle.none_is_proved
        result = Accepted(state.recipe, validating.model, home, found, ledger, certified)
        return replace(state, stage=result)
    for label, samples_of_label in zip(validating.labels, zip(*seen, strict=True), strict=True):
        state = with_samples(state, label, samples_of_label, oracle)
    here = state.labels.root(validating.labels[home])
    return go_on(replace(state, stage=Exploring(here)), oracle)
