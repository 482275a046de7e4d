"""Theories about whole runs hold in small runs, so that their hypotheses are satisfiable."""

import pytest

from proofs_checks.kernels.deduction import Proof, restated
from proofs_checks.kernels.deduction.rules import rules_of
from proofs_checks.proofs import theory
from tests.proofs_checks.models import Model, broken
from tests.proofs_checks.models_of_runs import MODELS


@pytest.mark.parametrize(("name", "model"), MODELS, ids=[name for name, _ in MODELS])
def test_a_small_run_fulfils_all_hypotheses_and_lemmas(name: str, model: Model) -> None:
    assert broken(theory(name), model) == []


@pytest.mark.parametrize(
    ("name", "step", "then"),
    [
        ("STEEL", "T1_steps", "length(real(Q, o)) <= S * A * call_bound"),
        ("STEEL", "B22_periods", "np <= A * (N - 1) - 1"),
        ("STEEL", "accident", "wrong(k, o) == 0"),
        ("PHASE_1", "C09_whole", "M == S + 1"),
        ("SURE", "located", "here(i) == 0"),
        ("LOCATED", "L1_model", "M == S - 1"),
        ("RETRACED", "placed", "here(k, i) == 0"),
        ("RETRACED", "before", "value(own(sigma(l)), y) == 1"),
        ("FALLBACK", "eleven_tenths", "10 * (took(c) + second(c, o)) <= 8 * B"),
        ("FALLBACK", "union", "either(c, o) <= fails(c)"),
    ],
)
def test_false_statement_fails_in_a_small_run(name: str, step: str, then: str) -> None:
    wrong = restated(Proof(theory(name), (step,)), step, then=then).theory
    stated = [each for each in wrong.steps if step in rules_of(each)]
    assert broken(wrong, dict(MODELS)[name], stated) == [step]
