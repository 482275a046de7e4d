"""Show the statement of a findings file, and whether it follows from the recorded rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.learning.self_check.bets import Kind as Context
from steel_verified.reports.run import (
    cause_as_json,
    causes_as_parts,
    known_so_far,
    self_check_as_json,
    shown_by_as_parts,
)
from steel_verified.reports.tables import Column, Kind, Part, Prose, Style, Table, Value
from steel_verified.theory.conditions import heading

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.learning.self_check.findings import Findings, Rederived
    from steel_verified.learning.self_check.won import Won

_MOST_CONTEXTS: Final = 12
_FOLLOWS: Final = "The same statement was derived again from the recorded rows of the file."
_DIFFERS: Final = (
    "This does NOT follow from the file: it was changed, or written by another version. Its "
    "rows and its record imply: {}."
)
_NOTHING: Final = "nothing that contradicts a condition"
_NOT_DERIVED: Final = (
    "This cannot be derived from the file alone: it depends on the oracle, or on a limit. The "
    "record in the file has every plan and every decision."
)


def is_derived(found: Findings, again: Rederived) -> bool:
    """Whether the statement of a file follows from its rows, or is of a kind not derived."""
    return again.because == found.because or not _can_be_derived(found, again)


def _can_be_derived(found: Findings, again: Rederived) -> bool:
    return found.contradicted and (again.because is not None or again.is_from_rows)


def as_parts(found: Findings, again: Rederived) -> tuple[Part, ...]:
    ended = "Contradicted" if found.contradicted else "Not accepted"
    on = f" on {found.world}" if found.world else ""
    if not _can_be_derived(found, again):
        derived = Prose(_NOT_DERIVED)
    elif again.because == found.because:
        derived = Prose(_FOLLOWS, Style.GOOD)
    else:
        derived = Prose(_DIFFERS.format(again.because or _NOTHING), Style.BAD)
    won = again.self_check.won[:1] if again.self_check is not None else ()
    return (
        Prose(f"{ended}{on}: {found.because}.", Style.BAD),
        derived,
        *shown_by_as_parts(again.shown_by),
        *(part for bet in won for part in _bet(bet)),
        *((Prose(heading(found.causes)), *causes_as_parts(found.causes)) if found.causes else ()),
        known_so_far(found.model, found.steps),
    )


def _bet(won: Won) -> tuple[Part, ...]:
    """The counts of the bet that paid most. If there are many contexts, only the largest."""
    symbols = ("0", "1") if len(won.counts[0]) == 2 else ("00", "01", "10", "11")
    columns = (
        Column("context", Kind.NUMBER),
        *(Column(f"seen_{each}", Kind.NUMBER, heading=f"showed {each}") for each in symbols),
    )
    numbered = sorted(enumerate(won.counts), key=lambda each: -sum(each[1]))[:_MOST_CONTEXTS]
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (number, *counts) for number, counts in sorted(numbered)
    )
    left = len(won.counts) - len(rows)
    more = f" Only the {len(rows)} largest of {len(won.counts)} contexts are shown." if left else ""
    of = "over all states" if won.kind is Context.ANY else f"in state {won.label}"
    text = (
        f"The counts of the bet that paid most: how often {won.what} showed each value {of}, by "
        f"context ({won.kind.value}).{more} If all conditions hold, the rows of the table differ "
        "by chance only."
    )
    return Prose(text), Table("", columns, rows)


def as_json(found: Findings, again: Rederived) -> Json:
    return {
        "world": found.world,
        "method": found.method,
        "contradicted": found.contradicted,
        "because": found.because,
        "derived_again": again.because,
        "follows": is_derived(found, again),
        "causes": tuple(cause_as_json(each) for each in found.causes),
        "self_check": self_check_as_json(again.self_check),
        "shown_by_steps": again.shown_by,
        "table": found.model.table,
        "steps": found.steps,
        "budget_spent": str(found.spent),
    }
