"""A forecast of both methods, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table
from steel_verified.theory.wording import counted_range, duration_range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.codec import Json
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.forecast import Forecast

_COLUMNS: Final = (
    Column("method", style=Style.NAME),
    Column("part"),
    Column("least", Kind.NUMBER, heading="steps, at least"),
    Column("most", Kind.NUMBER, heading="most"),
    Column("time", priority=1),
    Column("known", priority=2),
)


def as_parts(forecast: Forecast) -> tuple[Part, ...]:
    """The forecast as text and a table."""
    return tuple(_parts(forecast))


def _parts(forecast: Forecast) -> Iterator[Part]:
    located, looped = forecast.located, forecast.looped
    steps = counted_range(located.least, located.most, "step")
    yield Prose(
        f"Located STEEL takes an estimated {steps} if |S| = {forecast.extent.states} and "
        f"D = {forecast.extent.diameter}.",
        Style.BAD if forecast.located_is_hopeless else Style.GOOD,
    )
    yield Table("", _COLUMNS, tuple(_rows(forecast)))
    if looped is None:
        yield Prose("The paper's algorithm needs |F|: give --class-size to forecast it, too.")
    else:
        share = 100 * looped.terms[0].steps / max(1, sum(term.steps for term in looped.terms))
        yield Prose(
            f"The paper's algorithm is bounded by {looped.bound:,} steps (Theorem 1). The largest "
            f"term is {looped.terms[0].name}: {share:.0f} %."
        )
    if forecast.looped_is_hopeless:
        yield Prose("The paper's algorithm is hopeless here: learn with located STEEL.", Style.BAD)
    if forecast.located_is_hopeless:
        yield Prose(
            "Located STEEL takes very long, too. What would help: a larger ε, a smaller t̂_mix, "
            "fewer states or actions.",
            Style.BAD,
        )
    if forecast.advice:
        listed = "\n".join(f"- {line}" for line in forecast.advice)
        yield Prose(f"What would make the paper's algorithm faster:\n{listed}")


def _rows(forecast: Forecast) -> Iterator[tuple[Value, ...]]:
    located, looped = forecast.located, forecast.looped
    yield _row(
        forecast,
        "located",
        "exploring",
        (located.exploring_least, located.exploring_most),
        "the minimum is certain; the maximum is estimated from runs on worlds with bits",
    )
    yield _row(
        forecast,
        "located",
        "validating",
        (located.validating_least, located.validating_most),
        f"exact for a walk of {located.shortest_walk:,} to {located.longest_walk:,} actions",
    )
    if looped is not None:
        known = "an estimate: measured runs took this part of the bound"
        yield _row(forecast, "looped", "a whole run", (looped.least, looped.most), known)
        known = "certain, with probability 1 − δ"
        yield _row(forecast, "looped", "its bound", (looped.bound, looped.bound), known)


def _row(
    forecast: Forecast, method: str, part: str, steps: tuple[int, int], known: str
) -> tuple[Value, ...]:
    seconds = forecast.located_seconds if method == "located" else forecast.seconds
    least, most = (seconds(number) for number in steps)
    if least is None or most is None:
        return method, part, *steps, None, known
    shown = duration_range(least, most)
    value: Json = {"least_seconds": least, "most_seconds": most}
    return method, part, *steps, Cell(shown, value), known


def as_json(forecast: Forecast) -> Json:
    """The forecast as JSON."""
    located, looped = forecast.located, forecast.looped
    return {
        "states": forecast.extent.states,
        "diameter": forecast.extent.diameter,
        "steps_per_second": forecast.steps_per_second,
        "located": {
            "shortest_walk": located.shortest_walk,
            "longest_walk": located.longest_walk,
            "validating": {"least": located.validating_least, "most": located.validating_most},
            "exploring": {"least": located.exploring_least, "estimate": located.exploring_most},
            "hopeless": forecast.located_is_hopeless,
        },
        "looped": None
        if looped is None
        else {
            "bound": looped.bound,
            "estimate": {"least": looped.least, "most": looped.most},
            "terms": [{"name": term.name, "steps": term.steps} for term in looped.terms],
            "hopeless": forecast.looped_is_hopeless,
        },
        "advice": list(forecast.advice),
    }
