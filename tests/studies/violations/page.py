"""The page violations.md: how runs end on worlds that violate a condition."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Final

from steel_verified.reports.tables import Column, Kind, Table, as_markdown
from tests.studies.violations.breaking import Violation
from tests.studies.violations.judging import Method, Outcome
from tests.studies.violations.runs import FIRST_SEED, WORLDS, tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.reports.tables import Value
    from steel_verified.sweeps.study import Row

FAILS: Final = {
    Method.CERTAIN: Fraction(0),
    Method.LOCATED: Fraction(2, 1000),
    Method.LOOPED: Fraction(2, 1000),
}
"""Without a violation, a run is not right with probability at most α + δ, each 1/1000; a certain
run is never contradicted nor wrong."""
FALSE_ALARM: Final = Fraction(1, 1000)
"""The false-alarm probability of the test: more runs than allowed are not right although
the bound holds."""
UNLIKELY: Final = 1 / 20
"""The chance with which a share of wrong runs that is stated as largest is exceeded."""
_SHOWN: Final = 12
"""How many seeds are listed at most."""
HEAD: Final = """\
# When a condition does not hold

The guarantee holds under conditions. This study violates each of them in small random worlds, one
at a time, and counts how runs of the three methods end. Is the result right? Is the violation
noticed, and the right cause named? Or is a wrong model accepted?

`tests/studies/violations/` draws the worlds: 3 to 8 states (more with what is hidden), 2 or 3
actions, noise that classifiers of F can read, and a class F that contains both constants, as every
linear class does. Their seeds begin at {first:,}. The self-check and its causes were tuned on
worlds with seeds below 6,000, so no world of this page was used for that. **This page rests on
{worlds} worlds of each kind.** How much that shows is in the last column: the largest share of
wrong runs, in percent, with which as few as these would still be seen with chance 1/20 (the upper
bound of Clopper and Pearson at 95 %).

Each run is made once, as a user would make it: with the self-check and its fresh steps, whose
number is chosen by default. It ends in one of these ways:

- **right**: accepted, and what is promised is true: the dynamics are exact up to relabelling, and
  the encoder errs with probability at most ε. A certain run promises more: a classifier that is the
  only one left for its state is exact.
- **cause first**: not accepted, and the data speak for the violated condition, first of all.
- **named**: the data speak for the violated condition, but after another one.
- **not told**: the run says that the data do not tell the cause; the violated condition is in its
  list, which has no order. A world of one state violates none, but without two states N has to be
  1, and certain has to be told: then the run says that it found one state only.
- **other cause**: not accepted; the data speak for other conditions.
- **open**: not accepted, without a cause: a certain run whose rows left several models.
- **twin**: accepted, and what is promised is false in this world. But it is true in another world
  that violates no condition of the method, and in which everything that the run saw is at least as
  likely. So there was nothing to notice.
- **wrong**: accepted, and what is promised is false; no such other world is known.

**Twins.** Often the twin has the learned dynamics, and its states look like those in which the run
was, or like a mixture of them; the likelihood is computed. Or it has no noise, if the noise never
changed; or state and noise together are its state, if actions decide the noise. For a certain run
it is also decided exactly: all transitions that can still occur, added to those of the run, leave a
cover, so that no later row can refute it. Or a transition changed, and was not taken after that:
then the world without the change has the same rows.

**Why no check can notice many of the twins.** Take one world that violates no condition, and all
runs that are at most as likely in the true world as in this one. The probability that such a run
happens and is noticed is at most as large in the true world as in this one. In this one it would be
a false alarm, which has probability at most α (the Neyman–Pearson lemma).

**How to reproduce it.** `python -m tests.studies.violations` writes this page from the recorded
rows in `tests/studies/recorded/`. With `--run` it first makes the rows that are missing (all of
them take some 70 minutes on one core); if it is stopped, the same command continues it. The tests
repeat some worlds of each kind.

**What counts as true.** If steps slip or actions stick: the usual transitions. If rows lie or the
camera freezes: the world in which they do not. If the run cannot return to a part of the world:
what can still be reached. If transitions change during the run: the dynamics at the end. The change
comes at some share of the steps that the run takes without it, before its fresh steps. If all
conditions hold: a run that is not right is a false alarm, or a failure that δ = 1/1000 allows.

