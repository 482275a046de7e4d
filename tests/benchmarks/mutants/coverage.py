"""Which test comes by which statement, and how long it takes. Measured once, each test alone."""

from __future__ import annotations

import ast
import hashlib
import pickle
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tests.benchmarks.mutants.forks import Died, Ended, allow, forked
from tests.benchmarks.mutants.sessions import ROOT, TESTS, Instead, run, session

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from pathlib import Path

    import pytest

T = TypeVar("T")

Place = tuple[str, int]
"""A file, and the line at which a statement of it begins."""


@dataclass(frozen=True, slots=True)
class Test:
    """A test that passes: its seconds on a processor, the places it comes by, and what it is."""

    name: str
    seconds: float
    places: frozenset[Place]
    is_property: bool

    @property
    def file(self) -> str:
        return self.name.split("::")[0]


@dataclass(frozen=True, slots=True)
class Coverage:
    """All that is known of the tests in some files."""

    tests: tuple[Test, ...] = ()
    unfit: tuple[str, ...] = ()
    """Tests that do not pass when run alone in a copy of the process."""

    def __or__(self, other: Coverage) -> Coverage:
        return Coverage(self.tests + other.tests, self.unfit + other.unfit)

    def of(self, files: Container[str]) -> Coverage:
        """What is known of the tests in these files."""
        tests = tuple(test for test in self.tests if test.file in files)
        unfit = tuple(name for name in self.unfit if name.split("::")[0] in files)
        return Coverage(tests, unfit)


def measured(sources: Iterable[Path], files: list[str], tell: Callable[[str], None]) -> Coverage:
    """Run every test once in a process of its own, on code that notes where it has been."""
    found: list[Test] = []
    unfit: list[str] = []

    def loop(items: list[pytest.Item], places: set[Place]) -> Coverage:
        for number, item in enumerate(items, start=1):
            places.clear()
            outcome = forked(partial(_one, item, places))
            if isinstance(outcome, Ended) and outcome.value is not None:
                found.append(outcome.value)
            else:
                unfit.append(item.nodeid)
            if number % 100 == 0:
                tell(f"measured {number} of {len(items)} tests")
        return Coverage(tuple(found), tuple(unfit))

    return _noted(sources, files, loop)


def passed_at_import(sources: Iterable[Path]) -> frozenset[Place]:
    """The places that have been passed once all tests are collected."""
    return _noted(sources, list(TESTS), lambda _, places: frozenset(places))


def _noted(
    sources: Iterable[Path], files: list[str], loop: Callable[[list[pytest.Item], set[Place]], T]
) -> T:
    """What a loop over tests returns, on code that notes where it has been."""

    def work(_: Callable[[str], object]) -> list[T]:
        places: set[Place] = set()
        instead = [noting(source, places) for source in sources]
        found: list[T] = []
        session(files, lambda items: found.append(loop(items, places)), instead)
        return found

    outcome = forked(work)
    if isinstance(outcome, Died) or not outcome.value:
        raise SystemExit(f"pytest cannot collect {' '.join(files)}")
    return outcome.value[0]


def _one(item: pytest.Item, places: set[Place], _: Callable[[str], object]) -> Test | None:
    allow(120)
    passes, seconds = run(item)
    is_property = item.get_closest_marker("properties") is not None
    return Test(item.nodeid, seconds, frozenset(places), is_property) if passes else None


def kept(sources: list[Path], folder: Path, tell: Callable[[str], None]) -> Coverage:
    """The coverage by all tests; from the last time, where neither tests nor code have changed."""
    code = digest_of_code()
    now = {
        file.relative_to(ROOT).as_posix(): code + _digest([file])
        for name in TESTS
        for file in [*sorted(ROOT.glob(f"{name}/**/test_*.py")), *ROOT.glob(f"{name}*.py")]
    }
    store = folder / "coverage.pickle"
    before: tuple[dict[str, str], Coverage] = ({}, Coverage())
    if store.exists():
        before = pickle.loads(store.read_bytes())
    same = {file for file in now if before[0].get(file) == now[file]}
    coverage = before[1].of(same) if same else Coverage()
    if changed := [file for file in now if file not in same]:
        coverage |= measured(sources, changed, tell)
        folder.mkdir(parents=True, exist_ok=True)
        store.write_bytes(pickle.dumps((now, coverage)))
    return coverage


def digest_of_code() -> str:
    """Changes with any file of the project that is not a test."""
    patterns = ("steel_verified/**/*.py", "proofs_checks/**/*.py", "proofs_checks/**/*.proof")
    return _digest(file for pattern in patterns for file in ROOT.glob(pattern))


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def noting(file: Path, places: set[Place]) -> Instead:
    """The code of a file in which each statement of a function first notes that it is passed."""
    path = file.relative_to(ROOT).as_posix()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            _note_inside(node)
    code = compile(ast.fix_missing_locations(tree), str(file), "exec")
    return Instead(path, code, {"__passed__": lambda line: places.add((path, line))})


def _note_inside(node: ast.AST) -> None:
    """Put a note before each statement of each block, except before a docstring."""
    for field, value in ast.iter_fields(node):
        if not isinstance(value, list):
            continue
        block: list[object] = []
        for child in value:
            if isinstance(child, ast.stmt) and not _is_text(child):
                note = ast.parse(f"__passed__({child.lineno})").body[0]
                block.append(ast.copy_location(note, child))
            if isinstance(child, ast.AST) and not isinstance(child, ast.FunctionDef | ast.Lambda):
                _note_inside(child)
            block.append(child)
        setattr(node, field, block)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
