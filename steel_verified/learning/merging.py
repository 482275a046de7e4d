"""What is certain about labels: their datasets, and which of them show the same state."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from steel_verified.evidence.observed import first_same, pooled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.evidence.observed import Pool, Sample
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.learning.labels import Labels
    from steel_verified.learning.located_state import State

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def with_samples(
    state: State[Summary, Classifier],
    label: int,
    samples: tuple[Sample[Summary], ...],
    oracle: Oracle[Batch, Summary, Classifier],
) -> State[Summary, Classifier]:
    """Add samples to D(ℓ), and merge all labels that can be merged then."""
    label = state.labels.root(label)
    pools = {**state.pools, label: pooled(oracle, (state.pools[label], *samples))}
    return merged(replace(state, pools=pools), label, oracle)


def merged(
    state: State[Summary, Classifier], label: int, oracle: Oracle[Batch, Summary, Classifier]
) -> State[Summary, Classifier]:
    """Rules 1 and 4: merge a label with all labels that provably show the same state.

    Their successors are merged as well. Each iteration removes a root, so the loop terminates.
    """
    while True:
        label = state.labels.root(label)
        same, ledger = first_same(state.ledger, oracle, label, state.pools)
        state = replace(state, ledger=ledger)
        if same is None:
            return state
        labels = state.labels.merged(same.one, same.other)
        state = replace(state, labels=labels, pools=_pools_of(labels, state.pools, oracle))


def _pools_of(
    labels: Labels,
    pools: Mapping[int, Pool[Summary]],
    oracle: Oracle[Batch, Summary, Classifier],
) -> dict[int, Pool[Summary]]:
    """Return the datasets of the roots; those of merged labels are united."""
    parts: dict[int, list[Pool[Summary]]] = {label: [] for label in labels.rows}
    for label, pool in pools.items():
        parts[labels.root(label)].append(pool)
    return {
        label: held[0] if len(held) == 1 else pooled(oracle, held) for label, held in parts.items()
    }
