"""Which steps show which position of the cycle, and what tests on them may fail with.

⌈t̂_mix/L⌉ enters as `rounds`, with stride = L·rounds ≥ t̂_mix and ≥ L. A remainder
(i − n_0) % L enters as `rest` with L = rest + 1 + `beyond`, or as i − n_0 + turns·L. The settling
time n_0 is a maximum of which t̂_mix is one side, so that n_0 is t̂_mix plus something.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Rational, Symbol

from proofs_checks.claim import Erratum, Evidence, Mutant
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import exhausted
from proofs_checks.methods.maps import maps, tail_and_cycle
from proofs_checks.methods.small_worlds import (
    parameters,
    small_worlds,
    words,
    words_and_periods,
)
from proofs_checks.sections import COLLECTING, IDENTIFYING
from steel_verified.learning.classes import tables
from steel_verified.theory.counts import (
    cycle_find_steps,
    full_rollout,
    initial_rollout,
    position_samples,
)
from steel_verified.theory.recipe import paper
from steel_verified.theory.schedules import FixedByParameters, position_times
from steel_verified.worlds.dynamics import Dynamics, orbit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sympy import Expr

    from proofs_checks.claim import Evidence
    from steel_verified.learning.plans import Word
    from steel_verified.theory.recipe import Recipe


N, S, D, D_bound, a, t, n, F, A, delta = (
    Symbol(name) for name in ("N", "S", "D", "D_bound", "a", "t", "n", "F", "A", "delta")
)
"""N, |S|, D, D̂, |â|, t̂_mix, n_samp., |F|, |A|, δ."""
period, rounds, stride, start = (Symbol(name) for name in ("period", "rounds", "stride", "start"))
"""n_cyc, ⌈t̂_mix/L⌉, L·rounds, n_0."""
L, k, later, i, turns, rest, other_rest, beyond, p = (
    Symbol(name) for name in ("L", "k", "later", "i", "turns", "rest", "other_rest", "beyond", "p")
)
u, v, q, old, new, unused, before = (
    Symbol(name) for name in ("u", "v", "q", "old", "new", "unused", "before")
)

_length = start + 2 * ((n - 1) * stride + L) + t
"""c."""
_late_start = start + (n - 1) * stride + L + t
"""n_0'."""
_last_early = start + (n - 1) * stride + (L - 1)
_last_late = _late_start + (n - 1) * stride + (L - 1)

_ONE_OF_EACH: Final[Mapping[Symbol, Expr | int]] = {
    L: rest + 1 + beyond,
    rest: 0,
    beyond: 0,
    start: t,
    stride: t,
    t: 1,
    n: k + 1,
    k: 0,
}
"""Position with remainder `rest` < L, in round k < n."""

_BOTH_HALVES: Final[Mapping[Symbol, Expr | int]] = {
    L: rest + 1 + beyond,
    rest: 0,
    beyond: 0,
    other_rest: 0,
    n: k + 1,
    k: 0,
    later: 0,
    start: t,
    stride: t,
    t: 1,
}


def _early(round_: Expr, remainder: Expr) -> Expr:
    return round_ * stride + start + remainder


def _late(round_: Expr, remainder: Expr) -> Expr:
    return round_ * stride + _late_start + remainder


# Printed index sets against the schedules in use.


def _printed_start(recipe: Recipe, word_length: int, cycles: int) -> int:
    p_ = recipe.parameters
    return max((p_.max_states - cycles) * word_length, p_.mixing_time)


