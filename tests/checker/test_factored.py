"""The checker accepts factored runs, and refuses those that show less than they claim."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.checker import factored as checker
from proofs_checks.checker.certain import View
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed
from steel_verified.classes.finite import Components
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certifying import certificate_of_factors
from steel_verified.learning.drive import drive
from steel_verified.learning.factored import Factored, Factors
from steel_verified.worlds.locks import Locks
from tests.learning.factored.worlds import factored_worlds
from tests.toys import Shown

from ..certificates.attacks import attacked
from .material import broken_rules

if TYPE_CHECKING:
    from tests.learning.factored.worlds import Parts

CORPUS = Path(__file__).parents[1] / "certificates"


def test_honest_runs_are_accepted_and_say_what_they_suppose() -> None:
    verdict = judged((CORPUS / "accepted/factored_two_locks.json").read_bytes())
    assert (verdict.findings, verdict.learned, verdict.what) == ([], 2, "factor")
    assert verdict.delta == Fraction(1, 20)
    assert "the noise ignores the actions" in verdict.assumptions
    without = judged((CORPUS / "accepted/factored_without_coins.json").read_bytes())
    assert (without.findings, without.delta) == ([], None)
    assert "the noise ignores the actions" not in without.assumptions
    with pytest.raises(Malformed, match="no table of states"):
        verdict.against([[0]], 0)


@settings(max_examples=40)
@given(factored_worlds(), st.integers(0, 99), st.sampled_from([Fraction(0), Fraction(1, 20)]))
def test_every_run_is_accepted(world: Parts, seed: int, delta: Fraction) -> None:
    method = Factored(world.size, world.actions, seed=seed, check_steps=5, delta=delta)
    result = drive(method, Shown(world), Components(world.size), (), 2000)
    if isinstance(result, Factors):
        assert judged(certificate_of_factors(result, provenance("a test", 0, 0))).findings == []


def forget(_: object) -> None:
    """A part of the checker that does nothing."""


MISTAKES = {
    "factor_left_out": (View, "check_no_other"),
    "factor_listed_twice": (checker, "frozenset"),
    "one_coin_too_few": (checker, "_check_coins"),
    "another_transition": (checker, "_check_claim"),
}


@pytest.mark.parametrize("attack", MISTAKES)
def test_checker_that_forgets_a_rule_is_noticed(
    attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, name = MISTAKES[attack]
    nothing = (lambda *_: object()) if name == "frozenset" else (lambda *_, **__: ())
    monkeypatch.setattr(where, name, nothing, raising=name != "frozenset")
    assert broken_rules((CORPUS / f"rejected/factored_{attack}.json").read_bytes()) == set()


def test_hostile_files_are_refused_before_they_cost_much() -> None:
    world = Locks(2, 4, components=60)
    method = Factored(60, 4, check_steps=300)
    result = drive(method, world, world.functions())
    assert isinstance(result, Factors)
    long = certificate_of_factors(result, provenance("locks", 0, 0))
    many = "c['classifiers'] *= 2000; c['factors'] *= 2000; c['table'] *= 2000"
    tossed = "r[-1:-1] = [r[next(i for i, e in enumerate(r) if e['kind'] == 'toss')]] * 5000"
    for how in (many, many + "; c['factors'] = [len(c['classifiers'])]", tossed):
        data, began = attacked(long, how), process_time()
        assert is_refused(data)
        assert process_time() - began < 5


def is_refused(data: bytes) -> bool:
    try:
        return judged(data).findings != []
    except Malformed:
        return True
