"""Checks beside `tables.toml`: printed numbers, predicted runs and recorded runs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from statistics import median_high
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from proofs_checks.kernels.finite import equal, exact, sampled
from steel_verified.baselines.ac_state.protocol import Protocol, curves
from steel_verified.experiments.presets import preset
from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS, SIMULATED
from steel_verified.experiments.registry import TABLE2
from steel_verified.experiments.released import released_steps
from steel_verified.reports.ac_state_tables import completed
from steel_verified.reports.reproducibility import recorded
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.recipe import paper
from steel_verified.worlds.catalogue import instance, setting
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.runs import predict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.baselines.ac_state.policies import Policy
    from steel_verified.baselines.ac_state.protocol import Outcome
    from steel_verified.experiments.published import Pair, Simulated

Column = TypeVar("Column")
_TRIED: Final = ((3, 5), (5, 7), (11, 13))
"""The columns of prime loops that are small enough to be tried."""


def _in_all(columns: Iterable[Column], holds: Callable[[Column], bool]) -> Evidence:
    """Show a statement that is about the printed columns and no others."""
    found = [holds(column) for column in columns]
    return equal(found, [True] * len(found))


@cache
def _predicted(name: str, seed: int) -> tuple[int, int]:
    """The steps of the printed algorithm, and with what the released code does differently."""
    (column,) = (column for column in TABLE2 if column.name == name)
    drawn = instance(column.fixed.world, seed, **column.fixed.sizes)
    ideal = predict(drawn)
    return ideal.ledger.steps, released_steps(ideal, paper(drawn.parameters))


def logged_counts_met(count: int, printed: tuple[int, int], changed: int = 1) -> Evidence:
    """Check how many logged counts of locks are predicted, and the printed ones (K = 20, 40).

    `changed` is 0 for the printed algorithm and 1 for the one with the two changes.
    """
    met = sum(
        _predicted(name, seed)[changed] == steps
        for name, column in SIMULATED.items()
        if name != "multi-maze"
        for seed, steps in [(0, column.logged_fixed), *enumerate(column.logged, 20)]
    )
    fixed = tuple(_predicted(f"combination-lock-{states}", 0)[changed] for states in (20, 40))
    return equal((met, fixed), (count, printed))


def printed_count_differs() -> bool:
    """Check that the printed algorithm does not take the printed steps for K = 20, seed 0."""
    return (
        _predicted("combination-lock-20", 0)[0]
        != SIMULATED["combination-lock-20"].fixed_steps.value
    )


def steps_do_not_vary(environment: Literal["fixed", "variable"]) -> Evidence:
    """Check that all recorded runs of a column take the same number of steps."""
    rows = recorded("table2")
    return _in_all(
        (column.fixed if environment == "fixed" else column.variable for column in TABLE2),
        lambda runs: len({rows[key]["steps"] for key in runs.keys}) == 1,
    )


def means_agree(spreads: Fraction) -> Evidence:
    """Check that the means of the second run are within `spreads` of the printed ±."""

    def holds(column: Simulated) -> bool:
        mean = Fraction(sum(column.logged), len(column.logged))
        return abs(mean - column.mean_steps.value) <= spreads * column.spread_of_steps.value

    return exact(SIMULATED.values(), holds, "20 counts in each column")


def recorded_successes(number: int) -> Evidence:
    """Check how many recorded runs in each cell learn both the dynamics and the encoder."""
    rows = recorded("table2")
    found = [
        sum(bool(rows[key]["dynamics_right"] and rows[key]["encoder_right"]) for key in runs.keys)
        for column in TABLE2
        for runs in (column.fixed, column.variable)
    ]
    return equal(found, [number] * 8)


def parameters_are_printed(delta: Fraction) -> Evidence:
    """Check N, D̂, t̂_mix, |F| (L components; nine mazes of 11 × 11 cells), ε and δ."""
    found = [
        (p.max_states, p.max_diameter, p.mixing_time, p.class_size, p.epsilon, p.delta)
        for p in (preset(name).parameters for name in SIMULATED)
    ]
    chances = (Fraction(1, 20), delta)
    locks = [(states + 10, states + 10, 40, 512, *chances) for states in (20, 30, 40)]
    return equal(found, [*locks, (80, 80, 300, 9 * 121, *chances)])


def steps_are_within_bound(factor: int) -> Evidence:
    """Check that all printed counts of STEEL are at most the theorem's bound over `factor`."""
    simulated = [(preset(name), column.fixed_steps) for name, column in SIMULATED.items()]
    looped = [(setting("double-prime", p=p, q=q), c.steel) for (p, q), c in PRIME_LOOPS.items()]
    return _in_all(
        [*simulated, *looped],
        lambda case: (
            factor * case[1].value <= total_bound(paper(case[0].parameters), case[0].extent)
        ),
    )


@cache
def _steps_from_all_starts(pair: Pair) -> tuple[int, ...]:
    """On DoublePrime, from every state of a copy and with either first action, in order.

    Exchanging the copies changes nothing but names, so the other copy's starts give the same.
    """
    p, q = pair
    drawn = instance("double-prime", 0, p=p, q=q)
    runs = (
        ideal_run(drawn.dynamics, start, paper(drawn.parameters), first_action=action)
        for start in range(q)
        for action in (0, 1)
    )
    return tuple(sorted(run.ledger.steps for run in runs))


