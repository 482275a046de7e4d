"""Keeps rows of a run for its replay: rows on the way, and rows whose label is known."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.ledger import Ran
from steel_verified.evidence.observed import glimpses
from steel_verified.learning.located import looks_at_validation
from steel_verified.learning.located_state import Validating
from steel_verified.learning.results import Accepted
from steel_verified.learning.retracing import Traced, Trail
from steel_verified.learning.steel import Touring, looks_at_tour
from steel_verified.learning.watching import labels_found
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.self_check import rounds, rows_of_call, rows_on_the_way

if TYPE_CHECKING:
    from steel_verified.evidence.observed import Glimpse, Loop
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.learning import located_state, steel

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def with_looped(
    traced: Traced[Summary],
    before: steel.State[Summary, Classifier],
    after: steel.State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> Traced[Summary]:
    """Add the rows of a plan of the paper's algorithm, if a call or the tour has ended."""
    recipe, word = after.recipe, loop.plan.word
    p, calls = recipe.parameters, recipe.parameters.max_states * recipe.parameters.actions
    if (labels := labels_found(after.ledger)) is not None:
        last = loop.plan.done + loop.plan.steps
        actions = word * (p.max_states - 1)
        times = rounds(len(labels), max(1, len(actions)), last, rows_of_call(calls))
        on_the_way = range(
            1, min(len(actions), rows_on_the_way(oracle.declared.row_bytes) // calls) + 1
        )
        seen = glimpses(loop, oracle, [(Progression(time),) for time in on_the_way])
        end = labels[len(actions) % len(labels)]
        trail = Trail(before.current, actions, end, tuple(zip(on_the_way, seen, strict=True)))
        return traced + Traced(by_label(loop, oracle, labels, times), (trail,))
    if isinstance(before.stage, Touring):
        looks = looks_at_tour(before, before.stage)
        return traced + Traced(by_label(loop, oracle, looks.cycle, looks.again))
    return traced


def with_located(
    traced: Traced[Summary],
    before: located_state.State[Summary, Classifier],
    after: located_state.State[Summary, Classifier],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> Traced[Summary]:
    """Add the rows of a plan of located STEEL; of validations, only of the one that passed."""
    if isinstance(before.stage, Validating):
        if not isinstance(after.stage, Accepted):
            return traced
        looks = looks_at_validation(before, before.stage)
        runs = [each for each in after.ledger.entries if isinstance(each, Ran)]
        actions = tuple(
            each.word[(each.done + step) % len(each.word)]
            for each in runs
            if each.start < loop.start
            for step in range(each.steps)
        )
        trail = Trail(None, actions, before.stage.home, traced.steps)
        return Traced(by_label(loop, oracle, looks.cycle, looks.again), (trail,))
    if len(traced.steps) >= rows_on_the_way(oracle.declared.row_bytes):
        return traced
    done = loop.plan.done
    times = range(done + 1, done + loop.plan.steps + 1)
    seen = glimpses(loop, oracle, [(Progression(time),) for time in times])
    steps = (loop.start + time for time in times)
    return Traced(steps=(*traced.steps, *zip(steps, seen, strict=True)))


def by_label(
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    cycle: tuple[int, ...],
    times: tuple[int, ...],
) -> tuple[tuple[int, Glimpse[Summary]], ...]:
    """Return the rows at these times, grouped by label; the visits of a place are evenly spaced."""
    at: dict[int, list[int]] = {}
    for time in times:
        at.setdefault(time % len(cycle), []).append(time)
    datasets: dict[int, list[Progression]] = {}
    for place, visits in at.items():
        again = (Level(len(visits), visits[1] - visits[0]),) if len(visits) > 1 else ()
        datasets.setdefault(cycle[place], []).append(Progression(visits[0], again))
    seen = glimpses(loop, oracle, [tuple(pieces) for pieces in datasets.values()])
    return tuple(zip(datasets, seen, strict=True))
