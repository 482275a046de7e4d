"""Certificates of real runs are accepted; each file of the corpus gets its folder's verdict."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.__main__ import main
from proofs_checks.checker.looped import check, check_truth, read
from steel_verified.evidence.certificate import certificate_of, lines
from steel_verified.learning.drive import checked_run
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import accepted
from steel_verified.strategies import Problem, dynamics, problems
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import predict
from steel_verified.worlds.tabular import tabular_world

from ..certificates.make import ATTACKS, bounds_refuted, corpus
from ..learning.problem_runs import predicted
from .material import broken_rules, ideal, small, verdict, written

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Dynamics

CORPUS = Path(__file__).parents[1] / "certificates"


@given(problem=problems(max_states=5), seed=st.integers(0, 999), real=st.booleans())
def test_certificate_of_every_ideal_and_real_run_is_accepted(
    problem: Problem, seed: int, *, real: bool
) -> None:
    if real:
        result = checked_run(
            tabular_world(problem.world, seed),
            problem.oracle,
            Looped(
                problem.parameters, first_action=problem.first_action, with_encoder=bool(seed % 2)
            ),
        )
        learned = accepted(result)
    else:
        # The classifiers of an ideal run are the true states, so F has at least as many.
        learned = predicted(problem, with_encoder=bool(seed % 2))
    assert check(read(written(learned))) == []


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
    """Runs in worlds of many shapes, with bounds that are not tight, are accepted."""
    data = ideal(
        truth,
        with_encoder=with_encoder,
        max_states=truth.states + spare,
        mixing_time=mixing,
        delta=delta,
    )
    assert check(read(data)) == []


@pytest.mark.parametrize("name", small())
def test_certificates_of_every_shape_are_accepted(name: str) -> None:
    assert verdict(small()[name]) == "accepted"


@pytest.mark.parametrize(
    ("world", "sizes", "largest"),
    [("combination-lock", {"states": 20}, 100_000), ("multi-maze", {}, 1_000_000)],
)
def test_certificates_of_the_papers_worlds_are_small_and_checked_within_a_second(
    world: str, sizes: dict[str, int], largest: int
) -> None:
    data = written(predict(instance(world, 0, **sizes)))
    began = process_time()
    assert verdict(data) == "accepted"
    assert process_time() - began < 1
    assert len(data) < largest


@given(problem=problems())
def test_certificates_are_canonical(problem: Problem) -> None:
    """Reading and writing a certificate gives the same bytes; it contains no observations."""
    data = written(predicted(problem))
    found = certificate_of(data, "lock")
    assert b"".join(lines(found.header, found.record, found.claim)) == data
    *_, end = data.splitlines(keepends=True)
    digest = hashlib.sha256(data.removesuffix(end)).hexdigest()
    assert json.loads(end) == {"kind": "end", "digest": digest}
    assert b'"rows"' not in data


@given(problem=problems(max_states=5))
def test_the_truth_of_generated_runs_has_no_wrong_verdict(problem: Problem) -> None:
    table = [list(row) for row in problem.world.dynamics.table]
    certificate = read(written(predicted(problem)))
    assert list(check_truth(certificate, table, problem.world.start)) == []


CODES = {"accepted": 0, "rejected": 4, "malformed": 3}
FILES = sorted(file for kind in CODES for file in (CORPUS / kind).iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_corpus_files_get_the_exit_code_of_their_folder(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(file)]) == CODES[file.parent.name], capsys.readouterr().out


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_is_found_by_its_rule(attack: str) -> None:
    assert ATTACKS[attack][0] in broken_rules((CORPUS / f"rejected/{attack}.json").read_bytes())


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
    ],
)
def test_findings_say_what_is_wrong(
    attack: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(CORPUS / f"rejected/{attack}.json")]) == 4
    assert said in capsys.readouterr().out


def test_false_bounds_and_changing_worlds_are_rejected() -> None:
    for name in bounds_refuted():
        assert broken_rules((CORPUS / f"rejected/{name}.json").read_bytes()) == {"bounds"}
    moved = (CORPUS / "rejected/world_that_moved_by_itself.json").read_bytes()
    assert broken_rules(moved) == {"tracking"}


def test_the_corpus_is_made_again_to_the_same_bytes() -> None:
    assert corpus() == {
        str(file.relative_to(CORPUS).as_posix()): file.read_bytes() for file in FILES
    }
