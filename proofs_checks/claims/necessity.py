"""Why reachability and a known bound on the mixing time are needed.

A latent graph is a tuple of sets of successors, as bits: what matters for reachability is not which
action leads where. The noise of the construction has two states and changes with chance γ.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from flint import arb
from sympy import Matrix, Rational, Symbol, exp, log

from proofs_checks.claim import Erratum, Evidence, Mutant, NotEarned
from proofs_checks.methods.finite import equal, exact, exhausted
from proofs_checks.methods.intervals import positive
from proofs_checks.methods.slack import at_most
from proofs_checks.methods.symbolic import identity
from proofs_checks.methods.together import together
from proofs_checks.sections import MIXING_BOUND, REACHABILITY
from steel_verified.theory.exact import ball, ceiling, least_power
from steel_verified.worlds.chains import Chain, mixing_time, stationary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sympy import Expr

    Graph = tuple[int, ...]
    Table = tuple[tuple[int, ...], ...]
    Emissions = tuple[tuple[int, ...], tuple[int, ...]]


_HALF: Final = Fraction(1, 2)
_LOCAL: Final = "the accuracy is that of every endogenous state, under uniform noise"


# Reachability.


def _reached(graph: Graph, start: int) -> int:
    """The states on ways from here, as bits; here itself included."""
    seen, old = 1 << start, 0
    while seen != old:
        old = seen
        for state, successors in enumerate(graph):
            if seen >> state & 1:
                seen |= successors
    return seen


def _graphs(largest: int) -> Iterator[Graph]:
    """Every graph in which each state has a successor: any number of actions."""
    for states in range(1, largest + 1):
        yield from product(range(1, 1 << states), repeat=states)


def _returns(*, comparable_only: bool) -> Evidence:
    """All states reach each other exactly if every edge can be returned over."""

    def holds(graph: Graph) -> bool:
        states = range(len(graph))
        reached = [_reached(graph, state) for state in states]
        connected = all(seen == (1 << len(graph)) - 1 for seen in reached)
        comparable = all(reached[s] >> t & 1 or reached[t] >> s & 1 for s in states for t in states)
        returnable = all(reached[t] >> s & 1 for s in states for t in states if graph[s] >> t & 1)
        if comparable_only and not comparable:
            return True
        return connected == returnable

    return exhausted(_graphs(4), holds, "latent graphs of at most 4 states, any number of actions")


def _tables() -> Iterator[Table]:
    for states, actions in ((1, 2), (2, 2), (3, 2), (2, 3), (3, 3)):
        yield from product(product(range(states), repeat=actions), repeat=states)


def _graph(table: Table) -> Graph:
    return tuple(sum(1 << to for to in set(row)) for row in table)


def _exchanged(table: Table, one: tuple[int, int], other: tuple[int, int]) -> Table:
    """The table with the effects at two places (state, action) exchanged."""
    new = [list(row) for row in table]
    (s, a), (t, b) = one, other
    new[s][a], new[t][b] = table[t][b], table[s][a]
    return tuple(tuple(row) for row in new)


def _swaps(*, at_the_end: bool) -> Evidence:
    """After an edge without return from s by a: exchange a and another action at s.

    For the mutant, the exchange is with the effect of the other action at the end of the edge.
    """

    def holds(table: Table) -> bool:
        graph = _graph(table)
        actions = range(len(table[0]))
        for s, a in product(range(len(table)), actions):
            end = table[s][a]
            if _reached(graph, end) >> s & 1:
                continue
            for b in actions:
                if b == a:
                    continue
                place = (end, a) if at_the_end else (s, a)
                new = _exchanged(table, place, (s, b))
                if not at_the_end and new[s][b] != end:
                    return False
                if _reached(_graph(new), end) >> s & 1:
                    return False
        return True

    return exhausted(_tables(), holds, "dynamics of at most 3 states and 3 actions, all edges")


A, largest, short, never, rest = (
    Symbol(name) for name in ("A", "largest", "short", "never", "rest")
)


def _likely_action(extra: int) -> Evidence:
    """The chances add up to 1 = A·largest − short, where `short` ≥ 0 is by how much they differ."""
    return at_most(A * largest - short + extra, A * largest, {A: 1, largest: 0, short: 0})


def _lost(stay: Expr | int) -> Evidence:
    """With chance `never` s is not met at all; if it is met, it is lost with chance q = 1 − rest.

    Either way its other actions are not tried: never + (1 − never)·q ≥ q.
    """
    q = 1 - rest
    return at_most(q, never * stay + (1 - never) * q, {never: 0, rest: 0})


# The two-state noise.

gamma, delta, n_power = Symbol("γ"), Symbol("δ"), Symbol("power")
t = Symbol("t", positive=True)


def _noise(gamma: Fraction) -> Chain:
    return Chain(((1 - gamma, gamma), (gamma, 1 - gamma)))


def _uniform(at_first: Expr) -> Evidence:
    step = Matrix([[1 - gamma, gamma], [gamma, 1 - gamma]])
    law = Matrix([[at_first], [1 - at_first]])
    after = step * law
    return together(
        partial(identity, after[0, 0], at_first),
        partial(identity, after[1, 0], 1 - at_first),
        lambda: equal(stationary(_noise(Fraction(1, 7))), (_HALF, _HALF)),
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


both, only_a, only_b, neither = (Symbol(name) for name in ("both", "only_a", "only_b", "neither"))


def _quiet_runs(chance: Fraction, with_start: Fraction) -> Evidence:
    """The union bound over two failures of chance 0.1, and an even chance to start at e₁."""
    certain = 1 - only_a - only_b - neither
    failures = (only_b + neither) + (only_a + neither)
    return together(
        partial(at_most, 1 - failures, certain, {only_a: 0, only_b: 0, neither: 0}),
        lambda: equal(1 - 2 * Fraction(1, 10), chance),
        lambda: equal(_HALF * chance, with_start),
    )


def _independent_quiet_runs(chance: Fraction, with_start: Fraction) -> Evidence:
    """The noise does not depend on actions: up to the first change, A runs as on M₁ beside it.

    So the chance of both is the product of two that are at least 0.9.
    """
    stay, halts = Symbol("stay"), Symbol("halts")
    nine = Rational(9, 10)
    product_of_both = Rational(chance.numerator, chance.denominator)
    return together(
        partial(at_most, product_of_both, stay * halts, {stay: nine, halts: nine}),
        lambda: equal(_HALF * chance, with_start),
    )


inside, outside, quiet = Symbol("inside"), Symbol("outside"), Symbol("quiet")


def _fails(times: int) -> Evidence:
    """Of the chance δ to fail on M₂, `inside` lies in quiet runs, whose chance is at least 0.4.

    1 − inside/quiet ≥ 1 − δ/0.4, and quiet − inside ≥ 0.4 − δ.
    """
    most = inside + outside + spare
    two_fifths = Rational(2, 5)
    least: dict[Symbol, Expr | int] = {quiet: two_fifths, inside: 0, outside: 0, spare: 0}
    return together(
        partial(at_most, inside * two_fifths * times, most * quiet, least),
        partial(at_most, two_fifths - most, quiet - inside * times, least),
    )


def _contradiction(quiet_chance: Expr, limit: Expr) -> Evidence:
    """For δ = limit − gap: the chance to fail on M₃ exceeds δ by 2·gap at least."""
    gap = Symbol("gap")
    small = limit - gap
    return at_most(2 * gap, (quiet_chance - small) - small, {gap: 0})


def _unseen(start: Expr) -> Evidence:
    """e₂ is not met in n steps with chance ½(1 − γ)ⁿ; this is δ for n = log(2δ)/log(1 − γ)."""
    chance = n_power / 2
    steps, decay, more = Symbol("steps"), Symbol("decay"), Symbol("more")
    exactly = log(2 * delta) / log(1 - gamma)
    return together(
        partial(identity, chance.subs({n_power: start}), Rational(1, 2)),
        partial(identity, chance * (1 - gamma), chance.subs({n_power: n_power * (1 - gamma)})),
        partial(identity, exp(exactly * log(1 - gamma)) / 2, delta),
        # More steps only lower it: log(1 − γ) = −decay.
        partial(at_most, -decay * (steps + more), -decay * steps, {steps: 0, decay: 0, more: 0}),
    )


_GAMMAS: Final = (*(Fraction(k, 20) for k in range(1, 10)), Fraction(1, 100), Fraction(1, 999))
_DELTAS: Final = tuple(Fraction(1, d) for d in (3, 5, 7, 20, 100, 1000))


def _unseen_steps(factor: int) -> Evidence:
    """Against the least n with ½(1 − γ)ⁿ ≤ δ, in rational arithmetic."""

    def holds(case: tuple[Fraction, Fraction]) -> bool:
        chance, unlikely = case
        stated = ceiling(lambda: ball(factor * unlikely).log() / ball(1 - chance).log())
        return least_power(1 - chance, 2 * unlikely) == stated

    return exact(product(_GAMMAS, _DELTAS), holds, "γ from 1/999 to 9/20, δ from 1/1000 to 1/3")


def _not_both(limit: int) -> Evidence:
    """If e₂ is not met, an encoder fails M₂ or M₃: their chances to fail add up to `unseen`.

    If neither exceeds δ, then unseen ≤ 2δ: the steps for which ½(1 − γ)ⁿ ≤ 2δ are needed.
    """
    fails2, fails3, spare2, spare3 = (
        Symbol(name) for name in ("fails2", "fails3", "spare2", "spare3")
    )
    least: dict[Symbol, Expr | int] = {fails2: 0, fails3: 0, spare2: 0, spare3: 0}
    total = (fails2 + spare2) + (fails3 + spare3)
    return together(
        # δ is fails2 + spare2 and fails3 + spare3 alike, so that 2δ is their sum.
        partial(at_most, fails2 + fails3, total * Rational(limit, 2), least),
        partial(identity, exp(log(4 * delta) / log(1 - gamma) * log(1 - gamma)) / 2, 2 * delta),
    )


def _noise_distance(factor: Expr) -> Evidence:
    """From either state the law after n steps is ½ ± ½(1 − 2γ)ⁿ."""
    half = Rational(1, 2)
    power = n_power
    here, there = half + power / 2, half - power / 2
    return together(
        partial(identity, here.subs({n_power: 1 + 0 * gamma}), 1 + 0 * gamma),
        partial(
            identity,
            (1 - gamma) * here + gamma * there,
            here.subs({n_power: power * (1 - factor * gamma)}),
        ),
        partial(identity, (here - half) + (there - half), 0 * gamma),
    )


def _mixing_formula(stated: Callable[[Fraction], int], gammas: tuple[Fraction, ...]) -> Evidence:
    def holds(gamma: Fraction) -> bool:
        return mixing_time(_noise(gamma)) == stated(gamma)

    return exact(gammas, holds, f"γ from {min(gammas)} to {max(gammas)}")


def _printed_mixing_time(gamma: Fraction, factor: int = 2) -> int:
    """⌈−1/log₂(1 − 2γ)⌉; −1/log₂(1/2) is 1, which no enclosure can tell from more."""
    if 1 - factor * gamma == _HALF:
        return 1
    return ceiling(lambda: -arb(2).log() / ball(1 - factor * gamma).log())


def _mixing_time_of_any(gamma: Fraction) -> int:
    remaining = abs(1 - 2 * gamma)
    return max(1, least_power(remaining, _HALF)) if remaining else 1


_SMALL_GAMMAS: Final = (
    *(Fraction(k, 100) for k in range(1, 50)),
    Fraction(1, 1000),
    Fraction(1, 9999),
    Fraction(249, 1000),
    Fraction(251, 1000),
    Fraction(499, 1000),
)
_ALL_GAMMAS: Final = tuple(Fraction(k, 60) for k in range(1, 60))


def _excess(c: int, g: Expr) -> Expr:
    """log(1 − 2γ) − (2 + cγ)·log(1 − γ): positive if the quotient is less than 2 + cγ."""
    return log(1 - 2 * g) - (2 + c * g) * log(1 - g)


def _limit(c: int, below: int = 2) -> Evidence:
    """2 ≤ log(1 − 2γ)/log(1 − γ) ≤ 2 + cγ for 0 < γ ≤ 1/10.

    The first as 1 − 2γ ≤ (1 − γ)²; the second as the excess and its derivative are 0 at γ = 0 and
    its second derivative is positive.
    """
    low = Symbol("g")
    excess = _excess(c, low)
    second = -4 / (1 - 2 * low) ** 2 + 2 * c / (1 - low) + (2 + c * low) / (1 - low) ** 2

    def curvature(g: arb) -> arb:
        return -4 / (1 - 2 * g) ** 2 + 2 * c / (1 - g) + (2 + c * g) / (1 - g) ** 2

    return together(
        partial(at_most, 1 - below * gamma, (1 - gamma) ** 2, {gamma: 0}),
        partial(identity, excess.diff(low).diff(low), second),
        partial(identity, excess.subs({low: 0}), 0 * low),
        partial(identity, excess.diff(low).subs({low: 0}), 0 * low),
        partial(positive, curvature, Fraction(0), Fraction(1, 10)),
        _ceilings_do_not_matter,
    )


def _ceilings_do_not_matter() -> Evidence:
    """x/(y + 1) ≤ ⌈x⌉/⌈y⌉ ≤ (x + 1)/y, cross-multiplied, and x, y grow without bound."""
    real_x, real_y, up_x, up_y = (Symbol(name) for name in ("x", "y", "up_x", "up_y"))
    less_x, less_y = Symbol("less_x"), Symbol("less_y")
    least: dict[Symbol, Expr | int] = {real_x: 0, real_y: 0, up_x: 0, up_y: 0, less_x: 0, less_y: 0}
    # ⌈x⌉ = x + up_x, and x + 1 = ⌈x⌉ + less_x.
    return together(
        partial(
            at_most, real_x * (real_y + up_y), (real_x + up_x) * (real_y + up_y + less_y), least
        ),
        partial(
            at_most, (real_x + up_x) * real_y, (real_x + up_x + less_x) * (real_y + up_y), least
        ),
    )


def _linear(factor: int) -> Evidence:
    """steps ≥ x = ℓ/a and t_mix − 1 ≤ y = log 2/b for a = −log(1 − γ), b = −log(1 − 2γ) ≥ 2a.

    With ℓ = c·log 2 for c = log₂(1/(2δ)): 2c·y ≤ x is 2c·log 2·a ≤ c·log 2·b.
    """
    a, more, c, two = (Symbol(name) for name in ("a", "more", "c", "log2"))
    up, late, y = Symbol("up"), Symbol("late"), Symbol("y")
    return together(
        partial(at_most, 1 - 2 * gamma, (1 - gamma) ** 2, {gamma: 0}),
        partial(
            at_most,
            factor * c * two * a,
            c * two * (2 * a + more),
            {a: 0, more: 0, c: 0, two: 0},
        ),
        # y = t_mix − 1 + late; steps = 2c·y + up.
        partial(at_most, 2 * c * (y - late), 2 * c * y + up, {c: 0, y: 0, late: 0, up: 0}),
    )


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
    REACHABILITY.exhausted(
        "I01",
        "1653-1655",
        "If of any two states one reaches the other, then all reach each other exactly if s is "
        "reachable from s' for every edge (s, a, s')",
        partial(_returns, comparable_only=True),
        Mutant("states that do not reach each other", partial(_returns, comparable_only=False)),
        assumptions=("of any two states, one reaches the other",),
    ),
    REACHABILITY.proved(
        "I02.a",
        "1655",
        "At the first encounter with s some action has chance at least 1/|A|",
        partial(_likely_action, 0),
        Mutant("more than 1/|A|", partial(_likely_action, 1)),
    ),
    REACHABILITY.proved(
        "I02.b",
        "1657",
        "If that action leads where s is not reachable, then with chance ≥ 1/|A|, over all runs, "
        "no other action is ever taken at s: runs that never meet s do not lower it",
        partial(_lost, 1),
        Mutant("runs that never meet s do not count", partial(_lost, 0)),
    ),
    REACHABILITY.exhausted(
        "I03",
        "1659",
        "If s is not reachable from s' = T(s, a), then after exchanging a and a' at s, "
        "T'(s, a') = s' and s is still not reachable from s'",
        partial(_swaps, at_the_end=False),
        Mutant("exchanged with an effect at s'", partial(_swaps, at_the_end=True)),
    ),
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
    MIXING_BOUND.proved(
        "I13",
        "1684-1686",
        "From e_1 the run is quiet and ends with chance ≥ 1 − 0.1 − 0.1 = 0.8; from a uniform "
        "start, ≥ 0.4",
        partial(_quiet_runs, Fraction(8, 10), Fraction(4, 10)),
        Mutant("0.9 · 0.9", partial(_quiet_runs, Fraction(81, 100), Fraction(81, 200))),
        assumptions=("A ends before step t with chance ≥ 0.9 on M_1",),
    ),
    MIXING_BOUND.proved(
        "I14",
        "1686-1688",
        "At least 1 − δ/0.4 of the encoders of quiet runs succeed on M_2(γ); A on M_3(γ) gives "
        "one of them with chance ≥ 0.4 − δ",
        partial(_fails, 1),
        Mutant("failures counted twice", partial(_fails, 2)),
        assumptions=("A fails on M_2(γ) with chance ≤ δ", "quiet runs have chance ≥ 0.4"),
    ),
    MIXING_BOUND.proved(
        "I15.a",
        "1692",
        "e_2 is not met in n steps with chance ½(1 − γ)ⁿ, which is δ for "
        "n = log(2δ)/log(1 − γ) and more before",
        partial(_unseen, Rational(1)),
        Mutant("a start that is always e_1", partial(_unseen, Rational(2))),
        assumptions=("0 < γ < 1", "0 < δ ≤ 1/2", "steps are transitions: one observation more"),
    ),
    MIXING_BOUND.exact(
        "I15.b",
        "1692",
        "⌈log(2δ)/log(1 − γ)⌉ is the least n with ½(1 − γ)ⁿ ≤ δ",
        partial(_unseen_steps, 2),
        Mutant("log(δ)", partial(_unseen_steps, 1)),
    ),
    MIXING_BOUND.proved(
        "I16.a",
        "1692",
        "After n steps the noise is exactly ½|1 − 2γ|ⁿ from uniform, from either state",
        partial(_noise_distance, Rational(2)),
        Mutant("1 − γ", partial(_noise_distance, Rational(1))),
    ),
    MIXING_BOUND.exact(
        "I16.b",
        "1692",
        "t_mix = ⌈−1/log₂(1 − 2γ)⌉ for 0 < γ < 1/2",
        partial(_mixing_formula, _printed_mixing_time, _SMALL_GAMMAS),
        Mutant(
            "1 − γ",
            partial(_mixing_formula, partial(_printed_mixing_time, factor=1), _SMALL_GAMMAS),
        ),
        assumptions=("0 < γ < 1/2, as in the construction, where γ ≤ 0.1",),
    ),
    MIXING_BOUND.enclosed(
        "I17",
        "1692",
        "⌈log(2δ)/log(1 − γ)⌉/⌈−1/log₂(1 − 2γ)⌉ → 2·log₂(1/(2δ)) as γ → 0: without the ceilings "
        "it is between this and (1 + γ) times this for γ ≤ 1/10",
        partial(_limit, 2),
        Mutant("(1 + γ/2) times", partial(_limit, 1)),
        Mutant("the limit of log(1 − 2γ)/log(1 − γ) is 1", partial(_limit, 2, 1)),
        assumptions=("0 < δ < 1/2: the limit is positive",),
    ),
    MIXING_BOUND.proved(
        "S.I13",
        "1684-1686",
        "The noise is independent of what A does: quiet runs have chance ≥ 0.81 from e_1, ≥ 0.405 "
        "from a uniform start",
        partial(_independent_quiet_runs, Fraction(81, 100), Fraction(81, 200)),
        Mutant("0.82", partial(_independent_quiet_runs, Fraction(82, 100), Fraction(41, 100))),
    ),
    MIXING_BOUND.proved(
        "S.I14",
        "1688-1690",
        "The contradiction holds for every δ < 1/5: the chance 0.4 − δ to fail on M_3 exceeds δ",
        partial(_contradiction, Rational(2, 5), Rational(1, 5)),
        Mutant("δ < 1/4", partial(_contradiction, Rational(2, 5), Rational(1, 4))),
        assumptions=("ε < 1/4, so that 1/2 + ε < 1 − ε",),
    ),
    MIXING_BOUND.proved(
        "S.I15",
        "1692",
        "Success on M_2 and on M_3, each with chance ≥ 1 − δ, needs only that e_2 is missed with "
        "chance ≤ 2δ: ⌈log(4δ)/log(1 − γ)⌉ steps are necessary",
        partial(_not_both, 2),
        Mutant("missed with chance ≤ δ", partial(_not_both, 1)),
        assumptions=("0 < δ ≤ 1/4", "ε < 1/4, N ≥ 2"),
    ),
    MIXING_BOUND.exact(
        "S.I16",
        "1692",
        "t_mix = max(1, least n with |1 − 2γ|ⁿ ≤ 1/2) for every 0 < γ < 1, also from 1/2 on, "
        "where the printed logarithm is not defined",
        partial(_mixing_formula, _mixing_time_of_any, _ALL_GAMMAS),
        Mutant(
            "0 steps at γ = 1/2",
            partial(
                _mixing_formula,
                lambda g: 0 if g == _HALF else _mixing_time_of_any(g),
                _ALL_GAMMAS,
            ),
        ),
    ),
    MIXING_BOUND.proved(
        "S.I17",
        "1692",
        "⌈log(2δ)/log(1 − γ)⌉ ≥ 2·log₂(1/(2δ))·(t_mix − 1) for every 0 < γ < 1/2: linear not only "
        "in the limit",
        partial(_linear, 2),
        Mutant("3·log₂(1/(2δ))", partial(_linear, 3)),
        assumptions=("0 < δ < 1/2",),
    ),
)
