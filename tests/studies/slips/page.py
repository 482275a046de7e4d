"""The page SLIPS.md: how runs of located STEEL end if steps slip."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean
from typing import TYPE_CHECKING, Final

from steel_verified.reports.tables import Column, Kind, Style, Table, as_markdown
from steel_verified.theory.slips import slips, votes_needed
from tests.studies.slips.runs import CELLS, Fate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.sweeps.study import Row
    from tests.studies.slips.runs import Cell

_HEAD: Final = """\
# When steps slip

Not in the paper: its Table 1 marks random latent transitions as not allowed for STEEL. Here each
step slips with probability p to any other state, in small random worlds, a prime loop and the lock
with K = 20; [LOCATED.md](../theory/LOCATED.md#when-steps-slip) says what is promised. Each run is
made with and without the self-check, and with several attempts that vote.
`python -m tests.studies.slips` writes this page from the recorded rows in
`tests/studies/recorded/`; with `--run` it first makes those that are missing.
"""
_WORLD: Final = (
    Column("world", Kind.CODE, style=Style.NAME),
    Column("rate", Kind.NUMBER, heading="p"),
    Column("runs", Kind.NUMBER),
)
_ONCE: Final = (
    *_WORLD,
    Column("slipped", Kind.NUMBER, heading="with a slip"),
    Column("right", Kind.NUMBER),
    Column("lost", Kind.NUMBER),
    Column("noticed", Kind.NUMBER),
    Column("silent", Kind.NUMBER, heading="silently wrong"),
    Column("checked_right", Kind.NUMBER, heading="checked: right"),
    Column("checked_lost", Kind.NUMBER, heading="lost"),
    Column("checked_noticed", Kind.NUMBER, heading="noticed"),
    Column("checked_silent", Kind.NUMBER, heading="silent"),
    Column("bound", Kind.NUMBER, heading="wrong at most, δ + pT"),
)
_VOTED: Final = (
    *_WORLD,
    Column("attempt_steps", Kind.NUMBER, heading="T"),
    Column("bad", Kind.NUMBER, heading="θ"),
    Column("needed", Kind.NUMBER, heading="votes"),
    Column("right", Kind.NUMBER),
    Column("lost", Kind.NUMBER),
    Column("noticed", Kind.NUMBER),
    Column("silent", Kind.NUMBER, heading="silently wrong"),
    Column("attempts", Kind.NUMBER, heading="attempts, mean"),
    Column("steps", Kind.NUMBER, heading="steps, mean"),
    Column("bound", Kind.NUMBER, heading="wrong at most, δ"),
)
_NOTE: Final = (
    "*Right*: dynamics, encoder and current state are right, judged by the most likely "
    "transitions. *Lost*: dynamics and encoder are right, but the world is in another state at the "
    "end. *Noticed*: not accepted. Every p uses the same seeds."
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How the runs of a cell ended, with and without the self-check."""

    cell: Cell
    ended: Counter[str]
    checked: Counter[str]
    slipped: int
    """The number of runs in which a step slipped."""
    steps: float
    attempts: float

    @property
    def runs(self) -> int:
        return self.ended.total()


def ended_cells(rows: Mapping[str, Row], *, voted: bool) -> list[Ended]:
    """The cells that have runs, in order."""
    found = [(cell, [rows[key] for key in cell.keys if key in rows]) for cell in CELLS]
    return [_ended(cell, blocks) for cell, blocks in found if blocks and cell.voted is voted]


def _ended(cell: Cell, blocks: list[Row]) -> Ended:
    slipped = _numbers(blocks, "slips")
    return Ended(
        cell,
        Counter("".join(str(block["ended"]) for block in blocks)),
        Counter("".join(str(block["checked"]) for block in blocks)),
        sum(1 for each in slipped if each),
        mean(_numbers(blocks, "steps")),
        mean(_numbers(blocks, "attempts")),
    )


def _numbers(blocks: list[Row], name: str) -> list[int]:
    lists = [of for block in blocks if isinstance(of := block[name], list)]
    return [each for of in lists for each in of if isinstance(each, int)]


def _counts(found: Counter[str]) -> tuple[int, int, int, int]:
    return (
        found[Fate.RIGHT.value],
        found[Fate.LOST.value],
        found[Fate.NOTICED.value],
        found[Fate.SILENT.value],
    )


def once_table(rows: Mapping[str, Row]) -> Table:
    """Single runs, with the bound of claim S.S01."""
    listed = []
    for one in ended_cells(rows, voted=False):
        cell = one.cell
        bound = cell.setting.delta + cell.rate * cell.setting.most_steps
        listed.append(
            (
                cell.setting.title,
                _short(cell.rate),
                one.runs,
                one.slipped,
                *_counts(one.ended),
                *_counts(one.checked),
                _rounded_up(min(Fraction(1), bound)),
            )
        )
    return Table("Slips: one run of located STEEL", _ONCE, tuple(listed), (_NOTE,))


def voted_table(rows: Mapping[str, Row]) -> Table:
    """Runs with several attempts that vote, with the guaranteed bound."""
    listed = []
    for one in ended_cells(rows, voted=True):
        cell, delta = one.cell, one.cell.setting.delta
        bad = slips(cell.rate, cell.setting.attempt_steps).bad_attempt(delta)
        listed.append(
            (
                cell.setting.title,
                _short(cell.rate),
                one.runs,
                cell.setting.attempt_steps,
                _rounded_up(bad),
                votes_needed(bad, delta, 1),
                *_counts(one.checked),
                f"{one.attempts:.2f}",
                f"{one.steps:,.0f}",
                str(delta),
            )
        )
    notes = ("*Votes*: the score that the first candidate needs.",)
    return Table("Slips: attempts that vote", _VOTED, tuple(listed), notes)


def slips_page(rows: Mapping[str, Row]) -> str:
    """The content of SLIPS.md."""
    parts = [_HEAD]
    for table in (once_table(rows), voted_table(rows)):
        parts += [f"## {table.title}\n", as_markdown(table), *table.notes, ""]
    return "\n".join(parts)


def _short(rate: Fraction) -> str:
    """The slip probability as a power of ten."""
    digit, exponent = f"{float(rate):.0e}".split("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if digit == "1" else f"{digit}·10{raised}"


def _rounded_up(chance: Fraction) -> str:
    """A chance in thousandths, rounded up."""
    return f"{-(-chance * 1000 // 1) / 1000:.3f}"
