"""Each formula of the audit gives the number that `theory/` computes, and is shown as written."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from xml.etree import ElementTree

import pytest
from flint import arb, ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.claims import all_claims
from steel_verified.experiments.registry import NAMES as PRESETS
from steel_verified.experiments.registry import preset
from steel_verified.learning.located import Located
from steel_verified.reports.audit import located_audit, looped_audit
from steel_verified.reports.audit_page.page import audit_values
from steel_verified.reports.audit_page.typeset import as_mathml, symbol, with_symbols
from steel_verified.reports.formulas import (
    BOUNDS,
    DEFINITIONS,
    LOCATED,
    LOOPED,
    NAMES,
    SHARES,
    as_text,
)
from steel_verified.strategies import extents, parameters
from steel_verified.theory.exact import ball
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.theory.validation import LEAST_DELTA

BITS = 500
SYMBOLS = [each for part in (*LOOPED.values(), LOCATED) for each in part]


class Real:
    """A number of a formula, enclosed: Python evaluates formulas with these."""

    def __init__(self, value: arb | Fraction | int) -> None:
        self.exact = value if not isinstance(value, arb) else None
        self.ball = value if isinstance(value, arb) else ball(Fraction(value))

    def with_(self, other: Real | int, name: str) -> Real:
        other = other if isinstance(other, Real) else Real(other)
        if self.exact is not None and other.exact is not None:
            exact = getattr(Fraction(self.exact), name)(Fraction(other.exact))
            return Real(Fraction(exact))
        return Real(getattr(self.ball, name)(other.ball))

    def __add__(self, other: Real | int) -> Real:
        return self.with_(other, "__add__")

    def __sub__(self, other: Real | int) -> Real:
        return self.with_(other, "__sub__")

    def __mul__(self, other: Real | int) -> Real:
        return self.with_(other, "__mul__")

    def __rmul__(self, other: int) -> Real:
        return Real(other) * self

    def __truediv__(self, other: Real | int) -> Real:
        return self.with_(other, "__truediv__")

    def __pow__(self, other: Real | int) -> Real:
        return self.with_(other, "__pow__")

    def __neg__(self) -> Real:
        return self * -1

    def __ge__(self, other: Real | int) -> bool:
        return rational(self) >= rational(other)

    def __gt__(self, other: Real) -> bool:
        return bool(self.ball > other.ball)


def rational(number: Real | int) -> Fraction:
    found = number.exact if isinstance(number, Real) else number
    assert found is not None, "a number with a logarithm in it is not rational"
    return Fraction(found)


def whole(number: Real, kind: str) -> Real:
    integer = getattr(number.ball, kind)().unique_fmpz()
    assert integer is not None
    return Real(int(integer))


def least_power(rate: Real, target: Real | None) -> Real:
    """By trying one n after the other."""
    n, power = 0, Fraction(1)
    while target is not None and power > rational(target):
        n, power = n + 1, power * rational(rate)
    return Real(n)


def worst_period(values: dict[str, Real]) -> Real:
    """By trying all periods."""

    def steps(period: int) -> Fraction:
        tried = {**values, "period": Real(period)}
        for key in ("n_0", "stride", "c"):
            tried[key] = evaluated(DEFINITIONS[key], tried)
        return rational(evaluated(DEFINITIONS["call_steps"], tried))

    periods = range(1, int(rational(values["states"])) + 1)
    return Real(max(periods, key=lambda period: (steps(period), period)))


def upwards(chance: Real, delta: Real) -> Real:
    allowed = rational(delta)
    grain = 1 << 64 + (allowed.denominator // allowed.numerator).bit_length()
    return whole(chance * grain, "ceil") / grain


def checks(epsilon: Real, distance: Real | int, part: Real) -> Real:
    """By the recursion itself, in balls: exact fractions would grow by 30 bits a step.

    A tie that a ball cannot decide counts as more than the share: `theory/` rounds bounds up.
    """
    error = min(rational(epsilon), Fraction(1, 2))
    far, wrong, right, aim = map(ball, (rational(distance), error, 1 - error, rational(part)))
    a = b = arb(1)
    n = 0
    while not b + far * a <= aim:
        a, b = a.min(far * a + b), b.min(right * b + wrong * far * a)
        n += 1
    return Real(n)


FUNCTIONS = {
    "Real": Real,
    "ln": lambda number: Real(number.ball.log()),
    "exp": lambda number: Real(number.ball.exp()),
    "floor": partial(whole, kind="floor"),
    "ceiling": partial(whole, kind="ceil"),
    "least_power": least_power,
    "upwards": upwards,
    "checks": checks,
}


def evaluated(formula: str, values: dict[str, Real]) -> Real:
    """The value of a formula, by Python's own reading of it."""
    plain = formula.replace("⌈", "ceiling(").replace("⌉", ")")
    numbered = re.sub(r"(?<![\w])\d+", r"Real(\g<0>)", plain)
    names = {**FUNCTIONS, **values, "worst_period": lambda: worst_period(values)}
    try:
        found = eval(numbered, names)
    except ZeroDivisionError:
        assert formula.startswith("least_power("), formula
        return Real(0)
    assert isinstance(found, Real)
    return found


