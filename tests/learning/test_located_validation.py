"""The validations in the ledger of a run: when they were fixed, and which passes succeeded."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from steel_verified.evidence.entries import Checked, Fixed, Ran, Seen
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, NotAccepted, accepted
from steel_verified.strategies import Problem, problems
from steel_verified.theory.validation import round_share, validation_samples
from steel_verified.worlds.dynamics import relabelling
from steel_verified.worlds.tabular import tabular_world

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT = 30_000


def rounds_of(entries: Sequence[object]) -> list[tuple[Fixed, list[object]]]:
    """Return each validation with the entries after it, up to the next one."""
    found: list[tuple[Fixed, list[object]]] = []
    for entry in entries:
        if isinstance(entry, Fixed):
            found.append((entry, []))
        elif found:
            found[-1][1].append(entry)
    return found


def check_times(fixed: Fixed, later: list[object], mixing_time: int) -> None:
    """Require that samples of a label are after τ, a mixing time from τ and from each other."""
    assert len(fixed.walk) >= mixing_time
    times: list[list[int]] = [[] for _ in fixed.visits]
    loop = 0
    for before, entry in pairwise(later):
        if isinstance(entry, Checked):
            assert isinstance(before, Seen)
            for label, time in enumerate(before.times):
                times[label].append(loop + time)
        elif isinstance(entry, Ran):
            loop = entry.start - entry.done
    for of_label in times:
        assert all(b - a >= mixing_time for a, b in pairwise([fixed.at, *of_label]))


@given(problem=problems(), seed=st.integers(0, 2**32))
def test_accepted_run_has_the_number_of_passes_of_its_share(problem: Problem, seed: int) -> None:
    p = problem.parameters
    world = tabular_world(problem.world, seed)
    result = checked_run(
        world, problem.oracle, Located(p, first_action=problem.first_action), max_steps=LIMIT
    )
    rounds = rounds_of(result.ledger.entries)
    for number, (fixed, later) in enumerate(rounds, start=1):
        share = round_share(p.delta, number)
        assert fixed.charge == share
        needed = validation_samples(p.epsilon, len(fixed.walk) // p.mixing_time, share)
        assert fixed.passes == needed
        check_times(fixed, later, p.mixing_time)
        checks = [entry for entry in later if isinstance(entry, Checked)]
        assert [check.number for check in checks] == list(range(1, len(checks) + 1))
        failures = [check for check in checks if check.failed]
        if number < len(rounds):
            assert failures == checks[-1:], "a round ends with its first failure, which ends it"
        elif isinstance(result, Accepted):
            assert len(checks) == needed
            assert not failures
            passes = [entry for entry in later if isinstance(entry, Ran)]
            assert len(passes) == needed + 1, "the first pass is not looked at"
    spent = sum(fixed.charge for fixed, _ in rounds)
    assert result.ledger.budget.spent == spent < p.delta


@given(problem=problems(), seed=st.integers(0, 2**32))
def test_accepted_runs_of_small_worlds_are_right(problem: Problem, seed: int) -> None:
    """δ is 10⁻⁹, so a wrong run is not a coincidence; a run may end without being accepted."""
    parameters = replace(problem.parameters, delta=Fraction(1, 10**9))
    world = tabular_world(problem.world, seed)
    result = checked_run(
        world,
        problem.oracle,
        Located(parameters, first_action=problem.first_action),
        max_steps=LIMIT,
    )
    if isinstance(result, NotAccepted):
        return
    learned = accepted(result)
    truth = problem.world.dynamics
    assert relabelling(learned.model, learned.current, truth, world.state) is not None
