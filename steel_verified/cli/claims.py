"""`steel claims`: run everything that shows a claim of the paper."""

from __future__ import annotations

from collections import Counter
from itertools import count
from textwrap import fill
from typing import TYPE_CHECKING

import click

from proofs_checks.checks.evidence import Strength
from proofs_checks.claims import Claim, all_claims
from proofs_checks.pages import errata_page, in_words, statements
from proofs_checks.running import Result, run_all
from proofs_checks.theorems import recheck_status
from steel_verified.cli.arguments import jobs_option, json_option
from steel_verified.cli.console import report, require_reader
from steel_verified.progress import progress_bar
from steel_verified.reports.tables import Cell, Column, Kind, Part, Prose, Style, Table
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json

_STATED = ("id", "lines", "section", "says", "assuming", "coq", "shown", "tried", "beyond")
_ERRATUM = ("printed", "counterexample", "corrected", "consequence")
"""The fields of a claim, and of an erratum, that are printed as JSON."""
_STRENGTHS = [strength.name.lower() for strength in Strength]


@click.command(
    "claims",
    epilog="Exit codes: 0 all as stated, 1 a claim falls short, 2 usage or no such claim.",
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--section", help="Only claims of sections whose name contains this.")
@click.option("--strength", type=click.Choice(_STRENGTHS), help="Only claims of this strength.")
@click.option("--errata", is_flag=True, help="Only printed statements that do not hold.")
@jobs_option
@click.option(
    "--errata-page", "page", is_flag=True, help="Print the page of errata; check nothing."
)
@json_option
def claims_command(
    *,
    ids: tuple[str, ...],
    section: str | None,
    strength: str | None,
    errata: bool,
    jobs: int,
    page: bool,
    for_program: bool,
) -> None:
    """Show how each claim of the paper is shown. The command fails if a check or a proof fails.

    \b
    proved     a theorem that Coq checks, without axioms
    identity   exact algebra, for all values
    enclosed   rigorous interval arithmetic over the whole range
    exhausted  all instances up to a stated size
    computed   exact arithmetic on the numbers of one instance
    exact      exact arithmetic on some instances
    argued     a part of the sentence is not shown; the claim says which

    The checks are run. The Coq proofs are not run by this command: it reads the statements that
    `make proofs` (or `steel proofs`) has recorded, and says whether that was done on this machine.

    \b
    Examples:
      steel claims --section "Lemma 2"
      steel claims A26 G33
      steel claims --strength proved
      steel claims --errata
    """
    if page:
        click.echo(errata_page(all_claims()), nl=False)
        return
    if unknown := set(ids) - {claim.id for claim in all_claims()}:
        raise click.UsageError(f"No such claim: {', '.join(sorted(unknown))}.")
    chosen = [
        claim
        for claim in all_claims()
        if (not ids or claim.id in ids)
        and (section is None or section.lower() in claim.section.lower())
        and (strength is None or claim.label == strength)
        and (not errata or claim.erratum is not None)
    ]
    if not for_program and not ids:
        click.echo(f"Checking {counted(len(chosen), 'claim')}; the table follows.\n")
    results = _checked(chosen, jobs)
    plain = [_plain(claim, results[claim.id]) for claim in chosen]
    report(plain, _parts(chosen, results, in_detail=bool(ids)), for_program=for_program)
    if any(result.earned is None for result in results.values()):
        raise SystemExit(1)


def _checked(chosen: list[Claim], jobs: int) -> dict[str, Result]:
    done = count(1)

    def one_more(_: Result) -> None:
        require_reader()
        show_progress(next(done), len(chosen))

    with progress_bar("claims checked", len(chosen)) as show_progress:
        return run_all(chosen, jobs, one_more)


def _status(claim: Claim, result: Result) -> str:
    if result.earned is None:
        return "falls short"
    return "corrected" if claim.erratum is not None else "as stated"


def _plain(claim: Claim, result: Result) -> Json:
    plain: dict[str, Json] = {name: getattr(claim, name) for name in _STATED}
    plain |= {
        "statements": statements(claim),
        "mistakes": [mistake.says for mistake in claim.mistakes],
        "file": claim.file,
        "strength": claim.label,
        "status": _status(claim, result),
        "how": result.how,
        "seconds": round(result.seconds, 3),
    }
    if claim.erratum is not None:
        plain |= {name: getattr(claim.erratum, name) for name in _ERRATUM}
    return plain


_COLUMNS = (
    Column("section"),
    Column("id", Kind.CODE, style=Style.NAME),
    Column("lines", priority=1, style=Style.FAINT),
    Column("statement"),
    Column("strength"),
    Column("seconds", Kind.NUMBER, priority=2, style=Style.FAINT, heading="s"),
)
_STYLES = {"falls short": Style.BAD, "corrected": Style.ODD, "as stated": Style.PLAIN}


def _parts(chosen: list[Claim], results: dict[str, Result], *, in_detail: bool) -> list[Part]:
    parts: list[Part] = [_table(chosen, results)]
    if in_detail:
        each = ((claim, results[claim.id]) for claim in chosen)
        parts = [Prose("\n".join(in_words(*one, _status(*one)))) for one in each]
    counts = Counter(claim.label for claim in chosen)
    tally = ", ".join(
        f"{counts[label]} {label}" for label in (*_STRENGTHS, "not shown") if counts[label]
    )
    short = sum(result.earned is None for result in results.values())
    corrected = sum(claim.erratum is not None for claim in chosen)
    summary = (
        f"{counted(len(chosen), 'claim')}: {tally or 'none is chosen'}; {corrected} corrected, "
        f"{short} fall short."
    )
    return [*parts, Prose(summary), Prose(fill(recheck_status(), 80))]


def _table(chosen: list[Claim], results: dict[str, Result]) -> Table:
    sections = list(dict.fromkeys(claim.section for claim in chosen))
    rows = []
    for claim in sorted(chosen, key=lambda claim: sections.index(claim.section)):
        result = results[claim.id]
        status = _status(claim, result)
        shown = claim.label if status == "as stated" else f"{claim.label}, {status}"
        rows.append(
            (
                claim.section,
                claim.id,
                claim.lines,
                claim.says,
                Cell(shown, shown, _STYLES[status]),
                f"{result.seconds:.2f}",
            )
        )
    return Table("", _COLUMNS, tuple(rows), grouped=True)