def all_values(known: dict[str, Fraction]) -> dict[str, Fraction]:
    """All definitions, one after the other."""
    values = {key: Real(value) for key, value in known.items() if key not in DEFINITIONS}
    with ctx.workprec(BITS):
        for key, formula in DEFINITIONS.items():
            values[key] = evaluated(formula, values)
    return {key: rational(value) for key, value in values.items()}


def by_theory(p: Parameters, extent: Extent) -> dict[str, Fraction]:
    return audit_values(looped_audit(p, extent), located_audit(Located(p).parameters, extent))


@given(data=st.data(), p=parameters(max_states=8))
def test_formulas_give_the_numbers_of_the_theory(data: st.DataObject, p: Parameters) -> None:
    assume(p.delta >= LEAST_DELTA and p.epsilon >= Fraction(1, 200))
    expected = by_theory(p, data.draw(extents(p)))
    assert all_values(expected) == expected


@pytest.mark.parametrize("name", [name for name in PRESETS if "P-Q" not in name])
def test_formulas_give_the_numbers_of_the_presets(name: str) -> None:
    chosen = preset(name)
    expected = by_theory(chosen.parameters, chosen.extent)
    assert all_values(expected) == expected


def test_formulas_hold_for_one_state_and_one_action() -> None:
    third = Fraction(1, 3)
    p = Parameters(
        actions=1,
        max_states=1,
        max_diameter=0,
        mixing_time=5,
        class_size=1,
        delta=third,
        epsilon=third,
    )
    expected = by_theory(p, Extent(1, 0))
    assert all_values(expected) == expected


def test_every_formula_has_a_claim_and_every_claim_exists() -> None:
    known = {claim.id for claim in all_claims()}
    cited = [(each.key, each.claims) for each in SYMBOLS if each.formula]
    cited += [(each.key, each.claims) for each in (*SHARES, *BOUNDS)]
    for key, claims in cited:
        assert claims, key
        assert set(claims) <= known, key


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("n_samp_cyc", "⌈ln(δ / (4·|A|·N·(N − 1)·|F|)) / ln(9/16)⌉"),
        ("d", "⌈3·|S|·ln(16·|S|^2·|F| / δ) / ε⌉"),
        ("passes", "d − 2·n_samp. + 1 if d ≥ 2·n_samp. + 1 else 0"),
        ("period", "the most expensive of 1, …, |S|"),
        ("spent_encoder", "8·tests·|F|·exp(−ε·d / (3·|S|))"),
        ("distance", "(1/2)^(j + 1)"),
    ],
)
def test_text_has_the_symbols_of_the_paper(key: str, text: str) -> None:
    assert as_text(DEFINITIONS[key]) == text


@pytest.mark.parametrize("key", DEFINITIONS)
def test_mathml_is_well_formed_and_names_every_symbol(key: str) -> None:
    names = dict(NAMES) | {each: each for each in DEFINITIONS if each not in NAMES}
    math = ElementTree.fromstring(str(as_mathml(DEFINITIONS[key], with_symbols(names))))
    assert math.tag == "math"
    shown = "".join(math.itertext())
    for used in set(re.findall(r"[a-z]\w*", DEFINITIONS[key])) & names.keys() - {"delta"}:
        letters = "".join(ElementTree.fromstring(str(symbol(names[used]))).itertext())
        assert letters in shown, used


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("N", ["mi"]),
        ("|F|", ["mo", "mi", "mo"]),
        ("t̂_mix", ["msub", "mover", "mrow", "mi", "mo", "mtext"]),
        ("n_0'", ["msubsup", "mi", "mtext", "mo"]),
        ("|ā|", ["mo", "mover", "mrow", "mi", "mo", "mo"]),
        ("n_samp.cyc.", ["msub", "mi", "mtext"]),
    ],
)
def test_symbols_are_typeset(text: str, tags: list[str]) -> None:
    tree = ElementTree.fromstring(str(symbol(text)))
    assert [each.tag for each in tree.iter()][1:] == tags
