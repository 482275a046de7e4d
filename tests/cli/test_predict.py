"""`steel predict`: worlds of the paper, and tables of one's own."""

from pathlib import Path

import pytest

from .running import reported, require_refused, steel


def test_predict_gives_the_published_lock_1878923_steps() -> None:
    report = reported("predict combination-lock --states 20 --env-seed 0")
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
    report = reported(f"predict {words}")
    assert (report["states"], report["diameter"]) == (states, diameter)
    assert report["steps"] == int(str(report["phase1"])) + int(str(report["phase2"]))
    assert int(str(report["steps"])) <= int(str(report["bound"]))


def test_prediction_text_and_json_have_the_same_steps() -> None:
    steps = int(str(reported("predict grid")["steps"]))
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
    assert int(str(other["steps"])) > int(str(report["steps"]))


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
