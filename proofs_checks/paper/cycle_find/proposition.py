"""The Proposition about CycleFind: what it fails with, and how many steps it takes (l. 468-527)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Integer, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exact, exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.paper.cycle_find.initial_rollout import initial_steps
from proofs_checks.proofs.deciding import DETERMINED
from proofs_checks.replays import proof
from proofs_checks.sections import PERIOD
from proofs_checks.small_cases.period_settings import TESTABLE, Setting, on_settings, recipe_for
from steel_verified.theory.bounds import cycle_find_bound
from steel_verified.theory.counts import cycle_find_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

    _Bounds = Mapping[Symbol, Expr | int]


@dataclass(frozen=True, slots=True)
class _Course:
    """Three rounds at one outcome of the noise: answers to what was decided, and how one decides.

    `answers[k]` is what round k shows after each history of decisions; `deciders[k]` the decision
    for each answer; `ideal` the decisions that the latent dynamics determine.
    """

    answers: tuple[tuple[int, ...], ...]
    deciders: tuple[tuple[int, ...], ...]
    ideal: tuple[int, ...]

    def decide(self, history: tuple[int, ...]) -> int:
        index = sum(decision << place for place, decision in enumerate(history))
        return self.deciders[len(history)][self.answers[len(history)][index]]

    def strays(self) -> bool:
        """Whether the run as it happens makes a decision that is not the ideal one."""
        history: tuple[int, ...] = ()
        for _ in self.ideal:
            history += (self.decide(history),)
        return history != self.ideal

    def fails_in_ideal(self, rounds: range) -> bool:
        """Whether, on the data of the ideal decisions before it, one of these rounds errs."""
        return any(self.decide(self.ideal[:k]) != self.ideal[k] for k in rounds)


def _courses() -> Iterator[_Course]:
    bits = (0, 1)
    answers = tuple(product(*(tuple(product(bits, repeat=2**earlier)) for earlier in range(3))))
    deciders = tuple(product(tuple(product(bits, repeat=2)), repeat=3))
    for answer, decider, ideal in product(answers, deciders, product(bits, repeat=3)):
        yield _Course(answer, decider, ideal)


def _ideal_failures_cover(rounds: range) -> Evidence:
    return exhausted(
        _courses(),
        lambda course: course.strays() == course.fails_in_ideal(rounds),
        "three rounds of two answers and two decisions each, at every single outcome of the noise",
    )


N, S, D, A, F, t, a, n = (Symbol(name) for name in ("N", "S", "D", "A", "F", "t", "a", "n"))
"""max_states, |S|, diameter, |A|, |F|, t̂_mix, |â|, n_samp.cyc."""
m, delta = (Symbol(name) for name in ("m", "delta"))
cyc = Symbol("cyc")
"""n_cyc."""
unused = Symbol("unused")

_zero: Final = Integer(0)


def _success(powers: int) -> Evidence:
    """Both union bounds at the exact numbers of samples add up to δ/(2|A|N)."""
    share = delta / (4 * A * N * (N - 1) * F)
    other = delta / (4 * A * N**4 * (D + 1) * F)
    return identity((N - 1) * F * share + N**powers * (D + 1) * F * other, delta / (2 * A * N))


def _initial_is_branch(constant: int) -> Evidence:
    """c_init is the first branch of the bound, whichever of (N−1)|â| and t̂_mix is larger."""
    branch = (2 * t + 3 * N * a - 2) * n - N * a + constant
    return together(
        partial(identity, initial_steps((N - 1) * a), branch + (N * a - a - t)),
        partial(identity, initial_steps(t), branch + _zero),
    )


def _steps_within(setting: Setting, *, true_period: bool) -> bool:
    """max(c, c_init) is within the bound, for every period up to |S| (or else, up to N)."""
    return all(
        cycle_find_steps(setting.recipe, setting.length, period)
        <= cycle_find_bound(setting.recipe, states, setting.length)
        for states in range(1, setting.most + 1)
        for period in range(1, (states if true_period else setting.most) + 1)
    )


_ANY_PERIOD: Final[_Bounds] = {N: cyc, cyc: 1, S: 1, m: 1, unused: 0, t: 1, a: 1}
_TRUE_PERIOD: Final[_Bounds] = {N: S, S: cyc, cyc: 1, m: 1, unused: 0, t: 1, a: 1}


def _full_within(size: Expr, least: _Bounds) -> Evidence:
    """c is within the bound in which `size` stands for |S|.

    The two cases of n_0 = max((N − n_cyc)|â|, t̂_mix); `unused` is what rounding up could add more.
    """
    whole = t + cyc * a - 1 - unused
    lasting = 2 * ((m - 1) * whole + cyc * a) + t
    bound = 2 * (t + size * a - 1) * m + 1
    return together(
        partial(at_most, lasting + (N - cyc) * a, bound + ((N - 1) * a - t) + 1, least),
        partial(at_most, lasting + t, bound + 1, least),
    )


def _states_suffice_in_example() -> Evidence:
    """The bound with |S| at N = 10, |S| = 1, |â| = 10, if a test of n' = 10 passes by chance."""
    recipe = recipe_for(10, 1, 1, 2, Fraction(1, 2))
    return exact(
        [recipe],
        lambda each: cycle_find_steps(each, 10, 10) <= cycle_find_bound(each, 1, 10),
        "c at the wrong period N against the bound with |S| = 1",
    )


