"""factors.md has what the runs give today; two of its lines are made again."""

from __future__ import annotations

from pathlib import Path

from tests.studies.factors import SEEDS, exorl_on_switches, factored_on_switches, lock_row

PAGE = (Path(__file__).parents[2] / "docs" / "results" / "factors.md").read_text("utf-8")


def test_page_has_the_steps_of_locks() -> None:
    assert f"| {' | '.join(lock_row(3, 10, shared=True, seeds=SEEDS))} |" in PAGE


def test_page_has_the_steps_on_switches_and_those_of_exorl() -> None:
    steps, right, listed = factored_on_switches(2, 1, 10)
    line = f"factored, {listed} covers listed | {min(steps)} to {max(steps)} | {right}/10 |"
    assert f"| 2 switches, 1 bit of noise | {line}" in PAGE
    taken, good = exorl_on_switches(2, 1, 1000, 10)
    assert (taken, good) == ([5000] * 10, 10)
    assert (
        "| 2 switches, 1 bit of noise | ExoRL, 1,000 episodes a question | 5,000 | 10/10 |" in PAGE
    )
