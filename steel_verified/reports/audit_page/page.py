"""Write the audit page: one HTML file that loads no other file."""

from __future__ import annotations

from fractions import Fraction
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from steel_verified.reports.audit import dominant
from steel_verified.reports.audit_page.drawings import (
    action_keys,
    learned_graph,
    sampled_times,
    timeline,
)
from steel_verified.reports.audit_page.runs import CALLS, TOUR, VALIDATING, Phase
from steel_verified.reports.audit_page.typeset import (
    as_mathml,
    as_script,
    symbol,
    with_symbols,
    with_values,
)
from steel_verified.reports.formulas import (
    BOUNDS,
    DEFINITIONS,
    GIVEN,
    LOCATED,
    LOOPED,
    NAMES,
    ROUNDS,
    SHARES,
    TERMS,
)
from steel_verified.reports.tables import records
from steel_verified.theory.conditions import Condition
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from steel_verified.reports.audit import Audit
    from steel_verified.reports.audit_page.runs import Run

_LONGEST_RATIO: Final = 9
_RANGES: Final = {
    "actions": ("1", "100"),
    "max_states": ("1", "1000"),
    "max_diameter": ("0", "1000"),
    "mixing_time": ("1", "10000"),
    "class_size": ("1", "1000000000"),
    "delta": ("1e-9", "0.5"),
    "epsilon": ("1e-4", "0.5"),
    "states": ("1", "1000"),
    "diameter": ("0", "1000"),
}
"""The smallest and largest value of each slider."""
_IN_ALL: Final = "in all"
_LIMITS: Final = {CALLS: "phase1", TOUR: "phase2", _IN_ALL: "total"}
_UNKNOWN: Final = "none"


def shown(value: Fraction, key: str = "") -> str:
    """A number as the page shows it: exact if that is short, else rounded to three digits.

    The unspent part of δ is rounded down, and every other number up.
    """
    if value.denominator == 1:
        return f"{value.numerator:,}"
    exact = str(value)
    if len(exact) <= _LONGEST_RATIO:
        return exact
    return decimal_above(-value).removeprefix("-") if key == "left" else decimal_above(value)


def audit_page(
    looped: Audit, located: Audit, strengths: Mapping[str, str], run: Run | None = None
) -> str:
    """The page as HTML. `strengths` maps the id of each claim to its strength."""
    values = audit_values(looped, located)
    texts = {key: shown(value, key) for key, value in values.items()}
    environment = Environment(
        loader=PackageLoader("steel_verified.reports.audit_page", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def formula(shown_as: str) -> dict[str, Markup]:
        return {
            "formula": as_mathml(shown_as, with_symbols(NAMES)),
            "derived": as_mathml(shown_as, with_values(texts)),
        }

    def claims(ids: Iterable[str]) -> Markup:
        return Markup().join(
            Markup('<span class="claim">{} <small>{}</small></span>').format(one, strengths[one])
            for one in ids
        )

    sections = [
        ("parameters", "Parameters"),
        ("guarantee", "Side by side"),
        ("delta", "Where δ goes"),
        ("steps", "Steps"),
        ("symbols", "Every symbol"),
        *([("run", "The run")] if run else []),
        ("assumptions", "Assumptions"),
    ]
    symbols = [
        {
            "title": title,
            "rows": [
                {
                    "key": each.key,
                    "symbol": symbol(each.symbol),
                    "meaning": each.meaning,
                    "claims": each.claims,
                    "place": each.place,
                    **(
                        formula(each.formula)
                        if each.formula
                        else {"formula": each.given, "derived": ""}
                    ),
                }
                for each in part
            ],
        }
        for title, part in (*LOOPED.items(), ("Located STEEL", LOCATED))
    ]
    return environment.get_template("audit.html.j2").render(
        title="The numbers behind STEEL’s guarantee" + (f": {run.world}" if run else ""),
        style=_asset("style.css"),
        script=_asset("exact.js") + as_script(DEFINITIONS) + _asset("page.js"),
        version=version("steel_verified"),
        sections=sections,
        fields=[
            {
                "key": each.key,
                "symbol": symbol(each.symbol),
                "meaning": each.meaning,
                "value": str(values[each.key]),
                "least": _RANGES[each.key][0],
                "most": _RANGES[each.key][1],
                "whole": each.key not in ("delta", "epsilon"),
            }
            for each in GIVEN
        ],
        value=texts.__getitem__,
        out=lambda key: Markup('<output aria-live="off" data-value="{}">{}</output>').format(
            key, texts[key]
        ),
        equals="=",
        claims=claims,
        shares=[
            {"key": f.key, "reason": reason, "claims": f.claims, **formula(f.spent)}
            for f, reason in zip(SHARES, _reasons(looped), strict=True)
        ],
        rounds=range(1, ROUNDS + 1),
        bounds=[
            {"key": f.key, "name": f.name, "claims": f.claims, **formula(f.bound)} for f in BOUNDS
        ],
        terms=TERMS,
        dominant=dominant(values),
        symbols=symbols,
        assumptions=[condition.statement for condition in Condition],
        run=None if run is None else _run(run, values),
    )


def audit_values(looped: Audit, located: Audit) -> dict[str, Fraction]:
    """The numbers computed by `theory/`, which the page shows at first."""
    return {key: Fraction(value) for key, value in {**located.values, **looped.values}.items()}


def _reasons(looped: Audit) -> list[object]:
    """What each part of δ is charged for."""
    rows = records(looped.tables["charges"])
    return [row["charge"] for row in rows if isinstance(row, dict)]


def _run(run: Run, values: Mapping[str, Fraction]) -> dict[str, object]:
    in_all = Phase(_IN_ALL, run.steps, _total(each.predicted for each in run.phases))
    states = counted(len(run.table), "state")
    return {
        "sentence": f"The last section shows a {run.method} run on {run.world}: {states} learned "
        f"in {counted(run.steps, 'step')}, δ spent: {decimal_above(Fraction(run.spent))}.",
        "looped": run.method == "looped",
        "findings": run.checked.findings,
        "rules": run.checked.rules,
        "assumptions": run.checked.assumptions,
        "phases": [
            {
                "name": each.name,
                "steps": f"{each.steps:,}",
                "predicted": _UNKNOWN if each.predicted is None else f"{each.predicted:,}",
                "worst": _limit(run.method, each.name, "exact", values),
                "bound": _limit(run.method, each.name, "bound", values),
            }
            for each in (*run.phases, in_all)
        ],
        "graph": learned_graph(run.table),
        "actions": action_keys(run.actions),
        "timeline": timeline(run.stretches, run.steps),
        "times": sampled_times(run.datasets),
        "about_datasets": run.about_datasets,
        "datasets": [
            {
                "name": each.name,
                "samples": f"{len(each.times):,}",
                "gap": "none" if each.gap is None else f"{each.gap:,}",
            }
            for each in run.datasets
        ],
        "mixing_time": f"{run.mixing_time:,}",
    }


def _total(steps: Iterable[int | None]) -> int | None:
    known = [each for each in steps if each is not None]
    return sum(known) if known else None


def _limit(method: str, phase: str, kind: str, values: Mapping[str, Fraction]) -> str:
    """The worst case ("exact") or the paper's bound ("bound") of the steps of a phase."""
    if method == "looped":
        return shown(values[f"{kind}_{_LIMITS[phase]}"])
    if phase == VALIDATING and kind == "exact":
        return f"{shown(values['steps_1'])} in round 1"
    return _UNKNOWN


def _asset(name: str) -> Markup:
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