CLAIMS: Final = (
    PERIOD.proved(
        "A01",
        "468, 503-504, 603, 788, 923",
        "At every outcome of the noise, the run makes a decision other than the one that T, s_0 "
        "and the parameters determine exactly if some round errs on the data of the determined "
        "decisions before it; so Pr(failure) ≤ Σ Pr(round k errs in the determined run), in which "
        "all times are fixed",
        beside(
            partial(_ideal_failures_cover, range(3)),
            proof(DETERMINED, "A01_covered", "A01_exactly"),
        ),
        Mutant("the first round is not charged", partial(_ideal_failures_cover, range(1, 3))),
        Mutant("the last round is not charged", partial(_ideal_failures_cover, range(2))),
        proof(DETERMINED, "A01_covered", "A01_exactly").misstated(
            "a round more than was charged", "A01_covered", given="0 <= k <= n, erring(n) >= n"
        ),
        assumptions=("arbitrary choices are made by a rule that does not look at observations",),
    ),
    PERIOD.proved(
        "A03",
        "508",
        "(N−1)|F|·δ/(4|A|N(N−1)|F|) + N³(D̂+1)|F|·δ/(4|A|N⁴(D̂+1)|F|) = δ/(2|A|N): what both parts "
        "of CycleFind may fail with adds up to what the Proposition allows",
        partial(_success, 3),
        Mutant("N⁴ tests in the second part", partial(_success, 4)),
        assumptions=(
            TESTABLE,
            "the period tests fail with chance at most (N−1)|F|(9/16)^n_samp.cyc. (A27)",
            "the other tests fail with chance at most N³(D̂+1)|F|(9/16)^n_samp. (B22)",
        ),
    ),
    PERIOD.proved(
        "A04.init",
        "525-527, 538",
        "c_init = (2t̂+3N|â|−2)·n_samp.cyc. − N|â| + max(N|â|−|â|−t̂, 0) + 1: it is the first "
        "branch of the Proposition's bound, exactly",
        partial(_initial_is_branch, 1),
        Mutant("without the + 1", partial(_initial_is_branch, 0)),
        assumptions=(TESTABLE,),
    ),
    PERIOD.proved(
        "A04.all",
        "525-527",
        "max(c, c_init) is at most the Proposition's bound for every n_cyc ≤ |S| ≤ N",
        beside(
            partial(on_settings, partial(_steps_within, true_period=True)),
            partial(_initial_is_branch, 1),
            partial(_full_within, S, _TRUE_PERIOD),
        ),
        Mutant("|S| − 1 in place of |S|", partial(_full_within, S - 1, _TRUE_PERIOD)),
        Mutant(
            "with |S|, though the period found may be any up to N",
            partial(on_settings, partial(_steps_within, true_period=False)),
        ),
        assumptions=(TESTABLE, "the period that was found is the true one, so at most |S|"),
    ),
    PERIOD.proved(
        "S.A04",
        "525-527",
        "Even if a period test errs, max(c, c_init) is at most the Proposition's bound with N in "
        "place of |S|. With |S| the bound can then be exceeded: N = 10, |S| = 1, |â| = 10",
        partial(_full_within, N, _ANY_PERIOD),
        Mutant("|S| in place of N", partial(_full_within, S, _ANY_PERIOD)),
        Mutant("the bound with |S| in that example", _states_suffice_in_example),
        assumptions=(TESTABLE,),
    ),
)
