"""The files that `steel learn` writes when a run has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from proofs_checks.checker.files import LARGEST_FILE
from steel_verified.evidence.files import write_or_rescue
from steel_verified.learning.findings import findings_as_bytes
from steel_verified.reports.model_files import as_bytes, partial_as_bytes
from steel_verified.worlds.runs import FallbackRun, LocatedRun, Run

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.learning.results import GivenUp


def write_files(
    went: Run | LocatedRun | FallbackRun | GivenUp,
    world: str,
    model: Path | None,
    certificate: Path | None,
    findings: Path | None,
) -> None:
    """Write the requested files, or print why one of them is not written."""
    if model is not None:
        if isinstance(went, (Run, LocatedRun, FallbackRun)):
            functions = went.chosen.simulation.functions()
            content: bytes | None = as_bytes(went.learned, functions, model.suffix)
        else:
            content = partial_as_bytes(went.model, model.suffix)
        if content is None:
            told = "was not written: .json needs a complete model; use .dot or .graphml"
            click.echo(f"{model} {told}.", err=True)
        else:
            write_or_rescue(model, content)
    if certificate is not None:
        if isinstance(went, (Run, LocatedRun)):
            evidence = went.certificate()
            write_or_rescue(certificate, evidence)
            if len(evidence) > LARGEST_FILE:
                told = (
                    f"has {len(evidence):,} bytes, and steel check reads {LARGEST_FILE:,} at most"
                )
                click.echo(f"{certificate} {told}: a larger ε needs fewer rows.", err=True)
        else:
            click.echo(f"{certificate} was not written: the run gave up.", err=True)
    if findings is not None:
        if isinstance(went, (Run, LocatedRun, FallbackRun)):
            click.echo(f"{findings} was not written: the run was accepted.", err=True)
        else:
            write_or_rescue(findings, findings_as_bytes(went, world))
