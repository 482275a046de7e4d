"""Multistep-inverse losses, compared exactly.

In the limit of infinite data the loss of an encoder is the entropy of the action given what the
encoder keeps of the two observations, averaged over k. Merging observations never lowers it, and
leaves it as it is exactly if all pairs that are merged (and occur) agree on the chance of the
action. So losses are compared through these chances, which are quotients of numbers of paths:
exactly, with no logarithm.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING

from proofs_checks.small_cases.prime_pairs import Pair, prime_loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.worlds.dynamics import Table

Encoder = tuple[int, ...]
Chances = dict[Pair, Fraction]


def single_prime(pair: Pair) -> Encoder:
    """φ_SP, the encoder that forgets the copy."""
    return (*range(pair[1]), *range(pair[1]))


def merging(size: int, one: int, other: int) -> Encoder:
    """The encoder that merges two observations and nothing else."""
    return tuple(one if x == other else x for x in range(size))


def numbers_of_paths(table: Table) -> Iterator[list[list[int]]]:
    """For k = 0, 1, …: how many words of k actions lead from x to y."""
    everywhere = range(len(table))
    paths = [[int(x == y) for y in everywhere] for x in everywhere]
    while True:
        yield paths
        paths = [[a + b for a, b in zip(paths[to[0]], paths[to[1]], strict=True)] for to in table]


@cache
def _chances_in(table: Table, longest: int) -> tuple[Chances, ...]:
    """For k = 1, 2, …: Pr(a_t = 0 | x_t, x_{t+k}), of the pairs that occur."""
    everywhere = range(len(table))
    return tuple(
        {
            (x, y): Fraction(shorter[table[x][0]][y], longer[x][y])
            for x, y in product(everywhere, everywhere)
            if longer[x][y]
        }
        for shorter, longer in pairwise(islice(numbers_of_paths(table), longest + 1))
    )


def _chances(pair: Pair, longest: int) -> tuple[Chances, ...]:
    return _chances_in(prime_loops(2, pair).table, longest)


def _agree(chances: Chances, encoder: Encoder) -> bool:
    """Return whether the encoder loses no information about the action."""
    of_codes: dict[Pair, Fraction] = {}
    return all(
        of_codes.setdefault((encoder[x], encoder[y]), chance) == chance
        for (x, y), chance in chances.items()
    )


def optimal(pair: Pair, longest: int, encoder: Encoder) -> bool:
    """Return whether the loss for K = `longest` is that of the identity, which is minimal."""
    return all(_agree(chances, encoder) for chances in _chances(pair, longest))


def first_difference(pair: Pair) -> int:
    """The least K for which φ_SP has a larger loss than φ_DP."""
    longest = pair[0] * pair[1] + 1
    lengths = enumerate(_chances(pair, longest), 1)
    return next(k for k, chances in lengths if not _agree(chances, single_prime(pair)))


def smallest_encoders_in(
    table: Table, longest: int, *, forward: bool = False
) -> tuple[Encoder, ...]:
    """All encoders of least loss with the fewest outputs (each up to renaming its outputs).

    With `forward`, only encoders of forward loss 0.
    """
    size = len(table)
    every = _chances_in(table, longest)
    known = [
        [{xy: c for xy, c in chances.items() if max(xy) < upto} for chances in every]
        for upto in range(size + 1)
    ]

    def extend(codes: Encoder, used: int, most: int) -> Iterator[Encoder]:
        if len(codes) == size:
            if not forward or deterministic(table, codes):
                yield codes
            return
        for code in range(min(used + 1, most)):
            longer = (*codes, code)
            if all(_agree(chances, longer) for chances in known[len(longer)]):
                yield from extend(longer, max(used, code + 1), most)

    for most in range(1, size + 1):
        if found := tuple(extend((), 0, most)):
            return found
    raise AssertionError("the identity is always optimal")


def deterministic(table: Table, encoder: Encoder) -> bool:
    """Whether the next code is a function of the code and the action: forward loss 0."""
    after: dict[Pair, int] = {}
    return all(
        after.setdefault((encoder[x], action), encoder[to]) == encoder[to]
        for x, row in enumerate(table)
        for action, to in enumerate(row)
    )
