"""The two listings: their loops end, their formulas are those of the proofs and of the code.

What a listing leaves open (which state is taken first, which of two shortest words) is left open in
the checks where that is possible: every order of the states is tried.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

import numpy as np
from flint import arb, ctx
from sympy import Symbol, exp, log

from proofs_checks.claim import Erratum, Evidence, Mutant, NotEarned
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import exhausted
from proofs_checks.methods.small_worlds import (
    parameters,
    partial_models,
    recipes,
    small_worlds,
    tables,
    words,
    words_and_periods,
)
from proofs_checks.methods.symbolic import identity
from proofs_checks.sections import LISTING_OF_CYCLE_FIND, LISTING_OF_STEEL
from steel_verified.learning import classes
from steel_verified.learning.model import Model
from steel_verified.learning.omega import Observed, reveal
from steel_verified.learning.oracle import encode, train
from steel_verified.learning.planning import (
    covering_cycle,
    escaping_word,
    shortest_words,
    visits,
)
from steel_verified.theory.counts import (
    cycle_find_steps,
    encoder_samples,
    full_rollout,
    initial_rollout,
    late_start,
    period_test_repetitions,
    period_test_samples,
    position_samples,
    settling_time_of_period,
)
from steel_verified.theory.exact import ball
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, period_test
from steel_verified.worlds.driver import learn
from steel_verified.worlds.dynamics import Dynamics, orbit
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

    from proofs_checks.claim import Evidence
    from steel_verified.learning.plans import Word
    from steel_verified.learning.steel import Learned
    from steel_verified.theory.recipe import Recipe
    from steel_verified.worlds.dynamics import Table

_GRID: Final = "N ≤ 4, t̂_mix in {1,2,3,5,8}, |F| in {1,7,100}, δ in {1/20,1/3}"


# Phase 1: words that leave the known graph.


@cache
def _explored() -> frozenset[Model]:
    return partial_models(world.table for world in small_worlds())


def _disconnected() -> Iterator[Table]:
    for actions in (1, 2):
        yield from tables(2, actions)


def _nearest_unknown(model: Model, state: int) -> Word | None:
    """A shortest word from a state through an unknown transition."""
    reached: dict[int, Word] = {state: ()}
    queue = [state]
    for here in queue:
        for action, to in enumerate(model.table[here]):
            word = (*reached[here], action)
            if to is None:
                return word
            if to not in reached:
                reached[to] = word
                queue.append(to)
    return None


def _leaves(model: Model) -> bool:
    return all(_nearest_unknown(model, state) is not None for state in range(model.states))


def _escapes(model: Model, inside: frozenset[int]) -> Iterator[tuple[int, Word]]:
    """The rounds and the word of the loop over B, for every order in which states are chosen."""
    if not inside:
        yield 0, ()
    for state in inside:
        piece = _nearest_unknown(model, state)
        if piece is None:
            raise NotEarned(f"{state} is caught in {model}")
        ends = {model.walk(other, piece) for other in inside - {state}}
        for rounds, rest in _escapes(model, frozenset(s for s in ends if s is not None)):
            yield rounds + 1, piece + rest


def _all_escape(model: Model, *, fewer: int = 0, dropped: int = 0) -> bool:
    everything = range(model.states)
    ours = escaping_word(model)
    return all(model.walk(s, ours) is None for s in everything) and all(
        rounds <= model.states - fewer
        and all(model.walk(s, word[: len(word) - dropped]) is None for s in everything)
        for rounds, word in _escapes(model, frozenset(everything))
    )


_PARTS: Final = "every part of every world with |S| ≤ 3, |A| ≤ 2, in which a transition is unknown"


# Phase 2: touring.


def _complete(world: Dynamics) -> Model:
    return Model(world.actions, world.table)


def _tour(model: Model, home: int, wanted: frozenset[int], at_least: int) -> Word:
    """ā: greedily to the nearest state that is wanted, home, and then round a shortest loop."""
    word: Word = ()
    here, missing = home, wanted - {home}
    while missing:
        paths = shortest_words(model, here)
        here, path = min(
            ((s, paths[s]) for s in missing), key=lambda choice: (len(choice[1]), choice[0])
        )
        missing -= set(visits(model, home, word + path))
        word += path
    if here != home:
        word += shortest_words(model, here)[home]
    met = (home, *visits(model, home, word))
    where = min(range(len(met)), key=lambda at: len(shortest_words(model, met[at])[met[at]]))
    loop = shortest_words(model, met[where])[met[where]]
    while len(word) < at_least:
        word = word[:where] + loop + word[where:]
    return word


_Tour = tuple[Dynamics, frozenset[int], int]


def _tours() -> Iterator[_Tour]:
    for world in small_worlds():
        for chosen in product((False, True), repeat=world.states):
            wanted = frozenset(state for state in range(world.states) if chosen[state])
            for mixing_time in (1, 3, 5):
                yield world, wanted, mixing_time


def _is_a_tour(case: _Tour, *, shorter: int = 0) -> bool:
    world, wanted, mixing_time = case
    model = _complete(world)
    longest = max(world.states * world.diameter, mixing_time + world.diameter) - shorter

    def fits(word: Word, through: frozenset[int]) -> bool:
        met = visits(model, 0, word)
        return met[-1] == 0 and through <= set(met) and mixing_time <= len(word) <= longest

    return fits(_tour(model, 0, wanted, mixing_time), wanted | {0}) and fits(
        covering_cycle(model, 0, mixing_time), frozenset(range(world.states))
    )


def _sampled_once_a_pass(case: _Tour, *, start_counts: bool = False) -> bool:
    """Three passes through ā, with the rule of first visits: which state is kept when."""
    world, wanted, mixing_time = case
    model = _complete(world)
    word = _tour(model, 0, wanted, mixing_time)
    kept: dict[int, list[int]] = {}
    here, time = 0, 0
    for _ in range(3):
        visited = {here} if start_counts else set[int]()
        for action in word:
            (here,) = visits(model, here, (action,))
            time += 1
            if here not in visited:
                visited.add(here)
                kept.setdefault(here, []).append(time)
    return wanted | {0} <= kept.keys() and all(
        len(times) == 3 and times[1] - times[0] == times[2] - times[1] == len(word)
        for times in kept.values()
    )


_ENOUGH: Final = 3
_PATIENCE: Final = 50


def _needs() -> Iterator[tuple[Dynamics, tuple[int, ...]]]:
    for world in small_worlds():
        for sizes in product(range(1, _ENOUGH + 1), repeat=world.states):
            yield world, sizes


def _gets_enough(case: tuple[Dynamics, tuple[int, ...]], *, as_printed: bool = False) -> bool:
    """Phase 2 with d = 3 and t̂_mix = 2: whether it ends within |S| plans, all with d samples."""
    world, sizes = case
    model, held, plans = _complete(world), list(sizes), 0
    while min(held) < _ENOUGH:
        short = {s for s, size in enumerate(held) if size < _ENOUGH and not (as_printed and s == 0)}
        plans += 1
        first_visits = set(visits(model, 0, _tour(model, 0, frozenset(short), 2)))
        passes = 0
        while all(held[s] < _ENOUGH for s in short):
            for s in first_visits:
                held[s] += 1
            passes += 1
            if passes == _PATIENCE:
                return False
    return plans <= world.states


def _one_state_never_ends() -> bool:
    """C is empty, so every s ∈ C has |D(s)| < d, however many samples there are."""
    alone, swap = Dynamics(((0,),)), Dynamics(((1,), (0,)))
    return all(
        not _gets_enough(case, as_printed=True) and _gets_enough(case)
        for case in ((alone, (1,)), (swap, (1, _ENOUGH)))
    )


# Phase 3, and whole runs.


def _encoders() -> Iterator[tuple[int, ...]]:
    for states in (1, 2, 3):
        for size in range(states, 5):
            for encoder in product(range(states), repeat=size):
                if len(set(encoder)) == states:
                    yield encoder


def _encodes(encoder: tuple[int, ...], *, own_in_zeros: bool = False) -> bool:
    states = max(encoder) + 1
    oracle = classes.tables([[e == s for e in encoder] for s in range(states)])
    everything = np.arange(len(encoder))
    parts = [oracle.summarise(np.flatnonzero(np.array(encoder) == s)) for s in range(states)]
    if own_in_zeros:
        whole = oracle.summarise(everything)
        return all(oracle.separating(whole, part) is not None for part in parts)
    trained = reveal(train(oracle, [Observed(part) for part in parts]))
    return bool(np.array_equal(encode(oracle, trained, everything), np.array(encoder)))


@cache
def _runs() -> tuple[tuple[Dynamics, Learned[int], int], ...]:
    """Every small world, what is learned of it when no verdict is wrong, and where that ends."""
    found = []
    for world in small_worlds():
        at = IdealWorld(world, 0)
        bounds = parameters(world.states + 1, 3, actions=world.actions)
        learned = learn(at, PerfectOracle(), bounds)
        found.append((world, learned, at.state))
    return tuple(found)


_RUNS: Final = "every world with |S| ≤ 3, |A| ≤ 2, every start, N = |S| + 1, t̂_mix = 3"


def _learned_right(run: tuple[Dynamics, Learned[int], int], *, moved: int = 0) -> bool:
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


# Formulas.


def _rounded_up(real: Callable[[], arb]) -> int:
    with ctx.workprec(256):
        found = real().ceil().unique_fmpz()
    if found is None:
        raise NotEarned("a ceiling is not decided")
    return int(found)


def _printed_samples(recipe: Recipe, tests: int) -> int:
    """⌈ln(δ/(4|A|·tests·|F|)) / ln(9/16)⌉."""
    p = recipe.parameters
    share = p.delta / (4 * p.actions * tests * p.class_size)
    return _rounded_up(lambda: ball(share).log() / (arb(9) / 16).log())


def _period_samples_agree(recipe: Recipe, *, squared: bool = False) -> bool:
    bound = recipe.parameters.max_states
    tests = bound * bound if squared else bound * (bound - 1)
    return period_test_samples(recipe) == _printed_samples(recipe, tests)


def _position_samples_agree(recipe: Recipe, *, power: int = 4) -> bool:
    p = recipe.parameters
    found = position_samples(recipe)
    share = p.delta / (4 * p.actions * p.max_states**4 * (p.max_diameter + 1) * p.class_size)
    tests = p.max_states**power * (p.max_diameter + 1)
    return found == _printed_samples(
        recipe, tests
    ) and recipe.separation_rate**found <= share < recipe.separation_rate ** (found - 1)


def _encoder_samples_agree(case: tuple[Recipe, int], *, factor: int = 16) -> bool:
    recipe, states = case
    p = recipe.parameters
    inside = factor * states**2 * p.class_size / p.delta
    printed = _rounded_up(lambda: ball(3 * states / p.epsilon) * ball(inside).log())
    return encoder_samples(recipe, states) == printed


def _no_quotient() -> bool:
    """N = 1: the printed δ/(4|A|N(N−1)|F|) has the denominator 0."""
    try:
        _printed_samples(paper(parameters(1, 1)), 1 * (1 - 1))
    except ZeroDivisionError:
        return True
    return False


def _counts_agree(case: tuple[Recipe, int, int], *, longer: int = 0) -> bool:
    recipe, a_, cycles = case
    p, n_ = recipe.parameters, position_samples(recipe)
    rounds = -(-p.mixing_time // (a_ * cycles))
    first = max((p.max_states - cycles) * a_, p.mixing_time)
    late = first + (n_ - 1) * a_ * cycles * rounds + a_ * cycles + p.mixing_time
    full = 2 * cycles * a_ * ((n_ - 1) * rounds + 1) + p.mixing_time + first + longer
    return (
        settling_time_of_period(recipe, a_, cycles) == first
        and late_start(recipe, a_, cycles) == late
        and full_rollout(recipe, a_, cycles) == full
        and cycle_find_steps(recipe, a_, cycles) == max(full, initial_rollout(recipe, a_))
    )


def _hypotheses() -> Iterator[tuple[Recipe, int, int]]:
    for recipe, word_length, cycles in words_and_periods():
        if cycles >= 2:
            yield recipe, word_length, cycles


def _period_test_agrees(case: tuple[Recipe, int, int], *, first_row: int = 1) -> bool:
    recipe, a_, cycles = case
    p = recipe.parameters
    settling = max((p.max_states - 1) * a_, p.mixing_time)
    r_ = cycles * -(-p.mixing_time // (cycles * a_))
    available = initial_rollout(recipe, a_) + r_ * a_ - settling
    k_ = available // (2 * r_ * a_ + cycles * a_)
    zeros = {
        (r_ + (2 * r_ + cycles) * i + j) * a_ + settling
        for i in range(k_)
        for j in range(first_row, cycles)
    }
    ones = {(2 * r_ + cycles) * i * a_ + settling for i in range(k_)}
    used = period_test(recipe, a_, cycles, FixedByParameters())
    return (
        period_test_repetitions(recipe, a_, cycles) == k_
        and set(used.zeros) == zeros
        and set(used.ones) == ones
        and 1 <= min(zeros | ones) <= max(zeros | ones) <= initial_rollout(recipe, a_)
    )


# The condition of both tests, for a classifier given by its values on D_0 and on D_1.

_Values = tuple[tuple[bool, ...], tuple[bool, ...]]


def _values() -> Iterator[_Values]:
    for zeros, ones in product(range(1, 4), repeat=2):
        yield from product(
            product((False, True), repeat=zeros), product((False, True), repeat=ones)
        )


def _separates(values: _Values) -> bool:
    zeros, ones = values
    return not any(zeros) and all(ones)


def _separates_as_printed(values: _Values) -> bool:
    zeros, _ = values
    return not any(zeros) and all(zeros)


def _oracle_agrees(values: _Values, condition: Callable[[_Values], bool]) -> bool:
    """With this classifier alone: whether the condition is what the oracle answers."""
    zeros, ones = values
    oracle = classes.tables([[*zeros, *ones]])
    low = oracle.summarise(np.arange(len(zeros)))
    high = oracle.summarise(np.arange(len(zeros), len(zeros) + len(ones)))
    return (oracle.separating(low, high) is not None) == condition(values)


def _never_separates() -> bool:
    return not any(_separates_as_printed(values) for values in _values()) and any(
        _separates(values) for values in _values()
    )


def _condition(condition: Callable[[_Values], bool]) -> Evidence:
    return exhausted(
        _values(),
        partial(_oracle_agrees, condition=condition),
        "1 to 3 samples in each of D_0 and D_1, every classifier",
    )


# The distance from equilibrium.


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


D, a, t, mix, n, m = (Symbol(name) for name in ("D", "a", "t", "mix", "n", "m"))
"""D, |â| or |ā|, t̂_mix, t_mix, n_samp., |S'|."""
r, k, j, cycles_, settling_, c_init, L, stride, start = (
    Symbol(name) for name in ("r", "k", "j", "cycles", "settling", "c_init", "L", "stride", "start")
)
before, offset, passes_, rest, late, unused = (
    Symbol(name) for name in ("before", "offset", "passes", "rest", "late", "unused")
)
x, rate, up = Symbol("x", positive=True), Symbol("rate", positive=True), Symbol("up", real=True)

