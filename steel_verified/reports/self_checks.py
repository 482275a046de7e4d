"""The report on the self-check of a run: what it tested, and what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.learning.self_check.stage import was_checked
from steel_verified.reports.tables import Prose, Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.self_check.won import SelfChecked
    from steel_verified.reports.tables import Part, Value

ONE_STATE: Final = (
    "One state was learned. A model with one state passes every validation, so acceptance "
    "shows nothing here: check by other means that there is only one state."
)
NOT_CHECKED: Final = (
    "The model was not checked: the run kept too few rows for it. A violated condition would not "
    "be noticed. --self-check-steps takes extra steps for the check."
)
LEFT: Final = (
    "The observations up to step {step:,} fit no state of the model, and all later ones fit. So "
    "the run left a part of the world and cannot return to it, and the model describes only the "
    "part in which the run ended: not every latent state reaches every other."
)


def self_check_rows(checked: SelfChecked | None, transitions: int) -> Iterator[tuple[Value, ...]]:
    """The rows about the self-check in the table of an accepted run with so many transitions."""
    if checked is None:
        told = "was switched off"
    elif not was_checked(checked):
        told = f"only {checked.samples:,} samples to check it with"
    else:
        bets = sum(many for _, many in checked.bets)
        told = f"{bets:,} bets on {checked.samples:,} samples lost; a false alarm: {checked.level}"
    yield "self-check", self_check_cell(checked), told
    if checked is not None and checked.transitions < transitions:
        told = f"of {transitions:,} transitions; --self-check-steps checks others, too"
        yield "it covers", checked.transitions, told


def self_check_cell(checked: SelfChecked | None) -> str:
    """One word about the self-check of an accepted run."""
    if checked is None:
        return "none"
    return "passed" if was_checked(checked) else "NOT CHECKED"


def self_check_warnings(checked: SelfChecked | None, states: int) -> tuple[Part, ...]:
    """Warnings about a model with one state, an unchecked model, or missing states."""
    found = [ONE_STATE] if states == 1 else []
    if checked is not None and not was_checked(checked):
        found.append(NOT_CHECKED)
    if checked is not None and checked.left is not None:
        found.append(LEFT.format(step=checked.left))
    return tuple(Prose(warning, Style.ODD) for warning in found)


def self_check_as_json(checked: SelfChecked | None) -> Json:
    """The bets that were tested, and each bet that was won, with its counts, as JSON."""
    if checked is None:
        return None
    return {
        "checked": was_checked(checked),
        "false_alarm_at_most": str(checked.level),
        "samples": checked.samples,
        "transitions": checked.transitions,
        "bets": dict(checked.bets),
        "left_for_good_after_step": checked.left,
        "won": tuple(
            {
                "label": each.label,
                "depends_on": each.kind.value,
                "measured": each.measured,
                "seen": each.seen,
                "counts": each.counts,
                "mixing_times_apart": each.mixing_times,
                "paid": float(each.winnings),
                "needed": float(each.needed),
            }
            for each in checked.won
        ),
    }
