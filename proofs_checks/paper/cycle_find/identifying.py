"""Telling positions apart: tests between them, and what these may fail with (l. 753-801)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Rational, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.paper.cycle_find.position_times import BOTH_HALVES, early_time, late_time
from proofs_checks.proofs.chains.blocks import blocks_are_hard_to_fit
from proofs_checks.proofs.chains.events import union_bound
from proofs_checks.proofs.chains.vocabulary import FINITE
from proofs_checks.proofs.deciding import CLASSIFIERS
from proofs_checks.proofs.naming import COMPARING
from proofs_checks.replays import proof, shown_by, shown_without
from proofs_checks.sections import IDENTIFYING
from steel_verified.learning.classes import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sympy import Expr


N, S, D, D_bound, a, t, n, F, A, delta = (
    Symbol(name) for name in ("N", "S", "D", "D_bound", "a", "t", "n", "F", "A", "delta")
)
"""N, |S|, D, D̂, |â|, t̂_mix, n_samp., |F|, |A|, δ."""
period, stride, start = (Symbol(name) for name in ("period", "stride", "start"))
"""n_cyc, L·rounds, n_0."""
L, k, later, rest, other_rest, p = (
    Symbol(name) for name in ("L", "k", "later", "rest", "other_rest", "p")
)
u, v, q, old, new, unused, before = (
    Symbol(name) for name in ("u", "v", "q", "old", "new", "unused", "before")
)


def _labellings() -> Iterator[tuple[tuple[int, ...], tuple[bool, ...]]]:
    """φ*: X → S with |X| ≤ 4, |S| ≤ 3, and one more classifier, whatever it is."""
    for size in range(2, 5):
        yield from product(product(range(3), repeat=size), product((False, True), repeat=size))


def _told_apart(
    case: tuple[tuple[int, ...], tuple[bool, ...]], *, without: int | None = None
) -> bool:
    encoder, extra = case
    oracle = tables([*([e == s for e in encoder] for s in range(3) if s != without), extra])
    # All that shows a state: a part of it is no harder to tell apart.
    shown = {
        state: oracle.summarise(np.flatnonzero(np.array(encoder) == state))
        for state in set(encoder)
    }
    return all(
        oracle.separating(zeros, ones) is not None
        for (zero, zeros), (one, ones) in product(shown.items(), shown.items())
        if zero != one
    )


def _labels() -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """|S| ≤ 4, known states, and the labels of up to 5 positions, new ones numbered in order."""
    for states in range(1, 5):
        for known in range(states + 1):
            for length in range(1, 6):
                for labels in product(range(states), repeat=length):
                    grown = known
                    for label in labels:
                        if label > grown:
                            break
                        grown = max(grown, label + 1)
                    else:
                        yield states, known, labels


def _few_tests(case: tuple[int, int, tuple[int, ...]], *, fewer: int = 0) -> bool:
    """Whether the tests up to the first match are within (L − m)|S| + m·known + m(m − 1)/2."""
    states, known, labels = case
    tests, grown = 0, known
    for label in labels:
        tests += min(label + 1, grown)
        grown = max(grown, label + 1)
    found = grown - known
    most = (len(labels) - found) * states + found * known + found * (found - 1) // 2
    return tests <= most - fewer


_SIZES: Final = "|S| ≤ 4, every number of known states, every labelling of up to 5 positions"
_quarter = Rational(1, 4)
_per_pair = (p + _quarter) * (1 - (p - _quarter))
_most_tests_twice = 2 * ((L - new) * S + new * old) + new * (new - 1)
_KNOWN_AND_NEW: Final[Mapping[Symbol, Expr | int]] = {S: old + new, L: new, old: 0, new: 0}

CLAIMS: Final = (
    IDENTIFYING.proved(
        "B14",
        "753",
        "datasets of two different states are told apart by some f ∈ F, on every sample",
        beside(
            lambda: exhausted(
                _labellings(), _told_apart, "|X| ≤ 4, |S| ≤ 3, every φ*, every further classifier"
            ),
            proof(CLASSIFIERS, "B14"),
        ),
        Mutant(
            "a state without its classifier",
            lambda: exhausted(_labellings(), partial(_told_apart, without=0), "|X| ≤ 4, |S| ≤ 3"),
        ),
        proof(CLASSIFIERS, "B14").without("datasets of one state", "two_states"),
        assumptions=("realizability: 1[φ*(x) = s] ∈ F for every s",),
    ),
    IDENTIFYING.bound(
        "B15",
        "756",
        "samples from before a call are at least n_0 ≥ t̂_mix steps before those of the call",
        t,
        # The call begins at step `before` + `unused`, an old sample is taken at `before`.
        (before + unused + early_time(k, rest)) - before,
        {start: t, unused: 0, before: 0, k: 0, rest: 0, stride: t, t: 1},
        Slip("t̂_mix + 1 steps", left=t + 1, right=unused + early_time(k, rest)),
    ),
    IDENTIFYING.bound(
        "B15.size",
        "756",
        "D(s) holds at least 2n_samp. ≥ n_samp. samples from before: it began as some D'_i",
        n,
        2 * n + later,
        {n: 1, later: 0},
        Slip("3n_samp. samples", left=3 * n),
    ),
    IDENTIFYING.bound(
        "B16",
        "758",
        "for positions j < i of one call, D^A_j ⊎ D^B_i is at least t̂_mix apart: D^B_i comes after "
        "D^A_j, by t̂_mix + 1 steps at least",
        t + 1,
        late_time(later, other_rest) - early_time(k, rest),
        BOTH_HALVES,
        Slip(
            "D^A_i against D^A_j", left=t, right=early_time(later, other_rest) - early_time(k, rest)
        ),
    ),
    IDENTIFYING.proved(
        "B17",
        "765-772",
        "f' is 0 on n_samp. samples and 1 on n_samp. later ones of the same state with chance at "
        "most ((p + 1/4)(1 − (p − 1/4)))^n_samp. ≤ (9/16)^n_samp., and some f' ∈ F with at most "
        "|F| times that",
        partial(
            together,
            partial(shown_by, blocks_are_hard_to_fit),
            partial(shown_by, union_bound),
            partial(identity, _per_pair, Rational(9, 16) - (p - Rational(1, 2)) ** 2),
        ),
        Mutant("(1/2)^n_samp.", partial(shown_by, blocks_are_hard_to_fit, Fraction(1, 2))),
        Mutant("no mixing", partial(shown_without, "t_mix", blocks_are_hard_to_fit)),
        Mutant(
            "1/5 for 1/4 on one side",
            partial(
                identity,
                (p + Rational(1, 5)) * (1 - (p - _quarter)),
                Rational(9, 16) - (p - Rational(1, 2)) ** 2,
            ),
        ),
        assumptions=(
            "n_samp. samples are taken from D_0', and n_samp. from D_1' after them",
            FINITE,
        ),
    ),
    IDENTIFYING.equation(
        "B17.middle",
        "768",
        "(p + 1/4)(1 − (p − 1/4)) = −p² + p + 5/16",
        _per_pair,
        -(p**2) + p + Rational(5, 16),
        Slip("1/5 for 1/4 on one side", left=(p + Rational(1, 5)) * (1 - (p - _quarter))),
    ),
    IDENTIFYING.equation(
        "S.B17",
        "756-772",
        "against a state of an earlier call the exponent may be 2n_samp.: both D(s) and D'_i hold "
        "2n_samp. samples, and the square of a factor is (9/16 − (p − 1/2)²)² ≤ (9/16)²",
        (p + _quarter) ** 2 * (1 - (p - _quarter)) ** 2,
        (Rational(9, 16) - (p - Rational(1, 2)) ** 2) ** 2,
        Slip("one factor not squared", left=(p + _quarter) ** 2 * (1 - (p - _quarter))),
        assumptions=("0 ≤ p ≤ 1",),
    ),
    IDENTIFYING.bound(
        "B18",
        "775-777",
        "(L − m)|S| + m·known + m(m − 1)/2 ≤ |S|·n_cyc|â|: a call that finds m new states makes at "
        "most that many tests",
        _most_tests_twice,
        2 * S * L,
        _KNOWN_AND_NEW,
        Slip("a test less", left=_most_tests_twice + 2),
        assumptions=("known + m ≤ |S|: no verdict was wrong so far",),
    ),
    IDENTIFYING.bound(
        "S.B18",
        "775-777",
        "a call that finds m new states makes at most |S|·n_cyc|â| − m(m + 1)/2 tests",
        _most_tests_twice,
        2 * S * L - new * (new + 1),
        _KNOWN_AND_NEW,
        Slip("m(m + 2)/2 less", right=2 * S * L - new * (new + 2)),
        assumptions=("known + m ≤ |S|: no verdict was wrong so far",),
    ),
    IDENTIFYING.proved(
        "B18.count",
        "775-777",
        "comparing each position with the known states up to the first match takes at "
        "most (L − m)|S| + m·known + m(m − 1)/2 tests, m being the number of new states",
        beside(lambda: exhausted(_labels(), _few_tests, _SIZES), proof(COMPARING, "B18_count")),
        Mutant("a test less", lambda: exhausted(_labels(), partial(_few_tests, fewer=1), "")),
        proof(COMPARING, "B18_count").misstated(
            "a test more for each new state",
            "compared",
            then="(fresh(i) == 1 and cost(i) == known + new(i) + 1)"
            " or (fresh(i) == 0 and cost(i) <= S)",
        ),
    ),
    IDENTIFYING.equation(
        "B19",
        "779",
        "an index j ≡ i (mod n_cyc|â|) leaves the same remainder modulo |â| as i = u|â| + v: the "
        "action after s_i^cyc is â_{i % |â|}, whichever of its times is looked at",
        (u * a + v) + q * (period * a),
        (u + q * period) * a + v,
        Slip("modulo n_cyc|â| + 1", left=(u * a + v) + q * (period * a + 1)),
    ),
    IDENTIFYING.bound(
        "B22.tests",
        "797-799",
        "|S|·n_cyc·|â| ≤ N³(D̂ + 1)",
        S * period * (S * (D + 1) - unused),
        N**3 * (D_bound + 1),
        {N: S, S: period, period: 1, D_bound: D, D: 0, unused: 0},
        Slip("N² for N³", right=N**2 * (D_bound + 1)),
        assumptions=("n_cyc ≤ |S| ≤ N", "|â| ≤ |S|(D + 1)", "D ≤ D̂"),
    ),
    IDENTIFYING.equation(
        "B22",
        "797-801",
        "(N − 1)|F|·δ/(4|A|N(N − 1)|F|) + N³(D̂ + 1)|F|·δ/(4|A|N⁴(D̂ + 1)|F|) = δ/(2|A|N)",
        (N - 1) * F * delta / (4 * A * N * (N - 1) * F)
        + N**3 * (D_bound + 1) * F * delta / (4 * A * N**4 * (D_bound + 1) * F),
        delta / (2 * A * N),
        Slip(
            "N³ for N⁴ in n_samp.",
            left=(N - 1) * F * delta / (4 * A * N * (N - 1) * F)
            + N**3 * (D_bound + 1) * F * delta / (4 * A * N**3 * (D_bound + 1) * F),
        ),
        assumptions=("N ≥ 2; with N = 1 there is no period test, and half of it remains",),
    ),
)
