"""The command: its output, its exit codes, and that it needs only the standard library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

from proofs_checks.checker import certain, coins, factored, located, looped, slipping
from proofs_checks.checker.__main__ import main
from proofs_checks.checker.located import RULES as LOCATED_RULES
from proofs_checks.checker.located import Following, check_ending
from proofs_checks.checker.located_record import read as read_located
from proofs_checks.checker.looped import (
    EXPLANATION,
    RULES,
    Entry,
    LabelsFound,
    PeriodFound,
    check_truth,
    read,
)
from steel_verified.worlds.catalogue import instance

from ..certificates.content import as_json
from ..certificates.located import LOOPED
from .material import finite, lock, resealed

ROOT = Path(__file__).parents[2]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    file = tmp_path / "lock.json"
    file.write_bytes(lock())
    return file


@pytest.mark.parametrize(
    ("name", "rules", "said"),
    [
        ("grid", RULES, ["states learned", "realizability", "the run took place"]),
        (
            "located_grid",
            LOCATED_RULES,
            ["in one unbroken trajectory", "an order that was fixed before the run"],
        ),
    ],
)
def test_accepted_verdict_lists_rules_and_assumptions(
    name: str, rules: dict[str, str], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(CORPUS / f"accepted/{name}.json")
    assert main([file]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Accepted: ")
    assert all(f"✓ {rule}: {meaning}" in printed for rule, meaning in rules.items())
    assert all(each in printed for each in said)
    assert main([file, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["findings"]) == ("accepted", [])
    assert set(report["rules"]) == set(rules)
    assert len(report["assumptions"]) >= 5
    meant = EXPLANATION if rules is RULES else located.EXPLANATION
    assert report["meaning"] == " ".join(meant.split())


def test_rejected_with_the_place(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(as_json(lock()))
    value["record"][4]["samples"][0][1][1][2] -= 1
    written.write_bytes(resealed(value))
    assert main([str(written)]) == 4
    printed = capsys.readouterr().out
    assert "record[4].samples[0]: gap 39 < 40  [separation]" in printed
    assert "Rejected" in printed
    assert main([str(written), "--json"]) == 4
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {
        "rule": "separation",
        "place": "record[4].samples[0]",
        "message": "gap 39 < 40",
    } in found


def test_control_characters_of_a_file_name_are_printed_as_escapes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rejected = next((CORPUS / "rejected").glob("*.json")).read_bytes()
    for content in (rejected, b"nonsense", None):
        file = tmp_path / "\x1b]0;title\x07\x1b[31m.json"
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_bytes(content)
        assert main([str(file)]) != 0
        printed = capsys.readouterr().out
        assert r"\x1b]0;title\x07\x1b[31m.json" in printed
        assert printed.replace("\n", "").isprintable()


def test_explain_prints_what_acceptance_means(
    written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--explain` works with and without a file; the file's verdict decides the exit code."""
    assert main(["--explain"]) == 0
    alone = capsys.readouterr().out
    assert alone == "".join(
        f"Method {name}. {method.EXPLANATION}\n"
        for name, method in (
            ("looped", looped),
            ("located", located),
            ("certain", certain),
            ("coins", coins),
            ("factored", factored),
            ("slipping", slipping),
        )
    )
    assert main([str(written), "--explain"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Accepted")
    assert printed.endswith(f"{EXPLANATION}\n")
    said = " ".join(printed.split())
    assert "does not show that a run took place: a certificate can be written without one" in said


def test_a_missing_file_is_not_a_malformed_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, malformed = tmp_path / "nowhere.json", tmp_path / "empty.json"
    malformed.write_bytes(b"")
    assert main([str(missing)]) == 2
    assert "unreadable: [Errno 2] No such file" in capsys.readouterr().out
    assert main([str(malformed)]) == 3
    assert "malformed: not valid certificate JSON" in capsys.readouterr().out
    for file, code, verdict in ((missing, 2, "unreadable"), (malformed, 3, "malformed")):
        assert main([str(file), "--json"]) == code
        assert json.loads(capsys.readouterr().out)["verdict"] == verdict
    assert main([str(tmp_path)]) == 2
    assert main(["a\0b"]) == 2
    malformed.chmod(0)
    if os.geteuid():
        assert main([str(malformed)]) == 2


def test_missing_file_exits_with_2_and_help_lists_exit_codes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    with pytest.raises(SystemExit):
        main(["--help"])
    printed = capsys.readouterr().out
    assert all(f"\n  {code}  " in printed for code in range(5))
    assert "at most 1024 MB" in printed
    assert "2,000,000 steps of work and 40 for each byte" in printed


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("kind", ["pipe", "zero", "null", "link to a pipe"])
def test_only_regular_files_are_opened(kind: str, tmp_path: Path) -> None:
    """A pipe without a writer would block; an endless device would fill the memory."""
    file = {"zero": Path("/dev/zero"), "null": Path("/dev/null")}.get(kind, tmp_path / "pipe")
    if "pipe" in kind:
        os.mkfifo(file)
    if kind == "link to a pipe":
        file = tmp_path / "link"
        file.symlink_to(tmp_path / "pipe")
    done = subprocess.run(
        [sys.executable, "-m", "proofs_checks.checker", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 2
    assert "not a regular file" in done.stdout


def test_a_file_that_is_replaced_by_a_pipe_does_not_block(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is replaced after the check of its type and before it is opened."""
    regular = written.stat()
    written.unlink()
    os.mkfifo(written)
    monkeypatch.setattr(Path, "stat", lambda _: regular)
    assert main([str(written)]) == 2


def test_dynamics_option_compares_the_record_with_the_truth(written: Path, tmp_path: Path) -> None:
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
    for bad in ("[[1]]", "{}", "nonsense", "[[true, 0]]", "[[０, 0]]"):
        truth.write_text(bad, encoding="utf-8")
        assert main([str(written), "--dynamics", str(truth)]) == 3
    assert main([str(written), "--dynamics", str(tmp_path / "nowhere")]) == 2
    truth.write_text(json.dumps(chosen.dynamics.table), encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        main([str(written), "--dynamics", str(truth), "--start", "9"])
    assert caught.value.code == 2


def test_dynamics_that_take_too_long_to_follow_are_refused(written: Path, tmp_path: Path) -> None:
    """Repeating a word on a ring of many states takes too many steps."""
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps([[(s + 1) % 200_000] * 2 for s in range(200_000)]))
    began = process_time()
    assert main([str(written), "--dynamics", str(truth)]) in (3, 4)
    assert process_time() - began < 10


def test_each_kind_of_wrong_verdict_is_named() -> None:
    """Overstated period; one label for two states; two labels for one state; missing state."""
    chosen = instance("combination-lock", 0, states=4, components=30)
    table = [list(row) for row in chosen.dynamics.table]
    honest = read(lock())

    def found(number: int, changed: Entry) -> str:
        record = (*honest.record[:number], changed, *honest.record[number + 1 :])
        return "; ".join(map(str, check_truth(replace(honest, record=record), table, chosen.start)))

    assert list(check_truth(honest, table, chosen.start)) == []
    period, first, last = honest.record[2], honest.record[5], honest.record[26]
    assert isinstance(period, PeriodFound)
    assert isinstance(first, LabelsFound)
    assert isinstance(last, LabelsFound)
    assert "period: 3, but the true period is 2" in found(2, replace(period, period=3))
    same = tuple((number, bits, 0) for number, bits, _ in first.positions)
    assert "stands for two states" in found(5, replace(first, positions=same))
    new = tuple((number, bits, label or 9) for number, bits, label in last.positions)
    assert "two labels stand for one state" in found(26, replace(last, positions=new))
    few = replace(honest, record=honest.record[:6])
    assert "2 states were learned, but the true dynamics have 4" in "".join(
        map(str, check_truth(few, table, chosen.start))
    )


@pytest.mark.parametrize("kind", ["accepted", "rejected", "malformed"])
def test_checker_runs_from_a_clone_with_nothing_installed(kind: str) -> None:
    """Tries the largest file of each kind."""
    file = max((CORPUS / kind).iterdir(), key=lambda file: file.stat().st_size)
    done = subprocess.run(
        [sys.executable, "-S", "-m", "proofs_checks.checker", str(file)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == {"accepted": 0, "rejected": 4, "malformed": 3}[kind], done.stderr
    assert done.stderr == ""


CORPUS = ROOT / "tests" / "certificates"
CODES = {"accepted": 0, "rejected": 4, "malformed": 3}
FILES = sorted(file for kind in CODES for file in (CORPUS / kind).glob("located_*.json"))


@pytest.fixture
def looped_on() -> Path:
    return CORPUS / f"accepted/{LOOPED}.json"


def test_charges_above_delta_are_rejected(looped_on: Path) -> None:
    """Terms directly: if all other rules hold, the charges of all rounds sum to less than δ."""
    certificate = read_located(looped_on.read_bytes())
    run = Following(certificate, finite(certificate))
    ending = run.follow()
    run.spent = 2 * certificate.parameters.delta
    messages = [found.message for found in check_ending(certificate, run, ending)]
    assert "1/10 is more than δ = 1/20" in messages


@pytest.mark.parametrize(
    ("table", "start", "code", "said"),
    [
        ([[0, 1], [1, 0]], 0, 0, "Accepted"),
        ([[0, 1], [1, 0]], 1, 0, "Accepted"),
        ([[1, 0], [0, 1]], 0, 4, "contradicts the true dynamics"),
        ([[0, 1], [1, 0], [2, 0]], 0, 4, "2 states were learned, but the true dynamics have 3"),
        ([[0, 0]], 0, 4, "two states of the table are the same true state"),
    ],
)
def test_dynamics_option_compares_a_located_record_with_the_truth(
    looped_on: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    table: list[list[int]],
    start: int,
    code: int,
    said: str,
) -> None:
    """The end state is computed from the whole run, so both starts can be right."""
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps(table), encoding="utf-8")
    assert main([str(looped_on), "--dynamics", str(truth), "--start", str(start)]) == code
    assert said in capsys.readouterr().out


def test_rejected_certificate_is_not_compared_with_the_truth(tmp_path: Path) -> None:
    file = CORPUS / "rejected/located_another_transition.json"
    assert main([str(file), "--dynamics", str(tmp_path / "nowhere")]) == 4
