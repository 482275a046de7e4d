"""What is known of a run before it starts: plan by plan, in part, or as a forecast."""

from __future__ import annotations

from itertools import accumulate
from statistics import median
from typing import TYPE_CHECKING, Final

from steel_verified.learning.looped import calls, tour
from steel_verified.reports.tables import Cell, Column, Kind, Prose, Style, Table, records
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted, counted_range, duration_range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.codec import Json
    from steel_verified.evidence.entries import Ran
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.looped import Call
    from steel_verified.reports.tables import Part, Value
    from steel_verified.worlds.ahead import Ahead, Measured, ValidationAhead
    from steel_verified.worlds.forecast import Forecast


_SHOWN = 16
"""How many actions of a word are shown; tables of the paper's worlds then fit 80 columns."""


def as_json(ahead: Ahead) -> Json:
    """The prediction as JSON: the same keys for every method."""
    chosen, ledger, found = ahead.chosen, ahead.looped, ahead.measured
    made, last = tuple(calls(ledger)), tour(ledger.entries)
    return {
        "world": chosen.name,
        "method": ahead.method,
        "states": chosen.extent.states,
        "diameter": chosen.extent.diameter,
        "steps": {"least": ahead.least, "most": ahead.most},
        "parts": records(_parts_table(ahead)),
        "rounds": () if ahead.validation is None else records(rounds_table(ahead.validation)),
        "walk": None if ahead.validation is None else _walk_as_json(ahead.validation),
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
            "steps": ledger.steps,
            "calls": len(made),
            "bound": total_bound(chosen.parameters, chosen.extent),
            "budget_spent": decimal_above(ledger.budget.spent),
            "plans": records(_calls_table(made, last)),
            "tour": [] if last is None else list(last.word),
        },
    }


def _walk_as_json(ahead: ValidationAhead) -> Json:
    return {
        "shortest": ahead.shortest,
        "longest": ahead.longest,
        "gap_in_mixing_times": {"least": ahead.least_gap, "most": ahead.most_gap},
    }


def as_parts(ahead: Ahead) -> tuple[Part, ...]:
    """The prediction as text and tables: what the method has."""
    extent, looped = ahead.chosen.extent, ahead.looped
    is_known = ahead.least == ahead.most
    steps = counted(ahead.least, "step") if is_known else f"at least {counted(ahead.least, 'step')}"
    headline = (
        f"{ahead.method.capitalize()} STEEL takes {steps} on {ahead.chosen.name}: |S| = "
        f"{extent.states}, D = {extent.diameter}."
    )
    shown: list[Part] = [Prose(headline, Style.GOOD), _parts_table(ahead)]
    if is_known:
        return *shown, *_plans(ahead)
    if ahead.validation is not None:
        shown += [rounds_table(ahead.validation), Prose(_walk(ahead.validation))]
    compared = f"The paper's algorithm takes exactly {counted(looped.steps, 'step')} here."
    return *shown, Prose(_exploring(ahead.measured)), Prose(compared)


_PARTS: Final = (
    Column("part", style=Style.NAME),
    Column("least", Kind.NUMBER, heading="steps, least"),
    Column("most", Kind.NUMBER),
    Column("known", priority=1),
)


def _parts_table(ahead: Ahead) -> Table:
    rows = tuple((part.name, part.least, part.most, part.known) for part in ahead.parts)
    return Table("", _PARTS, rows)


_CALLS = (
    Column("call", Kind.NUMBER),
    Column("word", Kind.CODE, priority=1, style=Style.NAME, heading="word â"),
    Column("length", Kind.NUMBER, heading="|â|"),
    Column("period", Kind.NUMBER, heading="n_cyc"),
    Column("new_states", Kind.NUMBER),
    Column("new_transitions", Kind.NUMBER),
    Column("steps", Kind.NUMBER),
    Column("so_far", Kind.NUMBER),
)


def _calls_table(made: tuple[Call, ...], last: Ran | None) -> Table:
    """One row for each call of CycleFind."""
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


def _plans(ahead: Ahead) -> tuple[Part, ...]:
    """The plans of a run that is known exactly."""
    ledger, p = ahead.looped, ahead.chosen.parameters
    made, last, bound = (
        tuple(calls(ledger)),
        tour(ledger.entries),
        total_bound(p, ahead.chosen.extent),
    )
    walked = "" if last is None else counted(len(last.word), "action")
    toured = "" if last is None else f" Phase 2 is a tour of {walked} ({_shortened(last.word)})."
    summary = (
        f"Phase 1 makes {counted(len(made), 'call')} of CycleFind.{toured} The noise has no "
        f"influence on these numbers unless a verdict is wrong (chance at most δ = {p.delta}).\n"
        f"The bound of Theorem 1 is {bound:,}: the run takes {100 * ledger.steps / bound:.2f} % of "
        f"it, and spends {decimal_above(ledger.budget.spent)} of δ."
    )
    return _calls_table(made, last), Prose(summary)


