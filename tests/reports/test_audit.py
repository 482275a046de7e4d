"""The audit says the same to a person and to a program; each formula gives theory's number."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from flint import arb, ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.claims import all_claims
from steel_verified.experiments.registry import NAMES as PRESETS
from steel_verified.experiments.registry import preset
from steel_verified.reports.audit import AUDITS, as_json, as_parts, looped_audit
from steel_verified.reports.audit_page.page import audit_values
from steel_verified.reports.audit_page.typeset import as_mathml, symbol, with_symbols
from steel_verified.reports.formulas import (
    BOUNDS,
    DEFINITIONS,
    GIVEN,
    LOCATED,
    LOOPED,
    NAMES,
    SHARES,
    TERMS,
    as_text,
)
from steel_verified.reports.tables import as_text as laid_out
from steel_verified.strategies import extents, parameters
from steel_verified.theory.exact import ball
from steel_verified.theory.validation import LEAST_DELTA

if TYPE_CHECKING:
    from steel_verified.theory.parameters import Extent, Parameters

GLOSSARY = [symbol.key for symbols in LOOPED.values() for symbol in symbols]


@given(data=st.data(), p=parameters(max_states=40))
def test_every_number_of_both_methods_has_a_formula_and_every_formula_a_number(
    data: st.DataObject, p: Parameters
) -> None:
    assume(p.delta >= LEAST_DELTA)
    extent = data.draw(extents(p))
    looped, other = (audit(p, extent, None) for audit in AUDITS.values())
    given_keys = {symbol.key for symbol in GIVEN}
    assert looped.values.keys() | other.values.keys() == given_keys | DEFINITIONS.keys()
    assert looped.values.keys() & other.values.keys() <= given_keys
    assert len(set(GLOSSARY)) == len(GLOSSARY)


@given(data=st.data(), p=parameters(max_states=40))
def test_audit_text_and_json_have_the_same_numbers(data: st.DataObject, p: Parameters) -> None:
    report = looped_audit(p, data.draw(extents(p)))
    plain = json.loads(json.dumps(as_json(report)))
    text = laid_out(as_parts(report), 80)
    for each in plain["symbols"].values():
        value = each["value"]
        if isinstance(value, int) or len(value) < 12:
            assert (f"{value:,}" if isinstance(value, int) else value) in text
    for row in plain["steps"]:
        assert row["exact"] <= row["bound"]
        assert f"{row['exact']:,}" in text
        assert f"{row['bound']:,}" in text
    assert plain["numbers"]["n_samp"] == plain["symbols"]["n_samp"]["value"]


@given(data=st.data(), p=parameters(max_states=40))
def test_audit_shares_and_terms_add_up(data: st.DataObject, p: Parameters) -> None:
    values = looped_audit(p, data.draw(extents(p))).values
    terms = [values[f"term_{term.key}"] for term in TERMS]
    assert sum(terms) == values["bound_phase1_simplified"] + values["bound_phase2"]
    assert all(term >= 0 for term in terms)
    assert values["exact_total"] == values["exact_phase1"] + values["exact_phase2"]
    assert all(values[f"exact_{one.key}"] <= values[f"bound_{one.key}"] for one in BOUNDS)
    assert values["spent"] + values["left"] == p.delta
    assert sum(values[f"allotted_{share.key}"] for share in SHARES) == p.delta
    assert all(values[f"spent_{one.key}"] <= values[f"allotted_{one.key}"] for one in SHARES)


BITS = 500
SYMBOLS = [each for part in (*LOOPED.values(), LOCATED) for each in part]


def ceiling(number: arb) -> arb:
    return number.ceil()


def least_power(rate: arb, target: arb) -> arb:
    """By trying one n after the other; an infinite target is no number, and nothing is above it."""
    n, power = 0, arb(1)
    while power > target:
        n, power = n + 1, power * rate
    return arb(n)


def worst_period(values: dict[str, arb]) -> arb:
    """By trying all periods."""

    def steps(period: int) -> arb:
        tried = {**values, "period": arb(period)}
        for key in ("n_0", "stride", "c"):
            tried[key] = evaluated(DEFINITIONS[key], tried)
        return evaluated(DEFINITIONS["call_steps"], tried)

    best = 1
    for period in range(2, int(values["states"].unique_fmpz() or 0) + 1):
        best = best if steps(best) > steps(period) else period
    return arb(best)


def upwards(chance: arb, delta: arb) -> arb:
    whole = (1 / delta + arb(2) ** -200).floor().unique_fmpz()
    assert whole is not None
    grain = 1 << 64 + int(whole).bit_length()
    return ceiling(chance * grain) / grain


def checks(epsilon: arb, far: arb, share: arb) -> arb:
    """By the recursion itself. A tie that a ball cannot decide counts as more than the share."""
    wrong = epsilon.min(arb(1) / 2)
    a = b = arb(1)
    n = 0
    while not b + far * a <= share:
        a, b = a.min(far * a + b), b.min((1 - wrong) * b + wrong * far * a)
        n += 1
    return arb(n)


def evaluated(formula: str, values: dict[str, arb]) -> arb:
    """The value of a formula, enclosed, by Python's own reading of it."""
    plain = formula.replace("⌈", "ceiling(").replace("⌉", ")")
    functions = {
        "arb": arb,
        "ln": arb.log,
        "exp": arb.exp,
        "floor": arb.floor,
        "ceiling": ceiling,
        "least_power": least_power,
        "upwards": upwards,
        "checks": checks,
        "worst_period": lambda: worst_period(values),
    }
    found = eval(re.sub(r"(?<!\w)\d+", r"arb(\g<0>)", plain), {**functions, **values})
    assert isinstance(found, arb)
    return found


def require_formulas(expected: dict[str, Fraction]) -> None:
    """All definitions, one after the other, enclose the numbers of the theory, and hardly more."""
    with ctx.workprec(BITS):
        values = {k: ball(v) for k, v in expected.items() if k not in DEFINITIONS}
        for key, formula in DEFINITIONS.items():
            values[key] = evaluated(formula, values)
            true = ball(expected[key])
            assert values[key].overlaps(true), key
            assert values[key].rad() <= abs(true) / 2**100, key


def by_theory(p: Parameters, extent: Extent) -> dict[str, Fraction]:
    return audit_values({name: audit(p, extent, None) for name, audit in AUDITS.items()})


@given(data=st.data(), p=parameters(max_states=8))
def test_formulas_give_the_numbers_of_the_theory(data: st.DataObject, p: Parameters) -> None:
    assume(p.delta >= LEAST_DELTA and p.epsilon >= Fraction(1, 200))
    expected = by_theory(p, data.draw(extents(p)))
    require_formulas(expected)


@pytest.mark.parametrize("name", [name for name in PRESETS if "P-Q" not in name])
def test_formulas_give_the_numbers_of_the_presets(name: str) -> None:
    chosen = preset(name)
    expected = by_theory(chosen.parameters, chosen.extent)
    require_formulas(expected)


def test_every_formula_has_a_claim_and_every_claim_exists() -> None:
    known = {claim.id for claim in all_claims()}
    cited = [(each.key, each.claims) for each in SYMBOLS if each.formula]
    cited += [(share.key, share.claims) for share in SHARES]
    cited += [(bound.key, bound.claims) for bound in BOUNDS]
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
