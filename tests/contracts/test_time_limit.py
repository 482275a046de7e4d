"""A property with one slow example ends, fails by its name, and can be repeated from its seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SLOW = """
import itertools
from hypothesis import given, strategies as st

@given(n=st.integers(0, 10**9))
def test_slow_for_large_numbers(n):
    print("drew", n)
    if n > 10**6:
        for _ in itertools.count():
            pass

def test_quick():
    pass
"""


def run(file: Path, *more: str) -> str:
    """What a run of the tests in a file prints; it ends with exit code 1, as some of them fail."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    given = ["--rootdir", str(file.parent), "--timeout=1", *more, str(file)]
    done = subprocess.run(
        command + given, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    (tmp_path / "test_slow.py").write_text(SLOW)
    return tmp_path / "test_slow.py"


def drawn(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith("drew")]


@pytest.mark.parametrize("workers", ["0", "1"])
def test_slow_example_fails_its_test_by_name_and_no_other(slow: Path, workers: str) -> None:
    printed = run(slow, "-n", workers)
    assert "test_slow.py::test_slow_for_large_numbers" in printed
    assert "test_slow_for_large_numbers took longer than 1 s" in printed
    assert "1 failed, 1 passed" in printed


def test_printed_seed_repeats_the_run(slow: Path) -> None:
    first = run(slow, "-n", "1", "--hypothesis-profile=dev")
    (option,) = {word for word in first.split() if word.startswith("--hypothesis-seed=")}
    assert drawn(first)
    assert drawn(run(slow, "-n", "0", "--hypothesis-profile=dev", option)) == drawn(first)
