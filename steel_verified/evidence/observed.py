"""The one door: this is the only module that opens observed values (`sealed`).

What leaves it is one of these:

- a verdict of the oracle, written to the ledger together with a charge to δ (`find_period`,
  `find_labels`, `train`, `fix` with `check_pass`);
- a *sure* decision, which is correct for every noise and costs nothing (`first_same`,
  `possible_period`, `exclude_joins`);
- a classifier that was trained, but not charged for (`one_against_all`): a validation follows;
- all rows of a certain run, which concludes only what holds for every noise, or what coins show
  about a model that was fixed before them (`seen_rows`);
- rows for a check after the run (`packed_rows`, `are_told_apart`). The learner never has them.

The functions that act, read and ask also write the ledger. The times that are requested are the
times that are recorded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

from steel_verified.errors import BrokenWorld, InvalidArgument
from steel_verified.evidence import entries
from steel_verified.evidence.ledger import KEY, Ledger, OpenedCertain, appended
from steel_verified.evidence.oracle import (
    Unions,
    each_against_others,
    first_not_apart,
    first_true,
    judged,
    records_answers,
    separable,
)
from steel_verified.evidence.sealed import (
    KeptRows,
    Loop,
    Observed,
    Pool,
    Pools,
    Sample,
    SealedError,
    Validation,
)
from steel_verified.theory.budget import Charge
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.theory.progressions import Progression
from steel_verified.theory.validation import round_share, validation_samples
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Class, Classifier, Declared, Summary
    from steel_verified.evidence.plans import Plan, Trajectory, Word, World

T = TypeVar("T")
Batch = TypeVar("Batch", bound=Sized)


def reveal(observed: Observed[T]) -> T:
    """Return the value inside; raise `SealedError` unless the caller is in this module."""
    caller = sys._getframe(1).f_globals.get("__name__")  # noqa: SLF001 (there is no public way)
    if caller != __name__:
        raise SealedError(f"{caller} may not open observed values")
    value: T = object.__getattribute__(observed, "_Observed__value")
    return value


def reveal_each(observed: Iterable[Observed[T]]) -> list[T]:
    """Return the values inside, as `reveal` does; the caller is looked up once for all of them."""
    caller = sys._getframe(1).f_globals.get("__name__")  # noqa: SLF001 (there is no public way)
    if caller != __name__:
        raise SealedError(f"{caller} may not open observed values")
    return [object.__getattribute__(each, "_Observed__value") for each in observed]


# -------------------------------------------------------------------------- running and reading


def run(ledger: Ledger, world: World[Batch], plan: Plan) -> Loop[Batch]:
    """Run a plan in the world, and record it.

    Raises `BrokenWorld` if the number of steps that the world reports is not that of the plan, and
    `InvalidArgument` if `plan.done` is not the number of steps already taken in this loop.
    """
    last, name = ledger.last_run, type(world).__name__
    if plan.done:
        done = 0 if last is None or last.word != plan.word else last.done + last.steps
        if plan.done != done:
            raise InvalidArgument(
                "plan.done", plan.done, f"{done}, the number of steps already taken in this loop"
            )
    if world.steps != ledger.steps:
        raise BrokenWorld(
            f"{name} reports {counted(world.steps, 'step')}, but {ledger.steps:,} were taken in "
            "this run: give each run a new world, and let nothing else act in it"
        )
    trajectory = _acted(world, plan)
    entry = entries.Ran(start=ledger.steps, word=plan.word, done=plan.done, steps=plan.steps)
    start = ledger.steps - plan.done
    return Loop(plan, appended(ledger, entry, KEY), start, name, Observed(trajectory), key=KEY)


def run_aside(ledger: Ledger, world: World[Batch], plan: Plan) -> Loop[Batch]:
    """Run a plan after a run has ended; it is not recorded in the ledger of the run.

    Raises `BrokenWorld` if the number of steps that the world reports is not that of the plan.
    """
    start = world.steps
    return Loop(plan, ledger, start, type(world).__name__, Observed(_acted(world, plan)), key=KEY)


def read(
    ledger: Ledger,
    loop: Loop[Batch],
    functions: Class[Batch],
    datasets: tuple[tuple[Progression, ...], ...],
) -> tuple[tuple[Sample, ...], Ledger]:
    """Read datasets at times counted from the start of the loop, and record what was read.

    Raises `BrokenWorld` if the world returns another number of rows, or rows that the class cannot
    read. Raises `InvalidArgument` for times outside the loop, or if the loop is not the last one.
    """
    if not ledger.is_of_same_run(loop.ledger) or ledger.runs != loop.ledger.runs:
        raise InvalidArgument("loop", loop.plan.word, "the loop of the plan that was run last")
    samples, packed, batches = [], list[bytes](), _batches(loop, datasets)
    for number, (pieces, batch) in enumerate(zip(datasets, batches, strict=True), ledger.samples):
        summary = _by_class(loop, functions.summarise, batch)
        if ledger.keeps_rows:  # At once: a checkpoint stores a summary and its rows together.
            packed.append(_by_class(loop, functions.pack, batch))
        times = tuple([piece.shifted(loop.start) for piece in pieces])
        samples.append(Sample(number, times, ledger, functions, Observed(summary), key=KEY))
    if not ledger.keeps_rows:
        sampled = tuple(
            entries.Sampled(sample.rows, tuple(piece.numbers for piece in pieces))
            for sample, pieces in zip(samples, datasets, strict=True)
        )
        entry = entries.Read(loop.start, ledger.decisions, ledger.samples, sampled)
        return tuple(samples), appended(ledger, entry, KEY)
    at = tuple([time for pieces in datasets for piece in pieces for time in piece])
    rows = entries.rows_in(b"".join(packed), functions.declared.row_bytes)
    return tuple(samples), appended(ledger, entries.Seen(ledger.samples, at, rows), KEY)


def seen_rows(loop: Loop[Batch], functions: Class[Batch]) -> tuple[tuple[int, ...], Ledger]:
    """Return each row of a plan as a number, and record it: its bytes, the lowest first.

    For a finite class it is the set of the classifiers that are 1 on the row.

    Only a certain run may see its rows. It concludes only what is true for every noise, or what
    coins show; these may be about anything that was chosen from the rows before them. Raises
    `InvalidArgument` for other runs or classes.
    """
    ledger, opening, declared = loop.ledger, loop.ledger.opening, functions.declared
    if not isinstance(opening, OpenedCertain):
        raise InvalidArgument("loop", type(opening).__name__, "a loop of a certain run")
    if (declared.name, declared.width) != (opening.name, opening.classifiers):
        expected = f"a class named {opening.name} with rows of {opening.classifiers} entries"
        raise InvalidArgument("functions", declared.name, expected)
    if loop.plan.done:
        raise InvalidArgument("plan.done", loop.plan.done, "0 in a certain run")
    (batch,) = _batches(loop, ((Progression.every(1, loop.plan.steps),),))
    rows = entries.rows_in(_by_class(loop, functions.pack, batch), declared.row_bytes)
    word = loop.plan.word * (loop.plan.steps // len(loop.plan.word) + 1)
    first = ledger.samples == 0
    if first:
        ledger = appended(ledger, entries.Trajectory(rows[0]), KEY)
    if len(rows) > first:
        ledger = appended(ledger, entries.Steps(word[first : loop.plan.steps], rows[first:]), KEY)
    return tuple(int.from_bytes(row, "little") for row in rows), ledger


def _acted(world: World[Batch], plan: Plan) -> Trajectory[Batch]:
    before = world.steps
    trajectory = world.run(plan)
    if world.steps != before + plan.steps:
        name, took = type(world).__name__, counted(world.steps - before, "step")
        raise BrokenWorld(f"{name} reports {took} for a plan of {plan.steps:,}")
    return trajectory


def _batches(loop: Loop[Batch], datasets: Sequence[tuple[Progression, ...]]) -> tuple[Batch, ...]:
    """Return the rows at these times of the loop, after checking the times and the numbers."""
    last = loop.plan.done + loop.plan.steps
    for piece in (piece for pieces in datasets for piece in pieces):
        if not 1 <= piece.first <= piece.last <= last:
            raise InvalidArgument("datasets", piece, f"times from 1 to {last}")
    batches = reveal(loop.trajectory).rows(*datasets)
    if len(batches) != len(datasets):
        found = f"{counted(len(batches), 'dataset')}, not {len(datasets)}"
        raise BrokenWorld(f"{loop.world} gave {found}")
    for pieces, batch in zip(datasets, batches, strict=True):
        asked = sum(map(len, pieces))
        if len(batch) != asked:
            found = f"{counted(len(batch), 'row')} for {counted(asked, 'time')}"
            raise BrokenWorld(f"{loop.world} gave {found}")
    return batches


def _by_class(loop: Loop[Batch], function: Callable[[Batch], T], batch: Batch) -> T:
    """Return what a function of the class reads of these rows."""
    try:
        return function(batch)
    except InvalidArgument as error:
        raise BrokenWorld(f"{loop.world} gave rows that F cannot read: {error}") from error


# ------------------------------------------------------------- verdicts that are charged to δ


def find_period(
    ledger: Ledger,
    oracle: Class[Batch],
    tests: Sequence[tuple[int, Sample, Sample]],
    charge: Callable[[int], Charge],
) -> tuple[int, Ledger]:
    """Return the first hypothesis n'_cyc whose D_0 and D_1 are separated, or 1 (l. 377–392).

    Each test is (n'_cyc, D_0, D_1). `charge(n)` returns the charge for the n tests that were asked.
    """
    verdicts: list[entries.PeriodVerdict] = []
    for hypothesis, zeros, ones in tests:
        found = judged(oracle, _read_for(ledger, oracle, zeros), _read_for(ledger, oracle, ones))
        verdicts.append(
            entries.PeriodVerdict(hypothesis, zeros.number, ones.number, 0 if found is None else 1)
        )
        if found is not None:
            break
    period = verdicts[-1].hypothesis if verdicts and verdicts[-1].separated else 1
    paid = charge(len(verdicts))
    entry = entries.PeriodFound(ledger.decisions, tuple(verdicts), period, paid.amount)
    return period, appended(ledger, entry, KEY, paid)


def find_labels(
    ledger: Ledger,
    oracle: Class[Batch],
    known: Sequence[Sample],
    positions: Sequence[Sample],
    charge: Callable[[int], Charge],
) -> tuple[tuple[int, ...], Ledger]:
    """Return the state at each position of a cycle (l. 411–435).

    It is the first known state whose dataset cannot be separated from the dataset of the position.
    If there is none, the position shows a new state: it gets the next label and is known from then
    on.
    """
    datasets = [_read_for(ledger, oracle, sample) for sample in known]
    found: list[entries.Labelled] = []
    for position in positions:
        here, verdicts = _read_for(ledger, oracle, position), ""
        for held in datasets:
            separated = judged(oracle, held, here) is not None
            verdicts += "1" if separated else "0"
            if not separated:
                break
        else:
            datasets.append(here)
        label = len(verdicts) - 1 if verdicts.endswith("0") else len(verdicts)
        found.append(entries.Labelled(position.number, verdicts, label))
    paid = charge(sum(len(position.verdicts) for position in found))
    compared = tuple(sample.number for sample in known)
    entry = entries.LabelsFound(ledger.decisions, compared, tuple(found), paid.amount)
    return entry.labels, appended(ledger, entry, KEY, paid)


def train(
    ledger: Ledger,
    oracle: Class[Batch],
    datasets: Sequence[Sequence[Sample]],
    charge: Charge,
) -> tuple[tuple[Classifier, ...], Ledger]:
    """Return a classifier for each state against all others, and charge for poor generalisation.

    Raises `AssumptionViolated` if there is none for some state (l. 355–358).
    """
    summaries = [
        reduce(oracle.merge, (_read_for(ledger, oracle, sample) for sample in samples))
        for samples in datasets
    ]
    classifiers: list[Classifier] = []
    trained = each_against_others(oracle, summaries)
    for label, found in enumerate(trained):
        if found is None:
            others = len(summaries) - 1
            raise AssumptionViolated(
                f"no classifier separates state {label} from {counted(others, 'other')}"
                if others
                else "all rows were taken for one state, and no classifier is 1 on all of them",
                Condition.REALISABLE,
                Condition.DETERMINISTIC,
                Condition.UNCHANGING,
                Condition.MAX_STATES,
                Condition.MIXING,
            )
        classifiers.append(found)
    numbers = tuple(tuple(sample.number for sample in samples) for samples in datasets)
    entry = entries.Trained(ledger.decisions, numbers, charge.amount)
    return tuple(classifiers), appended(ledger, entry, KEY, charge, tuple(classifiers))


def _read_for(ledger: Ledger, oracle: Class[Batch], sample: Sample) -> Summary:
    """Return the summary of a dataset that was read in this run for this oracle."""
    if not ledger.is_of_same_run(sample.ledger):
        raise InvalidArgument("sample", sample.number, "a dataset that was read in this run")
    if sample.functions is not oracle:
        name = type(oracle).__name__
        raise InvalidArgument("oracle", name, "the one for which the dataset was read")
    return reveal(sample.summary)


# ------------------------------------------ sure decisions: correct for every noise, no charge
# A set of observations is *pure* if all of them show one state. Two sets are *apart* if F has
# separating classifiers in both directions. For two different states F has them, so pure sets
# that are not apart show the same state. If two sets are apart, nothing follows.


def pooled(oracle: Class[Batch], parts: Iterable[Pool | Sample]) -> Pool:
    """Return the union of datasets of one state.

    Raises `InvalidArgument` if there are no datasets, or if they come from different runs.
    """
    held = tuple(parts)
    if not held:
        raise InvalidArgument("parts", "none", "at least one dataset")
    ledger = held[0].ledger
    rows = 0
    for part in held:
        if part.ledger.run is not ledger.run:
            raise InvalidArgument("parts", f"{len(held)} datasets", "datasets of one run")
        rows += part.rows
    first, *others = reveal_each([part.summary for part in held])
    summary = reduce(oracle.merge, others, first)
    says_nothing_new = summary is first or summary == first
    return Pool(rows, ledger, held[0].summary if says_nothing_new else Observed(summary), key=KEY)


def pools_of(held: Mapping[int, Pool]) -> Pools:
    """Return the datasets of labels that were not compared yet."""
    return Pools(held, frozenset(held), key=KEY)


def with_datasets(
    oracle: Class[Batch], pools: Pools, label: int, parts: Iterable[Pool | Sample]
) -> Pools:
    """Add datasets to that of a label, which may be a new one."""
    old = pools.held.get(label)
    new = pooled(oracle, parts if old is None else (old, *parts))
    is_new = old is None or new.summary is not old.summary
    stale = pools.stale | {label} if is_new else pools.stale
    return Pools({**pools.held, label: new}, stale, key=KEY)


def united(oracle: Class[Batch], pools: Pools, roots: Mapping[int, int]) -> Pools:
    """Unite the datasets of labels that have the same root."""
    parts: dict[int, list[Pool]] = {}
    for label, pool in pools.held.items():
        parts.setdefault(roots[label], []).append(pool)
    several = {root for root, held in parts.items() if len(held) > 1}
    held = {
        root: pooled(oracle, each) if root in several else each[0] for root, each in parts.items()
    }
    return Pools(held, frozenset(roots[label] for label in pools.stale) | several, key=KEY)


def first_same(
    ledger: Ledger, oracle: Class[Batch], label: int, pools: Pools
) -> tuple[entries.SameState | None, Pools, Ledger]:
    """Return the first other label that provably shows the same state as `label`, or None.

    These are rules 1 and 4. If there is none, the label is not stale any more. A question that was
    answered is not asked again, unless the answers are evidence. Raises `InvalidArgument` for
    datasets of another run.
    """
    held = pools.held
    every = label in pools.stale or records_answers(oracle)
    if not (every or pools.stale):
        return None, pools, ledger
    others = [other for other in (held if every else sorted(pools.stale)) if other != label]
    here, *there = _each_in_run(ledger, [held[label], *(held[other] for other in others)])
    place = first_not_apart(oracle, here, there)
    if place is None:
        stale = pools.stale - {label}
        return None, Pools(held, stale, key=KEY) if every else pools, ledger
    same = entries.SameState(label, others[place])
    return same, pools, appended(ledger, same, KEY)


def possible_period(
    ledger: Ledger, oracle: Class[Batch], rows: Sequence[Sample], max_states: int
) -> tuple[entries.PeriodsLeft, Ledger]:
    """Return the periods of a loop that are not refuted; their lcm is a multiple of the period.

    This is rule 5. `rows[k]` was seen after k + 1 words. If the period is m, then from word N − m
    on the m residue classes show m different states, so each class can be separated from all others
    together. A period for which this fails is refuted.
    """
    unions = Unions(oracle, _each_in_run(ledger, rows))
    left = [1, *(m for m in range(2, max_states + 1) if _is_possible(unions, max_states - m, m))]
    entry = entries.PeriodsLeft(len(rows), tuple(left))
    return entry, appended(ledger, entry, KEY)


def exclude_joins(
    ledger: Ledger,
    oracle: Class[Batch],
    pools: Sequence[Pool],
    partitions: Iterable[tuple[tuple[int, ...], ...]] | None,
) -> tuple[bool, Ledger]:
    """Return whether F has, for each of these partitions of the labels, no classifier for a block.

    If the labels of some block were all labels of one state, it would have one. None stands for too
    many partitions: then nothing is excluded.
    """
    seen = _each_in_run(ledger, pools)
    fits: dict[tuple[int, ...], bool] = {}

    def has_classifier(block: tuple[int, ...]) -> bool:
        if block not in fits:
            zeros = reduce(oracle.merge, (s for n, s in enumerate(seen) if n not in block))
            ones = reduce(oracle.merge, (seen[label] for label in block))
            fits[block] = separable(oracle, zeros, ones)
        return fits[block]

    excluded: list[tuple[int, ...]] = []
    complete = partitions is not None
    for partition in partitions or ():
        unfit = next((block for block in partition if not has_classifier(block)), None)
        if unfit is None:
            complete = False
            break
        excluded.append(unfit)
    return complete, appended(ledger, entries.Joins(tuple(excluded), complete), KEY)


def _each_in_run(ledger: Ledger, held: Sequence[Pool | Sample]) -> list[Summary]:
    for each in held:
        if each.ledger.run is not ledger.run:
            expected = "a dataset that was read in this run"
            raise InvalidArgument("dataset", "of another run", expected)
    return reveal_each([each.summary for each in held])


def _is_possible(unions: Unions[Batch], start: int, period: int) -> bool:
    """Return whether every residue class can be separated from all others; true if one is empty."""
    return unions.size - start < period or all(
        unions.is_separable(start, first, period) for first in range(start, start + period)
    )


# -------------------------------------------------------------------------------- validation
# At step τ the walk, all times, the classifiers and the number of passes are fixed, and δ is
# charged. Only rows that are read after τ are used for the checks, and not those of the first pass.


def one_against_all(oracle: Class[Batch], pools: Sequence[Pool]) -> tuple[Classifier | None, ...]:
    """Return, for each label, a classifier that is 1 on it and 0 on all others, or None.

    If F has none for some label, two labels of the same state are left (rule 4).
    """
    return tuple(each_against_others(oracle, reveal_each([pool.summary for pool in pools])))


def fix(
    ledger: Ledger,
    *,
    walk: Word,
    visits: tuple[int, ...],
    classifiers: tuple[Classifier, ...],
    with_encoder: bool = True,
) -> tuple[Validation, Ledger]:
    """Fix the next round of validation now. The parameters determine the number of passes.

    Without the encoder ε is 1/2 (T3): only that no two labels are one state is validated. The
    encoder gives a row one name, so it errs on one of two such labels with chance 1/2 or more.

    `visits` has, for each label, the step of a pass after which it is checked. Samples of one label
    are one pass apart. So a walk shorter than t̂_mix raises `InvalidArgument`, and so do visits that
    are not one step of the walk for each classifier.
    """
    p = ledger.opening
    if not isinstance(p, LocatedParameters):
        raise InvalidArgument("ledger", type(p).__name__, "that of a run of located STEEL")
    if len(walk) < p.mixing_time:
        raise InvalidArgument(
            "walk", counted(len(walk), "step"), f"at least {counted(p.mixing_time, 'step')}"
        )
    if len(visits) != len(classifiers) or not all(1 <= at <= len(walk) for at in visits):
        raise InvalidArgument("visits", visits, "a step of the walk for each classifier")
    share = round_share(p.delta, ledger.decisions + 1)
    epsilon = p.epsilon if with_encoder else Fraction(1, 2)
    passes = validation_samples(epsilon, len(walk) // p.mixing_time, share)
    entry = entries.Fixed(ledger.steps, walk, visits, passes, share, classifiers)
    validation = Validation(ledger.steps, ledger, walk, visits, passes, classifiers, key=KEY)
    charge = Charge(share, "validation", tests=1, samples=passes)
    return validation, appended(ledger, entry, KEY, charge, classifiers)


def check_pass(
    ledger: Ledger, loop: Loop[Batch], oracle: Class[Batch], validation: Validation
) -> tuple[tuple[int, ...], tuple[Sample, ...], Ledger]:
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
    seen = reveal_each([each.summary for each in samples])
    named = first_true(oracle, validation.classifiers, seen)
    failed = tuple(label for label, name in enumerate(named) if (name or 0) != label)
    entry = entries.Checked(plan.done // length, failed)
    return failed, samples, appended(ledger, entry, KEY)


# ------------------------------------------- rows for the self-check, opened when a run has ended


def glimpses(
    loop: Loop[Batch], oracle: Class[Batch], datasets: Sequence[tuple[Progression, ...]]
) -> tuple[Pool, ...]:
    """Read rows at times that the plan allows, counted from the start of the loop.

    Raises `BrokenWorld` if the class cannot read the rows.
    """
    seen = (
        (len(batch), _by_class(loop, oracle.summarise, batch)) for batch in _batches(loop, datasets)
    )
    return tuple(Pool(rows, loop.ledger, Observed(summary), key=KEY) for rows, summary in seen)


def are_told_apart(
    oracle: Class[Batch], states: Sequence[Iterable[Pool]], outside: Iterable[Pool] = ()
) -> bool:
    """Return whether F has a classifier for each state: 1 on its rows, 0 on all other rows.

    It has them if every row is assigned to its true state: claims S.T12, S.T13.
    """
    seen = [
        reduce(oracle.merge, (reveal(part.summary) for part in parts), oracle.nothing())
        for parts in (*states, outside)
    ]
    found = each_against_others(oracle, seen, aside=True)
    return all(classifier is not None for classifier, _ in zip(found, states, strict=False))


def is_misread(
    oracle: Class[Batch], classifiers: Sequence[Classifier], known: Iterable[tuple[int, Pool]]
) -> bool:
    """Return whether a classifier errs on some row whose label is known: of its label, or not."""
    none = oracle.nothing()
    return not all(
        oracle.separates(classifier, none, rows)
        if number == label
        else oracle.separates(classifier, rows, none)
        for label, rows in ((label, reveal(pool.summary)) for label, pool in known)
        for number, classifier in enumerate(classifiers)
    )


def keep(
    loop: Loop[Batch], functions: Class[Batch], *datasets: tuple[Progression, ...]
) -> tuple[KeptRows, ...]:
    """Read rows at times that the plan allows, counted from the start of the loop.

    Raises `InvalidArgument` for times outside the loop, and `BrokenWorld` if the world returns
    another number of rows.
    """
    return tuple(
        KeptRows(functions.declared, len(batch), Observed(functions.pack(batch)), key=KEY)
        for batch in _batches(loop, datasets)
    )


def kept_of(declared: Declared, packed: Sequence[bytes]) -> KeptRows:
    """Return packed rows of a run that has ended, from its ledger or from a file.

    Raises `ValueError` for bytes that are not whole rows.
    """
    joined = b"".join(packed)
    rows, rest = divmod(len(joined), declared.row_bytes)
    if rest:
        raise ValueError(f"{len(joined):,} bytes are not rows of {declared.row_bytes:,} bytes")
    return KeptRows(declared, rows, Observed(joined), key=KEY)


def packed_rows(kept: KeptRows) -> bytes:
    """Return the bytes of kept rows of a run that has ended, to write them to a file."""
    return reveal(kept.packed)