def _printed_stride(recipe: Recipe, word_length: int, cycles: int) -> int:
    length = word_length * cycles
    return length * -(-recipe.parameters.mixing_time // length)


def _printed_late_start(recipe: Recipe, word_length: int, cycles: int) -> int:
    return (
        _printed_start(recipe, word_length, cycles)
        + (position_samples(recipe) - 1) * _printed_stride(recipe, word_length, cycles)
        + word_length * cycles
        + recipe.parameters.mixing_time
    )


def _same_times(case: tuple[Recipe, int, int], *, late: bool, shift: int = 0) -> bool:
    recipe, word_length, cycles = case
    length = word_length * cycles
    offset = shift + (_printed_late_start if late else _printed_start)(*case)
    step = _printed_stride(*case)
    used = position_times(recipe, word_length, cycles, FixedByParameters())
    return len(used) == length and all(
        tuple(times.late if late else times.early)
        == tuple(
            round_ * step + offset + (position - offset) % length
            for round_ in range(position_samples(recipe))
        )
        for position, times in enumerate(used)
    )


def _listing(*, late: bool, shift: int = 0) -> Evidence:
    return exhausted(
        words_and_periods(),
        partial(_same_times, late=late, shift=shift),
        "N ≤ 4, |â| ≤ 3, every n_cyc, t̂_mix in {1,2,3,5,8}, |F| in {1,7,100}, δ in {1/20,1/3}",
    )


# Loops of words in all small worlds.

_WORLDS: Final = "|S| ≤ 3, |A| ≤ 2, words of up to 3 actions, every start, |S| ≤ N ≤ |S| + 2"


def _loops() -> Iterator[tuple[Dynamics, Word, int]]:
    # Every naming of the states is listed, so state 0 stands for every start.
    for world in small_worlds():
        for word in words(world.actions, 3):
            for bound in range(world.states, world.states + 3):
                yield world, word, bound


def _repeats(case: tuple[Dynamics, Word, int], *, sooner: int = 0) -> bool:
    """Whether the loop repeats with n_cyc|â| from (N − n_cyc)|â| on: two cycles are compared."""
    world, word, bound = case
    loop = orbit(world, 0, word)
    length = loop.cycle
    first = max(0, (bound - sooner) * len(word) - length)
    return all(loop.at(time) == loop.at(time + length) for time in range(first, first + length))


def _settles(map_: tuple[int, ...], *, sooner: int = 0) -> bool:
    transient, cycles = tail_and_cycle(map_)
    return transient <= len(map_) - cycles - sooner


def _one_state_each(
    case: tuple[Dynamics, Word, int], *, mixing_time: int = 3, moved: int = 0
) -> bool:
    world, word, bound = case
    loop = orbit(world, 0, word)
    recipe = paper(parameters(bound, mixing_time, actions=world.actions))
    times = position_times(recipe, len(word), loop.cycle // len(word), FixedByParameters())
    return all(
        len(loop.within(each.early) | loop.within(each.late.shifted(moved))) == 1 for each in times
    )


def _ends_where_said(case: tuple[Dynamics, Word, int], *, at_full_length: bool) -> bool:
    """Whether the loop ends at position max(c, c_init) (or, as the proof has it, c) modulo L."""
    world, word, bound = case
    return all(
        _ends_at(world, word, paper(parameters(bound, mixing_time, actions=world.actions)))[
            int(at_full_length)
        ]
        for mixing_time in (1, 4)
    )


def _ends_at(world: Dynamics, word: Word, recipe: Recipe) -> tuple[bool, bool]:
    loop = orbit(world, 0, word)
    cycles = loop.cycle // len(word)
    taken = cycle_find_steps(recipe, len(word), cycles)
    times = position_times(recipe, len(word), cycles, FixedByParameters())
    ends = loop.at(taken)
    listing = loop.at(times[taken % loop.cycle].early.first)
    proof = loop.at(times[full_rollout(recipe, len(word), cycles) % loop.cycle].early.first)
    return ends == listing, ends == proof


_SWAP: Final = Dynamics(((1,), (0,)))
_SHORT: Final = paper(parameters(2, 1, actions=1, class_size=2))
"""c_init = 65 and c = 62 for |â| = 1 and n_cyc = 2."""


def _proof_ends_elsewhere() -> bool:
    lengths = initial_rollout(_SHORT, 1), full_rollout(_SHORT, 1, 2)
    return lengths == (65, 62) and _ends_at(_SWAP, (0,), _SHORT) == (True, False)


def _last_is_in_no_dataset() -> bool:
    last = full_rollout(_SHORT, 1, 2)
    times = position_times(_SHORT, 1, 2, FixedByParameters())
    kept = {time for each in times for time in (*each.early, *each.late)}
    return last not in kept and max(kept) == last - 1


def _two_ends_are_not_all() -> bool:
    """L = 3: the braces as printed name positions 0 and 2, or 0 and 3, and no other."""
    times = position_times(paper(parameters(3, 1)), 3, 1, FixedByParameters())
    positions = {each.position for each in times}
    return positions == {0, 1, 2} != {0, 2} and 3 not in positions


# Telling states apart.


def _labellings() -> Iterator[tuple[tuple[int, ...], tuple[bool, ...]]]:
    """φ*: X → S with |X| ≤ 4, |S| ≤ 3, and one more classifier, whatever it is."""
    for size in range(2, 5):
        yield from product(product(range(3), repeat=size), product((False, True), repeat=size))


def _told_apart(
    case: tuple[tuple[int, ...], tuple[bool, ...]], *, without: int | None = None
) -> bool:
    encoder, extra = case
    oracle = tables([*([e == s for e in encoder] for s in range(3) if s != without), extra])
    # All that shows a state: a part of it is no harder to tell apart.
    shown = {
        state: oracle.summarise(np.flatnonzero(np.array(encoder) == state))
        for state in set(encoder)
    }
    return all(
        oracle.separating(zeros, ones) is not None
        for (zero, zeros), (one, ones) in product(shown.items(), shown.items())
        if zero != one
    )


def _labels() -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """|S| ≤ 4, known states, and the labels of up to 5 positions, new ones numbered in order."""
    for states in range(1, 5):
        for known in range(states + 1):
            for length in range(1, 6):
                for labels in product(range(states), repeat=length):
                    grown = known
                    for label in labels:
                        if label > grown:
                            break
                        grown = max(grown, label + 1)
                    else:
                        yield states, known, labels


def _few_tests(case: tuple[int, int, tuple[int, ...]], *, fewer: int = 0) -> bool:
    """Whether the tests up to the first match are within (L − m)|S| + m·known + m(m − 1)/2."""
    states, known, labels = case
    tests, grown = 0, known
    for label in labels:
        tests += min(label + 1, grown)
        grown = max(grown, label + 1)
    found = grown - known
    most = (len(labels) - found) * states + found * known + found * (found - 1) // 2
    return tests <= most - fewer


_SIZES: Final = "|S| ≤ 4, every number of known states, every labelling of up to 5 positions"
_quarter = Rational(1, 4)
_per_pair = (p + _quarter) * (1 - (p - _quarter))
_most_tests_twice = 2 * ((L - new) * S + new * old) + new * (new - 1)
_KNOWN_AND_NEW: Final[Mapping[Symbol, Expr | int]] = {S: old + new, L: new, old: 0, new: 0}

CLAIMS: Final = (
    COLLECTING.equation(
        "B01",
        "663",
        "c = 2n_cyc|â|((n_samp. − 1)⌈t̂_mix/(n_cyc|â|)⌉ + 1) + t̂_mix + n_0 ends a whole cycle after "
        "the first late sample of the last round: c = n_0' + (n_samp. − 1)·stride + L",
        2 * period * a * ((n - 1) * rounds + 1) + t + start,
        (_late_start + (n - 1) * stride + L)
        .subs({stride: period * a * rounds})
        .subs({L: period * a}),
        Slip("a cycle less", left=2 * period * a * (n - 1) * rounds + period * a + t + start),
    ),
    COLLECTING.bound(
        "S.B01",
        "663",
        "c − 1 steps hold every sample: the last one of any position is taken at c − 1 or before",
        _late(k, rest),
        _length - 1,
        _ONE_OF_EACH,
        Slip("c − 2 steps", right=_length - 2),
    ),
    COLLECTING.bound(
        "S.B04",
        "696",
        "n_0' may be 1 smaller: early and late samples of any two positions are still t̂_mix apart",
        t,
        _late(later, other_rest) - 1 - _early(k, rest),
        _BOTH_HALVES,
        Slip("2 smaller", right=_late(later, other_rest) - 2 - _early(k, rest)),
    ),
    COLLECTING.equation(
        "S.B04.length",
        "663, 696",
        "with n_0' − 1 for n_0', the last sample of all is taken at c − 2: two steps less suffice",
        _last_late - 1,
        _length - 2,
        Slip("c − 3", left=_last_late),
    ),
    COLLECTING.bound(
        "B03",
        "680-685",
        "every index of D^A_i is at least n_0 and at most n_0 + (n_samp. − 1)·stride + L − 1",
        _early(k, rest),
        _last_early,
        _ONE_OF_EACH,
        Slip("one round more", left=_early(k + 1, rest)),
    ),
    COLLECTING.exhausted(
        "B03.times",
        "680-685",
        "the early times in use are those printed: "
        "j = k·L⌈t̂_mix/L⌉ + n_0 + (i − n_0) % L for 0 ≤ k < n_samp.",
        partial(_listing, late=False),
        Mutant("n_0 + 1 for n_0", partial(_listing, late=False, shift=1)),
    ),
    COLLECTING.bound(
        "B04",
        "691-696",
        "every index of D^B_i is at least n_0' and at most n_0' + (n_samp. − 1)·stride + L − 1",
        _late(k, rest),
        _last_late,
        _ONE_OF_EACH,
        Slip("one round more", left=_late(k + 1, rest)),
    ),
    COLLECTING.exhausted(
        "B04.times",
        "691-696",
        "the late times in use are those printed: "
        "j = k·L⌈t̂_mix/L⌉ + n_0' + (i − n_0') % L for 0 ≤ k < n_samp.",
        partial(_listing, late=True),
        Mutant("n_0' + 1 for n_0'", partial(_listing, late=True, shift=1)),
    ),
    COLLECTING.exhausted(
        "B05",
        "699-701",
        "s_i = s_j for i ≡ j (mod n_cyc|â|) and i, j ≥ (N − n_cyc)|â|, hence for i, j ≥ n_0",
        lambda: exhausted(_loops(), _repeats, _WORLDS),
        Mutant(
            "from (N − n_cyc − 1)|â| on",
            lambda: exhausted(_loops(), partial(_repeats, sooner=1), _WORLDS),
        ),
        assumptions=("|S| ≤ N", "n_cyc is the true period, in words"),
    ),
    COLLECTING.exhausted(
        "B05.words",
        "699-701",
        "a map of |S| states to themselves is in its cycle after |S| − n_cyc rounds",
        lambda: exhausted(maps(6), _settles, "every map of up to 6 states, every start"),
        Mutant(
            "a round sooner",
            lambda: exhausted(maps(6), partial(_settles, sooner=1), "up to 6 states"),
        ),
    ),
    COLLECTING.equation(
        "B06",
        "705",
        "an index of D^A_i or D^B_i is i plus a multiple of L, where (i − n_0) % L is written as "
        "i − n_0 + turns·L (and likewise with n_0')",
        k * (L * rounds) + start + (i - start + turns * L),
        i + (k * rounds + turns) * L,
        Slip("the remainder of i alone", left=k * (L * rounds) + start + (i + turns * L)),
    ),
    COLLECTING.bound(
        "B07.within",
        "707",
        "two samples of the same half of a position are at least t̂_mix apart",
        t,
        _early(later, rest) - _early(k, rest),
        {later: k + 1, k: 0, stride: t, t: 1, rest: 0, start: 0},
        Slip("t̂_mix + 1 apart", left=t + 1),
    ),
    COLLECTING.bound(
        "B07.between",
        "707, 712",
        "the early and the late samples of one position are at least t̂_mix + 1 apart, so all of "
        "D'_i is at least t̂_mix apart",
        t + 1,
        _late(later, other_rest) - _early(k, rest),
        _BOTH_HALVES,
        Slip(
            "n_0' without its t̂_mix", left=t, right=_late(later, other_rest) - t - _early(k, rest)
        ),
    ),
    COLLECTING.exhausted(
        "B07.state",
        "707, 712",
        "all samples of D'_i show one latent state",
        lambda: exhausted(_loops(), _one_state_each, _WORLDS + ", t̂_mix = 3"),
        Mutant(
            "the late half a step later",
            lambda: exhausted(_loops(), partial(_one_state_each, moved=1), _WORLDS),
        ),
        assumptions=("|S| ≤ N", "n_cyc is the true period, in words"),
    ),
    COLLECTING.bound(
        "B11",
        "716-717",
        "the n_samp. indices of a half are strictly increasing, so there are n_samp. of them, for "
        "each i ∈ {0, …, n_cyc|â| − 1}",
        1,
        _early(k + 1, rest) - _early(k, rest),
        {stride: t, t: 1, k: 0, start: 0, rest: 0},
        Slip("stride reduced by t̂_mix", right=_early(k + 1, rest) - _early(k, rest) - t),
        assumptions=("datasets are multisets: equal observations count as often as they occur",),
        erratum=Erratum(
            printed="for each i ∈ {0, n_cyc|â| − 1}",
            counterexample="n_cyc|â| = 3: position 1 is meant, too, but is not in {0, 2}",
            refuted=_two_ends_are_not_all,
            corrected="for each i ∈ {0, …, n_cyc|â| − 1}",
            consequence="A misprint; the theorem survives as it is.",
        ),
    ),
    COLLECTING.bound(
        "B12",
        "722",
        "a round of samples takes each position i ∈ {0, …, n_cyc|â| − 1} within L steps; it ends "
        "before the next round begins, stride ≥ L steps after it began",
        _early(k, rest) + 1,
        _early(k + 1, other_rest),
        # The stride is a positive multiple of L.
        {
            stride: L,
            L: rest + 1 + beyond,
            rest: 0,
            beyond: 0,
            other_rest: 0,
            k: 0,
            start: 0,
        },
        Slip("2 steps before", left=_early(k, rest) + 2),
        erratum=Erratum(
            printed="an observation of each cycle position i ∈ {0, n_cyc|â|} is collected",
            counterexample="n_cyc|â| = 3: positions are 0, 1, 2; 3 is none, and 1 and 2 are meant",
            refuted=_two_ends_are_not_all,
            corrected="i ∈ {0, …, n_cyc|â| − 1}",
            consequence="A misprint in a caption; the theorem survives as it is.",
        ),
    ),
    COLLECTING.equation(
        "B12.wait",
        "722",
        "between the last round of early samples and the first late one lie t̂_mix steps: "
        "n_0' is t̂_mix + 1 after the last early time",
        _late_start - _last_early,
        t + 1,
        Slip("t̂_mix after", left=_late_start - _last_early - 1),
    ),
    IDENTIFYING.exhausted(
        "B14",
        "753",
        "datasets of two different states are told apart by some f ∈ F, on every sample",
        lambda: exhausted(
            _labellings(), _told_apart, "|X| ≤ 4, |S| ≤ 3, every φ*, every further classifier"
        ),
        Mutant(
            "a state without its classifier",
            lambda: exhausted(_labellings(), partial(_told_apart, without=0), "|X| ≤ 4, |S| ≤ 3"),
        ),
        assumptions=("realizability: 1[φ*(x) = s] ∈ F for every s",),
    ),
    IDENTIFYING.bound(
        "B15",
        "756",
        "samples from before a call are at least n_0 ≥ t̂_mix steps before those of the call",
        t,
        # The call begins at step `before` + `unused`, an old sample is taken at `before`.
        (before + unused + _early(k, rest)) - before,
        {start: t, unused: 0, before: 0, k: 0, rest: 0, stride: t, t: 1},
        Slip("t̂_mix + 1 steps", left=t + 1, right=unused + _early(k, rest)),
    ),
    IDENTIFYING.bound(
        "B15.size",
        "756",
        "D(s) holds at least 2n_samp. ≥ n_samp. samples from before: it began as some D'_i",
        n,
        2 * n + later,
        {n: 1, later: 0},
        Slip("3n_samp. samples", left=3 * n),
    ),
    IDENTIFYING.bound(
        "B16",
        "758",
        "for positions j < i of one call, D^A_j ⊎ D^B_i is at least t̂_mix apart: D^B_i comes after "
        "D^A_j, by t̂_mix + 1 steps at least",
        t + 1,
        _late(later, other_rest) - _early(k, rest),
        _BOTH_HALVES,
        Slip("D^A_i against D^A_j", left=t, right=_early(later, other_rest) - _early(k, rest)),
    ),
    IDENTIFYING.equation(
        "B17",
        "765-772",
        "(p + 1/4)(1 − (p − 1/4)) = −p² + p + 5/16 = 9/16 − (p − 1/2)², so that its n_samp.-th "
        "power is at most (9/16)^n_samp., and |F| classifiers fail with at most |F| times that",
        _per_pair,
        Rational(9, 16) - (p - Rational(1, 2)) ** 2,
        Slip("1/5 for 1/4 on one side", left=(p + Rational(1, 5)) * (1 - (p - _quarter))),
        assumptions=(
            "0 ≤ p ≤ 1, where both factors are positive",
            "n_samp. samples are taken from D_0', and n_samp. from D_1'",
        ),
    ),
    IDENTIFYING.equation(
        "B17.middle",
        "768",
        "(p + 1/4)(1 − (p − 1/4)) = −p² + p + 5/16",
        _per_pair,
        -(p**2) + p + Rational(5, 16),
        Slip("1/5 for 1/4 on one side", left=(p + Rational(1, 5)) * (1 - (p - _quarter))),
    ),
    IDENTIFYING.equation(
        "S.B17",
        "756-772",
        "against a state of an earlier call the exponent may be 2n_samp.: both D(s) and D'_i hold "
        "2n_samp. samples, and the square of a factor is (9/16 − (p − 1/2)²)² ≤ (9/16)²",
        (p + _quarter) ** 2 * (1 - (p - _quarter)) ** 2,
        (Rational(9, 16) - (p - Rational(1, 2)) ** 2) ** 2,
        Slip("one factor not squared", left=(p + _quarter) ** 2 * (1 - (p - _quarter))),
        assumptions=("0 ≤ p ≤ 1",),
    ),
    IDENTIFYING.bound(
        "B18",
        "775-777",
        "(L − m)|S| + m·known + m(m − 1)/2 ≤ |S|·n_cyc|â|: a call that finds m new states makes at "
        "most that many tests",
        _most_tests_twice,
        2 * S * L,
        _KNOWN_AND_NEW,
        Slip("a test less", left=_most_tests_twice + 2),
        assumptions=("known + m ≤ |S|: no verdict was wrong so far",),
    ),
    IDENTIFYING.bound(
        "S.B18",
        "775-777",
        "a call that finds m new states makes at most |S|·n_cyc|â| − m(m + 1)/2 tests",
        _most_tests_twice,
        2 * S * L - new * (new + 1),
        _KNOWN_AND_NEW,
        Slip("m(m + 2)/2 less", right=2 * S * L - new * (new + 2)),
        assumptions=("known + m ≤ |S|: no verdict was wrong so far",),
    ),
    IDENTIFYING.exhausted(
        "B18.count",
        "775-777",
        "comparing each position with the known states up to the first match takes at "
        "most (L − m)|S| + m·known + m(m − 1)/2 tests, m being the number of new states",
        lambda: exhausted(_labels(), _few_tests, _SIZES),
        Mutant("a test less", lambda: exhausted(_labels(), partial(_few_tests, fewer=1), "")),
    ),
    IDENTIFYING.equation(
        "B19",
        "779",
        "an index j ≡ i (mod n_cyc|â|) leaves the same remainder modulo |â| as i = u|â| + v: the "
        "action after s_i^cyc is â_{i % |â|}, whichever of its times is looked at",
        (u * a + v) + q * (period * a),
        (u + q * period) * a + v,
        Slip("modulo n_cyc|â| + 1", left=(u * a + v) + q * (period * a + 1)),
    ),
    IDENTIFYING.equation(
        "B20.member",
        "792",
        "the last sample of all is x_{c−1}; x_c is in no D'_i, but its position is c % L like that "
        "of any sample of D'_{c % L}",
        _last_late,
        _length - 1,
        Slip("x_c itself", left=_last_late + 1),
        erratum=Erratum(
            printed="x_c belongs to D'_{c % (n_cyc|â|)}",
            counterexample="N = 2, n_cyc = 2, |â| = 1, t̂_mix = 1, |F| = 2, δ = 1/20, D̂ = |A| = 1: "
            "c = 62, and the last time of any D'_i is 61",
            refuted=_last_is_in_no_dataset,
            corrected="x_c shows the state of D'_{c % (n_cyc|â|)}, because c ≥ n_0",
            consequence="The theorem survives as it is: only the latent state of x_c is used.",
        ),
    ),
    IDENTIFYING.exhausted(
        "B20",
        "792",
        "after a call the state is s^cyc at max(c, c_init) % (n_cyc|â|)",
        lambda: exhausted(
            _loops(), partial(_ends_where_said, at_full_length=False), _WORLDS + ", t̂_mix in {1, 4}"
        ),
        Mutant(
            "c for max(c, c_init)",
            lambda: exhausted(_loops(), partial(_ends_where_said, at_full_length=True), ""),
        ),
        assumptions=("|S| ≤ N", "n_cyc is the true period, in words"),
        erratum=Erratum(
            printed="after a call the state is that of x_c, s^cyc at c % (n_cyc|â|)",
            counterexample="two states that one action swaps; N = 2, t̂_mix = 1, |F| = 2, δ = 1/20, "
            "|â| = 1: c = 62 and c_init = 65, so the call ends in the other state",
            refuted=_proof_ends_elsewhere,
            corrected="max(c, c_init) for c, as in the listing (l. 440)",
            consequence="The theorem survives as it is: the algorithm is right, its proof is "
            "about the case c ≥ c_init.",
        ),
    ),
    IDENTIFYING.bound(
        "B21",
        "734",
        "merging one D'_i of a call into D(s) from before leaves every new sample t̂_mix away from "
        "every old one; with B07, all of D(s) is t̂_mix apart",
        t,
        unused + _early(k, rest),
        {start: t, unused: 0, k: 0, rest: 0, stride: t, t: 2},
        Slip(
            "merging two positions of one call: the next one is a step away",
            right=_early(k, rest + 1) - _early(k, rest),
        ),
    ),
    IDENTIFYING.bound(
        "B22.tests",
        "797-799",
        "|S|·n_cyc·|â| ≤ N³(D̂ + 1)",
        S * period * (S * (D + 1) - unused),
        N**3 * (D_bound + 1),
        {N: S, S: period, period: 1, D_bound: D, D: 0, unused: 0},
        Slip("N² for N³", right=N**2 * (D_bound + 1)),
        assumptions=("n_cyc ≤ |S| ≤ N", "|â| ≤ |S|(D + 1)", "D ≤ D̂"),
    ),
    IDENTIFYING.equation(
        "B22",
        "797-801",
        "(N − 1)|F|·δ/(4|A|N(N − 1)|F|) + N³(D̂ + 1)|F|·δ/(4|A|N⁴(D̂ + 1)|F|) = δ/(2|A|N)",
        (N - 1) * F * delta / (4 * A * N * (N - 1) * F)
        + N**3 * (D_bound + 1) * F * delta / (4 * A * N**4 * (D_bound + 1) * F),
        delta / (2 * A * N),
        Slip(
            "N³ for N⁴ in n_samp.",
            left=(N - 1) * F * delta / (4 * A * N * (N - 1) * F)
            + N**3 * (D_bound + 1) * F * delta / (4 * A * N**3 * (D_bound + 1) * F),
        ),
        assumptions=("N ≥ 2; with N = 1 there is no period test, and half of it remains",),
    ),
)
