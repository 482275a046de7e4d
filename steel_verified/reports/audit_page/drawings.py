"""SVG drawings of a run: the learned graph, the timeline of its plans, and the sampled times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from steel_verified.reports.graphs import HUES, as_svg, graph
from steel_verified.theory.wording import counted
from steel_verified.worlds.pictures import spread_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.learning.model import Transition
    from steel_verified.reports.audit_page.runs import Dataset, Stretch
    from steel_verified.worlds.dynamics import Table

_WIDTH: Final = 760
_ROW: Final = 26
_LABEL: Final = 205
_MARGIN: Final = 8
_MOST_TICKS: Final = 400


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


def timeline(stretches: Sequence[Stretch], steps: int) -> Markup:
    names = list(dict.fromkeys(each.name for each in stretches))
    rows = Markup().join(
        Markup(
            '<text x="{}" y="{}" dy="0.35em">{}</text><path class="faint" d="M {} {} H {}"></path>'
        ).format(_MARGIN, _middle(row), name, _LABEL, _middle(row), _WIDTH)
        for row, name in enumerate(names)
    )
    bars = Markup().join(
        Markup(
            '<rect class="fill-{}" x="{:.2f}" y="{}" width="{:.2f}" height="14">'
            "<title>{}</title></rect>"
        ).format(
            names.index(each.name) % len(HUES) + 1,
            _across(each.start, steps),
            _middle(names.index(each.name)) - 7,
            max(0.6, _across(each.start + each.steps, steps) - _across(each.start, steps)),
            each.text,
        )
        for each in stretches
    )
    height = _ROW * (len(names) + 1)
    axis = _axis(height - _ROW // 2, steps, "step")
    return _svg(
        _WIDTH + 20, height, "Timeline: which plans the learner executed when", rows + bars + axis
    )


def sampled_times(datasets: Sequence[Dataset]) -> Markup:
    last = max((each.times[-1] for each in datasets), default=0)
    shown = Markup()
    for row, each in enumerate(datasets):
        shown += Markup('<text x="{}" y="{}" dy="0.35em">{}</text>').format(
            _MARGIN, _middle(row), each.name
        )
        step = -(-len(each.times) // _MOST_TICKS)
        ticks = " ".join(
            f"M {_across(time, last):.2f} {_middle(row) - 7} v 14" for time in each.times[::step]
        )
        shown += Markup('<path class="edge stroke-{}" d="{}"></path>').format(row % 2 + 1, ticks)
    height = _ROW * (len(datasets) + 1)
    shown += _axis(height - _ROW // 2, last, "step")
    return _svg(_WIDTH + 20, height, "Times at which samples were taken", shown)


def _middle(row: int) -> int:
    return row * _ROW + _ROW // 2


def _across(time: int, last: int) -> float:
    return _LABEL + (_WIDTH - _LABEL) * time / max(last, 1)


def _axis(y: int, last: int, unit: str) -> Markup:
    return Markup(
        '<text x="{}" y="{}" dy="0.35em">{} 0</text>'
        '<text x="{}" y="{}" dy="0.35em" text-anchor="end">{:,}</text>'
    ).format(_LABEL, y, unit, _WIDTH, y, last)


def _svg(width: float, height: float, text: str, inside: Markup) -> Markup:
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" width="{:.0f}" '
        'height="{:.0f}" viewBox="0 0 {:.0f} {:.0f}">{}</svg>'
    ).format(text, width, height, width, height, inside)
