"""Each room imports only from the rooms above it."""

import ast
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
MODULES = sorted((ROOT / "steel_verified").rglob("*.py"))


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
            if ROOMS.index(target) > ROOMS.index(room):
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
    writers = modules_that_name("KEY", "appended", "shared")
    assert writers == {DOOR, "evidence/ledger.py"}


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
