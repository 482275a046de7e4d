"""The inequalities on rollout lengths are proved, and not when nudged."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Expr, Symbol

from proofs_checks.rollouts import INEQUALITIES, Inequality
from proofs_checks.slack import NotShown

named = pytest.mark.parametrize("inequality", INEQUALITIES, ids=lambda i: str(i.claim))


@named
def test_proved(inequality: Inequality) -> None:
    assert isinstance(inequality.proof(), Expr)


@named
def test_two_more_is_not_proved(inequality: Inequality) -> None:
    """All of them are tight, or have 1 to spare: with 2 added to the left they fail somewhere."""
    with pytest.raises(NotShown):
        replace(inequality, left=inequality.left + 2).proof()


@named
@pytest.mark.properties
@given(data=st.data())
def test_true_at_random_points(inequality: Inequality, data: st.DataObject) -> None:
    """The statement itself, without slacks, on values that respect the lower bounds."""
    values: dict[Symbol, Expr | int] = {}
    for variable, least in reversed(list(inequality.at_least.items())):
        floor = least if isinstance(least, int) else int(str(least.subs(values)))
        values[variable] = floor + data.draw(st.integers(0, 50))
    zero = Symbol("zero") * 0
    difference = (zero + inequality.right - inequality.left).subs(values)
    assert int(str(difference)) >= 0
