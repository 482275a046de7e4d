"""The ledger: the record of a run, entry by entry. Certificates are made from it alone.

The one door (`observed.py`) writes the entries; coins and logs are recorded here. The ledger of a
looped run has no observed values: unless a verdict was wrong, it is the same for every noise. That
of a located run contains every row that was read.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from functools import partial, reduce
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import (
    Coin,
    Fixed,
    LabelsFound,
    PeriodFound,
    Ran,
    Read,
    Seen,
    Steps,
    Toss,
    Trained,
    Trajectory,
    Trial,
)
from steel_verified.theory.budget import Budget, Charge
from steel_verified.theory.parameters import LocatedParameters, Parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from steel_verified.evidence.entries import Entry, Terminated
    from steel_verified.evidence.oracle import Classifier

KEY: Final = object()
"""Only `evidence/observed.py` imports the key; a contract test checks it."""


@dataclass(frozen=True, slots=True)
class OpenedCertain:
    """A certain run began, with a finite class of so many classifiers, or a log was read."""

    classifiers: int
    actions: int
    rows_of_log: int | None = None
    """How many rows a log has, which someone else recorded. Its world need not be connected."""
    delta: Fraction = Fraction(0)
    """The chance of a wrong model, if coins may be tossed or steps may slip; otherwise 0."""
    slips: Fraction = Fraction(0)
    """The chance with which each step may slip."""
    name: str = "finite"
    """The class; if it is not finite, `classifiers` is the number of entries of its rows."""


Decision = PeriodFound | LabelsFound | Trained | Fixed | Trial
Opening = Parameters | LocatedParameters | OpenedCertain
"""The first entry: a looped run began with `Parameters`, a located one with `LocatedParameters`."""


Written: TypeAlias = "tuple[Opening | Entry, Written | None]"
"""The last entry, and what was written before it."""


class _Run:
    """The identity of a run. It knows the newest ledger: what was done cannot be undone."""

    __slots__ = ("newest",)
    newest: Ledger


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ledger:
    """The entries in order, and the budget from which the decisions are charged. It is a value.

    The entries are the last one and those before it, so appending takes constant time. Only the
    newest ledger of a run can be continued.
    """

    key: InitVar[object]
    opening: Opening
    """The first entry."""
    written: Written = field(repr=False)
    run: _Run = field(repr=False)
    length: int = 1
    """The number of entries."""
    budget: Budget
    steps: int = 0
    """Steps taken; rows of a log."""
    runs: int = 0
    """Plans run."""
    samples: int = 0
    """Datasets read."""
    decisions: int = 0
    """Decisions made."""
    last_run: Ran | None = None
    """The plan that was run last."""
    keeps_rows: bool
    """Whether rows that are read are stored in the ledger, as in located STEEL."""
    encoder: tuple[Classifier, ...] | None = field(default=None, repr=False)
    """The classifiers that were chosen last. They depend on the noise, so `==` ignores them."""

    def __post_init__(self, key: object) -> None:
        require_key(key, "ledger")

    @property
    def entries(self) -> tuple[Opening | Entry, ...]:
        """All entries in order."""
        return tuple(self._backwards())[::-1]

    def _backwards(self) -> Iterator[Opening | Entry]:
        before: Written | None = self.written
        while before is not None:
            entry, before = before
            yield entry

    @property
    def entry(self) -> Opening | Entry:
        """The last entry."""
        return self.written[0]

    @property
    def method(self) -> Literal["looped", "located", "certain", "slipping"]:
        """The name of the method with which the run began."""
        if isinstance(self.opening, OpenedCertain):
            return "slipping" if self.opening.slips else "certain"
        return "looped" if isinstance(self.opening, Parameters) else "located"

    def is_of_same_run(self, other: Ledger) -> bool:
        return self.run is other.run

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ledger):
            return NotImplemented
        return self.budget == other.budget and self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.steps, self.decisions, self.runs))


def rows_of_log(ledger: Ledger) -> int | None:
    """Return how many rows the log has of which this is the ledger; None for a run."""
    opening = ledger.opening
    return opening.rows_of_log if isinstance(opening, OpenedCertain) else None


def opened(opening: Opening) -> Ledger:
    """Return the ledger of a new run; if steps may slip, all of δ is spent at once on bounds."""
    run = _Run()
    slips = isinstance(opening, OpenedCertain) and opening.slips
    run.newest = Ledger(
        key=KEY,
        opening=opening,
        written=(opening, None),
        run=run,
        budget=Budget(opening.delta, opening.delta if slips else Fraction(0)),
        keeps_rows=not isinstance(opening, Parameters),
        steps=(opening.rows_of_log or 0) if isinstance(opening, OpenedCertain) else 0,
    )
    return run.newest


def continued(ledger: Ledger, parameters: Parameters) -> Ledger:
    """Return the ledger of a run that continues as a looped one, with a δ of its own."""
    budget = Budget(ledger.budget.allowed + parameters.delta, ledger.budget.spent)
    return _longer(ledger, parameters, budget, keeps_rows=False)


def appended(
    ledger: Ledger,
    entry: Entry,
    key: object,
    charge: Charge | None = None,
    encoder: tuple[Classifier, ...] | None = None,
) -> Ledger:
    """Return the ledger with one more entry; a decision needs its charge.

    Raises `Overspent` if δ does not cover the charge, `InvalidArgument` if this is not the newest
    ledger of its run, and `TypeError` without the key.
    """
    require_key(key, "ledger entry")
    owed = entry.charge if isinstance(entry, Decision) else None
    if owed != (None if charge is None else charge.amount):
        raise InvalidArgument("charge", charge, "that of the decision, and none without a decision")
    budget = ledger.budget if charge is None else ledger.budget.charge(charge)
    return _longer(ledger, entry, budget, encoder or ledger.encoder, keeps_rows=ledger.keeps_rows)


def recorded(
    classifiers: int, actions: int, rows: int, entries: Iterable[Trajectory | Steps | Terminated]
) -> Ledger:
    """Return the ledger of a log of so many rows; the entries are those parts of it that decide.

    Someone else recorded them, and no one can say when: so a log can decide only what holds for
    every noise, and nothing can be charged to its ledger.
    """
    ledger = opened(OpenedCertain(classifiers, actions, rows))
    return reduce(partial(appended, key=KEY), entries, ledger)


def tossed(ledger: Ledger, entry: Trial | Coin | Toss) -> Ledger:
    """Record that a model is fixed for coins, or a coin: the next plan has to follow its side.

    A model is charged its 2^−n; raises `Overspent` if δ does not cover it.
    """
    if not isinstance(ledger.opening, OpenedCertain):
        raise InvalidArgument("ledger", type(ledger.opening).__name__, "that of a certain run")
    if isinstance(entry, Coin) and len(entry.words[0]) != len(entry.words[1]):
        raise InvalidArgument("words", entry.words, "two words of equal length")
    if not isinstance(entry, Trial):
        return appended(ledger, entry, KEY)
    coins = entry.charge.denominator.bit_length() - 1
    return appended(ledger, entry, KEY, Charge(entry.charge, "trials with coins", 1, coins))


def _longer(
    ledger: Ledger,
    entry: Opening | Entry,
    budget: Budget,
    encoder: tuple[Classifier, ...] | None = None,
    *,
    keeps_rows: bool,
) -> Ledger:
    run = ledger.run
    if run.newest is not ledger:
        after = f"{ledger.length} of {run.newest.length} entries"
        raise InvalidArgument("ledger", after, "the newest ledger: what was done cannot be undone")
    ran = entry if isinstance(entry, Ran) else None
    run.newest = Ledger(
        key=KEY,
        opening=ledger.opening,
        written=(entry, ledger.written),
        run=run,
        length=ledger.length + 1,
        budget=budget,
        steps=ledger.steps + (ran.steps if ran else 0),
        runs=ledger.runs + (ran is not None),
        samples=ledger.samples + _datasets(entry),
        decisions=ledger.decisions + isinstance(entry, Decision),
        last_run=ran or ledger.last_run,
        keeps_rows=keeps_rows,
        encoder=encoder,
    )
    return run.newest


def newest(ledger: Ledger) -> Ledger:
    return ledger.run.newest


def _datasets(entry: Opening | Entry) -> int:
    match entry:
        case Read():
            return len(entry.samples)
        case Seen():
            return len(entry.times)
        case Steps():
            return len(entry.rows)
        case Trajectory():
            return 1
        case _:
            return 0


def require_key(key: object, what: str) -> None:
    """Raise `TypeError` unless this is the key, which only the door and this module have."""
    if key is not KEY:
        raise TypeError(
            f"a {what} is made when a plan is run, rows are read, the oracle is asked or a "
            "validation is fixed; it cannot be made otherwise"
        )
