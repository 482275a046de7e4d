"""Which steps show which position of the cycle (l. 663, 680-696).

⌈t̂_mix/L⌉ enters as `rounds`, with stride = L·rounds ≥ t̂_mix and ≥ L. A remainder (i − n_0) % L
enters as `rest` with L = rest + 1 + `beyond`. The settling time n_0 is a maximum of which t̂_mix is
one side, so that n_0 is t̂_mix plus something.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.sections import COLLECTING
from proofs_checks.small_cases.worlds import words_and_periods
from steel_verified.theory.counts import position_samples
from steel_verified.theory.schedules import FixedByParameters, position_times

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.theory.recipe import Recipe


a, t, n = (Symbol(name) for name in ("a", "t", "n"))
"""|â|, t̂_mix, n_samp."""
period, rounds, stride, start = (Symbol(name) for name in ("period", "rounds", "stride", "start"))
"""n_cyc, ⌈t̂_mix/L⌉, L·rounds, n_0."""
L, k, later, rest, other_rest, beyond = (
    Symbol(name) for name in ("L", "k", "later", "rest", "other_rest", "beyond")
)

full_length = start + 2 * ((n - 1) * stride + L) + t
"""c."""
late_start_time = start + (n - 1) * stride + L + t
"""n_0'."""
last_early = start + (n - 1) * stride + (L - 1)
last_late = late_start_time + (n - 1) * stride + (L - 1)

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

BOTH_HALVES: Final[Mapping[Symbol, Expr | int]] = {
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


def early_time(round_: Expr, remainder: Expr) -> Expr:
    """The time of a sample in D^A."""
    return round_ * stride + start + remainder


def late_time(round_: Expr, remainder: Expr) -> Expr:
    """The time of a sample in D^B."""
    return round_ * stride + late_start_time + remainder


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


CLAIMS: Final = (
    COLLECTING.equation(
        "B01",
        "663",
        "c = 2n_cyc|â|((n_samp. − 1)⌈t̂_mix/(n_cyc|â|)⌉ + 1) + t̂_mix + n_0 ends a whole cycle after "
        "the first late sample of the last round: c = n_0' + (n_samp. − 1)·stride + L",
        2 * period * a * ((n - 1) * rounds + 1) + t + start,
        (late_start_time + (n - 1) * stride + L)
        .subs({stride: period * a * rounds})
        .subs({L: period * a}),
        Slip("a cycle less", left=2 * period * a * (n - 1) * rounds + period * a + t + start),
    ),
    COLLECTING.bound(
        "S.B01",
        "663",
        "c − 1 steps hold every sample: the last one of any position is taken at c − 1 or before",
        late_time(k, rest),
        full_length - 1,
        _ONE_OF_EACH,
        Slip("c − 2 steps", right=full_length - 2),
    ),
    COLLECTING.bound(
        "B03",
        "680-685",
        "every index of D^A_i is at least n_0 and at most n_0 + (n_samp. − 1)·stride + L − 1",
        early_time(k, rest),
        last_early,
        _ONE_OF_EACH,
        Slip("one round more", left=early_time(k + 1, rest)),
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
        late_time(k, rest),
        last_late,
        _ONE_OF_EACH,
        Slip("one round more", left=late_time(k + 1, rest)),
    ),
    COLLECTING.exhausted(
        "B04.times",
        "691-696",
        "the late times in use are those printed: "
        "j = k·L⌈t̂_mix/L⌉ + n_0' + (i − n_0') % L for 0 ≤ k < n_samp.",
        partial(_listing, late=True),
        Mutant("n_0' + 1 for n_0'", partial(_listing, late=True, shift=1)),
    ),
    COLLECTING.bound(
        "S.B04",
        "696",
        "n_0' may be 1 smaller: early and late samples of any two positions are still t̂_mix apart",
        t,
        late_time(later, other_rest) - 1 - early_time(k, rest),
        BOTH_HALVES,
        Slip("2 smaller", right=late_time(later, other_rest) - 2 - early_time(k, rest)),
    ),
    COLLECTING.equation(
        "S.B04.length",
        "663, 696",
        "with n_0' − 1 for n_0', the last sample of all is taken at c − 2: two steps less suffice",
        last_late - 1,
        full_length - 2,
        Slip("c − 3", left=last_late),
    ),
)
