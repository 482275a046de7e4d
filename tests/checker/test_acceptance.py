"""Every run's certificate is accepted, and the corpus is judged as its folders say."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.__main__ import main
from proofs_checks.checker.reading import digest_of, read
from proofs_checks.checker.rules import check
from proofs_checks.checker.truth import wrong_verdicts
from steel_verified.evidence.certificate import certificate
from steel_verified.evidence.codec import sealed
from steel_verified.strategies import Problem, problems
from steel_verified.theory.recipe import paper
from steel_verified.worlds.driver import learn
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.tabular import tabular_world

from ..learning.test_steel import ALL_FUNCTIONS, COIN, slow_coin
from ..learning.test_steel import run as learn_problem

if TYPE_CHECKING:
    from steel_verified.learning.results import Accepted

CORPUS = Path(__file__).parents[1] / "certificates"


def of(learned: Accepted[int], problem: Problem) -> bytes:
    return sealed(certificate(learned, paper(problem.parameters), {"seed": 1}))


@pytest.mark.properties
@given(problem=problems(max_states=5), seed=st.integers(0, 999), real=st.booleans())
def test_every_run_is_accepted(problem: Problem, seed: int, *, real: bool) -> None:
    if real:
        learned, _ = learn_problem(problem, seed)
    else:
        learned = ideal_run(
            problem.world.dynamics,
            problem.world.start,
            problem.parameters,
            first_action=problem.first_action,
            with_encoder=bool(seed % 2),
        )
        # The classifiers of an ideal run are true states, of which F has at least as many.
    assert check(read(of(learned, problem))) == []


@pytest.mark.properties
@given(problem=problems())
def test_certificates_are_canonical(problem: Problem) -> None:
    """Reading and writing again gives the same bytes; observations are not in it."""
    learned = ideal_run(problem.world.dynamics, problem.world.start, problem.parameters,
                        first_action=problem.first_action)  # fmt: skip
    data = of(learned, problem)
    value = json.loads(data)
    digest = value.pop("digest")
    assert sealed(value) == data
    assert digest == digest_of(value)


@pytest.mark.properties
@given(problem=problems(max_states=5))
def test_the_truth_of_generated_runs_has_no_wrong_verdict(problem: Problem) -> None:
    learned = ideal_run(problem.world.dynamics, problem.world.start, problem.parameters,
                        first_action=problem.first_action)  # fmt: skip
    table = [list(row) for row in problem.world.dynamics.table]
    assert list(wrong_verdicts(read(of(learned, problem)), table, problem.world.start)) == []


def test_a_tabular_run_is_accepted() -> None:
    """The world of the other tests, through the public door."""
    learned = learn(tabular_world(slow_coin(Fraction(1, 2)), 3), ALL_FUNCTIONS, COIN)
    assert check(read(sealed(certificate(learned, paper(COIN), {})))) == []


CODES = {"accepted": 0, "rejected": 4, "malformed": 3}
FILES = sorted(file for kind in CODES for file in (CORPUS / kind).iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_corpus(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(file)]) == CODES[file.parent.name], capsys.readouterr().out


def test_the_corpus_is_there() -> None:
    assert {kind: len(list((CORPUS / kind).iterdir())) >= 3 for kind in CODES} == dict.fromkeys(
        CODES, True
    )
