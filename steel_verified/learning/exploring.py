"""Located STEEL explores: it loops an action to find its position, then tries unknown actions."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.evidence.observed import pooled, possible_period, read
from steel_verified.learning.accepting import go_on
from steel_verified.learning.located_state import Exploring, Looping
from steel_verified.learning.merging import merged, with_samples
from steel_verified.learning.results import NotAccepted
from steel_verified.theory.progressions import Progression
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.observed import Loop
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.learning.located_state import State

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

MANY_ROWS: Final = 4096
MANY_LABELS: Final = 256
"""F is called too rich if this many rows refute no period of a loop, or if this many labels are all
apart, and at least 64 for each possible state. This ends runs that would not end otherwise."""
_TOO_RICH: Final = (
    "{what}: F separates almost any observations that are not equal, so states cannot be "
    "recognised. Give a smaller class of classifiers, or features that do not show the noise"
)


def looped(
    state: State[Summary, Classifier],
    looping: Looping[Summary],
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Rule 5: when the lcm of the possible periods is small enough, make a label per position."""
    times = tuple((Progression(loop.plan.done + k),) for k in range(1, loop.plan.steps + 1))
    samples, ledger = read(state.ledger, loop, oracle, times)
    rows, bound = looping.rows + samples, state.bound
    found, ledger = possible_period(ledger, oracle, rows, bound)
    state, period = replace(state, ledger=ledger), found.period
    settled = max(0, bound - 2)
    if period > bound and len(found.left) == bound and len(rows) >= max(MANY_ROWS, 64 * bound):
        what = f"{len(rows):,} observations of one repeated action refute no period up to {bound}"
        return _too_rich(state, what)
    if period > bound or len(rows) < settled + period:
        # The number of words is doubled each time, so the wait is at most twice as long as needed.
        until = max(2 * len(rows), settled + min(period, bound))
        return replace(state, stage=replace(looping, rows=rows, until=until))
    first = len(state.labels.parent)
    labels, pools = state.labels, dict(state.pools)
    for position in range(period):
        label, labels = labels.with_label()
        pools[label] = pooled(oracle, rows[settled + position :: period])
    for position in range(period):
        after = first + (position + 1) % period
        labels = labels.with_transition(first + position, looping.action, after)
    state = replace(state, labels=labels, pools=pools)
    for label in range(first, first + period):
        state = merged(state, label, oracle)
    current = first + (len(rows) - 1 - settled) % period
    return go_on(replace(state, stage=Exploring(state.labels.root(current))), oracle)


def stepped(
    state: State[Summary, Classifier],
    current: int,
    lost: int,
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Rules 2 and 3: follow a known transition, or make a new label for an unknown one."""
    (action,) = loop.plan.word
    (sample,), ledger = read(state.ledger, loop, oracle, ((Progression(1),),))
    state = replace(state, ledger=ledger)
    to = state.labels.rows[current][action]
    if to is not None:
        state = with_samples(state, to, (sample,), oracle)
        return go_on(replace(state, stage=Exploring(state.labels.root(to), lost)), oracle)
    new, labels = state.labels.with_label()
    labels = labels.with_transition(current, action, new)
    state = replace(state, labels=labels, pools={**state.pools, new: pooled(oracle, (sample,))})
    state = merged(state, new, oracle)
    here = state.labels.root(new)
    if here != new:
        return go_on(replace(state, stage=Exploring(here)), oracle)
    if (many := len(state.labels.rows)) >= max(MANY_LABELS, 64 * state.bound):
        most = counted(state.bound, "state")
        what = f"each of {many:,} labels is apart from all others, for at most {most}"
        return _too_rich(state, what)
    if lost + 1 >= state.bound:
        return replace(state, stage=Looping(action, until=2 * state.bound))
    return go_on(replace(state, stage=Exploring(here, lost + 1)), oracle)


def _too_rich(state: State[Summary, Classifier], what: str) -> State[Summary, Classifier]:
    model, because = state.labels.model_so_far(), _TOO_RICH.format(what=what)
    return replace(state, stage=NotAccepted(state.recipe, model, state.ledger, because))
