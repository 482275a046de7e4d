"""From which segment length on DoublePrime and SinglePrime are told apart (l. 1879, 1984)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import equal
from proofs_checks.kernels.slack import at_most
from proofs_checks.sections import EXPLORATION, PRIME_LOOPS
from proofs_checks.small_cases.inverse_losses import (
    IN_THE_LIMIT,
    Encoder,
    first_difference,
    merging,
    optimal,
    single_prime,
    smallest_encoders_in,
)
from proofs_checks.small_cases.prime_pairs import (
    MEDIUM_PAIRS,
    SMALL_PAIRS,
    Equals,
    Pair,
    for_all,
    prime_loops,
    primes_up_to,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr


p, q, m, n, unused = (Symbol(name) for name in ("p", "q", "m", "n", "unused"))

_SMALLEST: Final = primes_up_to(5)
_SMALLEST_SIZE: Final = "all primes p < q ≤ 5, every K, all encoders"


def _same_loss(pair: Pair, beyond: int) -> bool:
    return optimal(pair, (pair[1] - 1) * pair[0] + beyond, single_prime(pair))


def _smallest_encoders(pair: Pair, longest: int) -> tuple[Encoder, ...]:
    return smallest_encoders_in(prime_loops(2, pair).table, longest)


def _few_outputs(pair: Pair, beyond: int) -> bool:
    lengths = range(1, (pair[1] - 1) * pair[0] + beyond + 1)
    return all(len(set(_smallest_encoders(pair, k)[0])) <= pair[1] for k in lengths)


def _needed_for_all(pair: Pair, longest: int) -> bool:
    """Whether every encoder that merges just two observations has a larger loss for this K.

    Then every encoder that merges anything has, as one that merges less never has a larger loss.
    """
    size = 2 * pair[1]
    return not any(
        optimal(pair, longest, merging(size, one, other))
        for other in range(size)
        for one in range(other)
    )


def _threshold_is(pair: Pair, least: int) -> bool:
    return _needed_for_all(pair, least) and not _needed_for_all(pair, least - 1)


def _all_outputs_need(pair: Pair) -> int:
    return pair[0] * pair[1] + pair[1] - pair[0]


def _smaller_encoder_at_3() -> bool:
    """On DoublePrime(3, 5) with K = 3 ≤ 12, three outputs are enough for the least loss."""
    merged = (0, 1, 1, 2, 2) * 2
    return optimal((3, 5), 3, merged) and len(set(merged)) < 5


_diameter = 2 * q - 1
_PRIMES: Final[Mapping[Symbol, Expr | int]] = {q: p + 1, p: 2}
_ODD_PRIMES: Final[Mapping[Symbol, Expr | int]] = {q: p + 1, p: 3}

CLAIMS: Final = (
    PRIME_LOOPS.bound(
        "J06.proof",
        "1879",
        "k steps after 0, the position r ≤ p − 1 steps before 0 is met in both copies "
        "only if k + r = qm + p(n + q) with m, n ≥ 0, as the numbers of short loops then differ by "
        "an odd multiple of q (and one of 1, …, q − p even later); hence k ≥ (q − 1)p + 1",
        (q - 1) * p + 1,
        q * m + p * (n + q) - (p - 1 - unused),
        {**_PRIMES, m: 0, n: 0, unused: 0},
        Slip("k ≥ (q − 1)p + 2", left=(q - 1) * p + 2),
        assumptions=("p < q are primes, so that q is odd and prime to p",),
    ),
    PRIME_LOOPS.exhausted(
        "J06",
        "1879",
        "φ_SP and φ_DP have the same multistep-inverse loss for every K ≤ (q − 1)p",
        partial(for_all, MEDIUM_PAIRS, partial(_same_loss, beyond=0), "all primes p < q ≤ 13"),
        Mutant(
            "K ≤ (q − 1)p + 1",
            partial(for_all, SMALL_PAIRS, partial(_same_loss, beyond=1), "all primes p < q ≤ 7"),
        ),
        assumptions=(IN_THE_LIMIT,),
    ),
    PRIME_LOOPS.equation(
        "S.J06.proof",
        "1879",
        "(q − 1)p is sharp: (q − 1)p + 1 = pq − (p − 1), so that k = (q − 1)p + 1 steps "
        "after 0 the position p − 1 steps before 0 is met in one copy after long loops only (first "
        "action 0), in the other after short loops only (first action 1)",
        (q - 1) * p + 1,
        p * q - (p - 1),
        Slip("at K = (q − 1)p", left=(q - 1) * p),
        assumptions=("pq = qm + pn with m, n ≥ 0 only for (m, n) = (p, 0) and (0, q)",),
    ),
    PRIME_LOOPS.exhausted(
        "S.J06",
        "1879",
        "(q − 1)p is sharp: at K = (q − 1)p + 1 the loss of φ_SP is larger for the first time",
        partial(
            for_all,
            MEDIUM_PAIRS,
            Equals(first_difference, lambda a, b: (b - 1) * a + 1),
            "all primes p < q ≤ 13",
        ),
        Mutant(
            "at K = pq",
            partial(for_all, SMALL_PAIRS, Equals(first_difference, lambda a, b: a * b), "q ≤ 7"),
        ),
        assumptions=(IN_THE_LIMIT,),
    ),
    PRIME_LOOPS.equation(
        "J07",
        "1879",
        "with D = 2q − 1, D²/4 − (q − 1)p = (q − 1)(q − p) + 1/4: for a bounded gap "
        "q − p the ratio of (q − 1)p to D²/4 tends to 1",
        _diameter**2 / 4 - (q - 1) * p,
        (q - 1) * (q - p) + Rational(1, 4),
        Slip("D = 2q", left=(2 * q) ** 2 / 4 - (q - 1) * p),
    ),
    PRIME_LOOPS.exhausted(
        "J08",
        "1879",
        "for K ≤ (q − 1)p AC-State returns an encoder with at most q outputs, never φ_DP",
        partial(for_all, _SMALLEST, partial(_few_outputs, beyond=0), _SMALLEST_SIZE),
        Mutant(
            "for one K more",
            partial(for_all, _SMALLEST, partial(_few_outputs, beyond=1), _SMALLEST_SIZE),
        ),
        assumptions=(IN_THE_LIMIT, "all encoders are candidates"),
        erratum=Erratum(
            printed="for every K ≤ (q − 1)p AC-State returns φ_SP",
            counterexample="DoublePrime(3, 5), K = 3: the encoder with the classes {0, 0'}, "
            "{1, 2, 1', 2'}, {3, 4, 3', 4'} has the least loss too, and only 3 < 5 outputs",
            refuted=_smaller_encoder_at_3,
            corrected="for every K ≤ (q − 1)p AC-State returns some encoder with at most q "
            "outputs; φ_SP if only φ_SP and φ_DP are candidates",
            consequence="none for the argument or the experiments, which compare just these two "
            "encoders: what is returned is wrong either way",
        ),
    ),
    PRIME_LOOPS.proved(
        "S.J08",
        "1879",
        "on DoublePrime(3, 5) the encoder that AC-State returns is φ_SP, and no other of "
        "its size, exactly for K = 7, …, 12",
        lambda: equal(
            [k for k in range(1, 14) if _smallest_encoders((3, 5), k) == (single_prime((3, 5)),)],
            list(range(7, 13)),
        ),
        Mutant(
            "for K = 1, …, 12",
            lambda: equal(
                [k for k in range(1, 14) if single_prime((3, 5)) in _smallest_encoders((3, 5), k)],
                list(range(1, 13)),
            ),
        ),
        assumptions=(IN_THE_LIMIT, "all encoders are candidates"),
    ),
    EXPLORATION.proved(
        "J19.two",
        "1984",
        "with p ≥ 3, telling φ_DP from φ_SP takes segments longer than the diameter: "
        "(q − 1)p + 1 ≥ D + 1",
        partial(at_most, _diameter + 1, (q - 1) * p + 1, _ODD_PRIMES),
        Mutant("p = 2 too", partial(at_most, _diameter + 1, (q - 1) * p + 1, _PRIMES)),
        assumptions=("p ≥ 3, as in every experiment; for p = 2 it takes exactly D",),
    ),
    EXPLORATION.bound(
        "J19.all",
        "1984",
        "if all encoders are candidates, segments longer than the diameter are required "
        "for every p < q: pq + q − p ≥ D + 1",
        _diameter + 1,
        p * q + q - p,
        _PRIMES,
        Slip("D + 3 at least", left=_diameter + 3),
    ),
    PRIME_LOOPS.exhausted(
        "S.J19",
        "1879, 1984",
        "if all encoders are candidates, AC-State returns φ_DP exactly from "
        "K = pq + q − p on: until then q − p and (q − p)' can be merged at no loss",
        partial(
            for_all,
            SMALL_PAIRS,
            lambda pair: _threshold_is(pair, _all_outputs_need(pair)),
            "all primes p < q ≤ 7, all encoders",
        ),
        Mutant(
            "from K = (q − 1)p + 1 on",
            partial(
                for_all,
                SMALL_PAIRS,
                lambda pair: _threshold_is(pair, (pair[1] - 1) * pair[0] + 1),
                "all primes p < q ≤ 7, all encoders",
            ),
        ),
        assumptions=(IN_THE_LIMIT,),
    ),
)
