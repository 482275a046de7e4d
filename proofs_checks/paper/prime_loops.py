"""Checks beside `prime_loops.toml`: prime loops, their encoders and their losses, exactly.

What is stated for a pair of primes is given as a formula in p and q.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from sympy import Rational

from proofs_checks.checks.finite import equal, exhausted
from proofs_checks.checks.formulas import Reader
from proofs_checks.small_cases.inverse_losses import (
    deterministic,
    first_difference,
    merging,
    numbers_of_paths,
    optimal,
    single_prime,
    smallest_encoders_in,
)
from proofs_checks.small_cases.prime_pairs import (
    MANY_PAIRS,
    MANY_SIZE,
    Pair,
    prime_loops,
    primes_up_to,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.checks.evidence import Evidence
    from proofs_checks.small_cases.inverse_losses import Encoder

_HALF: Final = Fraction(1, 2)


def _stated(formula: str, pair: Pair) -> int:
    """The value of a formula in p and q."""
    reader = Reader()
    small, large = pair
    found = reader.expression(formula).subs({reader.symbol("p"): small, reader.symbol("q"): large})
    assert isinstance(found, Rational), f"{formula} is not a number"
    return found.p


def _of_many_pairs(holds: Callable[[Pair], bool]) -> Evidence:
    return exhausted(MANY_PAIRS, holds, MANY_SIZE)


def _of_pairs(largest: int, holds: Callable[[Pair], bool]) -> Evidence:
    return exhausted(primes_up_to(largest), holds, f"all primes p < q ≤ {largest}")


# --- losses in general ----------------------------------------------------------------------------


def merging_is_no_gain(factor: Fraction | int) -> Evidence:
    """Check that the likelihood of merged cells, times a factor, is at most that of the parts."""

    def holds(counts: tuple[int, ...]) -> bool:
        a, b, c, d = counts
        return _likelihood(a + c, b + d) * factor <= _likelihood(a, b) * _likelihood(c, d)

    return exhausted(product(range(7), repeat=4), holds, "two cells, counts ≤ 6")


def _likelihood(zeros: int, ones: int) -> Fraction:
    """Of these actions, if predicted by their own frequencies."""
    total = zeros + ones
    return Fraction(zeros**zeros * ones**ones, total**total)


def diameter_and_first_difference(diameter: int, difference: int) -> Evidence:
    """Compare D of DoublePrime(3, 5), and the least K for which φ_SP has a larger loss."""
    found = prime_loops(2, (3, 5)).diameter, first_difference((3, 5))
    return equal(found, (diameter, difference))


def fork_needs(longest: int, without_forward: int, with_forward: int) -> Evidence:
    """Compare the outputs needed where 0 leads to 1 or 2, both lead to 3, and 3 to 0.

    All chances repeat from `longest` − 2 on, as every way back takes 3 steps.
    """
    fork = ((1, 2), (3, 3), (3, 3), (0, 0))
    numbers = tuple(islice(numbers_of_paths(fork), longest + 1))
    repeats = numbers[-1] == [[8 * number for number in row] for row in numbers[-4]]
    outputs = [
        len(set(smallest_encoders_in(fork, longest, forward=forward)[0]))
        for forward in (False, True)
    ]
    return equal((repeats, *outputs), (True, without_forward, with_forward))


# --- the worlds -----------------------------------------------------------------------------------


def both_copies_are_reached_after(steps: str, largest: int) -> Evidence:
    """Compare the fewest steps after which, from one state, 1 or 1' can be reached."""

    def fewest(pair: Pair) -> int:
        table, large = prime_loops(2, pair).table, pair[1]
        reached, count = [{x} for x in range(2 * large)], 0
        while not any({1, 1 + large} <= states for states in reached):
            reached = [{to for state in states for to in table[state]} for states in reached]
            count += 1
        return count

    return _of_pairs(largest, lambda pair: fewest(pair) == _stated(steps, pair))


