"""The checker accepts runs in which steps slipped, refuses those that show less, and ends soon."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from time import process_time

import pytest

from proofs_checks.checker import slipping
from proofs_checks.checker.certain import Record, Trajectory
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Broken, Malformed, Work
from proofs_checks.checker.verified import NotVerified
from steel_verified.learning.deciding import Decided
from steel_verified.learning.slipping import Slipping
from tests.learning.slips import drawn, explored

from ..certificates.content import as_json

TWENTIETH = Fraction(1, 20)


def test_honest_run_is_accepted_and_says_what_is_assumed() -> None:
    data = (Path(__file__).parents[1] / "certificates/accepted/slipping_lock.json").read_bytes()
    verdict = judged(data)
    assert verdict.findings == []
    assert verdict.delta == TWENTIETH
    assert "elsewhere than usual with chance at most p" in " ".join(verdict.assumptions)
    table = json.loads(as_json(data))["table"]
    assert list(verdict.against(table, 0)) == []
    table[0][0] = (table[0][0] + 1) % 4
    assert list(verdict.against(table, 0)) != []
    with pytest.raises(NotVerified):
        verdict.verified()


def test_every_decided_run_is_accepted_with_the_same_answer() -> None:
    """Worlds of an adversary: where the learner answers, the checker gives the same answer."""
    decided = 0
    for seed in range(40):
        world, method = drawn(
            seed, lambda size, actions: Slipping(TWENTIETH, size, actions, TWENTIETH, check_steps=9)
        )
        known, rows = explored(world, method, 250)
        if not isinstance(known.decision, Decided):
            continue
        decided += 1
        claim = tuple(fits[0] for fits in known.decision.labels)
        path = Trajectory(tuple(rows), tuple(world.actions[1:]))
        record = Record(method.classifiers, method.actions, True, (path,), claim)  # noqa: FBT003
        answer = slipping.answer_of(record, method.rate, method.delta, Work.of_file(0))
        assert answer.table == known.decision.table
        assert answer.encoders == known.decision.labels
        assert answer.current == known.decision.current
        assert answer.supposes_two == known.decision.supposes_two
    assert decided >= 20


def record_of(rows: list[int], actions: list[int], classifiers: int) -> Record:
    path = Trajectory(tuple(rows), tuple(actions))
    return Record(classifiers, 2, True, (path,), (0, 1))  # noqa: FBT003


SLOW = {
    "many classifiers with many columns": (
        [hash((t, "x")) % (1 << 60) << 2000 | (1 << 2000) - 1 ^ 1 << t % 1999 for t in range(900)],
        2060,
        TWENTIETH,
    ),
    "a rate with a long denominator": ([1, 2] * 60_000, 2, Fraction(499_999_999, 10**9)),
    "a rate close to one half": ([1, 2] * 5_000, 2, Fraction(1, 2) - Fraction(1, 10**9)),
}


def test_work_grows_with_the_pairs_that_a_file_declares() -> None:
    limits = [slipping.work_for(record_of([1, 2], [0], size), 0).limit for size in (2, 100, 10**6)]
    more = [limit - Work.of_file(0).limit for limit in limits]
    assert more == [100 * 2 * 2**2, 100 * 2 * 100**2, 20_000_000]


@pytest.mark.parametrize("name", SLOW)
def test_hostile_file_costs_seconds_at_most(name: str) -> None:
    rows, classifiers, rate = SLOW[name]
    record = record_of(rows, [t % 2 for t in range(len(rows) - 1)], classifiers)
    began = process_time()
    with pytest.raises((Malformed, Broken)):
        slipping.answer_of(record, rate, TWENTIETH, slipping.work_for(record, 6 * len(rows)))
    assert process_time() - began < 30
