"""Attacks on the sums kernel by objects of unexpected types and by unusual citations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.sums import replay, tell
from proofs_checks.kernels.sums.building import Function, number
from proofs_checks.kernels.sums.expressions import (
    Expression,
    Term,
    constant,
    total,
)
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.statements import (
    Cited,
    Combined,
    Induction,
    Known,
    Others,
    Proof,
    Statement,
    Step,
)
from tests.proofs_checks.sums.writing import at_most, attack, equals, part, refused, symbol

x, y = Index("state", "x"), Index("state", "y")
j = Index(TIME, "j")
f, g = Function("f"), Function("g")
a, b, e, s = (symbol(name) for name in "abes")
FALSE = at_most(1, 0)


# --- odd types ------------------------------------------------------------------------------------


class Lie(Statement):
    """A statement whose gap is another one."""

    @property
    def gap(self) -> Expression:
        return constant(1)


class Changing(Mapping[str, Statement]):
    """A mapping that returns a different value at each lookup."""

    def __init__(self) -> None:
        self.asked = 0

    def __getitem__(self, name: str) -> Statement:
        self.asked += 1
        return FALSE if self.asked > 1 else at_most(0, 1)

    def __iter__(self) -> Iterator[str]:
        return iter(("given",))

    def __len__(self) -> int:
        return 1


def test_statements_have_exact_types() -> None:
    lie = Lie(constant(1), "≤", constant(0))
    refused(attack({}, Step("s", lie, Combined((part(times=1),))), goal=lie), "exact types only")


class Half(Fraction):
    """A fraction that is equal to anything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Fraction.__hash__


def test_coefficients_have_exact_types() -> None:
    with pytest.raises(NotEarned, match="not a Half"):
        constant(Half(1, 2))
    given = Statement(Expression(((Term((), ()), Half(1, 2)),)), "≤", constant(0))
    refused(attack({"given": given}), "exact types only, not a Half")


def test_mappings_do_not_change() -> None:
    made = attack(Changing(), Step("s", FALSE, Combined((part(Known("given")),))))
    assert made.hypotheses["given"] == made.hypotheses["given"] == at_most(0, 1)
    refused(made, "left over")
    hypotheses = {"one": at_most(a, b)}
    kept = attack(hypotheses, Step("s", at_most(a, b), Combined((part(Known("one")),))))
    hypotheses["one"] = FALSE
    assert kept.hypotheses["one"] == at_most(a, b)


@dataclass(frozen=True, slots=True)
class Slippery(Proof):
    """A proof of another class."""


def test_proofs_have_exact_types() -> None:
    slippery = Slippery(title="t", hypotheses={}, lines=(), goals=(FALSE,))
    refused(slippery, "exact types only, not a Slippery")
    refused(attack({}, Step("s", FALSE, Cited(slippery))), "exact types only, not a Slippery")


# --- citing and telling ---------------------------------------------------------------------------

DOUBLE = at_most(a * 2, b * 2)
RIGHT = attack(
    {"one": at_most(a, b)},
    Step("double", DOUBLE, Combined((part(Known("one"), times=2),))),
    goal=DOUBLE,
)


def test_every_proof_is_checked_though_titles_are_the_same() -> None:
    wrong = replace(RIGHT, hypotheses={}, lines=(), goals=(FALSE,))
    lines = (Step("double", DOUBLE, Cited(RIGHT)), Step("false", FALSE, Cited(wrong)))
    both = replace(attack({"one": at_most(a, b)}, *lines), goals=(DOUBLE, FALSE))
    refused(both, "the goal is not shown: 1 ≤ 0")


def test_a_proof_that_cites_itself_is_not_accepted() -> None:
    circular = attack({}, Step("false", FALSE, Combined()))
    object.__setattr__(circular, "lines", (Step("false", FALSE, Cited(circular)),))
    with pytest.raises(RecursionError):
        replay(circular)


def test_every_proof_is_told_though_titles_are_the_same() -> None:
    other = replace(RIGHT, hypotheses={"one": at_most(b, a)}, lines=(), goals=(at_most(b, a),))
    lines = (
        Step("here", DOUBLE, Cited(RIGHT)),
        Step("there", at_most(b, a), Cited(other, facts={"one": "two"})),
    )
    told = tell(attack({"one": at_most(a, b), "two": at_most(b, a)}, *lines))
    assert "given a ≤ b (one)\n" in told
    assert "given b ≤ a (one)" in told


def test_a_title_is_on_one_line() -> None:
    refused(replace(RIGHT, title="fine\n  false: 1 ≤ 0, by algebra"), "on one line")
    assert replay(RIGHT).strength is Strength.PROVED


def test_a_rule_sums_over_what_occurs() -> None:
    """Σ_x f(y) = 0 says nothing of another sum."""
    given = {"rule": equals(total(x, f(y)), 0)}
    step = Step("s", equals(total(x, f(y)), 0), Combined(using=("rule",)))
    refused(
        attack(given, step, goal=equals(total(x, f(y)), 0)),
        "it sums over an index that does not occur",
    )


def test_a_part_of_a_sum_over_numbers_is_refused() -> None:
    given = {"sign": at_most(0, f(j))}
    step = Step("s", FALSE, Combined((part(Others("sign", j)),)))
    refused(attack(given, step), "finite sort")


def test_induction_does_not_leave_its_fixed_number_behind() -> None:
    """A fact about one fixed number is not shown for all numbers."""
    fixed = Index(TIME, "j", fixed=True)
    start = Step("at 0", at_most(0, number(numeral(0))), Combined())
    onward = Step("after", at_most(number(fixed), number(fixed) + 1), Combined((part(times=1),)))
    line = Induction(j, {"c": at_most(number(j), number(fixed))}, start=(start,), onward=(onward,))
    refused(attack({}, line), "already fixed")
