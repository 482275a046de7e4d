"""Checks beside `lemma2.toml` and `lemma2_closing.toml`: all small chains, and three examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from flint import ctx

from proofs_checks.kernels.finite import equal
from proofs_checks.small_cases.chains import (
    Mixed,
    Vector,
    Weights,
    change,
    coordinates,
    missed,
    norm,
    on_chains,
    passing,
    scaled,
    total,
    with_powers,
)
from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import Chain, distance_from_stationarity, mixing_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.evidence import Evidence

_HALF: Final = Fraction(1, 2)


# --- one sample -----------------------------------------------------------------------------------


def change_is_at_most(share: Fraction) -> Evidence:
    """Check ‖Δ^iv‖₁ ≤ share·‖v‖₁ at the lags t_mix and t_mix + 1."""

    def holds(mixed: Mixed, case: tuple[Vector, int]) -> bool:
        vector, later = case
        return norm(change(mixed, vector, mixed.t_mix + later)) <= share * norm(vector)

    return on_chains(
        lambda mixed: product(mixed.signed(), range(2)), holds, "measures with weights −1, 0, 1"
    )


def one_sample_within_matrix(
    corner: Fraction, *, any_sign: bool = False, combined: bool = False
) -> Evidence:
    """Check (a', b') ≤ A(a, b) for measures with a ≥ 0 (or any a), with this corner of A.

    If `combined`, check instead a' + c·b' ≤ (1, c)·A(a, b) for c = 0, 1, 2.
    """
    rows = ((1, 0), (1, 1), (1, 2)) if combined else ((1, 0), (0, 1))

    def choices(mixed: Mixed) -> Iterator[tuple[Weights, Vector]]:
        measures = [v for v in mixed.signed() if any_sign or total(v) >= 0]
        return product(mixed.events(), measures)

    def holds(mixed: Mixed, case: tuple[Weights, Vector]) -> bool:
        event, v = case
        miss, (a, b) = missed(mixed, event), coordinates(mixed, v)
        most_a, most_b = (1 - miss) * a + b / 2, miss * a / 2 + corner * b
        a, b = coordinates(mixed, mixed.after(passing(v, event), mixed.t_mix))
        return all(k * a + c * b <= k * most_a + c * most_b for k, c in rows)

    return on_chains(choices, holds, "every event, measures with weights −1, 0, 1")


# --- many samples ---------------------------------------------------------------------------------

_MANY_SAMPLES: Final = 30
"""So many that 8·exp(−ε'N/3) is below 1 from ε' = 1/4 on."""
_FEW_PATHS: Final = 250


def operators_count_paths(samples: int, *, given: bool = True) -> Evidence:
    """Compare …MΓMΓπ_{t_1} with sums over all paths, where these are few.

    Unless `given`, the law at the end is not conditioned on what was seen.
    """

    def choices(mixed: Mixed) -> Iterator[tuple[Weights, Vector]]:
        few = len(mixed.chain) ** (samples * mixed.t_mix + 1) <= _FEW_PATHS
        starts = (*map(mixed.unit, range(len(mixed.chain))), mixed.law)
        return product(mixed.events(), starts if few else ())

    def holds(mixed: Mixed, case: tuple[Weights, Vector]) -> bool:
        event, start = case
        operated = start
        for _ in range(samples):
            operated = mixed.after(passing(operated, event), mixed.t_mix)
        seen = [Fraction(0)] * len(mixed.chain)
        plain = [Fraction(0)] * len(mixed.chain)
        times = range(0, samples * mixed.t_mix, mixed.t_mix)
        for path, chance in _paths(mixed, start, samples * mixed.t_mix):
            plain[path[-1]] += chance
            seen[path[-1]] += chance * all(event[path[time]] for time in times)
        return operated == (tuple(seen) if given else scaled(tuple(plain), total(tuple(seen))))

    return on_chains(choices, holds, f"at most {_FEW_PATHS} paths; every event, start and π")


def all_pass_rarely(factor: Fraction, rate: Fraction) -> Evidence:
    """Check Pr(all pass) ≤ factor·exp(−rate·ε'·N) from the worst start, for chances 0, ½, 1.

    Backwards: the chance from e that all N pass is g(e) times the mean, after the gap, of the
    chance that N − 1 pass. So all starts come at once, and Γ is not used.
    """

    def holds(mixed: Mixed, weights: Weights) -> bool:
        miss, pass_all = missed(mixed, weights), weights
        with ctx.workprec(128):
            for count in range(1, _MANY_SAMPLES + 1):
                bound = ball(Fraction(factor)) * (-ball(rate * miss * count)).exp()
                if not ball(max(pass_all)) <= bound:
                    return False
                rows = mixed.powers[mixed.t_mix + count % 2]
                pass_all = passing(weights, tuple(total(passing(row, pass_all)) for row in rows))
        return True

    def choices(mixed: Mixed) -> Iterator[Weights]:
        return product((Fraction(0), _HALF, Fraction(1)), repeat=len(mixed.chain))

    return on_chains(choices, holds, f"every start, chances 0, ½, 1 to pass, N ≤ {_MANY_SAMPLES}")


def _paths(mixed: Mixed, start: Vector, steps: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every path of so many steps that is possible, with its chance."""
    for path in product(range(len(mixed.chain)), repeat=steps + 1):
        chance = start[path[0]]
        for e, f in pairwise(path):
            chance *= mixed.chain.rows[e][f]
        if chance:
            yield path, chance


# --- examples -------------------------------------------------------------------------------------


def _fair_and_slow() -> Mixed:
    """Two states, ¾ to stay: t_mix = 1, and π is uniform."""
    stay, go = Fraction(3, 4), Fraction(1, 4)
    return with_powers(((stay, go), (go, stay)))


def symmetric_chain(stays: Fraction) -> Evidence:
    """Compute t_mix = 1, π = (½, ½) and the chance to stay of the chain with ¾ to stay."""
    mixed = _fair_and_slow()
    return equal((mixed.t_mix, mixed.law, mixed.chain.rows[0][0]), (1, (_HALF, _HALF), stays))


def decomposition_is_not_unique() -> bool:
    """v = π_e is aπ_e + b·v̄ with b = 0 for two v̄ that are allowed."""
    a, b = coordinates(_fair_and_slow(), _fair_and_slow().law)
    directions = ((_HALF, -_HALF), (-_HALF, _HALF))
    return a == 1 and b == 0 and all(total(d) == 0 and norm(d) == 1 for d in directions)


def product_is_not_the_plain_law() -> bool:
    """M^t_mix Γπ differs from Pr(f = 1) times the law at the end."""
    mixed, event = _fair_and_slow(), (Fraction(1), Fraction(0))
    operated = mixed.after(passing(mixed.law, event), mixed.t_mix)
    plain = scaled(mixed.after(mixed.law, mixed.t_mix), total(passing(mixed.law, event)))
    return operated == (Fraction(3, 8), Fraction(1, 8)) and plain == (Fraction(1, 4),) * 2


def coin_exceeds_the_printed_bound(*, absolute: bool) -> bool:
    """For a fair coin, ε' = 1/2, N = 1 and b_0 = 0, a_1 = 1/2 is above l. 1433-1439 as printed.

    With `absolute`, it is above l. 1445-1451.
    """
    coin = Chain(((_HALF, _HALF), (_HALF, _HALF)))
    stationary_at_once = mixing_time(coin) == 1 and not distance_from_stationarity(coin, 1)
    miss = ball(_HALF)
    root = (miss * miss + ball(Fraction(1, 4))).sqrt()
    first, second = (
        (ball(Fraction(3, 2)) - miss + signed) / 2  # λ±
        * (ball(Fraction(1, 4)) - 3 * miss / 2 + signed / 2) / root
        for signed in (root, -root)
    )  # fmt: skip
    bound = abs(first) + abs(second) if absolute else first - second
    return stationary_at_once and bool(bound < ball(coin.rows[0][0]))
