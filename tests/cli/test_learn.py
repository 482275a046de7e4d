"""`steel learn` with each method: what a run prints, writes and leaves to be checked."""

from __future__ import annotations

import json
import os
import re
import tempfile
from errno import ENOSPC
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from proofs_checks.checker import reading as checker
from proofs_checks.checker.judging import judged
from steel_verified.cli import learn, run_files
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import Ledger, opened
from steel_verified.learning.drive import Fallback
from steel_verified.learning.located import rounds
from steel_verified.learning.looped import Looped
from steel_verified.learning.model import Model
from steel_verified.learning.results import Contradicted
from steel_verified.learning.saved_models import model_of
from steel_verified.reports.audit import located_audit
from steel_verified.theory.conditions import Cause, Condition
from steel_verified.worlds import checkpoints, runs
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Findings
from steel_verified.worlds.runs import method_named, run

from ..certificates.content import as_json
from ..theory.kernels import passing_bounds
from .running import reported, require_refused, steel

CERTIFICATES = Path(__file__).parents[1] / "certificates"


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("combination-lock --states 20 --env-seed 0 --noise-seed 3", 1_878_923),
        ("combination-lock --states 5 --components 64 --noise-seed 1", None),
        ("double-prime --p 3 --q 5 --noise-seed 2", None),
        ("single-prime --p 3 --q 5 --noise-seed 2", None),
        ("grid", None),
        ("grid --dynamics-only", None),
        pytest.param("multi-maze --mazes 2 --dynamics-only", None, marks=pytest.mark.slow),
    ],
)
def test_every_world_is_learned_as_predicted(words: str, steps: int | None) -> None:
    report = reported(f"learn {words} --method looped")
    assert report["as_predicted"] is True
    assert report["dynamics_right"] is True
    assert report["encoder_right"] is (None if "dynamics-only" in words else True)
    assert report["steps"] == report["predicted_steps"] == (steps or report["steps"])


@pytest.mark.parametrize(
    ("method", "rows"),
    [
        ("looped", ("phase 1", "phase 2", "as predicted")),
        ("located", ("exploring", "validating", "looped", "labels")),
    ],
)
def test_learn_prints_every_row(method: str, rows: tuple[str, ...]) -> None:
    printed = steel(f"learn grid --method {method}").output
    assert printed.startswith(f"Learned grid with {method} STEEL.\n")
    for row in ("states", "dynamics", "encoder", *rows, "in all", "δ spent", "self-check", "time"):
        assert f"\n{row} " in printed


