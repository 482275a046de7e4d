"""`steel audit`: every number behind the bounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from steel_verified.cli.arguments import json_option, whole
from steel_verified.cli.console import report
from steel_verified.cli.options import Chosen, own_parameters, parameter_options
from steel_verified.evidence.files import require_outputs
from steel_verified.experiments.registry import NAMES, preset
from steel_verified.reports.audit import AUDITS, as_json, as_parts
from steel_verified.reports.method_tables import recorded_exploring
from steel_verified.theory.parameters import Extent, largest_extent


@click.command(
    "audit",
    epilog="Exit codes: 0 printed, 2 an argument is missing or not allowed.",
)
@click.option(
    "--preset",
    "name",
    metavar="NAME",
    help=f"Start from an experiment of the paper: {', '.join(NAMES)} (two primes P < Q). "
    "Other options override it.",
)
@click.option(
    "--method",
    type=click.Choice([*AUDITS]),
    default="looped",
    show_default=True,
    help="The paper's algorithm, or located STEEL, which needs neither |F| nor D̂.",
)
@parameter_options
@click.option(
    "--states", type=whole(), help="|S|, the true number of states [as many as N allows]."
)
@click.option(
    "--diameter", type=whole(), help="D, their true diameter [as large as D̂ and |S| allow]."
)
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a page for the browser, with formulas, claims and sliders, for both methods.",
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --html: audit the run of this certificate, with the parameters stored in it.",
)
@json_option
def audit_command(
    *,
    name: str | None,
    page: Path | None,
    certificate: Path | None,
    method: str,
    states: int | None,
    diameter: int | None,
    for_program: bool,
    parameters: Chosen,
) -> None:
    """Show every number behind STEEL's bounds: symbols, how δ is divided, and steps.

    Without options, the command audits the paper's combination lock with 20 states. It runs
    nothing and rounds nothing: counts are exact integers, logarithms are enclosed in intervals.

    \b
    Examples:
      steel audit --preset multi-maze
      steel audit --preset double-prime-11-13 --delta 1/1000
      steel audit --method located --preset multi-maze
      steel audit --html audit.html
      steel audit --certificate lock.json --html lock.html
      steel audit --actions 2 --max-states 30 --max-diameter 30 --mixing-time 40 \\
        --class-size 512 --delta 0.05 --epsilon 0.05 --states 20 --diameter 19
    """
    if certificate is not None:
        _show_certificate(certificate, page, others=bool(name or parameters or states or diameter))
        return
    require_outputs(html=page)
    if name is None and not parameters:
        name = NAMES[0]
    if name is None:
        given = own_parameters(
            parameters, "a --preset to start from", with_class=method == "looped"
        )
        extent = largest_extent(given, states=states)
    else:
        setting = preset(name)
        given = replace(setting.parameters, **parameters)
        extent = setting.extent
        if states is not None:
            extent = largest_extent(given, states=states)
    if diameter is not None:
        extent = Extent(extent.states, diameter)
    if page is not None:
        # Imported here because loading the strengths of the claims takes a second.
        from steel_verified.cli.audit_pages import write_audit_page  # noqa: PLC0415

        write_audit_page(page, given, extent)
        click.echo(f"Wrote {page}: open it in a browser.")
        return
    measured = recorded_exploring(name) if name is not None and not parameters else None
    audit = AUDITS[method](given, extent, measured)
    report(as_json(audit), as_parts(audit), for_program=for_program)


def _show_certificate(certificate: Path, page: Path | None, *, others: bool) -> None:
    """Write the audit page of the run that the certificate records."""
    if page is None:
        raise click.UsageError("--certificate needs --html FILE; steel check prints the verdict")
    if others:
        raise click.UsageError("--certificate contains its own parameters: give no others")
    from steel_verified.cli.audit_pages import certificate_in, write_run_page  # noqa: PLC0415

    require_outputs(html=page)
    write_run_page(page, certificate_in(certificate), str(certificate))
    click.echo(f"Wrote {page}: open it in a browser.")
