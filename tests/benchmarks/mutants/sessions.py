"""Test sessions in copies of a process that has imported all libraries, but nothing of the project.

A copy may be given other code for some modules of the project. It collects the tests, and hands
them to a loop of ours in place of pytest's.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import CodeType, ModuleType

ROOT: Final = Path(__file__).parents[3]

TESTS: Final = (
    *("tests/theory", "tests/learning", "tests/proofs_checks", "tests/checker", "tests/worlds"),
    *("tests/reports", "tests/test_cli.py"),
)
"""The tests that mutants meet: those of other rooms hardly come by theory and learning."""

_LIBRARIES: Final = (
    *(
        "click.testing",
        "flint",
        "gymnasium",
        "matplotlib.figure",
        "networkx",
        "numpy",
        "rich.table",
    ),
    *("scipy.optimize", "sympy", "distributed", "hypothesis.strategies", "hypothesis.extra.numpy"),
    *("matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg"),
)


def import_libraries() -> None:
    """What every session needs and no mutant changes."""
    for name in _LIBRARIES:
        import_module(name)
    # Found mistakes need not be made small, and every session must do the same.
    settings.register_profile(
        "mutants",
        max_examples=40,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    os.environ["CI"] = "1"


def module_name(path: str) -> str:
    """The name under which the file at a path below the root is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class _OtherCode(SourceFileLoader):
    """Runs other code than the file's, with some names set beforehand."""

    def __init__(self, path: str, code: CodeType, names: Mapping[str, object]) -> None:
        super().__init__(module_name(path), str(ROOT / path))
        self.code, self.names = code, names

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(self.names)
        exec(self.code, module.__dict__)


class Instead(MetaPathFinder):
    """Finds other code for one module of the project."""

    def __init__(self, path: str, code: CodeType, names: Mapping[str, object]) -> None:
        self.loader = _OtherCode(path, code, names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname != self.loader.name:
            return None
        return spec_from_file_location(fullname, self.loader.path, loader=self.loader)


def put_in(instead: Iterable[Instead]) -> None:
    """From now on, import these modules from other code."""
    sys.meta_path[:0] = instead


class _Session:
    """A plugin of pytest: the loop over the tests, and who failed."""

    def __init__(self, loop: Callable[[list[pytest.Item]], None]) -> None:
        self.loop = loop
        self.collected = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if not session.testsfailed:
            self.collected = True
            self.loop(session.items)
        return True


def session(
    tests: Iterable[str], loop: Callable[[list[pytest.Item]], None], instead: Iterable[Instead] = ()
) -> bool:
    """Collect tests, and run the loop over them; False if they could not be collected."""
    put_in(instead)
    os.chdir(ROOT)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    plugin = _Session(loop)
    options = ["-q", "-p", "no:cacheprovider", "--capture=no", "--assert=plain"]
    options += ["--hypothesis-profile=mutants"]
    pytest.main([*options, *tests], plugins=[plugin])
    return plugin.collected


class _Failures:
    """A plugin of pytest: whether anything failed."""

    def __init__(self) -> None:
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed


def run(item: pytest.Item) -> tuple[bool, float]:
    """Whether a test passes, and how many seconds of a processor it takes."""
    failures = _Failures()
    item.config.pluginmanager.register(failures)
    before = process_time()
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    took = process_time() - before
    item.config.pluginmanager.unregister(failures)
    return not failures.failed, took
