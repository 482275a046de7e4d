"""Rechecks the Coq proofs: compiles them, runs coqchk, and asks Coq what it has proved.

Coq answers for each theorem that a claim names: its statement as Coq prints it, and the axioms that
its proof uses. Nothing is installed; `missing` names the packages that are needed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from proofs_checks.theorems import Recorded, Theorem, digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TARGETS: Final = ("all", "chk", "checkers")
"""What the Makefile of the development makes: the proofs, coqchk, and the extracted checkers"""
_PACKAGES: Final = {
    "coqc": ("coq", "coq"),
    "mathcomp/algebra": ("libcoq-mathcomp", "coq-mathcomp-algebra"),
    "mathcomp/zify": ("libcoq-mathcomp-zify", "coq-mathcomp-zify"),
    "mathcomp/algebra_tactics": ("libcoq-mathcomp-algebra-tactics", "coq-mathcomp-algebra-tactics"),
    "ocamlfind": ("ocaml-findlib", "ocamlfind"),
    "zarith": ("libzarith-ocaml-dev", "zarith"),
}
"""What is needed, with its package in Debian and in opam"""
_CLOSED: Final = "Closed under the global context"
_SHOWN: Final = "Located.sound_for"
"""A definition that is shown with the statements that are written with it"""


class Failed(Exception):
    """A part of the development does not compile, or Coq does not answer as expected."""


def missing() -> list[tuple[str, str]]:
    """Return the packages that are needed and not installed, as named by Debian and by opam."""
    found = {name for name in ("coqc", "ocamlfind") if shutil.which(name)}
    if "coqc" in found:
        where = Path(_output(["coqc", "-where"]).strip()) / "user-contrib"
        found |= {name for name in _PACKAGES if "/" in name and (where / name).is_dir()}
    if (
        "ocamlfind" in found
        and not subprocess.run(
            ["ocamlfind", "query", "zarith"], capture_output=True, check=False
        ).returncode
    ):
        found.add("zarith")
    return [packages for name, packages in _PACKAGES.items() if name not in found]


def coq_version() -> str:
    """The version of Coq, such as 8.16.1."""
    return _output(["coqc", "--print-version"]).split()[0]


def make(target: str, folder: Path) -> None:
    """Make one of `TARGETS`; raise `Failed` with the end of what it printed."""
    done = subprocess.run(
        ["make", "-C", str(folder), target], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"make {target} fails:\n{(done.stdout + done.stderr)[-3000:].strip()}")


def compiled(file: Path, folder: Path) -> None:
    """Compile one file below a folder; raise `Failed` if Coq refuses it."""
    command = ["coqc", "-q", "-w", "none", "-R", str(folder), "Steel", str(file)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stderr.strip()[-2000:])


def asked(names: Iterable[str], folder: Path) -> Recorded:
    """Ask Coq for the statements and the assumptions of these theorems; they are compiled."""
    names = sorted(set(names))
    checked = [f"Check Steel.{name}." for name in names]
    assuming = [f"Print Assumptions Steel.{name}." for name in names]
    answers = _answers([*checked, *assuming], [*names, *names], folder)
    statements = [_unindented(each.partition("\n     : ")[2]) for each in answers[: len(names)]]
    defined = {  # a statement that has a name of its own is shown in full
        statement: name
        for statement, name in zip(statements, names, strict=True)
        if re.fullmatch(r"[\w.']+", statement)
    }
    bodies = _answers([f"Print Term {each}." for each in defined], list(defined.values()), folder)
    full = dict(zip(defined, map(_body, bodies), strict=True))
    for statement, body in full.items():
        if _SHOWN in body:
            (printed,) = _answers([f"Print Term {_SHOWN}."], [defined[statement]], folder)
            full[statement] = f"{body}\nwhere {_SHOWN} is\n{_body(printed)}"
    theorems = {
        name: Theorem(name, full.get(statement, statement), assumptions_in(answer))
        for name, statement, answer in zip(names, statements, answers[len(names) :], strict=True)
    }
    return Recorded(digest(folder), coq_version(), theorems)


def assumptions_in(answer: str) -> tuple[str, ...]:
    """The axioms that `Print Assumptions` lists; none if the theorem is closed."""
    if answer.strip() == _CLOSED:
        return ()
    listed = answer.partition("Axioms:")[2] or answer
    names = re.findall(r"^([^\s:]+)(?:\s+:|$)", listed, re.MULTILINE)
    return tuple(names or [" ".join(answer.split())])


def _answers(commands: Sequence[str], names: Sequence[str], folder: Path) -> list[str]:
    """Run each command in the module of its theorem, and return what Coq prints."""
    with TemporaryDirectory() as place:
        lines = [
            "From mathcomp Require Import all_ssreflect all_algebra.",
            "Set Printing Width 76. Unset Printing Implicit Defensive.",
        ]
        if (folder / "Statements.v").exists():
            lines.append("From Steel Require Import Statements.")
        modules = sorted({name.rpartition(".")[0] for name in names})
        lines += [f"From Steel Require {module}." for module in modules]
        for number, (command, name) in enumerate(zip(commands, names, strict=True)):
            lines += [
                f"Module Query{number}.",
                f"Import Steel.{name.rpartition('.')[0]}.",
                f'Redirect "{number}" {command}',
                f"End Query{number}.",
            ]
        (Path(place) / "Query.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
        query = ["coqc", "-q", "-w", "none", "-R", str(folder.resolve()), "Steel", "Query.v"]
        done = subprocess.run(query, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"Coq does not answer: {done.stderr.strip()[-2000:]}")
        files = [Path(place) / f"{number}.out" for number in range(len(commands))]
        return [file.read_text(encoding="utf-8").rstrip() for file in files]


def _body(printed: str) -> str:
    """The body of a definition, which Coq prints with its type in the last lines."""
    return _unindented(printed.partition(" =")[2].partition("\n     : ")[0]).strip()


def _unindented(printed: str) -> str:
    return printed.replace("\n       ", "\n")


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
