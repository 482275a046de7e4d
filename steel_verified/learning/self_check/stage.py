"""The stage after a run: the result is checked with the rows that were kept besides the ledger.

It may take more steps: for the self-check, or to find out why the run was not accepted.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from steel_verified.errors import RecordEnds
from steel_verified.evidence.observed import is_misread, keep, run, run_aside, seen_rows
from steel_verified.evidence.plans import Plan, Word, World
from steel_verified.learning.deciding import Refuted
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.reading import trajectories_of
from steel_verified.learning.results import Accepted, Contradicted, NotAccepted, parameters_of
from steel_verified.learning.self_check.causes import diagnosed
from steel_verified.learning.self_check.fresh import fresh_walk
from steel_verified.learning.self_check.probes import Stretch, rows_before
from steel_verified.learning.self_check.replay import Explained, ToReplay, explained
from steel_verified.learning.self_check.rows import (
    Kept,
    LoopRows,
    Terms,
    WalkTimes,
    by_label,
    cycle_of_walk,
    samples_of_walk,
)
from steel_verified.learning.self_check.won import SelfChecked, check
from steel_verified.theory.conditions import Cause, Condition, listed
from steel_verified.theory.self_check import (
    LEAST_FOR_ONE_STATE,
    LEAST_SAMPLES,
    STEPS_TO_EXPLAIN_LOCATED,
    STEPS_TO_EXPLAIN_LOOPED,
    fresh_steps,
)
from steel_verified.theory.validation import round_share

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Class, Declared
    from steel_verified.learning.certain import Certain
    from steel_verified.learning.results import GivenUp, Result
    from steel_verified.learning.self_check.rows import SelfCheckRows
    from steel_verified.theory.self_check import SelfCheck

Batch = TypeVar("Batch", bound=Sized)
GivesUp = TypeVar("GivesUp", bound="GivenUp")


_TOO_FEW: Final = (
    "a model with one state fits any run, and the self-check had {samples:,} samples, where "
    "{least:,} are needed to accept it; give --self-check-steps, or max_states = 1 if there is "
    "only one"
)

UNREADABLE: Final = (
    "the whole run{fresh} was replayed in the model, and for some state F has no classifier that "
    "separates the rows of this state from all others"
)
_FRESH: Final = ", with the fresh steps after it,"
_WHY_UNREADABLE: Final = (
    Condition.REALISABLE,
    Condition.DETERMINISTIC,
    Condition.UNCHANGING,
    Condition.MAX_STATES,
    Condition.CONNECTED,
)
"""CONNECTED: the first action may have left a part of the world for ever."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """What is kept of the steps after a run."""

    loops: tuple[LoopRows, ...] = ()
    replay: ToReplay = field(default_factory=ToReplay)
    steps: int = 0

    def __add__(self, other: Fresh) -> Fresh:
        loops, replay = self.loops + other.loops, self.replay + other.replay
        return Fresh(loops, replay, self.steps + other.steps)


NO_FRESH: Final = Fresh()


def self_checked(
    result: Result,
    kept: SelfCheckRows[Batch],
    world: World[Batch],
    wanted: SelfCheck | None,
    max_steps: int | None = None,
) -> Result:
    """Return the result after the self-check, with the rows that were kept of the run.

    An accepted model is checked, which may take fresh steps. If the result is not accepted, its
    causes are named. If no self-check is wanted, nothing is checked.
    """
    oracle = kept.oracle
    if isinstance(result, Accepted) and wanted is not None:
        fresh = fresh_rows(result, world, oracle, wanted, max_steps)
        encoder = result.classifiers or ()
        if _walks(wanted) == 2 and is_misread(oracle, encoder, fresh.replay.known):
            again = replace(wanted, seed=wanted.seed + 1)
            fresh += fresh_rows(result, world, oracle, again, max_steps)
        read = explained(oracle, result.model, kept.replay + fresh.replay)
        result = judged(result, kept.loops, wanted, oracle.declared, read, fresh)
    return (
        result if isinstance(result, Accepted) else given_up(result, kept, world, wanted, max_steps)
    )


def given_up(
    result: GivesUp,
    kept: SelfCheckRows[Batch],
    world: World[Batch],
    wanted: SelfCheck | None,
    max_steps: int | None,
) -> GivesUp:
    """Return a result that was not accepted with its causes, and the rows that were kept.

    This may take more steps, as far as `max_steps` allows, unless no self-check is wanted. None are
    taken, and no causes are named, if models explain all rows: then nothing speaks for a violation.
    """
    is_explained = isinstance(result, NotAccepted) and bool(result.models) and not result.causes
    if wanted is not None and not is_explained:
        oracle = kept.oracle
        try:
            after = steps_to_explain(result, world, oracle, wanted, max_steps)
        except (RecordEnds, KeyboardInterrupt):  # Then only the rows of the run itself are used.
            after = None
        result = diagnosed(result, kept.loops, after, oracle.declared)
    return with_rows(result, kept)


def with_rows(result: GivesUp, kept: SelfCheckRows[Batch]) -> GivesUp:
    """Return a result that was not accepted with the rows that were kept of the run."""
    if result.kept is not None:
        return result
    return replace(result, kept=Kept(kept.oracle.declared, kept.loops))


def judged(
    result: Accepted,
    watched: Sequence[LoopRows],
    wanted: SelfCheck,
    declared: Declared,
    read: Explained | None,
    fresh: Fresh = NO_FRESH,
) -> Result:
    """Return the result if the self-check finds no fault, otherwise one with the likely causes.

    `declared` describes the rows of the class. `fresh` are rows of steps after the run. `read`
    says how F can read the whole run and these steps as states of the model; None if it cannot.

    In a located run each round of validation has a share of the level, because any round may be the
    last. A run that ended without a validation has the share of its last round, or of the first.
    """
    p = parameters_of(result)
    watched, tested = _tested(result, (*watched, *fresh.loops), wanted, declared)
    checked = check(watched, tested, mixing_time=p.mixing_time, max_states=p.max_states)
    if read is not None and not checked.won:
        few = p.max_states > 1 and checked.samples < LEAST_FOR_ONE_STATE
        if result.model.states == 1 and few:
            because = _TOO_FEW.format(samples=checked.samples, least=LEAST_FOR_ONE_STATE)
            return NotAccepted(result.method, result.model, result.ledger, because)
        checked = replace(checked, left=read.left)
        return replace(result, self_check=checked, fresh_steps=fresh.steps)
    why: tuple[Cause, ...] = ()
    if checked.won:
        because = checked.won[0].sentence
    else:
        why = listed(_WHY_UNREADABLE)
        because = UNREADABLE.format(fresh=_FRESH if fresh.steps else "")
    # If the bets show nothing, a file of findings has no test to repeat.
    kept = Kept(declared, tuple(watched), tested if checked.won else None)
    return Contradicted(result.method, result.model, result.ledger, why, because, checked, kept)


def _walks(wanted: SelfCheck) -> int:
    """Return after how many fresh walks a run may be judged.

    By default a second one is taken if the encoder misreads a row of the first. Which of the two
    ends depends on what is seen, so each is judged at half of the level: claim S.T11 for both.
    """
    return 2 if wanted.steps is None else 1


def was_checked(checked: SelfChecked) -> bool:
    """Return whether there were enough samples to detect anything."""
    return bool(checked.bets) and checked.samples >= LEAST_SAMPLES


def _tested(
    result: Accepted, watched: Sequence[LoopRows], wanted: SelfCheck, declared: Declared
) -> tuple[Sequence[LoopRows], Terms]:
    """Return the rows for the check of a result, and when their times were fixed.

    Rows before a validation are a first loop, on which there are no bets. They determine the values
    with which numbers are compared, so these are fixed before the validation.
    """
    level, fixed_at = wanted.level, 0
    if isinstance(result.method, Located) and watched:
        level = round_share(level, max(1, result.ledger.decisions))
        fixed_at = min(each.start for each in watched)
        if declared.entries != "bits":
            rows = rows_before(result.ledger, declared, fixed_at)
            watched = (LoopRows((0,), (0,), start=0, times=(), rows=rows), *watched)
    return watched, Terms(fixed_at, level, _walks(wanted))


def fresh_rows(
    result: Accepted,
    world: World[Batch],
    oracle: Class[Batch],
    wanted: SelfCheck,
    max_steps: int | None,
) -> Fresh:
    """Take steps after a run that return to the state where it ended, and keep their rows.

    They are not part of the run and are not in its ledger. No promise about the learned model rests
    on them: they can only refuse it. Refusing it by a bet has its share of α (claim S.T11); the
    replay of these steps in the model is certain, as that of the run (claim S.T12).
    """
    walk = _fresh_walk(result, world, wanted, max_steps)
    if not walk:
        return NO_FRESH
    cycle = cycle_of_walk(result.model, result.current, walk)
    mixing_time, row_bytes = parameters_of(result).mixing_time, oracle.declared.row_bytes
    times = WalkTimes(cycle, mixing_time, len(walk), mixing_time, row_bytes)
    plan = Plan(walk, len(walk))
    try:
        loop = run_aside(result.ledger, world, replace(plan, keeps=times.of(plan)))
    except RecordEnds:
        if wanted.steps is not None:
            raise
        return NO_FRESH  # A recorded world ends where its run does.
    known = by_label(loop, oracle, cycle, times.replayed)
    return Fresh(samples_of_walk(loop, oracle, times), ToReplay(known), len(walk))


def _fresh_walk(
    result: Accepted, world: World[Batch], wanted: SelfCheck, max_steps: int | None
) -> Word:
    if wanted.steps == 0:
        return ()
    left = None if max_steps is None else max_steps - world.steps
    steps = fresh_steps(wanted.steps, result.ledger.steps, left)
    return fresh_walk(result.model, result.current, steps, wanted.seed)


def certainly_checked(
    result: Accepted,
    method: Certain,
    world: World[Batch],
    oracle: Class[Batch],
    wanted: SelfCheck,
    max_steps: int | None,
) -> Accepted | Contradicted:
    """Return an accepted certain run after fresh steps: it is contradicted if they refute it.

    Then its ledger has them too. Otherwise they are not a part of the run.
    """
    walk = _fresh_walk(result, world, wanted, max_steps)
    if not walk:
        return result
    try:
        loop = run(result.ledger, world, Plan.once(walk))
    except RecordEnds:
        if wanted.steps is not None:
            raise
        return result
    _, ledger = seen_rows(loop, oracle)
    (path,) = trajectories_of(ledger.entries)
    decision = method.decided_with(result, path)
    if not isinstance(decision, Refuted):
        return replace(result, fresh_steps=len(walk))
    return method.contradicted(result.model, ledger, decision)


def steps_to_explain(
    result: GivenUp,
    world: World[Batch],
    functions: Class[Batch],
    wanted: SelfCheck,
    max_steps: int | None,
) -> Stretch | None:
    """Take random steps after a run that was not accepted, and keep the row of each.

    They are not part of the run and are not in its ledger. No promise rests on them: nothing was
    accepted, and they change only the causes that are named. They count for `max_steps`. Returns
    None if no steps are left or wanted.
    """
    steps = wanted.steps_to_explain
    if steps is None:
        is_looped = isinstance(result.method, Looped)
        steps = STEPS_TO_EXPLAIN_LOOPED if is_looped else STEPS_TO_EXPLAIN_LOCATED
    if max_steps is not None:
        steps = min(steps, max_steps - world.steps)
    if steps < 1:
        return None
    draw = np.random.default_rng(wanted.seed)
    word = tuple(draw.integers(world.actions, size=steps).tolist())
    plan = Plan.once(word)
    loop = run_aside(result.ledger, world, plan)
    (kept,) = keep(loop, functions, plan.keeps)
    return Stretch(tuple(range(loop.start + 1, loop.start + steps + 1)), word, kept)
