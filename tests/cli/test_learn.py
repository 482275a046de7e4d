"""`steel learn`: what a run prints, writes and leaves to be checked."""

import json
from pathlib import Path

import pytest

from steel_verified.evidence.ledger import opened
from steel_verified.learning.looped import Looped
from steel_verified.learning.model import Model
from steel_verified.learning.results import Contradicted
from steel_verified.theory.conditions import Cause, Condition
from steel_verified.worlds import runs
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Findings

from ..certificates.content import as_json
from .running import reported, steel


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
        causes = (Cause(Condition.CONNECTED, "1 is never left"),)
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


@pytest.mark.parametrize(
    "words",
    [
        "combination-lock --states 20 --noise-seed 3",
        "combination-lock --states 20 --noise-seed 3 --method looped",
        "single-prime --p 3 --q 5 --method looped",
        "grid --dynamics-only",
        "grid --method located --dynamics-only",
    ],
)
def test_certificate_of_a_run_is_accepted_by_check(tmp_path: Path, words: str) -> None:
    file = tmp_path / "out.json"
    file.write_text("what was there before", encoding="utf-8")
    assert steel(f"learn {words} --certificate {file}").exit_code == 0
    accepted = steel(f"check {file}")
    assert accepted.exit_code == 0, accepted.output
    assert accepted.output.startswith("Accepted")
    assert json.loads(steel(f"check {file} --json").output)["verdict"] == "accepted"
    assert file.stat().st_size < 200_000


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


def test_check_explains_its_exit_codes(tmp_path: Path) -> None:
    assert "4  rejected" in steel("check --help").output
    file = tmp_path / "no.json"
    file.write_text("{}", encoding="utf-8")
    assert steel(f"check {file}").exit_code == 3
    assert steel(f"check {file} --no-such-option").exit_code == 2
    assert steel("learn grid --certificate nowhere/out.json").exit_code == 2
