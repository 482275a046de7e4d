"""Checks a record of a run in which steps may slip: rows and actions, and nothing else (T5).

T is deterministic, but each step leads elsewhere with chance at most p < 1/2, given all that
happened before. F has a classifier for each state, and rows do not lie. A classifier is handled as
its column: the set of the rows on which it is 1.

Two bounds share δ. With probability 1 − δ/2 at most k_j steps slip up to step 2^(j+5), for all j,
where P(Bin(2^(j+5), p) > k_j) ≤ δ/(2j(j+1)). Call this E. On E no true classifier is ever removed:

    Two true ones are never 1 on one row. For two true ones, or for a true one and what each action
    at it usually leads to, the visits that went elsewhere slipped: they are at most k_j.

So if the claimed columns are all that is left for each row, the labels are the states that were
seen. And with probability 1 − δ/2 no wrong next state is ever ahead of all others by L, where
|F||A|(p/(1−p))^L ≤ δ/2: the number of visits that slipped, minus that of the others, is a walk that
ever reaches L with chance (p/(1−p))^L at most. So what is ahead by L is T. Nothing else is assumed
of the noise. docs/theory/slips.md has the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from proofs_checks.checker import certain
from proofs_checks.checker.reading import (
    Broken,
    Fields,
    Finding,
    Malformed,
    Work,
    findings_of,
    require,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofs_checks.checker.certain import Column, Record
    from proofs_checks.checker.reading import Document

FIRST_EPOCH = 64
MOST_DENOMINATOR = 10**9
STEPS_PER_PAIR, MOST_FOR_PAIRS = 100, 20_000_000
"""Each two classifiers are compared for each action, over and over: a file may take so many more
steps of work for each such pair that it declares, up to a limit."""
BITS = 128
UNIT = 1 << 2 * BITS
"""Probabilities are added as multiples of 1/UNIT."""

RULES = {
    **{name: certain.RULES[name] for name in ("digest", "rows")},
    "only": "counting leaves for each row only the claimed classifiers, and such with the same "
    "values on all rows",
    "cover": "there are two labels or more, and each row shows one of them",
    "ahead": "after each label and action the claimed next label, and no other, was once ahead of "
    "all others by L",
    "slips": "no more steps led elsewhere than k, of which fewer slips than that have probability "
    "1 − δ/2",
    "connected": certain.RULES["connected"],
    "claim": certain.RULES["claim"],
}

EXPLANATION = """\
Accepted means: a run that was made as assumed writes such a file with a wrong table, or wrong
labels, with probability δ at most, whatever the noise does, and whoever chose the actions. The
classifiers listed for a label are all that fit its rows; if there is one and the labels are right,
it is exactly that of the state."""

ASSUMPTIONS = {
    "slips": "given all that happened before, a step leads elsewhere than usual with chance at "
    "most p; no other run was made",
}
"""What is assumed besides the assumptions of `certain`, of which "deterministic" is not."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certificate of the rows, with p and δ."""

    base: certain.Certificate
    rate: Fraction
    delta: Fraction


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if it is none."""
    base = certain.certificate_in(document, more=("delta", "slips"))
    keys = ("actions", "connected", "delta", "slips")
    parameters = Fields(document.header["parameters"], "parameters", *keys)
    rate, delta = parameters.fraction("slips"), parameters.fraction("delta")
    if not 0 < rate < Fraction(1, 2) or rate.denominator > MOST_DENOMINATOR:
        raise Malformed("parameters.slips", "expected more than 0, less than 1/2, and 9 decimals")
    if not 0 < delta < 1:
        raise Malformed("parameters.delta", "expected a fraction between 0 and 1")
    if not base.record.connected or len(base.record.trajectories) != 1:
        raise Malformed("record", "expected one trajectory, in a connected world")
    if any(line.value["kind"] not in ("trajectory", "steps") for line in document.record):
        raise Malformed("record", "expected a trajectory and its steps only")
    return Certificate(base, rate, delta)


def check(certificate: Certificate) -> list[Finding]:
    """Return the rules that a certificate breaks."""
    return findings_of(certificate.base.document, _broken(certificate))


def _broken(c: Certificate) -> Iterator[Finding]:
    work = work_for(c.base.record, c.base.document.size)
    found = answer_of(c.base.record, c.rate, c.delta, work)
    assumes = (*certain.assumed(c.base.record, found), *ASSUMPTIONS)
    used = tuple(name for name in assumes if name != "deterministic")
    yield from certain.compared(c.base, found, used)


def work_for(record: Record, size: int) -> Work:
    """Return the count of work for a record in a file of so many bytes."""
    work = Work.of_file(size)
    pairs = record.classifiers**2 * record.actions
    work.allow(min(STEPS_PER_PAIR * pairs, MOST_FOR_PAIRS))
    return work


def answer_of(record: Record, rate: Fraction, delta: Fraction, work: Work) -> certain.Answer:
    """Return the answer that the record proves up to δ; raise `Broken` for a broken rule."""
    certain.check_rows(record)
    counts = Counts(record, rate, delta, work)
    left = counts.left()
    claimed = [counts.columns[f] for f in record.claim]
    are_shown = len(claimed) > 1 and all(claimed)
    require(are_shown, "cover", "claim", "fewer than two labels, or one that is never shown")
    require(set(claimed) <= set(left), "only", "claim", "a claimed classifier was removed")
    require(len(left) <= len(set(claimed)), "only", "claim", "counting leaves other classifiers")
    once = sum(column.bit_count() for column in claimed) == counts.height
    require(once, "cover", "claim", "some row does not show exactly one label")
    labels = certain.labels_of(claimed, counts.height)
    table = _ahead(labels, record, counts.lead(len(record.trajectories[0].actions)))
    steps = zip(labels, record.trajectories[0].actions, labels[1:], strict=False)
    slipped = sum(table[label][action] != to for label, action, to in steps)
    message = f"{slipped} steps led elsewhere, more than {counts.most[-1]}"
    require(slipped <= counts.most[-1], "slips", "record", message)
    reaches = certain.is_connected(table)
    require(reaches, "connected", "claim", "some label does not reach every label")
    return certain.Answer(
        table=table,
        encoders=tuple(
            tuple(f for f, each in enumerate(counts.columns) if each == column)
            for column in claimed
        ),
        current=labels[-1],
        supposes_two=(1 << counts.height) - 1 in counts.columns,
    )


def _ahead(labels: Sequence[int], record: Record, lead: int) -> tuple[tuple[int, ...], ...]:
    """Return the table of what was once ahead by the lead, at each label after each action."""
    visits: dict[tuple[int, int], int] = {}
    after: dict[tuple[int, int, int], int] = {}
    ahead: dict[tuple[int, int], set[int]] = {}
    steps = zip(labels, record.trajectories[0].actions, labels[1:], strict=False)
    for label, action, to in steps:
        visits[label, action] = visits.get((label, action), 0) + 1
        after[label, action, to] = after.get((label, action, to), 0) + 1
        if 2 * after[label, action, to] - visits[label, action] >= lead:
            ahead.setdefault((label, action), set()).add(to)
    table = list[tuple[int, ...]]()
    for label in range(len(record.claim)):
        found = [tuple(ahead.get((label, action), ())) for action in range(record.actions)]
        for action, each in enumerate(found):
            if len(each) != 1:
                message = f"after action {action} {len(each)} labels were ahead by {lead}"
                raise Broken("ahead", f"label {label}", message)
        table.append(tuple(to for (to,) in found))
    return tuple(table)


def _power(numerator: int, denominator: int, power: int) -> tuple[int, int]:
    """Return m and e with m·2^e ≤ (numerator/denominator)^power, rounded at `BITS` bits."""
    mantissa, exponent = 1, 0
    square, of_square = _cut((numerator << BITS) // denominator, -BITS)
    while power:
        if power & 1:
            mantissa, exponent = _cut(mantissa * square, exponent + of_square)
        square, of_square = _cut(square**2, 2 * of_square)
        power >>= 1
    return mantissa, exponent


def _cut(mantissa: int, exponent: int) -> tuple[int, int]:
    over = max(0, mantissa.bit_length() - BITS)
    return mantissa >> over, exponent + over


class Counts:
    """A record by columns, with the number of slips that each epoch allows."""

    def __init__(self, record: Record, rate: Fraction, delta: Fraction, work: Work) -> None:
        (path,) = record.trajectories
        view = certain.View.of(record, work)
        self.height, self.columns = view.height, view.columns
        self.rate, self.delta, self.work = rate, delta, work
        self.pairs = record.classifiers * record.actions
        steps = len(path.actions)
        taken = [column for column in view.taken if column]
        ends = [
            FIRST_EPOCH << j for j in range(max(0, (steps - 1) // FIRST_EPOCH).bit_length() + 1)
        ]
        self.most = [self.most_slips(j, end) for j, end in enumerate(ends, start=1)]
        """k of each epoch."""
        self.rows = [(1 << min(end, steps) + 1) - 1 for end in ends]
        """The rows up to the end of each epoch."""
        self.taken = [[some & rows >> 1 for some in taken] for rows in self.rows]
        self.untaken = record.actions - len(taken)
        self._apart: dict[tuple[Column, Column], tuple[int, bool]] = {}

    def count(self, comparisons: int) -> None:
        self.work.add(comparisons * (2 + (self.height >> 9)))

    # --- the two bounds, in whole numbers

    def most_slips(self, number: int, steps: int) -> int:
        """Return a k with P(Bin(2^(j+5), p) > k) ≤ δ/(2j(j+1)), for epoch j.

        The probabilities of 0, 1, … slips are added up, each rounded down; so k is not too small.
        """
        wanted = 1 - self.delta / (2 * number * (number + 1))
        up, down = self.rate.numerator, self.rate.denominator - self.rate.numerator
        most, added = 0, 0
        mantissa, exponent = _power(down, self.rate.denominator, steps)
        goal = wanted.numerator * UNIT // wanted.denominator + 1
        while True:
            shift = exponent + UNIT.bit_length() - 1
            added += mantissa << shift if shift >= 0 else mantissa >> -shift
            if added >= goal or most == steps:
                return most
            mantissa = (mantissa * (steps - most) * up << BITS) // ((most + 1) * down)
            mantissa, exponent = _cut(mantissa, exponent - BITS)
            most += 1

    def lead(self, steps: int) -> int:
        """Return the least L with |F||A|(p/(1−p))^L ≤ δ/2, or a number above that of all steps."""
        odds, wanted = self.rate / (1 - self.rate), self.delta / (2 * self.pairs)

        def is_enough(lead: int) -> bool:
            up: int = odds.numerator**lead
            down: int = odds.denominator**lead
            return up * wanted.denominator <= wanted.numerator * down

        high = 1
        while not is_enough(high):
            high *= 2
            if high > steps:
                return high
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_enough(middle) else (middle, high)
        return high

    # --- what no true classifier does

    def left(self) -> list[Column]:
        """Return the columns that are left at the end of the last epoch."""
        left = [column for column in dict.fromkeys(self.columns) if column]
        for epoch in range(len(self.rows)):
            left = [column for column in left if not self.alone(column, epoch)]
            while True:
                kept = [column for column in left if self.stays(column, left, epoch)]
                if len(kept) == len(left):
                    break
                left = kept
        return left

    def alone(self, column: Column, epoch: int) -> bool:
        """Whether a column is removed by its own counts; `stays` says so too, but takes longer."""
        self.count(len(self.taken[epoch]))
        most = self.most[epoch]
        for taken in self.taken[epoch]:
            visits = (column & taken).bit_count()
            again = ((column & taken) << 1 & column).bit_count()
            most -= min(again, visits - again)
        return most < 0

    def stays(self, column: Column, left: Sequence[Column], epoch: int) -> bool:
        """Whether a column may be true: few steps slipped, and each row has a candidate for it."""
        beside = [other for other in left if not self.apart(column, other, epoch)]
        self.count(len(beside) * (len(self.taken[epoch]) + 1))
        if self.rows[epoch] & ~reduce(or_, beside, 0):
            return False
        slipped, staying = 0, None if not self.untaken else 0
        for taken in self.taken[epoch]:
            after = (column & taken) << 1
            visits, again = after.bit_count(), (after & column).bit_count()
            others = (after & other for other in beside if other != column)
            leaving = max((each.bit_count() for each in others), default=0)
            best = max(again, leaving)
            slipped += visits - best
            staying = best - leaving if staying is None else min(staying, best - leaving)
        return slipped + (staying or 0) <= self.most[epoch]

    def apart(self, one: Column, other: Column, epoch: int) -> bool:
        """Whether two columns cannot both be true, by the counts of this epoch or of one before."""
        if one == other:
            return False
        if one & other & self.rows[epoch]:
            return True
        pair = (one, other) if one < other else (other, one)
        done, found = self._apart.get(pair, (0, False))
        while done <= epoch and not found:
            self.count(4 * len(self.taken[done]))
            slipped = self.elsewhere(one, other, done) + self.elsewhere(other, one, done)
            found = slipped > self.most[done]
            done += 1
        self._apart[pair] = done, found
        return found

    def elsewhere(self, one: Column, other: Column, epoch: int) -> int:
        """Return how many steps at a column slipped at least, if both columns are true."""
        slipped = 0
        for taken in self.taken[epoch]:
            after = (one & taken) << 1
            visits = after.bit_count()
            again, there = (after & one).bit_count(), (after & other).bit_count()
            slipped += visits - max(again, there, visits - again - there)
        return slipped
