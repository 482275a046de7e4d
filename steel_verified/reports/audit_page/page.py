"""Write the audit page: one HTML file that loads no other file."""

from __future__ import annotations

from base64 import b64encode
from fractions import Fraction
from hashlib import sha256
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
_NONE: Final = "none"
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
    audits: Mapping[str, Audit] | None, strengths: Mapping[str, str], run: Run | None = None
) -> str:
    """The page as HTML: the audits of the methods for some parameters, a run, or both.

    `strengths` maps the id of each claim to its strength.
    """
    values = {} if audits is None else audit_values(audits)
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

    numbers = {
        "parameters": "Parameters",
        "guarantee": "Side by side",
        "delta": "Where δ goes",
        "steps": "Steps",
        "symbols": "Every symbol",
    }
    sections = {
        **(numbers if audits else {}),
        **({"run": "The run"} if run else {}),
        "assumptions": "Assumptions",
    }

    def symbols() -> list[dict[str, object]]:
        return [
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

    of_parameters: dict[str, object] = {}
    script = Markup("")
    if audits is not None:
        script = _asset("exact.js") + as_script(DEFINITIONS) + _asset("page.js")
        of_parameters = {
            "fields": [
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
            "shares": [
                {"key": f.key, "reason": reason, "claims": f.claims, **formula(f.spent)}
                for f, reason in zip(SHARES, _reasons(audits["looped"]), strict=True)
            ],
            "rounds": range(1, ROUNDS + 1),
            "bounds": [
                {"key": f.key, "name": f.name, "claims": f.claims, **formula(f.bound)}
                for f in BOUNDS
            ],
            "terms": TERMS,
            "dominant": dominant(values),
            "symbols": symbols(),
        }
    stated = [condition.statement for condition in Condition]
    return environment.get_template("audit.html.j2").render(
        title="The numbers behind STEEL’s guarantee" + (f": {run.world}" if run else ""),
        style=_asset("style.css"),
        script=script,
        allowed=Markup("'sha256-{}'").format(b64encode(sha256(script.encode()).digest()).decode()),
        version=version("steel_verified"),
        sections=sections,
        with_numbers=audits is not None,
        value=texts.__getitem__,
        out=lambda key: Markup('<output aria-live="off" data-value="{}">{}</output>').format(
            key, texts[key]
        ),
        equals="=",
        claims=claims,
        assumptions=stated if run is None or audits is not None else run.checked.assumptions,
        run=None if run is None else _run(run, values),
        **of_parameters,
    )


def audit_values(audits: Mapping[str, Audit]) -> dict[str, Fraction]:
    """The numbers computed by `theory/`, which the page shows at first."""
    return {
        key: Fraction(value) for audit in audits.values() for key, value in audit.values.items()
    }


def _reasons(looped: Audit) -> list[object]:
    """What each part of δ is charged for."""
    rows = records(looped.tables["charges"])
    return [row["charge"] for row in rows if isinstance(row, dict)]


def _run(run: Run, values: Mapping[str, Fraction]) -> dict[str, object]:
    steps = counted(run.steps, "step")
    how = f"shown by the {steps} of the certificate" if run.story.is_part else f"learned in {steps}"
    learned = f"{counted(len(run.table), 'state')} {how}"
    spent = "" if run.spent is None else f", δ spent: {decimal_above(run.spent)}"
    columns: dict[str, list[Fraction | None]] = {
        "steps taken": [Fraction(each.steps) for each in run.phases],
        "predicted": [
            None if each.predicted is None else Fraction(each.predicted) for each in run.phases
        ],
        "worst case": [values.get(each.worst or "") for each in run.phases],
        "the paper’s bound": [values.get(each.bound or "") for each in run.phases],
    }
    known = {name: cells for name, cells in columns.items() if any(cells)}
    return {
        "sentence": f"The section on the run shows a {run.method} run on {run.world}: "
        f"{learned}{spent}.",
        "uses_all": run.method == "looped",
        "delta": run.delta,
        "is_log": run.is_log,
        "findings": run.checked.findings,
        "rules": run.checked.rules,
        "assumptions": run.checked.assumptions,
        "columns": list(known),
        "phases": [
            (phase.name, [_number(cells[i]) for cells in known.values()])
            for i, phase in enumerate(run.phases)
        ],
        "about_phases": run.story.about_phases,
        "graph": learned_graph(run.table),
        "actions": action_keys(run.actions),
        "timeline": timeline(run.story.stretches, run.steps),
        "times": sampled_times(run.story.datasets),
        "about_datasets": run.story.about_datasets,
        "datasets": [
            {
                "name": each.name,
                "samples": f"{len(each.times):,}",
                "gap": _NONE if each.gap is None else f"{each.gap:,}",
            }
            for each in run.story.datasets
        ],
        "mixing_time": None if run.mixing_time is None else f"{run.mixing_time:,}",
    }


def _number(value: Fraction | None) -> str:
    return _NONE if value is None else shown(value)


def _asset(name: str) -> Markup:
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
