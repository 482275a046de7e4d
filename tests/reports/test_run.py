"""One report for every method and every result, made from values alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.reports.run import as_json, as_parts, is_right
from steel_verified.reports.tables import as_text
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.run_info import RunInfo, phases
from steel_verified.worlds.runs import method_named, run

GRID = instance("grid", 0)
REPORTS = Path(__file__).parents[2] / "steel_verified" / "reports"
RUNNING = {
    "steel_verified.learning.drive",
    *(
        f"steel_verified.worlds.{name}"
        for name in ("doubling", "driver", "ideal", "runs", "voting")
    ),
}


@pytest.mark.parametrize("module", sorted(REPORTS.rglob("*.py")), ids=lambda path: path.stem)
def test_reports_run_nothing(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.ImportFrom) or node.module not in RUNNING


@pytest.mark.parametrize("name", ["looped", "located", "fallback"])
def test_every_result_has_a_report_of_the_same_shape(name: str) -> None:
    method = method_named(name, GRID)
    right, about = run(GRID, method, 0, self_check=DEFAULT_CHECK)
    ended, short = run(GRID, method_named("located", GRID), 0, max_steps=100)
    assert isinstance(right, Accepted)
    assert not isinstance(ended, Accepted | Contradicted)
    assert is_right(right, about)
    assert not is_right(ended, short)
    accepted, limited = as_json(right, about), as_json(ended, short)
    assert accepted.keys() == limited.keys()
    assert (accepted["accepted"], limited["accepted"]) == (True, False)
    for result in (right, ended):
        assert sum(phase.steps for phase in phases(result)) == result.ledger.steps
    assert f"Learned grid with {right.method.name} STEEL." in as_text(as_parts(right, about))
    assert "the limit of 100 steps was reached" in as_text(as_parts(ended, short))


def test_a_report_needs_only_the_name_of_the_world() -> None:
    right, _ = run(GRID, method_named("located", GRID), 0, self_check=None)
    shown = as_text(as_parts(right, RunInfo("mine")))
    assert "Learned mine with located STEEL." in shown
    assert "dynamics" not in shown
    assert as_json(right, RunInfo("mine"))["dynamics_right"] is None
