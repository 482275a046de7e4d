"""The ledger: the record of a run, entry by entry. Certificates are made from it alone.

The functions that run plans, read rows and ask the oracle write the entries while they do so. No
other code can make an entry. The only observed values in the ledger of a looped run are the
trained classifiers: unless a verdict was wrong, all else is the same for every noise. The ledger
of a located run contains every row that was read.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.theory.budget import Budget
from steel_verified.theory.schedules import FixedByParameters, FixedByVerdicts

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.evidence.oracle import Classifier
    from steel_verified.evidence.plans import Word
    from steel_verified.theory.budget import Charge
    from steel_verified.theory.parameters import LocatedParameters, Parameters
    from steel_verified.theory.progressions import Progression
    from steel_verified.theory.schedules import WhyFixed

KEY: Final = object()
"""Only modules of this room import the key; a contract test checks it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """A value that only this room can make: the constructor requires the key."""

    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TypeError(
                f"{type(self).__name__} is made when a plan is run, rows are read or the oracle "
                "is asked; it cannot be made otherwise"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(_Written):
    """A looped run began, with these parameters."""

    parameters: Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedLocated(_Written):
    """A located run began, with these parameters."""

    parameters: LocatedParameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran(_Written):
    """A plan was run: `steps` steps of the loop of `word`, after `done` steps of it.

    `start` counts the steps of the whole trajectory before the plan.
    """

    start: int
    word: Word
    done: int
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled(_Written):
    """Rows that were read as one dataset: their number, and times from the start of the loop."""

    times: tuple[Progression, ...]
    rows: int
    seen: bytes = b""
    """The rows as the class packs them, in a located run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read(_Written):
    """Datasets were read from the loop that began at step `loop`; they are numbered from `first`.

    Their times depend only on the parameters and on the first `after` decisions.
    """

    loop: int
    after: int
    first: int
    samples: tuple[Sampled, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodVerdict(_Written):
    """Whether the oracle separated the datasets D_0 and D_1, which are given by their numbers."""

    hypothesis: int
    zeros: int
    ones: int
    separated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodFound(_Written):
    """The period of a loop was decided: the first hypothesis with separated datasets, or 1."""

    number: int
    tests: tuple[PeriodVerdict, ...]
    period: int
    charge: Charge


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled(_Written):
    """The state of a dataset was decided.

    `verdicts` has a bit for each state with which it was compared, in the order of their labels: 1
    if the oracle separated the two datasets.
    """

    sample: int
    verdicts: str
    label: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsFound(_Written):
    """The states at the positions of a loop were decided; `known` are datasets of known states."""

    number: int
    known: tuple[int, ...]
    positions: tuple[Labelled, ...]
    charge: Charge

    @property
    def labels(self) -> tuple[int, ...]:
        """The state at each position."""
        return tuple(position.label for position in self.positions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained(_Written):
    """For each state, a classifier was trained on its datasets against all others."""

    number: int
    datasets: tuple[tuple[int, ...], ...]
    charge: Charge
    classifiers: tuple[Classifier, ...] = field(compare=False)
    """They depend on the noise, so they are not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SameState(_Written):
    """Two labels were proved to be one state, for every noise: a sure decision without a charge."""

    one: int
    other: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodsLeft(_Written):
    """The periods of a loop that `count` rows, numbered from `first`, did not refute; their lcm."""

    first: int
    count: int
    left: tuple[int, ...]
    period: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed(_Written):
    """A validation was fixed at step `at`: the walk, the time of each check, and the passes."""

    number: int
    at: int
    walk: Word
    visits: tuple[int, ...]
    """For each label, the step of a pass after which it is first visited."""
    passes: int
    charge: Charge
    classifiers: tuple[Classifier, ...]
    """The encoder that is validated: a classifier for each label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(_Written):
    """A pass of a validation was checked; `failed` are the labels that the encoder got wrong."""

    number: int
    failed: tuple[int, ...]


Decision = PeriodFound | LabelsFound | Trained | Fixed
Entry = Opened | OpenedLocated | Ran | Read | Decision | SameState | PeriodsLeft | Checked


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ledger(_Written):
    """The entries in order, and the budget from which the decisions are charged. It is immutable.

    Appending takes constant time: the ledgers of a run share one list, and each ledger sees the
    beginning that belongs to it. Only the newest ledger can be continued, because what was run,
    read and asked cannot be undone.
    """

    budget: Budget
    steps: int = 0
    """Steps taken."""
    runs: int = 0
    """Plans run."""
    samples: int = 0
    """Datasets read."""
    decisions: int = 0
    """Decisions made."""
    last_run: Ran | None = None
    """The plan that was run last."""
    keeps_rows: bool = False
    """Whether rows that are read are stored in the ledger, as in located STEEL."""
    length: int = 0
    shared: list[Entry] = field(default_factory=list, repr=False)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries in order."""
        return tuple(self.shared[: self.length])

    @property
    def opening(self) -> Entry:
        """The first entry: the method and its parameters."""
        return self.shared[0]

    def is_of_same_run(self, other: Ledger) -> bool:
        """Return whether both ledgers belong to the same run."""
        return self.shared is other.shared

    def because(self) -> WhyFixed:
        """Return the reason for times that are fixed by the parameters and all decisions so far."""
        return FixedByVerdicts(self.decisions) if self.decisions else FixedByParameters()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ledger):
            return NotImplemented
        return self.budget == other.budget and self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.steps, self.decisions, self.length))


