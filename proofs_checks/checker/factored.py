"""Checks a record of factored STEEL: which parts of the state move by tables of their own (T6).

F classifies the values of factors. The true classifiers of each factor are a cover of the rows, in
the sense of `certain`, since to a factor all else is noise that may depend on the actions. The
checker accepts if each claimed cover is one, if every action was taken at each of its labels, and
if it is shown that there is no other cover.

    Then, in every world that fits the record and the assumptions, each factor all of whose values F
    classifies is among the claimed ones, and its table is the claimed one, up to names. No
    probability enters.

Nothing is said of the others that are claimed: a quotient of a factor, a product of factors and a
function of factor and noise can be covers, too. Private coins speak against functions of the noise
alone. A coin chose between two actions that lead to different labels of a cover. If its labels were
a function of the noise, which ignores the actions, the next row would have the same law on both
sides, and show the label aimed at with chance 1/2 at most. So n coins are passed with chance 2^−n
at most. Each cover was fixed and charged 2^−n before its coins, and the charges of the run are at
most δ together. If δ is 0, there are no coins.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from proofs_checks.checker import certain
from proofs_checks.checker.coins import Trial, chances_in, tosses_in
from proofs_checks.checker.reading import (
    Broken,
    Fields,
    Finding,
    Malformed,
    Work,
    counted,
    findings_of,
    require,
    wholes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofs_checks.checker.certain import Column, View
    from proofs_checks.checker.reading import Document

RULES = {
    **{name: certain.RULES[name] for name in ("digest", "rows")},
    "cover": "each factor has two labels or more, each row shows one of them, equal actions have "
    "equal effects, and no factor is listed twice",
    "complete": "every action was taken at every label of every factor",
    "connected": "in the claimed table of each factor every label reaches every other",
    "only": "no other classifiers explain the rows as values of a factor: the others are removed "
    "by rows, or excluded by a proof",
    "trials": "each trial is charged 2^−n before its coins; the charges are at most δ together",
    "coins": "the action of the side on which a coin fell was taken next; each factor on which "
    "actions have different effects was fixed by a trial and passed n coins after it",
    "claim": "the claimed tables and classifiers are those of the record",
}

EXPLANATION = """\
Accepted means: in every world that fits the recorded rows and actions and the assumptions below,
each factor all of whose values F classifies is one of those claimed, and its table is the claimed
one, up to names. This holds for every noise, without any probability. Of the others that are
claimed, only this is said: if there is a δ, then a run that was made as assumed writes such a file
with a factor that is a function of the noise, and on which actions have different effects, with
probability δ at most. They may be quotients or products of factors, or depend on noise as well."""

ASSUMPTIONS = {
    "block": "each observation shows one value of the factor",
    "deterministic": "the next value depends on the value and the action only",
    "realised": "F has a classifier for each value of the factor that was visited",
    "connected": "every value of the factor can be reached from every value",
    "two": "the factor has two values",
    "exogenous": "the noise ignores the actions",
    "coins": "the coins were fair and independent of all else; covers and coins were recorded "
    "before the actions were taken; no other run was made",
}
"""What no record can show; the last two only if there is a δ."""
OF_COINS = ("exogenous", "coins")


@dataclass(frozen=True, slots=True)
class Toss:
    """A coin between two actions was tossed, after `at` rows."""

    place: str
    number: int
    at: int
    actions: tuple[int, int]
    side: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certificate of the rows, the size of each factor, and the coins."""

    base: certain.Certificate
    """Its table has the labels of all factors, one factor after the other."""
    sizes: tuple[int, ...]
    delta: Fraction
    spent: Fraction
    trials: tuple[Trial, ...]
    tosses: tuple[Toss, ...]


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if it is none."""
    base = certain.certificate_in(document, "factors", "spent")
    sizes = wholes(document.claim["factors"], "claim.factors")
    delta, spent = chances_in(document)
    if not 0 <= delta < 1:
        raise Malformed("parameters.delta", "expected a fraction from 0 to less than 1")
    found = list(tosses_in(document, "toss", _toss))
    trials = tuple(each for each in found if isinstance(each, Trial))
    tosses = tuple(each for each in found if isinstance(each, Toss))
    return Certificate(base, sizes, delta, spent, trials, tosses)


def _toss(value: dict[str, object], place: str, number: int, rows: int) -> Toss:
    fields = Fields(value, place, "actions", "kind", "side")
    one, other = wholes(fields["actions"], f"{place}.actions", 2)
    if (side := fields.whole("side")) > 1:
        raise Malformed(place, "expected side 0 or 1")
    return Toss(place, number, rows, (one, other), side)


def check(certificate: Certificate) -> list[Finding]:
    """Return the rules that a certificate breaks."""
    return findings_of(certificate.base.document, _broken(certificate))


def _broken(c: Certificate) -> Iterator[Finding]:
    record = c.base.record
    is_one = record.connected and len(record.trajectories) == 1
    require(is_one, "rows", "record", "expected one trajectory, and connected factors")
    fits = sum(c.sizes) == len(record.claim) and 0 not in c.sizes and bool(c.sizes)
    require(fits, "claim", "claim.factors", "not the sizes of factors with these classifiers")
    certain.check_rows(record)
    view = certain.View.of(record, Work.of_file(c.base.document.size))
    factors = [[view.columns[f] for f in chosen] for chosen in _parts(c, record.claim)]
    for number, columns in enumerate(factors):
        view.check_cover(columns, of=f"factor {number}: ")
    are_different = len({frozenset(columns) for columns in factors}) == len(factors)
    require(are_different, "cover", "claim.factors", "some factor is listed twice")
    view.check_no_other(factors, record)
    yield from _check_claim(c, factors, view)
    _check_coins(c, factors, view)


def _parts(c: Certificate, labels: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield what belongs to each factor."""
    for start, end in pairwise(accumulate(c.sizes, initial=0)):
        yield labels[start:end]


