"""The audit says the same to a person and to a program, and what it says is true."""

import json
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steel_verified.experiments.registry import preset
from steel_verified.learning.located import Located
from steel_verified.reports.audit import as_json, as_parts, located_audit, looped_audit
from steel_verified.reports.formulas import BOUNDS, DEFINITIONS, GIVEN, LOOPED, SHARES, TERMS
from steel_verified.reports.tables import as_text
from steel_verified.strategies import extents, parameters
from steel_verified.theory.parameters import Parameters
from steel_verified.theory.validation import LEAST_DELTA

GLOSSARY = [symbol.key for symbols in LOOPED.values() for symbol in symbols]


@given(data=st.data(), p=parameters(max_states=40))
def test_every_number_of_both_methods_has_a_formula_and_every_formula_a_number(
    data: st.DataObject, p: Parameters
) -> None:
    assume(p.delta >= LEAST_DELTA)
    extent = data.draw(extents(p))
    looped, other = looped_audit(p, extent), located_audit(Located(p).parameters, extent)
    given_keys = {symbol.key for symbol in GIVEN}
    assert looped.values.keys() | other.values.keys() == given_keys | DEFINITIONS.keys()
    assert looped.values.keys() & other.values.keys() <= given_keys
    assert len(set(GLOSSARY)) == len(GLOSSARY)


@given(data=st.data(), p=parameters(max_states=40))
def test_audit_text_and_json_have_the_same_numbers(data: st.DataObject, p: Parameters) -> None:
    report = looped_audit(p, data.draw(extents(p)))
    plain = json.loads(json.dumps(as_json(report)))
    text = as_text(as_parts(report), 80)
    for symbol in plain["symbols"].values():
        value = symbol["value"]
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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("combination-lock-20", (32, 50, 21598)),
        ("combination-lock-30", (33, 52, 33857)),
        ("combination-lock-40", (34, 54, 46523)),
        ("multi-maze", (38, 61, 86498)),
    ],
)
def test_audit_of_presets_has_the_expected_counts(
    name: str, expected: tuple[int, int, int]
) -> None:
    chosen = preset(name)
    values = looped_audit(chosen.parameters, chosen.extent).values
    assert (values["n_samp_cyc"], values["n_samp"], values["d"]) == expected


def test_amounts_are_exact_in_json() -> None:
    chosen = preset("multi-maze")
    plain = json.loads(json.dumps(as_json(looped_audit(chosen.parameters, chosen.extent))))
    spent = [Fraction(charge["spent"]) for charge in plain["charges"]]
    assert sum(spent) == Fraction(plain["numbers"]["spent"])
    assert sum(spent) + Fraction(plain["numbers"]["left"]) == Fraction(1, 20)
