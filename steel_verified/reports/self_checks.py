"""What the self-check of a run tested, and what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.reports.tables import Prose, Style

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.learning.checking import SelfChecked
    from steel_verified.reports.tables import Part, Value

ONE_STATE: Final = (
    "One state was learned. A model with one state passes every validation, so that acceptance "
    "shows nothing here: check by other means that there is only one."
)


def self_check_row(checked: SelfChecked | None) -> tuple[Value, ...]:
    """A row for the table of a run that was accepted."""
    if checked is None:
        return "self-check", "none", "was not wanted"
    bets = sum(many for _, many in checked.bets)
    told = f"{bets:,} bets on {checked.samples:,} samples lost; a false alarm: {checked.level}"
    return "self-check", "passed", told


def one_state_warning(states: int) -> tuple[Part, ...]:
    """A warning, if a model of one state was accepted."""
    return (Prose(ONE_STATE, Style.ODD),) if states == 1 else ()


def self_check_as_json(checked: SelfChecked | None) -> Json:
    """What was tested, and each bet that was won, with the counts that show it."""
    if checked is None:
        return None
    return {
        "false_alarm_at_most": str(checked.level),
        "samples": checked.samples,
        "bets": dict(checked.bets),
        "won": tuple(
            {
                "label": each.label,
                "depends_on": each.kind.value,
                "probes": each.probes,
                "counts": each.counts,
                "mixing_times_apart": each.mixing_times,
                "paid": float(each.winnings),
                "needed": float(each.needed),
            }
            for each in checked.won
        ),
    }
