"""Findings of a failed run are written, read, and derived again from the rows."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from steel_verified.cli import main
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import sealed
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, parameters_of
from steel_verified.learning.self_check.findings import (
    findings_as_bytes,
    findings_of,
    load_findings,
    rederived,
    save_findings,
)
from steel_verified.using.attempt import attempt
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.runs import method_named, run
from steel_verified.worlds.slipping import SlipLaw, slipping
from tests.studies.violations.breaking import Violation, violated_world

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.results import GivenUp, Result


def learned(kind: Violation, method: str, seed: int, max_steps: int | None = None) -> Result:
    world = violated_world(kind, seed)
    recipe = Looped(world.parameters) if method == "looped" else Located(world.parameters)
    return attempt(
        world.begin(),
        world.oracle,
        recipe,
        first_action=world.first_action,
        max_steps=max_steps or (20_000 if method == "located" else None),
    )


@cache
def contradicted(method: str, *, by_bet: bool) -> Contradicted:
    """Return a run with a t̂_mix that is far too small, or (looped) with one state more than N."""
    slow = instance("combination-lock", 0, states=5, components=40, least_noise=0.001)
    small = replace(slow.parameters, mixing_time=1)
    if not by_bet:
        small = replace(slow.parameters, max_states=4)
    chosen = replace(slow, parameters=small)
    attempted, _ = run(chosen, method_named(method, chosen), 0)
    assert isinstance(attempted, Contradicted)
    assert (attempted.self_check is not None) == by_bet
    return attempted


def plain(result: GivenUp) -> dict[str, Json]:
    found: dict[str, Json] = json.loads(findings_as_bytes(result, "a world"))
    del found["digest"]
    return found


@pytest.mark.parametrize(
    ("method", "by_bet"), [("looped", True), ("looped", False), ("located", True)]
)
def test_saved_findings_give_the_same_conclusion(method: str, by_bet: bool, tmp_path: Path) -> None:  # noqa: FBT001 (a parameter)
    result = contradicted(method, by_bet=by_bet)
    save_findings(result, tmp_path / "found.json", world="a world")
    found = load_findings(tmp_path / "found.json")
    assert found.contradicted
    assert (found.because, found.causes) == (result.because, result.causes)
    assert (found.model, found.steps) == (result.model, result.ledger.steps)
    assert found.parameters == parameters_of(result)
    again = rederived(found)
    assert again.because == result.because
    assert again.self_check == result.self_check


@pytest.mark.parametrize("method", ["looped", "located"])
def test_findings_of_the_replay_are_not_said_to_be_forged(method: str, tmp_path: Path) -> None:
    """The replay asks the oracle, which is not in the file."""
    result, file = learned(Violation.ALIKE, method, 80), tmp_path / "findings.json"
    assert not isinstance(result, Accepted)
    assert result.because.startswith("the whole run")
    save_findings(result, file)
    shown = CliRunner().invoke(main, ["findings", str(file)])
    assert shown.exit_code == 0
    assert "This cannot be derived from the file alone" in shown.output


def test_findings_with_other_rows_give_no_conclusion() -> None:
    content = plain(contradicted("looped", by_bet=True))
    loops = content["loops"]
    assert isinstance(loops, list)
    for loop in loops:
        loop["rows"] = base64.b64encode(bytes(len(base64.b64decode(loop["rows"])))).decode()
    found = findings_of(sealed(content), "changed")
    assert rederived(found).because is None


def test_findings_with_another_record_give_no_conclusion() -> None:
    content = plain(contradicted("looped", by_bet=False))
    record = content["record"]
    assert isinstance(record, list)
    content["record"] = [entry for entry in record if entry["kind"] != "labels"]
    assert rederived(findings_of(sealed(content), "changed")).because is None


@pytest.mark.parametrize("method", ["looped", "located"])
def test_findings_of_a_run_at_its_limit_are_saved(method: str) -> None:
    limited = learned(Violation.HONEST, method, 0, max_steps=60 if method == "located" else 5000)
    assert isinstance(limited, NotAccepted)
    found = findings_of(findings_as_bytes(limited, ""), "limited")
    assert not found.contradicted
    assert found.because == limited.because
    assert rederived(found).because is None
    assert len(found.record) == len(limited.ledger.entries) - 1


def test_saving_findings_of_an_accepted_run_is_refused(tmp_path: Path) -> None:
    result = learned(Violation.HONEST, "located", 0)
    assert isinstance(result, Accepted)
    with pytest.raises(InvalidArgument, match="a run that was not accepted"):
        save_findings(result, tmp_path / "x.json")
    with pytest.raises(InvalidArgument, match="a result that `learn` returned"):
        findings_as_bytes(replace(contradicted("looped", by_bet=True), kept=None), "")


BROKEN: dict[str, tuple[str, Json, str]] = {
    "a condition": ("causes", [{"condition": "LUCK", "because": ""}], "unknown condition 'LUCK'"),
    "a table": ("table", [[0, 9]], "not a file of findings"),
    "a level": ("tested", {"fixed_at": 0, "level": "2"}, "is not between 0 and 1"),
    "a level of nothing": ("tested", {"fixed_at": 0, "level": "1/0"}, "not a file of findings"),
    "parameters": ("parameters", {"actions": 2}, "missing required field `max_states`"),
    "an entry": ("record", [{"kind": "jumped"}], "not a file of findings"),
    "more": ("extra", 1, "not a file of findings"),
    "a loop": (
        "loops",
        [
            {
                "word": [],
                "cycle": [0],
                "start": 0,
                "times": [],
                "rows": "",
                "dense_from": 0,
                "dense": None,
            }
        ],
        "a loop has no word",
    ),
    "times": (
        "loops",
        [
            {
                "word": [0],
                "cycle": [0],
                "start": 0,
                "times": [1, 2],
                "rows": "",
                "dense_from": 0,
                "dense": None,
            }
        ],
        "0 rows at 2 times",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_invalid_findings_file_is_refused(name: str) -> None:
    key, value, because = BROKEN[name]
    content = {**plain(contradicted("looped", by_bet=True)), key: value}
    with pytest.raises(Unreadable, match=because):
        findings_of(sealed(content), "broken.json")


def test_command_confirms_true_and_rejects_forged_findings(tmp_path: Path) -> None:
    file, forged = tmp_path / "found.json", tmp_path / "forged.json"
    result = contradicted("looped", by_bet=True)
    save_findings(result, file)
    shown = CliRunner().invoke(main, ["findings", str(file)])
    assert shown.exit_code == 0
    assert "The same statement was derived again" in shown.output
    printed = json.loads(CliRunner().invoke(main, ["findings", str(file), "--json"]).output)
    assert printed["derived_again"] == result.because == printed["because"]
    forged.write_bytes(sealed({**plain(result), "because": "the moon is full"}))
    shown = CliRunner().invoke(main, ["findings", str(forged)])
    assert shown.exit_code == 4
    assert "does NOT follow" in shown.output
    file.write_bytes(file.read_bytes()[:-9])
    assert CliRunner().invoke(main, ["findings", str(file)]).exit_code == 3
    assert CliRunner().invoke(main, ["findings", str(tmp_path)]).exit_code == 2


def test_findings_of_a_certain_run_have_the_rows_that_show_it(tmp_path: Path) -> None:
    """Steps slip, so no classifiers explain the rows; without the last of them, some do."""
    lock = combination_lock(0, states=6, components=40, least_noise=0.1)
    world = slipping(lock.world(0), SlipLaw(Fraction(1, 10), 0))
    result = attempt(world, lock.oracle())
    assert isinstance(result, Contradicted)
    file = tmp_path / "found.json"
    save_findings(result, file, world="a lock that slips")
    again = load_findings(file).derived_again()
    assert (again.because, again.shown_by) == (result.because, result.shown_by)
    shown = CliRunner().invoke(main, ["findings", str(file)])
    assert shown.exit_code == 0
    assert f"left out: {', '.join(map(str, result.shown_by))}." in " ".join(shown.output.split())
    printed = json.loads(CliRunner().invoke(main, ["findings", str(file), "--json"]).output)
    assert (printed["method"], printed["shown_by_steps"]) == ("certain", list(result.shown_by))
    content = plain(result)
    record = content["record"]
    assert isinstance(record, list)
    steps = [each for each in record if isinstance(each, dict) and each["kind"] == "steps"]
    file.write_bytes(sealed({**content, "record": record[: record.index(steps[-1])]}))
    shown = CliRunner().invoke(main, ["findings", str(file)])
    assert shown.exit_code == 4
    assert "does NOT follow" in shown.output


def test_findings_of_a_certain_run_at_its_limit_are_saved() -> None:
    lock = combination_lock(0, states=6, components=40, least_noise=0.1)
    result = attempt(lock.world(0), lock.oracle(), max_steps=5)
    assert isinstance(result, NotAccepted)
    found = findings_of(findings_as_bytes(result, ""), "found.json")
    assert (found.method, found.steps, found.model) == ("certain", 5, result.model)
    assert found.derived_again().because is None
