"""Independent chains side by side mix nearly as fast as each of them (l. 1537, 1614-1641)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exact, exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.paper.mixing_times.two_states import BOUNDED
from proofs_checks.proofs.chains.products import copies_mix, distances_add
from proofs_checks.replays import shown_by, shown_without
from proofs_checks.sections import MIXING_TIMES
from steel_verified.worlds.chains import MIXED, Chain, mixing_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence

x = Symbol("x")
COMPONENTS: Final = 512

m, k, u, v, w, y, p, q = (Symbol(name) for name in ("m", "k", "u", "v", "w", "y", "p", "q"))


def overlaps(common: Expr) -> Evidence:
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
        partial(overlaps, m * k),
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
        partial(at_most, (COMPONENTS - showing) * x, bound * x, {showing: 0, x: 0}),
    )


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


CLAIMS: Final = (
    MIXING_TIMES.proved(
        "H01",
        "1537",
        "‖⊗Aᵢ − ⊗Bᵢ‖ ≤ Σ‖Aᵢ − Bᵢ‖ in total variation, for any number of factors",
        partial(_subadditive, p + q),
        Mutant("only the first factor counts", partial(_subadditive, p)),
        assumptions=("discrete laws: 1 − ‖A − B‖ = Σ min(A, B)",),
    ),
    MIXING_TIMES.proved(
        "H01.b",
        "1537",
        "‖A⊗C − B⊗D‖ ≤ ‖A − B‖ + ‖C − D‖ for all laws on finite sets",
        beside(partial(_two_factors, lambda a, b: a + b), partial(shown_by, distances_add)),
        Mutant("without ‖A − B‖", partial(shown_by, distances_add, 0)),
        Mutant("C of any mass", partial(shown_without, "C law", distances_add)),
        Mutant("the larger of the two is enough", partial(_two_factors, max)),
    ),
    MIXING_TIMES.proved(
        "S.H01",
        "1537",
        "‖⊗Aᵢ − ⊗Bᵢ‖ ≤ 1 − Π(1 − ‖Aᵢ − Bᵢ‖), which is never more than the sum",
        partial(overlaps, m * k),
        Mutant("overlaps multiply without a remainder", partial(overlaps, (m + u) * (k + w))),
        assumptions=("discrete laws: 1 − ‖A − B‖ = Σ min(A, B)",),
    ),
    MIXING_TIMES.proved(
        "H07",
        "1614-1616",
        "L − K ≤ 512 independent chains are within 512·0.8ⁿ of stationarity after n steps",
        partial(_many_chains, COMPONENTS),
        Mutant("511 terms", partial(_many_chains, COMPONENTS - 1)),
        assumptions=(BOUNDED,),
    ),
    MIXING_TIMES.proved(
        "H10",
        "1634-1641",
        "t_mix of eight independent copies is at most t_mix(1/32) of one",
        partial(_eight_walkers, 32),
        Mutant("t_mix(1/31)", partial(_eight_walkers, 31)),
    ),
    MIXING_TIMES.proved(
        "H10.b",
        "1634-1641",
        "t_mix of c independent copies is at most t_mix(1/(4c)) of one: the norm of j is at most "
        "j times that of one, by induction over j, and 2·TV",
        beside(
            partial(_copies_mix, lambda copies: MIXED / copies),
            partial(shown_by, distances_add),
            partial(shown_by, copies_mix),
        ),
        Mutant("a norm of 2/5 in all", partial(shown_by, copies_mix, Fraction(2, 5))),
        Mutant("t_mix(1/4) of one", partial(_copies_mix, lambda _: MIXED)),
    ),
)
