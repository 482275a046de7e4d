"""How long CycleFind's rollouts are: enough for its samples, and within the paper's bounds.

Rounding up enters through what it means: whole = ⌈t/L⌉·L satisfies t ≤ whole ≤ t + L − 1, so that
whole is t + L − 1 less some slack. A maximum is replaced by the side that a case is about, or by
either side where it stands on the larger hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.entries import Slip
from proofs_checks.sections import CYCLE_FIND

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr


N, S, D, t, a, n, m = (Symbol(name) for name in ("N", "S", "D", "t", "a", "n", "m"))
"""max_states, |S|, diameter, t̂_mix, |â|, n_samp.cyc., n_samp."""
period, unused, late, early = (Symbol(name) for name in ("period", "unused", "late", "early"))

_SIZES: Final[Mapping[Symbol, Expr | int]] = {N: S, S: period, n: 1, m: 1, unused: 0}

_cycle = period * a
_whole = t + _cycle - 1 - unused
"""⌈t/L⌉·L for L = period·|â|, `unused` steps below the most that it can be."""

_initial_after_settling = (2 * t + 3 * N * a - 2) * n - t - N * a + 1
_full_after_settling = 2 * ((m - 1) * _whole + _cycle) + t
_longest = S * (D + 1)

CLAIMS: Final = (
    CYCLE_FIND.bound(
        "A25",
        "637",
        "t̂_mix + N|â| − 1 ≥ t̂_mix + n'|â| − 1 ≥ r|â|",
        _whole,
        t + N * a - 1,
        {**_SIZES, period: 2, t: 1, a: 1},
        Slip("2 more on the left", left=_whole + 2),
    ),
    CYCLE_FIND.bound(
        "A26",
        "643-648",
        "k ≥ n_samp.cyc. for every n': so many repetitions of the period test fit into c_init",
        n * (2 * _whole + _cycle),
        _initial_after_settling + _whole,
        {**_SIZES, period: 2, t: 1, a: 1},
        Slip("2 more on the left", left=n * (2 * _whole + _cycle) + 2),
    ),
    CYCLE_FIND.bound(
        "B02.loop",
        "670-672",
        "c is within the Proposition's bound when n_0 = (N − n_cyc)|â|",
        _full_after_settling + (N - period) * a,
        2 * (t + S * a - 1) * m + 1 + ((N - 1) * a - t) + 1,
        {**_SIZES, period: 1, t: 1, a: 1},
        Slip("2 more on the left", left=_full_after_settling + (N - period) * a + 2),
    ),
    CYCLE_FIND.bound(
        "B02.mixing",
        "670-672",
        "c is within the Proposition's bound when n_0 = t̂_mix",
        _full_after_settling + t,
        2 * (t + S * a - 1) * m + 1 + 0 + 1,
        {**_SIZES, period: 1, t: 1, a: 1},
        Slip("2 more on the left", left=_full_after_settling + t + 2),
    ),
    CYCLE_FIND.bound(
        "E10.loop",
        "1011-1014",
        "+1 and −N|â| are absorbed when (N−1)|â| ≥ t̂_mix",
        (2 * t + 3 * N * _longest - 2) * n - N * _longest + ((N - 1) * _longest - t) + 1,
        (2 * t + 3 * N * _longest - 2) * n,
        {N: S, S: 1, D: 0, t: 1, n: 1},
        Slip(
            "2 more on the left",
            left=(2 * t + 3 * N * _longest - 2) * n
            - N * _longest
            + ((N - 1) * _longest - t)
            + 1
            + 2,
        ),
    ),
    CYCLE_FIND.bound(
        "E10.mixing",
        "1011-1014",
        "+1 and −N|â| are absorbed when (N−1)|â| ≤ t̂_mix",
        (2 * t + 3 * N * _longest - 2) * n - N * _longest + 1,
        (2 * t + 3 * N * _longest - 2) * n,
        {N: S, S: 1, D: 0, t: 1, n: 1},
        Slip("2 more on the left", left=(2 * t + 3 * N * _longest - 2) * n - N * _longest + 1 + 2),
    ),
    CYCLE_FIND.bound(
        "B09",
        "714",
        "D^A_i and D^B_j are at least t̂_mix apart, for every pair of positions: t̂_mix + 1, in fact",
        t + 1,
        # The late half of a position starts `late` steps after n_0', the early half ends `early`
        # steps before it has gone through a whole cycle of positions.
        (_cycle + t + late) - (_cycle - 1 - early),
        {late: 0, early: 0, period: 1, t: 1, a: 1},
        Slip("2 more on the left", left=t + 1 + 2),
    ),
)
