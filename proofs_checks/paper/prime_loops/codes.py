"""Codes of observations on prime loops: classifiers, forward losses, accuracies (l. 1879-1915)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Final

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.finite import equal
from proofs_checks.sections import PRIME_LOOPS
from proofs_checks.small_cases.inverse_losses import Encoder, deterministic, merging, single_prime
from proofs_checks.small_cases.prime_pairs import MANY_PAIRS, Equals, Pair, for_all, prime_loops


def _classifiers(indices: range, large: int) -> set[frozenset[int]]:
    """The sets of observations told from all others, for these i."""
    own = {frozenset({i + shift}) for i in indices for shift in (0, large)}
    return own | {frozenset({i, i + large}) for i in indices}


def _needed_classifiers(pair: Pair) -> set[frozenset[int]]:
    """The sets of observations of each latent state of either world: every one is forced."""
    large = pair[1]
    doubled = {frozenset({x}) for x in range(prime_loops(2, pair).states)}
    return doubled | {frozenset({i, i + large}) for i in range(prime_loops(1, pair).states)}


def _next_seen(pair: Pair, encoder: Encoder) -> set[Fraction]:
    """All chances Pr(code of x_{t+1} | code of x_t, a_t) on SinglePrime.

    i and i' are equally likely, whatever was seen before, so the code of x_t adds nothing to i.
    """
    large, chances = pair[1], set()
    for row in prime_loops(1, pair).table:
        for to in row:
            law: dict[int, Fraction] = {}
            for seen in (to, to + large):
                law[encoder[seen]] = law.get(encoder[seen], Fraction(0)) + Fraction(1, 2)
            chances |= set(law.values())
    return chances


def _accuracies(emission: tuple[Fraction, ...]) -> set[Fraction]:
    """Every chance to be right on a latent state that emits observations with these chances."""
    rights = product((0, 1), repeat=len(emission))
    return {
        sum((c for c, right in zip(emission, chosen, strict=True) if right), Fraction(0))
        for chosen in rights
    }


_HALVES: Final = (Fraction(1, 2), Fraction(1, 2))


def _imperfect_but_accepted(epsilon: Fraction) -> list[Fraction]:
    values = _accuracies(_HALVES) | _accuracies((Fraction(1),))
    return sorted(value for value in values if 1 - epsilon <= value < 1)


CLAIMS: Final = (
    PRIME_LOOPS.exhausted(
        "J09",
        "1879, 1906",
        "on any data of DoublePrime the forward loss of φ_SP and of φ_DP is 0: the next "
        "code is a function of code and action",
        partial(
            for_all,
            MANY_PAIRS,
            lambda pair: all(
                deterministic(prime_loops(2, pair).table, encoder)
                for encoder in (single_prime(pair), tuple(range(2 * pair[1])))
            ),
        ),
        Mutant(
            "for the encoder that merges only 0 and 0', too",
            partial(
                for_all,
                MANY_PAIRS,
                lambda pair: deterministic(
                    prime_loops(2, pair).table, merging(2 * pair[1], 0, pair[1])
                ),
            ),
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J11",
        "1901",
        "the 3q classifiers of i, of i' and of {i, i'} for i = 0, …, q − 1 are exactly "
        "those that realizability of both worlds forces",
        partial(
            for_all,
            MANY_PAIRS,
            lambda pair: (
                _classifiers(range(pair[1]), pair[1]) == _needed_classifiers(pair)
                and len(_needed_classifiers(pair)) == 3 * pair[1]
            ),
        ),
        Mutant(
            "2q are enough",
            partial(
                for_all,
                MANY_PAIRS,
                Equals(lambda pair: len(_needed_classifiers(pair)), lambda _, b: 2 * b),
            ),
        ),
        erratum=Erratum(
            printed="i ranges over {0, …, 1 − q}",
            counterexample="q = 5: no i ≥ 1 lies between 0 and 1 − q = −4, and the state 1 has no "
            "classifier",
            refuted=lambda: frozenset({1}) not in _classifiers(range(max(0, 1 - 5), 1), 5),
            corrected="i ranges over {0, …, q − 1}",
            consequence="none: a misprint; the count 3q is right",
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J15",
        "1906",
        "on SinglePrime the forward loss is 0 for φ_SP and ln 2 for φ_DP: the next code "
        "has chance 1 for the first and 1/2 for the second, always",
        partial(
            for_all,
            MANY_PAIRS,
            Equals(
                lambda pair: (
                    _next_seen(pair, single_prime(pair)),
                    _next_seen(pair, tuple(range(2 * pair[1]))),
                ),
                lambda _a, _b: ({Fraction(1)}, {Fraction(1, 2)}),
            ),
        ),
        Mutant(
            "0 for φ_DP",
            partial(
                for_all,
                MANY_PAIRS,
                Equals(
                    lambda pair: _next_seen(pair, tuple(range(2 * pair[1]))),
                    lambda _a, _b: {Fraction(1)},
                ),
            ),
        ),
    ),
    PRIME_LOOPS.proved(
        "J17",
        "1915",
        "as observations have chance 1 or 1/2 given the latent state, the accuracy on it "
        "is 0, 1/2 or 1, and one of at least 1 − ε = 0.51 is 1",
        lambda: equal(_imperfect_but_accepted(Fraction("0.49")), []),
        Mutant("ε = 1/2", lambda: equal(_imperfect_but_accepted(Fraction(1, 2)), [])),
    ),
)
