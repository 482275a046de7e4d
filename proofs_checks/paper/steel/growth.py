"""What the steps grow like: the theorem's O and O* (l. 1048-1063).

Logarithms enter as variables with what is known of them: ln 2 ≥ 1/2, ln N ≥ ln |S| ≥ ln 2,
ln |F| ≥ ln 2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from flint import arb
from sympy import Rational, Symbol, log

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.intervals import ordered
from proofs_checks.kernels.together import together
from proofs_checks.sections import TOTALS
from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory import bounds
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import paper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


_ONE_HALF: Final = Rational(1, 2)

N, S, A, D, t = (Symbol(name, positive=True) for name in ("N", "S", "A", "D", "t"))
w, inv_eps = (Symbol(name, positive=True) for name in ("w", "inv_eps"))
ln_2, ln_actions, ln_bound, ln_states, ln_class, ln_delta, ln_f = (
    Symbol(name)
    for name in ("ln_2", "ln_actions", "ln_bound", "ln_states", "ln_class", "ln_delta", "ln_f")
)
"""ln_delta is ln(1/δ)."""
_longest = S * (D + 1)
_LOGS: Final[Mapping[Symbol, Expr | int]] = {
    ln_actions: 0,
    ln_bound: ln_states,
    ln_states: ln_2,
    ln_class: ln_2,
    ln_2: _ONE_HALF,
    ln_delta: 0,
}
_TWO_STATES: Final = "|S| ≥ 2, so that D ≥ 1, and |F| ≥ |S| by realizability"


def _numbers(largest_rate: Fraction) -> Evidence:
    """ln 2 ≥ 1/2, and the printed rate ln(16/9) is at least a half as well."""
    return together(
        partial(ordered, _ONE_HALF, log(2)),
        partial(ordered, 1 / log(Rational(16, 9)), largest_rate),
    )


def _two_logs(times: int) -> Evidence:
    return ordered(1, times * log(2) + log(log(2)))


def _grows_without_bound() -> bool:
    """|S| = 1, D = 0: the closed form over the four printed terms, as N grows a hundredfold."""
    ratios: list[float] = []
    for max_states in (10**2, 10**4, 10**6):
        given = parameters(
            max_states,
            1,
            max_diameter=0,
            actions=1,
            class_size=2,
            delta=Fraction(1, 2),
            epsilon=Fraction(1, 2),
        )
        logs = float((arb(max_states) * 4).log())
        printed = 0 + 1 * logs + 0 + 2 * float(arb(4).log())
        ratios.append(bounds.total_bound(paper(given), Extent(1, 0)) / printed)
    return all(later > 50 * earlier for earlier, later in pairwise(ratios))


_L1 = ln_actions + ln_bound + ln_class + ln_delta
_L2 = ln_states + ln_class + ln_delta
_samples = 17 * w
"""n_samp. and n_samp.cyc. are at most 17·w for w = ln |A| + ln N + ln |F| + ln(1/δ) ≥ 1."""
_UP_TO_D: Final[Mapping[Symbol, Expr | int]] = {N: S, S: 2, D: 1, t: 1, w: 1, inv_eps: 1, A: 1}

CLAIMS: Final = (
    TOTALS.enclosed(
        "E15.numbers",
        "1048-1054",
        "ln 2 > 1/2 and 1/ln(16/9) < 2",
        partial(_numbers, Fraction(2)),
        Mutant("1/ln(16/9) < 3/2", partial(_numbers, Fraction(3, 2))),
    ),
    TOTALS.bound(
        "E15.samples",
        "1048-1054",
        "2·ln(4|A|N⁴(D̂+1)|F|/δ) + 1 ≤ 17·(ln |A| + ln N + ln |F| + ln(1/δ)), with D̂+1 ≤ 2N: this "
        "bounds n_samp., and n_samp.cyc. ≤ n_samp.",
        2 * (2 * ln_2 + ln_actions + 4 * ln_bound + (ln_2 + ln_bound) + ln_class + ln_delta) + 1,
        17 * _L1,
        _LOGS,
        Slip("a smaller right side", right=5 * _L1),
        assumptions=(
            _TWO_STATES,
            "D̂ ≤ N",
        ),
    ),
    TOTALS.bound(
        "E15.encoder",
        "1048-1054",
        "3·ln(16|S|²|F|/δ) + 1 ≤ 19·(ln |S| + ln |F| + ln(1/δ)): this bounds d + |S|, over |S|/ε",
        3 * (4 * ln_2 + 2 * ln_states + ln_class + ln_delta) + 1,
        19 * _L2,
        _LOGS,
        Slip("a smaller right side", right=9 * _L2),
        assumptions=(
            _TWO_STATES,
            "ε ≤ 1",
        ),
    ),
    TOTALS.bound(
        "E15.period",
        "1048-1054",
        "phase 1 is at most 102·|S|²ND|A|·w + 34·|S||A|t̂_mix·w where n_samp.cyc. decides",
        S * A * (2 * t + 3 * N * _longest - 2) * _samples,
        102 * S**2 * N * D * A * w + 34 * S * A * t * w,
        _UP_TO_D,
        Slip("a smaller right side", right=50 * S**2 * N * D * A * w + 34 * S * A * t * w),
        assumptions=(
            _TWO_STATES,
            "E15.samples: n_samp.cyc. ≤ 17·w, w = ln |A| + ln N + ln |F| + ln(1/δ) ≥ 1",
        ),
    ),
    TOTALS.bound(
        "E15.position",
        "1048-1054",
        "phase 1 is at most 102·|S|²ND|A|·w + 34·|S||A|t̂_mix·w where n_samp. decides",
        S * A * (2 * (t + S * _longest - 1) * _samples + 2 + (N - 1) * _longest),
        102 * S**2 * N * D * A * w + 34 * S * A * t * w,
        _UP_TO_D,
        Slip("a smaller right side", right=102 * S**2 * N * D * A * w + 33 * S * A * t * w),
        assumptions=(
            _TWO_STATES,
            "E15.samples: n_samp. ≤ 17·w",
        ),
    ),
    TOTALS.bound(
        "E15",
        "1048-1054",
        "phase 2 is at most 19·(|S|²D + |S|t̂_mix)·(1/ε)·v, v = ln |S| + ln |F| + ln(1/δ); so all "
        "of it is at most 102 times the sum of the theorem's four terms",
        (D + t) * S * inv_eps * 19 * w,
        19 * (S**2 * D * inv_eps * w + S * t * inv_eps * w),
        _UP_TO_D,
        Slip("a smaller right side", right=18 * (S**2 * D * inv_eps * w + S * t * inv_eps * w)),
        assumptions=(
            _TWO_STATES,
            "D̂ ≤ N",
            "the side D + t̂_mix of the maximum; the other, |S|D, is the first term alone",
            "E15.encoder, with w for v",
        ),
        erratum=Erratum(
            printed="the closed form is O(the sum of four terms) without a condition on D",
            counterexample=(
                "|S| = 1, so D = 0: the first term vanishes, yet the closed form holds "
                "3N|S|²(D+1)|A|·n_samp.cyc.; with |A| = t̂_mix = 1, |F| = 2, δ = ε = 1/2 it "
                "grows like N·ln N, the four terms like ln N"
            ),
            refuted=_grows_without_bound,
            corrected=(
                "the closed form is at most 102 times the sum of the four terms when |S| ≥ 2 (so "
                "that D ≥ 1) and D̂ ≤ N"
            ),
            consequence="survives under an added assumption, |S| ≥ 2",
        ),
    ),
    TOTALS.bound(
        "E15.star.first",
        "1057-1063",
        "the first term of O is at most 3·f·ln f for the f of O*: for g = N·D·|S|²|A| and "
        "w = ln(|F|/δ), g·(ln |A| + ln N + w) ≤ 3·g·w·ln f (here over g)",
        ln_actions + ln_bound + w,
        3 * w * ln_f,
        {ln_f: ln_actions + ln_bound + 1, w: _ONE_HALF, ln_actions: 0, ln_bound: 0},
        Slip("a smaller right side", right=w * ln_f),
        assumptions=(
            _TWO_STATES,
            "ln f ≥ ln(g·w) ≥ ln |A| + ln N + 2·ln 2 + ln ln 2 ≥ ln |A| + ln N + 1",
        ),
    ),
    TOTALS.bound(
        "E15.star.second",
        "1057-1063",
        "the second term of O is at most 3·f·ln f: ln |A| + ln N + w ≤ 3·(ln N + w)·ln f",
        ln_actions + ln_bound + w,
        3 * (ln_bound + w) * ln_f,
        {ln_f: ln_actions + ln_bound + 1, w: _ONE_HALF, ln_actions: 0, ln_bound: _ONE_HALF},
        Slip("a smaller right side", right=_ONE_HALF * (ln_bound + w) * ln_f),
        assumptions=(
            _TWO_STATES,
            "ln f ≥ ln |A| + ln N + 1",
        ),
    ),
    TOTALS.bound(
        "E15.star.others",
        "1057-1063",
        "the third and fourth terms of O are at most 3·f·ln f: ln |S| + w ≤ 3·w·ln f",
        ln_states + w,
        3 * w * ln_f,
        {ln_f: ln_states + 1, w: _ONE_HALF, ln_states: 0},
        Slip("a smaller right side", right=w * ln_f),
        assumptions=(
            _TWO_STATES,
            "ln f ≥ ln N + 1 ≥ ln |S| + 1",
        ),
    ),
    TOTALS.enclosed(
        "E15.star.numbers",
        "1057-1063",
        "2·ln 2 + ln ln 2 ≥ 1",
        partial(_two_logs, 2),
        Mutant("ln 2 + ln ln 2 ≥ 1", partial(_two_logs, 1)),
    ),
)
