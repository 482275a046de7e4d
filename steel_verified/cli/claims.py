"""`steel claims`: check each claim of the paper at the strength that it declares."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofs_checks.claim_text import told
from proofs_checks.formal import formal
from proofs_checks.kernels.evidence import Strength
from proofs_checks.pages import errata_page
from proofs_checks.registry import all_claims
from proofs_checks.running import Result, run, run_all
from proofs_checks.tree import TREES, tree_of
from proofs_checks.tree_text import as_lines, as_plain
from steel_verified.cli.console import require_reader, show, show_json
from steel_verified.cli.numbers import whole
from steel_verified.cli.workers import MOST_JOBS
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.files import require_outputs, write_atomically
from steel_verified.progress import progress_bar
from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from proofs_checks.claim import Claim
    from proofs_checks.tree import Tree
    from steel_verified.evidence.codec import Json
    from steel_verified.reports.tables import Part

_STRENGTHS = [strength.name.lower() for strength in Strength]


@click.command(
    "claims",
    epilog="Exit codes: 0 all earned, 1 a claim falls short, 2 usage or no such claim.",
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--section", help="Only claims of sections whose name contains this.")
@click.option("--strength", type=click.Choice(_STRENGTHS), help="Only claims of this strength.")
@click.option("--errata", is_flag=True, help="Only printed statements that do not hold.")
@click.option("--jobs", type=whole(1, MOST_JOBS), default=os.cpu_count(), help="Processes to use.")
@click.option(
    "--errata-page", "page", is_flag=True, help="Print the page of errata; check nothing."
)
@click.option(
    "--tree", "tree", type=click.Choice(list(TREES)), help="Show all claims a theorem rests on."
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --tree: draw the tree as .svg, .pdf or .png.",
)
@click.option("--json", "for_program", is_flag=True, help="Print JSON, for programs.")
def claims_command(
    *,
    ids: tuple[str, ...],
    section: str | None,
    strength: str | None,
    errata: bool,
    jobs: int,
    page: bool,
    tree: str | None,
    picture: Path | None,
    for_program: bool,
) -> None:
    """Check the claims of the paper. The command fails if a claim is weaker than it declares.

    \b
    proved     a symbolic identity, or a certificate for all integers or reals
    enclosed   rigorous interval arithmetic over the whole range
    computed   arithmetic on the numbers of one instance, exactly
    exhausted  all instances up to a stated size
    argued     parts are checked; the full statement goes beyond these parts
    exact      rational arithmetic on generated instances

    \b
    Examples:
      steel claims --section "Lemma 2"
      steel claims A26 G33
      steel claims --errata
      steel claims --tree theorem
      steel claims --tree located --picture located.svg
    """
    if page:
        click.echo(errata_page(all_claims()), nl=False)
        return
    if picture and tree is None:
        raise click.UsageError("--picture needs --tree.")
    if tree is not None:
        _show_tree(TREES[tree], picture, for_program=for_program)
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
    if not for_program and not ids:
        click.echo(f"Checking {counted(len(chosen), 'claim')}; the table follows.\n")
    results = _checked(chosen, jobs)
    if for_program:
        show_json([_plain(claim, results[claim.id]) for claim in chosen])
    else:
        show(_parts(chosen, results, in_detail=bool(ids)))
    if any(result.earned is None for result in results.values()):
        raise SystemExit(1)


def _show_tree(identifier: str, picture: Path | None, *, for_program: bool) -> None:
    """Check the claim, and show the claims that it rests on."""
    require_outputs(picture=picture)
    if picture is not None:
        # Imported here because it needs an extra and takes a second to load.
        from steel_verified.reports.figures.style import FORMATS  # noqa: PLC0415

        if picture.suffix.lower() not in FORMATS:
            raise InvalidArgument("picture", picture, f"a name that ends in {', '.join(FORMATS)}")
    (claim,) = (claim for claim in all_claims() if claim.id == identifier)
    result = run(identifier)
    if result.earned is None:
        click.echo(result.how, err=True)
        raise SystemExit(1)
    found = tree_of(claim)
    if picture is not None:
        _draw(found, picture)
    elif for_program:
        show_json(as_plain(found))
    else:
        click.echo("\n".join(as_lines(found)))


def _draw(found: Tree, picture: Path) -> None:
    # Imported here because they need an extra and take a second to load.
    from proofs_checks.tree_picture import tree_picture  # noqa: PLC0415
    from steel_verified.reports.figures.style import as_bytes  # noqa: PLC0415

    write_atomically(picture, as_bytes(tree_picture(found), picture.suffix))
    click.echo(f"Wrote {picture}.")


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
    return "corrected" if claim.erratum is not None else "earned"


def _plain(claim: Claim, result: Result) -> Json:
    found = formal(claim)
    plain: dict[str, Json] = {
        "id": claim.id,
        "lines": claim.lines,
        "section": claim.section,
        "says": claim.says,
        "assuming": claim.assuming,
        "shown": claim.shown,
        "tried": claim.tried,
        "beyond": claim.beyond,
        "formally": found.statements,
        "because": found.because,
        "symbols": found.symbols,
        "mistakes": [mistake.says for mistake in claim.mistakes],
        "file": claim.file,
        "rests": claim.rests,
        "tied": [asdict(tie) for tie in claim.tied],
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


_COLUMNS = (
    Column("section"),
    Column("id", Kind.CODE, style=Style.NAME),
    Column("lines", priority=1, style=Style.FAINT),
    Column("statement"),
    Column("strength"),
    Column("seconds", Kind.NUMBER, priority=2, style=Style.FAINT, heading="s"),
)
_STYLES = {"falls short": Style.BAD, "corrected": Style.ODD, "earned": Style.PLAIN}


def _parts(chosen: list[Claim], results: dict[str, Result], *, in_detail: bool) -> list[Part]:
    if in_detail:
        parts: list[Part] = [_detail(claim, results[claim.id]) for claim in chosen]
    else:
        parts = [_table(chosen, results)]
    earned = Counter(claim.strength for claim in chosen)
    tally = ", ".join(f"{earned[s]} {s.name.lower()}" for s in Strength if earned[s])
    short = sum(result.earned is None for result in results.values())
    corrected = sum(claim.erratum is not None for claim in chosen)
    summary = (
        f"{counted(len(chosen), 'claim')}: {tally or 'none is chosen'}; {corrected} corrected, "
        f"{short} fall short."
    )
    return [*parts, Prose(summary)]


def _table(chosen: list[Claim], results: dict[str, Result]) -> Table:
    sections = list(dict.fromkeys(claim.section for claim in chosen))
    rows = []
    for claim in sorted(chosen, key=lambda claim: sections.index(claim.section)):
        result = results[claim.id]
        status = _status(claim, result)
        strength = claim.strength.name.lower()
        shown = strength if status == "earned" else f"{strength}, {status}"
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


def _detail(claim: Claim, result: Result) -> Prose:
    return Prose("\n".join(told(claim, result, _status(claim, result))))
