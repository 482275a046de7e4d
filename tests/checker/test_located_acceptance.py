"""The checker accepts every certificate of an accepted located run."""

from __future__ import annotations

import json
from collections import Counter
from time import process_time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.checker.located import Following, check, check_truth, read
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted
from steel_verified.strategies import Problem, problems
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.tabular import tabular_world
from tests.worlds.kept_runs import certified

from ..certificates.content import as_json
from ..learning.broken_located.scenes import hasty_scene, random_scene
from .located_material import accepted_run, finite, replayed, run_of, small, verdict, written


@given(problem=problems(max_states=5), seed=st.integers(0, 999))
def test_every_accepted_run_is_accepted(problem: Problem, seed: int) -> None:
    result = checked_run(
        tabular_world(problem.world, seed),
        problem.oracle,
        Located(problem.parameters, first_action=problem.first_action),
    )
    assume(isinstance(result, Accepted))
    assert isinstance(result, Accepted)
    data = written(result, problem.oracle.declared)
    assert check(read(data)) == []
    assert replayed(data) == data
    table = [list(row) for row in problem.world.dynamics.table]
    right = not list(check_truth(read(data), table, problem.world.start))
    assert right or result.model.states != problem.world.dynamics.states


@given(seed=st.integers(0, 10**6), noise_seed=st.integers(0, 9))
def test_runs_in_random_worlds_of_bits_are_accepted(seed: int, noise_seed: int) -> None:
    data = run_of(random_scene(seed, noise_seed))
    assume(data is not None)
    assert data is not None
    assert verdict(data) == "accepted"


@pytest.mark.slow
def test_many_runs_in_random_worlds_are_accepted() -> None:
    """Prints the number of runs of each kind: `pytest -m slow -s tests/checker`."""
    found = Counter[str]()
    for seed in range(4000):
        data = run_of(random_scene(seed, noise_seed=seed % 7))
        if data is None:
            found["not accepted by the learner"] += 1
            continue
        assert verdict(data) == "accepted"
        found[kinds_of(data)] += 1
    print()
    for kind, times in found.most_common():
        print(f"  {times:>5}  {kind}")
    assert any("3 rounds" in kind for kind in found)
    assert any("looped again" in kind for kind in found)


def kinds_of(data: bytes) -> str:
    """Return the kinds of events in a run."""
    c = json.loads(as_json(data))
    rounds = sum(entry["kind"] == "fixed" for entry in c["record"])
    loops = sum(entry["kind"] == "periods" for entry in c["record"])
    return f"{rounds} rounds{', looped again or longer' if loops > 1 else ''}"


@pytest.mark.parametrize("name", small())
def test_runs_of_every_kind_are_accepted(name: str) -> None:
    data = small()[name]
    assert verdict(data) == "accepted"
    assert replayed(data) == data


def test_the_small_runs_are_of_the_kinds_that_they_are_called() -> None:
    assert kinds_of(small()["grid"]) == "1 rounds"
    assert kinds_of(small()["first round failed"]) == "2 rounds"
    assert kinds_of(small()["two rounds"]) == "2 rounds"
    assert kinds_of(small()["three rounds"]) == "3 rounds"
    for name in ("loop that goes on", "loop when lost", "loop when lost, merged by congruence"):
        assert "looped again" in kinds_of(small()[name])
    certificate = read(small()["labels without a way back"])
    run = Following(certificate, finite(certificate))
    assert len(run.follow().model.rows) < len(run.labels.rows)


@pytest.mark.parametrize("rare", [20, 21, 30, 100, 257])
def test_rounds_that_fail_at_any_time_are_accepted(rare: int) -> None:
    """The noise is 1 once, or repeatedly."""
    for data in (
        accepted_run(hasty_scene(lambda time: time == rare)),
        accepted_run(hasty_scene(lambda time: time % rare == 0)),
    ):
        assert verdict(data) == "accepted"


@pytest.mark.parametrize(
    ("world", "sizes"),
    [
        ("grid", {}),
        ("single-prime", {"p": 2, "q": 3}),
        ("double-prime", {"p": 3, "q": 5}),
        ("combination-lock", {"states": 8}),
    ],
)
@pytest.mark.parametrize("noise_seed", range(4))
def test_located_runs_on_the_papers_small_worlds_are_accepted_and_true(
    world: str, sizes: dict[str, int], noise_seed: int
) -> None:
    chosen = instance(world, 0, **sizes)
    data = certified("located", chosen, noise_seed)
    assert verdict(data) == "accepted"
    table = [list(row) for row in chosen.dynamics.table]
    assert list(check_truth(read(data), table, chosen.start)) == []


def test_located_certificate_of_the_lock_is_small_and_checked_within_a_second() -> None:
    data = certified("located", instance("combination-lock", 0, states=20), 3)
    began = process_time()
    assert verdict(data) == "accepted"
    assert process_time() - began < 1
    assert len(data) < 600_000
