"""Equations rewrite what they match, and nothing else."""

import pytest

from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.kernels.sums.building import Function, exponential
from proofs_checks.kernels.sums.expressions import Expression, constant, total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.rewriting import rewritten, rule
from tests.proofs_checks.sums.writing import symbol

x, y, z = (Index("state", name) for name in "xyz")
j, k = Index(TIME, "j"), Index(TIME, "k")
v, K, p, w = (Function(name) for name in ("v", "K", "p", "w"))
s, a = symbol("s"), symbol("a")

ROWS = rule(total(x, K(y, x)), constant(1))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (total(x, K(z, x)), constant(1)),
        (total((x, y), v(y) * K(y, x)), total(y, v(y))),
        (abs(total((x, y), v(y) * K(y, x)) - a), abs(total(y, v(y)) - a)),
        (exponential(total(x, K(z, x))), exponential(constant(1))),
    ],
)
def test_row_sums_are_replaced(before: Expression, after: Expression) -> None:
    assert rewritten(before, [ROWS]) == after


@pytest.mark.parametrize(
    "other",
    [
        total(x, K(x, x)),  # not a row
        total(x, K(x, y)),  # a column
        total(x, K(y, x) * v(x)),  # x is needed elsewhere
        K(y, x),
    ],
)
def test_other_sums_do_not_match_a_row_sum(other: Expression) -> None:
    assert rewritten(other, [ROWS]) == other


def test_recursive_equation_rewrites_later_values() -> None:
    step = rule(w(j + 1, x), total(y, w(j, y) * K(y, x)))
    assert rewritten(w(k + 2, x), [step]) == total((y, z), w(k, z) * K(z, y) * K(y, x))
    assert rewritten(w(k, x), [step]) == w(k, x)
    assert rewritten(w(numeral(1), x), [step]) == total(y, w(numeral(0), y) * K(y, x))
    assert rewritten(w(numeral(0), x), [step]) == w(numeral(0), x)


def test_fixed_indices_match_themselves_only() -> None:
    fixed = Index(TIME, "j", fixed=True)
    known = rule(w(fixed, x), p(x))
    assert rewritten(w(fixed, y), [known]) == p(y)
    assert rewritten(w(j, y), [known]) == w(j, y)
    assert rewritten(w(fixed + 1, y), [known]) == w(fixed + 1, y)


def test_indices_that_are_functions_match_by_name() -> None:
    lag, other = Index(TIME, "ℓ", of=(j,)), Index(TIME, "m", of=(j,))
    known = rule(w(lag, x), p(x))
    assert rewritten(w(Index(TIME, "ℓ", of=(k + 1,)), x), [known]) == p(x)
    assert rewritten(w(other, x), [known]) == w(other, x)


def test_products_on_the_left_side_match_inside_products() -> None:
    assert rewritten(s * s * s, [rule(s * s, a)]) == a * s
    assert rewritten(s, [rule(s * s, a)]) == s
    assert rewritten(p(x) * v(x), [rule(p(y) * v(y), a)]) == a
    assert rewritten(p(x) * v(y), [rule(p(y) * v(y), a)]) == p(x) * v(y)


def test_sorts_are_kept_apart() -> None:
    o = Index("observation", "o")
    assert rewritten(v(o), [rule(v(x), a)]) == v(o)


def test_refused_as_rules() -> None:
    for left in (s + a, s * 2, constant(1), constant(0)):
        with pytest.raises(NotEarned, match="cannot be a rewrite rule"):
            rule(left, a)
    with pytest.raises(NotEarned, match="do not come to an end"):
        rewritten(s, [rule(s, s + 1)])


@pytest.mark.parametrize(
    ("by", "complaint"),
    [
        (w(j + 1, x) * v(j) + w(j + 2, x) * p(j), "make more than 500 terms"),
        (total(y, w(j + 1, y) * K(y, x)), "a term with 7 sums"),
    ],
)
def test_rules_whose_terms_grow_without_end_are_refused_soon(
    by: Expression, complaint: str
) -> None:
    with pytest.raises(NotEarned, match=complaint):
        rewritten(w(numeral(0), x), [rule(w(j, x), by)])