def _check_claim(
    c: Certificate, factors: Sequence[Sequence[Column]], view: View
) -> Iterator[Finding]:
    """Yield a finding for each part of the claim that is not that of the record."""
    table, first = list[tuple[int, ...]](), 0
    for columns in factors:
        table += (tuple(first + to for to in line) for line in view.table(columns))
        first += len(columns)
    names = tuple(name for name in ASSUMPTIONS if c.delta or name not in OF_COINS)
    (path,) = c.base.record.trajectories
    for name, stated, computed in (
        ("table", c.base.table, tuple(table)),
        ("current", c.base.current, None),
        ("steps", c.base.steps, len(path.actions)),
        ("assumes", c.base.assumes, names),
    ):
        if stated != computed:
            yield Finding("claim", f"claim.{name}", "not that of the record")


def _check_coins(c: Certificate, factors: Sequence[Sequence[Column]], view: View) -> None:
    """Raise `Broken` unless each factor on which actions act differently has passed its coins."""
    needed = dict[tuple[int, ...], tuple[int, Trial]]()
    for trial in c.trials:
        below = trial.charge.denominator
        is_power = trial.charge.numerator == 1 and not below & below - 1
        require(is_power, "trials", trial.place, "expected a charge of 2^−n")
        needed[trial.classifiers] = below.bit_length() - 1, trial
    spent = sum((trial.charge for trial in c.trials), Fraction(0))
    is_sum = c.spent == spent <= c.delta
    require(is_sum, "trials", "claim.spent", "not the sum of the charges, or more than δ")
    (path,) = c.base.record.trajectories
    free = 0
    for toss in c.tosses:
        at, place = toss.at, toss.place
        is_free = free < at < len(path.rows)
        require(is_free, "coins", place, "tossed twice after one row, or at the end")
        free = at
        is_taken = path.actions[at - 1] == toss.actions[toss.side]
        require(is_taken, "coins", place, "the action of this side was not taken next")
        exists = max(toss.actions) < c.base.record.actions
        require(exists, "coins", place, "there is no such action")
    if not c.delta:
        return
    for chosen, columns in zip(_parts(c, c.base.record.claim), factors, strict=True):
        table = view.table(columns)
        if all(len(set(line)) == 1 for line in table):
            continue
        what = f"the factor with the classifiers {', '.join(map(str, chosen[:8]))}"
        if chosen not in needed:
            raise Broken("coins", "claim.factors", f"no trial fixed {what}")
        number, trial = needed[chosen]
        passed = _passed(c.tosses, trial, columns, table, view)
        if passed < number:
            message = f"{counted(passed, 'coin')} for {what}, but {number} are needed"
            raise Broken("coins", trial.place, message)


def _passed(
    tosses: Sequence[Toss],
    trial: Trial,
    columns: Sequence[Column],
    table: Sequence[Sequence[int]],
    view: View,
) -> int:
    """Return how many coins after a trial chose between two labels; all of them were passed.

    The rows show the labels that the table predicts.
    """
    passed = 0
    for toss in tosses:
        view.count(len(columns))
        label = next(n for n, column in enumerate(columns) if column >> toss.at - 1 & 1)
        one, other = toss.actions
        passed += toss.number > trial.number and table[label][one] != table[label][other]
    return passed
