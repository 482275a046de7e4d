"""The command on certificates of located runs, and the located files of the corpus."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from proofs_checks.checker.__main__ import main
from proofs_checks.checker.located import EXPLANATION, RULES, Following, check, check_ending, read
from steel_verified.cli.check import check_command

from ..certificates.located import ATTACKS, FAILED, LOOPED
from .located_material import broken_rules, finite

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "certificates"
CODES = {"accepted": 0, "rejected": 4, "malformed": 3}
FILES = sorted(file for kind in CODES for file in (CORPUS / kind).glob("located_*.json"))


@pytest.fixture
def looped_on() -> Path:
    return CORPUS / f"accepted/{LOOPED}.json"


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_is_found_by_its_rule(attack: str) -> None:
    data = (CORPUS / f"rejected/located_{attack}.json").read_bytes()
    assert ATTACKS[attack][1] in broken_rules(data)


def test_every_rule_has_an_attack() -> None:
    """Accepting one state, an old digest, joins, and half-spaces have separate tests."""
    elsewhere = {"digest", "bounds", "proofs", "joins"}
    assert {rule for _, rule, _ in ATTACKS.values()} | elsewhere == set(RULES)


def test_changed_file_with_old_digest_is_rejected(looped_on: Path) -> None:
    changed = looped_on.read_bytes().replace(b'"noise_seed":1', b'"noise_seed":2')
    assert broken_rules(changed) == {"digest"}


def test_charges_above_delta_are_rejected(looped_on: Path) -> None:
    """Terms directly: if all other rules hold, the charges of all rounds sum to less than δ."""
    certificate = read(looped_on.read_bytes())
    run = Following(certificate, finite(certificate))
    ending = run.follow()
    run.spent = 2 * certificate.parameters.delta
    messages = [found.message for found in check_ending(certificate, run, ending)]
    assert "1/10 is more than δ = 1/20" in messages


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_both_commands_have_the_same_exit_code(file: Path) -> None:
    code = CODES[file.parent.name]
    done = CliRunner().invoke(check_command, [str(file), "--json"])
    assert done.exit_code == code
    assert json.loads(done.output)["verdict"] == file.parent.name
    assert main([str(file)]) == code


@pytest.mark.parametrize("kind", CODES)
def test_checker_of_located_runs_runs_from_a_clone_with_nothing_installed(kind: str) -> None:
    """Tries the largest file of each kind."""
    files = [file for file in FILES if file.parent.name == kind]
    file = max(files, key=lambda file: file.stat().st_size)
    done = subprocess.run(
        [sys.executable, "-S", "-m", "proofs_checks.checker", str(file)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == CODES[kind], done.stderr
    assert done.stderr == ""


def test_accepted_verdict_lists_rules_and_assumptions(
    looped_on: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(looped_on), "--explain"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Accepted: 2 states learned in 75 steps, δ = 1/20.")
    assert all(f"✓ {rule}: {meaning}" in printed for rule, meaning in RULES.items())
    assert "in one unbroken trajectory" in printed
    assert "this run is the only one" in printed
    assert "an order that was fixed before the run" in printed
    assert printed.endswith(f"{EXPLANATION}\n")
    assert main([str(looped_on), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["method"] == "located"
    assert report["findings"] == []
    assert set(report["rules"]) == set(RULES)
    assert report["steps"] == 75


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("another_action", "record[6].word: not the word that the algorithm runs here  [plans]"),
        ("rows_numbered_again", "record[4].first: 0, expected 4  [rows]"),
        ("merge_left_out", "record[10]: expected an entry of kind 'same', but it is 'ran'"),
        ("merged_with_another_label", "record[10]: 2 and 0, expected 2 and 1  [same]"),
        ("walk_fixed_after_its_first_pass", "record[42].at: 31, but 29 steps were taken"),
        ("one_pass_too_few", "record[60].passes: 17, but 18 are needed  [passes]"),
        ("failed_round_not_charged", "record[31].charge: 0, but this round costs 1/40"),
        (
            "failed_round_left_out_of_the_sum",
            "spent: 1/120 stated, but the charges sum to 1/30  [budget]",
        ),
        ("last_pass_left_out", "expected an entry of kind 'ran', but the record ends  [order]"),
        ("current_state_forgotten", "current: 0 stated, but the run ended in 1  [current]"),
    ],
)
def test_findings_say_what_is_wrong(
    attack: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(CORPUS / f"rejected/located_{attack}.json")]) == 4
    assert said in capsys.readouterr().out


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
def test_dynamics_option_compares_the_record_with_the_truth(
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
    assert check(read((CORPUS / f"accepted/{FAILED}.json").read_bytes())) == []
