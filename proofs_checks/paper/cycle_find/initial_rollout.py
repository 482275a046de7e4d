"""The first rollout holds the samples of every period test (l. 538-567, 643-648)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Integer, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.together import beside
from proofs_checks.proofs.timing import TIMING
from proofs_checks.replays import proof
from proofs_checks.sections import PERIOD
from proofs_checks.small_cases.period_settings import TESTABLE, Setting, on_settings
from steel_verified.theory.counts import (
    initial_rollout,
    period_test_repetitions,
    period_test_samples,
)
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.schedules import FixedByParameters, period_test

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

    _Bounds = Mapping[Symbol, Expr | int]


def _printed_counts(setting: Setting, rounding: int) -> bool:
    """The code's c_init and k are the printed ones, and n_samp.cyc. the least that is enough."""
    p, a, n = setting.recipe.parameters, setting.length, period_test_samples(setting.recipe)
    share = p.delta / (4 * p.actions * p.max_states * (p.max_states - 1) * p.class_size)
    rate = Fraction(9, 16)
    settling = max((p.max_states - 1) * a, p.mixing_time)
    initial = (
        (2 * p.mixing_time + 3 * p.max_states * a - 2) * n
        - p.mixing_time
        - p.max_states * a
        + rounding
        + settling
    )
    repetitions = []
    for hypothesis in range(2, p.max_states + 1):
        r = ceil_div(p.mixing_time, hypothesis * a) * hypothesis
        repetitions.append((initial + r * a - settling) // (2 * r * a + hypothesis * a))
    found = [
        period_test_repetitions(setting.recipe, a, hypothesis)
        for hypothesis in range(2, p.max_states + 1)
    ]
    return (
        rate**n <= share < rate ** (n - 1)
        and initial == initial_rollout(setting.recipe, a)
        and repetitions == found
        and min(found) >= n
    )


def _within_rollout(setting: Setting, spare: int) -> bool:
    """Every sample of every test is taken from t̂_mix to c_init − `spare` words."""
    last = initial_rollout(setting.recipe, setting.length) - spare * setting.length
    for hypothesis in range(2, setting.most + 1):
        test = period_test(setting.recipe, setting.length, hypothesis, FixedByParameters())
        if min(test.ones.first, test.zeros.first) < setting.mixing:
            return False
        if max(test.ones.last, test.zeros.last) > last:
            return False
    return True


N, t, a, n = (Symbol(name) for name in ("N", "t", "a", "n"))
"""max_states, t̂_mix, |â|, n_samp.cyc."""
k, q = (Symbol(name) for name in ("k", "q"))
hyp = Symbol("hyp")
"""n'_cyc."""
left_over, unused = (Symbol(name) for name in ("left_over", "unused"))

_zero: Final = Integer(0)


def initial_steps(settling: Expr) -> Expr:
    """c_init."""
    return (2 * t + 3 * N * a - 2) * n - t - N * a + 1 + settling


def _last_sample_fits(spare: Expr | int) -> Evidence:
    """The last sample of D_0 comes no later than c_init, for k as defined.

    c_init + r|â| − settling = k(2r + n')|â| + left_over, and r = q·n'.
    """
    r, settling = q * hyp, Symbol("settling")
    initial = k * (2 * r + hyp) * a + left_over - r * a + settling
    last = settling + (r + (2 * r + hyp) * (k - 1) + hyp - 1) * a
    bounds: _Bounds = {k: 1, left_over: 0, q: 1, hyp: 2, a: 1, settling: 1}
    return at_most(last + spare, initial, bounds)


def _shorter_rollout(saved: Expr) -> Evidence:
    """n repetitions of the tests with the smaller r fit into c_init − saved, when t̂_mix > |â|.

    r|â| is t̂_mix − |â| rounded up to whole cycles, `unused` below the most that it can be.
    """
    wait = (t - a) + hyp * a - 1 - unused
    last = (2 * wait + hyp * a) * n - wait - a
    bounds: _Bounds = {N: hyp, hyp: 2, n: 1, unused: 0, t: a + 1, a: 1}
    return at_most(last, initial_steps(_zero) - saved, bounds)


CLAIMS: Final = (
    PERIOD.proved(
        "A05.last",
        "538",
        "The last sample of D_0 comes at the latest |â| steps before c_init: the samples of all "
        "k repetitions lie within the rollout",
        partial(_last_sample_fits, a),
        Mutant("one step more than |â| to spare", partial(_last_sample_fits, a + 1)),
    ),
    PERIOD.exhausted(
        "A05.counts",
        "538, 542, 566-567",
        "n_samp.cyc. is the least n with (9/16)ⁿ ≤ δ/(4|A|N(N−1)|F|); c_init and k are computed "
        "as defined, and k ≥ n_samp.cyc. for every n'",
        partial(on_settings, partial(_printed_counts, rounding=1)),
        Mutant("c_init one less", partial(on_settings, partial(_printed_counts, rounding=0))),
        assumptions=(TESTABLE,),
    ),
    PERIOD.proved(
        "A05.times",
        "538",
        "All samples of all period tests are taken from step t̂_mix to step c_init − |â| of a call",
        beside(
            partial(on_settings, partial(_within_rollout, spare=1)),
            proof(TIMING, "A05_ones", "A05_zeros"),
        ),
        Mutant("2|â| steps to spare", partial(on_settings, partial(_within_rollout, spare=2))),
        proof(TIMING, "A05_ones", "A05_zeros").misstated(
            "j up to n'", "A05_zeros", given="0 <= i < k, 1 <= j <= n"
        ),
        assumptions=(TESTABLE,),
    ),
    PERIOD.proved(
        "S.A26",
        "538, 643-648",
        "With that q, if t̂_mix > |â|, n_samp.cyc. repetitions of every test fit into "
        "c_init − (2n_samp.cyc. − 1)|â| − |â| = c_init − 2n_samp.cyc.|â| steps",
        partial(_shorter_rollout, 2 * n * a),
        Mutant("2 steps fewer still", partial(_shorter_rollout, 2 * n * a + 2)),
        assumptions=(TESTABLE,),
    ),
)
