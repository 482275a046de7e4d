"""The formulas of both methods, implemented a second time with integers and fractions, no floats.

Lines (l.) are those of the paper's source. Times are counted from the start of a loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from proofs_checks.checker.reading import Work

Piece: TypeAlias = tuple[int, ...]
"""[first, count, stride, count, stride, …]: nested arithmetic progressions, outermost first."""
Sample: TypeAlias = tuple[int, tuple[Piece, ...]]
"""A dataset: its number of rows, and the times at which they were read."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a looped run."""

    actions: int
    max_states: int
    max_diameter: int
    mixing_time: int
    class_size: int
    delta: Fraction
    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Setting:
    """The parameters, and the sample counts computed from them."""

    p: Parameters
    period_samples: int
    """n_samp.cyc. (l. 369); 0 if N = 1, where there is no hypothesis to test."""
    position_samples: int
    """n_samp. (l. 395)."""


def setting_of(p: Parameters) -> Setting:
    return Setting(
        p,
        samples_needed(p, 4 * p.actions * p.max_states * (p.max_states - 1)),
        samples_needed(p, 4 * p.actions * p.max_states**4 * (p.max_diameter + 1)),
    )


def samples_needed(p: Parameters, tests: int) -> int:
    """The least n with tests·|F|·(9/16)ⁿ ≤ δ."""
    n, left, right = 0, tests * p.class_size * p.delta.denominator, p.delta.numerator
    while left > right:
        n, left, right = n + 1, 9 * left, 16 * right
    return n


def size(pieces: tuple[Piece, ...]) -> int:
    """Return the number of times."""
    return sum(prod(piece[1::2]) for piece in pieces)


def last(piece: Piece) -> int:
    """Return the last time."""
    return piece[0] + sum(
        (count - 1) * stride for count, stride in zip(piece[1::2], piece[2::2], strict=True)
    )


def round_up(t: int, length: int) -> int:
    """Return t rounded up to a multiple of `length`."""
    return (t + length - 1) // length * length


def initial_steps(s: Setting, word: int) -> int:
    """Return c_init (l. 371), or 0 if N = 1."""
    if s.p.max_states == 1:
        return 0
    t, n, loop = s.p.mixing_time, s.period_samples, s.p.max_states * word
    return (2 * t + 3 * loop - 2) * n - t - loop + 1 + max(loop - word, t)


