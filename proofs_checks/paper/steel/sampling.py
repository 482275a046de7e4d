"""Checks beside `sampling.toml`: phase 2 in all ideal runs on small worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.small_cases.ideal_runs import IdealRun, all_ideal_runs, on_runs
from steel_verified.learning.looped import calls, datasets, tour
from steel_verified.theory.bounds import sampling_bound
from steel_verified.theory.counts import encoder_samples, position_samples
from steel_verified.theory.parameters import Extent

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence
    from steel_verified.evidence.entries import Ran


def silent_passes(stated: int) -> Evidence:
    """Check that all D(s) reach d samples in d − 2·n_samp. passes, and this many are silent."""

    def holds(run: IdealRun) -> bool:
        parameters, plan = run.parameters, _phase_two(run)
        wanted = encoder_samples(parameters, run.truth.states)
        kept = datasets(run.learned.ledger)
        enough = all(sum(len(piece) for piece in pieces) == wanted for pieces in kept)
        passes = wanted - 2 * position_samples(parameters) + stated
        return enough and plan.steps == passes * len(plan.word)

    return on_runs(holds)


def steps_within(part: int) -> Evidence:
    """Check that phase 2 takes at most (d − 1 + |S|)·max(D + t̂_mix, |S|D)/part steps."""

    def holds(run: IdealRun) -> bool:
        extent = Extent(run.truth.states, run.truth.diameter)
        return _phase_two(run).steps <= sampling_bound(run.parameters, extent) // part

    return on_runs(holds)


def some_word_is_short() -> bool:
    """Some â of phase 1 is shorter than t̂_mix."""
    return any(
        len(call.word) < run.parameters.mixing_time
        for run in all_ideal_runs()
        for call in calls(run.learned.ledger)
    )


def _phase_two(run: IdealRun) -> Ran:
    found = tour(run.learned.ledger.entries)
    assert found is not None, "phase 2 is needed in every world"
    return found