def opened(parameters: Parameters) -> Ledger:
    """Return the ledger of a new looped run."""
    return _opened(parameters.delta, Opened(parameters=parameters, key=KEY))


def opened_located(parameters: LocatedParameters) -> Ledger:
    """Return the ledger of a new located run."""
    return _opened(parameters.delta, OpenedLocated(parameters=parameters, key=KEY))


def continued(ledger: Ledger, parameters: Parameters) -> Ledger:
    """Return the ledger of a run that continues as a looped one, with a δ of its own."""
    allowed = ledger.budget.allowed + parameters.delta
    wider = replace(ledger, budget=Budget(allowed, ledger.budget.spent), key=KEY)
    return appended(wider, Opened(parameters=parameters, key=KEY))


def _opened(delta: Fraction, entry: Entry) -> Ledger:
    return appended(Ledger(budget=Budget(delta), key=KEY), entry)


def appended(ledger: Ledger, entry: Entry) -> Ledger:
    """Return the ledger with one more entry.

    Raises `Overspent` if δ does not cover its charge, and `InvalidArgument` if this is not the
    newest ledger of its run.
    """
    if len(ledger.shared) != ledger.length:
        after = f"{ledger.length} of {len(ledger.shared)} entries"
        raise InvalidArgument("ledger", after, "the newest ledger: what was done cannot be undone")
    longer = _after(ledger, entry)
    ledger.shared.append(entry)
    return longer


def newest(ledger: Ledger) -> Ledger:
    """Return the newest ledger of the same run, with all entries written since."""
    return reduce(_after, ledger.shared[ledger.length :], ledger)


def _after(ledger: Ledger, entry: Entry) -> Ledger:
    """Return the ledger that sees one more entry; raise `Overspent` if δ does not cover it."""
    charge = entry.charge if isinstance(entry, Decision) else None
    budget = ledger.budget if charge is None else ledger.budget.charge(charge)
    return Ledger(
        budget=budget,
        steps=ledger.steps + (entry.steps if isinstance(entry, Ran) else 0),
        runs=ledger.runs + isinstance(entry, Ran),
        samples=ledger.samples + (len(entry.samples) if isinstance(entry, Read) else 0),
        decisions=ledger.decisions + (charge is not None),
        last_run=entry if isinstance(entry, Ran) else ledger.last_run,
        keeps_rows=_keeps_rows(ledger, entry),
        length=ledger.length + 1,
        shared=ledger.shared,
        key=KEY,
    )


def _keeps_rows(ledger: Ledger, entry: Entry) -> bool:
    if isinstance(entry, Opened | OpenedLocated):
        return isinstance(entry, OpenedLocated)
    return ledger.keeps_rows
