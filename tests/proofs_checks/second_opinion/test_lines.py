"""Every line of every proof about sums is true on random chains; false lines are detected."""

from collections.abc import Iterator
from fractions import Fraction
from math import exp

import pytest

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.sums import Proof, nudged, replay
from proofs_checks.proofs import chains
from proofs_checks.second_opinion.agreement import of_proof
from proofs_checks.second_opinion.evaluating import exponential
from proofs_checks.second_opinion.instances import drawn
from proofs_checks.second_opinion.lines import evaluated

SIGNIFICANT = Fraction(1, 10**12)


@pytest.mark.parametrize("name", chains.templates())
def test_every_line_holds_where_the_hypotheses_do(name: str) -> None:
    found = of_proof(name, draws=6)
    assert found.against == (), "\n".join(map(str, found.against))
    assert found.lines >= 1
    assert found.never == frozenset()


def false_lines(name: str, proof: Proof) -> Iterator[str]:
    """The lines that are false in some of 40 instances of the proof of this name."""
    for seed in range(40):
        verdict = evaluated(proof, drawn(name, proof, seed))
        assert not verdict.unmet
        yield from verdict.false


@pytest.mark.parametrize(
    ("name", "values", "line"),
    [
        ("mixing.after_the_mixing_time", "2/5", "mixed"),
        ("measures.change_is_half", "9/20", "half"),
        ("lemma1.passes_nearly_as_often", "6/25", "above"),
        ("matrix.matrix_inequality", "2/5, 1/2", "b'"),
        ("samples.measures_are_chances", "99/100", "a ≤ 1"),
        ("samples.each_after_the_first", "6/25", "after"),
        ("products.copies_mix", "2/5", "mixed"),
        ("bets.next_symbol", "9/10", "next"),
        ("theorem.counted_events", "1/2", "all"),
        ("theorem.one_test", "1", "some f"),
        ("theorem.a_period_test_errs", "1", "errs"),
        ("theorem.a_position_test_errs", "1", "errs"),
        ("theorem.encoder_errs", "9/10", "encoder"),
        ("checking.far_apart", "9/5", "H(0) near"),
        ("bets.chances_sum_to_1", "2/5", "sum to 1"),
        ("checking.halves_between_checks", "2/5", "shrinks at j + 1"),
        ("located.bad_label_passes", "1, 0", "mean at j + 1"),
        ("fallback.with_a_fallback", "9/10, 1/2, 1/2", "together"),
    ],
)
def test_value_that_is_too_small_is_detected(name: str, values: str, line: str) -> None:
    assert line in false_lines(name, chains.proof(f"{name}({values})"))


def test_lines_that_claim_1_percent_more_are_detected() -> None:
    """Both the kernel and the evaluation refuse each of them."""
    name = "next_sample.one_more_sample"
    proof = chains.proof(name)
    for place in range(len(proof.lines)):
        wrong = nudged(proof, place)
        with pytest.raises(NotEarned):
            replay(wrong)
        assert any(false_lines(name, wrong))


@pytest.mark.parametrize("value", ["0", "1/3", "-1/3", "4", "-4", "7/2"])
def test_exp_is_enclosed(value: str) -> None:
    found = exponential(Fraction(value))
    assert found.low <= found.high <= found.low * (1 + SIGNIFICANT)
    assert abs(float(found.low) - exp(Fraction(value))) <= 1e-12 * exp(Fraction(value))
    assert (found.low == found.high) == (value == "0")


def test_exp_is_refused_where_its_series_is_too_short() -> None:
    with pytest.raises(ValueError, match="beyond"):
        exponential(Fraction(5))
