"""The main text: the bound of the theorem, the overview of the algorithm, and the experiments.

Much here restates the appendix; it is checked as it is worded in the main text. Logarithms enter
through rational bounds that are enclosed once (`S.M01.logs`); everything after that is algebra.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

import numpy as np
from flint import arb, ctx
from sympy import Integer, Matrix, Rational, Symbol

from proofs_checks.claim import Erratum, Evidence, Mutant, NotEarned, Strength
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import equal, exact, exhausted
from proofs_checks.methods.maps import maps, tail_and_cycle
from proofs_checks.methods.slack import at_most
from proofs_checks.methods.small_worlds import parameters, small_worlds, told, words
from proofs_checks.methods.symbolic import identity
from proofs_checks.methods.together import all_of
from proofs_checks.sections import (
    EXPERIMENTS,
    INTRODUCTION,
    LIMITATIONS,
    NOTATION,
    OVERVIEW,
    RELATED,
)
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.settings import grid as grid_setting
from steel_verified.learning.ledger import Added
from steel_verified.learning.model import Model
from steel_verified.learning.planning import covering_cycle, escaping_word
from steel_verified.theory import bounds, counts
from steel_verified.theory.exact import ball
from steel_verified.theory.parameters import Extent
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, period_test, period_tests
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.driver import learn
from steel_verified.worlds.dynamics import Dynamics, orbit
from steel_verified.worlds.grid import Grid
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle, ideal_run
from steel_verified.worlds.multi_maze import CELLS, maze
from steel_verified.worlds.truth import relabelling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sympy import Expr

    from steel_verified.learning.plans import Word

N, S, D, t, A, n, w = (Symbol(name) for name in ("N", "S", "D", "t", "A", "n", "w"))
"""max_states, |S|, diameter, t̂_mix, |A|, a number of samples, |S|·ln(16|S|²|F|/δ)/ε."""
x, y, z, eps = (Symbol(name) for name in ("x", "y", "z", "eps"))
"""ln(|F|/δ), ln N + ln |A|, the logarithm of the theorem's expression, ε."""
a, period, q, i, j, turns, row, rest, unused, p = (
    Symbol(name) for name in ("a", "period", "q", "i", "j", "turns", "row", "rest", "unused", "p")
)

_HALF: Final = Fraction(1, 2)
_SIZE: Final = "all strongly connected tables with |S| ≤ 3 and |A| ≤ 2"


# --- The bound of the theorem -----------------------------------------------------------------

_AT_LEAST_TWO: Final[Mapping[Symbol, Expr | int]] = {N: S, S: 2, D: 1, t: 1, n: 1}
"""More than one state, so that D ≥ 1."""
_word = S * (D + 1)
_period_branch = (2 * t + 3 * N * _word - 2) * n
_position_branch = 2 * (t + S * _word - 1) * n + 2 + (N - 1) * _word

_LOG_BOUNDS: Final[Mapping[Symbol, Expr | int]] = {z: y + 1, y: 0, x: Rational(69, 100)}
_position_samples = Rational(7, 4) * (Rational(209, 100) + 5 * y + x) + 1
_encoder_log = Rational(139, 50) + 2 * y + x

_theorem = (
    N * D * S**2 * A * x + S * A * t * (Symbol("ln_N") + x) + S**2 * D / eps * x + S * t / eps * x
)


def _logarithms(half: Fraction = Fraction(69, 100)) -> Evidence:
    """Enclose the rational bounds on logarithms that the algebra uses."""
    with ctx.workprec(128):
        holds = (
            arb(2).log() > ball(half)
            and arb(4).log() + ball(half).log() > 1
            and arb(8).log() < ball(Fraction(209, 100))
            and arb(16).log() < ball(Fraction(139, 50))
            and ball(Fraction(4, 7)) < ball(Fraction(16, 9)).log()
        )
    if not holds:
        raise NotEarned("a rational bound on a logarithm does not hold")
    return Evidence(Strength.ENCLOSED, "five logarithms, in balls of 128 bits")


def _logarithms_of_samples(factor: int) -> Evidence:
    return all_of(
        at_most(_position_samples, factor * x * z, _LOG_BOUNDS),
        at_most(_encoder_log, 6 * x * z, _LOG_BOUNDS),
    )


def _phase_two(factor: int) -> Evidence:
    """Both sides of the maximum max(|S|D, t̂_mix + D), times d − 1 + |S| ≤ 3w + |S|."""
    least: Mapping[Symbol, Expr | int] = {w: S, S: 2, D: 1, t: 1}
    stated = factor * w * (S * D + t)
    return all_of(
        at_most((3 * w + S) * S * D, stated, least),
        at_most((3 * w + S) * (t + D), stated, least),
    )


