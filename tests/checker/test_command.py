"""The command: what it prints, how it exits, and that it stands alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_checks.checker.__main__ import main
from proofs_checks.checker.findings import RULES
from proofs_checks.checker.reading import read
from proofs_checks.checker.truth import wrong_verdicts
from steel_verified.worlds.catalogue import instance

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
    chosen = instance("combination-lock", 0, states=4, components=30)
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps(chosen.dynamics.table), encoding="utf-8")
    start = str(chosen.start)
    assert main([str(written), "--dynamics", str(truth), "--start", start]) == 0
    one_off = [list(row) for row in chosen.dynamics.table]
    one_off[chosen.start][0] = (one_off[chosen.start][0] + 1) % 4
    truth.write_text(json.dumps(one_off), encoding="utf-8")
    assert main([str(written), "--dynamics", str(truth), "--start", start]) == 4
    truth.write_text("[[1, 0], [2, 0], [0, 0], [0, 3], [4, 4]]", encoding="utf-8")
    assert main([str(written), "--dynamics", str(truth), "--start", start]) == 4
    for bad in ("[[1]]", "{}", "nonsense"):
        truth.write_text(bad, encoding="utf-8")
        assert main([str(written), "--dynamics", str(truth)]) == 3
    truth.write_text(json.dumps(chosen.dynamics.table), encoding="utf-8")
    assert main([str(written), "--dynamics", str(truth), "--start", "9"]) == 3


def test_each_kind_of_wrong_verdict_is_named() -> None:
    """A period overstated; one label for two states; two labels for one; a state never found."""
    chosen = instance("combination-lock", 0, states=4, components=30)
    table = [list(row) for row in chosen.dynamics.table]
    honest = read(lock())

    def found(number: int, **change: object) -> str:
        calls = list(honest.calls)
        calls[number] = replace(calls[number], **change)  # type: ignore[arg-type]  # wrong on purpose
        wrong = wrong_verdicts(replace(honest, calls=tuple(calls)), table, chosen.start)
        return "; ".join(wrong)

    assert list(wrong_verdicts(honest, table, chosen.start)) == []
    first, last = honest.calls[0], len(honest.calls) - 1
    assert "period: 3, but in truth 2" in found(0, period=first.period + 1)
    same = tuple(replace(position, label=0) for position in first.positions)
    assert "stands for two states" in found(0, positions=same)
    new = tuple(replace(p, label=9) if p.label == 0 else p for p in honest.calls[last].positions)
    assert "two labels stand for one state" in found(last, positions=new)
    few = replace(honest, calls=honest.calls[:1])
    assert "2 states were learned, in truth there are 4" in "".join(
        wrong_verdicts(few, table, chosen.start)
    )


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
