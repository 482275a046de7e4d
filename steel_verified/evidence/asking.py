"""The questions to the oracle: each one is asked, charged to δ and recorded in one step.

Only the modules in `omega.MAY_OPEN` open observed values. Every classifier that the oracle returns
is checked before it is used.
"""

from __future__ import annotations

from functools import partial, reduce
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import BrokenOracle, InvalidArgument
from steel_verified.evidence.ledger import (
    KEY,
    Labelled,
    LabelsFound,
    PeriodFound,
    PeriodVerdict,
    Trained,
    appended,
)
from steel_verified.evidence.omega import reveal
from steel_verified.evidence.oracle import separating_aside
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import ClassifierClass, Oracle
    from steel_verified.evidence.recording import Sample
    from steel_verified.theory.budget import Charge

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def find_period(
    ledger: Ledger,
    oracle: Oracle[Batch, Summary, Classifier],
    tests: Sequence[tuple[int, Sample[Summary], Sample[Summary]]],
    charge: Callable[[int], Charge],
) -> tuple[int, Ledger]:
    """Return the first hypothesis n'_cyc whose D_0 and D_1 are separated, or 1 (l. 377–392).

    Each test is (n'_cyc, D_0, D_1). `charge(n)` returns the charge for the n tests that were asked.
    """
    verdicts: list[PeriodVerdict] = []
    for hypothesis, zeros, ones in tests:
        found = judged(oracle, _summary(ledger, oracle, zeros), _summary(ledger, oracle, ones))
        verdicts.append(
            PeriodVerdict(
                hypothesis=hypothesis,
                zeros=zeros.number,
                ones=ones.number,
                separated=found is not None,
                key=KEY,
            )
        )
        if found is not None:
            break
    period = verdicts[-1].hypothesis if verdicts and verdicts[-1].separated else 1
    entry = PeriodFound(
        number=ledger.decisions,
        tests=tuple(verdicts),
        period=period,
        charge=charge(len(verdicts)),
        key=KEY,
    )
    return period, appended(ledger, entry)


def find_labels(
    ledger: Ledger,
    oracle: Oracle[Batch, Summary, Classifier],
    known: Sequence[Sample[Summary]],
    positions: Sequence[Sample[Summary]],
    charge: Callable[[int], Charge],
) -> tuple[tuple[int, ...], Ledger]:
    """Return the state at each position of a cycle (l. 411–435).

    It is the first known state whose dataset cannot be separated from the dataset of the position.
    If there is none, the position shows a new state: it gets the next label and is known from then
    on.
    """
    datasets = [_summary(ledger, oracle, sample) for sample in known]
    found: list[Labelled] = []
    for position in positions:
        here, verdicts = _summary(ledger, oracle, position), ""
        for held in datasets:
            separated = judged(oracle, held, here) is not None
            verdicts += "1" if separated else "0"
            if not separated:
                break
        else:
            datasets.append(here)
        label = len(verdicts) - 1 if verdicts.endswith("0") else len(verdicts)
        found.append(Labelled(sample=position.number, verdicts=verdicts, label=label, key=KEY))
    entry = LabelsFound(
        number=ledger.decisions,
        known=tuple(sample.number for sample in known),
        positions=tuple(found),
        charge=charge(sum(len(position.verdicts) for position in found)),
        key=KEY,
    )
    return entry.labels, appended(ledger, entry)


def train(
    ledger: Ledger,
    oracle: Oracle[Batch, Summary, Classifier],
    datasets: Sequence[Sequence[Sample[Summary]]],
    charge: Charge,
) -> tuple[tuple[Classifier, ...], Ledger]:
    """Return a classifier for each state against all others, and charge for poor generalisation.

    Raises `AssumptionViolated` if there is none for some state (l. 355–358).
    """
    summaries = [
        reduce(oracle.merge, (_summary(ledger, oracle, sample) for sample in samples))
        for samples in datasets
    ]
    classifiers: list[Classifier] = []
    trained = each_against_others(oracle, summaries)
    for label, found in enumerate(trained):
        if found is None:
            raise AssumptionViolated(
                f"no classifier separates state {label} from "
                f"{counted(len(summaries) - 1, 'other')}",
                Condition.REALISABLE,
                Condition.DETERMINISTIC,
                Condition.UNCHANGING,
                Condition.MAX_STATES,
                Condition.MIXING,
            )
        classifiers.append(found)
    entry = Trained(
        number=ledger.decisions,
        datasets=tuple(tuple(sample.number for sample in samples) for samples in datasets),
        charge=charge,
        classifiers=tuple(classifiers),
        key=KEY,
    )
    return tuple(classifiers), appended(ledger, entry)


def _summary(
    ledger: Ledger, oracle: Oracle[Batch, Summary, Classifier], sample: Sample[Summary]
) -> Summary:
    """Return the summary of a dataset.

    Raises `InvalidArgument` for a dataset of another run, or one that was read for another oracle.
    """
    if not ledger.is_of_same_run(sample.ledger):
        raise InvalidArgument("sample", sample.number, "a dataset that was read in this run")
    if sample.functions is not oracle:
        name = type(oracle).__name__
        raise InvalidArgument("oracle", name, "the one for which the dataset was read")
    return reveal(sample.summary)


def each_against_others(
    oracle: Oracle[Batch, Summary, Classifier], summaries: Sequence[Summary], *, aside: bool = False
) -> Iterator[Classifier | None]:
    """Yield, for each dataset, a classifier that is 1 on it and 0 on all others, or None.

    Questions that are asked `aside`, after a run, do not belong to its evidence.
    """
    for others, ones in with_others(oracle, summaries):
        yield judged(oracle, others, ones, aside=aside)


def with_others(
    functions: ClassifierClass[Batch, Summary, Classifier], summaries: Sequence[Summary]
) -> Iterator[tuple[Summary, Summary]]:
    """Yield, for each dataset, the union of all others, and the dataset itself."""
    nothing = functions.nothing()
    before = list(accumulate(summaries, functions.merge, initial=nothing))
    after = list(accumulate(reversed(summaries), functions.merge, initial=nothing))[::-1]
    for i, ones in enumerate(summaries):
        yield functions.merge(before[i], after[i + 1]), ones


def judged(
    oracle: Oracle[Batch, Summary, Classifier],
    zeros: Summary,
    ones: Summary,
    *,
    aside: bool = False,
) -> Classifier | None:
    """Return the oracle's separating classifier after checking it, or None if it returns None.

    Raises `BrokenOracle` if the classifier is not in the class, or does not separate.
    """
    ask = partial(separating_aside, oracle) if aside else oracle.separating
    found = ask(zeros, ones)
    if found is None:
        return None
    if not oracle.contains(found):
        raise BrokenOracle(f"the oracle returned {found}, which is not a classifier of its class")
    if not oracle.separates(found, zeros, ones):
        raise BrokenOracle(f"the oracle returned {found}, which does not separate the datasets")
    return found
