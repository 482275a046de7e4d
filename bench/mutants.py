"""Judge the mutants that mutmut makes: which small mistakes in the code do the tests see?

    python bench/mutants.py                     all mutants that are not judged yet
    python bench/mutants.py "*.theory.counts.*"  only those with such a name

mutmut's own runner starts pytest anew for each mutant, which takes most of the time. Here the tests
are collected once. Each is run once to see which functions it reaches and how long it takes; then
each mutant is judged in a fork of this process, by the tests that reach it, the quickest first,
until one fails. Limits are in CPU time, so that a busy machine changes no verdict.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter, defaultdict
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import wraps
from importlib import import_module
from io import StringIO
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Final

import pytest
from _pytest.runner import runtestprotocol
from hypothesis.errors import UnsatisfiedAssumption

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RESULTS: Final = Path("judged.jsonl")
UNDER_TEST: Final = "MUTANT_UNDER_TEST"
"""The variable by which mutmut's code knows which mutant to be; `stats` notes what is called."""


@dataclass(frozen=True)
class Judged:
    """What became of a mutant: killed, timeout, survived or unreached, and the test that saw it."""

    name: str
    verdict: str
    by: str | None = None


def generate() -> None:
    """Write the mutated package, the tests and all they need into the folder `mutants`."""
    os.environ[UNDER_TEST] = "mutant_generation"
    Path("mutants").mkdir(exist_ok=True)
    mutmut = import_module("mutmut.__main__")
    with redirect_stdout(StringIO()):
        mutmut.copy_src_dir()
        mutmut.copy_also_copy_files()
        mutmut.setup_source_paths()
        mutmut.create_mutants(1)


def mutants(patterns: Sequence[str]) -> Iterator[str]:
    for file in sorted(Path("steel_verified").rglob("*.py.meta")):
        for name in json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]:
            if any(fnmatch(name, pattern) for pattern in patterns):
                yield name


def already_judged() -> list[Judged]:
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return [Judged(**json.loads(line)) for line in lines]


class Judge:
    """A plugin of pytest that judges mutants in place of running the tests."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns = patterns
        self.seconds: dict[pytest.Item, float] = {}
        self.reaching: dict[str, list[pytest.Item]] = defaultdict(list)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("some tests cannot be collected")
        self.run_without_mutants(session.items)
        done = {judged.name for judged in already_judged()}
        recent: dict[str, list[pytest.Item]] = defaultdict(list)
        for name in mutants(self.patterns):
            if name in done:
                continue
            function = name.rpartition("__mutmut_")[0]
            tests = sorted(self.reaching[function], key=self.seconds.__getitem__)
            # What saw another mistake in the same function is likely to see this one.
            tests.sort(key=lambda test: test not in recent[function])
            judged, seen_by = self.judged(name, tests)
            if seen_by is not None:
                recent[function] = [seen_by, *recent[function]][:4]
            with RESULTS.open("a", encoding="utf-8") as results:
                results.write(json.dumps(asdict(judged)) + "\n")
        return True

    def run_without_mutants(self, items: Sequence[pytest.Item]) -> None:
        os.environ[UNDER_TEST] = "stats"
        reached: set[str] = import_module("mutmut.state").state()._stats  # noqa: SLF001
        for item, after in zip(items, [*items[1:], None], strict=True):
            reached.clear()
            began = process_time()
            if has_failed(item, after):
                raise pytest.UsageError(f"{item.nodeid} fails without a mutant")
            self.seconds[item] = process_time() - began
            for function in reached:
                self.reaching[function].append(item)

    def judged(self, name: str, tests: Sequence[pytest.Item]) -> tuple[Judged, pytest.Item | None]:
        if not tests:
            return Judged(name, "unreached"), None
        progress, say = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.environ[UNDER_TEST] = name
                os._exit(self.one_fails(tests, say))
            finally:
                os._exit(1)  # Whatever was raised, the fork must not go on as this process.
        os.close(say)
        with os.fdopen(progress) as file:
            test = tests[len(file.read()) - 1]
        _, status = os.waitpid(child, 0)
        if status == 0:
            return Judged(name, "survived"), None
        verdict = "timeout" if os.WIFSIGNALED(status) else "killed"
        return Judged(name, verdict, test.nodeid), test

    def one_fails(self, tests: Sequence[pytest.Item], say: int) -> bool:
        """Run tests until one fails, and write a dot for each that was begun."""
        for test, after in zip(tests, [*tests[1:], None], strict=True):
            os.write(say, b".")
            signal.setitimer(signal.ITIMER_PROF, 3 + 10 * self.seconds[test])
            end_with_the_first_example(test)
            if has_failed(test, after):
                return True
        return False


def has_failed(test: pytest.Item, after: pytest.Item | None) -> bool:
    return any(report.failed for report in runtestprotocol(test, log=False, nextitem=after))


def end_with_the_first_example(test: pytest.Item) -> None:
    """A generated example that fails is enough; Hypothesis would run it again, and explain it."""
    handle = getattr(getattr(test, "obj", None), "hypothesis", None)
    if handle is None:
        return
    inner = handle.inner_test

    @wraps(inner)
    def changed(*positional: object, **named: object) -> None:
        try:
            inner(*positional, **named)
        except UnsatisfiedAssumption:
            raise
        except Exception:
            os._exit(1)  # Whatever it is, the mutant was seen.

    handle.inner_test = changed


def main(patterns: Sequence[str]) -> None:
    generate()
    config = import_module("mutmut.configuration").config()
    arguments = [*config.pytest_add_cli_args, *config.pytest_add_cli_args_test_selection]
    os.chdir("mutants")
    sys.path.insert(0, str(Path.cwd()))
    os.environ[UNDER_TEST] = ""
    quiet = ["-q", "--rootdir=.", "--tb=line", "--assert=plain"]
    ended = pytest.main([*quiet, *arguments], plugins=[Judge(patterns)])
    if ended not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(ended)
    results = already_judged()
    print(*(judged.name for judged in results if judged.by is None), sep="\n")
    print(dict(Counter(judged.verdict for judged in results)))


if __name__ == "__main__":
    main(sys.argv[1:] or ["*"])
