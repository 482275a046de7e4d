"""Certain STEEL on the command line: what is shown, what is refused, and what is left behind."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from proofs_checks.checker import certain as checker
from proofs_checks.checker.judging import judged
from steel_verified.learning.saved_models import model_of

from .running import reported, require_refused, steel

CERTIFICATES = Path(__file__).parents[1] / "certificates"


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
    assert "is right ≥ 19/20 is the probability, if the noise ignores actions" in printed
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


def test_certain_is_the_method_unless_bounds_are_given() -> None:
    assert reported("learn grid")["method"] == "certain"
    assert reported("learn grid --max-states 8")["method"] == "located"
    assert reported("learn grid --class-size 6")["method"] == "looped"
    assert reported("learn grid --dynamics-only")["method"] == "looped"
    require_refused("learn grid --method certain --epsilon 1/9", "certain, which needs no bounds")
    words = "learn double-prime --p 3 --q 5 --delta 1/20"
    assert reported(words)["method"] == "certain"


def test_self_check_steps_are_taken_in_addition() -> None:
    def checking(words: str) -> list[object]:
        phases = reported(f"learn grid {words}")["phases"]
        assert isinstance(phases, list)
        return [each["steps"] for each in phases if each["name"] == "checking"]

    assert checking("") == [200]
    assert checking("--self-check-steps 50") == [250]
    assert checking("--no-self-check") == []


@pytest.mark.parametrize("steps", [1, 12, 150])
def test_interrupted_run_goes_on_from_its_checkpoint(steps: int, tmp_path: Path) -> None:
    file, lock = tmp_path / "lock.run", "learn combination-lock --states 5 --components 40"
    whole = reported(lock)
    result = steel(f"{lock} --max-steps {steps} --checkpoint {file}")
    assert result.exit_code == 1
    assert f"the limit of {steps:,} step" in " ".join(result.output.split())
    again = reported(f"{lock} --resume {file}")
    assert {**again, "seconds": None} == {**whole, "seconds": None}
    require_refused(f"{lock} --noise-seed 1 --resume {file}", "noise_seed")


def test_page_of_a_run_shows_when_each_state_was_shown(tmp_path: Path) -> None:
    """The steps of both parts add up to those of the certificate, and nothing is said of δ."""
    page = tmp_path / "grid.html"
    assert steel(f"learn grid --html {page}").exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "For every noise, the learned dynamics are those of the world" in text
    numbers = re.findall(
        r'<th scope="row">([a-z ]+)</th><td class="number">([\d,]+)</td></tr>', text
    )
    assert numbers == [("until all transitions", "27"), ("after that", "200"), ("in all", "227")]
    shown = re.findall(r"state (\d): classifier \d</th><td class=\"number\">(\d+)<", text)
    assert sum(int(rows) for _, rows in shown) == 228
    assert "t̂_mix" not in text
    assert "<script>" not in text


@pytest.mark.parametrize("file", ["coins_quotient_claimed", "coins_labels_exchanged"])
def test_page_of_a_rejected_certificate_says_so(file: str, tmp_path: Path) -> None:
    """Its rows need not fit the claimed model."""
    rejected, page = CERTIFICATES / "rejected" / f"{file}.json", tmp_path / "run.html"
    assert steel(f"audit --certificate {rejected} --html {page}").exit_code == 0
    assert "rejects this certificate" in page.read_text(encoding="utf-8")


def test_run_whose_certificate_is_too_costly_to_check_is_reported_without_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "MOST_WORK", 100)
    result = steel(f"learn grid --html {tmp_path / 'grid.html'}")
    assert result.exit_code == 0
    assert result.stdout.startswith("Learned grid with certain STEEL.")
    assert "grid.html was not written" in result.stderr
    assert "too costly" in result.stderr
