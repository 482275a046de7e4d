"""The listing of CycleFind: positions, transitions and where it ends (l. 142, 373, 397-440)."""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.deduction.proofs import beside, proof
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.sums.checking import shown_by
from proofs_checks.kernels.sums.spoiling import shown_without
from proofs_checks.proofs import theory
from proofs_checks.proofs.chains.mixing import distance_never_grows
from proofs_checks.sections import LISTING_OF_CYCLE_FIND
from proofs_checks.small_cases.worlds import parameters, small_worlds, words
from steel_verified.learning.results import accepted
from steel_verified.theory.recipe import paper
from steel_verified.worlds.driver import learn
from steel_verified.worlds.dynamics import Dynamics, orbit
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sympy import Expr

    from steel_verified.evidence.plans import Word
    from steel_verified.learning.results import Accepted


@cache
def _runs() -> tuple[tuple[Dynamics, Accepted[int], int], ...]:
    """Every small world, what is learned of it when no verdict is wrong, and where that ends."""
    found = []
    for world in small_worlds():
        at = IdealWorld(world, 0)
        bounds = parameters(world.states + 1, 3, actions=world.actions)
        learned = accepted(learn(at, PerfectOracle(), paper(bounds)))
        found.append((world, learned, at.state))
    return tuple(found)


_RUNS: Final = "every world with |S| ≤ 3, |A| ≤ 2, every start, N = |S| + 1, t̂_mix = 3"


def _learned_right(run: tuple[Dynamics, Accepted[int], int], *, moved: int = 0) -> bool:
    world, learned, ended = run
    names = learned.classifiers
    if names is None or sorted(names) != list(range(world.states)):
        return False
    current = names[(learned.current + moved) % world.states]
    return current == ended and all(
        to is not None and names[to] == world.table[names[label]][action]
        for label, row in enumerate(learned.model.table)
        for action, to in enumerate(row)
    )


def _loops() -> Iterator[tuple[Dynamics, Word]]:
    for world in small_worlds():
        for word in words(world.actions, 3):
            yield world, word


