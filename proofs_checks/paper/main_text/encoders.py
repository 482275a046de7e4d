"""Classifiers, encoders and ranks of transition laws (l. 101, 137, 154, 245)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Matrix, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exact, exhausted
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import all_of, beside
from proofs_checks.proofs.deciding import CLASSIFIERS, TESTS
from proofs_checks.replays import proof
from proofs_checks.sections import NOTATION, OVERVIEW, RELATED
from proofs_checks.small_cases.worlds import small_worlds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.worlds.dynamics import Dynamics


S = Symbol("S")
"""|S|."""
x, y, eps = (Symbol(name) for name in ("x", "y", "eps"))
"""ln(|F|/δ), ln N + ln |A|, ε."""


def _classes() -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]]:
    """Every class on 3 observations, with every pair of datasets without repetitions."""
    functions = list(product((0, 1), repeat=3))
    subsets = [s for size in range(4) for s in combinations(range(3), size)]
    for size in range(1, len(functions) + 1):
        for family in combinations(functions, size):
            for zeros, ones in product(subsets, repeat=2):
                yield family, zeros, ones


def _least_loss_separates(weight: int) -> Evidence:
    """`weight` is what an error on D_1 costs; an error on D_0 costs 1."""

    def holds(
        case: tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]],
    ) -> bool:
        family, zeros, ones = case
        loss = {f: sum(f[v] for v in zeros) + weight * sum(1 - f[v] for v in ones) for f in family}
        perfect = {
            f for f in family if all(f[v] == 0 for v in zeros) and all(f[v] == 1 for v in ones)
        }
        least = min(loss.values())
        return not perfect or {f for f in family if loss[f] == least} <= perfect

    return exhausted(_classes(), holds, "all classes on 3 observations, all pairs of datasets")


def _argmax_is_right(errors: int) -> Evidence:
    """If at most `errors` classifiers are wrong on an observation, argmax finds its state."""

    def holds(case: tuple[int, tuple[int, ...]]) -> bool:
        state, values = case
        wrong = sum(value != (number == state) for number, value in enumerate(values))
        return wrong > errors or int(np.argmax(values)) == state

    cases = (
        (state, values)
        for states in range(1, 8)
        for state in range(states)
        for values in product((0, 1), repeat=states)
    )
    return exhausted(cases, holds, "all values of at most 7 classifiers")


def _rank(noise_states: int) -> Evidence:
    """One latent state, noise of one or two flickering bits that are seen: det P ≠ 0."""
    up, down = Symbol("up"), Symbol("down")
    one = ((1 - up, up), (down, 1 - down))
    if noise_states == 2:
        return identity(Matrix(one).det(), 1 - up - down)
    two = [
        [one[b // 2][c // 2] * one[b % 2][c % 2] for c in range(noise_states)]
        for b in range(noise_states)
    ]
    return identity(Matrix(two).det(), (1 - up - down) ** 4)


def _block_rank(states: int) -> Evidence:
    """P(x'|x, a) = Σ_s 1[T(φ*(x), a) = s]·Q(x'|s), on a world of 3 states, 2 observations each."""
    chance = (Fraction(1, 3), Fraction(2, 3))

    def holds(world: Dynamics) -> bool:
        for seen, action, then in product(range(6), range(2), range(6)):
            to = world.table[seen // 2][action]
            direct = chance[then % 2] if then // 2 == to else Fraction(0)
            features = [Fraction(int(to == s)) for s in range(states)]
            masses = [chance[then % 2] if then // 2 == s else Fraction(0) for s in range(states)]
            if direct != sum((f * m for f, m in zip(features, masses, strict=True)), Fraction(0)):
                return False
        return True

    worlds = (world for world in small_worlds() if (world.states, world.actions) == (3, 2))
    return exact(worlds, holds, "all 3-state worlds with 2 actions, 2 observations for each state")


CLAIMS: Final = (
    NOTATION.proved(
        "M09",
        "154",
        "whatever has the least 0-1 loss separates the datasets, if anything in F does",
        beside(partial(_least_loss_separates, 1), proof(TESTS, "M09")),
        Mutant("errors on D_1 are not counted", partial(_least_loss_separates, 0)),
        proof(TESTS, "M09").without("no classifier separates", "separates"),
    ),
    OVERVIEW.proved(
        "M27",
        "245",
        "argmax finds the state wherever all |S| classifiers are right",
        beside(partial(_argmax_is_right, 0), proof(CLASSIFIERS, "M27")),
        Mutant("where all classifiers but one are right", partial(_argmax_is_right, 1)),
        proof(CLASSIFIERS, "M27").without("classifiers that may err", "realizable"),
    ),
    OVERVIEW.equation(
        "M27.union",
        "245",
        "they all are with a chance of at least 1 − |S|·(ε/|S|) = 1 − ε, on each state",
        1 - S * (eps / S),
        1 - eps,
        Slip("ε/(|S| − 1) for each", left=1 - S * (eps / (S - 1))),
        assumptions=("each is right with a chance of at least 1 − ε/|S| on that state",),
    ),
    RELATED.exact(
        "M28.block",
        "137",
        "without exogenous noise, P(x'|x, a) factors through |S| features",
        partial(_block_rank, 3),
        Mutant("|S| − 1 features", partial(_block_rank, 2)),
    ),
    RELATED.proved(
        "M28.noise",
        "137",
        "with one latent state and one or two visible bits that flicker, det P = 1 − u − v and "
        "(1 − u − v)⁴: the rank is |E|, not |S|, unless u + v = 1",
        partial(lambda sizes: all_of(*(_rank(size) for size in sizes)), (2, 4)),
        Mutant(
            "1 − u + v",
            partial(
                identity,
                Matrix(((1 - x, x), (y, 1 - y))).det(),
                1 - x + y,
            ),
        ),
        assumptions=("u, v: the chances to turn on and off",),
    ),
    RELATED.exhausted(
        "M37",
        "101",
        "k binary factors have 2ᵏ configurations",
        partial(
            lambda values: exhausted(
                range(11),
                lambda k: sum(1 for _ in product(range(values), repeat=k)) == 2**k,
                "k ≤ 10",
            ),
            2,
        ),
        Mutant(
            "ternary factors",
            partial(
                lambda values: exhausted(
                    range(5),
                    lambda k: sum(1 for _ in product(range(values), repeat=k)) == 2**k,
                    "k ≤ 4",
                ),
                3,
            ),
        ),
        assumptions=("each factor has two values",),
    ),
)
