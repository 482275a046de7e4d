"""The command line: what a person types, reads, and gets wrong."""

import json
from dataclasses import fields
from fractions import Fraction
from importlib.metadata import entry_points
from pathlib import Path
from typing import get_type_hints

import pytest
from click.testing import CliRunner, Result

from steel_verified.cli import main
from steel_verified.cli.console import option_name
from steel_verified.cli.options import Chosen
from steel_verified.errors import AssumptionViolated
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds import runs
from steel_verified.worlds.catalogue import NAMES, SIZES
from steel_verified.worlds.truth import Findings

LOCK = (
    "audit --actions 2 --max-states 30 --max-diameter 30 --mixing-time 40 --class-size 512 "
    "--delta 0.05 --epsilon 0.05 --states 20 --diameter 19"
)


def steel(words: str) -> Result:
    return CliRunner().invoke(main, words.split())


def test_the_console_script_is_this_command() -> None:
    (script,) = entry_points(group="console_scripts", name="steel")
    assert script.load() is main


def test_options_have_the_names_and_types_of_the_parameters() -> None:
    assert get_type_hints(Chosen, None, {"Fraction": Fraction}) == get_type_hints(Parameters)
    for command in ("audit", "learn", "predict", "draw"):
        text = steel(f"{command} --help").output
        assert all(option_name(field.name) in text for field in fields(Parameters))


def test_options_have_the_sizes_of_the_catalogue() -> None:
    for command in ("learn", "predict", "draw"):
        text = " ".join(steel(f"{command} --help").output.split())
        assert all(f"{size.help} [{size.default}]." in text for size in SIZES)
        # A line may end at the hyphen of a name.
        assert f"{', '.join(NAMES[1:-1])} or {NAMES[-1]}" in text.replace("- ", "-")


@pytest.mark.parametrize("words", ["audit", "audit --preset multi-maze", LOCK, f"{LOCK} --json"])
def test_audits(words: str) -> None:
    result = steel(words)
    assert result.exit_code == 0, result.output
    assert "n_samp" in result.output


def test_json_has_the_figures() -> None:
    report = json.loads(steel(f"{LOCK} --json").output)
    assert (report["n_samp_cyc"], report["n_samp"], report["d"]) == (32, 50, 21598)
    assert {"budget", "steps"} <= report.keys()


def test_a_preset_is_the_same_as_its_numbers() -> None:
    assert steel(LOCK).output == steel("audit --preset combination-lock-20").output
    assert steel(LOCK).output == steel("audit").output


def test_options_override_a_preset() -> None:
    result = steel("audit --preset multi-maze --delta 1/1000 --states 9 --diameter 3 --json")
    symbols = json.loads(result.output)["symbols"]
    assert symbols["delta"]["value"] == "1/1000"
    assert (symbols["states"]["value"], symbols["diameter"]["value"]) == (9, 3)
    assert symbols["mixing_time"]["value"] == 300


def test_the_truth_defaults_to_the_worst_that_the_bounds_allow() -> None:
    words = "--actions 2 --max-states 9 --mixing-time 4 --class-size 50 --delta .1 --epsilon .1"
    symbols = json.loads(steel(f"audit {words} --json").output)["symbols"]
    assert (symbols["states"]["value"], symbols["diameter"]["value"]) == (9, 8)
    assert symbols["max_diameter"]["value"] == 8


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("audit --actions 2", "Missing --max-states"),
        ("audit --preset lock", "--preset: lock: expected one of combination-lock-20"),
        ("audit --delta 0.0.5", "--delta: '0.0.5': expected a decimal"),
        ("audit --preset multi-maze --delta 1e-999999999", "--delta"),
        ("audit --preset multi-maze --delta 0", "--delta: 0: expected a number strictly between"),
        ("audit --preset multi-maze --epsilon 7/6", "--epsilon: 7/6"),
        ("audit --preset multi-maze --mixing-time 0", "--mixing-time: 0: expected an integer"),
        ("audit --preset multi-maze --mixing-time soon", "--mixing-time"),
        ("audit --preset multi-maze --states 81", "--states: 81: expected at most 80"),
        ("audit --preset multi-maze --diameter 68", "--diameter: 68: expected 1 to |S|−1 = 67"),
        ("audit --preset multi-maze --max-diameter 5", "--diameter: 16: expected at most"),
        ("audit --preset double-prime-9-11", "--preset: double-prime-9-11: expected two primes"),
        ("audits", "No such command"),
    ],
)
def test_what_is_wrong_is_named(words: str, named: str) -> None:
    result = steel(words)
    assert result.exit_code == 2
    assert named in " ".join(result.output.split())
    assert "Traceback" not in result.output


