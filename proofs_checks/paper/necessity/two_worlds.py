"""Two worlds that look alike while the noise stays as it is (l. 1676-1684).

The noise of the construction has two states and changes with chance γ.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Matrix, Rational, Symbol

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.evidence import Evidence, NotEarned
from proofs_checks.kernels.finite import equal, exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import together
from proofs_checks.sections import MIXING_BOUND
from steel_verified.worlds.chains import Chain, stationary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sympy import Expr

    Emissions = tuple[tuple[int, ...], tuple[int, ...]]


_HALF: Final = Fraction(1, 2)
_LOCAL: Final = "the accuracy is that of every endogenous state, under uniform noise"

gamma = Symbol("γ")
t = Symbol("t", positive=True)


def two_state_noise(gamma: Fraction) -> Chain:
    """Its transition matrix."""
    return Chain(((1 - gamma, gamma), (gamma, 1 - gamma)))


def _uniform(at_first: Expr) -> Evidence:
    step = Matrix([[1 - gamma, gamma], [gamma, 1 - gamma]])
    law = Matrix([[at_first], [1 - at_first]])
    after = step * law
    return together(
        partial(identity, after[0, 0], at_first),
        partial(identity, after[1, 0], 1 - at_first),
        lambda: equal(stationary(two_state_noise(Fraction(1, 7))), (_HALF, _HALF)),
    )


def _next(i: int, states: int) -> int:
    """The next of the states 1, …, N, and 1 after the last."""
    return i % states + 1


def _permutes(successor: Callable[[int, int], int]) -> Evidence:
    def holds(states: int) -> bool:
        numbers = range(1, states + 1)
        return {successor(i, states) for i in numbers} == set(numbers)

    return exhausted(range(1, 201), holds, "N ≤ 200")


def _is_block(emissions: Emissions) -> bool:
    """No observation comes from two endogenous states."""
    both = [first | second for first, second in zip(*emissions, strict=True)]
    return all(not both[i] & both[j] for i in range(len(both)) for j in range(i))


def _permuted(emissions: Emissions) -> Emissions:
    first, second = emissions
    states = len(second)
    return first, tuple(second[_next(i, states) - 1] for i in range(1, states + 1))


def _legal(*, apart: bool) -> Evidence:
    """If M₂ is a block MDP whose noise states never show the same, so is M₃."""

    def holds(emissions: Emissions) -> bool:
        first, second = emissions
        mixed = any(a & b for a in first for b in second)
        if not _is_block(emissions) or (apart and mixed):
            return True
        return _is_block(_permuted(emissions))

    def cases() -> Iterator[Emissions]:
        # Sets of observations as bits: for N = 2 any of four, for N = 3 single ones of six.
        for a, b, c, d in product(range(1, 1 << 4), repeat=4):
            yield (a, b), (c, d)
        singles = [1 << x for x in range(6)]
        for a, b, c, d, e, f in product(singles, repeat=6):
            yield (a, b, c), (d, e, f)

    return exhausted(cases(), holds, "N = 2 over 4 observations; N = 3, one of 6 in each state")


miss1, own1, hit, other, spare = (
    Symbol(name) for name in ("miss1", "own1", "hit", "other", "spare")
)
_NONNEGATIVE: Final[dict[Symbol, Expr | int]] = {miss1: 0, own1: 0, hit: 0, other: 0, spare: 0}


def _accuracy(states: int, tolerated: Expr) -> Evidence:
    """The accuracy on M₃ at s_i, where s_j is the next state.

    At s_j on M₂, φ is wrong with chance miss1 under e₁ and hit + other under e₂, `hit` when it says
    s_i; half of their sum is ε less `spare`. On M₃ under e₂, φ is right just when it says s_i.
    """
    if _next(1, states) == 1:
        raise NotEarned("the next state is the state itself: a hit is no miss")
    epsilon = (miss1 + hit + other) / 2 + spare
    return at_most(((1 - own1) + hit) / 2, Rational(1, 2) + tolerated * epsilon, _NONNEGATIVE)


miss2 = Symbol("miss2")


def _any_labels(tolerated: Expr) -> Evidence:
    """Whichever code counts as right for s_i on M₃: that of s_i, that of s_j, or another.

    φ misses the code of s_i under e₁ with chance miss1, that of s_j under e₂ with chance miss2,
    each at most 2ε (half of each state's misses on M₂ are at most ε); the codes are distinct, so
    that saying one is missing the other.
    """
    half = Rational(1, 2)
    least: dict[Symbol, Expr | int] = {miss1: 0, miss2: 0, spare: 0, own1: 0}
    # Once 2ε is miss2 + spare, once miss1 + spare, as the case needs it; own1 only lowers.
    right_first = ((1 - own1) + miss2) / 2
    right_second = (miss1 + (1 - own1)) / 2
    right_neither = (miss1 + miss2) / 2
    return together(
        partial(at_most, right_first, half + tolerated * (miss2 + spare) / 2, least),
        partial(at_most, right_second, half + tolerated * (miss1 + spare) / 2, least),
        # miss1 = 1 − own1 at most.
        partial(
            at_most,
            right_neither.subs({miss1: 1 - own1}),
            half + tolerated * (miss2 + spare) / 2,
            least,
        ),
    )


def _stays(root: Expr) -> Evidence:
    """(1 − γ)ᵗ for 1 − γ = 0.9^(1/t)."""
    return identity((Rational(9, 10) ** root) ** t, Rational(9, 10))


def _endogenous_moves() -> bool:
    """Two states, one action, which changes the state: it stays with chance 0, not 0.9."""
    table = ((1,), (0,))
    chance_to_stay = Fraction(int(table[0][0] == 0))
    return chance_to_stay < Fraction(9, 10)


_OFF_BY_ONE: Final = Erratum(
    printed="for states s_1, …, s_N, Q_M3(s_i, e_2) is Q_M2(s_((i+1) mod N), e_2)",
    counterexample="N = 3: the indices 1, 2, 3 go to 2, 0, 1; there is no s_0, and s_3 is left out",
    refuted=lambda: {(i + 1) % 3 for i in (1, 2, 3)} != {1, 2, 3},
    corrected="Q_M3(s_i, e_2) is Q_M2(s_((i mod N) + 1), e_2) (or number the states from 0)",
    consequence="the argument survives as is: any permutation without a fixed point does",
)

_ONE_STATE: Final = Erratum(
    printed="M_1 is any Block MDP; high accuracy on M_2 means at most 0.5 + ε on M_3",
    counterexample="N = 1: the permutation is the identity, M_3 = M_2, and a constant encoder has "
    "accuracy 1 on both",
    refuted=lambda: _permuted(((1,), (2,))) == ((1,), (2,)) and Fraction(1) > _HALF,
    corrected="for N ≥ 2 endogenous states",
    consequence="the argument survives for N ≥ 2; with one state there is nothing to learn",
)

_WHICH_STATE: Final = Erratum(
    printed="with probability 0.9 the endogenous state of M_2(γ), M_3(γ) does not change before "
    "step t",
    counterexample="two endogenous states that the only action exchanges: the first step changes "
    "the state with certainty, whatever γ is",
    refuted=_endogenous_moves,
    corrected="the exogenous state does not change, with probability (1 − γ)^t = 0.9 at least",
    consequence="a slip of the pen: the next sentence speaks of the exogenous state, and the "
    "argument survives as is",
)

CLAIMS: Final = (
    MIXING_BOUND.proved(
        "I05",
        "1676",
        "The uniform law is stationary for the noise that changes with chance γ",
        partial(_uniform, Rational(1, 2)),
        Mutant("1/3 and 2/3", partial(_uniform, Rational(1, 3))),
        assumptions=("0 < γ < 1, for an irreducible and aperiodic chain",),
    ),
    MIXING_BOUND.exhausted(
        "I07.a",
        "1676-1678",
        "i ↦ (i mod N) + 1 permutes the states 1, …, N",
        partial(_permutes, _next),
        Mutant("(i + 1) mod N", partial(_permutes, lambda i, states: (i + 1) % states)),
        erratum=_OFF_BY_ONE,
    ),
    MIXING_BOUND.exhausted(
        "I07.b",
        "1676-1680",
        "M_3(γ) meets the block assumption if M_2(γ) does and no observation of M_2(γ) is seen "
        "both under e_1 and under e_2",
        partial(_legal, apart=True),
        Mutant("observations shared by e_1 and e_2", partial(_legal, apart=False)),
        assumptions=(
            "M_2 shows different observations under e_1 and e_2: implicit at l. 1680 (inverses)",
        ),
    ),
    MIXING_BOUND.proved(
        "I08",
        "1680",
        "An encoder of accuracy ≥ 1 − ε on M_2(γ) has accuracy ≤ 1/2 + ε on M_3(γ), at every "
        "state, for N ≥ 2",
        partial(_accuracy, 2, Rational(1)),
        Mutant("1/2 + ε/2", partial(_accuracy, 2, Rational(1, 2))),
        Mutant("one state", partial(_accuracy, 1, Rational(1))),
        assumptions=(_LOCAL, "N ≥ 2"),
        erratum=_ONE_STATE,
    ),
    MIXING_BOUND.proved(
        "I09",
        "1680",
        "Under any relabelling of codes, that encoder has accuracy ≤ 1/2 + ε on M_3(γ)",
        partial(_any_labels, Rational(1)),
        Mutant("1/2 + ε/2", partial(_any_labels, Rational(1, 2))),
        assumptions=(_LOCAL, "N ≥ 2"),
    ),
    MIXING_BOUND.proved(
        "I11",
        "1684",
        "γ = 1 − 0.9^(1/t) makes (1 − γ)^t = 0.9, the chance that the noise never changes in t "
        "steps",
        partial(_stays, 1 / t),
        Mutant("0.9^(1/(t+1))", partial(_stays, 1 / (t + 1))),
        assumptions=("t ≥ 1",),
        erratum=_WHICH_STATE,
    ),
)
