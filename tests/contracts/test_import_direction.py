"""Each room imports only from the rooms above it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# From the top of the house down. A room may import from itself and from what comes before it.
ROOMS = (
    "errors",
    "theory",
    "learning",
    "evidence",
    "worlds",
    "strategies",
    "sweeps",
    "baselines",
    "experiments",
    "reports",
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
    if inside.name == "__init__.py" and len(inside.parts) == 1:
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
def test_a_breach_is_seen(source: str) -> None:
    assert breaches("theory", source)


def test_theory_has_no_arrays_and_no_randomness() -> None:
    for module in (ROOT / "steel_verified" / "theory").glob("*.py"):
        named = {name.split(".")[0] for name in imported(module.read_text(encoding="utf-8"))}
        assert not named & {"numpy", "random", "secrets", "time", "os", "networkx"}, module
        assert "math.log" not in module.read_text(encoding="utf-8")
