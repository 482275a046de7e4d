"""What is known of a run before it starts, as text and as JSON: of a known world, or a forecast."""

from __future__ import annotations

from itertools import accumulate
from statistics import median
from typing import TYPE_CHECKING, Final

from steel_verified.learning.looped import calls, tour
from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table, records
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted, counted_range, duration_range
from steel_verified.worlds.costs import LOCATED_STEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.plans import Word
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.estimates import Ahead, Forecast, Measured, Steps, Validation

_SHOWN: Final = 16
"""How many actions of a word are shown; tables of the paper's worlds then fit 80 columns."""
_PARTS: Final = (
    Column("part", style=Style.NAME),
    Column("least", Kind.NUMBER, heading="steps, least"),
    Column("most", Kind.NUMBER),
    Column("known", priority=1),
)


def as_json(ahead: Ahead) -> Json:
    chosen, looped, found, checks = ahead.chosen, ahead.looped, ahead.measured, ahead.validation
    last = tour(looped.entries)
    return {
        "world": chosen.name,
        "method": ahead.method,
        "states": chosen.extent.states,
        "diameter": chosen.extent.diameter,
        "steps": {"least": ahead.least, "most": ahead.most},
        "parts": records(_parts_table(ahead)),
        "rounds": () if checks is None else records(rounds_table(checks)),
        "walk": None
        if checks is None
        else {
            "shortest": checks.shortest,
            "longest": checks.longest,
            "gap_in_mixing_times": {"least": checks.least_gap, "most": checks.most_gap},
        },
        "measured": None
        if found is None
        else {
            "noise_seeds": found.seeds,
            "accepted": len(found.exploring),
            "right": found.right,
            "exploring": list(found.exploring),
            "most_rounds": found.most_rounds,
        },
        "looped": {
            "steps": looped.steps,
            "calls": len(tuple(calls(looped))),
            "bound": total_bound(chosen.parameters, chosen.extent),
            "budget_spent": decimal_above(looped.budget.spent),
            "plans": records(_calls_table(looped)),
            "tour": [] if last is None else list(last.word),
        },
    }


def as_parts(ahead: Ahead) -> tuple[Part, ...]:
    extent, looped = ahead.chosen.extent, ahead.looped
    is_known = ahead.least == ahead.most
    steps = counted(ahead.least, "step") if is_known else f"at least {counted(ahead.least, 'step')}"
    headline = (
        f"{ahead.method.capitalize()} STEEL takes {steps} on {ahead.chosen.name}: |S| = "
        f"{extent.states}, D = {extent.diameter}."
    )
    shown: list[Part] = [Prose(headline, Style.GOOD), _parts_table(ahead)]
    if is_known:
        return *shown, _calls_table(looped), Prose(_plans(ahead))
    if ahead.validation is not None:
        shown += [rounds_table(ahead.validation), Prose(_walk(ahead.validation))]
    compared = f"The paper's algorithm takes exactly {counted(looped.steps, 'step')} here."
    return *shown, Prose(_exploring(ahead.measured)), Prose(compared)


def _parts_table(ahead: Steps) -> Table:
    rows = tuple((part.name, part.least, part.most, part.known) for part in ahead.parts)
    return Table("", _PARTS, rows)


_CALLS: Final = (
    Column("call", Kind.NUMBER),
    Column("word", Kind.CODE, priority=1, style=Style.NAME, heading="word â"),
    Column("length", Kind.NUMBER, heading="|â|"),
    Column("period", Kind.NUMBER, heading="n_cyc"),
    Column("new_states", Kind.NUMBER),
    Column("new_transitions", Kind.NUMBER),
    Column("steps", Kind.NUMBER),
    Column("so_far", Kind.NUMBER),
)


def _calls_table(looped: Ledger) -> Table:
    made, last = tuple(calls(looped)), tour(looped.entries)
    totals = accumulate(call.steps for call in made)
    rows = tuple(
        (
            number,
            Cell(_shortened(call.word), list(call.word)),
            len(call.word),
            call.period,
            call.new_states,
            len(call.new_transitions),
            call.steps,
            so_far,
        )
        for number, (call, so_far) in enumerate(zip(made, totals, strict=True), start=1)
    )
    words = [*(call.word for call in made), *([] if last is None else [last.word])]
    cut = f"Longer words are cut after {_SHOWN} actions; --json shows them completely."
    return Table("", _CALLS, rows, notes=(cut,) if max(map(len, words)) > _SHOWN else ())


def _plans(ahead: Ahead) -> str:
    looped, p = ahead.looped, ahead.chosen.parameters
    many, last = counted(len(tuple(calls(looped))), "call"), tour(looped.entries)
    bound, toured = total_bound(p, ahead.chosen.extent), ""
    if last is not None:
        walked = counted(len(last.word), "action")
        toured = f" Phase 2 is a tour of {walked} ({_shortened(last.word)})."
    return (
        f"Phase 1 makes {many} of CycleFind.{toured} The noise has no "
        f"influence on these numbers unless a verdict is wrong (chance at most δ = {p.delta}).\n"
        f"The bound of Theorem 1 is {bound:,}: the run takes {100 * looped.steps / bound:.2f} % of "
        f"it, and spends {decimal_above(looped.budget.spent)} of δ."
    )


