"""The report of a run, whatever its method: a pure function of its result and of its `RunInfo`."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.entries import Joins
from steel_verified.learning.results import Accepted, Contradicted, GivenUp, NotAccepted, Result
from steel_verified.learning.self_check.stage import was_checked
from steel_verified.reports.tables import Cell, Column, Kind, Part, Prose, Style, Table, Value
from steel_verified.theory.conditions import Cause, heading, supported
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted
from steel_verified.worlds.run_info import CHECKING, RunInfo, phases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.deciding import Decided
    from steel_verified.learning.model import Model
    from steel_verified.learning.self_check.won import SelfChecked
    from steel_verified.worlds.catalogue import FalseBound

    Ended = tuple[Result, RunInfo]

COLUMNS: Final = (
    Column("what", Kind.CODE, style=Style.NAME, heading=""),
    Column("value", Kind.NUMBER, heading=""),
    Column("remark", priority=1, heading=""),
)
_BAR: Final = 20
_EXOGENOUS: Final = "if the noise ignores actions"
_MOST_OTHERS: Final = 8
_MOST_LISTED: Final = 6
ONE_STATE: Final = (
    "One state was learned. A model with one state passes every validation, so acceptance "
    "shows nothing here: check by other means that there is only one state."
)
NOT_CHECKED: Final = (
    "The model was not checked: the run kept too few rows for it. A violated condition would not "
    "be noticed. --self-check-steps takes extra steps for the check."
)
LEFT: Final = (
    "The observations up to step {step:,} fit no state of the model, and all later ones fit. So "
    "the run left a part of the world and cannot return to it, and the model describes only the "
    "part in which the run ended: not every latent state reaches every other."
)
_PROBABLY: Final = (
    "If no verdict was wrong (a wrong one has probability at most δ), a condition does not hold."
)
_PROBABLY_BY_CHECK: Final = (
    "If no verdict was wrong (a wrong one has probability at most δ), and this is not a false "
    "alarm (probability at most α), a condition does not hold."
)
_WHICH: Final = (
    "Looped is the paper's algorithm. docs/theory/certain.md and docs/theory/located.md explain "
    "when to use which."
)
_CERTAINLY: Final = "For every noise, a condition does not hold."
_SURELY: Final = (
    "With probability 1 − δ, a condition does not hold, or steps slip more often than was allowed."
)
_SHOWN_BY: Final = (
    "The observations of these steps, each with the one before it, are enough to show it, and none "
    "can be left out: {}."
)
SUSPECTED: Final = "Perhaps all conditions hold; perhaps one does not."


def is_right(result: Result, info: RunInfo) -> bool:
    """Whether a run was accepted, and nothing that it learned is known to be wrong."""
    return isinstance(result, Accepted) and (info.findings is None or info.findings.all_right)


def as_json(result: Result, info: RunInfo) -> dict[str, Json]:
    """The report as JSON: the same keys for every method and every result."""
    ledger, found = result.ledger, info.findings
    checked = None if isinstance(result, NotAccepted) else result.self_check
    fewer = None if info.looped_steps is None else info.looped_steps // max(1, ledger.steps)
    last = info.growth[-1] if info.growth else None
    return {
        "world": info.world,
        "method": result.method.name,
        "accepted": isinstance(result, Accepted),
        **_reasons(result),
        "states": result.model.states,
        "transitions": len(result.model.transitions()),
        "table": result.model.table,
        "steps": ledger.steps,
        "fresh_steps": result.fresh_steps if isinstance(result, Accepted) else 0,
        "phases": tuple(
            {"name": each.name, "steps": each.steps, "remark": each.text} for each in phases(result)
        ),
        "predicted_steps": info.predicted_steps,
        "as_predicted": info.as_predicted,
        "looped_steps_predicted": info.looped_steps,
        "times_fewer": fewer,
        "labels_made": None if last is None else last.made,
        "labels_merged": None if last is None else last.merged,
        "dynamics_right": None if found is None else found.dynamics_right,
        "encoder_right": None if found is None else found.encoder_right,
        "budget": {
            "allowed": str(ledger.budget.allowed),
            "spent": {
                "exact": str(ledger.budget.spent),
                "about": decimal_above(ledger.budget.spent),
            },
        },
        "decided": _decided_as_json(result),
        "models_left": tuple(each.table for each in result.models)
        if isinstance(result, NotAccepted)
        else (),
        "mixing_time": info.mixing_time,
        "true_mixing_time_at_most": info.true_mixing_time,
        "self_check": self_check_as_json(checked),
        "seconds": None if info.seconds is None else round(info.seconds, 3),
        "warnings": tuple(warning_as_json(bound) for bound in info.false_bounds),
    }


def _reasons(result: Result) -> dict[str, Json]:
    if isinstance(result, Accepted):
        reasons: dict[str, Json] = {"because": None, "contradicted": None, "causes": ()}
        return {**reasons, "steps_to_explain": 0, "shown_by_steps": ()}
    likely = supported(result.causes) if isinstance(result, Contradicted) else ()
    return {
        "because": result.because,
        "contradicted": likely[0].condition.name if likely else None,
        "causes": tuple(cause_as_json(cause) for cause in result.causes),
        "steps_to_explain": result.steps_to_explain,
        "shown_by_steps": result.shown_by if isinstance(result, Contradicted) else (),
    }


def _decided_as_json(result: Result) -> Json:
    if not isinstance(result, Accepted) or result.decided is None:
        return None
    return {
        "supposes_two_states": result.decided.supposes_two,
        "classifiers": result.decided.labels,
        "slipped": None if result.decided.counts is None else result.decided.slipped,
        "counts": result.decided.counts,
    }


def cause_as_json(cause: Cause) -> Json:
    return {
        "condition": cause.condition.name,
        "statement": cause.condition.statement,
        "because": cause.because,
        "supported": cause.is_supported,
        "advice": cause.advice,
    }


def as_parts(result: Result, info: RunInfo) -> tuple[Part, ...]:
    """The report as text and a table."""
    if not isinstance(result, Accepted):
        false = tuple(false_bound(bound) for bound in info.false_bounds)
        table = (Table("", COLUMNS, false),) if false else ()
        return *_given_up(result, info.world), *table
    symbols = {bound.symbol for bound in info.false_bounds}
    rows = [row for row in _rows(result, info) if row[0] not in symbols]
    rows += [false_bound(bound) for bound in info.false_bounds]
    warnings = self_check_warnings(result.self_check, result.model.states)
    return _headline(result, info), Table("", COLUMNS, tuple(rows)), *warnings


def _headline(result: Accepted, info: RunInfo) -> Prose:
    if is_right(result, info):
        return Prose(f"Learned {info.world} with {result.method.name} STEEL.", Style.GOOD)
    why = (
        "a verdict was wrong. The probability of that is at most δ if all assumptions hold"
        if result.decided is None
        else "so an assumption does not hold"
    )
    return Prose(f"Not right on {info.world}: {why}.", Style.BAD)


def _rows(result: Accepted, info: RunInfo) -> Iterator[tuple[Value, ...]]:
    ledger, found = result.ledger, info.findings
    transitions = len(result.model.transitions())
    yield "states", result.model.states, counted(transitions, "transition")
    if found is not None:
        yield "dynamics", mark(right=found.dynamics_right), "the truth, up to labels"
        if found.encoder_right is not None:
            yield "encoder", mark(right=found.encoder_right), "the true classifier of each state"
    for phase in phases(result):
        yield phase.name, phase.steps, phase.text
    yield "in all", ledger.steps, _predicted(info)
    if info.as_predicted is not None:
        text = "plan by plan, verdict by verdict"
        yield "as predicted", mark(right=info.as_predicted), text
    if info.looped_steps is not None:
        times = counted(info.looped_steps // max(1, ledger.steps), "time")
        yield "looped", info.looped_steps, f"steps predicted: {times} as many"
    if info.growth:
        last = info.growth[-1]
        yield "labels", last.made, f"were made, {last.merged:,} of them merged into others"
    if ledger.budget.allowed and (result.decided is None or result.decided.chance):
        spent, allowed = ledger.budget.spent, ledger.budget.allowed
        yield "δ spent", decimal_above(spent), spent_bar(spent, allowed)
    if isinstance(ledger.entry, Joins) and ledger.entry.complete:
        text = "given N and that there are two states, for every noise: no two labels are one state"
        yield "sure", "yes", text
    if result.decided is None:
        yield from self_check_rows(result.self_check, transitions)
    else:
        yield from _certain_rows(result.decided)
        if result.decided.counts is not None:
            true = "" if info.slipped is None else f"; in truth {counted(info.slipped, 'step')} did"
            text = f"steps led elsewhere than usual, of {ledger.steps:,}{true}"
            yield "slips", result.decided.slipped, text
    if info.mixing_time is not None and info.true_mixing_time is not None:
        text = f"{info.true_mixing_time} is proven to be enough"
        enough = info.mixing_time >= info.true_mixing_time
        yield "t̂_mix", info.mixing_time, text if enough else Cell(text, text, Style.BAD)
    if info.seconds is not None:
        each = f"{ledger.steps / max(info.seconds, 1e-9):,.0f} steps a second"
        yield "time", f"{info.seconds:.2f} s", each


def _certain_rows(decided: Decided) -> Iterator[tuple[Value, ...]]:
    """What is exact, of a certain run."""
    if decided.chance:
        slips = decided.counts is not None
        why = "steps may slip" if slips else "coins decided against quotients of this model"
        yield "certain", "no", why
        given = "for every noise, if the bound on slips is true" if slips else _EXOGENOUS
        yield "is right", f"≥ {1 - decided.chance}", f"is the probability, {given}"
    else:
        yield "certain", "yes", "for every noise: no other model explains the rows"
    if decided.supposes_two:
        yield "given", "|S| ≥ 2", "since some classifier is 1 on all rows"
    if decided.supposes_at_most is not None:
        yield "given", f"|S| ≤ {decided.supposes_at_most}", "the bound N, as it was given"
    if decided.of_columns:
        yield "classifiers", len(decided.labels), "fit the rows; others may, too"
    else:
        text = f"exact, of {len(decided.labels)}: no other one fits their rows"
        yield "classifiers", decided.exact, text
    others = [(label, fits) for label, fits in enumerate(decided.labels) if len(fits) > 1]
    for label, fits in others[:_MOST_OTHERS]:
        yield f"state {label}", len(fits), f"classifiers fit its rows: {_listed(fits)}"
    if len(others) > _MOST_OTHERS:
        text = "more states have several classifiers; --json lists all"
        yield "and", len(others) - _MOST_OTHERS, text


def _listed(numbers: Sequence[int]) -> str:
    """The first numbers of a list, as far as they fit."""
    shown = ", ".join(map(str, numbers[:_MOST_LISTED]))
    return shown + ", …" if len(numbers) > _MOST_LISTED else shown


def _predicted(info: RunInfo) -> str:
    if info.as_predicted is None:
        return "steps"
    known = "none" if info.predicted_steps is None else f"{info.predicted_steps:,}"
    return f"steps, {known} were predicted"


def spent_bar(spent: Fraction, delta: Fraction) -> str:
    """A bar that shows how much of δ was spent."""
    share = round(spent / delta * _BAR)
    return f"of {delta} {'█' * share}{'░' * (_BAR - share)}"


def mark(*, right: bool) -> Cell:
    """The table cell that says whether something is right."""
    return Cell("right", right, Style.GOOD) if right else Cell("wrong", right, Style.BAD)


# Several methods on one world


def beside_as_parts(ended: Sequence[Ended]) -> tuple[Part, ...]:
    """Runs of several methods on one world, side by side, and why some of them were given up."""
    columns = (
        Column("what", Kind.CODE, style=Style.NAME, heading=""),
        *(Column(result.method.name, Kind.NUMBER) for result, _ in ended),
    )
    shown = [dict(_beside(result, info)) for result, info in ended]
    # Rows of one section are together, in the order in which they come.
    names = sorted(dict.fromkeys(name for column in shown for name in column), key=itemgetter(0))
    rows = tuple((name, *(column.get((place, name)) for column in shown)) for place, name in names)
    world = ended[0][1].world
    learned = [each for each in ended if is_right(*each)]
    wrong = any(isinstance(result, Accepted) for result, _ in ended if (result, _) not in learned)
    if wrong:
        headline = Prose(f"Not right on {world}: see below.", Style.BAD)
    elif len(learned) < len(ended):
        text = f"{len(learned)} of {counted(len(ended), 'method')}"
        headline = Prose(f"Learned {world} with {text}.", Style.ODD)
    else:
        headline = Prose(
            f"Learned {world} with {counted(len(ended), 'method')}: {_fewest(ended)}.", Style.GOOD
        )
    false = dict.fromkeys(false_bound(each) for _, info in ended for each in info.false_bounds)
    warned = dict.fromkeys(
        warning
        for result, _ in ended
        if isinstance(result, Accepted)
        for warning in self_check_warnings(result.self_check, result.model.states)
    )
    given_up = tuple(
        part
        for result, info in ended
        if not isinstance(result, Accepted)
        for part in _given_up(result, f"{info.world} ({result.method.name} STEEL)")
    )
    return (
        headline,
        Table("", columns, rows),
        *warned,
        *given_up,
        Prose(_WHICH),
        *((Table("", COLUMNS, tuple(false)),) if false else ()),
    )


def _fewest(ended: Sequence[Ended]) -> str:
    fewest, *_, most = sorted((result for result, _ in ended), key=lambda each: each.ledger.steps)
    times = counted(most.ledger.steps // max(1, fewest.ledger.steps), "time")
    return f"{fewest.method.name} STEEL took {times} fewer steps than {most.method.name}"


def _beside(result: Result, info: RunInfo) -> Iterator[tuple[tuple[int, str], Value]]:
    """The cells of one column, by the section and the name of their row."""
    found, budget = info.findings, result.ledger.budget
    ended = result.model.states if isinstance(result, Accepted) else "not accepted"
    yield (0, "states"), ended
    if found is not None:
        yield (0, "dynamics"), mark(right=found.dynamics_right)
        if found.encoder_right is not None:
            yield (0, "encoder"), mark(right=found.encoder_right)
    yield (0, "needs"), result.method.needs
    decided = result.decided if isinstance(result, Accepted) else None
    wrong = budget.allowed if decided is None else decided.chance
    promise = f"chance ≥ {1 - wrong}" if wrong else "for every noise"
    yield (0, "is right"), "no guarantee" if info.false_bounds else promise
    parts = tuple(phases(result))
    yield from (((1, phase.name), phase.steps) for phase in parts)
    yield (2, "steps in all"), result.ledger.steps
    known = "no" if info.predicted_steps is None else f"{info.predicted_steps:,}"
    yield (2, "known beforehand"), known
    yield (2, "δ spent"), decimal_above(budget.spent)
    if isinstance(result, Accepted):
        is_part = any(phase.name == CHECKING for phase in parts)
        yield (2, "self-check"), "passed" if is_part else self_check_cell(result.self_check)
    if info.seconds is not None:
        yield (2, "time"), f"{info.seconds:.2f} s"


def beside_as_json(ended: Sequence[Ended]) -> dict[str, Json]:
    """The reports of several methods, by the names of the methods."""
    return {result.method.name: as_json(result, info) for result, info in ended}


# Runs that gave up


def _given_up(result: GivenUp, name: str) -> tuple[Part, ...]:
    """Why a run gave up, its causes, and the partial model."""
    so_far = known_so_far(result.model, result.ledger.steps)
    ended = "Contradicted" if isinstance(result, Contradicted) else "Not accepted"
    shown_by = shown_by_as_parts(result.shown_by if isinstance(result, Contradicted) else ())
    if not result.causes:
        return Prose(f"{ended} on {name}: {result.because}.", Style.BAD), so_far
    statements = " or ".join(each.condition.statement for each in supported(result.causes))
    likely = f"most likely, this condition does not hold: {statements}"
    steps = counted(result.steps_to_explain, "random step")
    text = f"To find the causes, {steps} were taken after the run; they were used for nothing else."
    return (
        *((Prose(f"{ended} on {name}: {likely}.", Style.BAD),) if statements else ()),
        Prose(f"How the run ended: {result.because}.")
        if statements
        else Prose(f"{ended} on {name}: {result.because}.", Style.BAD),
        *shown_by,
        Prose(f"{_introduction(result)} {heading(result.causes)}".strip()),
        *causes_as_parts(result.causes),
        *((Prose(text),) if result.steps_to_explain else ()),
        so_far,
    )


def known_so_far(model: Model, steps: int) -> Prose:
    """What a run that gave up knows of the dynamics."""
    known = counted(model.states, "label"), counted(len(model.transitions()), "transition")
    told = f"Known after {counted(steps, 'step')}: {' and '.join(known)}, without any guarantee."
    return Prose(told)


def _introduction(result: GivenUp) -> str:
    """How certain it is that one of the causes applies."""
    if not isinstance(result, Contradicted):
        return "" if supported(result.causes) else SUSPECTED
    if not result.ledger.budget.allowed:
        return _CERTAINLY
    if result.method.name == "slipping":
        return _SURELY
    return _PROBABLY if result.self_check is None else _PROBABLY_BY_CHECK


def shown_by_as_parts(steps: Sequence[int]) -> tuple[Part, ...]:
    """The steps whose rows show that a condition does not hold."""
    return (Prose(_SHOWN_BY.format(", ".join(map(str, steps)))),) if steps else ()


def causes_as_parts(causes: Iterable[Cause]) -> tuple[Part, ...]:
    """The causes, each with advice; only those for which the data speak have a number."""
    return tuple(
        Prose(f"{f'{number}.' if cause.is_supported else '–'} {cause.sentence}")
        for number, cause in enumerate(causes, start=1)
    )


# Bounds that are false


def as_sentence(bound: FalseBound) -> str:
    """The warning before the run."""
    return (
        f"Warning: {bound.symbol} = {bound.given:,} is too small: {bound.because}. This run has no "
        f"guarantee, because the guarantee assumes that {bound.condition.statement}."
    )


def false_bound(bound: FalseBound) -> tuple[Value, ...]:
    """A red row about a false bound, for the table of a run."""
    remark = f"too small: {bound.because}; nothing is guaranteed"
    return bound.symbol, bound.given, Cell(remark, remark, Style.BAD)


def warning_as_json(bound: FalseBound) -> Json:
    return {
        "condition": bound.condition.name,
        "argument": bound.argument,
        "given": bound.given,
        "needed": bound.needed,
        "message": as_sentence(bound),
    }


# The self-check


def self_check_rows(checked: SelfChecked | None, transitions: int) -> Iterator[tuple[Value, ...]]:
    """The rows about the self-check in the table of an accepted run with so many transitions."""
    if checked is None:
        text = "was switched off"
    elif not was_checked(checked):
        text = f"only {checked.samples:,} samples to check it with"
    else:
        bets = sum(many for _, many in checked.bets)
        text = f"{bets:,} bets on {checked.samples:,} samples lost; a false alarm: {checked.level}"
    yield "self-check", self_check_cell(checked), text
    if checked is not None and checked.transitions < transitions:
        text = f"of {transitions:,} transitions; --self-check-steps checks others, too"
        yield "it covers", checked.transitions, text


def self_check_cell(checked: SelfChecked | None) -> str:
    """One word about the self-check of an accepted run."""
    if checked is None:
        return "none"
    return "passed" if was_checked(checked) else "NOT CHECKED"


def self_check_warnings(checked: SelfChecked | None, states: int) -> tuple[Part, ...]:
    """Warnings about a model with one state, an unchecked model, or missing states."""
    found = [ONE_STATE] if states == 1 else []
    if checked is not None and not was_checked(checked):
        found.append(NOT_CHECKED)
    if checked is not None and checked.left is not None:
        found.append(LEFT.format(step=checked.left))
    return tuple(Prose(warning, Style.ODD) for warning in found)


def self_check_as_json(checked: SelfChecked | None) -> Json:
    """The bets that were tested, and each bet that was won, with its counts, as JSON."""
    if checked is None:
        return None
    return {
        "checked": was_checked(checked),
        "false_alarm_at_most": str(checked.level),
        "samples": checked.samples,
        "transitions": checked.transitions,
        "bets": dict(checked.bets),
        "left_for_good_after_step": checked.left,
        "won": tuple(
            {
                "label": each.label,
                "depends_on": each.kind.value,
                "measured": each.measured,
                "seen": each.seen,
                "counts": each.counts,
                "mixing_times_apart": each.mixing_times,
                "paid": float(each.winnings),
                "needed": float(each.needed),
            }
            for each in checked.won
        ),
    }
