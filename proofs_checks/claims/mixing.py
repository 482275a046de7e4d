"""How fast the noise of the two examples mixes: t̂_mix = 40 and 300 are valid bounds.

Laws are columns, as in the paper: a step multiplies by the matrix from the left. λ stands for
1 − ε₀ − ε₁ and `power` for λⁿ; what holds for power = 1 and passes from power to λ·power holds for
every n.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from flint import arb
from sympy import Matrix, Rational, Symbol

from proofs_checks.claim import Evidence, Mutant
from proofs_checks.methods.finite import equal, exact, exhausted
from proofs_checks.methods.slack import at_most
from proofs_checks.methods.symbolic import identity
from proofs_checks.methods.together import together
from proofs_checks.sections import MIXING_TIMES
from steel_verified.experiments import settings
from steel_verified.theory.exact import ball, ceiling, least_power
from steel_verified.worlds.chains import (
    MIXED,
    Chain,
    distance_from_stationarity,
    mixing_time,
)
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.multi_maze import CELLS, MOVES, SIDE, maze, walkers_mixing_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sympy import Expr


e0, e1, power, x = (Symbol(name) for name in ("ε0", "ε1", "power", "x"))
rate = 1 - e0 - e1

_STEP: Final = Matrix([[1 - e0, e1], [e0, 1 - e1]])
_ONE: Final = Matrix([[1, 0], [0, 1]])
_NEVER_STILL: Final = "0 ≤ ε₀, ε₁ ≤ 1 and ε₀ + ε₁ > 0 (else nothing moves and π is not unique)"
_BOUNDED: Final = "0.1 ≤ ε₀, ε₁ ≤ 0.9 (l. 273, 1609)"

_FASTEST_LOSS: Final = Fraction(4, 5)
"""|λ| is at most this."""
_CHAINS: Final = 512
_LOCKS: Final = (20, 30, 40)


def _nth_power(power: Expr | int, sign: int = 1) -> Matrix:
    """The closed form of the n-th power; a mistaken `sign` is for mutants."""
    total = 1 / (e0 + e1)
    return Matrix(
        [
            [total * (e1 + sign * power * e0), total * (e1 - power * e1)],
            [total * (e0 - power * e0), total * (e0 + power * e1)],
        ]
    )


def _same(left: Matrix, right: Matrix) -> Evidence:
    entries = product(range(2), range(2))
    return together(*(partial(identity, left[at], right[at]) for at in entries))


def _powers(sign: int = 1) -> Evidence:
    return together(
        partial(_same, _nth_power(1, sign), _ONE),
        partial(_same, _STEP * _nth_power(power, sign), _nth_power(rate * power, sign)),
    )


def _spectrum(second: Expr, at_zero: Expr, at_one: Expr) -> Evidence:
    """The characteristic polynomial, and a law that a step does not change."""
    shifted = Matrix([[1 - e0 - x, e1], [e0, 1 - e1 - x]])
    return together(
        partial(identity, shifted.det(), (x - 1) * (x - second)),
        partial(identity, (1 - e0) * at_zero + e1 * at_one, at_zero),
        partial(identity, e0 * at_zero + (1 - e1) * at_one, at_one),
        partial(identity, at_zero + at_one, x / x),
    )


def _laws(from_zero: Expr, from_one: Expr) -> Evidence:
    """The first entries of the two laws after n steps; the second ones make up the rest of 1."""
    whole, law = e0 + e1, _nth_power(power)
    return together(
        _powers,
        partial(identity, law[0, 0], from_zero / whole),
        partial(identity, law[1, 0], 1 - from_zero / whole),
        partial(identity, law[0, 1], from_one / whole),
        partial(identity, law[1, 1], 1 - from_one / whole),
    )


def _distance(scale: int = 1) -> Evidence:
    """The two entries of each difference are opposite, so that one of them is the distance."""
    law, whole = _nth_power(power), e0 + e1
    return together(
        partial(identity, law[0, 0] - e1 / whole, power * e0 / whole),
        partial(identity, law[1, 0] - e0 / whole, -power * e0 / whole),
        partial(identity, law[0, 1] - e1 / whole, -power * e1 / whole),
        partial(identity, law[1, 1] - e0 / whole, power * e1 / whole),
        partial(at_most, scale * e0, whole, {e0: 0, e1: 0}),
        partial(at_most, scale * e1, whole, {e0: 0, e1: 0}),
    )


def _rates(bound: Expr) -> Evidence:
    """Either sign of λ; for the negative one the chances are written as 9/10 less something."""
    less0, less1 = Symbol("less0"), Symbol("less1")
    tenth, nine = Rational(1, 10), Rational(9, 10)
    return together(
        partial(at_most, rate, bound, {e0: tenth, e1: tenth}),
        partial(at_most, (nine - less0) + (nine - less1) - 1, bound, {less0: 0, less1: 0}),
    )


m, k, u, v, w, y, p, q = (Symbol(name) for name in ("m", "k", "u", "v", "w", "y", "p", "q"))


def _overlaps(common: Expr) -> Evidence:
    """1 − TV is Σ min; of two factors it is at least the product of theirs, point by point.

    For weights m + u, m + v of the first factor (where u or v is 0) and k + w, k + y of the second.
    """
    least: dict[Symbol, Expr | int] = {m: 0, k: 0, u: 0, v: 0, w: 0, y: 0}
    return together(
        partial(identity, u / 2, ((m + u) + m) / 2 - m),
        partial(at_most, common, (m + u) * (k + w), least),
        partial(at_most, common, (m + v) * (k + y), least),
    )


def _subadditive(sum_of_two: Expr) -> Evidence:
    """From the overlaps (1 − p)(1 − q) of two factors; more factors by taking one at a time."""
    return together(
        partial(_overlaps, m * k),
        partial(at_most, 1 - sum_of_two, (1 - p) * (1 - q), {p: 0, q: 0}),
    )


def _apart(a: Sequence[int], b: Sequence[int]) -> int:
    """Twice the total variation, in units of the weights."""
    return sum(abs(i - j) for i, j in zip(a, b, strict=True))


_QUARTERS: Final = tuple(weights for weights in product(range(5), repeat=3) if sum(weights) == 4)


def _two_factors(add: Callable[[int, int], int]) -> Evidence:
    """All pairs of laws in quarters on three points, for both factors."""
    pairs = [(a, b) for a in _QUARTERS for b in _QUARTERS if a <= b]

    def holds(case: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]) -> bool:
        (a, b), (c, d) = case
        joint_a = [i * j for i in a for j in c]
        joint_b = [i * j for i in b for j in d]
        return _apart(joint_a, joint_b) <= 4 * add(_apart(a, b), _apart(c, d))

    size = "two factors, every pair of laws on 3 points with weights in quarters"
    return exhausted(product(pairs, pairs), holds, size)


def _many_chains(bound: int) -> Evidence:
    """Fewer chains than 512 do no harm; and |λ| ≤ 0.8 passes to all powers, step by step."""
    showing = Symbol("showing")
    return together(
        partial(_subadditive, p + q),
        partial(at_most, y * u, (y + v) * (u + w), {y: 0, u: 0, v: 0, w: 0}),
        partial(at_most, (_CHAINS - showing) * x, bound * x, {showing: 0, x: 0}),
    )


def _lock_bound(chains: int) -> int:
    """The least n with chains · 0.8ⁿ ≤ 1/4."""
    return least_power(_FASTEST_LOSS, MIXED / chains)


def _lock_ceiling(stated: int) -> Evidence:
    return together(
        lambda: equal(_lock_bound(_CHAINS), stated),
        lambda: equal(ceiling(lambda: -arb(2048).log() / ball(_FASTEST_LOSS).log()), stated),
    )


def _lock_given(chains: int) -> Evidence:
    """The bound is no larger than what STEEL is given."""
    given = {settings.combination_lock(states).parameters.mixing_time for states in _LOCKS}
    bound = _lock_bound(chains)
    return together(
        lambda: equal(given, {40}),
        lambda: equal(min(*given, bound), bound),
    )


def _drawn_locks(most: int) -> Evidence:
    """The locks of the experiments, with the chances that were drawn for them, on balls."""

    def holds(case: tuple[int, int]) -> bool:
        seed, states = case
        return combination_lock(seed, states=states).truth().mixing_time <= most

    return exact(product(range(20), _LOCKS), holds, "locks of 20 seeds with K = 20, 30, 40")


def _eight_walkers(parts: int) -> Evidence:
    """Each walker `below` 1/parts: the eight of them together are within 1/4."""
    below = Symbol("below")
    one = Rational(1, parts) - below
    return together(
        partial(_subadditive, p + q),
        partial(at_most, 8 * one, Rational(1, 4), {below: 0}),
    )


def _copies(chain: Chain, copies: int) -> Chain:
    """So many independent copies, as one chain."""
    rows: tuple[tuple[Fraction, ...], ...] = ((Fraction(1),),)
    for _ in range(copies):
        rows = tuple(
            tuple(a * b for a in left for b in right) for left in rows for right in chain.rows
        )
    return Chain(rows)


def _small_chains() -> Iterator[Chain]:
    tenth = Fraction(1, 10)
    for on, off in product(range(1, 10, 2), repeat=2):
        yield Chain(((1 - on * tenth, on * tenth), (off * tenth, 1 - off * tenth)))
    half, none = Fraction(1, 2), Fraction(0)
    yield Chain(((half, half, none), (half, none, half), (none, half, half)))


def _copies_mix(within: Callable[[int], Fraction]) -> Evidence:
    def holds(case: tuple[Chain, int]) -> bool:
        chain, copies = case
        return mixing_time(_copies(chain, copies)) <= mixing_time(chain, within(copies))

    return exact(product(_small_chains(), (2, 3)), holds, "2 and 3 copies of 26 small chains")


def _walker() -> Chain:
    quarter = Fraction(1, len(MOVES))
    cells = range(len(CELLS))
    return Chain(tuple(tuple(quarter * row.count(to) for to in cells) for row in maze().table))


def _first_within(steps: int, close: Callable[[Fraction], bool]) -> Evidence:
    """So many steps of one walker are close enough, one fewer is not."""
    walker = _walker()
    return equal(
        [close(distance_from_stationarity(walker, n)) for n in (steps - 1, steps)], [False, True]
    )


def _walkers(steps: int, walkers: int = 8) -> Evidence:
    return together(
        lambda: equal(walkers_mixing_time(walkers), steps),
        partial(_first_within, steps, lambda far: far <= Fraction(1, 32)),
    )


def _walkers_given(walkers: int) -> Evidence:
    given, bound = settings.multi_maze().parameters.mixing_time, walkers_mixing_time(walkers)
    return together(lambda: equal(given, 300), lambda: equal(min(given, bound), bound))


def _rooms(stated: int) -> Evidence:
    """Four rooms of 4 × 4 cells and four doors, and so many states of the maze."""
    room = (SIDE - 3) // 2
    return together(
        lambda: equal(4 * room**2 + 4, stated),
        lambda: equal(len(CELLS), stated),
        lambda: equal(maze().states, stated),
    )


def _within(far: Fraction, factors: int) -> bool:
    """Whether as many factors as far from stationarity are within 1/4, by their overlaps."""
    return 1 - (1 - far) ** factors <= MIXED


def _half_of_the_rate(least: int) -> Evidence:
    """Every chain is within ½·0.8ⁿ for n ≥ least.

    Let total = ε₀ + ε₁ be 2u + w away from 0.2 or from 1.8, where w = |ε₀ − ε₁|; then
    |λ|/0.8 = 1 − y for y = (2u + w)·5/4, max(ε₀, ε₁) = (total + w)/2 and total ≥ 1/5.
    (1 − y)ⁿ(1 + ny) ≤ 1 for every n, so that total + w ≤ total·(1 + ny) is enough.
    """
    total, n = Symbol("total"), Symbol("n")
    away = (2 * u + w) * Rational(5, 4)
    return together(
        partial(at_most, (1 - y) * (1 + (n + 1) * y), 1 + n * y, {n: 0, y: 0}),
        partial(
            at_most,
            total + w,
            total * (1 + n * away),
            {total: Rational(1, 5), u: 0, w: 0, n: least},
        ),
    )


def _sharper_lock(steps: int) -> Evidence:
    after = [_FASTEST_LOSS**n / 2 for n in (steps - 1, steps)]
    return together(
        partial(_overlaps, m * k),
        partial(_half_of_the_rate, 4),
        lambda: equal([_within(far, _CHAINS) for far in after], [False, True]),
    )


def _sharper_walkers(steps: int) -> Evidence:
    return together(
        partial(_overlaps, m * k), partial(_first_within, steps, lambda far: _within(far, 8))
    )


CLAIMS: Final = (
    MIXING_TIMES.proved(
        "H01",
        "1537",
        "‖⊗Aᵢ − ⊗Bᵢ‖ ≤ Σ‖Aᵢ − Bᵢ‖ in total variation, for any number of factors",
        partial(_subadditive, p + q),
        Mutant("only the first factor counts", partial(_subadditive, p)),
        assumptions=("discrete laws: 1 − ‖A − B‖ = Σ min(A, B)",),
    ),
    MIXING_TIMES.exhausted(
        "H01.b",
        "1537",
        "‖A⊗C − B⊗D‖ ≤ ‖A − B‖ + ‖C − D‖ for all laws on three points with weights in quarters",
        partial(_two_factors, lambda a, b: a + b),
        Mutant("the larger of the two is enough", partial(_two_factors, max)),
    ),
    MIXING_TIMES.proved(
        "H02",
        "1551",
        "A two-state chain has eigenvalues 1 and 1 − ε₀ − ε₁, and π = (ε₁, ε₀)/(ε₀ + ε₁)",
        partial(_spectrum, rate, e1 / (e0 + e1), e0 / (e0 + e1)),
        Mutant(
            "the entries of π exchanged", partial(_spectrum, rate, e0 / (e0 + e1), e1 / (e0 + e1))
        ),
        Mutant("λ = 1 − ε₀", partial(_spectrum, 1 - e0, e1 / (e0 + e1), e0 / (e0 + e1))),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H03",
        "1558-1567",
        "Pⁿ = ([ε₁ ε₁; ε₀ ε₀] − λⁿ[−ε₀ ε₁; ε₀ −ε₁])/(ε₀ + ε₁) for every n ≥ 0, by induction",
        _powers,
        Mutant("the sign of one entry", partial(_powers, -1)),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H04",
        "1571-1602",
        "After n steps state 0 has chance (ε₁ + λⁿε₀)/(ε₀ + ε₁) from 0, (ε₁ − λⁿε₁)/(ε₀ + ε₁) "
        "from 1",
        partial(_laws, e1 + power * e0, e1 - power * e1),
        Mutant("ε₀ in both", partial(_laws, e1 + power * e0, e1 - power * e0)),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H05",
        "1607",
        "‖πₙ − π‖ ≤ |λ|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) ≤ |λ|ⁿ; the first is an equality for one start",
        _distance,
        Mutant("2·max(ε₀, ε₁) ≤ ε₀ + ε₁", partial(_distance, 2)),
        assumptions=(_NEVER_STILL,),
    ),
    MIXING_TIMES.proved(
        "H06",
        "1610-1612",
        "|1 − ε₀ − ε₁| ≤ 0.8",
        partial(_rates, Rational(4, 5)),
        Mutant("0.79", partial(_rates, Rational(79, 100))),
        assumptions=(_BOUNDED,),
    ),
    MIXING_TIMES.proved(
        "H07",
        "1614-1616",
        "L − K ≤ 512 independent chains are within 512·0.8ⁿ of stationarity after n steps",
        partial(_many_chains, _CHAINS),
        Mutant("511 terms", partial(_many_chains, _CHAINS - 1)),
        assumptions=(_BOUNDED,),
    ),
    MIXING_TIMES.proved(
        "H08",
        "1621-1628",
        "The least n with 512·0.8ⁿ ≤ 1/4 is ⌈−log 2048/log 0.8⌉ = 35",
        partial(_lock_ceiling, 35),
        Mutant("34", partial(_lock_ceiling, 34)),
    ),
    MIXING_TIMES.proved(
        "H09",
        "1630",
        "t̂_mix = 40, as given for K = 20, 30, 40 and L = 512, is at least t_mix",
        partial(_lock_given, _CHAINS),
        Mutant("2,048 components", partial(_lock_given, 2048)),
        assumptions=(_BOUNDED,),
    ),
    MIXING_TIMES.exact(
        "S.H09",
        "1630",
        "Of the locks drawn from seeds 0, …, 19, t_mix ≤ 13: Σ |λ|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) ≤ 1/4 "
        "for such an n",
        partial(_drawn_locks, 13),
        Mutant("12", partial(_drawn_locks, 12)),
    ),
    MIXING_TIMES.proved(
        "H10",
        "1634-1641",
        "t_mix of eight independent copies is at most t_mix(1/32) of one",
        partial(_eight_walkers, 32),
        Mutant("t_mix(1/31)", partial(_eight_walkers, 31)),
    ),
    MIXING_TIMES.exact(
        "H10.b",
        "1634-1641",
        "t_mix of c independent copies is at most t_mix(1/(4c)) of one, on small chains",
        partial(_copies_mix, lambda copies: MIXED / copies),
        Mutant("t_mix(1/4) of one", partial(_copies_mix, lambda _: MIXED)),
    ),
    MIXING_TIMES.proved(
        "H11",
        "1643",
        "A maze has 4·4² + 4 = 68 states",
        partial(_rooms, 68),
        Mutant("69", partial(_rooms, 69)),
    ),
    MIXING_TIMES.proved(
        "H12",
        "1645",
        "t_mix(1/32) of one walker is 293, in rational arithmetic",
        partial(_walkers, 293),
        Mutant("292", partial(_walkers, 292)),
        Mutant("1/36, for nine walkers", partial(_walkers, 293, walkers=9)),
    ),
    MIXING_TIMES.proved(
        "H13",
        "1647",
        "t̂_mix = 300, as given for the mazes, is at least t_mix of the eight walkers",
        partial(_walkers_given, 8),
        Mutant("sixteen walkers", partial(_walkers_given, 16)),
    ),
    MIXING_TIMES.proved(
        "S.H01",
        "1537",
        "‖⊗Aᵢ − ⊗Bᵢ‖ ≤ 1 − Π(1 − ‖Aᵢ − Bᵢ‖), which is never more than the sum",
        partial(_overlaps, m * k),
        Mutant("overlaps multiply without a remainder", partial(_overlaps, (m + u) * (k + w))),
        assumptions=("discrete laws: 1 − ‖A − B‖ = Σ min(A, B)",),
    ),
    MIXING_TIMES.proved(
        "S.H05",
        "1607",
        "‖πₙ − π‖ ≤ ½·0.8ⁿ for every n ≥ 4: half of what the paper uses",
        partial(_half_of_the_rate, 4),
        Mutant("from n = 3", partial(_half_of_the_rate, 3)),
        assumptions=(_BOUNDED,),
    ),
    MIXING_TIMES.proved(
        "S.H08",
        "1621-1628",
        "t_mix ≤ 31 for 512 chains: 1 − (1 − ½·0.8³¹)⁵¹² ≤ 1/4",
        partial(_sharper_lock, 31),
        Mutant("30", partial(_sharper_lock, 30)),
        assumptions=(_BOUNDED,),
    ),
    MIXING_TIMES.proved(
        "S.H12",
        "1645",
        "t_mix ≤ 281 for eight walkers: 1 − (1 − d)⁸ ≤ 1/4 for the distance d of one",
        partial(_sharper_walkers, 281),
        Mutant("280", partial(_sharper_walkers, 280)),
    ),
)