def _shortened(word: Word) -> str:
    separator = "" if max(word, default=0) < 10 else " "
    shown = separator.join(str(action) for action in word[:_SHOWN])
    return shown + ("…" if len(word) > _SHOWN else "")


_ROUNDS: Final = (
    Column("round", Kind.NUMBER),
    Column("share", Kind.NUMBER, heading="share of δ"),
    Column("samples", Kind.NUMBER, heading="n"),
    Column("least_steps", Kind.NUMBER, heading="steps, least"),
    Column("most_steps", Kind.NUMBER, heading="steps, most"),
)


def rounds_table(checks: Validation) -> Table:
    rows: list[tuple[Value, ...]] = []
    for one in checks.rounds:
        least, most = one.least_samples, one.most_samples
        samples = Cell(_range(least, most), {"least": least, "most": most})
        rows.append((one.number, str(one.share), samples, one.least_steps, one.most_steps))
    title = "Validation: n checks of each state, after a first pass that keeps no samples"
    return Table(title, _ROUNDS, tuple(rows))


def _walk(checks: Validation) -> str:
    length = counted_range(checks.shortest, checks.longest, "action")
    return (
        f"The walk has {length}, depending on the state in which it begins. Samples of one state "
        f"are at least j·t̂_mix apart, with j = {_range(checks.least_gap, checks.most_gap)}. These "
        "numbers are computed from the true dynamics. A run numbers the states in the order in "
        "which it finds them, and this order decides between equally short paths."
    )


def _exploring(found: Measured | None) -> str:
    unknown = "How long a run explores depends on the noise, and has no bound known beforehand. "
    if found is None:
        return unknown + (
            "It was not measured: that needs a world with observations, and noise seeds."
        )
    seeds, steps = counted(found.seeds, "noise seed"), found.exploring
    if not steps:
        return f"Exploring was measured over {seeds}: no run was accepted."
    rounds = f"; the most rounds of one: {found.most_rounds}" if found.most_rounds else ""
    return unknown + (
        f"Measured over {seeds}: {counted_range(steps[0], steps[-1], 'step')}, median "
        f"{median(steps):,.0f}. Of {counted(found.seeds, 'run')}, accepted: {len(steps)}; right: "
        f"{found.right}{rounds}."
    )


def _range(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


# --- a forecast from the parameters alone ---------------------------------------------------------

_FORECAST: Final = (
    Column("method", style=Style.NAME),
    Column("part"),
    Column("least", Kind.NUMBER, heading="steps, at least"),
    Column("most", Kind.NUMBER, heading="most"),
    Column("time", priority=1),
    Column("known", priority=2),
)


def forecast_as_parts(forecast: Forecast) -> Iterator[Part]:
    located, looped = forecast.located, forecast.looped
    steps = counted_range(located.least, located.most or 0, "step")
    yield Prose(
        f"Located STEEL takes an estimated {steps} if |S| = {forecast.extent.states} and "
        f"D = {forecast.extent.diameter}.",
        Style.BAD if forecast.located_is_hopeless else Style.GOOD,
    )
    yield Table("", _FORECAST, tuple(_forecast_rows(forecast)))
    if looped is None:
        yield Prose("The paper's algorithm needs |F|: give --class-size to forecast it, too.")
    else:
        name, largest = looped.terms[0]
        share = 100 * largest / max(1, sum(steps for _, steps in looped.terms))
        yield Prose(
            f"The paper's algorithm is bounded by {looped.bound:,} steps (Theorem 1). The largest "
            f"term is {name}: {share:.0f} %."
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


def _forecast_rows(forecast: Forecast) -> Iterator[tuple[Value, ...]]:
    rows = [("located", LOCATED_STEP, part) for part in forecast.located.parts]
    rows += [] if forecast.looped is None else [("looped", 0, p) for p in forecast.looped.parts]
    for method, own, part in rows:
        seconds = [forecast.seconds(steps or 0, own) for steps in (part.least, part.most)]
        least, most = seconds
        time = None
        if least is not None and most is not None:
            time = Cell(duration_range(least, most), {"least_seconds": least, "most_seconds": most})
        yield method, part.name, part.least, part.most, time, part.known
    if forecast.looped is not None:
        bound = forecast.looped.bound
        yield "looped", "its bound", bound, bound, None, "certain, with probability 1 − δ"


def forecast_as_json(forecast: Forecast) -> dict[str, Json]:
    located, looped = forecast.located, forecast.looped
    return {
        "states": forecast.extent.states,
        "diameter": forecast.extent.diameter,
        "steps_per_second": forecast.steps_per_second,
        "parts": records(Table("", _FORECAST, tuple(_forecast_rows(forecast)))),
        "located": {
            "steps": {"least": located.least, "most": located.most},
            "walk": {"shortest": located.shortest_walk, "longest": located.longest_walk},
            "hopeless": forecast.located_is_hopeless,
        },
        "looped": None
        if looped is None
        else {
            "steps": {"least": looped.least, "most": looped.most},
            "bound": looped.bound,
            "terms": [{"name": name, "steps": steps} for name, steps in looped.terms],
            "hopeless": forecast.looped_is_hopeless,
        },
        "advice": list(forecast.advice),
    }
