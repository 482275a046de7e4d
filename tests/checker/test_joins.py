"""The checker computes again why labels are different states, in runs for the dynamics only."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.checker import planning
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed, Work
from proofs_checks.checker.verified import NotVerified
from steel_verified.evidence.certificate import certificate_of
from steel_verified.learning.congruences import (
    atoms,
    blocks,
    principal_congruences,
    proper_partitions,
)
from steel_verified.learning.drive import drive
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted
from tests.learning.certain.worlds import tables
from tests.learning.scenes import random_scene

from .material import written_located

CORPUS = Path(__file__).parents[1] / "certificates"


@pytest.mark.parametrize(("name", "sure"), [("grid", True), ("double_prime", False)])
def test_honest_run_is_accepted_and_says_what_is_assumed(*, name: str, sure: bool) -> None:
    data = (CORPUS / f"accepted/joins_{name}.json").read_bytes()
    verdict = judged(data)
    assert verdict.findings == []
    assert ("there are at least two states" in verdict.assumptions) == sure
    assert certificate_of(data, "a file").claim.classifiers is None
    if sure:
        with pytest.raises(NotVerified, match="ended by the rule on joins"):
            verdict.verified()


@given(seed=st.integers(0, 10**6), noise_seed=st.integers(0, 9))
def test_runs_in_random_worlds_are_accepted(seed: int, noise_seed: int) -> None:
    scene = random_scene(seed, noise_seed)
    method = Located(scene.parameters, scene.first_action, with_encoder=False)
    result = drive(method, scene.world(), scene.oracle, max_steps=20_000)
    assume(isinstance(result, Accepted))
    assert isinstance(result, Accepted)
    assert judged(written_located(result, scene.oracle.declared)).findings == []


@given(tables(least=1, most=6, actions=3), st.integers(1, 30))
def test_congruences_are_those_of_the_learner(table: list[list[int]], most: int) -> None:
    expected = proper_partitions(table, most)
    found = planning.proper(table, most, Work(10**6))
    assert (None if found is None else tuple(map(blocks, found))) == expected
    assert planning.principal(table, Work(10**6)) == principal_congruences(table)
    assert planning.atoms(table, Work(10**6)) == list(atoms(table))


def test_congruences_that_no_pair_of_labels_generates_are_found() -> None:
    """Turning three bits: the states are two blocks of four labels, which no pair generates."""
    table = [[label ^ 4, label ^ 2, label ^ 1, label] for label in range(8)]
    work = Work(10**6)
    every = planning.proper(table, planning.MOST_CONGRUENCES, work)
    assert every is not None
    states = (0, 0, 0, 0, 4, 4, 4, 4)
    assert states in every
    assert states not in planning.principal(table, work)


def test_table_with_many_congruences_is_refused_before_it_takes_long() -> None:
    table = [[label] for label in range(64)]
    assert planning.proper(table, 1000, Work(1 << 20)) is None
    with pytest.raises(Malformed, match="too costly"):
        planning.proper(table, 1000, Work(1000))