@pytest.mark.parametrize("words", ["--help", "audit --help", "audit -h"])
def test_help_teaches(words: str) -> None:
    result = steel(words)
    assert result.exit_code == 0
    assert "steel" in result.output.lower()


def test_numbers_too_large_for_any_run_are_still_exact() -> None:
    huge = f"--max-states 1{'0' * 60} --class-size 1{'0' * 80} --mixing-time 1{'0' * 9}"
    result = steel(f"audit --preset multi-maze {huge} --json")
    assert result.exit_code == 0
    report = json.loads(result.output)
    assert report["steps"]["total"]["exact"] <= report["steps"]["total"]["bound"]


def predicted(words: str) -> dict[str, object]:
    result = steel(f"predict {words} --json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert isinstance(report, dict)
    return report


def test_the_published_lock_is_predicted() -> None:
    report = predicted("combination-lock --states 20 --env-seed 0")
    expected = {
        "steps": 1_878_923,
        "phase1": 1_018_963,
        "phase2": 859_960,
        "calls": 21,
        "states": 20,
        "diameter": 19,
    }
    assert report | expected == report


@pytest.mark.parametrize(
    ("words", "states", "diameter"),
    [
        ("multi-maze", 68, 16),
        ("double-prime --p 3 --q 5", 10, 9),
        ("single-prime --p 3 --q 5", 5, 4),
        ("grid", 6, 3),
        ("combination-lock --states 7 --env-seed 3", 7, 6),
    ],
)
def test_every_world_is_predicted(words: str, states: int, diameter: int) -> None:
    report = predicted(words)
    assert (report["states"], report["diameter"]) == (states, diameter)
    assert report["steps"] == int(str(report["phase1"])) + int(str(report["phase2"]))
    assert int(str(report["steps"])) <= int(str(report["bound"]))
    person = steel(f"predict {words}")
    assert f"{report['steps']:,} steps" in person.output


@pytest.mark.parametrize(
    ("name", "text"), [("t.json", "[[1, 0], [0, 1]]"), ("t.csv", "1,0\n0,1\n\n")]
)
def test_a_table_of_ones_own(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    report = predicted(f"--table {file} --start 0 --first-action 0")
    assert (report["states"], report["diameter"]) == (2, 1)
    other = predicted(f"--table {file} --start 1 --first-action 1 --mixing-time 40 --delta 1/100")
    assert int(str(other["steps"])) > int(str(report["steps"]))


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("t.json", "[[1, 0], [0, 1]", "JSON"),
        ("t.json", '{"a": 1}', "a JSON list of rows"),
        ("t.json", '[[1, "0"], [0, 1]]', "table[0]"),
        ("t.json", "[[1, true], [0, 1]]", "table[0]"),
        ("t.json", "[[1, 0], [0]]", "table[1]"),
        ("t.json", "[[1, 2], [0, 1]]", "states from 0 to 1"),
        ("t.json", "[[0, 0], [0, 1]]", "every state to reach every other"),
        ("t.json", "[]", "at least one state"),
        ("t.json", "[" * 100_000, "JSON"),
        ("t.csv", "1,0\n0,x\n", "line 2"),
        ("t.txt", "1,0", ".json or .csv"),
    ],
)
def test_bad_tables_are_explained(tmp_path: Path, name: str, text: str, named: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    result = steel(f"predict --table {file}")
    assert result.exit_code == 2
    assert named in " ".join(result.output.split())
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", "Give either a WORLD or a --table"),
        ("grid --table x.json", "Give either a WORLD or a --table"),
        ("chess", "WORLD: chess: expected one of combination-lock"),
        ("grid --states 4", "--states: 4: expected nothing: only combination-lock can have it"),
        ("double-prime --p 4", "--p: 4 (with q = 13): expected two primes"),
        ("grid --start 6", "--start: 6: expected 0 to 5"),
        ("grid --first-action 4", "--first-action: 4: expected 0 to 3"),
        ("grid --max-states 5", "--states: 6: expected at most 5"),
        ("grid --actions 3", "--actions: 3: expected 4"),
        ("grid --env-seed -1", "--env-seed: -1"),
        ("combination-lock --states 513", "--states: 513: expected 1 to 512"),
        ("--table nowhere.json", "--table: nowhere.json: expected a regular file that exists"),
    ],
)
def test_what_is_wrong_with_a_prediction_is_named(words: str, named: str) -> None:
    result = steel(f"predict {words}")
    assert result.exit_code == 2
    assert named in " ".join(result.output.split())
    assert "Traceback" not in result.output