def _one_state_many_allowed() -> bool:
    """|S| = |A| = |F| = 1, t̂_mix = 1, δ = ε = 1/2, N = 2ᵏ: steps outgrow the printed expression.

    The expression is ln(2N) + 2 ln 2 ≤ k + 3, and (k+3)² bounds it with its logarithm.
    """
    for k in (10, 20, 40, 80):
        recipe = paper(
            parameters(2**k, 1, max_diameter=0, actions=1, class_size=1, delta=_HALF, epsilon=_HALF)
        )
        steps = counts.initial_rollout(recipe, word_length=1)
        if not steps > 2 ** (k // 2) * (k + 3) ** 2:
            return False
    return True


def _diameter_is_felt() -> bool:
    """With D̂ = 2ᵏ, n_samp. ≥ k, while the expression has no D̂ at all."""
    return all(
        counts.position_samples(
            paper(parameters(2, 1, max_diameter=2**k, actions=1, class_size=2, delta=_HALF))
        )
        >= k
        for k in (10, 100, 1000)
    )


# --- Runs on all small worlds -----------------------------------------------------------------


@cache
def _runs() -> tuple[tuple[Dynamics, tuple[int, ...], int], ...]:
    """Each world, for each first action: the transitions added in each call, the steps.

    Every naming of the states occurs, so that starting in 0 stands for every start.
    """
    found = []
    for world in small_worlds():
        for first in range(world.actions):
            learned = ideal_run(world, 0, told(world), first_action=first)
            added = tuple(
                len(line.transitions) for line in learned.ledger.rows if isinstance(line, Added)
            )
            found.append((world, added, learned.ledger.steps))
    return tuple(found)


def _within_theorem(slower: int) -> Evidence:
    """`slower` multiplies the steps that were taken."""
    return exhausted(
        _runs(),
        lambda run: (
            slower * run[2]
            <= bounds.total_bound(paper(told(run[0])), Extent(run[0].states, run[0].diameter))
        ),
        f"{_SIZE}, every start and first action, t̂_mix = 2",
    )


def _calls(spare: int) -> Evidence:
    return exhausted(
        _runs(),
        lambda run: min(run[1]) >= 1 and len(run[1]) <= run[0].states * run[0].actions - spare,
        f"{_SIZE}, every start and first action",
    )


def _current_known(shift: int) -> Evidence:
    """`shift` moves the state in which the learner is said to be."""

    def holds(case: tuple[Dynamics, int]) -> bool:
        world, first = case
        ideal = IdealWorld(world, 0)
        learned = learn(ideal, PerfectOracle(), told(world), first_action=first, with_encoder=False)
        state = (ideal.state + shift) % world.states
        return relabelling(learned.model, learned.current, world, state) is not None

    cases = ((world, first) for world in small_worlds() for first in range(world.actions))
    return exhausted(cases, holds, f"{_SIZE}, every start and first action, when phase 1 ends")


def _diameters(less: int) -> Evidence:
    return exhausted(small_worlds(), lambda d: d.diameter <= d.states - less, _SIZE)


# --- Loops --------------------------------------------------------------------------------------


def _loops(entered_by: int) -> Evidence:
    return exhausted(
        ((step, start) for step in maps(5) for start in range(len(step))),
        lambda case: sum(tail_and_cycle(*case)) <= len(case[0]) - entered_by,
        "all maps of at most 5 states, which is what words do, and all starts",
    )


def _looped() -> Iterator[tuple[Dynamics, Word, int]]:
    for world in small_worlds():
        for word in words(world.actions, 3):
            for start in range(world.states):
                yield world, word, start


def _residues_tell_states(settled: int) -> Evidence:
    """Same state ⇔ same residue, from `settled` words and any further 0 ≤ o < |â| steps on."""

    def holds(case: tuple[Dynamics, Word, int]) -> bool:
        world, word, start = case
        loop = orbit(world, start, word)
        cycle = loop.cycle // len(word)
        for extra in range(len(word)):
            offset = (world.states - 1 + settled) * len(word) + extra
            seen = [loop.at(offset + len(word) * k) for k in range(2 * cycle)]
            if len(set(seen)) != cycle or seen[:cycle] != seen[cycle:]:
                return False
        return True

    return exhausted(_looped(), holds, f"{_SIZE}, words up to 3 actions, every start and offset")


# --- Escaping words and covering cycles -------------------------------------------------------


def _partial_models() -> Iterator[tuple[int, Model]]:
    """Every part of a small world that is closed and not all of it, with the world's D."""
    for world in small_worlds():
        for size in range(1, world.states + 1):
            for inside in combinations(range(world.states), size):
                label = {state: number for number, state in enumerate(inside)}
                choices = [
                    (None, label[to]) if to in label else (None,)
                    for state in inside
                    for to in world.table[state]
                ]
                for flat in product(*choices):
                    if None in flat:
                        cut = range(0, len(flat), world.actions)
                        table = tuple(flat[k : k + world.actions] for k in cut)
                        yield world.diameter, Model(world.actions, table)


def _escapes(extra: int) -> Evidence:
    def holds(case: tuple[int, Model]) -> bool:
        diameter, model = case
        word = escaping_word(model)
        leaves = all(model.walk(state, word) is None for state in range(model.states))
        return leaves and len(word) <= model.states * (diameter + extra)

    return exhausted(_partial_models(), holds, f"every known part of {_SIZE}")


def _pieces(extra: int) -> Evidence:
    def holds(case: tuple[int, Model]) -> bool:
        diameter, model = case
        known = {(step.state, step.action): step.to for step in model.transitions()}
        return all(
            _way_out(known, state, model.actions) <= diameter + extra
            for state in range(model.states)
        )

    return exhausted(_partial_models(), holds, f"every known part of {_SIZE}")


_PIECES: Final[Mapping[Symbol, Expr | int]] = {S: n, D: unused, unused: 0, n: 1}
"""n ≤ |S'| pieces, `unused` actions shorter than the longest."""


def _tour(spare: int) -> Evidence:
    short, loop = t - 1 - unused, D + 1 - rest
    return all_of(
        at_most((S - 1) * D + D + spare, S * D, {S: 2, D: 1}),
        at_most(short + loop + spare, t + D, {t: 1, D: 0, unused: 0, rest: 0}),
    )


def _covers(spare: int) -> Evidence:
    def holds(case: tuple[Dynamics, int, int]) -> bool:
        world, home, wait = case
        cycle = covering_cycle(Model(world.actions, world.table), home, wait)
        longest = bounds.longest_covering_cycle(
            paper(told(world, wait)), Extent(world.states, world.diameter)
        )
        return wait <= len(cycle) <= longest - spare

    cases = (
        (world, home, wait)
        for world in small_worlds()
        for home in range(world.states)
        for wait in range(1, 6)
    )
    return exhausted(cases, holds, f"{_SIZE}, every home, t̂_mix ≤ 5")


# --- The grid of Figure 1 -----------------------------------------------------------------------

_TWELVE: Final[tuple[Word, ...]] = (
    (0,),
    (3,),
    (0, 2),
    (3, 2),
    (2, 1),
    (0, 1),
    (3, 0, 1),
    (3, 1, 2),
    (2, 2, 3, 1),
    (0, 2, 3, 3),
    (0, 3, 1, 2, 0),
    (0, 1, 0, 3, 1, 0, 2, 1),
)
"""From cell 1: words that Algorithm 1 may choose, the ties being open."""
_NINE: Final[tuple[Word, ...]] = (
    (3,),
    (1,),
    (1, 2),
    (1, 2, 3),
    (3, 2, 0),
    (2, 1, 0),
    (0, 1, 3, 0),
    (3, 2, 0, 0, 1),
    (0, 3, 2, 2),
)
"""The same, from cell 2."""

Known = dict[tuple[int, int], int]


def _may_be_chosen(known: Known, word: Word) -> bool:
    """Whether a word is made of shortest words out of the known graph, as Algorithm 1 makes it."""
    return _is_built(known, frozenset(state for state, _ in known), word)


def _is_built(known: Known, inside: frozenset[int], word: Word) -> bool:
    if not inside:
        return not word
    for state in inside:
        length = _way_out(known, state)
        piece = word[:length]
        if len(piece) == length and _led(known, state, piece) is None:
            left = frozenset(
                to for other in inside if (to := _led(known, other, piece)) is not None
            )
            if _is_built(known, left, word[length:]):
                return True
    return False


def _led(known: Known, state: int, word: Word) -> int | None:
    here: int | None = state
    for action in word:
        here = None if here is None else known.get((here, action))
    return here


def _way_out(known: Known, state: int, actions: int = 4) -> int:
    """The length of a shortest word through an unknown transition."""
    reached, length = {state}, 1
    while all((s, action) in known for s in reached for action in range(actions)):
        reached = {known[s, action] for s in reached for action in range(actions)}
        length += 1
    return length


def _calls_on_grid(start: int, chosen: tuple[Word, ...]) -> int:
    """How many calls these words take to learn the grid; refuse words that may not be chosen."""
    dynamics, recipe = Grid(start, 0).dynamics(), paper(grid_setting().parameters)
    known: Known = {}
    here, calls = start, 0
    for word in chosen:
        if len(known) == dynamics.states * dynamics.actions:
            raise NotEarned(f"nothing is unknown after {calls} calls")
        if known and not _may_be_chosen(known, word):
            raise NotEarned(f"{word} is no choice of Algorithm 1")
        loop = orbit(dynamics, here, word)
        for time in range(loop.transient, loop.transient + loop.cycle):
            state, action = loop.at(time), word[time % len(word)]
            known[state, action] = dynamics.table[state][action]
        here = loop.at(counts.cycle_find_steps(recipe, len(word), loop.cycle // len(word)))
        calls += 1
    if len(known) < dynamics.states * dynamics.actions:
        raise NotEarned(f"{len(known)} transitions are known after {calls} calls")
    return calls


def _grid_takes(start: int, chosen: tuple[Word, ...], stated: int) -> Evidence:
    return equal(_calls_on_grid(start, chosen), stated)


def _grid_with_our_ties(stated: set[int]) -> Evidence:
    def holds(case: tuple[int, int]) -> bool:
        start, first = case
        world = Grid(start, first).dynamics()
        told = grid_setting().parameters
        learned = ideal_run(world, start, told, first_action=first, with_encoder=False)
        return sum(isinstance(line, Added) for line in learned.ledger.rows) in stated

    return exhausted(product(range(6), range(4)), holds, "every start and first action")


# --- The period test ----------------------------------------------------------------------------

_cycle = period * a
_r = q * period
"""r in Algorithm 2, for the hypothesis n' = period and q = ⌈t̂_mix/(n'|â|)⌉."""
_ones = (2 * _r + period) * i
_zeros = _r + (2 * _r + period) * i + j
_wait = t + rest
"""⌈t̂_mix/L⌉·L, `rest` above t̂_mix."""


def _same_datasets(offset: Expr, stride: Expr) -> Evidence:
    """Indices of Section 4 against those of Algorithm 2, in steps."""
    whole = q * period * a
    return all_of(
        identity(a * _ones + offset, (2 * whole + stride) * i + offset),
        identity(a * _zeros + offset, whole + (2 * whole + stride) * i + j * a + offset),
    )


def _one_state_against_others(shift: int) -> Evidence:
    """D_1 at residue 0 modulo n', D_0 at the residues j of 1, …, n' − 1."""
    return all_of(
        identity(_ones + shift, period * ((2 * q + 1) * i)),
        identity(_zeros, period * (q + (2 * q + 1) * i) + j),
    )


def _residues_in_schedule(hypothesis: int, cycle: int, word: int, wait: int) -> list[int]:
    """The residues, modulo the period, of the words at which D_1 is sampled."""
    recipe = paper(parameters(4, wait, actions=1, class_size=4, delta=_HALF))
    ones = period_test(recipe, word, hypothesis, FixedByParameters()).ones
    return [(time - ones.first) // word % cycle for time in ones]


def _partner_row(shift: int) -> Evidence:
    """r + j' is a multiple of n_cyc, and 1 ≤ j' ≤ n_cyc ≤ n' − 1.

    j' = (−r − 1) mod n_cyc + 1 means −r − 1 = −turns·n_cyc + (j' − 1) with 0 ≤ j' − 1 < n_cyc.
    """
    cycle, r = Symbol("n_cyc"), Symbol("r")
    partner = (-r - 1 + turns * cycle) + 1 + shift
    first, second = r + (2 * r + period) * i + partner, (2 * r + period) * i
    return all_of(
        identity(first - second, turns * cycle),
        at_most(row + 1, period - 1, {period: cycle + 1, cycle: row + 1, row: 0}),
    )


def _pool_is_apart(more: Expr | int) -> Evidence:
    """The four kinds of neighbours in D_1 ⊎ D_0^(j'), 1 ≤ j' ≤ n' − 1."""
    least: Mapping[Symbol, Expr | int] = {period: j + 1, j: 1, t: 1, a: 1, rest: 0}
    repeat = 2 * _wait + _cycle
    return all_of(
        at_most(t + more, _wait + j * a, least),
        at_most(t + more, repeat - (_wait + j * a), least),
        at_most(t + more, repeat, least),
    )


def _tests_in_order(last: int) -> Evidence:
    return exhausted(
        range(1, 13),
        lambda most: (
            [
                test.hypothesis
                for test in period_tests(
                    paper(parameters(most, 1, actions=1, class_size=most, delta=_HALF)),
                    1,
                    FixedByParameters(),
                )
            ]
            == list(range(most, last, -1))
        ),
        "N ≤ 12",
    )


def _lucky_noise_separates() -> bool:
    """One state, a fair coin as noise, F = {1, the coin}, n' = 2: all of D_1 heads, D_0 tails."""
    recipe = paper(parameters(2, 1, actions=1, class_size=2, delta=_HALF))
    test = period_test(recipe, 1, 2, FixedByParameters())
    ones, zeros = set(test.ones), set(test.zeros)
    heads = {time: time in ones for time in ones | zeros}
    chance = Fraction(1, 2) ** len(heads)
    return chance > 0 and all(heads[s] for s in ones) and not any(heads[s] for s in zeros)


# --- Samples of positions -----------------------------------------------------------------------

_LOOP: Final[Mapping[Symbol, Expr | int]] = {n: 1, rest: 0, period: 1, a: 1, t: 1}


def _positions_apart(more: int) -> Evidence:
    """Within a half, between the halves, and from the end of an earlier call."""
    settling, late, early = Symbol("settling"), Symbol("late"), Symbol("early")
    last_early = settling + early + (n - 1) * _wait
    first_late = settling + (n - 1) * _wait + _cycle + t + late
    least: Mapping[Symbol, Expr | int] = {settling: t, late: 0, unused: 0, **_LOOP}
    # A position is at most L − 1 steps into the first cycle.
    within = {early: _cycle - 1 - unused}
    return all_of(
        at_most(t + more, _wait, _LOOP),
        at_most(t + more, (first_late - last_early).subs(within), least),
        at_most(t + more, settling, {settling: t, t: 1}),
    )


def _twice(factor: int) -> Evidence:
    """Two halves and the wait between them, against `factor` rollouts with one half."""
    settling = Symbol("settling")
    one = (n - 1) * _wait + _cycle
    least: Mapping[Symbol, Expr | int] = {settling: t, **_LOOP}
    return at_most(2 * one + t + settling, factor * (one + settling), least)


def _spacing(more: int) -> Evidence:
    """max(t, L) ≤ ⌈t/L⌉·L ≤ 2·max(t, L) − 1, for t ≤ L and for t > L."""
    loop = Symbol("L")
    rounded = t + loop - 1 - unused
    return all_of(
        # t ≤ L: one cycle. The ceiling is 1.
        at_most(loop + more, 2 * loop - 1, {loop: 1}),
        # t ≥ L: at most L − 1 more than t.
        at_most(rounded + more, 2 * t - 1, {unused: 0, t: loop, loop: 1}),
        # From below: it is a positive multiple of L, and not below t.
        at_most(loop, q * loop, {q: 1, loop: 1}),
        at_most(t, _wait, {rest: 0, t: 1}),
    )


# --- Encoders and oracles -----------------------------------------------------------------------


def _classes() -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]]:
    """Every class on 3 observations, with every pair of datasets without repetitions."""
    functions = list(product((0, 1), repeat=3))
    subsets = [s for size in range(4) for s in combinations(range(3), size)]
    for size in range(1, len(functions) + 1):
        for family in combinations(functions, size):
            for zeros, ones in product(subsets, repeat=2):
                yield family, zeros, ones


def _least_loss_separates(weight: int) -> Evidence:
    """`weight` is what an error on D_1 costs; an error on D_0 costs 1."""

    def holds(
        case: tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]],
    ) -> bool:
        family, zeros, ones = case
        loss = {f: sum(f[v] for v in zeros) + weight * sum(1 - f[v] for v in ones) for f in family}
        perfect = {
            f for f in family if all(f[v] == 0 for v in zeros) and all(f[v] == 1 for v in ones)
        }
        least = min(loss.values())
        return not perfect or {f for f in family if loss[f] == least} <= perfect

    return exhausted(_classes(), holds, "all classes on 3 observations, all pairs of datasets")


