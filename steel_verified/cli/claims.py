"""`steel claims`: the claims of the paper, each checked as strongly as we can."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from proofs_checks.kernels.evidence import Strength
from proofs_checks.pages import errata_page
from proofs_checks.registry import all_claims
from proofs_checks.running import Result, run_all
from steel_verified.cli.console import console

if TYPE_CHECKING:
    from rich.console import RenderableType

    from proofs_checks.claim import Claim
    from steel_verified.evidence.codec import Json

_STRENGTHS = [strength.name.lower() for strength in Strength]


@click.command(
    "claims", epilog="Exit codes: 0 all earned, 1 a claim falls short, 2 usage or no such claim."
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--section", help="Only claims of sections whose name contains this.")
@click.option("--strength", type=click.Choice(_STRENGTHS), help="Only claims of this strength.")
@click.option("--errata", is_flag=True, help="Only printed statements that do not hold.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count(), help="Processes to use.")
@click.option(
    "--errata-page", "page", is_flag=True, help="Print the page of errata; check nothing."
)
@click.option("--json", "for_program", is_flag=True, help="Print JSON for a program.")
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
    """Check the claims of the paper: each earns the strength it declares, or this fails.

    \b
    proved     a symbolic identity, or a certificate for all integers or reals
    enclosed   rigorous interval arithmetic over the whole range
    exhausted  all instances up to a stated size
    exact      rational arithmetic on generated instances
    sampled    floating point or Monte Carlo (never called verified)
    assumed    a hypothesis of the paper

    \b
    Examples:
      steel claims --section "Lemma 2"
      steel claims A26 G33
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
        and (strength is None or claim.strength.name.lower() == strength)
        and (not errata or claim.erratum is not None)
    ]
    results = _checked(chosen, jobs)
    if for_program:
        click.echo(json.dumps([_plain(c, results[c.id]) for c in chosen], indent=2))
    else:
        console().print(_text(chosen, results, in_detail=bool(ids)))
    if any(result.earned is None for result in results.values()):
        raise SystemExit(1)


def _checked(chosen: list[Claim], jobs: int) -> dict[str, Result]:
    shown = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=shown,
        transient=True,
        disable=not shown.is_terminal,
    ) as progress:
        task = progress.add_task("claims checked", total=len(chosen))
        return run_all(chosen, jobs, lambda _: progress.advance(task))


def _status(claim: Claim, result: Result) -> str:
    if result.earned is None:
        return "falls short"
    return "corrected" if claim.erratum is not None else "earned"


def _plain(claim: Claim, result: Result) -> Json:
    plain: dict[str, Json] = {
        "id": claim.id,
        "lines": claim.lines,
        "section": claim.section,
        "statement": claim.statement,
        "assumptions": claim.assumptions,
        "strength": claim.strength.name.lower(),
        "status": _status(claim, result),
        "how": result.how,
        "seconds": round(result.seconds, 3),
    }
    if claim.erratum is not None:
        plain |= {
            "printed": claim.erratum.printed,
            "counterexample": claim.erratum.counterexample,
            "corrected": claim.erratum.corrected,
            "consequence": claim.erratum.consequence,
        }
    return plain


def _text(chosen: list[Claim], results: dict[str, Result], *, in_detail: bool) -> RenderableType:
    parts: list[RenderableType] = []
    if in_detail:
        parts += [_detail(claim, results[claim.id]) for claim in chosen]
    else:
        for name in dict.fromkeys(claim.section for claim in chosen):
            parts.append(_section(name, [c for c in chosen if c.section == name], results))
    counted = Counter(claim.strength for claim in chosen)
    tally = ", ".join(f"{counted[s]} {s.name.lower()}" for s in Strength if counted[s])
    short = sum(result.earned is None for result in results.values())
    corrected = sum(claim.erratum is not None for claim in chosen)
    parts.append(Text(f"{len(chosen)} claims: {tally}; {corrected} corrected, {short} fall short."))
    return Group(*parts)


def _section(name: str, claims: list[Claim], results: dict[str, Result]) -> Table:
    table = Table(
        title=f"\n{name}",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("id", style="cyan", no_wrap=True)
    table.add_column("lines", style="dim", no_wrap=True)
    table.add_column("statement")
    table.add_column("strength", no_wrap=True)
    table.add_column("s", justify="right", style="dim", no_wrap=True)
    for claim in claims:
        result = results[claim.id]
        status = _status(claim, result)
        style = {"falls short": "bold red", "corrected": "yellow"}.get(status, "")
        strength = claim.strength.name.lower()
        shown = strength if status == "earned" else f"{strength}, {status}"
        table.add_row(
            claim.id, claim.lines, claim.statement, Text(shown, style), f"{result.seconds:.2f}"
        )
    return table


def _detail(claim: Claim, result: Result) -> Text:
    lines = [
        f"{claim.id}  (l. {claim.lines}, {claim.section})",
        f"  {claim.statement}",
        *(f"  assuming {assumption}" for assumption in claim.assumptions),
        f"  {claim.strength.name.lower()}, {_status(claim, result)}: {result.how}",
    ]
    if claim.erratum is not None:
        lines += [
            f"  printed: {claim.erratum.printed}",
            f"  counterexample: {claim.erratum.counterexample}",
            f"  corrected: {claim.erratum.corrected}",
            f"  for the theorem: {claim.erratum.consequence}",
        ]
    return Text("\n".join([*lines, ""]))