_last_zero = (r + (2 * r + cycles_) * (k - 1) + (cycles_ - 1)) * a + settling_
_ROLLOUT: Final[Mapping[Symbol, Expr | int]] = {
    # What rounding down in the definition of k means.
    c_init: k * (2 * r + cycles_) * a - r * a + settling_,
    k: 1,
    cycles_: 2,
    r: 2,
    a: 1,
    settling_: 1,
}
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


_CONNECTED: Final = ("every state reaches every other, and T' is a part of T",)
_RIGHT: Final = ("no verdict is wrong", "|S| ≤ N")

CLAIMS: Final = (
    LISTING_OF_STEEL.exhausted(
        "P03",
        "314-324",
        "in whatever order states are taken from B, the loop ends after at most |S'| rounds, and "
        "from every s ∈ S' the word â takes an unknown transition",
        lambda: exhausted(_explored(), _all_escape, _PARTS + ", every order of the states"),
        Mutant(
            "a round less", lambda: exhausted(_explored(), partial(_all_escape, fewer=1), _PARTS)
        ),
        Mutant(
            "without the last action",
            lambda: exhausted(_explored(), partial(_all_escape, dropped=1), _PARTS),
        ),
        assumptions=_CONNECTED,
    ),
    LISTING_OF_STEEL.bound(
        "P03.rounds",
        "314-324",
        "a round takes one state out of B and maps the others to at most as many: round j begins "
        "with at least 1 and at most |S'| − (j − 1) states, so j ≤ |S'|",
        # The last round began with `rest` ≥ 1 states, after j − 1 rounds: rest ≤ |S'| − (j − 1).
        j,
        m,
        {m: rest + (j - 1), rest: 1, j: 1},
        Slip("a round less", left=j + 1),
    ),
    LISTING_OF_STEEL.exhausted(
        "P04",
        "319",
        "while some transition is unknown, every s ∈ S' reaches an unknown one within T'",
        lambda: exhausted(_explored(), _leaves, _PARTS),
        Mutant(
            "worlds in which a state can be a trap",
            lambda: exhausted(partial_models(_disconnected()), _leaves, "|S| = 2"),
        ),
        assumptions=_CONNECTED,
    ),
    LISTING_OF_STEEL.exhausted(
        "P05",
        "328, 455, 931",
        "d = ⌈3|S'|·ln(16|S'|²|F|/δ)/ε⌉, and this is the count in use",
        lambda: exhausted(
            product(recipes(), range(1, 5)), _encoder_samples_agree, _GRID + ", |S'| ≤ 4, ε = 1/10"
        ),
        Mutant(
            "8 for 16",
            lambda: exhausted(
                product(recipes(), range(1, 5)), partial(_encoder_samples_agree, factor=8), _GRID
            ),
        ),
    ),
    LISTING_OF_STEEL.exhausted(
        "P06",
        "331, 339",
        "with C := {s : |D(s)| < d}, s_curr included, phase 2 ends after at most |S'| plans, and "
        "then |D(s)| ≥ d for every s",
        lambda: exhausted(
            _needs(),
            _gets_enough,
            "|S| ≤ 3, |A| ≤ 2, d = 3, every |D(s)| in {1, 2, 3}, every start",
        ),
        Mutant(
            "C without s_curr",
            lambda: exhausted(_needs(), partial(_gets_enough, as_printed=True), "|S| ≤ 3"),
        ),
        assumptions=("a visit is an arrival: being in s_curr before the first action is none",),
        erratum=Erratum(
            printed="C leaves s_curr out, and a plan is followed while ∀ s ∈ C: |D(s)| < d",
            counterexample="|S'| = 1; or two states that one action swaps, where only s_curr is "
            "short of samples: C is empty, the condition holds of all its members for ever, and "
            "the inner loop never ends",
            refuted=_one_state_never_ends,
            corrected="C := {s ∈ S' : |D(s)| < d}; ā ends in s_curr, so it visits that as well",
            consequence="The theorem survives with this line corrected: ā and its length are the "
            "same, s_curr is sampled when ā returns to it. It matters whenever |S| = 1, and when "
            "datasets of different sizes enter phase 2 (that is, after optional merges).",
        ),
    ),
    LISTING_OF_STEEL.exhausted(
        "P07",
        "333-335",
        "the planned ā leads from s_curr through all of C and back to s_curr, with "
        "t̂_mix ≤ |ā| ≤ max(|S|D, t̂_mix + D)",
        lambda: exhausted(
            _tours(), _is_a_tour, "|S| ≤ 3, |A| ≤ 2, every C, every start, t̂_mix in {1, 3, 5}"
        ),
        Mutant(
            "a step shorter", lambda: exhausted(_tours(), partial(_is_a_tour, shorter=1), "|S| ≤ 3")
        ),
        assumptions=("T' = T, every state reaches every other",),
    ),
    LISTING_OF_STEEL.bound(
        "P07.length",
        "333-335",
        "a loop of at most D + 1 steps that is put in while |ā| < t̂_mix ends with |ā| ≤ t̂_mix + D",
        # Before the last time, |ā| = t̂_mix − 1 − before; the loop has D + 1 − unused steps.
        (t - 1 - before) + (D + 1 - unused),
        t + D,
        {before: 0, unused: 0, t: 1, D: 0},
        Slip("a loop of D + 2 steps", left=(t - 1 - before) + (D + 2 - unused)),
    ),
    LISTING_OF_STEEL.bound(
        "P08",
        "337",
        "a pass through ā without samples puts new samples at least |ā| + 1 > t̂_mix steps after "
        "all earlier ones",
        t + 1,
        # Earlier samples: at the step `start` − before at the latest; new ones: after a whole pass.
        (start + a + 1 + offset) - (start - before),
        {a: t, t: 1, before: 0, offset: 0, start: before},
        Slip("no silent pass", right=(start + 1 + offset) - (start - before)),
    ),
    LISTING_OF_STEEL.exhausted(
        "P09",
        "345",
        "the first-visit rule keeps every state that ā visits, s_curr included, once in every "
        "pass, at the same offset: exactly |ā| steps apart",
        lambda: exhausted(
            _tours(), _sampled_once_a_pass, "|S| ≤ 3, |A| ≤ 2, every C, every start, three passes"
        ),
        Mutant(
            "the start of a pass counts as a visit",
            lambda: exhausted(
                _tours(), partial(_sampled_once_a_pass, start_counts=True), "|S| ≤ 3"
            ),
        ),
        assumptions=("a visit is an arrival: being in s_curr before the first action is none",),
    ),
    LISTING_OF_STEEL.bound(
        "P09.apart",
        "345",
        "samples of one state in different passes are at least t̂_mix apart",
        t,
        (late * a + offset) - (passes_ * a + offset),
        {late: passes_ + 1, passes_: 0, a: t, t: 1, offset: 0},
        Slip("t̂_mix + 1 apart", left=t + 1),
    ),
    LISTING_OF_STEEL.exhausted(
        "P10",
        "355-359",
        "if F = {1[φ*(x) = s]}, training on D(s) against all other D(s') gives f_s = 1[φ*(x) = s] "
        "for all s, and argmax_s f_s(x) = φ*(x)",
        lambda: exhausted(_encoders(), _encodes, "|X| ≤ 4, |S| ≤ 3, every φ* onto S"),
        Mutant(
            "D(s) left in D_0",
            lambda: exhausted(_encoders(), partial(_encodes, own_in_zeros=True), "|X| ≤ 4"),
        ),
        assumptions=("every observation of a state occurs in its dataset",),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P11",
        "369, 542",
        "for N ≥ 2, n_samp.cyc. = ⌈ln(δ/(4|A|N(N − 1)|F|))/ln(9/16)⌉, and this is the count in use",
        lambda: exhausted(recipes(2), _period_samples_agree, _GRID + ", N ≥ 2"),
        Mutant(
            "N² for N(N − 1)",
            lambda: exhausted(recipes(2), partial(_period_samples_agree, squared=True), _GRID),
        ),
        assumptions=("N ≥ 2",),
        erratum=Erratum(
            printed="n_samp.cyc. as a quotient by 4|A|N(N − 1)|F|, for every N ≥ |S|",
            counterexample="N = 1: the denominator is 0",
            refuted=_no_quotient,
            corrected="N ≥ 2; for N = 1 there is no hypothesis to test: n_samp.cyc. = c_init = 0",
            consequence="The theorem survives with N ≥ 2, or with this convention for N = 1.",
        ),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P12",
        "373, 438",
        "T(s_i^cyc, â_{i % |â|}) = s_{(i+1) % L}^cyc for every position i: transitions are written "
        "with the action that was taken",
        lambda: exhausted(_loops(), _written_right, "|S| ≤ 3, |A| ≤ 2, words of up to 3 actions"),
        Mutant(
            "the action after the next",
            lambda: exhausted(_loops(), partial(_written_right, ahead=1), "|S| ≤ 3"),
        ),
        assumptions=("L is the length of the cycle",),
    ),
    LISTING_OF_CYCLE_FIND.bound(
        "P13",
        "380-384",
        "every index used by the test of n'_cyc is at most c_init − |â|, hence within x_CF",
        _last_zero,
        c_init - a,
        _ROLLOUT,
        Slip("a word less", right=c_init - 2 * a),
    ),
    LISTING_OF_CYCLE_FIND.bound(
        "S.P13",
        "380",
        "k may be ⌊(c_init + (r + 1)|â| − max((N − 1)|â|, t̂_mix))/((2r + n'_cyc)|â|)⌋: "
        "all indices are still within x_CF",
        _last_zero,
        c_init,
        {**_ROLLOUT, c_init: k * (2 * r + cycles_) * a - (r + 1) * a + settling_},
        Slip("c_init − 1 steps", right=c_init - 1),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P13.times",
        "380-384",
        "q, r, k, D_0 and D_1 as printed are those in use, within 1, …, c_init",
        lambda: exhausted(_hypotheses(), _period_test_agrees, _GRID + ", |â| ≤ 3, every n'_cyc"),
        Mutant(
            "j from 0",
            lambda: exhausted(_hypotheses(), partial(_period_test_agrees, first_row=0), _GRID),
        ),
        assumptions=("N ≥ 2",),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P13.test",
        "388, 419",
        "a classifier separates if it is 0 on all of D_0 and 1 on all of D_1",
        lambda: _condition(_separates),
        Mutant("D_0 twice", lambda: _condition(_separates_as_printed)),
        assumptions=("D_0 and D_1 are not empty",),
        erratum=Erratum(
            printed="∀ x ∈ D_0: f(x) = 0 and ∀ x ∈ D_0: f(x) = 1, in both tests",
            counterexample="any D_0 that is not empty: no f satisfies both, so that every period "
            "would be 1, and every position would be taken for the first known state",
            refuted=_never_separates,
            corrected="∀ x ∈ D_0: f(x) = 0 and ∀ x ∈ D_1: f(x) = 1, as in the text of the proofs",
            consequence="A misprint; the theorem survives as it is.",
        ),
    ),
    LISTING_OF_CYCLE_FIND.proved(
        "P15",
        "395, 478",
        "with n = ln x/ln ρ + u, ρⁿ = x·ρᵘ: rounding up (0 ≤ u < 1) gives ρⁿ ≤ x for "
        "ρ = 9/16 and x = δ/(4|A|N⁴(D̂ + 1)|F|)",
        lambda: identity(exp((log(x) / log(rate) + up) * log(rate)), x * exp(up * log(rate))),
        Mutant(
            "rounded by 2u",
            lambda: identity(
                exp((log(x) / log(rate) + 2 * up) * log(rate)), x * exp(up * log(rate))
            ),
        ),
        assumptions=("0 < ρ < 1, so that ρᵘ ≤ 1",),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P15.count",
        "395, 478",
        "n_samp. as printed is the count in use, and the least with (9/16)ⁿ ≤ δ/(4|A|N⁴(D̂ + 1)|F|)",
        lambda: exhausted(recipes(), _position_samples_agree, _GRID),
        Mutant(
            "N³ for N⁴",
            lambda: exhausted(recipes(), partial(_position_samples_agree, power=3), _GRID),
        ),
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
    LISTING_OF_CYCLE_FIND.proved(
        "P18",
        "401, 685, 696",
        "n_0' of the listing, with L⌈t̂_mix/L⌉ multiplied out, is that of the proof",
        lambda: identity(
            start + (n - 1) * a * cycles_ * r + a * cycles_ + t,
            _late_start.subs({stride: L * r}).subs({L: a * cycles_}),
        ),
        Mutant(
            "n_samp. for n_samp. − 1",
            lambda: identity(
                start + n * a * cycles_ * r + a * cycles_ + t,
                _late_start.subs({stride: L * r}).subs({L: a * cycles_}),
            ),
        ),
    ),
    LISTING_OF_CYCLE_FIND.exhausted(
        "P18.counts",
        "397, 401, 663, 685, 696",
        "n_0, n_0', c and max(c, c_init) as printed are those in use",
        lambda: exhausted(words_and_periods(), _counts_agree, _GRID + ", |â| ≤ 3, every n_cyc"),
        Mutant(
            "c + 1",
            lambda: exhausted(words_and_periods(), partial(_counts_agree, longer=1), _GRID),
        ),
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
    LISTING_OF_CYCLE_FIND.exhausted(
        "P23.run",
        "438-440",
        "a run without a wrong verdict learns T up to names, and its s_curr is where it is",
        lambda: exhausted(_runs(), _learned_right, _RUNS),
        Mutant(
            "the next state for s_curr",
            lambda: exhausted(_runs(), partial(_learned_right, moved=1), _RUNS),
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
    LISTING_OF_CYCLE_FIND.exhausted(
        "P24.distance",
        "142",
        "the distance from equilibrium after n steps, from the worst start, does not grow with n: "
        "a larger t̂_mix is as good",
        lambda: exhausted(
            _chains(), _nears_equilibrium, "three states that reach each other, chances in thirds"
        ),
        Mutant(
            "strictly decreasing",
            lambda: exhausted(_chains(), partial(_nears_equilibrium, strictly=True), ""),
        ),
    ),
)