def _argmax_is_right(errors: int) -> Evidence:
    """If at most `errors` classifiers are wrong on an observation, argmax finds its state."""

    def holds(case: tuple[int, tuple[int, ...]]) -> bool:
        state, values = case
        wrong = sum(value != (number == state) for number, value in enumerate(values))
        return wrong > errors or int(np.argmax(values)) == state

    cases = (
        (state, values)
        for states in range(1, 8)
        for state in range(states)
        for values in product((0, 1), repeat=states)
    )
    return exhausted(cases, holds, "all values of at most 7 classifiers")


# --- Sizes --------------------------------------------------------------------------------------


def _rank(noise_states: int) -> Evidence:
    """One latent state, noise of one or two flickering bits that are seen: det P ≠ 0."""
    up, down = Symbol("up"), Symbol("down")
    one = ((1 - up, up), (down, 1 - down))
    if noise_states == 2:
        return identity(Matrix(one).det(), 1 - up - down)
    two = [
        [one[b // 2][c // 2] * one[b % 2][c % 2] for c in range(noise_states)]
        for b in range(noise_states)
    ]
    return identity(Matrix(two).det(), (1 - up - down) ** 4)


def _block_rank(states: int) -> Evidence:
    """P(x'|x, a) = Σ_s 1[T(φ*(x), a) = s]·Q(x'|s), on a world of 3 states, 2 observations each."""
    chance = (Fraction(1, 3), Fraction(2, 3))

    def holds(world: Dynamics) -> bool:
        for seen, action, then in product(range(6), range(2), range(6)):
            to = world.table[seen // 2][action]
            direct = chance[then % 2] if then // 2 == to else Fraction(0)
            features = [Fraction(int(to == s)) for s in range(states)]
            masses = [chance[then % 2] if then // 2 == s else Fraction(0) for s in range(states)]
            if direct != sum((f * m for f, m in zip(features, masses, strict=True)), Fraction(0)):
                return False
        return True

    worlds = (world for world in small_worlds() if (world.states, world.actions) == (3, 2))
    return exact(worlds, holds, "all 3-state worlds with 2 actions, 2 observations for each state")


def _locks() -> Iterator[tuple[int, ...]]:
    for states in range(1, 9):
        yield from product((0, 1), repeat=states)


def _lock_table(right: tuple[int, ...], *, modulo: bool) -> tuple[tuple[int, ...], ...]:
    states = len(right)
    onward = [(s + 1) % states if modulo else s + 1 for s in range(states)]
    return tuple(
        tuple(onward[s] if action == right[s] else 0 for action in (0, 1)) for s in range(states)
    )


def _lock_is_a_world(*, modulo: bool) -> Evidence:
    def holds(right: tuple[int, ...]) -> bool:
        try:
            world = Dynamics(_lock_table(right, modulo=modulo))
        except InvalidArgument:
            return False
        return world.diameter == len(right) - 1

    return exhausted(_locks(), holds, "K ≤ 8, all sequences of right actions")


def _last_state_leads_outside() -> bool:
    right = (0,) * 20
    return _lock_table(right, modulo=False)[19][0] not in range(20)


def _nearest_power(number: int, stated: int) -> Evidence:
    """10^(stated − 1/2) < number < 10^(stated + 1/2), decided on the squares."""
    if not 10 ** (2 * stated - 1) < number**2 < 10 ** (2 * stated + 1):
        raise NotEarned(f"{number} is not nearest to 10^{stated}")
    return Evidence(Strength.PROVED, f"10^{2 * stated - 1} < {number}² < 10^{2 * stated + 1}")


def _orders_smaller(orders: int) -> Evidence:
    """The printed mean for K = 40 (9.59·10⁶, ± 1.13·10⁶) against 2³⁹ and 2⁵¹²."""
    steps = 9_590_000 + 1_130_000
    if not 10**orders * steps < 2**39 < 2**512:
        raise NotEarned(f"not {orders} orders of magnitude")
    return Evidence(Strength.PROVED, f"10^{orders}·{steps} < 2^39")


def _chance_of_opening(length: int) -> Evidence:
    """Of all sequences of K − 1 actions, the one right sequence leads from 0 to K − 1."""

    def holds(right: tuple[int, ...]) -> bool:
        table = _lock_table(right, modulo=True)
        ways = Counter({0: 1})
        for _ in range(len(right) - 1):
            after: Counter[int] = Counter()
            for state, count in ways.items():
                for to in table[state]:
                    after[to] += count
            ways = after
        last = len(right) - 1
        return Fraction(ways[last], ways.total()) == Fraction(1, 2 ** (len(right) - length))

    return exhausted(_locks(), holds, "K ≤ 8, all sequences of right actions, all policies")


def _noise_states(states: int, components: int) -> int:
    """The configurations of the components that show no state."""
    lock = combination_lock(0, states=states, components=components)
    others = set(range(lock.components)) - set(lock.indicators)
    return 1 << len(others)


def _lock_noise(more: int) -> Evidence:
    found = [_noise_states(states, 512) for states in (20, 30, 40)]
    return equal(found, [1 << (512 - states + more) for states in (20, 30, 40)])


def _steps_ignore_noise(offset: int) -> Evidence:
    """A small lock with 12 noise seeds, each run right but for a chance of 10⁻⁹."""
    lock = combination_lock(0, states=3, components=16)
    given = parameters(
        4, lock.truth().mixing_time, class_size=16, delta=Fraction(1, 10**9), epsilon=Fraction(1, 2)
    )
    first = lock.first_action
    predicted = ideal_run(lock.dynamics(), lock.start, given, first_action=first).ledger.steps
    seeds = range(12)
    for seed in seeds:
        learned = learn(lock.world(seed), lock.oracle(), given, first_action=first)
        if learned.ledger.steps != predicted + offset:
            raise NotEarned(f"{learned.ledger.steps} steps with noise {seed}, not {predicted}")
    how = f"{len(seeds)} runs of {predicted} steps; a false alarm has a chance of at most 1.2·10⁻⁸"
    return Evidence(Strength.SAMPLED, how)


_SEVERAL_STATES: Final = ("|S| ≥ 2, so that D ≥ 1",)
_NO_RUNAWAY_DIAMETER: Final = ("|S| ≥ 2", "D̂ ≤ N", "|S| ≤ |F| (realizability)")

CLAIMS: Final = (
    INTRODUCTION.proved(
        "M01",
        "84-88, 174-179, 1059-1063",
        "per call of CycleFind, both branches of the bound are at most (6·N·D·|S| + 2·t̂_mix)·n, "
        "with n ≥ 1 the number of samples and |â| = |S|(D + 1): the theorem's first two terms",
        partial(
            lambda factor: all_of(
                at_most(_period_branch, (factor * N * D * S + 2 * t) * n, _AT_LEAST_TWO),
                at_most(_position_branch, (factor * N * D * S + 2 * t) * n, _AT_LEAST_TWO),
            ),
            6,
        ),
        Mutant(
            "5·N·D·|S|",
            partial(at_most, _period_branch, (5 * N * D * S + 2 * t) * n, _AT_LEAST_TWO),
        ),
        assumptions=_SEVERAL_STATES,
        erratum=Erratum(
            printed="for every |S| ≤ N, the steps are O*(N·D·|S|²|A|·log(|F|/δ) + "
            "|S||A|·t̂_mix·log(N|F|/δ) + |S|²D/ε·log(|F|/δ) + |S|·t̂_mix/ε·log(|F|/δ))",
            counterexample="|S| = |A| = |F| = 1 has D = 0, and both terms with D vanish; but with "
            "t̂_mix = 1, δ = ε = 1/2 and N = 2ᵏ, c_init alone exceeds 2^(k/2)·(k+3)², where "
            "k + 3 bounds the expression",
            refuted=_one_state_many_allowed,
            corrected="the same with max(D, 1) for D; as printed, if |S| ≥ 2",
            consequence="the theorem survives as it is for more than one state, and with max(D, 1) "
            "in general",
        ),
    ),
    INTRODUCTION.proved(
        "M01.phase2",
        "84-88, 174-179, 1059-1063",
        "(d − 1 + |S|)·max(|S|D, t̂_mix + D) ≤ 4·(|S|²D/ε + |S|t̂_mix/ε)·ln(16|S|²|F|/δ): "
        "the last two terms of the theorem",
        partial(_phase_two, 4),
        Mutant("3 for 4", partial(_phase_two, 3)),
        assumptions=("|S| ≥ 2", "w = |S|·ln(16|S|²|F|/δ)/ε ≥ |S|, as ln 32 > 1 > ε"),
    ),
    INTRODUCTION.proved(
        "M01.samples",
        "84-88, 174-179, 1059-1063",
        "with f the theorem's expression, n_samp. ≤ 13·ln(|F|/δ)·ln f and ln(16|S|²|F|/δ) ≤ "
        "6·ln(|F|/δ)·ln f: what O* hides",
        partial(_logarithms_of_samples, 13),
        Mutant("12 for 13", partial(_logarithms_of_samples, 12)),
        assumptions=(*_NO_RUNAWAY_DIAMETER, "the bounds on logarithms of S.M01.logs"),
    ),
    INTRODUCTION.bound(
        "M01.fewer",
        "84-88, 174-179, 1059-1063",
        "n_samp.cyc. ≤ n_samp., as N − 1 ≤ N³(D̂ + 1): one n serves for both branches",
        N - 1,
        N**3 * (D + 1),
        {N: 1, D: 0},
        Slip("N³ for N − 1, N for N³(D̂ + 1)", left=N**3, right=N * (D + 1)),
    ),
    INTRODUCTION.enclosed(
        "S.M01.logs",
        "84-88",
        "ln 2 > 0.69, ln 4 + ln 0.69 > 1, ln 8 < 2.09, ln 16 < 2.78, 1/ln(16/9) < 7/4",
        partial(_logarithms),
        Mutant("ln 2 > 0.7", partial(_logarithms, Fraction(7, 10))),
    ),
    INTRODUCTION.bound(
        "S.M01",
        "84-88",
        "an explicit constant: the steps are at most 78·f·ln f, f being the theorem's expression",
        S * A * (6 * N * D * S + 2 * t) * 13 * x * z + 24 * (S**2 * D + S * t) * w * x * z,
        78 * (N * D * S**2 * A * x + S * A * t * x + (S**2 * D + S * t) * w * x) * z,
        {w: 1, **_LOG_BOUNDS, N: S, S: 2, D: 1, t: 1, A: 1},
        Slip(
            "77 for 78",
            right=77 * (N * D * S**2 * A * x + S * A * t * x + (S**2 * D + S * t) * w * x) * z,
        ),
        assumptions=(
            *_NO_RUNAWAY_DIAMETER,
            "w = 1/ε, and ln(N|F|/δ) is replaced by the smaller ln(|F|/δ)",
            "M01, M01.phase2, M01.samples",
        ),
    ),
    NOTATION.exhausted(
        "M04",
        "90, 148",
        "D ≤ |S| − 1 ≤ N − 1 if every state reaches every other",
        partial(_diameters, 1),
        Mutant("D ≤ |S| − 2", partial(_diameters, 2)),
    ),
    INTRODUCTION.proved(
        "M05",
        "90",
        "the expression under O* has no second derivative in t̂_mix, nor in ln |F|",
        partial(
            lambda expression: all_of(
                identity(expression.diff(t).diff(t), Integer(0)),
                identity(expression.diff(x).diff(x), Integer(0)),
            ),
            _theorem,
        ),
        Mutant("t̂_mix²", partial(identity, (_theorem * t).diff(t).diff(t), Integer(0))),
        assumptions=("the factor ln f of O* is left aside, as printed",),
    ),
    OVERVIEW.exhausted(
        "M06",
        "92, 188",
        "a looped word enters a cycle of n_cyc ≤ |S| words after at most |S| words",
        partial(_loops, 0),
        Mutant("one word earlier than the sharp bound", partial(_loops, 1)),
    ),
    OVERVIEW.exhausted(
        "S.M06",
        "188",
        "the transient is at most (|S| − n_cyc)|â| ≤ (|S| − 1)|â|: transient and cycle together "
        "have at most |S| words",
        partial(_loops, 0),
        Mutant("|S| − 1 words together", partial(_loops, 1)),
    ),
    NOTATION.bound(
        "M08",
        "148",
        "if D̂ ≤ N, then N³(D̂ + 1) ≤ 2N⁴, so that n_samp. has no D̂ in it",
        N**3 * (D + 1),
        2 * N**4,
        {N: D + 1, D: 0},
        Slip("N⁴/2 for 2N⁴", left=2 * N**3 * (D + 1), right=N**4),
        assumptions=("D̂ ≤ N (else N − 1 may be used for it)",),
        erratum=Erratum(
            printed="for any D̂ ≥ D, D̂ does not appear in the asymptotic number of steps",
            counterexample="N = 2, |A| = 1, |F| = 2, t̂_mix = 1, δ = 1/2 and D̂ = 2ᵏ: n_samp. ≥ k, "
            "while the printed expression does not change",
            refuted=_diameter_is_felt,
            corrected="it does not if D̂ ≤ N; as D ≤ N − 1, min(D̂, N − 1) may always be used",
            consequence="the theorem survives with D̂ ≤ N added to its assumptions: its proof "
            "uses it (l. 1047)",
        ),
    ),
    NOTATION.exhausted(
        "M09",
        "154",
        "whatever has the least 0-1 loss separates the datasets, if anything in F does",
        partial(_least_loss_separates, 1),
        Mutant("errors on D_1 are not counted", partial(_least_loss_separates, 0)),
    ),
    OVERVIEW.exhausted(
        "M10",
        "161-179",
        "a run without a wrong verdict takes no more steps than the closed form of the theorem",
        partial(_within_theorem, 1),
        Mutant("twice as many steps", partial(_within_theorem, 2)),
        assumptions=("N = |S|, D̂ = D, δ = ε = 1/2",),
    ),
    OVERVIEW.exhausted(
        "M11",
        "188",
        "each call of CycleFind adds at least one transition, and there are at most |S||A| calls",
        partial(_calls, 0),
        Mutant("|S||A| − 1 calls", partial(_calls, 1)),
    ),
    OVERVIEW.proved(
        "M12",
        "188",
        "the samples of a position are at least t̂_mix apart, within a half, between the halves and "
        "from anything before the call",
        partial(_positions_apart, 0),
        Mutant("t̂_mix + 1", partial(_positions_apart, 1)),
    ),
    OVERVIEW.exhausted(
        "M13",
        "190",
        "â leaves the known graph from every known state, and |â| ≤ |S'|(D + 1)",
        partial(_escapes, 1),
        Mutant("|S'|·D", partial(_escapes, 0)),
    ),
    OVERVIEW.exhausted(
        "M13.piece",
        "190",
        "from every known state, a shortest word through an unknown transition has at most D + 1 "
        "actions",
        partial(_pieces, 1),
        Mutant("D actions", partial(_pieces, 0)),
    ),
    OVERVIEW.bound(
        "M13.length",
        "190",
        "at most |S'| pieces, as each removes a state, of at most D + 1 actions each, have at most "
        "|S'|(D + 1) actions",
        n * (D + 1 - unused),
        S * (D + 1),
        _PIECES,
        Slip("|S'|·D", right=S * D),
    ),
    OVERVIEW.proved(
        "M14",
        "196",
        "with some choice among shortest words, the 2 × 3 grid takes 12 calls of CycleFind",
        partial(_grid_takes, 1, _TWELVE, 12),
        Mutant("the last call left out", partial(_grid_takes, 1, _TWELVE[:-1], 11)),
        assumptions=(
            "start and ties, which the paper leaves open, are chosen; N, D̂ and t̂_mix are true",
        ),
    ),
    OVERVIEW.proved(
        "S.M14",
        "196",
        "another choice takes 9 calls: the number is not one of the grid alone",
        partial(_grid_takes, 2, _NINE, 9),
        Mutant("the last call left out", partial(_grid_takes, 2, _NINE[:-1], 8)),
        assumptions=("as for M14",),
    ),
    OVERVIEW.exhausted(
        "S.M14.ours",
        "196",
        "with lexicographically smallest words, and the nearest state first, it takes 14 or 15",
        partial(_grid_with_our_ties, {14, 15}),
        Mutant("12", partial(_grid_with_our_ties, {12})),
        assumptions=("N, D̂ and t̂_mix are true",),
    ),
    OVERVIEW.proved(
        "M15",
        "202-203",
        "if n' = n_cyc, D_1 is sampled at residue 0 and D_0 at residues 1, …, n' − 1 modulo n_cyc",
        partial(_one_state_against_others, 0),
        Mutant("D_1 one word later", partial(_one_state_against_others, 1)),
    ),
    OVERVIEW.exhausted(
        "M16",
        "207",
        "the periods are tested from N down to 2; 1 is what remains",
        partial(_tests_in_order, 1),
        Mutant("down to 3", partial(_tests_in_order, 2)),
    ),
    OVERVIEW.proved(
        "M17",
        "212, 216, 219",
        "D_0 and D_1 of the overview, in steps, are those of Algorithm 2, in words: t̄_mix = r|â|",
        partial(_same_datasets, Symbol("offs"), _cycle),
        Mutant("n'|â| + 1 for n'|â|", partial(_same_datasets, Symbol("offs"), _cycle + 1)),
    ),
    OVERVIEW.equation(
        "M18",
        "221",
        "(p + 1/4)(5/4 − p) = 9/16 − (p − 1/2)²: a classifier separates a pair of samples of one "
        "state with a chance of at most 9/16, and so k pairs with at most (9/16)ᵏ",
        (p + Rational(1, 4)) * (Rational(5, 4) - p),
        Rational(9, 16) - (p - Rational(1, 2)) ** 2,
        Slip("1/2 for 9/16", right=Rational(1, 2) - (p - Rational(1, 2)) ** 2),
        erratum=Erratum(
            printed="D_1 and D_0 are perfectly distinguishable only if n' = n_cyc",
            counterexample="one state, a fair coin as noise, F = {1, the coin}, n' = 2 > n_cyc = "
            "1: with positive chance the coin is 1 on all of D_1 and 0 on all of D_0",
            refuted=_lucky_noise_separates,
            corrected="for n' > n_cyc they are distinguishable with a chance of at most "
            "|F|·(9/16)ᵏ",
            consequence="none: line 207 and the proof say it with probabilities",
        ),
    ),
    OVERVIEW.exhausted(
        "M19",
        "221",
        "of the states of the cycle, every |â|-th is different",
        partial(_residues_tell_states, 0),
        Mutant("already one word before it is surely entered", partial(_residues_tell_states, -1)),
    ),
    OVERVIEW.exhausted(
        "M20",
        "223-227",
        "n ≡ m (mod n_cyc) ⇔ the same latent state at |â|n + offs. and |â|m + offs., for any "
        "offs. ≥ (N − 1)|â|, whole words or not",
        partial(_residues_tell_states, 0),
        Mutant("offs. = (N − 2)|â|", partial(_residues_tell_states, -1)),
        assumptions=("n, m ≥ 0",),
    ),
    OVERVIEW.proved(
        "M21",
        "229-234",
        "for each i, the i-th samples of D_0^(j') and of D_1 are a multiple of n_cyc words apart, "
        "and 1 ≤ j' ≤ n' − 1, so that D_0^(j') is part of D_0",
        partial(_partner_row, 0),
        Mutant("j' − 1 for j'", partial(_partner_row, -1)),
        assumptions=("n_cyc < n'",),
        erratum=Erratum(
            printed="all samples of D_0^(j') and of D_1 have the same latent state",
            counterexample="n_cyc = 2, n' = 3, |â| = 1, t̂_mix = 3: r = 3, D_1 is sampled every "
            "2r + n' = 9 words and alternates between two states",
            refuted=lambda: len(set(_residues_in_schedule(3, 2, word=1, wait=3))) == 2,
            corrected="for each i, the i-th sample of D_0^(j') has the state of the i-th of D_1",
            consequence="the theorem survives as it is: the proof compares samples in pairs, and "
            "the classifier's chance may differ from pair to pair",
        ),
    ),
    OVERVIEW.proved(
        "M21.apart",
        "234",
        "any two samples of D_1 and D_0^(j') are at least t̂_mix apart",
        partial(_pool_is_apart, 0),
        Mutant("t̂_mix + 2", partial(_pool_is_apart, 2)),
    ),
    OVERVIEW.equation(
        "S.M21",
        "229-234",
        "they all have the same latent state if n_cyc divides n': then 2r + n' is a multiple of "
        "n_cyc",
        2 * q * (turns * period) + turns * period,
        period * (turns * (2 * q + 1)),
        Slip("n' + 1 for n'", left=2 * q * (turns * period) + turns * period + 1),
    ),
    OVERVIEW.proved(
        "S.M21.apart",
        "234",
        "they are at least t̂_mix + |â| apart",
        partial(_pool_is_apart, a),
        Mutant("t̂_mix + |â| + 1", partial(_pool_is_apart, a + 1)),
    ),
    OVERVIEW.proved(
        "M22",
        "239",
        "two halves, the wait between them included, take at most twice the steps of one",
        partial(_twice, 2),
        Mutant("no more steps than one", partial(_twice, 1)),
        assumptions=("n_0 ≥ t̂_mix, which is its definition",),
    ),
    OVERVIEW.proved(
        "M23",
        "239",
        "max(t̂_mix, L) ≤ ⌈t̂_mix/L⌉·L ≤ 2·max(t̂_mix, L) − 1 for L = n_cyc|â|: the spacing of a "
        "half; 'roughly' hides a factor below 2",
        partial(_spacing, 0),
        Mutant("2·max(t̂_mix, L) − 2", partial(_spacing, 1)),
    ),
    OVERVIEW.proved(
        "M24",
        "239",
        "the part of the expression with t̂_mix is linear in |S|, the rest is quadratic",
        partial(
            lambda expression: all_of(
                identity(expression.diff(t).diff(S).diff(S), Integer(0)),
                identity(expression.diff(S).diff(S), 2 * N * D * A * x + 2 * D / eps * x),
            ),
            _theorem,
        ),
        Mutant(
            "|S|² in the second term",
            partial(identity, (_theorem * S).diff(t).diff(S).diff(S), Integer(0)),
        ),
        assumptions=("N and D are held fixed",),
    ),
    OVERVIEW.exhausted(
        "M25",
        "243",
        "a cycle through every state has between t̂_mix and max(|S|D, t̂_mix + D) steps",
        partial(_covers, 0),
        Mutant("one step less", partial(_covers, 1)),
    ),
    OVERVIEW.proved(
        "M25.length",
        "243",
        "|S| − 1 ways and the way back, of at most D steps each, are |S|D; self-loops of at most "
        "D + 1 steps, while there are fewer than t̂_mix, end at t̂_mix + D at most",
        partial(_tour, 0),
        Mutant("one step less", partial(_tour, 1)),
    ),
    OVERVIEW.exhausted(
        "M26",
        "243",
        "when phase 1 ends, the model is the truth up to names, and the latent state is known",
        partial(_current_known, 0),
        Mutant("in the state after it", partial(_current_known, 1)),
        assumptions=("no verdict is wrong",),
    ),
    OVERVIEW.exhausted(
        "M27",
        "245",
        "argmax finds the state wherever all |S| classifiers are right",
        partial(_argmax_is_right, 0),
        Mutant("where all classifiers but one are right", partial(_argmax_is_right, 1)),
    ),
    OVERVIEW.equation(
        "M27.union",
        "245",
        "they all are with a chance of at least 1 − |S|·(ε/|S|) = 1 − ε, on each state",
        1 - S * (eps / S),
        1 - eps,
        Slip("ε/(|S| − 1) for each", left=1 - S * (eps / (S - 1))),
        assumptions=("each is right with a chance of at least 1 − ε/|S| on that state",),
    ),
    RELATED.exact(
        "M28.block",
        "137",
        "without exogenous noise, P(x'|x, a) factors through |S| features",
        partial(_block_rank, 3),
        Mutant("|S| − 1 features", partial(_block_rank, 2)),
    ),
    RELATED.proved(
        "M28.noise",
        "137",
        "with one latent state and one or two visible bits that flicker, det P = 1 − u − v and "
        "(1 − u − v)⁴: the rank is |E|, not |S|, unless u + v = 1",
        partial(lambda sizes: all_of(*(_rank(size) for size in sizes)), (2, 4)),
        Mutant(
            "1 − u + v",
            partial(
                identity,
                Matrix(((1 - x, x), (y, 1 - y))).det(),
                1 - x + y,
            ),
        ),
        assumptions=("u, v: the chances to turn on and off",),
    ),
    EXPERIMENTS.exhausted(
        "M29",
        "273",
        "with T(i, a*_i) = i + 1 mod K the lock is a world in which every state reaches every "
        "other, and D = K − 1",
        partial(_lock_is_a_world, modulo=True),
        Mutant("without the modulus", partial(_lock_is_a_world, modulo=False)),
        erratum=Erratum(
            printed="T(i, a*_i) = i + 1 for the states i of {0, …, K − 1}",
            counterexample="K = 20: T(19, a*_19) = 20 is no state",
            refuted=_last_state_leads_outside,
            corrected="T(i, a*_i) = (i + 1) mod K: from the last state, both actions lead to 0",
            consequence="none for the theorem: a definition made total",
        ),
    ),
    EXPERIMENTS.proved(
        "M30",
        "273",
        "the components that show no state have 2^(L−K) configurations, for L = 512 and "
        "K = 20, 30, 40",
        partial(_lock_noise, 0),
        Mutant("L − K + 1 components", partial(_lock_noise, 1)),
        assumptions=("every component is kept in E, also one without memory",),
    ),
    EXPERIMENTS.proved(
        "M31",
        "273",
        "the four-room maze has 68 cells, each reached from each; eight of them have 68⁸ = "
        "457163239653376 configurations",
        partial(equal, (len(CELLS), maze().states, len(CELLS) ** 8), (68, 68, 457163239653376)),
        Mutant("nine of them", partial(equal, len(CELLS) ** 9, 457163239653376)),
        assumptions=("rooms of 4 × 4 cells with 4 doors, as in the published environment",),
    ),
    EXPERIMENTS.sampled(
        "M33",
        "275",
        "with all but the noise fixed, every run takes the number of steps of the ideal run",
        partial(_steps_ignore_noise, 0),
        Mutant("one step more", partial(_steps_ignore_noise, 1)),
        assumptions=("no verdict is wrong (the chance of which is at most δ)",),
    ),
    EXPERIMENTS.proved(
        "M34",
        "277",
        "2⁵¹² observations: the nearest power of ten is 10¹⁵⁴",
        partial(_nearest_power, 2**512, 154),
        Mutant("10¹⁵⁵", partial(_nearest_power, 2**512, 155)),
    ),
    EXPERIMENTS.exhausted(
        "M35.chance",
        "277",
        "uniformly random actions lead from 0 to K − 1 in K − 1 steps with a chance of 2^(1−K)",
        partial(_chance_of_opening, 1),
        Mutant("2^(−K)", partial(_chance_of_opening, 0)),
    ),
    EXPERIMENTS.proved(
        "M35",
        "277",
        "for K = 40 the nearest power of ten is 10¹², both to 2³⁹ (the right actions) and to 2⁴⁰",
        partial(
            lambda power: all_of(_nearest_power(2**39, power), _nearest_power(2**40, power)), 12
        ),
        Mutant("10¹¹", partial(_nearest_power, 2**39, 11)),
    ),
    EXPERIMENTS.proved(
        "M35.steps",
        "277",
        "the printed number of steps for K = 40, one deviation added, is 4 orders of magnitude "
        "below 2³⁹",
        partial(_orders_smaller, 4),
        Mutant("5 orders", partial(_orders_smaller, 5)),
        assumptions=("the printed numbers of steps",),
    ),
    EXPERIMENTS.hypothesis(
        "M36",
        "277",
        "earlier methods were reported to need 10³ to 10⁴ steps on the multi-maze",
    ),
    EXPERIMENTS.proved(
        "M36.steps",
        "277",
        "the printed 41003875 steps of the multi-maze are 4100 times 10⁴, rounded down",
        partial(equal, 41_003_875 // 10**4, 4100),
        Mutant("an order more", partial(equal, 41_003_875 // 10**4, 41_000)),
        assumptions=("M36, and the printed number of steps",),
    ),
    RELATED.exhausted(
        "M37",
        "101",
        "k binary factors have 2ᵏ configurations",
        partial(
            lambda values: exhausted(
                range(11),
                lambda k: sum(1 for _ in product(range(values), repeat=k)) == 2**k,
                "k ≤ 10",
            ),
            2,
        ),
        Mutant(
            "ternary factors",
            partial(
                lambda values: exhausted(
                    range(5),
                    lambda k: sum(1 for _ in product(range(values), repeat=k)) == 2**k,
                    "k ≤ 4",
                ),
                3,
            ),
        ),
        assumptions=("each factor has two values",),
    ),
    LIMITATIONS.hypothesis(
        "M38",
        "282",
        "PPE tolerates, on average, one deviation from determinism in 4|S| episodes",
    ),
)
