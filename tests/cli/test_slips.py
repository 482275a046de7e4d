"""`steel learn --slips`: attempts vote where steps slip, and the promise is stated."""

import json
from pathlib import Path

from .running import reported, steel

WITH_A_SLIP = "learn grid --method located --slips 1/5000 --noise-seed 1 --no-self-check"
"""One step slips in the first attempt, which is not accepted."""


def test_attempts_and_votes_are_reported() -> None:
    report = reported(WITH_A_SLIP)
    votes = [attempt["vote"] for attempt in report["attempts"]]  # type: ignore[attr-defined]
    assert votes == ["is not accepted", "is the candidate", *["confirms it"] * 3]
    assert (report["steps_slipped"], report["score"], report["needed"]) == (1, 4, 4)
    assert (report["dynamics_right"], report["encoder_right"], report["place_right"]) == (True,) * 3
    assert report["certificate"] is None


def test_the_promise_is_stated_in_80_columns() -> None:
    result = steel(WITH_A_SLIP)
    assert result.exit_code == 0
    assert "Learned grid with slips, by 5 attempts that voted." in result.output
    assert "promised: probability ≥ 1 − 1/20" in result.output
    assert "only ≥ 1 − 1/20 − θ" in result.output
    assert "The vote has no certificate" in " ".join(result.output.split())
    table = [line for line in result.output.splitlines() if not line.startswith("The vote")]
    assert max(map(len, table)) <= 80


def test_a_vote_without_a_decision_is_not_accepted(tmp_path: Path) -> None:
    model = tmp_path / "out.dot"
    words = f"--max-steps 1500 --no-self-check --model {model}"
    result = steel(f"learn grid --method located --slips 1e-5 {words}")
    assert result.exit_code == 1
    assert "Not accepted on grid: the limit of 1,500 steps was reached." in result.output
    assert model.exists()


def test_a_saved_vote_has_no_guarantee_of_a_single_run(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    assert steel(f"{WITH_A_SLIP} --model {file}").exit_code == 0
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["guarantee"] is None
    assert content["steps"] > 4 * 678
