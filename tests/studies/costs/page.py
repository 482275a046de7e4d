"""The page costs.md and its plot: what runs cost, how costs grow, and the soak."""

from __future__ import annotations

from math import log, log2
from statistics import linear_regression
from typing import TYPE_CHECKING, Final

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from steel_verified.reports.figures import style
from steel_verified.reports.graphs import hue
from steel_verified.reports.tables import Column, Kind, Style, Table, as_markdown

from .methods import GROWING, METHODS, WORLDS, growth_key, reached, world_key
from .queries import query_key
from .soak import (
    CRASHED,
    EACH,
    LEFT_OUT,
    MOST_STATES,
    MOST_STEPS,
    OPEN,
    PROGRAMS,
    REFUSED,
    RIGHT,
    WRONG,
    soak_key,
)
from .soak import WORLDS as SOAKED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.tables import Value
    from steel_verified.sweeps.study import Row

_HEAD: Final = """\
# Costs, measured

What runs cost in CPU time, steps, memory and bytes; how these grow; L* on the same automata; and a
soak of random worlds. `python -m tests.studies.costs` writes this page from recorded rows, and with
`--run` first makes those that are missing. Nothing on it is typed by hand. Steps, bytes and
verdicts are reproducible; seconds and memory are those of one machine with two shared cores.
"""
_SAME: Final = (
    "One run each, in a process of its own. CPU seconds, with those of the simulated world: to "
    "learn, to write the certificate, and to check it with the checker in Python. Memory: the "
    "largest of the whole process, some 45 MB of which are Python and its libraries. Times as "
    "certain: steps, and seconds to learn, as multiples of those of certain STEEL."
)
_RESETS: Final = (
    "L* of AALpy for Moore machines. It sees no noise: it is told a name for each state, so its "
    "queries need no encoder. Each query begins with a reset, and it takes so many steps in them, "
    "without those that look for counterexamples. STEEL takes its steps in one trajectory without "
    "any reset, and learns the encoder, too."
)
_GROWTH: Final = (
    "On the lock with K = 20 and 512 bits, one quantity varied at a time. An exponent is the slope "
    "of a straight line through logarithms: 1 is linear. Seconds are those to learn; small ones "
    "are partly constant. The picture shows them.\n\n"
    "![CPU seconds to learn, by each quantity](../pictures/costs.svg)"
)
_SOAK: Final = (
    "Random worlds of bits: random tables, locks, rings and permutations, with slow, rare and "
    "hidden noise; slipping is given p = 1/1000. Each run has a process of its own, with 3 GB of "
    "address space and four minutes. Open: not decided within {steps} steps, or contradicted, as "
    "worlds of one state are by certain and slipping. Not made: longer, as predicted. Every "
    "accepted model is compared with the truth, and its certificate is checked; both: also by the "
    "checker that is extracted from the Coq proofs, which reads runs of located and certain STEEL. "
    "Failed: wrong, refused by a checker, or crashed. States, steps, seconds and MB: the most of "
    "any run. δ is 10⁻⁹."
)


def _number(row: Row, name: str) -> int:
    found = row[name]
    assert isinstance(found, int)
    return found


def _numbers(value: Json) -> list[int]:
    return [each for each in value if isinstance(each, int)] if isinstance(value, list) else []


def _columns(first: str, *numbers: str) -> tuple[Column, ...]:
    name = Column(first, Kind.CODE, style=Style.NAME)
    return (name, Column("method"), *(Column(each, Kind.NUMBER) for each in numbers))


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:,.2f}"


def same_worlds(rows: Mapping[str, Row]) -> Table:
    listed = list[tuple["Value", ...]]()
    for world in WORLDS:
        certain = rows.get(world_key(world, "certain"))
        for method in reached(world):
            row = rows[world_key(world, method)]
            ratios = ("", "")
            if certain is not None:
                steps, spent = (_number(row, n) / _number(certain, n) for n in ("steps", "learn"))
                ratios = f"{steps:,.0f}", f"{spent:,.1f}"
            listed.append(
                (
                    world,
                    method,
                    _number(row, "steps"),
                    *(_seconds(_number(row, name)) for name in ("learn", "write", "check")),
                    _number(row, "bytes") // 1000,
                    _number(row, "megabytes"),
                    *ratios,
                )
            )
    names = ("steps", "learn", "write", "check", "kB", "MB", "steps as certain", "time as certain")
    return Table("The same worlds", _columns("world", *names), tuple(listed), (_SAME,))


