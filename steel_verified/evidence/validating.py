"""The validation of a model and an encoder that are fixed before the validating rows are read.

At step τ the walk, all times, the classifiers and the number of passes are fixed, and δ is charged.
Only rows that are read after τ are used for the checks. The first pass of the walk is not used.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.asking import each_against_others
from steel_verified.evidence.ledger import KEY, Checked, Fixed, OpenedLocated, appended
from steel_verified.evidence.omega import reveal
from steel_verified.evidence.recording import read
from steel_verified.theory.budget import Charge
from steel_verified.theory.progressions import Progression
from steel_verified.theory.validation import round_share, validation_samples
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import ClassifierClass, Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.evidence.recording import Loop, Sample
    from steel_verified.evidence.sure import Pool

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Validation(Generic[Classifier]):
    """What was fixed at step `at`. Only the function `fix` makes one."""

    at: int
    ledger: Ledger
    """The ledger of its run, before it was fixed."""
    walk: Word
    visits: tuple[int, ...]
    passes: int
    classifiers: tuple[Classifier, ...]
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TypeError("a validation is fixed before its samples are taken")


def one_against_all(
    oracle: Oracle[Batch, Summary, Classifier], pools: Sequence[Pool[Summary]]
) -> tuple[Classifier | None, ...]:
    """Return, for each label, a classifier that is 1 on it and 0 on all others, or None.

    If F has none for some label, two labels of the same state are left (rule 4).
    """
    found = each_against_others(oracle, [reveal(pool.summary) for pool in pools])
    return tuple(found)


def fix(
    ledger: Ledger,
    *,
    walk: Word,
    visits: tuple[int, ...],
    classifiers: tuple[Classifier, ...],
) -> tuple[Validation[Classifier], Ledger]:
    """Fix the next round of validation now. The recipe determines the number of passes.

    `visits` has, for each label, the step of a pass after which it is checked. Samples of one label
    are one pass apart. So a walk shorter than t̂_mix raises `InvalidArgument`, and so do visits that
    are not one step of the walk for each classifier.
    """
    opening = ledger.shared[0]
    if not isinstance(opening, OpenedLocated):
        raise InvalidArgument("ledger", type(opening).__name__, "that of a run of located STEEL")
    p = opening.recipe.parameters
    if len(walk) < p.mixing_time:
        raise InvalidArgument(
            "walk", counted(len(walk), "step"), f"at least {counted(p.mixing_time, 'step')}"
        )
    if len(visits) != len(classifiers) or not all(1 <= at <= len(walk) for at in visits):
        raise InvalidArgument("visits", visits, "a step of the walk for each classifier")
    share = round_share(p.delta, ledger.decisions + 1)
    passes = validation_samples(p.epsilon, len(walk) // p.mixing_time, share)
    entry = Fixed(
        number=ledger.decisions,
        at=ledger.steps,
        walk=walk,
        visits=visits,
        passes=passes,
        charge=Charge(share, "validation", tests=1, samples=passes),
        classifiers=classifiers,
        key=KEY,
    )
    validation = Validation(ledger.steps, ledger, walk, visits, passes, classifiers, KEY)
    return validation, appended(ledger, entry)


def check_pass(
    ledger: Ledger,
    loop: Loop[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    validation: Validation[Classifier],
) -> tuple[tuple[int, ...], tuple[Sample[Summary], ...], Ledger]:
    """Check the pass that was run last; return the labels that failed, and a sample of each label.

    A label fails if the encoder returns another label at its visit. Raises `InvalidArgument` for a
    loop that began before the validation was fixed, for another walk, for the first pass, and for a
    validation of another run.
    """
    if not ledger.is_of_same_run(validation.ledger):
        raise InvalidArgument(
            "validation", validation.at, "a validation that was fixed in this run"
        )
    plan, length = loop.plan, len(validation.walk)
    if loop.start < validation.at or plan.word != validation.walk:
        raise InvalidArgument("loop", plan.word, "the walk that was fixed, run after that")
    if plan.steps != length or plan.done < length or plan.done % length:
        raise InvalidArgument("plan.done", plan.done, "one whole pass after the first")
    times = tuple((Progression(plan.done + visit),) for visit in validation.visits)
    samples, ledger = read(ledger, loop, oracle, times)
    failed = tuple(
        label
        for label, sample in enumerate(samples)
        if _named(oracle, validation.classifiers, reveal(sample.summary)) != label
    )
    entry = Checked(number=plan.done // length, failed=failed, key=KEY)
    return failed, samples, appended(ledger, entry)


def named_on_all(
    functions: ClassifierClass[Batch, Summary, Classifier],
    classifiers: Sequence[Classifier],
    pool: Pool[Summary],
) -> int | None:
    """Return the first label whose classifier is 1 on all rows of a dataset, or None."""
    nothing, rows = functions.nothing(), reveal(pool.summary)
    found = (
        label
        for label, classifier in enumerate(classifiers)
        if functions.separates(classifier, nothing, rows)
    )
    return next(found, None)


def named_on(
    functions: ClassifierClass[Batch, Summary, Classifier],
    classifiers: Sequence[Classifier],
    sample: Sample[Summary],
) -> int:
    """Return the encoder's label of a sample of one row (label 0 if no classifier is 1)."""
    return _named(functions, classifiers, reveal(sample.summary))


def _named(
    functions: ClassifierClass[Batch, Summary, Classifier],
    classifiers: Sequence[Classifier],
    row: Summary,
) -> int:
    """Return φ'(x): the first label whose classifier is 1 on the observation, or else 0."""
    nothing = functions.nothing()
    for label, classifier in enumerate(classifiers):
        if functions.separates(classifier, nothing, row):
            return label
    return 0