def learned(words: str) -> dict[str, object]:
    result = steel(f"learn {words} --json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert isinstance(report, dict)
    return report


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("combination-lock --states 20 --env-seed 0 --noise-seed 3", 1_878_923),
        ("combination-lock --states 5 --components 64 --noise-seed 1", None),
        ("double-prime --p 3 --q 5 --noise-seed 2", None),
        ("single-prime --p 3 --q 5 --noise-seed 2", None),
        ("grid", None),
        ("multi-maze --mazes 2 --dynamics-only", None),
    ],
)
def test_every_world_is_learned_as_predicted(words: str, steps: int | None) -> None:
    report = learned(words)
    assert report["as_predicted"] is True
    assert report["dynamics_right"] is True
    assert report["encoder_right"] is (None if "dynamics-only" in words else True)
    assert report["steps"] == report["predicted_steps"] == (steps or report["steps"])


def test_the_noise_seed_changes_nothing_that_is_decided() -> None:
    runs = [
        learned(f"combination-lock --states 4 --components 40 --noise-seed {n}") for n in (1, 2)
    ]
    assert runs[0] | {"seconds": 0} == runs[1] | {"seconds": 0}


def test_a_person_enjoys_the_summary() -> None:
    result = steel("learn grid")
    assert result.exit_code == 0
    for word in ("Learned grid.", "dynamics", "encoder", "phase 1", "as predicted", "δ spent"):
        assert word in result.output


