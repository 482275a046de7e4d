"""The prover shows what is true by its method and refuses what is not shown."""

import pytest
from sympy import Symbol, expand

from proofs_checks.slack import NotShown, nonnegative, slack

x, y = Symbol("x"), Symbol("y")


def test_the_proof_is_the_difference_in_slacks() -> None:
    proof = nonnegative(x * y - y, {x: y, y: 1})
    by_hand = (slack(x) + slack(y) + 1) * (slack(y) + 1) - (slack(y) + 1)
    assert expand(proof - by_hand) == expand(x - x)


def test_what_is_false_is_refused() -> None:
    with pytest.raises(NotShown, match="coefficients"):
        nonnegative(x - y, {x: 0, y: 1})


def test_what_is_true_but_not_by_this_method_is_refused() -> None:
    with pytest.raises(NotShown, match="coefficients"):
        nonnegative((x - y) ** 2, {x: 0, y: 0})


def test_a_variable_without_a_bound_is_refused() -> None:
    with pytest.raises(NotShown, match="no lower bound for"):
        nonnegative(x * y, {x: 0})


def test_a_bound_on_an_earlier_variable_is_refused() -> None:
    with pytest.raises(NotShown):
        nonnegative(y - x, {x: 0, y: x})
