"""Each formula of the audit gives the number that `theory/` computes, and is shown as written."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.claims import all_claims
from steel_verified.experiments.registry import NAMES as PRESETS
from steel_verified.experiments.registry import preset
from steel_verified.reports.audit import audit
from steel_verified.reports.audit_page.page import audit_values
from steel_verified.reports.formulas.bounds import ALL_NAMES, BOUNDS, LOCATED, SHARES
from steel_verified.reports.formulas.definitions import DEFINITIONS
from steel_verified.reports.formulas.expressions import (
    Expression,
    LeastPower,
    Value,
    ceiling,
    largest,
    ln,
)
from steel_verified.reports.formulas.looped import SECTIONS
from steel_verified.reports.formulas.mathml import as_mathml, symbol, with_symbols
from steel_verified.reports.formulas.text import as_text
from steel_verified.reports.located_audit import located_audit
from steel_verified.strategies import extents, parameters
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.theory.recipe import located
from steel_verified.theory.validation import LEAST_DELTA
from tests.reports.formulas.evaluating import all_values

SYMBOLS = [each for part in (*SECTIONS.values(), LOCATED) for each in part]


def by_theory(p: Parameters, extent: Extent) -> dict[str, Fraction]:
    return audit_values(audit(p, extent), located_audit(located(p).parameters, extent))


@given(data=st.data(), p=parameters(max_states=8))
def test_formulas_give_the_numbers_of_the_theory(data: st.DataObject, p: Parameters) -> None:
    assume(p.delta >= LEAST_DELTA and p.epsilon >= Fraction(1, 200))
    expected = by_theory(p, data.draw(extents(p)))
    given_values = {key: value for key, value in expected.items() if key not in DEFINITIONS}
    assert all_values(given_values) == expected


@pytest.mark.parametrize("name", [name for name in PRESETS if "P-Q" not in name])
def test_formulas_give_the_numbers_of_the_presets(name: str) -> None:
    chosen = preset(name)
    expected = by_theory(chosen.parameters, chosen.extent)
    given_values = {key: value for key, value in expected.items() if key not in DEFINITIONS}
    assert all_values(given_values) == expected


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
    assert all_values({k: v for k, v in expected.items() if k not in DEFINITIONS}) == expected


def test_every_formula_has_a_claim_and_every_claim_exists() -> None:
    known = {claim.id for claim in all_claims()}
    cited = [(each.key, each.claims) for each in SYMBOLS if not isinstance(each.formula, str)]
    cited += [(each.key, each.claims) for each in (*SHARES, *BOUNDS)]
    for key, claims in cited:
        assert claims, key
        assert set(claims) <= known, key


def test_text_has_brackets_where_they_are_needed() -> None:
    a, b, c = Value("a"), Value("b"), Value("c")
    names = {"a": "a", "b": "b", "c": "c"}
    shown: list[tuple[Expression, str]] = [
        ((a + b) * c, "(a + b)·c"),
        (a - (b - c), "a − (b − c)"),
        (a - b - c, "a − b − c"),
        (a / (b * c), "a / (b·c)"),
        (a / b / c, "a / b / c"),
        (a * (b / c), "a·(b / c)"),
        ((a + b) ** c, "(a + b)^c"),
        (largest(a, 0), "max(a, 0)"),
        (ceiling(ln(a) / b), "⌈ln(a) / b⌉"),
        (LeastPower(a, b), "⌈ln(b) / ln(a)⌉"),
    ]
    for formula, text in shown:
        assert as_text(formula, names) == text


@pytest.mark.parametrize("key", DEFINITIONS)
def test_mathml_is_well_formed_and_names_every_symbol(key: str) -> None:
    names = ALL_NAMES | {each: each for each in DEFINITIONS if each not in ALL_NAMES}
    math = as_mathml(DEFINITIONS[key], with_symbols(names))
    tree = ElementTree.fromstring(str(math))
    assert tree.tag == "math"


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
