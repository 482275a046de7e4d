"""Decisions that are correct for every noise, so that no δ is charged (located STEEL).

A set of observations is *pure* if all of them show one state. Two sets are *apart* if F has
separating classifiers in both directions. For two different states F has them, so pure sets that
are not apart show the same state: this is certain, without any probability. If two sets are apart,
nothing follows.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from functools import reduce
from math import lcm
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.asking import each_against_others, judged
from steel_verified.evidence.ledger import KEY, PeriodsLeft, SameState, appended
from steel_verified.evidence.omega import Observed, reveal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.recording import Sample

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Summary_co = TypeVar("Summary_co", covariant=True)
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True, eq=False)
class Pool(Generic[Summary_co]):
    """D(ℓ): a pure dataset of `rows` rows, merged from samples."""

    rows: int
    ledger: Ledger
    """A ledger of the run in which it was read."""
    summary: Observed[Summary_co]
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TypeError("datasets are merged from samples that were read")


def pooled(
    oracle: Oracle[Batch, Summary, Classifier],
    parts: Iterable[Pool[Summary] | Sample[Summary]],
) -> Pool[Summary]:
    """Return the union of datasets of one state.

    Raises `InvalidArgument` if there are no datasets, or if they come from different runs.
    """
    held = tuple(parts)
    if not held:
        raise InvalidArgument("parts", "none", "at least one dataset")
    ledger = held[0].ledger
    if not all(ledger.is_of_same_run(part.ledger) for part in held):
        raise InvalidArgument("parts", f"{len(held)} datasets", "datasets of one run")
    rows = sum(part.rows if isinstance(part, Pool) else sum(map(len, part.times)) for part in held)
    summary = reduce(oracle.merge, (reveal(part.summary) for part in held))
    return Pool(rows, ledger, Observed(summary), KEY)


def first_same(
    ledger: Ledger,
    oracle: Oracle[Batch, Summary, Classifier],
    label: int,
    pools: Mapping[int, Pool[Summary]],
) -> tuple[SameState | None, Ledger]:
    """Return the first other label that provably shows the same state as `label`, or None.

    These are rules 1 and 4. Raises `InvalidArgument` for datasets of another run.
    """
    here = _summary(ledger, pools[label])
    for other, pool in pools.items():
        if other != label and not _apart(oracle, here, _summary(ledger, pool)):
            same = SameState(one=label, other=other, rule="not apart", key=KEY)
            return same, appended(ledger, same)
    return None, ledger


def possible_period(
    ledger: Ledger,
    oracle: Oracle[Batch, Summary, Classifier],
    rows: Sequence[Sample[Summary]],
    max_states: int,
) -> tuple[PeriodsLeft, Ledger]:
    """Return the periods of a loop that are not refuted; their lcm is a multiple of the period.

    This is rule 5. `rows[k]` was seen after k + 1 words. If the period is m, then from word N − m
    on the m residue classes show m different states, so each class can be separated from all others
    together. A period for which this fails is refuted.
    """
    seen = [_summary(ledger, sample) for sample in rows]
    left = {1} | {
        m for m in range(2, max_states + 1) if _is_possible(oracle, seen[max_states - m :], m)
    }
    entry = PeriodsLeft(
        first=rows[0].number,
        count=len(rows),
        left=tuple(sorted(left)),
        period=lcm(*left),
        key=KEY,
    )
    return entry, appended(ledger, entry)


def _summary(ledger: Ledger, held: Pool[Summary] | Sample[Summary]) -> Summary:
    if not ledger.is_of_same_run(held.ledger):
        raise InvalidArgument("dataset", "of another run", "a dataset that was read in this run")
    return reveal(held.summary)


def _is_possible(
    oracle: Oracle[Batch, Summary, Classifier], seen: Sequence[Summary], period: int
) -> bool:
    """Return whether every residue class can be separated from all others; true if one is empty."""
    if len(seen) < period:
        return True
    classes = [reduce(oracle.merge, seen[residue::period]) for residue in range(period)]
    return all(found is not None for found in each_against_others(oracle, classes))


def _apart(oracle: Oracle[Batch, Summary, Classifier], one: Summary, other: Summary) -> bool:
    return judged(oracle, one, other) is not None and judged(oracle, other, one) is not None
