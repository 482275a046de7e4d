"""The audit says the same to a person and to a program, and what it says is true."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.experiments.registry import preset
from steel_verified.reports.audit import as_json, audit
from steel_verified.reports.audit_text import as_parts
from steel_verified.reports.formulas.looped import SECTIONS
from steel_verified.reports.layout import as_text
from steel_verified.strategies import extents, parameters
from steel_verified.theory.parameters import Parameters

KEYS = [symbol.key for symbols in SECTIONS.values() for symbol in symbols]


@given(data=st.data(), p=parameters(max_states=40))
def test_every_symbol_has_a_value_and_every_value_a_symbol(
    data: st.DataObject, p: Parameters
) -> None:
    report = audit(p, data.draw(extents(p)))
    assert sorted(report.values) == sorted(KEYS)
    assert len(set(KEYS)) == len(KEYS)


@given(data=st.data(), p=parameters(max_states=40))
def test_audit_text_and_json_have_the_same_numbers(data: st.DataObject, p: Parameters) -> None:
    report = audit(p, data.draw(extents(p)))
    plain = json.loads(json.dumps(as_json(report)))
    text = as_text(as_parts(report), 80)
    for symbol in plain["symbols"].values():
        value = symbol["value"]
        assert (f"{value:,}" if isinstance(value, int) else value) in text
    for step in ("call", "phase1", "phase1_simplified", "phase2", "total"):
        row = plain["steps"][step]
        assert row["exact"] <= row["bound"]
        assert f"{row['exact']:,}" in text
        assert f"{row['bound']:,}" in text
    assert plain["n_samp"] == plain["symbols"]["n_samp"]["value"]


@given(data=st.data(), p=parameters(max_states=40))
def test_audit_shares_and_terms_add_up(data: st.DataObject, p: Parameters) -> None:
    report = audit(p, data.draw(extents(p)))
    steps = {bound.key: bound for bound in report.steps}
    terms = sum(term.steps for term in report.terms)
    assert terms == steps["phase1_simplified"].bound + steps["phase2"].bound
    assert all(term.steps >= 0 for term in report.terms)
    assert steps["total"].exact == steps["phase1"].exact + steps["phase2"].exact
    budget = as_json(report)
    assert isinstance(budget, dict)
    assert report.budget.spent + report.budget.left == p.delta
    assert sum(share.allotted for share in report.shares) == p.delta
    assert all(share.spent <= share.allotted for share in report.shares)


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
    values = audit(chosen.parameters, chosen.extent).values
    assert (values["n_samp_cyc"], values["n_samp"], values["d"]) == expected


def test_amounts_are_exact_in_json() -> None:
    chosen = preset("multi-maze")
    report = audit(chosen.parameters, chosen.extent)
    budget = json.loads(json.dumps(as_json(report)))["budget"]
    spent = [Fraction(charge["spent"]["exact"]) for charge in budget["charges"]]
    assert sum(spent) == Fraction(budget["spent"]["exact"]) == report.budget.spent
    assert sum(spent) + Fraction(budget["left"]["exact"]) == Fraction(1, 20)
