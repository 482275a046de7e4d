"""Write the audit page: one HTML file that loads no other file."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from steel_verified.reports.audit_page.drawings import (
    action_keys,
    learned_graph,
    sampled_times,
    timeline,
)
from steel_verified.reports.audit_page.runs import CALLS, TOUR, VALIDATING, Phase
from steel_verified.reports.formulas.bounds import (
    ALL_NAMES,
    BOUNDS,
    LOCATED,
    SHARES,
    TERMS,
)
from steel_verified.reports.formulas.definitions import DEFINITIONS, ROUNDS
from steel_verified.reports.formulas.looped import GIVEN, SECTIONS
from steel_verified.reports.formulas.mathml import as_mathml, symbol, with_symbols, with_values
from steel_verified.reports.formulas.program import as_program
from steel_verified.theory.conditions import Condition
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.validation import distance_after
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from steel_verified.reports.audit import Audit
    from steel_verified.reports.audit_page.runs import Run
    from steel_verified.reports.formulas.expressions import Expression
    from steel_verified.reports.located_audit import LocatedAudit


def audit_values(looped: Audit, located: LocatedAudit) -> dict[str, Fraction]:
    """The numbers computed by `theory/`, which the page shows at first."""
    pairs = (*_of_looped(looped), *_of_located(located))
    return {key: Fraction(value) for key, value in pairs}


def _of_looped(audit: Audit) -> Iterator[tuple[str, int | Fraction]]:
    yield from audit.values.items()
    for share, formulas in zip(audit.shares, SHARES, strict=True):
        yield f"tests_{formulas.key}", share.tests
        yield f"allotted_{formulas.key}", share.allotted
        yield f"spent_{formulas.key}", share.spent
    yield "spent", audit.budget.spent
    yield "left", audit.budget.left
    for bound in audit.steps:
        yield f"exact_{bound.key}", bound.exact
        yield f"bound_{bound.key}", bound.bound
    for term, (key, _) in zip(audit.terms, TERMS, strict=True):
        yield f"term_{key}", term.steps


def _of_located(audit: LocatedAudit) -> Iterator[tuple[str, int | Fraction]]:
    yield "shortest", audit.shortest
    yield "longest", audit.longest
    yield "gap", audit.gap
    yield "distance", distance_after(audit.gap)
    for one in audit.rounds:
        yield f"share_{one.number}", one.share
        yield f"samples_{one.number}", one.samples
        yield f"limit_{one.number}", one.limit
        yield f"steps_{one.number}", one.steps


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
_NAMES: Final = (
    ALL_NAMES
    | {
        "bound_call": "B_call",
        "bound_phase1_simplified": "B_1",
        "bound_phase2": "B_2",
        "spent": "spent",
    }
    | {f"samples_{number}": f"n_{number}" for number in range(1, ROUNDS + 1)}
)
"""The symbols of all keys that occur in formulas."""


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
    looped: Audit, located: LocatedAudit, strengths: Mapping[str, str], run: Run | None = None
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

    def formula(shown_as: Expression) -> dict[str, Markup]:
        return {
            "formula": as_mathml(shown_as, with_symbols(_NAMES)),
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
                        {"formula": each.formula, "derived": ""}
                        if isinstance(each.formula, str)
                        else formula(each.formula)
                    ),
                }
                for each in part
            ],
        }
        for title, part in (*SECTIONS.items(), ("Located STEEL", LOCATED))
    ]
    return environment.get_template("audit.html.j2").render(
        title="The numbers behind STEEL’s guarantee" + (f": {run.world}" if run else ""),
        style=_asset("style.css"),
        script=_asset("exact.js") + _asset("page.js"),
        definitions=Markup(json.dumps({k: as_program(v) for k, v in DEFINITIONS.items()})),
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
            {"key": f.key, "reason": share.reason, "claims": f.claims, **formula(f.spent)}
            for f, share in zip(SHARES, looped.shares, strict=True)
        ],
        rounds=located.rounds,
        bounds=[
            {"key": f.key, "name": bound.name, "claims": f.claims, **formula(f.bound)}
            for f, bound in zip(BOUNDS, looped.steps, strict=True)
        ],
        terms=[
            {"key": key, "name": term.name, "order": term.order}
            for (key, _), term in zip(TERMS, looped.terms, strict=True)
        ],
        dominant=looped.dominant.name,
        symbols=symbols,
        assumptions=[condition.statement for condition in Condition],
        run=None if run is None else _run(run, values),
    )


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
