"""Why every state must reach every other: edges that cannot be undone, and two dynamics."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import Assume, Lemma, Recursion, Theory

REVERSIBLE: Final = Theory(
    "Edges that can be undone",
    "S, A, T(u, b), reach(u, v), steps(u, v), act(i, u, v)",
    (
        Assume("closed_under", "u, b", "0 <= u < S, 0 <= b < A", "0 <= T(u, b) < S"),
        Assume("itself", "u", "0 <= u < S", "reach(u, u) == 1"),
        Assume(
            "through",
            "u, v, w",
            "0 <= u < S, 0 <= v < S, 0 <= w < S, reach(u, v) == 1, reach(v, w) == 1",
            "reach(u, w) == 1",
        ),
        # What is reached is reached by a walk.
        Recursion("at(i, u, v)", "u", "T(at(i, u, v), act(i, u, v))"),
        Assume(
            "walk",
            "u, v",
            "0 <= u < S, 0 <= v < S, reach(u, v) == 1",
            "steps(u, v) >= 0, at(steps(u, v), u, v) == v",
        ),
        Assume(
            "actions",
            "i, u, v",
            "0 <= u < S, 0 <= v < S, 0 <= i < steps(u, v)",
            "0 <= act(i, u, v) < A",
        ),
        Assume("one_way", "u, v", "0 <= u < S, 0 <= v < S", "reach(u, v) == 1 or reach(v, u) == 1"),
        Assume("undone", "u, b", "0 <= u < S, 0 <= b < A", "reach(T(u, b), u) == 1"),
        Lemma(
            "back",
            "i, u, v",
            "0 <= u < S, 0 <= v < S, 0 <= i <= steps(u, v)",
            "0 <= at(i, u, v) < S, reach(at(i, u, v), u) == 1",
            by="at_start(u, v), itself(u), at_next(i - 1, u, v), actions(i - 1, u, v),"
            " closed_under(at(i - 1, u, v), act(i - 1, u, v)),"
            " undone(at(i - 1, u, v), act(i - 1, u, v)),"
            " through(at(i, u, v), at(i - 1, u, v), u), back(i - 1, u, v)",
            induction="i",
        ),
        Lemma(
            "I01",
            "u, v",
            "0 <= u < S, 0 <= v < S",
            "reach(u, v) == 1",
            by="one_way(u, v), walk(v, u), back(steps(v, u), v, u)",
        ),
    ),
)

ALL_REACH: Final = Theory(
    "All reach each other",
    "S, A, T(u, b), reach(u, v)",
    (
        Assume("closed_under", "u, b", "0 <= u < S, 0 <= b < A", "0 <= T(u, b) < S"),
        Assume("all", "u, v", "0 <= u < S, 0 <= v < S", "reach(u, v) == 1"),
        Lemma(
            "I01_back",
            "u, b",
            "0 <= u < S, 0 <= b < A",
            "reach(T(u, b), u) == 1",
            by="closed_under(u, b), all(T(u, b), u)",
        ),
    ),
)

EXCHANGED: Final = Theory(
    "Exchanged actions",
    "T(u, b), U(u, b), s, a, c, reached(u), letter(i)",
    (
        # U is T with the actions a and c exchanged at s; reached(u): s' = T(s, a) reaches u in T.
        Assume("exchange", "", "", "U(s, c) == T(s, a), U(s, a) == T(s, c)"),
        Assume("elsewhere", "u, b", "u != s", "U(u, b) == T(u, b)"),
        Assume("from_there", "", "", "reached(T(s, a)) == 1"),
        Assume("onwards", "u, b", "reached(u) == 1", "reached(T(u, b)) == 1"),
        Assume("no_return", "", "", "reached(s) != 1"),
        Recursion("walk(i)", "U(s, c)", "U(walk(i), letter(i))"),
        Lemma(
            "still_reached",
            "i",
            "i >= 0",
            "reached(walk(i)) == 1",
            by="walk_start(), exchange(), from_there(), walk_next(i - 1), no_return(),"
            " elsewhere(walk(i - 1), letter(i - 1)), onwards(walk(i - 1), letter(i - 1)),"
            " still_reached(i - 1)",
            induction="i",
        ),
        Lemma(
            "I03",
            "i",
            "i >= 0",
            "U(s, c) == T(s, a), walk(i) != s",
            by="exchange(), no_return(), still_reached(i)",
        ),
    ),
)
