"""Phase 3: how surely the trained classifiers are right (l. 964-998, 1021-1025)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol, exp, log

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exact, exhausted
from proofs_checks.kernels.together import beside
from proofs_checks.proofs.chains.eigenvector import all_pass
from proofs_checks.proofs.injections import EVENTS
from proofs_checks.replays import proof, shown_by
from proofs_checks.sections import PHASE_3
from steel_verified.theory.exact import ball

if TYPE_CHECKING:
    from collections.abc import Iterator


N, S, A = (Symbol(name, positive=True) for name in ("N", "S", "A"))
F, eps, delta, d = (Symbol(name, positive=True) for name in ("F", "eps", "delta", "d"))
q, rest = (Symbol(name, positive=True) for name in ("q", "rest"))

_fits = 8 * exp(-eps * d / (3 * S))
"""Lemma 2's bound for one classifier and one state."""


def _function_of_noise_alone() -> bool:
    """With one noise state and a fair coin as observation, is no function of e equal to f'(x)?"""
    law = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    return not any(all(g == x for x, weight in law.items() if weight) for g in (0, 1))


def _bad_pairs_of(states: int, *, each: int) -> bool:
    """How many (value wanted, state) pairs the |S|² tests of one classifier really are."""
    pairs = {(wanted == s, s) for wanted in range(states) for s in range(states)}
    return len(pairs) <= each * states


def _emissions() -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Two noise states that swap with chances `on` and `off`, and how often f' errs in each."""
    swaps = [Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)]
    errs = [Fraction(0), Fraction(1, 3), Fraction(1)]
    yield from product(swaps, swaps, errs, errs)


def _fits_rarely(
    case: tuple[Fraction, Fraction, Fraction, Fraction], *, factor: int, rate: Fraction
) -> bool:
    """Lemma 2 for random emissions: exact chances from both starts, samples t_mix apart."""
    on, off, *errs = case
    stationary = (off / (on + off), on / (on + off))
    # Of two states, the total variation after m steps is |1 − on − off|^m times the farther one.
    wait = next(
        m for m in range(1, 99) if abs(1 - on - off) ** m * max(stationary) <= Fraction(1, 4)
    )
    shrunk = (1 - on - off) ** wait
    jump = [[p + shrunk * ((s == e) - p) for e, p in enumerate(stationary)] for s in (0, 1)]
    eta = sum(p * err for p, err in zip(stationary, errs, strict=True))
    for start in (0, 1):
        weights = [Fraction(s == start) for s in (0, 1)]
        for samples in range(1, 31):
            weights = [
                sum((weights[s] * jump[s][e] for s in (0, 1)), Fraction(0)) * (1 - errs[e])
                for e in (0, 1)
            ]
            if not ball(sum(weights, Fraction(0))) <= factor * ball(-rate * eta * samples).exp():
                return False
    return True