@pytest.mark.parametrize("method", ["certain", "looped", "located", "all"])
def test_wrong_model_is_reported_with_exit_code_1(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a verdict had been wrong, the chance of which is at most δ."""

    def wrong(*_: object) -> Findings:
        return Findings(dynamics_right=False, encoder_right=False)

    monkeypatch.setattr(runs, "compare", wrong)
    result = steel(f"learn grid --method {method}")
    assert result.exit_code == 1
    assert "Not right on grid" in result.output
    report = steel(f"learn grid --method {method} --json")
    assert report.exit_code == 1
    assert '"dynamics_right": false' in report.stdout


def test_contradicted_run_prints_causes_and_writes_the_partial_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The partial model is written; a certificate is not, and the command says so."""
    recipe = Looped(instance("grid", 0).parameters)
    model = Model(4, ((1, None, None, None), (0, 1, None, None)))

    def contradicted(*_: object, **__: object) -> Contradicted:
        causes = (Cause(Condition.CONNECTED, "1 is never left", is_supported=True),)
        return Contradicted(recipe, model, opened(recipe.parameters), causes, "1 reaches no ⊥")

    monkeypatch.setattr(runs, "checked_run", contradicted)
    drawing, evidence = tmp_path / "out.dot", tmp_path / "out.json"
    result = steel(f"learn grid --method looped --model {drawing} --certificate {evidence}")
    assert result.exit_code == 1
    expected = "most likely, this condition does not hold: every latent"
    assert f"Contradicted on grid: {expected}" in result.output
    assert "How the run ended: 1 reaches no ⊥." in result.output
    assert "1 is never left" in result.output
    assert "2 labels and 3 transitions" in result.output
    assert "out.json was not written: the run gave up" in result.output
    assert not evidence.exists()
    assert drawing.read_text(encoding="utf-8").count(" -> ") == 3
    report = json.loads(steel("learn grid --json").stdout)
    assert (report["accepted"], report["contradicted"]) == (False, "CONNECTED")


@pytest.mark.parametrize("suffix", ["json", "dot", "graphml"])
def test_learn_writes_the_model_in_every_format(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"out.{suffix}"
    assert steel(f"learn double-prime --p 2 --q 3 --method looped --model {file}").exit_code == 0
    text = file.read_text(encoding="utf-8")
    if suffix == "json":
        table = json.loads(text)["table"]
        again = tmp_path / "again.json"
        again.write_text(json.dumps(table), encoding="utf-8")
        assert reported(f"predict --table {again}")["states"] == 6
    elif suffix == "dot":
        assert text.startswith("digraph")
        assert text.count(" -> ") == 8  # four states lead on, two lead on or across
    else:
        assert text.count("<edge ") > 6


def test_a_certificate_says_where_it_came_from(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    steel(f"learn grid --method looped --env-seed 2 --noise-seed 5 --certificate {file}")
    provenance = json.loads(as_json(file.read_bytes()))["provenance"]
    assert (provenance["env_seed"], provenance["noise_seed"]) == (2, 5)
    assert {"world", "python", "versions"} <= provenance.keys()


@pytest.mark.parametrize(
    "words",
    [
        "grid",
        "grid --method looped",
        "grid --dynamics-only",
        "grid --method located",
        "grid --method located --dynamics-only",
    ],
)
def test_the_page_of_a_run_is_that_of_its_certificate(tmp_path: Path, words: str) -> None:
    evidence, page, again = tmp_path / "out.json", tmp_path / "out.html", tmp_path / "again.html"
    result = steel(f"learn {words} --certificate {evidence} --html {page} --json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["accepted"] is True
    assert f"Wrote {page}: open it in a browser." in result.stderr
    assert steel(f"audit --certificate {evidence} --html {again}").exit_code == 0
    assert page.read_bytes() == again.read_bytes()


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
    values = located_audit(chosen.parameters, chosen.extent).values
    gap = int(values["gap"])
    for k in (1, 2, 3):
        bounds = list(islice(passing_bounds(Fraction(1, 20), gap), int(values[f"samples_{k}"]) + 1))
        assert bounds[-1] <= values[f"share_{k}"] < bounds[-2]
    (only,) = rounds(located_ledger("combination-lock", 0))
    assert only.steps <= values["steps_1"]
    assert values["shortest"] <= len(only.walk) <= values["longest"]


@pytest.mark.parametrize("words", ["grid", "combination-lock --states 5 --components 40"])
def test_a_certain_run_is_right_and_spends_nothing(words: str) -> None:
    report = reported(f"learn {words} --method certain")
    assert report["method"] == "certain"
    assert report["dynamics_right"]
    assert report["encoder_right"]
    assert report["budget"] == {"allowed": "0", "spent": {"exact": "0", "about": "0"}}


def test_certain_run_leaves_certificate_and_model(tmp_path: Path) -> None:
    certificate, model = tmp_path / "grid.certificate", tmp_path / "grid.json"
    words = f"learn grid --method certain --certificate {certificate} --model {model}"
    assert steel(words).exit_code == 0
    assert judged(certificate.read_bytes()).findings == []
    saved = model_of(model.read_bytes(), "grid.json")
    assert saved.guarantee is not None
    assert saved.guarantee.method == "certain"
    assert saved.guarantee.delta == 0


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


@pytest.mark.parametrize("method", ["certain", "located", "looped"])
def test_fresh_steps_are_counted_apart_from_the_run(method: str) -> None:
    """By default every two actions in a row are taken, and each of 6 states is visited 90 times."""
    words = f"learn grid --method {method}"
    usual, some, none = (
        reported(f"{words} {more}") for more in ("", "--self-check-steps 50", "--no-self-check")
    )
    assert usual["steps"] == some["steps"]
    taken = [report["fresh_steps"] for report in (usual, some, none)]
    assert isinstance(taken[0], int)
    assert 540 <= taken[0] <= 1_000
    assert taken[1] in range(50, 60)
    assert taken[2] == 0


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


def test_a_run_whose_last_checkpoint_is_not_written_is_reported_and_exits_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, _data: bytes) -> None:
        raise InvalidArgument("file", path, "a place that can be written to (no space left)")

    monkeypatch.setattr(checkpoints, "write_or_rescue", full)
    result = steel(f"learn grid --method located --checkpoint {tmp_path / 'grid.run'}")
    assert result.exit_code == 2
    assert "Learned grid" in result.stdout
    assert "Error: the checkpoint was not written: " in result.stderr


def full(*_: object) -> None:
    raise OSError(ENOSPC, "No space left on device")


@pytest.mark.parametrize("option", ["model", "certificate", "html"])
def test_a_run_whose_files_are_not_written_is_reported_and_exits_with_2(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    file = tmp_path / ("grid.html" if option == "html" else "grid.json")
    result = steel(f"learn grid --{option} {file}")
    assert result.exit_code == 2
    assert result.stdout.startswith("Learned grid")
    assert f"Error: {file} was not written: expected a place that can" in result.stderr
    (rescued,) = tmp_path.iterdir()
    assert str(rescued) in result.stderr


def test_a_full_screen_is_said_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "show", full)
    result = steel("learn grid")
    assert result.exit_code == 2
    assert "Error: the output was not written: No space left on device" in result.stderr


WITH_SLIPS = "learn grid --slips 1/20 --noise-seed 1"


def test_slips_are_counted_and_reported_beside_the_truth(tmp_path: Path) -> None:
    certificate, model = tmp_path / "grid.json", tmp_path / "model.json"
    words = f"{WITH_SLIPS} --certificate {certificate} --model {model}"
    report = reported(words)
    assert report["method"] == "slipping"
    assert (report["dynamics_right"], report["encoder_right"]) == (True, True)
    decided = report["decided"]
    assert isinstance(decided, dict)
    assert decided["slipped"] > 0
    assert sum(sum(after) for line in decided["counts"] for after in line) >= 200
    printed = " ".join(steel(words).output.split())
    count = decided["slipped"]
    assert f"slips {count} steps led elsewhere than usual" in printed
    assert f"in truth {count} steps did" in printed
    assert "is right ≥ 19/20 is the probability, for every noise" in printed
    assert "Accepted: 6 states" in steel(f"check {certificate}").output
    guarantee = json.loads(model.read_text(encoding="utf-8"))["guarantee"]
    assert (guarantee["method"], guarantee["delta"]) == ("slipping", "1/20")
    assert guarantee["given"] == "each step slips with chance at most 1/20"


def test_a_run_with_slips_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "grid.run"
    whole = reported(WITH_SLIPS)
    assert steel(f"{WITH_SLIPS} --max-steps 60 --checkpoint {file}").exit_code == 1
    again = reported(f"{WITH_SLIPS} --resume {file}")
    assert {**again, "seconds": None} == {**whole, "seconds": None}
    require_refused(f"learn grid --slips 1/19 --noise-seed 1 --resume {file}", "rate")


def test_dynamics_only_ends_without_a_validation_and_says_what_is_given() -> None:
    words = "learn combination-lock --states 5 --components 40 --method located"
    whole, short = reported(words), reported(f"{words} --dynamics-only")
    assert short["dynamics_right"]
    assert short["encoder_right"] is None
    assert short["budget"] == {"allowed": "1/20", "spent": {"exact": "0", "about": "0"}}
    steps = short["steps"], whole["steps"]
    assert isinstance(steps[0], int)
    assert isinstance(steps[1], int)
    assert 4 * steps[0] < steps[1]
    printed = " ".join(steel(f"{words} --dynamics-only").output.split())
    assert "given N and that there are two states, for every noise" in printed


def test_page_of_a_run_shows_when_each_state_was_shown(tmp_path: Path) -> None:
    """Only the steps that said something new are in the certificate; nothing is said of δ."""
    page = tmp_path / "grid.html"
    assert steel(f"learn grid --html {page}").exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "what the checker accepts is right in every world that fits the record" in text
    facts = re.findall(r'<th scope="row">([a-z ]+)</th><td>([^<]+)</td></tr>', text)
    assert facts == [
        ("learned", "6 states, each with 4 actions"),
        ("steps in the certificate", "24"),
    ]
    assert "24 steps in 4 pieces" in text
    assert len(re.findall(r">state \d: classifier \d</text>", text)) == 6
    assert text.count(" v 14") == 24 + 4
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
    monkeypatch.setattr(checker, "LEAST_STEPS", 100)
    monkeypatch.setattr(checker, "STEPS_PER_BYTE", 0)
    result = steel(f"learn grid --html {tmp_path / 'grid.html'}")
    assert result.exit_code == 2
    assert result.stdout.startswith("Learned grid with certain STEEL.")
    assert "grid.html was not written" in result.stderr
    assert "too costly" in result.stderr