def test_a_wrong_outcome_is_reported_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a verdict had been wrong, the chance of which is at most δ."""

    def wrong(*_: object) -> Findings:
        return Findings(dynamics_right=False, encoder_right=False)

    monkeypatch.setattr(runs, "compare", wrong)
    result = steel("learn grid")
    assert result.exit_code == 1
    assert "Not right on grid: a verdict was wrong" in result.output
    report = steel("learn grid --json")
    assert report.exit_code == 1
    assert json.loads(report.stdout)["dynamics_right"] is False


def test_a_violated_assumption_ends_a_run_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> object:
        raise AssumptionViolated("reachability", "state 3 cannot reach an unknown transition")

    monkeypatch.setattr(runs, "learn", broken)
    result = steel("learn grid")
    assert result.exit_code == 1
    assert "Error: state 3 cannot reach" in result.output


@pytest.mark.parametrize("suffix", ["json", "dot", "graphml"])
def test_the_model_is_written(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"out.{suffix}"
    assert steel(f"learn double-prime --p 2 --q 3 --model {file}").exit_code == 0
    text = file.read_text(encoding="utf-8")
    if suffix == "json":
        table = json.loads(text)["table"]
        again = tmp_path / "again.json"
        again.write_text(json.dumps(table), encoding="utf-8")
        assert predicted(f"--table {again}")["states"] == 6
    elif suffix == "dot":
        assert text.startswith("digraph")
        assert text.count(" -> ") == 8  # four states lead on, two lead on or across
    else:
        assert text.count("<edge ") > 6


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("learn grid --model out.txt", "--model: out.txt: expected a name that ends in .json"),
        ("learn grid --model nowhere/out.dot", "a file in a folder that exists"),
        ("learn chess", "WORLD: chess"),
        ("learn multi-maze --states 4", "--states: 4"),
        ("learn grid --mazes 4", "--mazes: 4: expected nothing: only multi-maze can have it"),
        ("learn grid --class-size 5", "--states: 6: expected at most 5"),
        ("draw grid --output x.bmp", ".svg, .pdf, .png"),
        ("draw grid --output nowhere/x.svg", "a file in a folder that exists"),
        ("draw grid", "Missing option '--output'"),
        ("draw grid --output x.gif", "(with --animate: .gif, .html)"),
        ("draw grid --animate --output x.pdf", "(without --animate: .svg, .pdf, .png)"),
        ("draw grid --first-action 4 --output x.svg", "--first-action: 4: expected 0 to 3"),
        ("draw grid --start 6 --discovery --output x.svg", "--start: 6: expected 0 to 5"),
        ("draw grid --table x.json --output x.svg", "either a WORLD or a --table"),
        ("draw --table nowhere.json --animate --output x.gif", "--table: nowhere.json"),
        ("draw grid --actions 3 --discovery --output x.svg", "--actions: 3: expected 4"),
    ],
)
def test_what_is_wrong_with_a_run_is_named(words: str, named: str) -> None:
    result = steel(words)
    assert result.exit_code == 2
    assert named in " ".join(result.output.split())
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "world", ["combination-lock", "multi-maze", "double-prime", "single-prime", "grid"]
)
def test_every_world_draws_itself_the_same_way_twice(tmp_path: Path, world: str) -> None:
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        assert steel(f"draw {world} --output {file}").exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert b"<svg" in files[0].read_bytes()
    assert steel(f"draw {world} --output {tmp_path / 'one.png'}").exit_code == 0


@pytest.mark.parametrize("file", ["x.svg", "x.pdf", "x.PNG"])
def test_discoveries_are_drawn(tmp_path: Path, file: str) -> None:
    table = tmp_path / "switch.json"
    table.write_text("[[1, 0], [0, 1]]", encoding="utf-8")
    for words in ("single-prime --p 3 --q 5 --discovery", f"--table {table}"):
        result = steel(f"draw {words} --output {tmp_path / file}")
        assert result.exit_code == 0, result.output
        assert (tmp_path / file).stat().st_size > 5000


@pytest.mark.parametrize("file", ["x.gif", "x.html"])
def test_discoveries_are_animated(tmp_path: Path, file: str) -> None:
    table = tmp_path / "switch.json"
    table.write_text("[[1, 0], [0, 1]]", encoding="utf-8")
    for words in ("combination-lock --states 3 --components 8", f"--table {table} --start 1"):
        result = steel(f"draw {words} --animate --output {tmp_path / file}")
        assert result.exit_code == 0, result.output
        assert (tmp_path / file).read_bytes()[:6] in (b"GIF89a", b"<!DOCT")


@pytest.mark.parametrize(
    "words",
    [
        "combination-lock --states 20 --noise-seed 3",
        "single-prime --p 3 --q 5",
        "grid --dynamics-only",
    ],
)
def test_a_run_leaves_a_certificate_that_is_accepted(tmp_path: Path, words: str) -> None:
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
    steel(f"learn grid --env-seed 2 --noise-seed 5 --certificate {file}")
    provenance = json.loads(file.read_text(encoding="utf-8"))["provenance"]
    assert (provenance["env_seed"], provenance["noise_seed"]) == (2, 5)
    assert {"world", "python", "versions"} <= provenance.keys()


def test_check_explains_its_exit_codes(tmp_path: Path) -> None:
    assert "4  rejected" in steel("check --help").output
    file = tmp_path / "no.json"
    file.write_text("{}", encoding="utf-8")
    assert steel(f"check {file}").exit_code == 3
    assert steel(f"check {file} --no-such-option").exit_code == 2
    assert steel("learn grid --certificate nowhere/out.json").exit_code == 2
