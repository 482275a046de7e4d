"""SinglePrime and DoublePrime: their loops, sizes and visits (l. 1743-1974)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import equal
from proofs_checks.sections import EXPLORATION, PRIME_LOOPS
from proofs_checks.small_cases.inverse_losses import deterministic, single_prime
from proofs_checks.small_cases.prime_pairs import (
    MANY_PAIRS,
    MEDIUM_PAIRS,
    SMALL_PAIRS,
    Equals,
    Pair,
    for_all,
    prime_loops,
)

if TYPE_CHECKING:
    from steel_verified.worlds.dynamics import Table

p, q = (Symbol(name) for name in ("p", "q"))


def _printed_table(pair: Pair) -> Table:
    """T of DoublePrime as printed, with i' written as i + q."""
    small, large = pair
    rows = [((i + 1) % large, (i + 1) % large) for i in range(large)]
    there = [(large + a, large + b) for a, b in rows]
    rows[0] = (1, large + large - small + 1)
    there[0] = (large + 1, large - small + 1)
    return (*rows, *there)


def _returns(pair: Pair, action: int) -> tuple[int, int]:
    """After how many steps 0 or 0' is met again if 0 is left by an action, and which copy it is."""
    large = pair[1]
    here, steps = prime_loops(2, pair).table[0][action], 1
    while here % large:
        here, steps = prime_loops(2, pair).table[here][0], steps + 1
    return steps, here // large


def _forgetting_gives_single(pair: Pair) -> bool:
    code, single = single_prime(pair), prime_loops(1, pair).table
    rows = enumerate(prime_loops(2, pair).table)
    return all(tuple(code[to] for to in row) == single[code[x]] for x, row in rows)


def _both_copies(pair: Pair, position: int) -> int:
    """The fewest steps after which, from one state, either copy of a position can be reached."""
    table, large = prime_loops(2, pair).table, pair[1]
    reached, steps = [{x} for x in range(2 * large)], 0
    while not any({position, position + large} <= states for states in reached):
        reached = [{to for state in states for to in table[state]} for states in reached]
        steps += 1
    return steps


def _visits(pair: Pair) -> tuple[Fraction, ...]:
    """The stationary law under uniformly random actions, up to a factor."""
    small, large = pair
    one_loop = [Fraction(1, 2) if 1 <= i <= large - small else Fraction(1) for i in range(large)]
    return (*one_loop, *one_loop)


def _visit_ratio(pair: Pair) -> Fraction | None:
    """Most- to least-visited state; None if the law is not stationary after all."""
    law, table = _visits(pair), prime_loops(2, pair).table
    after = [Fraction(0)] * len(law)
    for x, row in enumerate(table):
        for to in row:
            after[to] += law[x] / 2
    return max(law) / min(law) if tuple(after) == law else None


_diameter = 2 * q - 1

