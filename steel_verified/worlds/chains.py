"""Finite Markov chains with rational entries: exact distributions and exact mixing times."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import TYPE_CHECKING, Final

from flint import fmpq, fmpq_mat, fmpz_mat

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import distances, is_connected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Distribution = tuple[Fraction, ...]

MIXED: Final = Fraction(1, 4)
"""t_mix = t_mix(1/4) (l. 142)."""


_LARGEST_DENOMINATOR: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class Chain:
    """An irreducible, aperiodic chain; `rows[e][f]` is the transition probability from e to f."""

    rows: tuple[Distribution, ...]

    def __post_init__(self) -> None:
        for e, row in enumerate(self.rows):
            if len(row) != len(self.rows):
                raise InvalidArgument(f"rows[{e}]", len(row), f"{len(self.rows)} entries")
            require_distribution(f"rows[{e}]", row)
        leads = [[f for f, p in enumerate(row) if p] for row in self.rows]
        if not is_connected(leads):
            expected = "a chain in which every state reaches every other"
            raise InvalidArgument("rows", "reducible", expected)
        # The period divides the difference in length of any two ways to a state.
        far = distances(leads, 0)
        if gcd(*(far[e] + 1 - far[f] for e, row in enumerate(leads) for f in row)) != 1:
            raise InvalidArgument("rows", "periodic", "an aperiodic chain")

    def __len__(self) -> int:
        return len(self.rows)


def require_distribution(name: str, weights: Distribution) -> None:
    """Raise `InvalidArgument` unless the weights are exactly a probability distribution."""
    if not weights or min(weights) < 0 or sum(filter(None, weights)) != 1:
        shown = ", ".join(str(weight) for weight in weights)
        raise InvalidArgument(name, f"({shown})", "nonnegative fractions that sum to 1")


def stationary(chain: Chain) -> Distribution:
    """The exact stationary distribution: π with πP = π."""
    n = len(chain)
    # The equations π(P − 1) = 0 (the last one follows from the others), and Σπ = 1.
    equations = [[chain.rows[f][e] - (e == f) for f in range(n)] for e in range(n - 1)]
    equations.append([Fraction(1)] * n)
    right = [[Fraction(0)]] * (n - 1) + [[Fraction(1)]]
    solution = _matrix(equations).solve(_matrix(right))
    weights = (solution[e, 0] for e in range(n))
    return tuple(Fraction(int(weight.p), int(weight.q)) for weight in weights)


def distance_from_stationarity(chain: Chain, steps: int) -> Fraction:
    """The largest total variation distance from π after this many steps, over all starts."""
    return _Powers(chain).distance(steps)


class _Powers:
    """Exact powers of a chain, as integers: in units of 1/M for one step, and of 1/Mⁿ for n."""

    def __init__(self, chain: Chain) -> None:
        self._whole = lcm(*(p.denominator for row in chain.rows for p in row))
        self._matrix = fmpz_mat([[int(p * self._whole) for p in row] for row in chain.rows])
        pi = stationary(chain)
        self._pi_whole = lcm(*(p.denominator for p in pi))
        self._pi = [int(p * self._pi_whole) for p in pi]

    def distance(self, steps: int) -> Fraction:
        power = (self._matrix**steps).tolist()
        whole = self._whole**steps
        farthest = max(
            sum(
                abs(int(p) * self._pi_whole - q * whole) for p, q in zip(row, self._pi, strict=True)
            )
            for row in power
        )
        return Fraction(farthest, 2 * whole * self._pi_whole)


def mixing_time(chain: Chain, within: Fraction = MIXED) -> int:
    """t_mix(within): the least t ≥ 1 after which every start is `within` of π (total variation)."""
    distance = _Powers(chain).distance
    return least(lambda steps: distance(steps) <= within)


def mixing_time_together(chains: Iterable[Chain]) -> int:
    """A bound on t_mix(1/4) of independent chains: their distances are added (union bound)."""
    counts = [(_Powers(chain).distance, n) for chain, n in Counter(chains).items()]
    return least(lambda steps: sum((n * far(steps) for far, n in counts), Fraction(0)) <= MIXED)


def least(enough: Callable[[int], bool]) -> int:
    """The least n ≥ 1 that is enough, if all larger ones are: by doubling and then bisection."""
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2 + 1
    return bisect_left(range(low, high), 1, key=enough) + low


def common_denominator(laws: Iterable[Distribution]) -> int:
    """The least M such that every weight is a multiple of 1/M, if it is below 2**62."""
    whole = lcm(*(weight.denominator for law in laws for weight in law))
    if whole >= _LARGEST_DENOMINATOR:
        expected = "weights with a common denominator below 2**62, so that draws are exact"
        raise InvalidArgument("weights", f"common denominator {whole}", expected)
    return whole


def thresholds(law: Distribution, whole: int) -> tuple[int, ...]:
    """Cumulative weights in units of 1/M: a uniform draw below M passes so many for an outcome."""
    return tuple(int(total * whole) for total in accumulate(law))


def _matrix(rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    return fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in rows])
