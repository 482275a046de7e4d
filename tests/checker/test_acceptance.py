"""Certificates of runs are accepted; each file of the corpus gets its folder's verdict."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.checker import located, looped
from proofs_checks.checker.__main__ import main
from proofs_checks.checker.located_record import check_truth as check_located_truth
from proofs_checks.checker.located_record import read as read_located
from proofs_checks.checker.looped import check, check_truth, read
from steel_verified.cli.check import check_command
from steel_verified.evidence.certificate import certificate_of, lines
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, accepted
from steel_verified.strategies import Problem, dynamics, problems
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import predict
from steel_verified.worlds.tabular import tabular_world

from ..certificates.content import unpacked
from ..certificates.make import corpus, rules
from ..learning.problem_runs import predicted, sure_problems
from ..learning.scenes import hasty_scene
from ..worlds.kept_runs import certified
from .material import (
    accepted_run,
    broken_rules,
    ideal,
    located_runs,
    replayed,
    verdict,
    written_located,
    written_looped,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.worlds.dynamics import Dynamics


CORPUS = Path(__file__).parents[1] / "certificates"


@given(problem=sure_problems(max_states=5), seed=st.integers(0, 999))
def test_certificate_of_every_looped_run_is_accepted(problem: Problem, seed: int) -> None:
    method = Looped(problem.parameters, problem.first_action, with_encoder=bool(seed % 2))
    result = checked_run(tabular_world(problem.world, seed), problem.oracle, method)
    assert check(read(written_looped(accepted(result)))) == []


@given(
    truth=dynamics(max_states=7, max_actions=4),
    mixing=st.integers(1, 60),
    spare=st.integers(0, 3),
    delta=st.fractions(Fraction(1, 10**9), Fraction(999, 1000)),
    with_encoder=st.booleans(),
)
def test_every_ideal_run_is_accepted(
    truth: Dynamics, mixing: int, spare: int, delta: Fraction, *, with_encoder: bool
) -> None:
    """Runs in worlds of many shapes, with bounds that are not tight, are accepted and true."""
    data = ideal(
        truth,
        with_encoder=with_encoder,
        max_states=truth.states + spare,
        mixing_time=mixing,
        delta=delta,
    )
    assert check(read(data)) == []
    assert list(check_truth(read(data), [list(row) for row in truth.table], 0)) == []


LARGE: dict[str, tuple[Callable[[], bytes], int]] = {
    "lock": (lambda: written_looped(predict(instance("combination-lock", 0, states=20))), 100_000),
    "multi-maze": (lambda: written_looped(predict(instance("multi-maze", 0))), 1_000_000),
    "lock, located": (
        lambda: certified("located", instance("combination-lock", 0, states=20), 3),
        600_000,
    ),
}


@pytest.mark.parametrize("world", LARGE)
def test_certificates_of_the_papers_worlds_are_small_and_checked_quickly(
    world: str,
) -> None:
    data, largest = LARGE[world][0](), LARGE[world][1]
    began = process_time()
    assert verdict(data) == "accepted"
    assert process_time() - began < 5, "usually a fifth of a second"
    assert len(data) < largest


@given(problem=problems())
def test_certificates_are_canonical(problem: Problem) -> None:
    """Reading and writing a certificate gives the same bytes; it contains no observations."""
    data = written_looped(predicted(problem))
    found = certificate_of(data, "lock")
    assert b"".join(lines(found.header, found.record, found.claim)) == data
    *_, end = data.splitlines(keepends=True)
    digest = hashlib.sha256(data.removesuffix(end)).hexdigest()
    assert json.loads(end) == {"kind": "end", "digest": digest}
    assert b'"rows"' not in data


CODES = {"accepted": 0, "rejected": 4, "malformed": 3}
FILES = sorted(file for kind in CODES for file in (CORPUS / kind).iterdir())


def test_the_corpus_is_made_again_to_the_same_bytes() -> None:
    assert corpus() == {
        str(file.relative_to(CORPUS).as_posix()): file.read_bytes() for file in FILES
    }


RULE = rules()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_both_commands_give_the_verdict_of_the_folder_by_the_rule_that_is_meant(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = file.parent.name
    assert main([str(file)]) == CODES[folder], capsys.readouterr().out
    done = CliRunner().invoke(check_command, [str(file), "--json"])
    printed = json.loads(done.output)
    assert (done.exit_code, printed["verdict"]) == (CODES[folder], folder)
    if folder == "rejected":
        broken = {finding["rule"] for finding in printed["findings"]}
        assert RULE[f"{folder}/{file.name}"] in broken
        assert "digest" not in broken


def test_every_rule_has_an_attack() -> None:
    """Digests and half-spaces have separate tests."""
    of_located = {rule for file, rule in RULE.items() if "/located_" in file or "/joins_" in file}
    assert of_located | {"digest", "bounds", "proofs"} == set(located.RULES)
    assert set(RULE.values()) | {"digest"} >= set(looped.RULES)


@pytest.mark.parametrize("file", ["grid", "located_grid"])
def test_changed_file_with_old_digest_is_rejected(file: str) -> None:
    data = (CORPUS / f"accepted/{file}.json").read_bytes()
    changed = data.replace(b'"noise_seed":', b'"noise_seed":1')
    assert changed != data
    assert broken_rules(changed) == {"digest"}


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("one_row_too_few_for_its_times", "record[4].samples[0]: 75 rows, but 76 times"),
        ("sample_after_the_end", "record[4].samples[0]: time 4642 is after the plan's end, 3044"),
        ("too_close_to_an_earlier_call", "gap 39 < 40 from a dataset of an earlier call"),
        ("plan_with_a_gap_before_it", "record[6].start: 3045, expected 3044"),
        ("plan_dropped", "record[3]: expected an entry of kind 'ran', but it is 'read'"),
        ("stopped_before_the_model_was_total", "'ran', but the record ends"),
        ("label_swapped", "record[5].positions[0]: label 1, but the verdicts say 0"),
        ("two_labels_exchanged", "position 1 says T(0, 0) = 2, but it is 1"),
        ("located_another_action", "record[6].word: not the word that the algorithm runs here"),
        ("located_rows_numbered_again", "record[4].first: 0, expected 4  [rows]"),
        ("located_merged_with_another_label", "record[10]: 2 and 0, expected 2 and 1  [same]"),
        ("located_walk_fixed_after_its_first_pass", "record[42].at: 31, but 29 steps were taken"),
        ("located_one_pass_too_few", "record[60].passes: 17, but 18 are needed  [passes]"),
        ("located_failed_round_not_charged", "record[31].charge: 0, but this round costs 1/40"),
        ("located_failed_round_left_out_of_the_sum", "1/120 stated, but the charges sum to 1/30"),
        ("located_current_state_forgotten", "current: 0 stated, but the run ended in 1  [current]"),
    ],
)
def test_findings_say_what_is_wrong(
    attack: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(CORPUS / f"rejected/{attack}.json")]) == 4
    assert said in capsys.readouterr().out


@given(problem=sure_problems(max_states=5), seed=st.integers(0, 999))
def test_every_accepted_run_is_accepted(problem: Problem, seed: int) -> None:
    result = checked_run(
        tabular_world(problem.world, seed),
        problem.oracle,
        Located(problem.parameters, first_action=problem.first_action),
    )
    assume(isinstance(result, Accepted))
    assert isinstance(result, Accepted)
    data = written_located(result, problem.oracle.declared)
    assert verdict(data) == "accepted"
    assert replayed(data) == unpacked(data)
    table = [list(row) for row in problem.world.dynamics.table]
    right = not list(check_located_truth(read_located(data), table, problem.world.start))
    assert right or result.model.states != problem.world.dynamics.states


@pytest.mark.parametrize("name", located_runs())
def test_runs_of_every_kind_are_accepted(name: str) -> None:
    data = located_runs()[name]
    assert verdict(data) == "accepted"
    assert replayed(data) == unpacked(data)


@pytest.mark.parametrize("rare", [20, 21, 30, 100, 257])
def test_rounds_that_fail_at_any_time_are_accepted(rare: int) -> None:
    """The noise is 1 once, or repeatedly."""
    for data in (
        accepted_run(hasty_scene(lambda time: time == rare)),
        accepted_run(hasty_scene(lambda time: time % rare == 0)),
    ):
        assert verdict(data) == "accepted"
