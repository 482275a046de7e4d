"""Formats a claim for 80 columns: its sentence, its formal statement, and the proof."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from proofs_checks.formal import formal
from proofs_checks.tree import rests_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.claim import Claim, Tie
    from proofs_checks.running import Result

_WIDTH: Final = 80


def told(claim: Claim, result: Result, status: str) -> Iterator[str]:
    """Return everything known about a claim, under headings; empty parts are omitted."""
    found = formal(claim)
    yield f"{claim.id}  {claim.strength.name.lower()}, {status}"
    yield from _wrapped(f"{claim.section}, l. {claim.lines} of the paper's source", "  ")
    yield f"  in {claim.file}"
    yield from _under("Sentence", [claim.says])
    yield from _under("Not replayed of it", filter(None, [claim.beyond]))
    yield from _under("Assuming", claim.assuming)
    if claim.erratum is not None:
        yield from _under("Printed in the paper", [claim.erratum.printed])
        yield from _under("Counterexample", [claim.erratum.counterexample])
        yield from _under("Corrected", [claim.erratum.corrected])
        yield from _under("For the theorem", [claim.erratum.consequence])
    yield from _under("Formal statement that is replayed", found.statements)
    yield from _under("Symbols, as the sources explain them", found.symbols)
    yield from _under("Why it follows", found.because)
    yield from _under("Rests on", filter(None, [", ".join(rests_on(claim))]))
    yield from _under("Tried beside it, on the program", claim.tried)
    for tie in claim.tied:
        yield from _under(f"Tied to the program: {tie.part}", _tied(tie))
    yield from _under("Mistakes that are refused", (each.says for each in claim.mistakes))
    yield from _under("What the kernels say", _how(claim, result))


def _how(claim: Claim, result: Result) -> Iterator[str]:
    yield from result.how.splitlines()
    if any(way.startswith("bound:") for way in claim.shown):
        yield "(_x_more ≥ 0 is what x exceeds its lower bound by; no coefficient is negative.)"


def _tied(tie: Tie) -> Iterator[str]:
    yield f"code: steel_verified/{tie.code}"
    for trial in tie.trials:
        yield f"tried by {trial} cases"
    for test in tie.tests:
        yield f"tested by {test}"
    yield f"covers {tie.size}"
    yield f"leaves open {tie.uncovered}"


def _under(heading: str, lines: Iterable[str]) -> Iterator[str]:
    """Return the lines under a heading; wrapped lines keep their indentation."""
    listed = list(lines)
    if listed:
        yield heading
    for line in listed:
        text = " ".join(line.split())
        yield from _wrapped(text, " " * (2 + len(line) - len(line.lstrip())))


def _wrapped(text: str, margin: str) -> list[str]:
    return wrap(
        text,
        _WIDTH,
        initial_indent=margin,
        subsequent_indent=f"{margin}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
