"""Checks beside `tables.toml`: printed and logged numbers of steps against predicted runs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import equal
from steel_verified.experiments.published import PRIME_LOOPS, SIMULATED
from steel_verified.experiments.registry import preset
from steel_verified.experiments.seeded_runs import released_steps
from steel_verified.theory.bounds import total_bound
from steel_verified.worlds.catalogue import instance, setting
from steel_verified.worlds.runs import predict

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence

_SMALLEST: Final = SIMULATED["combination-lock-20"]


@cache
def _predicted(states: int, seed: int) -> tuple[int, int]:
    """The steps of the printed algorithm, and with what the released code does differently."""
    drawn = instance("combination-lock", seed, states=states)
    ideal = predict(drawn)
    return ideal.ledger.steps, released_steps(ideal, drawn.parameters)


def logged_counts_met(count: int, printed: tuple[int, int], changed: int = 1) -> Evidence:
    """Check how many logged counts for K = 20 are predicted, and the printed ones (K = 20, 40).

    `changed` is 0 for the printed algorithm and 1 for the one with the two changes.
    """
    logged = [(0, _SMALLEST.logged_fixed), *enumerate(_SMALLEST.logged, 20)]
    met = sum(_predicted(20, seed)[changed] == steps for seed, steps in logged)
    fixed = tuple(_predicted(states, 0)[changed] for states in (20, 40))
    return equal((met, fixed), (count, printed))


def printed_count_differs() -> bool:
    """Check that the printed algorithm does not take the printed steps for K = 20, seed 0."""
    return _predicted(20, 0)[0] != _SMALLEST.fixed_steps.value


def steps_are_within_bound(factor: int) -> Evidence:
    """Check that all printed counts of STEEL are at most the theorem's bound over `factor`."""
    simulated = [(preset(name), column.fixed_steps) for name, column in SIMULATED.items()]
    looped = [(setting("double-prime", p=p, q=q), c.steel) for (p, q), c in PRIME_LOOPS.items()]
    within = [
        factor * steps.value <= total_bound(world.parameters, world.extent)
        for world, steps in (*simulated, *looped)
    ]
    return equal(within, [True] * len(within))
