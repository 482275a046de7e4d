"""Checks a record of certain STEEL in which coins decided between a model and its quotients (T4).

The rows are those of `certain`. They leave the claimed cover, and perhaps covers that are quotients
of it: whose members are unions of claimed labels. So in every world that fits the record and the
assumptions of `certain` there is a map σ from the labels onto the states that agrees with the
actions. Coins speak against every σ that joins labels: such a σ joins all pairs in the blocks of
some *atom*, a least congruence of the claimed table.

A *trial* fixed the claimed classifiers before its coins. A coin was about two labels in a block of
an atom, and two words of equal length that lead to them from the label shown at that time; the word
of the side on which it fell was run next. If σ joins the two labels, both words lead to one state.
Then the row at the end has the same law for both sides, given all that happened before, since the
noise ignores the actions; and it shows the label that the coin aimed at with chance 1/2 at most. So
n coins of an atom that σ joins are passed with chance 2^−n at most. Every trial of the run is
charged 2^−n, and n is the least number for which this is less than what is left of δ: so all trials
together accept a wrong model with chance δ at most. Coins of trials that failed are not looked at.
`certain_with_coins` in proofs_checks/coq/Statements.v is the theorem, for every learner.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from proofs_checks.checker import certain
from proofs_checks.checker.planning import atoms
from proofs_checks.checker.reading import (
    STEP_BYTES,
    Broken,
    Fields,
    Finding,
    Malformed,
    Work,
    counted,
    findings_of,
    fraction,
    require,
    wholes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.checker.certain import Answer, Record
    from proofs_checks.checker.reading import Document, Word

T = TypeVar("T")

RULES = {
    **{name: certain.RULES[name] for name in ("digest", "rows", "cover", "complete", "connected")},
    "only": "all classifiers that explain the rows are unions of claimed labels: the others are "
    "removed by rows, or excluded by a proof",
    "trials": "each trial is charged 2^−n with the least n for which this is less than what is "
    "left of δ; the last one has the claimed classifiers",
    "coins": "each coin of the last trial has two words of equal length that lead to its two "
    "labels, and the word of its side was run next",
    "atoms": "n coins of the last trial were about each atom of the claimed table",
    "claim": certain.RULES["claim"],
}

EXPLANATION = """\
Accepted means: a run that was made as assumed writes such a file with a wrong table with
probability δ at most. The rows alone show, for every noise, that the dynamics are the table or a
quotient of it; coins speak against the quotients, if the noise ignores the actions. So this is not
certain. The classifiers listed for a label are all that fit its rows; if there is one and the table
is right, it is exactly that of the state."""

ASSUMPTIONS = {
    "exogenous": "the noise ignores the actions",
    "coins": "the coins were fair and independent of all else; models, words and coins were "
    "recorded before the words were run; no other run was made",
}
"""What is assumed besides the assumptions of `certain`."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A model was fixed in line `number` of the record: a classifier for each label."""

    place: str
    number: int
    classifiers: tuple[int, ...]
    charge: Fraction


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin was tossed, for the last model that was fixed before it."""

    place: str
    at: int
    """The number of the row that was shown then."""
    labels: tuple[int, int]
    words: tuple[Word, Word]
    side: int


Toss: TypeAlias = Trial | Coin


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certificate of the rows, and the coins."""

    base: certain.Certificate
    delta: Fraction
    spent: Fraction
    tosses: tuple[Toss, ...]
    """Trials and coins, in the order in which they were recorded."""


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if it is none."""
    base = certain.certificate_in(document, "spent")
    delta, spent = chances_in(document)
    if not 0 < delta < 1:
        raise Malformed("parameters.delta", "expected a fraction between 0 and 1")
    return Certificate(base, delta, spent, tuple(tosses_in(document, "coin", _coin)))


def chances_in(document: Document) -> tuple[Fraction, Fraction]:
    """Return δ, and the sum of the charges."""
    keys = ("actions", "connected", "delta")
    delta = Fields(document.header["parameters"], "parameters", *keys).fraction("delta")
    return delta, fraction(document.claim["spent"], "claim.spent")


def tosses_in(
    document: Document, kind: str, read: Callable[[dict[str, object], str, int, int], T]
) -> Iterator[Trial | T]:
    """Yield the trials, and the coins, which have this kind.

    `read` takes the object of a coin, its place, the number of its line, and of the rows before it.
    """
    rows = 0
    for number, line in enumerate(document.record):
        place = f"record[{number}]"
        match line.value["kind"]:
            case "trajectory":
                rows += 1
            case "steps":
                rows += len(line.raw) // STEP_BYTES
            case "trial":
                fields = Fields(line.value, place, "charge", "classifiers", "kind")
                fixed, charge = fields.wholes("classifiers"), fields.fraction("charge")
                yield Trial(place, number, fixed, charge)
            case "coin" | "toss" as found:
                if found != kind:
                    raise Malformed(place, f"expected a trial, a {kind}, steps or hints")
                yield read(line.value, place, number, rows)
            case _:
                pass


def _coin(value: dict[str, object], place: str, _number: int, rows: int) -> Coin:
    fields = Fields(value, place, "kind", "labels", "side", "words")
    one, other = wholes(fields["labels"], f"{place}.labels", 2)
    words, side = fields.list_of("words", wholes), fields.whole("side")
    if len(words) != 2 or side > 1:
        raise Malformed(place, "expected two words, and side 0 or 1")
    return Coin(place, rows - 1, (one, other), (words[0], words[1]), side)


def check(certificate: Certificate) -> list[Finding]:
    """Return the rules that a certificate breaks."""
    return findings_of(certificate.base.document, _broken(certificate))


def _broken(c: Certificate) -> Iterator[Finding]:
    record, work = c.base.record, Work.of_file(c.base.document.size)
    is_one = record.connected and len(record.trajectories) == 1
    require(is_one, "rows", "record", "coins need one trajectory, in a connected world")
    found = certain.answer_of(record, work, or_quotients=True)
    yield from certain.compared(c.base, found, (*certain.assumed(record, found), *ASSUMPTIONS))
    _check_coins(c, found, work)


def _check_coins(c: Certificate, found: Answer, work: Work) -> None:
    """Raise `Broken` unless each atom of the table has passed as many coins as it needs."""
    left, needed, coins = c.delta, 0, list[Coin]()
    last: Trial | None = None
    for toss in c.tosses:
        if isinstance(toss, Coin):
            coins.append(toss)
            continue
        last, coins = toss, []
        needed = _coins_needed(left)
        if toss.charge != Fraction(1, 1 << needed):
            raise Broken("trials", toss.place, f"expected a charge of 2^−{needed}")
        left -= toss.charge
    if last is None or last.classifiers != c.base.record.claim:
        place = "record" if last is None else last.place
        raise Broken("trials", place, "the last trial is not one of the claimed classifiers")
    if c.spent != c.delta - left:
        raise Broken("trials", "claim.spent", "not the sum of the charges")
    pairs = _pairs(coins, found, c.base.record)
    for atom in atoms(found.table, work):
        passed = sum(atom[one] == atom[other] for one, other in pairs)
        if passed < needed:
            low = next(label for label, name in enumerate(atom) if name != label)
            joined = f"the atom that joins the labels {atom[low]} and {low}"
            message = f"{counted(passed, 'coin')} for {joined}, but {needed} are needed"
            raise Broken("atoms", last.place, message)


def _coins_needed(left: Fraction) -> int:
    """Return the least n with 2^−n < left, that is, 2^n > 1/left."""
    return (left.denominator // left.numerator).bit_length()


def _pairs(coins: list[Coin], found: Answer, record: Record) -> list[tuple[int, int]]:
    """Return the two labels of each coin; raise `Broken` unless all of them were passed.

    The rows show the labels that the table predicts, so a word that leads to a label shows it.
    """
    (path,) = record.trajectories
    label_of = {f: label for label, f in enumerate(record.claim)}
    claimed = sum(1 << f for f in record.claim)
    free = 0
    for coin in coins:
        at, place, (first, second) = coin.at, coin.place, coin.words
        require(at >= free, "coins", place, "tossed while the word of another coin was run")
        require(len(first) == len(second), "coins", place, "the words have different lengths")
        free = at + len(first)
        is_run = path.actions[at:free] == coin.words[coin.side]
        require(is_run, "coins", place, "the word of this side was not run next")
        here = label_of[(path.rows[at] & claimed).bit_length() - 1]
        for word, label in zip(coin.words, coin.labels, strict=True):
            leads = _led(found, here, word) == label
            require(leads, "coins", place, f"its word does not lead to label {label}")
        require(coin.labels[0] != coin.labels[1], "coins", place, "about one label only")
    return [coin.labels for coin in coins]


def _led(found: Answer, label: int, word: Word) -> int | None:
    """Return the label that a word leads to; None if it has an action that does not exist."""
    for action in word:
        if action >= len(found.table[label]):
            return None
        label = found.table[label][action]
    return label
