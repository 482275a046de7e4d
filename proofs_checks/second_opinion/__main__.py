"""python -m proofs_checks.second_opinion: a table of what agrees; exits with 1 if not all does."""

from __future__ import annotations

import click

from proofs_checks.proofs import chains, theories
from proofs_checks.second_opinion.agreement import (
    Disagreement,
    OfProof,
    OfTheory,
    asked,
    of_proof,
    of_theory,
)
from proofs_checks.second_opinion.obligations import arithmetic
from steel_verified.errors import SteelError


@click.command
@click.option("--draws", default=20, show_default=True, help="Instances of each proof about sums.")
def main(draws: int) -> None:
    """Ask z3 and cvc5 about all theories, and evaluate all proofs about sums."""
    try:
        against = [*asked("arithmetic", arithmetic()), *_theories(), *_proofs(draws)]
    except SteelError as missing:
        raise click.ClickException(str(missing)) from missing
    for each in against:
        click.echo(str(each))
    if against:
        raise click.ClickException(f"{len(against)} disagreements")
    click.echo("All agree.")


def _theories() -> list[Disagreement]:
    """A row for each theory: obligations, those on which both solvers agree, models, time."""
    click.echo(f"{'theory':28} steps readings agreed  model by z3, cvc5    CPU")
    found = list[OfTheory]()
    for name, theory in theories().items():
        row = of_theory(name, theory)
        found.append(row)
        model = ", ".join(row.model.values())
        click.echo(
            f"{name:28} {row.steps:5} {row.readings:8} {row.agreed:6}  {model:16} "
            f"{row.seconds:6.2f} s"
        )
    click.echo(
        f"{'in all':28} {sum(row.steps for row in found):5} {sum(row.readings for row in found):8} "
        f"{sum(row.agreed for row in found):6}  {'':16} {sum(row.seconds for row in found):6.2f} s"
    )
    return [one for row in found for one in row.against]


def _proofs(draws: int) -> list[Disagreement]:
    """A row for each file of proofs about sums: proofs, lines, evaluations, false ones, time."""
    click.echo(f"\n{'proofs about sums':28} proofs lines evaluated false      CPU")
    files: dict[str, list[OfProof]] = {}
    for name in chains.templates():
        files.setdefault(name.partition(".")[0], []).append(of_proof(name, draws))
    files["in all"] = [row for rows in files.values() for row in rows]
    for file, rows in files.items():
        click.echo(
            f"{file:28} {len(rows):6} {sum(row.lines for row in rows):5} "
            f"{sum(row.evaluations for row in rows):9} {sum(len(row.against) for row in rows):5} "
            f"{sum(row.seconds for row in rows):6.2f} s"
        )
    return [one for row in files["in all"] for one in row.against]


if __name__ == "__main__":
    main(prog_name="python -m proofs_checks.second_opinion")
