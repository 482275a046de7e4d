"""The theorems that Coq proves, as Coq prints them, and whether they were rechecked here.

`steel proofs` compiles the development in `coq/`, asks Coq for the statement and the assumptions of
each theorem that a claim names, and keeps the answers in `coq/statements.json`, together with a
digest of all `.v` files. A theorem counts only if this file has it, without assumptions, and if the
digest is that of the `.v` files that are there now.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.evidence import NotEarned

if TYPE_CHECKING:
    from collections.abc import Mapping

COQ: Final = Path(__file__).parent / "coq"
STATEMENTS: Final = "statements.json"
RECHECKED: Final = ".rechecked.json"


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem of the development: `claims.Words.A09` is A09 of `claims/Words.v`."""

    name: str
    statement: str
    assumptions: tuple[str, ...]
    """The axioms that its proof uses, as Coq prints them; none if it may count"""

    @property
    def file(self) -> str:
        """Its file, relative to `proofs_checks/`."""
        *module, _ = self.name.split(".")
        return f"coq/{'/'.join(module)}.v"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What `statements.json` says: about which `.v` files, by which Coq."""

    sources: str
    coq: str
    theorems: Mapping[str, Theorem]


@dataclass(frozen=True, slots=True)
class Recheck:
    """When the proofs were rechecked on this machine, of which `.v` files, by which Coq."""

    when: str
    sources: str
    coq: str
    theorems: int
    seconds: int


def theorem(name: str, folder: Path | None = None) -> Theorem:
    """Return the theorem of this name; raise `NotEarned` if it may not count."""
    folder = folder or COQ
    found = recorded(folder)
    if found.sources != digest(folder):
        raise NotEarned(f"{STATEMENTS} was made from other .v files: run `make proofs`")
    if name not in found.theorems:
        raise NotEarned(f"{STATEMENTS} has no theorem {name}: run `make proofs`")
    if found.theorems[name].assumptions:
        raise NotEarned(f"{name} rests on {', '.join(found.theorems[name].assumptions)}")
    return found.theorems[name]


@cache
def recorded(folder: Path) -> Recorded:
    """Read `statements.json`; there are no theorems if it does not exist."""
    file = folder / STATEMENTS
    if not file.exists():
        return Recorded("", "", {})
    data = json.loads(file.read_text(encoding="utf-8"))
    theorems = {
        name: Theorem(name, "\n".join(each["statement"]), tuple(each["assumptions"]))
        for name, each in data["theorems"].items()
    }
    return Recorded(data["sources"], data["coq"], theorems)


def written(found: Recorded) -> str:
    """The text of `statements.json`."""
    theorems = {
        name: {"statement": each.statement.splitlines(), "assumptions": each.assumptions}
        for name, each in sorted(found.theorems.items())
    }
    data = {"sources": found.sources, "coq": found.coq, "theorems": theorems}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


@cache
def digest(folder: Path) -> str:
    """The SHA-256 of all `.v` files below a folder, with their names."""
    whole = sha256()
    for file in sorted(folder.rglob("*.v"), key=lambda file: file.relative_to(folder).as_posix()):
        content = file.read_bytes()
        whole.update(f"{file.relative_to(folder).as_posix()}\n{len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def last_recheck(folder: Path = COQ) -> Recheck | None:
    """Return when the proofs were last rechecked on this machine, if they were."""
    file = folder / RECHECKED
    return Recheck(**json.loads(file.read_text("utf-8"))) if file.exists() else None


def record_recheck(found: Recheck, folder: Path = COQ) -> None:
    """Remember a recheck, in a file that git ignores."""
    (folder / RECHECKED).write_text(json.dumps(asdict(found)) + "\n", encoding="utf-8")


def recheck_status(folder: Path = COQ) -> str:
    """Return one sentence: whether, when and how the proofs were rechecked on this machine."""
    last = last_recheck(folder)
    if last is None:
        return "The Coq proofs were not rechecked on this machine: `make proofs` does it."
    if last.sources != digest(folder):
        return (
            f"The Coq proofs have changed since they were rechecked on this machine ({last.when}): "
            "`make proofs` does it again."
        )
    return (
        f"The Coq proofs were rechecked on this machine on {last.when} with Coq {last.coq}: "
        f"{last.theorems} theorems without axioms."
    )