def period_test(s: Setting, word: int, hypothesis: int) -> tuple[Sample, Sample]:
    """D_0 and D_1 for the hypothesis n'_cyc (l. 375–384).

    x̄_i is read at time i·|â| + max((N−1)·|â|, t̂_mix); r is t̂_mix in words, rounded up to a whole
    number of loops.
    """
    settled = max((s.p.max_states - 1) * word, s.p.mixing_time)
    r = hypothesis * -(-s.p.mixing_time // (hypothesis * word))
    every = (2 * r + hypothesis) * word
    k = (initial_steps(s, word) + r * word - settled) // every
    zeros = (settled + (r + 1) * word, k, every, hypothesis - 1, word)
    ones = (settled, k, every)
    return (k * (hypothesis - 1), (zeros,)), (k, (ones,))


def first_sample(p: Parameters, word: int, period: int) -> int:
    """n_0 (l. 401)."""
    return max((p.max_states - period) * word, p.mixing_time)


def call_steps(s: Setting, word: int, period: int) -> int:
    """max(c, c_init) (l. 397–399)."""
    length = period * word
    window = (s.position_samples - 1) * round_up(s.p.mixing_time, length) + length
    full = 2 * window + s.p.mixing_time + first_sample(s.p, word, period)
    return max(full, initial_steps(s, word))


def position_starts(s: Setting, word: int, period: int) -> tuple[int, int]:
    """n_0 and n_0' (l. 401): the earliest times of D^A and of D^B."""
    length, early = period * word, first_sample(s.p, word, period)
    lasting = (s.position_samples - 1) * round_up(s.p.mixing_time, length)
    return early, early + lasting + length + s.p.mixing_time


def position_sample(s: Setting, word: int, period: int, position: int) -> Sample:
    """D'_i: D^A_i and D^B_i (l. 403–409)."""
    length, n = period * word, s.position_samples
    stride = round_up(s.p.mixing_time, length)
    a, b = (
        (start + (position - start) % length, n, stride)
        for start in position_starts(s, word, period)
    )
    return 2 * n, (a, b)


def exp_bounds(x: Fraction, bits: int) -> tuple[int, int]:
    """Return integers below and above eˣ·2^bits, for x ≥ 0.

    Sums the Taylor series at x/2ᵏ ≤ 1/2 with each term rounded down and up, then squares k times.
    """
    halvings = max(0, (2 * x.numerator // x.denominator).bit_length())
    y = x / 2**halvings
    low = high = term_low = term_high = 1 << bits
    n = 0
    while term_high > 1:
        n += 1
        term_low = term_low * y.numerator // (y.denominator * n)
        term_high = -(-term_high * y.numerator // (y.denominator * n))
        low, high = low + term_low, high + term_high
    high += 2  # the omitted terms sum to at most the last term
    for _ in range(halvings):
        low, high = low * low >> bits, -(-high * high >> bits)
    return low, high


def encoder_samples(p: Parameters, states: int) -> int:
    """d (l. 328): the least with exp(ε·d/(3|S|)) ≥ 16|S|²|F|/δ."""
    goal = 16 * states**2 * p.class_size / p.delta

    def enough(d: int) -> bool:
        bits = 64
        while True:
            low, high = exp_bounds(p.epsilon * d / (3 * states), bits)
            if low >= goal * 2**bits:
                return True
            if high < goal * 2**bits:
                return False
            bits *= 2

    too_few, sure = 0, 1
    while not enough(sure):
        too_few, sure = sure, 2 * sure
    while sure - too_few > 1:
        middle = (sure + too_few) // 2
        too_few, sure = (too_few, middle) if enough(middle) else (middle, sure)
    return sure


def tour_passes(s: Setting, states: int) -> int:
    """Return 1 pass without samples plus those needed for d − 2·n_samp. more samples; 0 if none."""
    missing = encoder_samples(s.p, states) - 2 * s.position_samples
    return missing + 1 if missing > 0 else 0


def separation_charge(p: Parameters, tests: int, samples: int) -> Fraction:
    """|tests|·|F|·(9/16)ⁿ (l. 653, 777)."""
    return tests * p.class_size * Fraction(9, 16) ** samples


def encoder_charge(p: Parameters, states: int) -> Fraction:
    """8|S|²|F|·exp(−ε·d/(3|S|)) (l. 990), rounded up to a multiple of 2⁻ᵏ, which is far below δ."""
    grain = 1 << 64 + (p.delta.denominator // p.delta.numerator).bit_length()
    parts = grain * 8 * states**2 * p.class_size
    exponent = p.epsilon * encoder_samples(p, states) / (3 * states)
    bits = 128
    while True:
        low, high = exp_bounds(exponent, bits)
        least, most = -(-(parts << bits) // high), -(-(parts << bits) // low)
        if least == most:
            return Fraction(least, grain)
        bits *= 2


# --- located runs ---------------------------------------------------------------------------------

BITS = 160
"""a and b are rounded up to multiples of 2^−160."""


def share_of(delta: Fraction, number: int) -> Fraction:
    """Return δ/(k(k+1)), the charge of round k = 1, 2, …"""
    return delta / (number * (number + 1))


def passes_needed(
    epsilon: Fraction, gap: int, share: Fraction, most: int, work: Work
) -> int | None:
    """Return the least n with b_n + η·a_n ≤ share, η = 2^(−gap−1); None if n exceeds `most`.

    a_0 = b_0 = 1, a_{i+1} = min(a_i, η·a_i + b_i), b_{i+1} = min(b_i, (1−ε)·b_i + ε·η·a_i), with
    min(ε, 1/2) for ε.
    """
    error = min(epsilon, Fraction(1, 2))
    wrong, whole, halvings = error.numerator, error.denominator, gap + 1
    right = (whole - wrong) << halvings
    a = b = 1 << BITS
    for n in range(most + 1):
        work.add(2 + halvings // 64)
        if ((b << halvings) + a) * share.denominator <= share.numerator << BITS + halvings:
            return n
        a, b = (
            min(a, _up(a + (b << halvings), 1 << halvings)),
            min(b, _up(right * b + wrong * a, whole << halvings)),
        )
    return None


def _up(above: int, below: int) -> int:
    """Return the quotient, rounded up."""
    return -(-above // below)
