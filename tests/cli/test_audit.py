"""`steel audit`, `steel predict` and `steel draw`, and the options that they share."""

from __future__ import annotations

import json
from dataclasses import fields
from fractions import Fraction
from importlib.metadata import entry_points
from pathlib import Path
from typing import get_type_hints

import pytest

from steel_verified.cli import main
from steel_verified.cli.arguments import option_name
from steel_verified.cli.options import Chosen
from steel_verified.theory.parameters import Parameters

from .running import reported, steel

LOCK = (
    "audit --actions 2 --max-states 30 --max-diameter 30 --mixing-time 40 --class-size 512 "
    "--delta 0.05 --epsilon 0.05 --states 20 --diameter 19"
)


def test_console_script_calls_main() -> None:
    (script,) = entry_points(group="console_scripts", name="steel")
    assert script.load() is main


def test_options_have_the_names_and_types_of_the_parameters() -> None:
    assert get_type_hints(Chosen, None, {"Fraction": Fraction}) == get_type_hints(Parameters)
    for command in ("audit", "learn", "predict", "draw"):
        text = steel(f"{command} --help").output
        assert all(option_name(field.name) in text for field in fields(Parameters))


def test_preset_gives_the_same_audit_as_its_parameters() -> None:
    assert steel(LOCK).output == steel("audit --preset combination-lock-20").output
    assert steel(LOCK).output == steel("audit").output


def test_options_override_a_preset() -> None:
    result = steel("audit --preset multi-maze --delta 1/1000 --states 9 --diameter 3 --json")
    symbols = json.loads(result.output)["symbols"]
    assert symbols["delta"]["value"] == "1/1000"
    assert (symbols["states"]["value"], symbols["diameter"]["value"]) == (9, 3)
    assert symbols["mixing_time"]["value"] == 300


def test_states_and_diameter_default_to_the_largest_allowed() -> None:
    words = "--actions 2 --max-states 9 --mixing-time 4 --class-size 50 --delta .1 --epsilon .1"
    symbols = json.loads(steel(f"audit {words} --json").output)["symbols"]
    assert (symbols["states"]["value"], symbols["diameter"]["value"]) == (9, 8)
    assert symbols["max_diameter"]["value"] == 8


def test_numbers_too_large_for_any_run_are_still_exact() -> None:
    vast = f"--max-states 1{'0' * 60} --class-size 1{'0' * 60}"
    assert steel(f"audit --method located --preset multi-maze {vast}").exit_code == 0
    huge = f"--max-states 1{'0' * 60} --class-size 1{'0' * 80} --mixing-time 1{'0' * 9}"
    result = steel(f"audit --preset multi-maze {huge} --json")
    assert result.exit_code == 0
    numbers = json.loads(result.output)["numbers"]
    assert numbers["exact_total"] <= numbers["bound_total"]


def parts_of(report: dict[str, object]) -> dict[str, int]:
    parts = report["parts"]
    assert isinstance(parts, list)
    return {part["part"]: part["least"] for part in parts}


def looped_in(report: dict[str, object]) -> dict[str, int]:
    found = report["looped"]
    assert isinstance(found, dict)
    return found


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
    report = reported(f"predict {words}")
    assert (report["states"], report["diameter"]) == (states, diameter)
    assert looped_in(report)["steps"] == sum(parts_of(report).values())
    assert looped_in(report)["steps"] <= looped_in(report)["bound"]


@pytest.mark.parametrize(
    ("words", "least"),
    [
        ("combination-lock", 224),
        ("multi-maze", 273),
        ("grid", 25),
        ("double-prime --p 3 --q 5", 26),
    ],
)
def test_certain_run_takes_at_least_a_shortest_walk(words: str, least: int) -> None:
    report = reported(f"predict {words} --method certain --noise-seeds 2")
    assert parts_of(report) == {"exploring": least, "checking": 200}
    assert report["steps"] == {"least": least + 200, "most": None}
    measured = report["measured"]
    assert isinstance(measured, dict)
    assert all(steps >= least for steps in measured["exploring"])
    accepted = 0 if words.startswith("double") else 2
    assert measured["accepted"] == measured["right"] == accepted
    assert report.keys() == reported("predict grid").keys()


@pytest.mark.parametrize(
    ("name", "text"), [("t.json", "[[1, 0], [0, 1]]"), ("t.csv", "1,0\n0,1\n\n")]
)
def test_predict_with_a_user_table(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    report = reported(f"predict --table {file} --start 0 --first-action 0")
    assert (report["states"], report["diameter"]) == (2, 1)
    other = reported(
        f"predict --table {file} --start 1 --first-action 1 --mixing-time 40 --delta 1/100"
    )
    assert looped_in(other)["steps"] > looped_in(report)["steps"]


def test_predict_without_a_world_forecasts_both_methods() -> None:
    report = reported(
        "predict --actions 6 --max-states 500 --mixing-time 1 --class-size 500 "
        "--steps-per-second 1e5"
    )
    looped = report["looped"]
    assert isinstance(looped, dict)
    assert looped["hopeless"] is True
    assert looped["bound"] > 10**13
    shown = steel("predict --actions 4 --max-states 20 --mixing-time 3").output
    assert "Located STEEL takes an estimated" in shown
    assert "give --class-size" in shown


def test_a_world_is_drawn_the_same_way_twice(tmp_path: Path) -> None:
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        assert steel(f"draw grid --output {file}").exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()


SWITCH = "[[1, 0], [0, 1]]"


@pytest.mark.parametrize(
    ("words", "file", "magic"),
    [
        ("single-prime --p 3 --q 5 --discovery", "x.svg", b"<?xml"),
        ("--table switch.json", "x.PNG", b"\x89PNG"),
        ("--table switch.json", "x.pdf", b"%PDF"),
        ("combination-lock --states 3 --components 8 --animate", "x.html", b"<!DOCT"),
        ("--table switch.json --start 1 --animate", "x.html", b"<!DOCT"),
    ],
)
def test_discoveries_are_drawn_and_animated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, file: str, magic: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("switch.json").write_text(SWITCH, encoding="utf-8")
    result = steel(f"draw {words} --output {file}")
    assert result.exit_code == 0, result.output
    drawn = Path(file).read_bytes()
    assert drawn.startswith(magic)
    assert len(drawn) > 5000
