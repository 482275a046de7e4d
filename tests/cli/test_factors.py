"""`steel factors` says what it learned, writes its files, and refuses what does not fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from proofs_checks.checker.judging import judged
from steel_verified import LearnedFactors
from steel_verified.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ["--locks", "2", "--values", "3", "--components", "12"]


def test_text_and_files(tmp_path: Path) -> None:
    certificate, model, graph = (tmp_path / name for name in ("c.json", "m.json", "m.dot"))
    for file in (model, graph):
        files = ["--certificate", str(certificate), "--model", str(file)]
        ran = CliRunner().invoke(main, ["factors", *SMALL, *files])
        assert ran.exit_code == 0, ran.output
        assert "2 factors that stand for 9 joint states" in ran.output
        assert "lock 1, exactly" in ran.output
    assert judged(certificate.read_bytes()).findings == []
    assert len(LearnedFactors.load(model).factors) == 2
    assert graph.read_text().startswith("digraph factors {")


def test_a_run_that_is_resumed_has_the_certificate_of_an_uninterrupted_one(
    tmp_path: Path,
) -> None:
    kept, whole, resumed = (tmp_path / name for name in ("run", "whole.json", "resumed.json"))
    CliRunner().invoke(main, ["factors", *SMALL, "--certificate", str(whole)])
    ran = CliRunner().invoke(
        main, ["factors", *SMALL, "--checkpoint", str(kept), "--max-steps", "30"]
    )
    assert "the limit of 30 steps" in ran.output
    for option, said in (("--seed", "seed"), ("--noise-seed", "noise"), ("--delta", "delta")):
        given = ["--resume", str(kept), option, "1/3" if said == "delta" else "1"]
        other = CliRunner().invoke(main, ["factors", *SMALL, *given])
        assert other.exit_code == 2
        assert said in other.output
    ran = CliRunner().invoke(
        main, ["factors", *SMALL, "--resume", str(kept), "--certificate", str(resumed)]
    )
    assert ran.exit_code == 0, ran.output
    assert resumed.read_bytes() == whole.read_bytes()


def test_json() -> None:
    ran = CliRunner().invoke(main, ["factors", *SMALL, "--json", "--delta", "0"])
    found = json.loads(ran.output)
    assert (found["right"], found["joint_states"]) == (True, {"number": 9, "is_exact": True})
    assert [factor["coins"] for factor in found["factors"]] == [0, 0]
    assert [len(table) for table in found["tables"]] == [3, 3]


@pytest.mark.parametrize(
    ("given", "code", "text"),
    [
        (["--model", "a.txt"], 2, "ends in .json or .dot"),
        (["--max-steps", "5"], 1, "Not accepted: the limit of 5 steps was reached"),
        (["--components", "5"], 2, "at least 6"),
        (["--delta", "2"], 2, "less than 1"),
    ],
)
def test_what_does_not_fit_is_said(given: list[str], code: int, text: str) -> None:
    ran = CliRunner().invoke(main, ["factors", *SMALL, *given])
    assert ran.exit_code == code
    assert text in " ".join(ran.output.split())
