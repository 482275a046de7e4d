"""`steel predict`: worlds of the paper, and tables of one's own."""

from pathlib import Path

import pytest

from .running import reported, require_refused, steel


def test_predict_gives_the_published_lock_1878923_steps() -> None:
    report = reported("predict combination-lock --states 20 --env-seed 0")
    expected = {
        "steps": {"least": 1_878_923, "most": 1_878_923},
        "states": 20,
        "diameter": 19,
    }
    assert report | expected == report
    assert parts_of(report) == {"phase 1": 1_018_963, "phase 2": 859_960}
    assert looped_in(report)["calls"] == 21


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


def test_prediction_text_and_json_have_the_same_steps() -> None:
    steps = looped_in(reported("predict grid"))["steps"]
    assert f"{steps:,} steps" in steel("predict grid").output


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


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("t.json", "[[1, 0], [0, 1]", "JSON"),
        ("t.json", '{"a": 1}', "a JSON list of rows"),
        ("t.json", '[[1, "0"], [0, 1]]', "a JSON list of rows"),
        ("t.json", "[[1, true], [0, 1]]", "a JSON list of rows"),
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
    require_refused(f"predict --table {file}", named)


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