CLAIMS: Final = (
    PHASE_3.equation(
        "E01",
        "964",
        "|S| classifiers that each err on a state with chance ≤ ε/|S| are all right on it with "
        "chance ≥ 1 − |S|·ε/|S| = 1 − ε",
        1 - S * (eps / S),
        1 - eps,
        Slip("another factor", right=1 - 2 * eps),
    ),
    PHASE_3.equation(
        "E03",
        "972-978",
        "the pair (e_t, f'(x_t)) with x_t ~ Q(s, e_t) is a chain with the mixing time of e_t: "
        "where e has `rest` more or less weight than π gives it, the pair has rest·q and "
        "rest·(1 − q), which sum to `rest` again, so that total variation is unchanged",
        rest * q + rest * (1 - q),
        rest,
        Slip("emissions that do not sum to 1", left=rest * q + rest),
        assumptions=(
            "times are fixed independently of Ω, t_mix apart within each D(s)",
            "given the noise states, observations are drawn independently",
        ),
        erratum=Erratum(
            printed="Lemma 2, which is about a function f of the noise state e, bounds the chance "
            "that a classifier f'(x) fits",
            counterexample=(
                "one noise state, and x a fair coin given it: f'(x) = x is 0 and 1 at the same e, "
                "so it is no function of e"
            ),
            refuted=_function_of_noise_alone,
            corrected=(
                "Lemma 2 bounds it when it is applied to the chain of pairs (e, f'(x)), on those "
                "that have positive probability; its mixing time is that of e"
            ),
            consequence="survives as is, with the same constants",
        ),
    ),
    PHASE_3.enclosed(
        "E03.chains",
        "972-978",
        "a classifier that errs on a state with chance η fits n samples of it, t_mix apart, "
        "with chance ≤ 8·exp(−ηn/3), where observations are random given the noise",
        beside(
            partial(
                exact,
                tuple(_emissions()),
                partial(_fits_rarely, factor=8, rate=Fraction(1, 3)),
                "two noise states, both starts, n ≤ 30",
            ),
            partial(shown_by, all_pass),
        ),
        Mutant("8·exp(−ηn/2)", partial(shown_by, all_pass, rate=Fraction(1, 2))),
        Mutant(
            "exp(−ηn), tried",
            partial(
                exact,
                tuple(_emissions()),
                partial(_fits_rarely, factor=1, rate=Fraction(1)),
                "two noise states, both starts, n ≤ 30",
            ),
        ),
    ),
    PHASE_3.equation(
        "E04",
        "974, 978",
        "Lemma 2 at chance ε/|S| and d samples is 8·exp(−εd/(3|S|))",
        8 * exp(-(eps / S) * d / 3),
        _fits,
        Slip("another factor", right=8 * exp(-eps * d / S)),
    ),
    PHASE_3.equation(
        "E05",
        "982",
        "one bound for s and |S|−1 for the other states: 8|S|·exp(−εd/(3|S|))",
        _fits + (S - 1) * _fits,
        S * _fits,
        Slip("another factor", right=(S - 1) * _fits),
    ),
    PHASE_3.equation(
        "E06",
        "986",
        "over all of F: 8|S||F|·exp(−εd/(3|S|))",
        F * (8 * S * exp(-eps * d / (3 * S))),
        S * F * _fits,
        Slip("another factor", right=S * (F - 1) * _fits),
    ),
    PHASE_3.equation(
        "E07",
        "990",
        "over the classifiers of |S| states: 8|S|²|F|·exp(−εd/(3|S|))",
        S * (8 * S * F * exp(-eps * d / (3 * S))),
        S**2 * F * _fits,
        Slip("another factor", right=S * F * _fits),
    ),
    PHASE_3.bound(
        "S.E07",
        "990",
        "16|S||F|·exp(−εd/(3|S|)) is enough, and never more than 8|S|²|F|·exp(…) for |S| ≥ 2: a "
        "classifier can only fit all of D(s') as 1, or all of it as 0, whichever f_s it is for",
        16 * S,
        8 * S**2,
        {S: 2},
        Slip("a smaller right side", right=8 * S),
        assumptions=("S.E07.pairs",),
    ),
    PHASE_3.proved(
        "S.E07.pairs",
        "990",
        "the |S|² tests of one classifier are at most 2|S| different events",
        beside(
            partial(exhausted, range(1, 41), partial(_bad_pairs_of, each=2), "|S| ≤ 40"),
            proof(EVENTS, "S_E07"),
        ),
        proof(EVENTS, "S_E07").without("an event may be counted twice", "different"),
        Mutant(
            "|S| events",
            partial(exhausted, range(1, 41), partial(_bad_pairs_of, each=1), "|S| ≤ 40"),
        ),
    ),
    PHASE_3.equation(
        "S.E12",
        "990, 1025",
        "so d = 3|S|·ln(32|S||F|/δ)/ε samples of each state keep phase 3 within δ/2",
        16 * S * F * exp(-eps * (3 * S * log(32 * S * F / delta) / eps) / (3 * S)),
        delta / 2,
        Slip("another factor", right=delta / 4),
    ),
    PHASE_3.equation(
        "E08.share",
        "995-998",
        "|S||A|·δ/(2|A|N) = (|S|/N)·δ/2",
        S * A * (delta / (2 * A * N)),
        S / N * delta / 2,
        Slip("another factor", right=S / N * delta),
    ),
    PHASE_3.equation(
        "E12",
        "1021-1025",
        "8|S|²|F|·exp(−εd/(3|S|)) is exactly δ/2 at d = 3|S|·ln(16|S|²|F|/δ)/ε",
        8 * S**2 * F * exp(-eps * (3 * S * log(16 * S**2 * F / delta) / eps) / (3 * S)),
        delta / 2,
        Slip("another factor", right=delta),
    ),
)
