"""Checks beside `necessity.toml`: small emissions, and the two-state noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Final

from flint import arb

from proofs_checks.checks.finite import equal, exact, exhausted
from proofs_checks.small_cases.slow_noise import (
    chance_unchanged,
    permuted_world,
    slow_world,
    two_states,
)
from steel_verified.theory.exact import ball, ceiling, least_power
from steel_verified.worlds.chains import mixing_time, stationary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checks.evidence import Evidence
    from steel_verified.worlds.tabular import ExBmdp

    Emissions = tuple[tuple[int, ...], tuple[int, ...]]
    """The observations of each endogenous state under e_1 and under e_2, as bits."""

_HALF: Final = Fraction(1, 2)


# --- two worlds that look alike while the noise stays as it is ------------------------------------


def next_states_permute(before: int) -> Evidence:
    """Check that i ↦ (i mod N) + 1 permutes 1, …, N; with before = 1, i ↦ (i + 1) mod N."""

    def holds(states: int) -> bool:
        numbers = range(1, states + 1)
        following = {(i + 1) % states if before else _next(i, states) for i in numbers}
        return following == set(numbers)

    return exhausted(range(1, 201), holds, "N ≤ 200")


def permuted_emissions_are_blocks(*, apart: bool = True) -> Evidence:
    """Check that M_3 is a block MDP if M_2 is one whose noise states never show the same."""

    def holds(emissions: Emissions) -> bool:
        mixed = any(a & b for a, b in product(*emissions))
        if not _is_block(emissions) or (apart and mixed):
            return True
        return _is_block(_permuted(emissions))

    def cases() -> Iterator[Emissions]:
        for a, b, c, d in product(range(1, 1 << 4), repeat=4):
            yield (a, b), (c, d)
        for a, b, c, d, e, f in product([1 << x for x in range(6)], repeat=6):
            yield (a, b, c), (d, e, f)

    return exhausted(cases(), holds, "N = 2 over 4 observations; N = 3, one of 6 in each state")


def indices_leave_the_states() -> bool:
    """Return whether (i + 1) mod 3 leads out of {1, 2, 3}."""
    return {(i + 1) % 3 for i in (1, 2, 3)} != {1, 2, 3}


def one_state_is_not_permuted() -> bool:
    """Return whether M_3 is M_2 if there is one endogenous state."""
    return _permuted(((1,), (2,))) == ((1,), (2,))


def endogenous_state_moves() -> bool:
    """Return whether a state stays with chance below 0.9 if the only action exchanges two."""
    table = ((1,), (0,))
    return Fraction(int(table[0][0] == 0)) < Fraction(9, 10)


def _next(i: int, states: int) -> int:
    """The next of the states 1, …, N, and 1 after the last."""
    return i % states + 1


def _is_block(emissions: Emissions) -> bool:
    """Whether no observation comes from two endogenous states."""
    both = [first | second for first, second in zip(*emissions, strict=True)]
    return all(not both[i] & both[j] for i in range(len(both)) for j in range(i))


def _permuted(emissions: Emissions) -> Emissions:
    first, second = emissions
    return first, tuple(second[_next(i, len(second)) - 1] for i in range(1, len(second) + 1))


def no_encoder_is_good_in_both(share: Fraction = _HALF) -> Evidence:
    """Check that an encoder of accuracy 1 − ε on M_2 has at most `share` + ε on M_3.

    The accuracy is that on the worst state, with the relabelling that suits the encoder best.
    """
    states = 3
    worlds = [make(states, _HALF) for make in (slow_world, permuted_world)]

    def holds(encoder: tuple[int, ...]) -> bool:
        on_slow, on_permuted = (_best_accuracy(encoder, world) for world in worlds)
        return on_permuted <= share + (1 - on_slow)

    shown = f"{states} states, all encoders of {2 * states} observations, all relabellings"
    return exhausted(product(range(states), repeat=2 * states), holds, shown)


def _best_accuracy(encoder: tuple[int, ...], world: ExBmdp) -> Fraction:
    weights = stationary(world.noise)
    states = world.dynamics.states

    def accuracy(s: int, label: int) -> Fraction:
        return sum(
            (
                weight * p
                for weight, law in zip(weights, world.emission[s], strict=True)
                for x, p in enumerate(law)
                if encoder[x] == label
            ),
            Fraction(0),
        )

    table = [[accuracy(s, label) for label in range(states)] for s in range(states)]
    return max(
        min(table[s][label] for s, label in enumerate(names))
        for names in permutations(range(states))
    )


# --- slow noise -----------------------------------------------------------------------------------


def uniform_is_stationary() -> Evidence:
    """Compare the stationary law that the code computes, for γ = 1/7."""
    return equal(stationary(two_states(Fraction(1, 7))), (_HALF, _HALF))


def unchanged_runs_have_their_chance(more: int = 0) -> Evidence:
    """Compare the stated chance with the weights of M_2's noise that stay in one state."""

    def holds(case: tuple[Fraction, int]) -> bool:
        gamma, steps = case
        chain = slow_world(2, gamma).noise
        kept = [_HALF, _HALF]
        for _ in range(steps - 1):
            kept = [weight * chain.rows[e][e] for e, weight in enumerate(kept)]
        return sum(kept) == chance_unchanged(gamma, steps + more)

    cases = product([Fraction(1, 3), Fraction(1, 10), Fraction(1, 999)], range(1, 30))
    return exact(cases, holds, "γ = 1/3, 1/10, 1/999 and up to 29 steps")


def least_steps_are_stated(factor: int) -> Evidence:
    """Compare ⌈log(factor·δ)/log(1 − γ)⌉ with the least n for which ½(1 − γ)ⁿ ≤ δ."""
    gammas = (*(Fraction(k, 20) for k in range(1, 10)), Fraction(1, 100), Fraction(1, 999))
    deltas = [Fraction(1, d) for d in (3, 5, 7, 20, 100, 1000)]

    def holds(case: tuple[Fraction, Fraction]) -> bool:
        gamma, delta = case
        stated = ceiling(lambda: ball(factor * delta).log() / ball(1 - gamma).log())
        return least_power(1 - gamma, 2 * delta) == stated

    return exact(product(gammas, deltas), holds, "γ from 1/999 to 9/20, δ from 1/1000 to 1/3")


def printed_mixing_time_is_right(factor: int) -> Evidence:
    """Compare t_mix with ⌈−1/log₂(1 − factor·γ)⌉, which is 1 where the logarithm is −1."""
    small = ((1, 1000), (1, 9999), (249, 1000), (251, 1000), (499, 1000))
    gammas = (*(Fraction(k, 100) for k in range(1, 50)), *(Fraction(*each) for each in small))

    def holds(gamma: Fraction) -> bool:
        left = 1 - factor * gamma
        stated = 1 if left == _HALF else ceiling(lambda: -arb(2).log() / ball(left).log())
        return mixing_time(two_states(gamma)) == stated

    return exact(gammas, holds, "γ from 1/9999 to 499/1000")
