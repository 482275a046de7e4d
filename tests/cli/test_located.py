"""Located STEEL on the command line: what is shown, what is refused, and what is left behind."""

import json
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from steel_verified.cli import run_files
from steel_verified.evidence.ledger import Ledger
from steel_verified.learning.drive import Fallback
from steel_verified.learning.located import Located, rounds
from steel_verified.reports.audit import located_audit
from steel_verified.reports.run import ONE_STATE
from steel_verified.worlds.ahead import validation_ahead, walks
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import method_named, run

from ..theory.passing import passing_bounds
from .running import steel


@pytest.mark.parametrize(
    "words", ["grid", "single-prime --p 3 --q 5", "combination-lock --states 5 --components 40"]
)
def test_a_located_run_is_right_and_takes_fewer_steps(words: str) -> None:
    result = steel(f"learn {words} --method located --json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["method"] == "located"
    assert report["dynamics_right"]
    assert report["encoder_right"]
    assert [phase["name"] for phase in report["phases"]] == ["exploring", "validating"]
    assert report["steps"] == sum(phase["steps"] for phase in report["phases"])
    assert report["labels_made"] - report["labels_merged"] >= report["states"]
    looped = json.loads(steel(f"predict {words} --json").stdout)["looped"]["steps"]
    assert report["looped_steps_predicted"] == looped
    assert report["times_fewer"] == looped // report["steps"] > 1
    assert Fraction(report["budget"]["spent"]["exact"]) <= Fraction(report["budget"]["allowed"])


def test_methods_are_shown_side_by_side() -> None:
    shown = steel("learn grid --method all")
    assert shown.exit_code == 0
    assert "Learned grid with 3 methods: certain STEEL took" in shown.output
    assert "for every noise" in shown.output
    assert "chance ≥ 19/20" in shown.output
    plain = json.loads(steel("learn grid --method all --json").stdout)
    assert list(plain) == ["certain", "located", "looped"]
    assert plain["looped"]["steps"] == 38_090
    assert plain["looped"].keys() == plain["located"].keys() == plain["certain"].keys()


def test_method_that_gives_up_is_shown_beside_the_others() -> None:
    """F classifies the blocks of a congruence of these loops, so certain STEEL cannot decide."""
    words = "learn double-prime --p 2 --q 3 --method all --max-steps 3000"
    shown = steel(words)
    printed = " ".join(shown.output.split())
    assert shown.exit_code == 1
    assert "Learned double-prime-2-3 with 1 of 3 methods." in printed
    assert "Not accepted on double-prime-2-3 (certain STEEL)" in printed
    assert "several models explain the rows, for example with 3 labels and with 6 labels" in printed
    plain = json.loads(steel(f"{words} --json").stdout)
    assert [len(table) for table in plain["certain"]["models_left"]] == [6, 3]
    assert (plain["located"]["accepted"], plain["located"]["models_left"]) == (True, [])


def test_partial_model_is_written_as_dot_but_not_as_json(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    result = steel(f"learn grid --method located --max-steps 30 --model {file}")
    assert result.exit_code == 1
    assert "was not written" in result.output
    assert not file.exists()
    other = tmp_path / "out.graphml"
    assert steel(f"learn grid --method located --max-steps 30 --model {other}").exit_code == 1
    assert other.exists()


def test_one_state_is_accepted_only_if_n_is_1() -> None:
    words = "learn combination-lock --states 1 --components 4 --mixing-time 2 --method located"
    result = steel(words)
    assert result.exit_code == 1
    assert "merged into one state" in " ".join(result.output.split())
    result = steel(f"{words} --max-states 1")
    assert " ".join(ONE_STATE.split()) in " ".join(result.output.split())


def test_fallback_runs_the_paper_algorithm_if_located_is_not_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = json.loads(steel("learn grid --method fallback --json").stdout)
    assert said["method"] == "located"
    assert said["budget"]["spent"]["exact"] == "1/80"
    for limit in (0, 100):
        monkeypatch.setattr(Fallback, "after", limit)
        found = steel("learn grid --method fallback --json")
        said = json.loads(found.stdout)
        assert found.exit_code == 0
        assert said["method"] == "looped"
        steps = {phase["name"]: phase["steps"] for phase in said["phases"]}
        assert steps.get("exploring", 0) + steps.get("validating", 0) <= limit
        assert sum(steps.values()) == said["steps"]
        assert steps["phase 1"] > 0
        assert Fraction(said["budget"]["spent"]["exact"]) <= Fraction(1, 20)
    shown = steel("learn grid --method fallback")
    assert "Learned grid with looped STEEL." in shown.stdout
    assert "exploring" in shown.stdout


def test_a_certificate_too_large_to_be_checked_is_written_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_files, "LARGEST_FILE", 10_000)
    file = tmp_path / "grid.json"
    found = steel(f"learn grid --method located --certificate {file}")
    assert found.exit_code == 0
    assert file.stat().st_size > 10_000
    assert "steel check reads 10,000 at most" in found.stderr


def located_ledger(name: str, noise_seed: int) -> Ledger:
    chosen = instance(name, 0)
    return run(chosen, method_named("located", chosen), noise_seed)[0].ledger


def test_the_walk_of_a_run_is_one_of_those_predicted() -> None:
    for name in ("grid", "combination-lock"):
        chosen = instance(name, 0)
        ahead = validation_ahead(chosen.parameters, walks(chosen))
        (only,) = rounds(located_ledger(name, 1))
        assert ahead.shortest <= len(only.walk) <= ahead.longest
        assert ahead.rounds[0].least_steps <= only.steps <= ahead.rounds[0].most_steps
        assert ahead.rounds[0].share == only.share


def test_predict_measures_exploring_and_says_over_how_many_seeds() -> None:
    report = json.loads(steel("predict grid --method located --noise-seeds 2 --json").stdout)
    assert report["measured"]["noise_seeds"] == 2
    assert len(report["measured"]["exploring"]) == 2
    assert report["looped"]["steps"] == 38_090
    assert (
        "Measured over 2 noise seeds"
        in steel("predict grid --method located --noise-seeds 2").output
    )
    assert "was not measured" in steel("predict grid --method located --noise-seeds 0").output
    assert steel("predict grid --noise-seeds 2").exit_code == 2


def test_the_audit_states_the_numbers_of_the_validation() -> None:
    report = json.loads(steel("audit --method located --json").stdout)
    assert [one["samples"] for one in report["rounds"]] == [120, 153, 174]
    assert report["rounds"][0]["independent"] == 72
    assert len(report["exploring_measured"]) == 20
    own = "audit --method located --actions 2 --max-states 9 --mixing-time 4 --delta .1"
    assert steel(f"{own} --epsilon .1").exit_code == 0, "neither |F| nor D̂ is needed"
    assert steel(f"{own} --epsilon .1 --states 10").exit_code == 2


def test_the_audit_gives_the_least_number_of_samples_and_no_less_steps_than_a_run() -> None:
    chosen = instance("combination-lock", 0)
    values = located_audit(Located(chosen.parameters).parameters, chosen.extent).values
    gap = int(values["gap"])
    for k in (1, 2, 3):
        bounds = list(islice(passing_bounds(Fraction(1, 20), gap), int(values[f"samples_{k}"]) + 1))
        assert bounds[-1] <= values[f"share_{k}"] < bounds[-2]
    (only,) = rounds(located_ledger("combination-lock", 0))
    assert only.steps <= values["steps_1"]
    assert values["shortest"] <= len(only.walk) <= values["longest"]
