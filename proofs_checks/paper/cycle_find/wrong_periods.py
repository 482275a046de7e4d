"""A wrong period: some row of D_0 shows the states of D_1, t̂_mix apart (l. 564, 586-601).

Statements about residues write the multiple of the period out, so that they are identities.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from sympy import Integer, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.paper.cycle_find.hypotheses import matching_row, on_tested_loops
from proofs_checks.paper.cycle_find.looped_words import AFTER_TRANSIENT
from proofs_checks.proofs.looped_words import LOOPED_WORDS
from proofs_checks.replays import proof
from proofs_checks.sections import PERIOD
from proofs_checks.small_cases.period_settings import TESTABLE, Setting, on_settings
from steel_verified.theory.counts import settling_time
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.schedules import FixedByParameters, period_test

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

    _Bounds = Mapping[Symbol, Expr | int]


def _row_in_zeros(setting: Setting, largest_period: int) -> bool:
    """D_0^(j') is a row of D_0, whatever the smaller period is."""
    for hypothesis in range(2, setting.most + 1):
        test = period_test(setting.recipe, setting.length, hypothesis, FixedByParameters())
        zeros = set(test.zeros)
        r = ceil_div(setting.mixing, hypothesis * setting.length) * hypothesis
        for period in range(1, hypothesis + largest_period):
            j = matching_row(r, period)
            start = settling_time(setting.recipe, setting.length)
            row = {
                start + (r + (2 * r + hypothesis) * i + j) * setting.length
                for i in range(test.ones.levels[0].count)
            }
            if not row <= zeros:
                return False
    return True


def _pooled_gap(setting: Setting, beyond: int) -> bool:
    """Any two samples of D_1 ⊎ D_0^(j) are at least t̂_mix + `beyond` words apart."""
    for hypothesis in range(2, setting.most + 1):
        test = period_test(setting.recipe, setting.length, hypothesis, FixedByParameters())
        for j in range(1, hypothesis):
            times = sorted(test.pooled(j))
            gaps = [later - earlier for earlier, later in pairwise(times)]
            if min(gaps) < setting.mixing + beyond * setting.length:
                return False
    return True


t, a = (Symbol(name) for name in ("t", "a"))
"""t̂_mix, |â|."""
q, i, j = (Symbol(name) for name in ("q", "i", "j"))
cyc, hyp, multiple, rest, more = (
    Symbol(name) for name in ("cyc", "hyp", "multiple", "rest", "more")
)
"""n_cyc, n'_cyc, a factor of n_cyc, a remainder, what rounding up adds."""


def _row_range(larger_by: int) -> Evidence:
    """j' − 1 is a remainder modulo n_cyc, and n_cyc < n'."""
    bounds: _Bounds = {hyp: cyc + larger_by, cyc: rest + 1, rest: 0}
    return together(
        partial(at_most, Integer(1), rest + 1, bounds),
        partial(at_most, rest + 1, hyp - 1, bounds),
    )


def _row_of_zeros(before: int) -> Evidence:
    """The printed index of D_0^(j'), in words, is that of the code's row; and j' is in range."""
    r = q * hyp
    printed = r + (2 * r + hyp) * i + rest + 1
    return together(
        partial(identity, printed, (r + 1) + (2 * r + hyp) * i + (rest + 1 - before)),
        partial(_row_range, 1),
    )


def _same_residue(shift: int) -> Evidence:
    """If −r − 1 = multiple·n_cyc + rest and j' = rest + 1, the indices differ by a multiple."""
    r = -1 - multiple * cyc - rest
    row = rest + 1 + shift
    return identity(r + (2 * r + hyp) * i + row - (2 * r + hyp) * i, -multiple * cyc)


def _gaps(beyond: Expr | int, *, least_wait: Expr, least_row: int) -> Evidence:
    """Both gaps around a sample of D_0^(j') are at least t̂_mix + beyond; wait = r|â|."""
    wait = least_wait + more
    bounds: _Bounds = {hyp: j + 1, j: least_row, more: 0, t: 1, a: 1}
    return together(
        partial(at_most, t + beyond, wait + j * a, bounds),
        partial(at_most, t + beyond, wait + (hyp - j) * a, bounds),
    )


CLAIMS: Final = (
    PERIOD.proved(
        "A17",
        "586",
        "1 ≤ j' = (−r−1) % n_cyc + 1 ≤ n_cyc ≤ n' − 1 if n_cyc < n'",
        partial(_row_range, 1),
        Mutant("n_cyc ≤ n'", partial(_row_range, 0)),
    ),
    PERIOD.proved(
        "A18.residue",
        "588-592",
        "r + (2r + n')i + j' and (2r + n')i differ by a multiple of n_cyc",
        partial(_same_residue, 0),
        Mutant("j' = (−r−1) % n_cyc", partial(_same_residue, -1)),
    ),
    PERIOD.proved(
        "A18.state",
        "588-592",
        "If n_cyc < n', the i-th samples of D_1 and of D_0^(j') show the same latent state, for "
        "every i (different i may show different states)",
        beside(partial(on_tested_loops, equal=False, shift=0), proof(LOOPED_WORDS, "A18_state")),
        Mutant("D_0^(j') one word earlier", partial(on_tested_loops, equal=False, shift=-1)),
        proof(LOOPED_WORDS, "A18_state").misstated(
            "n_cyc ≤ n'", "A18_state", given="o >= (N - 1) * L, n_cyc(0) <= n, q >= 0, i >= 0"
        ),
        assumptions=(AFTER_TRANSIENT,),
    ),
    PERIOD.proved(
        "A19.index",
        "596",
        "The i-th sample of D_0^(j') is the one of D_0 at (i, j'): j' is one of 1, …, n' − 1, and "
        "the code's D_0, which begins a word after r, reaches it in j' − 1 words",
        partial(_row_of_zeros, 1),
        Mutant("j' words", partial(_row_of_zeros, 0)),
    ),
    PERIOD.exhausted(
        "A19.code",
        "596",
        "D_0^(j') ⊆ D_0 for every n_cyc < n', at the times that the code computes",
        partial(on_settings, partial(_row_in_zeros, largest_period=0)),
        Mutant("n_cyc = n' too", partial(on_settings, partial(_row_in_zeros, largest_period=1))),
        assumptions=(TESTABLE,),
    ),
    PERIOD.proved(
        "A20",
        "601",
        "(r + j')|â| ≥ t̂_mix and (r + n' − j')|â| ≥ t̂_mix, as r|â| ≥ t̂_mix and 1 ≤ j' < n'",
        partial(_gaps, 0, least_wait=t, least_row=1),
        Mutant("r|â| ≥ t̂_mix − |â| − 1 only", partial(_gaps, 0, least_wait=t - a - 1, least_row=1)),
    ),
    PERIOD.proved(
        "S.A20.wider",
        "601",
        "Any two samples of D_1 ⊎ D_0^(j') are at least t̂_mix + |â| apart: |â| more than needed",
        partial(_gaps, a, least_wait=t, least_row=1),
        Mutant("j' = 0 is allowed", partial(_gaps, a, least_wait=t, least_row=0)),
    ),
    PERIOD.exhausted(
        "S.A20.code",
        "601",
        "The same for every row of D_0, at the times that the code computes",
        partial(on_settings, partial(_pooled_gap, beyond=1)),
        Mutant("2|â| more than needed", partial(on_settings, partial(_pooled_gap, beyond=2))),
        assumptions=(TESTABLE,),
    ),
    PERIOD.proved(
        "S.A20.shorter",
        "564, 601",
        "r|â| ≥ t̂_mix − |â| is enough for both gaps: q = ⌈max(t̂_mix − |â|, 0)/(n'|â|)⌉ would do",
        partial(_gaps, 0, least_wait=t - a, least_row=1),
        Mutant("j' = 0 is allowed", partial(_gaps, 0, least_wait=t - a, least_row=0)),
    ),
)