CLAIMS: Final = (
    PRIME_LOOPS.equation(
        "J03.length",
        "1743-1755",
        "leaving 0 by action 1 to q − p + 1, the next 0-position comes after "
        "1 + q − (q − p + 1) = p steps",
        1 + q - (q - p + 1),
        p,
        Slip("lands at q − p", left=1 + q - (q - p)),
    ),
    PRIME_LOOPS.exhausted(
        "J03.loops",
        "1743-1755",
        "action 0 in 0 returns to 0 after q steps, action 1 leads to 0' after p steps, "
        "and the dynamics are those printed",
        partial(
            for_all,
            MANY_PAIRS,
            Equals(
                lambda pair: (_returns(pair, 0), _returns(pair, 1), prime_loops(2, pair).table),
                lambda a, b: ((b, 0), (a, 1), _printed_table((a, b))),
            ),
        ),
        Mutant(
            "the short loop stays in its copy",
            partial(
                for_all, MANY_PAIRS, Equals(lambda pair: _returns(pair, 1), lambda a, _: (a, 0))
            ),
        ),
    ),
    PRIME_LOOPS.proved(
        "J04",
        "1759-1815, 1838-1869",
        "for (11, 13) action 1 leads 0 → 3', 0' → 3 and 0* → 3*",
        lambda: equal(
            (
                prime_loops(2, (11, 13)).table[0][1],
                prime_loops(2, (11, 13)).table[13][1],
                prime_loops(1, (11, 13)).table[0][1],
            ),
            (13 + 3, 3, 3),
        ),
        Mutant(
            "0 → 2', as for the loop of 12",
            lambda: equal(prime_loops(2, (11, 13)).table[0][1], 13 + 2),
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J05",
        "1835",
        "DoublePrime with i and i' taken as one is SinglePrime",
        partial(for_all, MANY_PAIRS, _forgetting_gives_single),
        Mutant(
            "taking i and (i+1)' as one",
            partial(
                for_all,
                MANY_PAIRS,
                lambda pair: deterministic(
                    prime_loops(2, pair).table,
                    (*range(pair[1]), *((i + 1) % pair[1] for i in range(pair[1]))),
                ),
            ),
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J10",
        "1881",
        "on DoublePrime an agent can choose between 1 and 1' at the same future time; "
        "the shortest lead time is pq + 1",
        partial(
            for_all,
            MEDIUM_PAIRS,
            Equals(lambda pair: _both_copies(pair, 1), lambda a, b: a * b + 1),
            "all primes p < q ≤ 13",
        ),
        Mutant(
            "(q − 1)p + 1 steps ahead",
            partial(
                for_all,
                SMALL_PAIRS,
                Equals(lambda pair: _both_copies(pair, 1), lambda a, b: (b - 1) * a + 1),
                "all primes p < q ≤ 7",
            ),
        ),
    ),
    PRIME_LOOPS.equation(
        "J16.path",
        "1915",
        "1 → … → 0 → (q − p + 1)' → … → 0' → … → (q − p)' takes "
        "(q − 1) + 1 + (p − 1) + (q − p) = 2q − 1 steps",
        (q - 1) + 1 + (p - 1) + (q - p),
        _diameter,
        Slip("2q steps", right=2 * q),
    ),
    PRIME_LOOPS.exhausted(
        "J16",
        "1915",
        "N = D̂ = 2q are upper bounds for both worlds: DoublePrime has 2q states and "
        "diameter 2q − 1, SinglePrime q and q − 1",
        partial(
            for_all,
            MANY_PAIRS,
            Equals(
                lambda pair: [
                    (world.states, world.diameter)
                    for world in (prime_loops(2, pair), prime_loops(1, pair))
                ],
                lambda _, b: [(2 * b, 2 * b - 1), (b, b - 1)],
            ),
        ),
        Mutant(
            "diameter at most q + p − 1",
            partial(
                for_all, MANY_PAIRS, lambda pair: prime_loops(2, pair).diameter <= sum(pair) - 1
            ),
        ),
        assumptions=("t̂_mix = 1: the exogenous chain has a single state and is always mixed",),
    ),
    EXPLORATION.proved(
        "J18",
        "1974",
        "on DoublePrime(41, 43) the long-run visits of the most- and least-visited state "
        "under uniformly random actions have the ratio 2 exactly",
        lambda: equal(_visit_ratio((41, 43)), Fraction(2)),
        Mutant("43/41", lambda: equal(_visit_ratio((41, 43)), Fraction(43, 41))),
        assumptions=("visits in the long run, not of one trajectory of 10⁶ steps",),
    ),
    EXPLORATION.exhausted(
        "S.J18",
        "1974",
        "the ratio is 2 for all p < q: 1, …, q − p and their copies are visited half as "
        "often as each other state",
        partial(for_all, MANY_PAIRS, Equals(_visit_ratio, lambda _a, _b: Fraction(2))),
        Mutant(
            "all alike",
            partial(for_all, MANY_PAIRS, Equals(_visit_ratio, lambda _a, _b: Fraction(1))),
        ),
    ),
)
