"""The command: what it prints, how it exits, and that it stands alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from proofs_checks.checker.__main__ import main
from proofs_checks.checker.findings import RULES
from steel_verified.experiments.instances import Sizes, instance

from .material import lock, resealed

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "proofs_checks" / "checker").glob("*.py"))


@pytest.fixture
def written(tmp_path: Path) -> Path:
    file = tmp_path / "lock.json"
    file.write_bytes(lock())
    return file


def test_accepted_with_its_rules_and_assumptions(
    written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(written)]) == 0
    printed = capsys.readouterr().out
    assert "Accepted: 4 states learned" in printed
    assert all(rule in printed for rule in RULES)
    assert "realizability" in printed
    assert main([str(written), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "accepted"
    assert report["findings"] == []
    assert set(report["rules"]) == set(RULES)
    assert len(report["assumptions"]) >= 5


def test_rejected_with_the_place(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(lock())
    value["calls"][1]["positions"][0]["B"][2] -= 1
    written.write_bytes(resealed(value))
    assert main([str(written)]) == 4
    printed = capsys.readouterr().out
    assert "calls[1].positions[0].B: gap 39 < 40" in printed
    assert "Rejected" in printed
    assert main([str(written), "--json"]) == 4
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {
        "rule": "separation",
        "place": "calls[1].positions[0].B",
        "message": "gap 39 < 40",
    } in found


def test_malformed_and_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere.json")]) == 3
    assert main([str(tmp_path / "nowhere.json"), "--json"]) == 3
    assert "No such file" in capsys.readouterr().out
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    with pytest.raises(SystemExit):
        main(["--help"])
    printed = capsys.readouterr().out
    assert all(f"\n  {code}  " in printed for code in range(5))


def test_the_truth_can_be_replayed(written: Path, tmp_path: Path) -> None:
    chosen = instance("combination-lock", 0, Sizes(states=4, components=30))
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps(chosen.dynamics.table), encoding="utf-8")
    start = str(chosen.start)
    assert main([str(written), "--dynamics", str(truth), "--start", start]) == 0
    other = str((chosen.start + 1) % 4)
    assert main([str(written), "--dynamics", str(truth), "--start", other]) in (0, 4)
    truth.write_text("[[1, 0], [2, 0], [0, 0], [0, 3], [4, 4]]", encoding="utf-8")
    assert main([str(written), "--dynamics", str(truth), "--start", start]) == 4
    for bad in ("[[1]]", "{}", "nonsense"):
        truth.write_text(bad, encoding="utf-8")
        assert main([str(written), "--dynamics", str(truth)]) == 3
    truth.write_text(json.dumps(chosen.dynamics.table), encoding="utf-8")
    assert main([str(written), "--dynamics", str(truth), "--start", "9"]) == 3


def test_it_runs_from_a_clone_with_nothing_installed(written: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "proofs_checks.checker", str(written)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Accepted")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_it_imports_the_standard_library_alone(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        for name in names:
            top = name.split(".")[0]
            assert top in sys.stdlib_module_names or name.startswith("proofs_checks.checker")


def test_it_can_be_read_in_one_sitting() -> None:
    lines = sum(len(source.read_text(encoding="utf-8").splitlines()) for source in SOURCES)
    assert lines < 1300