def with_resets(rows: Mapping[str, Row]) -> Table:
    listed = list[tuple["Value", ...]]()
    for world in WORLDS:
        if (row := rows.get(query_key(world))) is None:
            continue
        listed.append((world, "L*", _number(row, "queries"), _number(row, "steps")))
        for method in reversed(reached(world)):
            listed.append((world, method, 0, _number(rows[world_key(world, method)], "steps")))
    return Table("Beside L*", _columns("world", "resets", "steps"), tuple(listed), (_RESETS,))


def exponent(values: Sequence[int], spent: Sequence[int]) -> str:
    """The slope of log cost by log value."""
    slope = linear_regression([*map(log, values)], [log(max(1, each)) for each in spent]).slope
    return f"{slope:.2f}"


def growth(rows: Mapping[str, Row]) -> Table:
    listed = list[tuple["Value", ...]]()
    for (quantity, method), values in GROWING.items():
        of = [rows[growth_key(quantity, value, method)] for value in values]
        spent = {name: [_number(row, name) for row in of] for name in _GROWN}
        range_of = f"{values[0]:,} to {values[-1]:,}"
        slopes = (exponent(values, each) for each in spent.values())
        listed.append((quantity, method, range_of, *slopes, _seconds(spent["learn"][-1])))
    names = ("values", *_GROWN.values(), "seconds at the last")
    return Table("Growth", _columns("quantity", *names), tuple(listed), (_GROWTH,))


_GROWN: Final = {
    "steps": "steps",
    "learn": "seconds",
    "check": "seconds to check",
    "bytes": "bytes",
    "megabytes": "memory",
}


def soak(rows: Mapping[str, Row]) -> Table:
    listed = list[tuple["Value", ...]]()
    for method, most in MOST_STATES.items():
        of = [rows[soak_key(method, first)] for first in range(0, SOAKED[method], EACH)]
        fates = "".join(str(row["fates"]) for row in of)
        most_of = {
            name: max(max(_numbers(row[name])) for row in of)
            for name in ("steps", "milliseconds", "megabytes")
        }
        both = sum(_number(row, "twice") for row in of) if method in PROGRAMS else ""
        failed = sum(map(fates.count, (WRONG, REFUSED, CRASHED)))
        listed.append(
            (
                f"{len(fates):,}",
                method,
                most,
                fates.count(RIGHT),
                both,
                fates.count(OPEN),
                fates.count(LEFT_OUT),
                failed,
                most_of["steps"],
                _seconds(most_of["milliseconds"]),
                most_of["megabytes"],
            )
        )
    names = ("states", "right", "both", "open", "not made", "failed")
    longest = ("steps", "seconds", "MB")
    limits = ", ".join(f"{steps:,} ({method})" for method, steps in MOST_STEPS.items())
    columns = _columns("worlds", *names, *longest)
    return Table("A soak", columns, tuple(listed), (_SOAK.format(steps=limits),))


def costs_page(rows: Mapping[str, Row]) -> str:
    """The content of costs.md."""
    parts = [_HEAD]
    for table in (same_worlds(rows), with_resets(rows), growth(rows), soak(rows)):
        notes = [part for note in table.notes for part in (note, "")]
        parts += [f"## {table.title}\n", as_markdown(table), *notes]
    return "\n".join(parts)


def _short(value: float, _: int | None = None) -> str:
    """A number below a tick; large ones are powers of two."""
    return f"{value:.0f}" if value < 10_000 else f"$2^{{{log2(value):.0f}}}$"


def costs_plot(rows: Mapping[str, Row]) -> bytes:
    """CPU seconds to learn by each quantity, on logarithmic scales, as SVG."""
    quantities = list(dict.fromkeys(quantity for quantity, _ in GROWING))
    with style.styled():
        figure = style.blank(style.PAGE, 1.9)
        places = figure.subplots(1, len(quantities), sharey=True)
        for axes, quantity in zip(places, quantities, strict=True):
            for number, method in enumerate(METHODS):
                if (values := GROWING.get((quantity, method))) is None:
                    continue
                of = [rows[growth_key(quantity, value, method)] for value in values]
                spent = [_number(row, "learn") / 1000 for row in of]
                axes.loglog(
                    values, spent, marker="o", ms=3, lw=1.2, color=hue(number), label=method
                )
            axes.set_title(quantity, loc="left", pad=3)
            marked = next(values for (of, _), values in GROWING.items() if of == quantity)
            axes.xaxis.set_major_locator(FixedLocator(marked))
            axes.xaxis.set_major_formatter(FuncFormatter(_short))
            axes.xaxis.set_minor_locator(NullLocator())
            axes.grid(visible=True, axis="y", color=style.SHADE, lw=0.5)
        places[0].set_ylabel("CPU seconds to learn")
        places[0].legend()
    return style.as_bytes(figure, ".svg")
