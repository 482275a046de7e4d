"""`steel audit`, and the options that it shares with other commands."""

import json
from dataclasses import fields
from fractions import Fraction
from importlib.metadata import entry_points
from typing import get_type_hints

import pytest

from steel_verified.cli import main
from steel_verified.cli.arguments import option_name
from steel_verified.cli.options import Chosen
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.catalogue import NAMES, SIZES

from .running import steel

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


def test_options_have_the_sizes_of_the_catalogue() -> None:
    for command in ("learn", "predict", "draw"):
        text = " ".join(steel(f"{command} --help").output.split())
        assert all(f"{size.help} [{size.default}]." in text for size in SIZES)
        # A line may end at the hyphen of a name.
        assert f"{', '.join(NAMES[1:-1])} or {NAMES[-1]}" in text.replace("- ", "-")


@pytest.mark.parametrize("words", ["audit", "audit --preset multi-maze", LOCK, f"{LOCK} --json"])
def test_audit_prints_text_or_json(words: str) -> None:
    result = steel(words)
    assert result.exit_code == 0, result.output
    assert "n_samp" in result.output


def test_audit_json_has_the_published_counts() -> None:
    numbers = json.loads(steel(f"{LOCK} --json").output)["numbers"]
    assert (numbers["n_samp_cyc"], numbers["n_samp"], numbers["d"]) == (32, 50, 21598)


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


@pytest.mark.parametrize("words", ["--help", "audit --help", "audit -h"])
def test_help_shows_examples_and_exit_codes(words: str) -> None:
    result = steel(words)
    assert result.exit_code == 0
    assert "steel" in result.output.lower()


def test_numbers_too_large_for_any_run_are_still_exact() -> None:
    vast = f"--max-states 1{'0' * 60} --class-size 1{'0' * 60}"
    assert steel(f"audit --method located --preset multi-maze {vast}").exit_code == 0
    huge = f"--max-states 1{'0' * 60} --class-size 1{'0' * 80} --mixing-time 1{'0' * 9}"
    result = steel(f"audit --preset multi-maze {huge} --json")
    assert result.exit_code == 0
    numbers = json.loads(result.output)["numbers"]
    assert numbers["exact_total"] <= numbers["bound_total"]
