"""A run told plan by plan: how it was predicted, or how it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from steel_verified.learning.ledger import Ran
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.ledger import Ledger
    from steel_verified.learning.plans import Word
    from steel_verified.theory.parameters import Extent, Parameters

_SHOWN = 24


@dataclass(frozen=True, slots=True)
class CallSummary:
    """One call of CycleFind."""

    word: Word
    period: int
    steps: int
    new_states: int
    new_transitions: int


@dataclass(frozen=True, slots=True)
class Story:
    """What a ledger tells: the calls of phase 1, and the tour of phase 2, if there was one."""

    calls: tuple[CallSummary, ...]
    tour: Ran | None
    phase1: int
    phase2: int
    verdicts: int
    spent: str

    @property
    def steps(self) -> int:
        return self.phase1 + self.phase2


def story(ledger: Ledger) -> Story:
    """Read a ledger."""
    calls = tuple(_calls(ledger))
    phase1 = sum(call.steps for call in calls)
    tours = [row for row in ledger.rows if isinstance(row, Ran) and row.start >= phase1]
    return Story(
        calls=calls,
        tour=tours[0] if tours else None,
        phase1=phase1,
        phase2=ledger.steps - phase1,
        verdicts=ledger.verdicts,
        spent=decimal_above(ledger.budget.spent),
    )


def _calls(ledger: Ledger) -> Iterator[CallSummary]:
    for call in ledger.calls():
        new = len(call.added.transitions)
        yield CallSummary(call.word, call.period, call.steps, len(call.kept), new)


def as_json(told: Story, parameters: Parameters, extent: Extent) -> Json:
    """The story as plain data."""
    return {
        "steps": told.steps,
        "phase1": told.phase1,
        "phase2": told.phase2,
        "calls": len(told.calls),
        "states": extent.states,
        "diameter": extent.diameter,
        "bound": total_bound(paper(parameters), extent),
        "budget_spent": told.spent,
        "plans": [
            {
                "word": list(call.word),
                "period": call.period,
                "steps": call.steps,
                "new_states": call.new_states,
                "new_transitions": call.new_transitions,
            }
            for call in told.calls
        ],
        "tour": [] if told.tour is None else list(told.tour.plan.word),
    }


def as_text(told: Story, name: str, parameters: Parameters, extent: Extent) -> RenderableType:
    """The story as a person reads it."""
    bound = total_bound(paper(parameters), extent)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("call", justify="right")
    table.add_column("word â", style="cyan", no_wrap=True)
    for title in ("|â|", "n_cyc", "new states", "new transitions", "steps", "so far"):
        table.add_column(title, justify="right", no_wrap=True)
    so_far = 0
    for number, call in enumerate(told.calls, start=1):
        so_far += call.steps
        table.add_row(
            str(number),
            _shortened(call.word),
            str(len(call.word)),
            str(call.period),
            str(call.new_states or "·"),
            str(call.new_transitions),
            f"{call.steps:,}",
            f"{so_far:,}",
        )
    if told.tour is not None:
        cycle = told.tour.plan.word
        table.add_section()
        table.add_row(
            "tour",
            _shortened(cycle),
            str(len(cycle)),
            "",
            "",
            "",
            f"{told.phase2:,}",
            f"{told.steps:,}",
        )
    headline = Text.assemble(
        (f"{told.steps:,} steps", "bold green"),
        f" on {name}: |S| = {extent.states}, D = {extent.diameter}. Whatever the noise, unless a "
        f"verdict is wrong (chance at most δ = {parameters.delta}).",
    )
    summary = Text.assemble(
        f"Phase 1 takes {told.phase1:,} steps in {len(told.calls)} calls of CycleFind, phase 2 "
        f"{told.phase2:,}.\nThe bound of Theorem 1 is {bound:,}: the run takes ",
        (f"{100 * told.steps / bound:.2f} %", "bold"),
        f" of it, and spends {told.spent} of δ.",
    )
    return Group(headline, table, summary)


def _shortened(word: Word) -> str:
    """The first actions of a word."""
    separator = "" if max(word, default=0) < 10 else " "
    shown = separator.join(str(action) for action in word[:_SHOWN])
    return shown + ("…" if len(word) > _SHOWN else "")
