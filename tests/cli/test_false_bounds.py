"""`steel learn` says so before the run and after it, if a bound is false of a world of ours."""

import json

import pytest

from steel_verified.learning.looped import Looped
from steel_verified.worlds.catalogue import NAMES, false_bounds, instance

from .running import reported, require_refused, steel

LOCK = "learn combination-lock --states 4 --components 40"


def spoken(words: str) -> tuple[str, str, list[dict[str, object]]]:
    """What a command says on standard error and in its outcome, and the warnings of its JSON."""
    plain, for_program = steel(words), steel(f"{words} --json")
    said = json.loads(for_program.stdout)
    found = said.get("located", said)["warnings"]
    assert for_program.stderr == plain.stderr
    assert isinstance(found, list)
    return plain.stderr, plain.stdout, found


@pytest.mark.parametrize("method", ["looped", "located", "all"])
def test_too_small_mixing_time_gives_a_warning(method: str) -> None:
    said, shown, found = spoken(f"{LOCK} --mixing-time 3 --method {method}")
    proven = "only 8 is proven to be enough"
    assert said.startswith(f"Warning: t̂_mix = 3 is too small: {proven}. This run has no guarantee")
    (row,) = (line for line in shown.splitlines() if line.startswith("t̂_mix"))
    assert row.split()[1] == "3"
    assert f"too small: {proven}; nothing is guaranteed" in row
    (warning,) = found
    assert warning["condition"] == "MIXING"
    assert (warning["argument"], warning["given"], warning["needed"]) == ("mixing_time", 3, 8)


def test_methods_beside_each_other_state_no_guarantee_if_a_bound_is_false() -> None:
    _, shown, _ = spoken(f"{LOCK} --mixing-time 3 --method all")
    (row,) = (line for line in shown.splitlines() if line.startswith("is right"))
    assert " ".join(row.split()) == "is right for every noise no guarantee no guarantee"
    _, shown, found = spoken(f"{LOCK} --method all")
    (row,) = (line for line in shown.splitlines() if line.startswith("is right"))
    assert " ".join(row.split()) == "is right for every noise chance ≥ 19/20 chance ≥ 19/20"
    assert not found
    (row,) = (line for line in shown.splitlines() if line.startswith("self-check"))
    assert row.split() == ["self-check", "passed", "passed", "passed"]
    unchecked = steel(f"{LOCK} --method all --no-self-check").stdout
    (row,) = (line for line in unchecked.splitlines() if line.startswith("self-check"))
    assert row.split() == ["self-check", "none", "none", "none"]


def test_too_small_diameter_gives_a_warning_for_looped_only() -> None:
    """Looped STEEL notices it; located STEEL is not given D̂."""
    said, shown, found = spoken("learn grid --max-diameter 2")
    assert "Warning: D̂ = 2 is too small: some state is 3 steps away from another." in said
    assert "more than max_diameter = 2" in shown
    assert [warning["condition"] for warning in found] == ["MAX_DIAMETER"]
    report = reported("learn grid --method located --max-diameter 2")
    assert report["warnings"] == []
    assert report["looped_steps_predicted"] is None


def test_too_small_n_gives_a_warning() -> None:
    said, shown, found = spoken("learn grid --method looped --max-states 4")
    assert "Warning: N = 4 is too small: there are 6 states." in said
    assert "more than max_states = 4" in shown
    assert [warning["needed"] for warning in found] == [6]
    said, shown, found = spoken("learn grid --method located --max-states 4 --max-steps 2000")
    assert "Warning: N = 4" in said
    expected = "most likely, this condition does not hold: there are at most N"
    assert f"Not accepted on grid: {expected}" in shown
    assert "How the run ended: 6 labels were each seen on 255 walks" in shown
    assert len(found) == 1


def test_located_run_with_too_small_n_needs_max_steps() -> None:
    require_refused(
        "learn grid --method located --max-states 4",
        "--max-states: 4: expected at least 6, as there are 6 states (or a --max-steps",
    )


def test_the_fallback_needs_a_true_diameter() -> None:
    words = "learn grid --method fallback --max-states 5 --max-diameter 1 --json"
    found = json.loads(steel(words).stdout)["warnings"]
    assert [warning["condition"] for warning in found] == ["MAX_STATES", "MAX_DIAMETER"]


@pytest.mark.parametrize("name", NAMES)
def test_the_parameters_of_the_paper_are_true(name: str) -> None:
    sizes = {"mazes": 2} if name == "multi-maze" else {}
    chosen = instance(name, 0, **sizes)
    assert false_bounds(chosen, Looped(chosen.parameters)) == ()


def test_true_bounds_give_no_warning() -> None:
    result = steel("learn grid")
    assert result.stderr == ""
    assert "too small" not in result.stdout
    assert reported("learn grid")["warnings"] == []