def visit_ratios_are(ratio: int) -> Evidence:
    """Check that this law is stationary, and compare its most with its least likely state."""

    def holds(pair: Pair) -> bool:
        small, large = pair
        one_loop = [_HALF if 1 <= i <= large - small else Fraction(1) for i in range(large)]
        law, after = one_loop * 2, [Fraction(0)] * (2 * large)
        for x, row in enumerate(prime_loops(2, pair).table):
            for to in row:
                after[to] += law[x] / 2
        return after == law and max(law) == ratio * min(law)

    return _of_many_pairs(holds)


# --- encoders -------------------------------------------------------------------------------------


def losses_agree_up_to(longest: str, largest: int) -> Evidence:
    """Check that φ_SP has the least loss for this K (and so for every smaller one)."""
    return _of_pairs(
        largest, lambda pair: optimal(pair, _stated(longest, pair), single_prime(pair))
    )


def few_outputs_up_to(longest: str) -> Evidence:
    """Check that for every K up to this one, some encoder of least loss has at most q outputs."""

    def holds(pair: Pair) -> bool:
        lengths = range(1, _stated(longest, pair) + 1)
        return all(len(set(_smallest(pair, k)[0])) <= pair[1] for k in lengths)

    return exhausted(primes_up_to(5), holds, "all primes p < q ≤ 5, every K, all encoders")


def _smallest(pair: Pair, longest: int) -> tuple[Encoder, ...]:
    return smallest_encoders_in(prime_loops(2, pair).table, longest)


def three_outputs_are_enough() -> bool:
    """Return whether three outputs have the least loss on DoublePrime(3, 5), K = 3 ≤ 12."""
    merged = (0, 1, 1, 2, 2) * 2
    return optimal((3, 5), 3, merged) and len(set(merged)) < 5


def _encoder(name: str, pair: Pair) -> Encoder:
    """φ_SP, φ_DP, or the encoder that merges only 0 and 0'."""
    large = pair[1]
    return {
        "single": single_prime(pair),
        "double": tuple(range(2 * large)),
        "merged": merging(2 * large, 0, large),
    }[name]


def next_codes_are_functions(*encoders: str) -> Evidence:
    """Check that on DoublePrime the next code is a function of code and action."""
    return _of_many_pairs(
        lambda pair: all(
            deterministic(prime_loops(2, pair).table, _encoder(name, pair)) for name in encoders
        )
    )


def next_codes_have_chance(encoder: str, chance: Fraction | int) -> Evidence:
    """Compare all chances Pr(code of x_{t+1} | code of x_t, a_t) on SinglePrime.

    i and i' are equally likely, whatever was seen before, so the code of x_t adds nothing to i.
    """

    def chances(pair: Pair) -> set[Fraction]:
        large, code, found = pair[1], _encoder(encoder, pair), set[Fraction]()
        for to in (to for row in prime_loops(1, pair).table for to in row):
            found.add(Fraction(1) if code[to] == code[to + large] else _HALF)
        return found

    return _of_many_pairs(lambda pair: chances(pair) == {Fraction(chance)})


def classifiers_are_forced(count: str) -> Evidence:
    """Compare the classifiers of the paper with those of each latent state of either world."""

    def holds(pair: Pair) -> bool:
        large = pair[1]
        doubled = {frozenset({x}) for x in range(prime_loops(2, pair).states)}
        forced = doubled | {frozenset({i, i + large}) for i in range(prime_loops(1, pair).states)}
        return _classifiers(range(large), large) == forced and len(forced) == _stated(count, pair)

    return _of_many_pairs(holds)


def a_state_has_no_classifier() -> bool:
    """Return whether the printed range leaves the state 1 without a classifier, for q = 5."""
    return frozenset({1}) not in _classifiers(range(max(0, 1 - 5), 1), 5)


def _classifiers(indices: range, large: int) -> set[frozenset[int]]:
    """The sets of observations told from all others, for these i."""
    own = {frozenset({i + shift}) for i in indices for shift in (0, large)}
    return own | {frozenset({i, i + large}) for i in indices}