def _shortened(word: Word) -> str:
    """The first actions of a word."""
    separator = "" if max(word, default=0) < 10 else " "
    shown = separator.join(str(action) for action in word[:_SHOWN])
    return shown + ("…" if len(word) > _SHOWN else "")


_ROUNDS = (
    Column("round", Kind.NUMBER),
    Column("share", Kind.NUMBER, heading="share of δ"),
    Column("samples", Kind.NUMBER, heading="n"),
    Column("least_steps", Kind.NUMBER, heading="steps, least"),
    Column("most_steps", Kind.NUMBER, heading="steps, most"),
)


def rounds_table(ahead: ValidationAhead) -> Table:
    """The rounds of validation, one row each."""
    rows = tuple(
        (
            one.number,
            str(one.share),
            Cell(
                _range(one.least_samples, one.most_samples),
                {"least": one.least_samples, "most": one.most_samples},
            ),
            one.least_steps,
            one.most_steps,
        )
        for one in ahead.rounds
    )
    title = "Validation: n checks of each state, after a first pass that keeps no samples"
    return Table(title, _ROUNDS, rows)


def _walk(ahead: ValidationAhead) -> str:
    length = counted_range(ahead.shortest, ahead.longest, "action")
    return (
        f"The walk has {length}, depending on the state in which it begins. Samples of one state "
        f"are at least j·t̂_mix apart, with j = {_range(ahead.least_gap, ahead.most_gap)}. These "
        "numbers are computed from the true dynamics. A run numbers the states in the order in "
        "which it finds them, and this order decides between equally short paths."
    )


def _exploring(found: Measured | None) -> str:
    if found is None:
        return (
            "How long a run explores depends on the noise, and has no bound known beforehand. It "
            "was not measured: that needs a world with observations, and noise seeds."
        )
    if not found.exploring:
        seeds = counted(found.seeds, "noise seed")
        return f"Exploring was measured over {seeds}: no run was accepted."
    steps = found.exploring
    rounds = f"; the most rounds of one: {found.most_rounds}" if found.most_rounds else ""
    return (
        "How long a run explores depends on the noise, and has no bound known beforehand. "
        f"Measured over {counted(found.seeds, 'noise seed')}: "
        f"{counted_range(steps[0], steps[-1], 'step')}, median {median(steps):,.0f}. Of "
        f"{counted(found.seeds, 'run')}, accepted: {len(steps)}; right: {found.right}{rounds}."
    )


def _range(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


_FORECAST: Final = (
    Column("method", style=Style.NAME),
    Column("part"),
    Column("least", Kind.NUMBER, heading="steps, at least"),
    Column("most", Kind.NUMBER, heading="most"),
    Column("time", priority=1),
    Column("known", priority=2),
)


def forecast_as_parts(forecast: Forecast) -> tuple[Part, ...]:
    """The forecast as text and a table."""
    return tuple(_forecast_parts(forecast))


def _forecast_parts(forecast: Forecast) -> Iterator[Part]:
    located, looped = forecast.located, forecast.looped
    steps = counted_range(located.least, located.most, "step")
    yield Prose(
        f"Located STEEL takes an estimated {steps} if |S| = {forecast.extent.states} and "
        f"D = {forecast.extent.diameter}.",
        Style.BAD if forecast.located_is_hopeless else Style.GOOD,
    )
    yield Table("", _FORECAST, tuple(_forecast_rows(forecast)))
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


def _forecast_rows(forecast: Forecast) -> Iterator[tuple[Value, ...]]:
    located, looped = forecast.located, forecast.looped
    yield _forecast_row(
        forecast,
        "located",
        "exploring",
        (located.exploring_least, located.exploring_most),
        "the minimum is certain; the maximum is estimated from runs on worlds with bits",
    )
    yield _forecast_row(
        forecast,
        "located",
        "validating",
        (located.validating_least, located.validating_most),
        f"exact for a walk of {located.shortest_walk:,} to {located.longest_walk:,} actions",
    )
    if looped is not None:
        known = "an estimate: measured runs took this part of the bound"
        yield _forecast_row(forecast, "looped", "a whole run", (looped.least, looped.most), known)
        known = "certain, with probability 1 − δ"
        yield _forecast_row(forecast, "looped", "its bound", (looped.bound, looped.bound), known)


def _forecast_row(
    forecast: Forecast, method: str, part: str, steps: tuple[int, int], known: str
) -> tuple[Value, ...]:
    seconds = forecast.located_seconds if method == "located" else forecast.seconds
    least, most = (seconds(number) for number in steps)
    if least is None or most is None:
        return method, part, *steps, None, known
    shown = duration_range(least, most)
    value: Json = {"least_seconds": least, "most_seconds": most}
    return method, part, *steps, Cell(shown, value), known


def forecast_as_json(forecast: Forecast) -> Json:
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
