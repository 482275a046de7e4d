"""Theories about dynamics hold in real small worlds: word for word, hypotheses and lemmas."""

import pytest

from proofs_checks.kernels.deduction import Proof, restated
from proofs_checks.kernels.deduction.rules import rules_of
from proofs_checks.proofs import theory
from tests.proofs_checks.models import broken
from tests.proofs_checks.models_of_worlds import by_theory, spread

MODELS = by_theory()
THEORIES = (
    "LOOPED_WORDS",
    "NEWS",
    "PASSES",
    "NAMING",
    "ONTO",
    "COMPLETE",
    "WAYS_OUT",
    "ESCAPING",
    "NEAREST_FIRST",
    "DIAMETER",
    "TOUR_LENGTH",
    "TOURING",
    "REVERSIBLE",
    "ALL_REACH",
)


@pytest.mark.parametrize("name", THEORIES)
def test_every_hypothesis_and_lemma_holds_in_small_worlds(name: str) -> None:
    """What a theory has from LOOPED_WORDS is tried there alone."""
    shared = theory("LOOPED_WORDS").steps if name != "LOOPED_WORDS" else ()
    own = [step for step in theory(name).steps if step not in shared]
    for model in spread(MODELS[name], 6):
        assert broken(theory(name), model, own) == []


@pytest.mark.parametrize(
    ("name", "step", "then"),
    [
        ("LOOPED_WORDS", "A09", "n_trn(m) + n_cyc(m) <= S - 1"),
        ("LOOPED_WORDS", "sizes", "1 <= S <= N - 1, L >= 1"),
        ("WAYS_OUT", "C05", "out(u) <= D - 1"),
        ("ESCAPING", "P03", "K <= M - 1"),
        ("TOURING", "D03", "len(K) + dist(pos(K), pos(0)) <= (S - 1) * D"),
        ("TOURING", "D04", "1 + dist(T(u, b), u) <= D"),
        ("DIAMETER", "M04", "d <= S - 2"),
        ("NAMING", "one_name", "name(u) == name(v)"),
        ("COMPLETE", "as_many", "M == S - 1"),
    ],
)
def test_false_statement_fails_in_some_small_world(name: str, step: str, then: str) -> None:
    wrong = restated(Proof(theory(name), (step,)), step, then=then).theory
    stated = [each for each in wrong.steps if step in rules_of(each)]
    assert any(broken(wrong, model, stated) == [step] for model in MODELS[name])
