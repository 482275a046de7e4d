"""The audit page, one HTML file that loads no other file, with its drawings as SVG."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from steel_verified.reports import formulas
from steel_verified.reports.audit import Audit, dominant
from steel_verified.reports.audit_page import typeset
from steel_verified.reports.audit_page.runs import METHODS, Run
from steel_verified.reports.graphs import HUES, as_svg, graph
from steel_verified.reports.tables import records
from steel_verified.theory.conditions import Condition
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted
from steel_verified.worlds.pictures import spread_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from steel_verified.learning.model import Transition
    from steel_verified.worlds.dynamics import Table

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
_ONLY_LOOPED: Final = ("actions", "max_diameter", "class_size")
"""Parameters on which no number of located STEEL depends."""


def shown(value: Fraction, key: str = "") -> str:
    """A number as the page shows it: rounded up if it is long, the unspent part of δ down."""
    if value.denominator == 1:
        return f"{value.numerator:,}"
    exact = str(value)
    if len(exact) <= _LONGEST_RATIO:
        return exact
    return decimal_above(-value).removeprefix("-") if key == "left" else decimal_above(value)


@dataclass(frozen=True, slots=True)
class Cited:
    """A claim as the page cites it."""

    says: str
    strength: str
    theorems: tuple[str, ...]
    """The theorems of Coq that show it."""


def audit_page(
    audits: Mapping[str, Audit], claims: Mapping[str, Cited], run: Run | None = None
) -> str:
    """The page as HTML: a run, and the numbers behind the guarantee of each of these methods.

    Of a run, `audits` has its own method, if that has numbers. `claims` has every claim by its id.
    """
    values = audit_values(audits)
    texts = {key: shown(value, key) for key, value in values.items()}
    environment = Environment(
        loader=PackageLoader("steel_verified.reports.audit_page", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    sections = {
        **({"run": "The run", "promise": "What it rests on"} if run else {}),
        **({"parameters": "Parameters"} if audits else {}),
        **({"guarantee": "Side by side"} if len(audits) > 1 else {}),
        **({"delta": "Where δ goes"} if audits else {}),
        **({"steps": "Steps"} if "looped" in audits else {}),
        **({"symbols": "Every symbol"} if audits else {}),
        **({} if run else {"assumptions": "Assumptions"}),
    }
    script = Markup("")
    if audits:
        used = {key: formula for key, formula in formulas.DEFINITIONS.items() if key in values}
        script = _asset("exact.js") + typeset.as_script(used) + _asset("page.js")
    return environment.get_template("audit.html.j2").render(
        title=_title(run),
        style=_asset("style.css"),
        script=script,
        allowed=Markup("'sha256-{}'").format(b64encode(sha256(script.encode()).digest()).decode()),
        version=version("steel_verified"),
        sections=sections,
        audits=audits,
        value=texts.__getitem__,
        out=lambda key: Markup('<output aria-live="off" data-value="{}">{}</output>').format(
            key, texts[key]
        ),
        claims=lambda ids: Markup().join(_chip(one, claims[one]) for one in ids),
        assumptions=[condition.statement for condition in Condition],
        run=run,
        **({} if run is None else _of_run(run, values, claims)),
        **_numbers(audits, values, texts),
    )


def _title(run: Run | None) -> str:
    if run is None:
        return "The numbers behind STEEL’s guarantee"
    return f"{run.world}, learned by {METHODS[run.method][0]}"


def _chip(name: str, cited: Cited) -> Markup:
    """The id of a claim, how it is shown, and by which theorems of Coq."""
    theorems = Markup().join(Markup(" <code>{}</code>").format(each) for each in cited.theorems)
    return Markup('<span class="claim" title="{}">{} <small>{}</small>{}</span> ').format(
        cited.says, name, cited.strength, theorems
    )


def _numbers(
    audits: Mapping[str, Audit], values: Mapping[str, Fraction], texts: Mapping[str, str]
) -> dict[str, object]:
    """What the template shows of these methods, and how it writes formulas."""
    if not audits:
        return {}
    looped = audits.get("looped")
    given = [each for each in formulas.GIVEN if looped or each.key not in _ONLY_LOOPED]
    parts = (
        dict(formulas.LOOPED)
        if looped
        else {"What it is given, and the truth it must find": tuple(given)}
    )
    if "located" in audits:
        parts["Located STEEL"] = formulas.LOCATED
    return {
        "given": given,
        "ranges": _RANGES,
        "parts": parts,
        "shares": tuple(zip(formulas.SHARES, _reasons(looped), strict=True)) if looped else (),
        "rounds": range(1, formulas.ROUNDS + 1),
        "bounds": formulas.BOUNDS,
        "terms": formulas.TERMS,
        "dominant": dominant(values) if looped else "",
        "symbol": typeset.symbol,
        "exact": lambda key: str(values[key]),
        "formula": lambda text: typeset.as_mathml(text, typeset.with_symbols(formulas.NAMES)),
        "derived": lambda text: typeset.as_mathml(text, typeset.with_values(texts)),
    }


def audit_values(audits: Mapping[str, Audit]) -> dict[str, Fraction]:
    return {
        key: Fraction(value) for audit in audits.values() for key, value in audit.values.items()
    }


def _reasons(looped: Audit) -> list[object]:
    rows = records(looped.tables["charges"])
    return [row["charge"] for row in rows if isinstance(row, dict)]


def _of_run(
    run: Run, values: Mapping[str, Fraction], claims: Mapping[str, Cited]
) -> dict[str, object]:
    """What the template shows of a run, besides the run itself."""
    columns: dict[str, Sequence[int | Fraction | None]] = {
        "steps taken": [each.steps for each in run.phases],
        "predicted": [each.predicted for each in run.phases],
        "worst case": [values.get(each.worst or "") for each in run.phases],
        "the paper’s bound": [values.get(each.bound or "") for each in run.phases],
    }
    known = {name: cells for name, cells in columns.items() if any(cells)}
    factors = len(run.tables) > 1
    return {
        "facts": tuple(_facts(run)),
        "columns": list(known),
        "phases": [
            (phase.name, [_number(cells[i]) for cells in known.values()])
            for i, phase in enumerate(run.phases)
        ],
        "graphs": [
            (f"Factor {number}" if factors else "", learned_graph(table, factor=factors))
            for number, table in enumerate(run.tables)
        ],
        "keys": action_keys(run.actions),
        "hues": len(HUES),
        "rests_on": [(name, claims[name]) for name in METHODS[run.method][1]],
    }


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    sizes = [len(table) for table in run.tables]
    if len(sizes) > 1:
        listed = ", ".join(map(str, sizes))
        yield "learned", f"{counted(len(sizes), 'factor')}, with {listed} values"
    else:
        yield "learned", f"{counted(sizes[0], 'state')}, each with {counted(run.actions, 'action')}"
    yield "steps in the certificate" if run.story.is_part else "steps", f"{run.steps:,}"
    if run.story.slipped is not None:
        chance = "" if run.slips is None else f"; each may, with chance {run.slips} at most"
        yield "steps that slipped", f"{run.story.slipped:,}{chance}"
    if run.delta and run.spent is not None:
        yield "δ spent", f"{decimal_above(run.spent)} of {run.delta}"
    elif run.delta:
        yield "δ", str(run.delta)


def _number(value: int | Fraction | None) -> str:
    return "none" if value is None else shown(Fraction(value))


def _asset(name: str) -> Markup:
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


# Drawings

_WIDTH: Final = 760


def learned_graph(table: Table, *, factor: bool = False) -> Markup:
    """The graph in the colours of actions; of a `factor`, only with the actions that move it."""
    actions = [
        action
        for action in range(len(table[0]))
        if not factor or any(row[action] != here for here, row in enumerate(table))
    ]
    drawn = graph(tuple(tuple(row[a] for a in actions) for row in table), spread_out(table))
    scale = min(_WIDTH / max(drawn.size[0], 1e-9), 80 / drawn.unit)

    def look(step: Transition) -> str:
        return f"stroke-{_hue(actions[step.action])} fill-{_hue(actions[step.action])}"

    text = f"{counted(len(table), 'state')}, {counted(len(drawn.arrows), 'transition')}"
    return as_svg(drawn, scale, f"The learned dynamics: {text}", look)


def action_keys(actions: int) -> list[tuple[int, int]]:
    return [(action, _hue(action)) for action in range(actions)]


def _hue(action: int) -> int:
    return action % len(HUES) + 1
