"""The checker accepts runs in which coins decided, and refuses those whose coins show less."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from proofs_checks.checker.verified import NotVerified
from steel_verified.classes.finite import Components
from steel_verified.evidence.certificate import provenance
from steel_verified.evidence.entries import Coin, Trial
from steel_verified.learning import coins
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.congruences import atoms
from steel_verified.learning.drive import drive
from steel_verified.learning.results import Accepted
from steel_verified.worlds.prime_loops import prime_loops
from tests.learning.certain.test_coins import Mimicked, mimics
from tests.learning.certain.worlds import Adversary
from tests.toys import Shown

from ..certificates.attacks import attacked
from ..certificates.coins import NAMES
from .material import broken_rules

if TYPE_CHECKING:
    from tests.learning.certain.worlds import History

HONEST = (Path(__file__).parents[1] / "certificates/accepted/coins_double_prime.json").read_bytes()


def test_honest_run_is_accepted_and_not_called_certain() -> None:
    verdict = judged(HONEST)
    assert verdict.findings == []
    assert verdict.delta == Fraction(1, 20)
    assert "not certain" in " ".join(verdict.meaning.split())
    assert "the noise ignores the actions" in verdict.assumptions
    table = [list(row) for row in prime_loops(0, 2, p=3, q=5).dynamics().table]
    assert list(verdict.against(table, 0)) == []
    quotient = [list(row) for row in prime_loops(0, 1, p=3, q=5).dynamics().table]
    assert list(verdict.against(quotient, 0)) != []
    with pytest.raises(NotVerified):
        verdict.verified()


def run_in(world: Adversary, method: Certain) -> Accepted | None:
    result = drive(method, Shown(world), Components(world.size))
    return result if isinstance(result, Accepted) else None


def file_of(result: Accepted) -> bytes:
    assert isinstance(result.method, Certain)
    functions = Components(result.method.classifiers)
    return certificate_of_run(result, functions, provenance("a test", 0, 0))


@settings(max_examples=25)
@given(mimics(), st.integers(0, 99))
def test_every_run_that_coins_decide_is_accepted(
    drawn: tuple[Mimicked, list[coins.Side]], seed: int
) -> None:
    case, _ = drawn
    size, actions = len(case.table), len(case.table[0])
    method = Certain(3 * size, actions, seed=seed, check_steps=10, delta=Fraction(1, 20))
    result = run_in(case.world(case.turned), method)
    if result is not None:
        verdict = judged(file_of(result))
        assert verdict.findings == []
        assert result.decided is not None
        assert verdict.method == ("coins" if result.decided.chance else "certain")


def noisy(seed: int) -> Adversary:
    """A world of which F classifies a quotient, with bits that look like a state at first."""
    random = Random(seed)
    lit = 0

    def choose(history: History) -> int:
        nonlocal lit
        state, lit = history[-1][0], lit ^ (random.random() < 0.3)
        return 1 << state // 2 | 1 << 2 + 2 * state + lit

    table = [[2, 0], [3, 1], [0, 3], [1, 2]]
    return Adversary(table, 2 + 8, choose)


def test_trial_that_failed_is_charged_and_cannot_be_left_out() -> None:
    for seed in range(200):
        method = Certain(14, 2, seed=seed, check_steps=20, delta=Fraction(1, 20))
        result = run_in(noisy(seed), method)
        if result is None or result.decided is None or not result.decided.chance:
            continue
        trials = [entry for entry in result.ledger.entries if isinstance(entry, Trial)]
        if len(trials) == 1:
            continue
        assert result.ledger.budget.spent == sum(trial.charge for trial in trials)
        assert judged(file_of(result)).findings == []
        left_out = f"{NAMES}del r[t[0]]; c['spent'] = '{trials[1].charge}'"
        assert broken_rules(attacked(file_of(result), left_out)) == {"trials"}
        return
    pytest.fail("no run had a trial that failed")


def test_each_atom_needs_its_own_coins() -> None:
    """Three actions that turn two bits or none: three atoms, of which F classifies one quotient."""

    def choose(history: History) -> int:
        return 1 << history[-1][0] // 2

    world = Adversary([[s ^ 2, s ^ 1, s] for s in range(4)], 2, choose)
    result = run_in(world, Certain(6, 3, check_steps=0, delta=Fraction(1, 20)))
    assert result is not None
    data = file_of(result)
    assert judged(data).findings == []
    assert sum(isinstance(entry, Coin) for entry in result.ledger.entries) == 3 * 5
    for number in range(1, 16):
        assert broken_rules(attacked(data, f"{NAMES}del r[t[{number}]]")) == {"atoms"}


def test_learner_that_forgets_an_atom_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coins, "atoms", lambda table: atoms(table)[1:])
    case = Mimicked([[1, 0], [0, 1]], ((False, False), (False, True)))
    result = run_in(case.world(case.turned), Certain(6, 2, delta=Fraction(1, 20)))
    assert result is not None
    assert not any(isinstance(entry, Coin) for entry in result.ledger.entries)
    assert broken_rules(file_of(result)) == {"atoms"}
