"""The lengths of CycleFind's rollouts suffice and keep to the paper's bounds, for all integers.

Rounding up enters through what it means: whole = ⌈t/L⌉·L satisfies t ≤ whole ≤ t + L − 1, so that
whole is t + L − 1 less some slack. A maximum is replaced by the side that a case is about, or by
either side where it stands on the larger hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sympy import Expr, Symbol

from proofs_checks.slack import nonnegative

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Inequality:
    """`left` ≤ `right` whenever every variable is at least what `at_least` says."""

    claim: str
    statement: str
    left: Expr | int
    right: Expr | int
    at_least: Mapping[Symbol, Expr | int]

    def proof(self) -> Expr:
        """The difference as a polynomial of slacks, all of whose coefficients are nonnegative."""
        return nonnegative(Symbol("nothing") * 0 + self.right - self.left, self.at_least)


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

INEQUALITIES: Final = (
    Inequality(
        "A26",
        "n_samp.cyc. repetitions of a period test fit into c_init: k ≥ n_samp.cyc.",
        n * (2 * _whole + _cycle),
        _initial_after_settling + _whole,
        {**_SIZES, period: 2, t: 1, a: 1},
    ),
    Inequality(
        "B02 (position branch, settled by the loop)",
        "c is within the Proposition's bound when n_0 = (N − n_cyc)|â|",
        _full_after_settling + (N - period) * a,
        2 * (t + S * a - 1) * m + 1 + ((N - 1) * a - t) + 1,
        {**_SIZES, period: 1, t: 1, a: 1},
    ),
    Inequality(
        "B02 (position branch, settled by mixing)",
        "c is within the Proposition's bound when n_0 = t̂_mix",
        _full_after_settling + t,
        2 * (t + S * a - 1) * m + 1 + 0 + 1,
        {**_SIZES, period: 1, t: 1, a: 1},
    ),
    Inequality(
        "E10 (period branch, settled by the loop)",
        "+1 and −N|â| are absorbed when (N−1)|â| ≥ t̂_mix",
        (2 * t + 3 * N * _longest - 2) * n - N * _longest + ((N - 1) * _longest - t) + 1,
        (2 * t + 3 * N * _longest - 2) * n,
        {N: S, S: 1, D: 0, t: 1, n: 1},
    ),
    Inequality(
        "E10 (period branch, settled by mixing)",
        "+1 and −N|â| are absorbed when (N−1)|â| ≤ t̂_mix",
        (2 * t + 3 * N * _longest - 2) * n - N * _longest + 1,
        (2 * t + 3 * N * _longest - 2) * n,
        {N: S, S: 1, D: 0, t: 1, n: 1},
    ),
    Inequality(
        "B09",
        "t̂_mix + 1 steps lie between any early half and any late half",
        t + 1,
        # The late half of a position starts `late` steps after n_0', the early half ends `early`
        # steps before it has gone through a whole cycle of positions.
        (_cycle + t + late) - (_cycle - 1 - early),
        {late: 0, early: 0, period: 1, t: 1, a: 1},
    ),
)
