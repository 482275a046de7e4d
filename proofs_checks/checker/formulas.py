"""The paper's formulas, written a second time: integers and fractions, no float.

Lines (l.) are those of the paper's source.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from proofs_checks.checker.reading import Times

if TYPE_CHECKING:
    from proofs_checks.checker.reading import Parameters


def samples_needed(p: Parameters, tests: int) -> int:
    """The least n with tests·|F|·(9/16)ⁿ ≤ δ."""
    n, left, right = 0, tests * p.class_size * p.delta.denominator, p.delta.numerator
    while left > right:
        n, left, right = n + 1, 9 * left, 16 * right
    return n


def period_samples(p: Parameters) -> int:
    """n_samp.cyc. (l. 369); with N = 1 there is nothing to test."""
    return samples_needed(p, 4 * p.actions * p.max_states * (p.max_states - 1))


def position_samples(p: Parameters) -> int:
    """n_samp. (l. 395)."""
    return samples_needed(p, 4 * p.actions * p.max_states**4 * (p.max_diameter + 1))


def round_up(t: int, length: int) -> int:
    """t rounded up to whole multiples of a length."""
    return (t + length - 1) // length * length


def initial_steps(p: Parameters, word: int) -> int:
    """c_init (l. 371), where there is a period to find."""
    if p.max_states == 1:
        return 0
    t, n, loop = p.mixing_time, period_samples(p), p.max_states * word
    return (2 * t + 3 * loop - 2) * n - t - loop + 1 + max(loop - word, t)


def first_sample(p: Parameters, word: int, period: int) -> int:
    """n_0 (l. 401)."""
    return max((p.max_states - period) * word, p.mixing_time)


def call_steps(p: Parameters, word: int, period: int) -> int:
    """max(c, c_init) (l. 397–399)."""
    length, n = period * word, position_samples(p)
    window = (n - 1) * round_up(p.mixing_time, length) + length
    full = 2 * window + p.mixing_time + first_sample(p, word, period)
    return max(full, initial_steps(p, word))


def position_times(p: Parameters, word: int, period: int, position: int) -> tuple[Times, Times]:
    """D^A_i and D^B_i (l. 680–696)."""
    length, n = period * word, position_samples(p)
    stride = round_up(p.mixing_time, length)
    early = first_sample(p, word, period)
    late = early + (n - 1) * stride + length + p.mixing_time
    a, b = (Times(start + (position - start) % length, n, stride) for start in (early, late))
    return a, b


def period_test(p: Parameters, word: int, hypothesis: int) -> tuple[int, int, int]:
    """For D_0 and D_1 (l. 380–384): repetitions, least gap that the proof needs, last time."""
    wait = round_up(p.mixing_time, hypothesis * word)
    settled = max((p.max_states - 1) * word, p.mixing_time)
    every = 2 * wait + hypothesis * word
    repetitions = (initial_steps(p, word) + wait - settled) // every
    # From a time of D_1 to the first row of D_0 after it, and from its last row to the next D_1.
    gap = min(wait + word, every - wait - (hypothesis - 1) * word)
    last = settled + (repetitions - 1) * every + wait + (hypothesis - 1) * word
    return repetitions, gap, last


def exp_bounds(x: Fraction, bits: int) -> tuple[int, int]:
    """Whole numbers below and above eˣ·2^bits, for x ≥ 0.

    The series at x/2ᵏ ≤ 1/2, rounded down and up term by term; then k squarings, rounded likewise.
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
    high += 2  # the terms that are left out: together no more than the last one
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


def tour_passes(p: Parameters, states: int) -> int:
    """Once in silence, then until every state has d samples, 2·n_samp. of which it has; or none."""
    missing = encoder_samples(p, states) - 2 * position_samples(p)
    return missing + 1 if missing > 0 else 0


def separation_charge(p: Parameters, tests: int, samples: int) -> Fraction:
    """|tests|·|F|·(9/16)ⁿ (l. 653, 777)."""
    return tests * p.class_size * Fraction(9, 16) ** samples


def encoder_charge(p: Parameters, states: int) -> Fraction:
    """8|S|²|F|·exp(−ε·d/(3|S|)) (l. 990), rounded up to a multiple of 2⁻ᵏ that is far below δ."""
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
