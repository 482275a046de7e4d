"""The files of `steel learn`: which go together, and what is written when a run has ended."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from proofs_checks.checker.reading import LARGEST_FILE
from steel_verified.cli.options import FILES, RunFiles
from steel_verified.errors import (
    InvalidArgument,
    Unreadable,
    Unsaved,
    is_installed,
    missing_extra,
)
from steel_verified.evidence.checkpoint import read_checkpoint
from steel_verified.evidence.files import require_outputs, write_or_rescue
from steel_verified.learning.results import Accepted, Result
from steel_verified.learning.saved_models import model_as_bytes, saved
from steel_verified.learning.self_check.findings import findings_as_bytes
from steel_verified.using.exports import as_dot, as_graphml
from steel_verified.worlds.checkpoints import Checkpoints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from steel_verified.classes.saving import SavedClass

_OF_ONE_RUN: Final = {
    "certificate": "certificate",
    "html": "certificate, from which the page is made",
    "findings": "file of findings",
    "checkpoint": "checkpoint",
    "resume": "checkpoint",
}
"""What only a single run of one algorithm has."""
_SUFFIXES: Final = (".json", ".dot", ".graphml")


def require_files(files: RunFiles, method: str) -> Checkpoints:
    """Refuse files that cannot be written, or hold no such run. Return where the run is kept."""
    for name in FILES:
        if (file := files[name]) is None:
            continue
        if method == "all":
            raise InvalidArgument(name, file, "one --method: a file holds one run")
        if method == "fallback" and (has_no := _OF_ONE_RUN.get(name)) is not None:
            expected = f"no --method fallback: a run of two algorithms has no {has_no}"
            raise InvalidArgument(name, file, expected)
    model = files["model"]
    if model is not None and model.suffix.lower() not in _SUFFIXES:
        raise InvalidArgument("model", model, "a name that ends in " + ", ".join(_SUFFIXES))
    if files["html"] is not None and not is_installed("sympy"):
        raise missing_extra("audit", ModuleNotFoundError(name="sympy"))
    if files["resume"] is not None:
        try:
            read_checkpoint(files["resume"])  # before anything is computed
        except Unreadable as error:
            raise click.UsageError(str(error)) from None
    written = files["resume"] if files["checkpoint"] is None else files["checkpoint"]
    require_outputs(
        model=files["model"],
        certificate=files["certificate"],
        html=files["html"],
        findings=files["findings"],
        checkpoint=written,
    )
    return Checkpoints(written, files["resume"])


def write_files(
    result: Result,
    files: RunFiles,
    functions: SavedClass | None,
    evidence: Callable[[Accepted], bytes],
    world: str,
) -> None:
    """Write the files that were asked for, or say why one of them is not written."""
    learned = result if isinstance(result, Accepted) else None
    known = result.model, None if learned is None else learned.current
    if (model := files["model"]) is not None:
        if model.suffix.lower() == ".dot":
            write_or_tell(model, as_dot(*known).encode())
        elif model.suffix.lower() == ".graphml":
            write_or_tell(model, as_graphml(result.model))
        elif learned is not None:
            write_or_tell(model, model_as_bytes(saved(learned, functions)))
        else:
            told = "was not written: .json needs a complete model; use .dot or .graphml"
            click.echo(f"{model} {told}.", err=True)
    if learned is not None and (files["certificate"] or files["html"]):
        write_evidence(evidence(learned), files)
    for name in ("certificate", "html"):
        if learned is None and (file := files[name]) is not None:
            click.echo(f"{file} was not written: the run gave up.", err=True)
    if (findings := files["findings"]) is not None:
        if isinstance(result, Accepted):
            click.echo(f"{findings} was not written: the run was accepted.", err=True)
        else:
            write_or_tell(findings, findings_as_bytes(result, world))


def write_evidence(evidence: bytes, files: RunFiles) -> None:
    """Write the certificate of a run, and the page that is made from it."""
    if (certificate := files["certificate"]) is not None:
        write_or_tell(certificate, evidence)
        if len(evidence) > LARGEST_FILE:
            text = f"has {len(evidence):,} bytes, and steel check reads {LARGEST_FILE:,} at most"
            click.echo(f"{certificate} {text}: a larger ε needs fewer rows.", err=True)
    if (page := files["html"]) is not None:
        # Loaded late: the strengths of claims take a second to load.
        from steel_verified.cli.audit_pages import write_run_page  # noqa: PLC0415

        with told_if_unsaved(page):
            write_run_page(page, evidence, "the certificate of this run")
            click.echo(f"Wrote {page}: open it in a browser.", err=True)


def write_or_tell(path: Path, data: bytes) -> None:
    """Write a file, or else into the system's temporary folder, and say so."""
    with told_if_unsaved(path):
        write_or_rescue(path, data)


@contextmanager
def told_if_unsaved(path: Path) -> Iterator[None]:
    """If a file cannot be written, say so. What was learned is shown all the same."""
    try:
        yield
    except InvalidArgument as error:
        told = f"{path} was not written: expected {error.expected}"
        warnings.warn(told, Unsaved, stacklevel=2)
