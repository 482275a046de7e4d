"""Checks beside `lemma2.toml` and `lemma2_closing.toml`: all small chains, and three examples."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

from flint import ctx

from proofs_checks.checks.finite import exhausted
from proofs_checks.small_cases.chains import (
    WHICH,
    Mixed,
    all_mixed,
    passing,
    total,
    with_powers,
)
from steel_verified.theory.exact import ball
from steel_verified.worlds.chains import Chain, distance_from_stationarity, mixing_time

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence

_HALF: Final = Fraction(1, 2)


_MANY_SAMPLES: Final = 30
"""So many that 8·exp(−ε'N/3) is below 1 from ε' = 1/4 on."""


def all_pass_rarely(factor: Fraction, rate: Fraction) -> Evidence:
    """Check Pr(all pass) ≤ factor·exp(−rate·ε'·N) from the worst start, for chances 0, ½, 1."""

    def holds(case: tuple[Fraction, tuple[Fraction, ...]]) -> bool:
        miss, chances = case
        with ctx.workprec(128):
            return all(
                ball(chance) <= ball(Fraction(factor)) * (-ball(rate * miss * count)).exp()
                for count, chance in enumerate(chances, 1)
            )

    size = f"{WHICH}; every start, chances 0, ½, 1 to pass, N ≤ {_MANY_SAMPLES}"
    return exhausted(_chances_to_pass(), holds, size)


@cache
def _chances_to_pass() -> tuple[tuple[Fraction, tuple[Fraction, ...]], ...]:
    """ε' of each chain and weights, and for N = 1, 2, … how likely all pass from the worst start.

    Backwards: the chance from e that all N pass is g(e) times the mean, after the gap, of the
    chance that N − 1 pass. So all starts come at once, and Γ is not used.
    """
    found = []
    for mixed in all_mixed():
        for weights in product((Fraction(0), _HALF, Fraction(1)), repeat=len(mixed.chain)):
            pass_all, worst = weights, [max(weights)]
            for count in range(1, _MANY_SAMPLES):
                rows = mixed.powers[mixed.t_mix + count % 2]
                pass_all = passing(weights, tuple(total(passing(row, pass_all)) for row in rows))
                worst.append(max(pass_all))
            found.append((1 - total(passing(mixed.law, weights)), tuple(worst)))
    return tuple(found)


# --- examples -------------------------------------------------------------------------------------


def _fair_and_slow() -> Mixed:
    """Two states, ¾ to stay: t_mix = 1, and π is uniform."""
    stay, go = Fraction(3, 4), Fraction(1, 4)
    return with_powers(((stay, go), (go, stay)))


def decomposition_is_not_unique() -> bool:
    """v = π_e is aπ_e + b·v̄ with b = 0 for two v̄ that are allowed."""
    law = _fair_and_slow().law
    rest = [v - total(law) * p for v, p in zip(law, law, strict=True)]
    directions = ((_HALF, -_HALF), (-_HALF, _HALF))
    allowed = all(total(d) == 0 and total(tuple(map(abs, d))) == 1 for d in directions)
    return total(law) == 1 and not any(rest) and allowed


def product_is_not_the_plain_law() -> bool:
    """M^t_mix Γπ differs from Pr(f = 1) times the law at the end."""
    mixed, event = _fair_and_slow(), (Fraction(1), Fraction(0))
    operated = mixed.after(passing(mixed.law, event), mixed.t_mix)
    passes = total(passing(mixed.law, event))
    plain = tuple(passes * p for p in mixed.after(mixed.law, mixed.t_mix))
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
