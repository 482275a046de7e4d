"""What a set can be mapped into without repetition has at least as many elements.

A set is a function with values 0 and 1, its size the sum of these. This is the pigeonhole
principle; it is shown here from arithmetic and induction alone.
"""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Recursion,
    Theory,
)

INJECTIONS: Final = Theory(
    "Injections",
    "p, q, X(u), Y(u), f(u), A(k), B(k)",
    (
        Assume("sizes", "", "", "p >= 0, q >= 0"),
        Assume("sets_x", "u", "0 <= u < p", "X(u) == 0 or X(u) == 1"),
        Assume("sets_y", "u", "0 <= u < q", "Y(u) == 0 or Y(u) == 1"),
        Assume("A_start", "", "", "A(0) == 0"),
        Assume("A_next", "k", "0 <= k < p", "A(k + 1) == A(k) + X(k)"),
        Assume("B_start", "", "", "B(0) == 0"),
        Assume("B_next", "k", "0 <= k < q", "B(k + 1) == B(k) + Y(k)"),
        Assume("into", "u", "0 <= u < p, X(u) == 1", "0 <= f(u) < q, Y(f(u)) == 1"),
        Assume(
            "injective",
            "u, v",
            "0 <= u < v < p, X(u) == 1, X(v) == 1",
            "f(u) != f(v)",
        ),
        # The first u below k that is mapped to w, or k.
        Least(
            "origin(k, w)",
            "k >= 0",
            "u",
            "(X(u) == 1 and f(u) == w) or u >= k",
            "k",
        ),
        Indicator("hit(k, w)", "origin(k, w) < k"),
        Recursion("hits(n, k)", "0", "hits(n, k) + hit(k, n)"),
        Lemma(
            "hit_grows",
            "k, w",
            "0 <= k < p",
            "(X(k) == 1 and f(k) == w and hit(k, w) == 0 and hit(k + 1, w) == 1)"
            " or (not (X(k) == 1 and f(k) == w) and hit(k + 1, w) == hit(k, w))",
            by="origin_holds(k, w), origin_holds(k + 1, w), hit_is(k, w), hit_is(k + 1, w),"
            " origin_least(k + 1, w, k), origin_least(k + 1, w, origin(k, w)),"
            " origin_least(k, w, origin(k + 1, w)), injective(origin(k, w), k)",
        ),
        Lemma(
            "hits_grow",
            "n, k",
            "n >= 0, 0 <= k < p",
            "(X(k) == 1 and f(k) < n and hits(n, k + 1) == hits(n, k) + 1)"
            " or (not (X(k) == 1 and f(k) < n) and hits(n, k + 1) == hits(n, k))",
            by="hits_start(k), hits_start(k + 1), hits_next(n - 1, k), hits_next(n - 1, k + 1),"
            " hit_grows(k, n - 1), into(k), hits_grow(n - 1, k)",
            induction="n",
        ),
        Lemma(
            "none_yet",
            "n",
            "n >= 0",
            "hits(n, 0) == 0",
            by="hits_start(0), hits_next(n - 1, 0), hit_is(0, n - 1), origin_holds(0, n - 1),"
            " none_yet(n - 1)",
            induction="n",
        ),
        Lemma(
            "all_hit",
            "k",
            "0 <= k <= p",
            "hits(q, k) == A(k)",
            by="sizes(), none_yet(q), A_start(), A_next(k - 1), hits_grow(q, k - 1), sets_x(k - 1),"
            " into(k - 1), all_hit(k - 1)",
            induction="k",
        ),
        Lemma(
            "hits_within",
            "n",
            "0 <= n <= q",
            "hits(n, p) <= B(n)",
            by="sizes(), hits_start(p), B_start(), hits_next(n - 1, p), B_next(n - 1),"
            " hit_is(p, n - 1), origin_holds(p, n - 1), into(origin(p, n - 1)), sets_y(n - 1),"
            " hits_within(n - 1)",
            induction="n",
        ),
        Lemma(
            "pigeonhole",
            "",
            "",
            "A(p) <= B(q)",
            by="sizes(), all_hit(p), hits_within(q)",
        ),
    ),
)

GROWING: Final = Theory(
    "Growing sets",
    "n, m, X(k, u), fresh(k)",
    (
        Assume("sizes", "", "", "n >= 0, m >= 0"),
        Assume("grows", "k, u", "0 <= k < n, 0 <= u < m, X(k, u) == 1", "X(k + 1, u) == 1"),
        Assume(
            "gains",
            "k",
            "0 <= k < n",
            "0 <= fresh(k) < m, X(k, fresh(k)) != 1, X(k + 1, fresh(k)) == 1",
        ),
        Lemma(
            "stays",
            "k, l",
            "0 <= k < l <= n",
            "X(l, fresh(k)) == 1",
            by="gains(k), grows(l - 1, fresh(k)), stays(k, l - 1)",
            induction="l",
        ),
        Apply(
            "at_most",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := n; q := m; X(u) := 1; Y(u) := 1; f(u) := fresh(u); A(k) := k; B(k) := k",
            (
                ("sizes", "sizes()"),
                ("into", "gains(u)"),
                ("injective", "stays(u, v), gains(v)"),
            ),
        ),
    ),
)
"""n times, a set gains an element of m and loses none: n ≤ m."""

EVENTS: Final = Theory(
    "Events of one classifier",
    "S, n, state(k), bit(k)",
    (
        # n different events: that f fits all of D(state(k)) as bit(k).
        Assume("sizes", "", "", "S >= 0, n >= 0"),
        Assume("fits", "k", "0 <= k < n", "0 <= state(k) < S, 0 <= bit(k) <= 1"),
        Assume("different", "j, k", "0 <= j < k < n", "state(j) != state(k) or bit(j) != bit(k)"),
        Lemma(
            "binary",
            "a, b, c, d",
            "0 <= b <= 1, 0 <= d <= 1, 2 * a + b == 2 * c + d",
            "a == c",
        ),
        Apply(
            "S_E07",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := n; q := 2 * S; X(u) := 1; Y(u) := 1; f(u) := 2 * state(u) + bit(u);"
            " A(k) := k; B(k) := k",
            (
                ("sizes", "sizes()"),
                ("into", "fits(u)"),
                (
                    "injective",
                    "fits(u), fits(v), different(u, v), binary(state(u), bit(u), state(v), bit(v))",
                ),
            ),
        ),
    ),
)
"""A classifier can fit the data of a state as 0 or as 1, which makes 2|S| events."""