def _written_right(case: tuple[Dynamics, Word], *, ahead: int = 0) -> bool:
    """Whether T(s_i^cyc, â_{i % |â|}) = s_{(i+1) % L}^cyc, positions taken modulo L."""
    world, word = case
    loop = orbit(world, 0, word)
    length = loop.cycle
    first = -(-loop.transient // length) * length
    states = [loop.at(first + i) for i in range(length)]
    return all(
        world.table[state][word[(i + ahead) % len(word)]] == states[(i + 1) % length]
        for i, state in enumerate(states)
    )


_Chain = tuple[tuple[int, int, int], ...]


def _chains() -> Iterator[_Chain]:
    """Three-state chains in which every state reaches every other; chances in thirds."""
    rows = [(p, q, 3 - p - q) for p in range(4) for q in range(4 - p)]
    return (chain for chain in product(rows, repeat=3) if min(_stationary(chain)) > 0)


def _stationary(chain: _Chain) -> tuple[int, ...]:
    """The stationary weights: for each state, the trees that lead to it."""
    weights = []
    for root in range(3):
        b, c = (root + 1) % 3, (root + 2) % 3
        weights.append(
            chain[b][root] * chain[c][root]
            + chain[b][c] * chain[c][root]
            + chain[c][b] * chain[b][root]
        )
    return tuple(weights)


def _nears_equilibrium(chain: _Chain, *, strictly: bool = False) -> bool:
    """Whether the distance from the worst start never grows, over 6 steps; in integers."""
    weights = _stationary(chain)
    total, power = sum(weights), np.array(chain, dtype=object)
    distances = []
    for step in range(1, 7):
        away = abs(power * total - np.array(weights, dtype=object) * 3**step)
        distances.append(int(away.sum(axis=1).max()) * 3 ** (6 - step))
        power = power @ np.array(chain, dtype=object)
    return all(two < one if strictly else two <= one for one, two in pairwise(distances))


t, mix, n = (Symbol(name) for name in ("t", "mix", "n"))
"""t̂_mix, t_mix, n_samp."""
k, L, stride, start = (Symbol(name) for name in ("k", "L", "stride", "start"))
before, rest, late, unused = (Symbol(name) for name in ("before", "rest", "late", "unused"))
_length = start + 2 * ((n - 1) * stride + L) + t
_late_start = start + (n - 1) * stride + L + t
_last_sample = (n - 1) * stride + _late_start + rest
_SAMPLING: Final[Mapping[Symbol, Expr | int]] = {
    L: rest + 1,
    rest: 0,
    start: t,
    stride: t,
    t: mix,
    mix: 1,
    n: 1,
}
_RIGHT: Final = ("no verdict is wrong", "|S| ≤ N")

CLAIMS: Final = (
    LISTING_OF_CYCLE_FIND.proved(
        "P12",
        "373, 438",
        "T(s_i^cyc, â_{i % |â|}) = s_{(i+1) % L}^cyc for every position i: transitions are written "
        "with the action that was taken",
        beside(
            lambda: exhausted(
                _loops(), _written_right, "|S| ≤ 3, |A| ≤ 2, words of up to 3 actions"
            ),
            proof(theory("LOOPED_WORDS"), "P12"),
        ),
        Mutant(
            "the action after the next",
            lambda: exhausted(_loops(), partial(_written_right, ahead=1), "|S| ≤ 3"),
        ),
        proof(theory("LOOPED_WORDS"), "P12").misstated(
            "the action after the next",
            "P12",
            then="T(s_cyc(z, i), w((i + 1) % L)) == s_cyc(z, (i + 1) % (n_cyc(0) * L))",
        ),
        assumptions=("L is the length of the cycle",),
    ),
    LISTING_OF_CYCLE_FIND.bound(
        "P16",
        "397, 663",
        "c samples suffice: no index of any D'_i exceeds c − 1",
        _last_sample,
        _length - 1,
        {**_SAMPLING, L: rest + 1 + unused, unused: 0},
        Slip("a step less", right=_length - 2),
    ),
    LISTING_OF_CYCLE_FIND.bound(
        "P21",
        "422, 734",
        "if D(s) holds samples from before the call only, adding one D'_i keeps it t̂_mix apart",
        t,
        (before + unused + start + rest) - before,
        {start: t, t: 2, before: 0, unused: 0, rest: 0},
        Slip(
            "two positions of one call: their first samples can be a step apart",
            right=(start + rest + 1) - (start + rest),
        ),
    ),
    LISTING_OF_CYCLE_FIND.bound(
        "P23",
        "440",
        "max(c, c_init) ≥ c ≥ n_0 + 3, where the loop has been entered: max(c, c_init) % L "
        "determines the state",
        start + 3,
        _length,
        {**_SAMPLING, L: rest + 1},
        Slip("c ≥ n_0 + 4", left=start + 4),
        assumptions=_RIGHT,
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P23.run",
        "438-440",
        "a run without a wrong verdict learns T up to names, and its s_curr is where it is",
        beside(
            lambda: exhausted(_runs(), _learned_right, _RUNS),
            proof(theory("NAMING"), "one_name", "true_transitions", "where_it_is"),
            proof(theory("COMPLETE"), "C09"),
        ),
        Mutant(
            "the next state for s_curr",
            lambda: exhausted(_runs(), partial(_learned_right, moved=1), _RUNS),
        ),
        proof(theory("NAMING"), "one_name", "true_transitions", "where_it_is").misstated(
            "a second name for a state that has one",
            "verdicts",
            then="name(label(i)) == s_cyc(begin, i),"
            " (names(i + 1) == names(i) and 0 <= label(i) < names(i))"
            " or (names(i + 1) == names(i) + 1 and label(i) == names(i))",
        ),
        assumptions=_RIGHT,
    ),
    LISTING_OF_CYCLE_FIND.bound(
        "P24",
        "142, 380-408",
        "for every t̂_mix ≥ t_mix, samples whose stride is at least t̂_mix are at least t_mix apart",
        mix,
        (late - k) * stride,
        {late: k + 1, k: 0, stride: t, t: mix, mix: 1},
        Slip("t_mix + 1 apart", left=mix + 1),
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P24.distance",
        "142",
        "the distance from equilibrium after n steps, from the worst start, does not grow with n: "
        "a larger t̂_mix is as good",
        beside(
            lambda: exhausted(
                _chains(),
                _nears_equilibrium,
                "three states that reach each other, chances in thirds",
            ),
            partial(shown_by, distance_never_grows),
        ),
        Mutant("rows of any sum", partial(shown_without, "P rows", distance_never_grows)),
        Mutant(
            "strictly decreasing, tried",
            lambda: exhausted(_chains(), partial(_nears_equilibrium, strictly=True), ""),
        ),
    ),
)