def maxima_agree(percent: int) -> Evidence:
    """Check that the printed maxima are within `percent` of the most steps from all starts."""

    def holds(pair: Pair) -> bool:
        most = _steps_from_all_starts(pair)[-1]
        return abs(PRIME_LOOPS[pair].steel.value - most) * 100 <= percent * most

    return exact(_TRIED, holds, "every start and first action")


def medians_are_possible(times: int) -> Evidence:
    """Check that `times` the printed median is between the fewest and the most steps."""

    def holds(pair: Pair) -> bool:
        steps = _steps_from_all_starts(pair)
        return steps[0] <= times * PRIME_LOOPS[pair].steel_median.value <= steps[-1]

    return exact(_TRIED, holds, "every start and first action")


def ratios_agree(power: int) -> Evidence:
    """Check the printed ratios against (AC-State / STEEL)^power, of maxima and of medians."""
    return _in_all(
        PRIME_LOOPS.values(),
        lambda printed: (
            printed.ratio.agrees_with((printed.ac_state.value / printed.steel.value) ** power)
            and printed.ratio_of_medians.agrees_with(
                (printed.ac_state_median.value / printed.steel_median.value) ** power
            )
        ),
    )


def ac_state_is_better_for(states: tuple[int, ...]) -> Evidence:
    """Check for which |S| = 2q the printed maximum of AC-State is below that of STEEL."""
    found = (
        2 * q
        for (_, q), column in PRIME_LOOPS.items()
        if column.ac_state.value < column.steel.value
    )
    return equal(tuple(found), states)


def _printed(pair: Pair, policy: Policy) -> tuple[Fraction, Fraction]:
    """The most steps of AC-State, and the median."""
    if policy == "uniform":
        return PRIME_LOOPS[pair].ac_state.value, PRIME_LOOPS[pair].ac_state_median.value
    return EXPLORATION[pair].exploring.value, EXPLORATION[pair].exploring_median.value


def second_table_repeats(policy: Policy) -> Evidence:
    """Check that the uniform rows of the second table are the rows printed for a policy."""
    return _in_all(
        EXPLORATION.items(),
        lambda item: (
            (item[1].uniform.value, item[1].uniform_median.value) == _printed(item[0], policy)
        ),
    )


def steps_are_on_grids(later: int) -> Evidence:
    """Check that maximum (plus `later`) and median are among g, 2g, …, 20g for a power of ten g.

    A search in steps of g ends soon after 10g, where the validation had succeeded.
    """

    def holds(case: tuple[Fraction, Fraction]) -> bool:
        most, middle = case[0] + later, case[1]
        grids = (10**m for m in range(1, 10))
        return middle <= most and any(
            not most % g and not middle % g and most <= 20 * g for g in grids
        )

    uniform = [_printed(pair, "uniform") for pair in PRIME_LOOPS]
    return _in_all([*uniform, *(_printed(pair, "exploration") for pair in EXPLORATION)], holds)


@cache
def _runs(pair: Pair, policy: Policy) -> Sequence[Outcome]:
    return completed(recorded("ac_state"), pair, policy)


def printed_steps_occur(
    pairs: tuple[Pair, ...], policy: Policy = "uniform", times: int = 1
) -> Evidence:
    """Check that `times` the printed steps are between the fewest and the most of our runs."""

    def holds(pair: Pair) -> bool:
        runs = _runs(pair, policy)
        ours = [run.t_max for run in runs], [run.t_median for run in runs]
        return all(
            min(steps) <= times * printed <= max(steps)
            for steps, printed in zip(ours, _printed(pair, policy), strict=True)
        )

    number = ", ".join(f"{len(_runs(pair, policy))} of {pair}" for pair in pairs)
    return sampled(pairs, holds, f"recorded runs: {number}")


def only_large_lags_succeed(times: int) -> Evidence:
    """Check that no K ≤ times·(q − 1)p is right on all 20 trajectories of any length."""

    def holds(case: tuple[Pair, Policy]) -> bool:
        (p, q), policy = case
        searched = curves(Protocol((p, q), policy), recorded("ac_state"))
        return bool(searched) and all(
            number < 20 or first > times * (q - 1) * p
            for curve in searched
            for first, number in curve.steps
        )

    policies: tuple[Policy, ...] = ("uniform", "exploration")
    cases = [(pair, policy) for policy in policies for pair in _TRIED]
    return sampled(cases, holds, "every T of the first searches")


def exploring_is_slower(times: int) -> Evidence:
    """Check that exploring takes more than `times` the uniform steps, by the median over runs."""

    def holds(pair: Pair) -> bool:
        exploring = median_high(run.t_max for run in _runs(pair, "exploration"))
        return exploring > times * median_high(run.t_max for run in _runs(pair, "uniform"))

    return sampled(_TRIED, holds, "medians of recorded runs")
