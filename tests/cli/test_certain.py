"""Certain STEEL on the command line: what is shown, what is refused, and what is left behind."""

from fractions import Fraction
from pathlib import Path

import pytest

from proofs_checks.checker.judging import judged
from steel_verified.learning.saved_models import model_of

from .running import reported, require_refused, steel


@pytest.mark.parametrize("words", ["grid", "combination-lock --states 5 --components 40"])
def test_a_certain_run_is_right_and_spends_nothing(words: str) -> None:
    report = reported(f"learn {words} --method certain")
    assert report["method"] == "certain"
    assert report["dynamics_right"]
    assert report["encoder_right"]
    assert report["budget"] == {"allowed": "0", "spent": {"exact": "0", "about": "0"}}


def test_report_says_what_is_exact() -> None:
    printed = " ".join(steel("learn grid --method certain").output.split())
    assert "Learned grid with certain STEEL." in printed
    assert "for every noise" in printed
    assert "classifiers 6 exact, of 6" in printed


def test_certificate_and_model_are_left_behind(tmp_path: Path) -> None:
    certificate, model = tmp_path / "grid.certificate", tmp_path / "grid.json"
    words = f"learn grid --method certain --certificate {certificate} --model {model}"
    assert steel(words).exit_code == 0
    assert judged(certificate.read_bytes()).findings == []
    saved = model_of(model.read_bytes(), "grid.json")
    assert saved.guarantee is not None
    assert saved.guarantee.method == "certain"
    assert saved.guarantee.delta == 0


def test_world_that_cannot_be_decided_is_not_accepted() -> None:
    result = steel("learn double-prime --p 3 --q 5 --method certain --max-steps 300")
    assert result.exit_code == 1
    printed = " ".join(result.output.split())
    assert "several models explain the rows" in printed
    assert "with a delta, private coins may, if the noise ignores actions" in printed


def test_delta_that_is_given_lets_coins_decide_and_nothing_is_called_certain(
    tmp_path: Path,
) -> None:
    certificate, model = tmp_path / "loops.certificate", tmp_path / "loops.json"
    words = "learn double-prime --p 3 --q 5 --method certain --delta 1/20"
    result = steel(f"{words} --certificate {certificate} --model {model}")
    assert result.exit_code == 0
    printed = " ".join(result.output.split())
    assert "right with probability 19/20 or more, if the noise ignores actions" in printed
    assert "for every noise" not in printed
    assert judged(certificate.read_bytes()).findings == []
    assert judged(certificate.read_bytes()).method == "coins"
    saved = model_of(model.read_bytes(), "loops.json")
    assert saved.guarantee is not None
    assert (saved.guarantee.method, saved.guarantee.delta) == ("coins", Fraction(1, 20))
    assert reported(words)["budget"] == {
        "allowed": "1/20",
        "spent": {"exact": "1/32", "about": "0.0313"},
    }


@pytest.mark.parametrize("option", ["--findings", "--html", "--checkpoint"])
def test_files_that_certain_runs_do_not_have_are_refused(option: str, tmp_path: Path) -> None:
    words = f"learn grid --method certain {option} {tmp_path / 'file'}"
    require_refused(words, "a certain run has a model and a certificate")
