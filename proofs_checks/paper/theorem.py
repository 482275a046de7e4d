"""Checks beside `theorem.toml`: ideal runs, and the counterexamples of two errata."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from proofs_checks.small_cases.ideal_runs import on_runs
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory import bounds, counts
from steel_verified.theory.parameters import Extent

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence

_HALF: Final = Fraction(1, 2)


def one_state_many_allowed() -> bool:
    """Check that the steps outgrow the printed expression for one state and N = 2ᵏ.

    With |S| = |A| = |F| = 1, t̂_mix = 1 and δ = ε = 1/2 the expression is ln(2N) + 2 ln 2 ≤ k + 3,
    and (k + 3)² bounds it times its logarithm.
    """

    def steps(most: int) -> int:
        given = parameters(
            most, 1, max_diameter=0, actions=1, class_size=1, delta=_HALF, epsilon=_HALF
        )
        return counts.initial_rollout(given, word_length=1)

    return all(steps(2**k) > 2 ** (k // 2) * (k + 3) ** 2 for k in (10, 20, 40, 80))


def diameter_is_felt() -> bool:
    """Check n_samp. ≥ k for D̂ = 2ᵏ, while the printed expression has no D̂ at all."""
    return all(
        counts.position_samples(
            parameters(2, 1, max_diameter=2**k, actions=1, class_size=2, delta=_HALF)
        )
        >= k
        for k in (10, 100, 1000)
    )


def steps_are_within_theorem(slower: int) -> Evidence:
    """Check that `slower` times the steps of an ideal run are within the theorem's closed form."""
    return on_runs(
        lambda run: (
            slower * run.learned.ledger.steps
            <= bounds.total_bound(run.parameters, Extent(run.truth.states, run.truth.diameter))
        )
    )
