"""`steel proofs`: recheck the Coq proofs on this machine."""

from __future__ import annotations

from datetime import UTC, datetime
from time import perf_counter

import click

from proofs_checks.claims import all_claims
from proofs_checks.recheck import TARGETS, Failed, asked, make, missing
from proofs_checks.theorems import (
    COQ,
    STATEMENTS,
    Recheck,
    Recorded,
    record_recheck,
    recorded,
    written,
)


@click.command(
    "proofs",
    epilog="Exit codes: 0 all proofs were rechecked; 1 a proof fails, a theorem has axioms, the "
    "recorded statements differ, or a package is missing.",
)
def proofs_command() -> None:
    """Recheck the Coq proofs on this machine.

    This compiles `proofs_checks/coq`, runs coqchk, builds the extracted checkers, and asks Coq for
    the statement and the axioms of every theorem that a claim names. The answers are compared with
    `statements.json`, which is rewritten if they differ. It takes some minutes and installs
    nothing.
    """
    if packages := missing():
        click.echo(
            "Missing to recheck the Coq proofs:\n"
            f"  Debian: apt-get install {' '.join(debian for debian, _ in packages)}\n"
            f"  opam:   opam install {' '.join(opam for _, opam in packages)}",
            err=True,
        )
        raise SystemExit(1)
    began = perf_counter()
    try:
        for target in TARGETS:
            click.echo(f"make -C proofs_checks/coq {target}")
            make(target, COQ)
        found = asked((name for claim in all_claims() for name in claim.coq), COQ)
    except Failed as failed:
        click.echo(str(failed), err=True)
        raise SystemExit(1) from None
    _report(found, round(perf_counter() - began))


def _report(found: Recorded, seconds: int) -> None:
    """Print the theorems with their axioms, compare, and record the recheck."""
    width = max(map(len, found.theorems), default=0)
    for name, each in found.theorems.items():
        click.echo(f"{name:{width}}  {', '.join(each.assumptions) or 'no axioms'}")
    differing = sorted(
        name
        for name in {*found.theorems, *recorded(COQ).theorems}
        if found.theorems.get(name) != recorded(COQ).theorems.get(name)
    )
    before = (COQ / STATEMENTS).read_text("utf-8") if (COQ / STATEMENTS).exists() else ""
    (COQ / STATEMENTS).write_text(written(found), encoding="utf-8")
    if any(each.assumptions for each in found.theorems.values()):
        click.echo("A theorem rests on axioms, so it does not count.", err=True)
        raise SystemExit(1)
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    record_recheck(Recheck(when, found.sources, found.coq, len(found.theorems), seconds))
    if before != written(found):
        changed = ", ".join(differing) or "the digest of the .v files"
        click.echo(f"{STATEMENTS} was out of date and is rewritten: {changed}.", err=True)
        raise SystemExit(1)
    click.echo(
        f"{len(found.theorems)} theorems, without axioms, as {STATEMENTS} says ({seconds} s)."
    )