A method that is not given a bound cannot be given a wrong one, so certain has no rows for N, and
neither certain nor located has one for D̂. Certain assumes nothing of the noise: its runs on such
noise are counted with those in which all conditions hold. An |F| smaller than the class is rejected
before the run starts. Oracles that miss classifiers, and resets, are not part of this study.
"""
FALSE_ALARMS_NOTE: Final = (
    "If α = 1/1000 and δ = 1/1000 hold, each row exceeds the allowed number of runs that are not "
    "right with probability at most 1/1000. Open runs of certain are neither right nor alarms. "
    "Slow noise here has t̂_mix = t_mix, up to some 100 steps."
)
_COLUMNS: Final = {
    "right": (Outcome.RIGHT,),
    "cause first": (Outcome.FIRST,),
    "named": (Outcome.NAMED,),
    "not told": (Outcome.UNTOLD,),
    "other cause": (Outcome.OTHER,),
    "open": (Outcome.OPEN,),
    "twin": (Outcome.TWIN,),
    "wrong": (Outcome.WRONG,),
}


def most_failures(runs: int, chance: Fraction, alarm: Fraction) -> int:
    """The least number that failures exceed with at most this chance; runs are independent."""
    odds = float(chance / (1 - chance))
    left, term, failures = 1.0, float(1 - chance) ** runs, 0
    while (left := left - term) > alarm:
        failures += 1
        term *= odds * (runs - failures + 1) / failures
    return failures


def largest_share(wrong: int, runs: int) -> float:
    """The largest share of wrong runs with which so few are seen with chance `UNLIKELY`."""
    low, high = wrong / max(1, runs), 1.0
    while high - low > 1e-9 and wrong < runs:
        middle = (low + high) / 2
        few = sum(_chance(seen, runs, middle) for seen in range(wrong + 1))
        low, high = (middle, high) if few > UNLIKELY else (low, middle)
    return high


def _chance(seen: int, runs: int, share: float) -> float:
    """The chance of exactly so many of the runs, if each happens with chance `share`."""
    return comb(runs, seen) * share**seen * (1 - share) ** (runs - seen)


def violated_table(rows: Mapping[str, Row], method: Method) -> Table:
    """How runs of one method end if one of its conditions is violated."""
    known = [each for each in Violation if method.breaks(each) and method.is_told(each)]
    listed: list[tuple[Value, ...]] = []
    for violation in known:
        found = tally(rows, violation, method)
        counts = (found.of(*outcomes) for outcomes in _COLUMNS.values())
        most = largest_share(found.of(Outcome.WRONG), found.worlds)
        listed.append((violation.text, found.worlds, *counts, f"{100 * most:.1f}"))
    return Table(
        f"One condition is violated: {method.value}",
        (
            Column("violation"),
            Column("worlds", Kind.NUMBER),
            *(Column(name.replace(" ", "_"), Kind.NUMBER, heading=name) for name in _COLUMNS),
            Column("at_most", Kind.NUMBER, heading="at most, %"),
        ),
        tuple(listed),
        notes=(_summary(rows, method, known),),
    )


def _summary(rows: Mapping[str, Row], method: Method, violations: list[Violation]) -> str:
    tallies = [tally(rows, violation, method) for violation in violations]
    wrong, runs = sum(t.of(Outcome.WRONG) for t in tallies), sum(t.worlds for t in tallies)
    first = sum(each.of(Outcome.FIRST) for each in tallies)
    noticed = sum(each.of(*(one for one in Outcome if one.noticed)) for each in tallies)
    most = largest_share(wrong, runs)
    return (
        f"Of all {runs:,} runs {wrong:,} are accepted and wrong, twins apart: "
        f"{100 * wrong / max(1, runs):.2f} %, and with 95 % confidence at most {100 * most:.2f} %. "
        f"{noticed:,} are noticed, {first:,} of them with the right cause first."
    )


def false_alarm_table(rows: Mapping[str, Row]) -> Table:
    """How many runs were not right although all conditions hold, and how many α and δ allow."""
    listed: list[tuple[Value, ...]] = []
    for method in Method:
        for violation in (each for each in Violation if not method.breaks(each)):
            found = tally(rows, violation, method)
            alarms = found.worlds - found.of(Outcome.RIGHT, Outcome.OPEN)
            allowed = most_failures(found.worlds, FAILS[method], FALSE_ALARM)
            cells = (found.worlds, found.of(Outcome.RIGHT), found.of(Outcome.OPEN), alarms, allowed)
            listed.append((violation.text, method.value, *cells))
    return Table(
        "All conditions of the method hold",
        (
            Column("worlds_of", heading="worlds"),
            Column("method"),
            Column("worlds", Kind.NUMBER, heading="runs"),
            Column("right", Kind.NUMBER),
            Column("open", Kind.NUMBER),
            Column("wrong", Kind.NUMBER, heading="false alarms or wrong"),
            Column("allowed", Kind.NUMBER),
        ),
        tuple(listed),
        notes=(FALSE_ALARMS_NOTE,),
    )


def wrong_table(rows: Mapping[str, Row]) -> Table:
    """The seeds of the worlds that were accepted and wrong."""
    listed: list[tuple[Value, ...]] = []
    for violation in Violation:
        for method in (each for each in Method if each.breaks(violation)):
            seeds = tally(rows, violation, method).seeds(Outcome.WRONG)
            if seeds:
                more = f" and {len(seeds) - _SHOWN} more" if len(seeds) > _SHOWN else ""
                shown = ", ".join(map(str, seeds[:_SHOWN])) + more
                listed.append((violation.text, method.value, len(seeds), shown))
    return Table(
        "Accepted and wrong",
        (Column("violation"), Column("method"), Column("worlds", Kind.NUMBER), Column("seeds")),
        tuple(listed),
    )


def violations_page(rows: Mapping[str, Row]) -> str:
    """The content of violations.md, from the recorded rows."""
    many = [
        tally(rows, violation, method).worlds
        for violation in Violation
        for method in Method
        if method.is_told(violation)
    ]
    is_complete = {*many} == {WORLDS}
    worlds = f"{WORLDS:,}" if is_complete else f"{min(many):,} to {max(many):,} of {WORLDS:,}"
    parts = [HEAD.format(first=FIRST_SEED, worlds=worlds)]
    tables = [violated_table(rows, method) for method in Method]
    for table in (*tables, false_alarm_table(rows), wrong_table(rows)):
        parts += [f"## {table.title}\n", as_markdown(table), *(f"{note}\n" for note in table.notes)]
    return "\n".join(parts)
