"""Each room imports only from the rooms above it; the checker and the proofs from none."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# From the top of the house down. A room may import from itself and from what comes before it.
ROOMS = (
    "lazy_names",
    "errors",
    "theory",
    "evidence",
    "classes",
    "learning",
    "worlds",
    "findings",
    "progress",
    "gymnasium",
    "using",
    "strategies",
    "sweeps",
    "baselines",
    "experiments",
    "reports",
    "plots",
    "cli",
)
UPWARD = {("using", "steel_verified.plots")}
"""What was learned shows a picture of itself, which `reports` draws."""
MODULES = sorted((ROOT / "steel_verified").rglob("*.py"))
HOME = ROOT / "proofs_checks"
CHECKER = sorted((HOME / "checker").rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    """Every module that a source names in an import, wherever in the file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def breaches(room: str, source: str) -> list[str]:
    """The imports of a module in `room` that go against the direction."""
    found = []
    for name in imported(source):
        package, _, inside = name.partition(".")
        if package == "steel_verified" and inside:
            target = inside.split(".")[0]
            if ROOMS.index(target) > ROOMS.index(room) and (room, name) not in UPWARD:
                found.append(name)
        elif name.startswith(".") or name == "steel_verified":
            found.append(f"{name or '.'}: say which room")
        elif package in ("tests", "proofs_checks") and room != "cli":
            found.append(name)
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rooms_import_only_from_above(module: Path) -> None:
    inside = module.relative_to(ROOT / "steel_verified")
    if inside.name in ("__init__.py", "__main__.py") and len(inside.parts) == 1:
        room = ROOMS[-1]
    else:
        room = inside.parts[0].removesuffix(".py")
    assert breaches(room, module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "from steel_verified.reports.audit import audit",
        "import steel_verified.cli",
        "def f():\n    from steel_verified.worlds import x",
        "from . import counts",
        "from steel_verified import reports",
        "import proofs_checks",
        "from tests.theory import schedule_laws",
    ],
)
def test_forbidden_import_is_found(source: str) -> None:
    assert breaches("theory", source)


def named_by(source: str) -> set[str]:
    """Every name that a source imports from a module, or takes as an attribute of anything."""
    tree = ast.parse(source)
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    } | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def modules_that_name(*names: str) -> set[str]:
    return {
        module.relative_to(ROOT / "steel_verified").as_posix()
        for module in MODULES
        if named_by(module.read_text(encoding="utf-8")) & set(names)
    }


def test_learning_uses_evidence_and_never_the_reverse() -> None:
    assert ROOMS.index("evidence") < ROOMS.index("learning")
    assert breaches("evidence", "from steel_verified.learning.looped import absorb")
    assert not breaches("learning", "from steel_verified.evidence.observed import read")


DOOR = "evidence/observed.py"


def test_observed_values_are_opened_in_one_module() -> None:
    named = modules_that_name("reveal", "_Observed__value")
    text = (ROOT / "steel_verified" / DOOR).read_text(encoding="utf-8")
    assert named == set()
    assert "def reveal(" in text


def test_only_evidence_writes_the_ledger() -> None:
    writers = modules_that_name("KEY", "appended")
    assert writers == {DOOR}


@pytest.mark.parametrize(
    "source",
    [
        "from steel_verified.evidence.ledger import KEY as key",
        "from steel_verified.evidence import ledger\nledger.KEY",
        "def f():\n    from steel_verified.evidence.ledger import appended, KEY",
    ],
)
def test_import_of_the_ledger_key_is_found(source: str) -> None:
    assert "KEY" in named_by(source)


def test_certificates_are_written_without_the_theory() -> None:
    """Also for type checkers: a certificate takes what was recorded, and computes nothing."""
    source = (ROOT / "steel_verified" / "evidence" / "certificate.py").read_text(encoding="utf-8")
    named = {name for name in imported(source) if name.startswith("steel_verified")}
    rooms = {name.split(".")[1] for name in named}
    assert rooms == {"errors", "evidence"}


def test_theory_has_no_arrays_and_no_randomness() -> None:
    for module in (ROOT / "steel_verified" / "theory").glob("*.py"):
        named = {name.split(".")[0] for name in imported(module.read_text(encoding="utf-8"))}
        assert not named & {"numpy", "random", "secrets", "time", "os", "networkx"}, module
        assert "math.log" not in module.read_text(encoding="utf-8")


def foreign(source: str) -> list[str]:
    """The imports that are neither of the standard library nor of the checker."""
    return [
        name
        for name in imported(source)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not f"{name}.".startswith("proofs_checks.checker.")
    ]


@pytest.mark.parametrize("file", CHECKER, ids=lambda file: str(file.relative_to(HOME)))
def test_the_checker_imports_only_itself_and_the_standard_library(file: Path) -> None:
    assert foreign(file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "from steel_verified.theory import counts",
        "def f():\n    import steel_verified",
        "from proofs_checks.checks import finite",
        "import numpy",
        "from . import document",
    ],
)
def test_a_foreign_import_is_found(source: str) -> None:
    assert foreign(source)


def test_the_proofs_are_coq_and_ocaml_only() -> None:
    """No proof is made by a program of ours: what Coq checks was written as it is."""
    for file in (HOME / "coq").rglob("*"):
        assert file.suffix != ".py", file
        if file.suffix in {".v", ".ml"}:
            assert "steel_verified" not in file.read_text("utf-8"), file


@pytest.mark.parametrize("name", ["theorems.py", "recheck.py"])
def test_what_reads_and_asks_coq_imports_nothing_of_steel_verified(name: str) -> None:
    names = list(imported((HOME / name).read_text("utf-8")))
    assert not any(each.startswith("steel_verified") for each in names)
    ours = [each for each in names if each.startswith("proofs_checks")]
    assert set(ours) <= {"proofs_checks.checks.evidence", "proofs_checks.theorems"}
