"""Phase 2: a closed walk through the states that need samples, and how long it is."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Least,
    Lemma,
    Recursion,
    Theory,
)
from proofs_checks.proofs.exploring import CONNECTED
from proofs_checks.proofs.injections import INJECTIONS

DIAMETER: Final = Theory(
    "Shortest ways",
    "S, d, x(i), far(u)",
    (
        # x(0), …, x(d) is a shortest way, far(u) the distance from u to its end.
        Assume("sizes", "", "", "d >= 0"),
        Assume("states", "i", "0 <= i <= d", "0 <= x(i) < S"),
        Assume("start", "", "", "far(x(0)) == d"),
        Assume("end", "", "", "far(x(d)) == 0"),
        Assume("one_step", "i", "0 <= i < d", "far(x(i)) <= far(x(i + 1)) + 1"),
        Lemma(
            "at_least",
            "i",
            "0 <= i <= d",
            "far(x(i)) >= d - i",
            by="start(), one_step(i - 1), at_least(i - 1)",
            induction="i",
        ),
        Lemma(
            "nearer",
            "i",
            "0 <= i <= d",
            "far(x(i)) <= d - i",
            by="end(), one_step(i), nearer(i + 1)",
            induction="d - i",
        ),
        Lemma(
            "distinct",
            "i, j",
            "0 <= i < j <= d",
            "x(i) != x(j)",
            by="at_least(i), at_least(j), nearer(i), nearer(j)",
        ),
        Apply(
            "few",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := d + 1; q := S; X(u) := 1; Y(u) := 1; f(u) := x(u); A(k) := k; B(k) := k",
            (
                ("sizes", "sizes(), states(0)"),
                ("into", "states(u)"),
                ("injective", "distinct(u, v)"),
            ),
        ),
        Lemma("M04", "N", "S <= N", "d <= S - 1, d <= N - 1", by="few()"),
    ),
)

TOURING: Final = Theory(
    "Tours",
    "S, A, D, T(u, b), dist(u, v), act(i, u, v), K, pos(k), wanted(u), leg(u), offset(u), bar(i)",
    (
        Assume("sizes", "", "", "S >= 1, A >= 1, D >= 0, K >= 0"),
        Assume("closed_under", "u, b", "0 <= u < S, 0 <= b < A", "0 <= T(u, b) < S"),
        *CONNECTED,
        # From home = pos(0), K legs lead to pos(1), …, pos(K), each a state not yet visited.
        Assume("stops", "k", "0 <= k <= K", "0 <= pos(k) < S"),
        Assume("unvisited", "j, k", "0 <= j < k <= K", "pos(j) != pos(k)"),
        Recursion("len(k)", "0", "len(k) + dist(pos(k), pos(k + 1))"),
        # bar is the word ā: what each leg does, one after the other, and then the way home.
        Assume(
            "legs",
            "k, i",
            "0 <= k < K, 0 <= i < dist(pos(k), pos(k + 1))",
            "bar(len(k) + i) == act(i, pos(k), pos(k + 1))",
        ),
        Assume(
            "way_home",
            "i",
            "0 <= i < dist(pos(K), pos(0))",
            "bar(len(K) + i) == act(i, pos(K), pos(0))",
        ),
        # wanted(u) is 1 for the states of C: at the end, each is home or lies on some leg.
        Assume(
            "none_missing",
            "u",
            "wanted(u) == 1, u != pos(0)",
            "0 <= leg(u) < K, 0 <= offset(u) <= dist(pos(leg(u)), pos(leg(u) + 1)),"
            " at(offset(u), pos(leg(u)), pos(leg(u) + 1)) == u",
        ),
        Lemma(
            "lengths",
            "k",
            "0 <= k <= K",
            "0 <= len(k) <= k * D",
            by="len_start(), len_next(k - 1), stops(k - 1), stops(k), connected(pos(k - 1),"
            " pos(k)), lengths(k - 1)",
            induction="k",
        ),
        Apply(
            "few_legs",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := K + 1; q := S; X(u) := 1; Y(u) := 1; f(u) := pos(u); A(k) := k; B(k) := k",
            (
                ("sizes", "sizes()"),
                ("into", "stops(u)"),
                ("injective", "unvisited(u, v)"),
            ),
        ),
        Lemma(
            "D03",
            "",
            "",
            "0 <= len(K) + dist(pos(K), pos(0)) <= S * D",
            by="sizes(), few_legs(), lengths(K), stops(K), stops(0), connected(pos(K), pos(0)),"
            " product(S - 1 - K, D)",
        ),
        Recursion("p(i)", "pos(0)", "T(p(i), bar(i))"),
        Lemma(
            "on_leg",
            "k, i",
            "0 <= k < K, 0 <= i <= dist(pos(k), pos(k + 1)), p(len(k)) == pos(k)",
            "p(len(k) + i) == at(i, pos(k), pos(k + 1))",
            by="at_start(pos(k), pos(k + 1)), at_next(i - 1, pos(k), pos(k + 1)), legs(k, i - 1),"
            " lengths(k), p_next(len(k) + i - 1), on_leg(k, i - 1)",
            induction="i",
        ),
        Lemma(
            "at_stop",
            "k",
            "0 <= k <= K",
            "p(len(k)) == pos(k)",
            by="len_start(), p_start(), len_next(k - 1), stops(k - 1), stops(k), connected(pos(k -"
            " 1), pos(k)), on_leg(k - 1, dist(pos(k - 1), pos(k))), at_stop(k - 1)",
            induction="k",
        ),
        Lemma(
            "homewards",
            "i",
            "0 <= i <= dist(pos(K), pos(0))",
            "p(len(K) + i) == at(i, pos(K), pos(0))",
            by="sizes(), at_stop(K), at_start(pos(K), pos(0)), at_next(i - 1, pos(K), pos(0)),"
            " way_home(i - 1), lengths(K), p_next(len(K) + i - 1), homewards(i - 1)",
            induction="i",
        ),
        Lemma(
            "D02",
            "",
            "",
            "p(len(K) + dist(pos(K), pos(0))) == pos(0)",
            by="sizes(), stops(0), stops(K), connected(pos(K), pos(0)),"
            " homewards(dist(pos(K), pos(0)))",
        ),
        Lemma(
            "monotone",
            "k",
            "0 <= k <= K",
            "len(k) <= len(K)",
            by="len_next(k), stops(k), stops(k + 1), connected(pos(k), pos(k + 1)), monotone(k +"
            " 1)",
            induction="K - k",
        ),
        Lemma(
            "D02_visits",
            "u",
            "wanted(u) == 1, u != pos(0)",
            "0 <= len(leg(u)) + offset(u) <= len(K) + dist(pos(K), pos(0)),"
            " p(len(leg(u)) + offset(u)) == u",
            by="sizes(), none_missing(u), at_stop(leg(u)), on_leg(leg(u), offset(u)),"
            " lengths(leg(u)), len_next(leg(u)), monotone(leg(u) + 1), stops(0), stops(K),"
            " connected(pos(K), pos(0))",
        ),
        Lemma(
            "D04",
            "u, b",
            "0 <= u < S, 0 <= b < A",
            "1 <= 1 + dist(T(u, b), u) <= D + 1, at(dist(T(u, b), u), T(u, b), u) == u",
            by="closed_under(u, b), connected(T(u, b), u)",
        ),
    ),
)

NEAREST_NEXT: Final = Theory(
    "Tours to the nearest state",
    TOURING.symbols,
    (
        *TOURING.steps,
        # Some action leaves home for a state that is not yet visited: the first leg is one step.
        Assume("nearest", "", "K >= 1", "dist(pos(0), pos(1)) == 1"),
        Lemma(
            "sharp_lengths",
            "k",
            "1 <= k <= K",
            "len(k) <= 1 + (k - 1) * D",
            by="nearest(), len_start(), len_next(k - 1), stops(k - 1), stops(k),"
            " connected(pos(k - 1), pos(k)), product(k - 1, D), sharp_lengths(k - 1)",
            induction="k",
        ),
        Lemma(
            "S_D03",
            "",
            "K >= 1",
            "len(K) + dist(pos(K), pos(0)) <= 1 + (S - 1) * D",
            by="sizes(), few_legs(), sharp_lengths(K), stops(K), stops(0),"
            " connected(pos(K), pos(0)), product(S - 1 - K, D)",
        ),
    ),
)

LENGTHENING: Final = Theory(
    "Lengthened tours",
    "S, D, t, n, l, where, p(i), q(i), loop(i), T(u, b), bar(i), longer(i), letter(i)",
    (
        # A tour of n steps through p(0), …, p(n) = p(0); at p(where), a self-loop of l steps.
        Assume("tour", "", "", "0 <= n <= S * D, t >= 0, 0 <= where <= n"),
        Assume("closed", "", "", "p(n) == p(0)"),
        Assume("self_loop", "", "", "1 <= l <= D + 1"),
        Assume("returns", "", "", "loop(0) == p(where), loop(l) == p(where)"),
        Least("times", "", "g", "n + g * l >= t", "t", by="tour(), self_loop(), product(t, l - 1)"),
        Lemma(
            "D01",
            "",
            "",
            "n + times * l >= t, n + times * l <= S * D or n + times * l <= t + D",
            by="tour(), self_loop(), times_holds(), times_least(times - 1), times_least(0),"
            " product(times, l)",
        ),
        # q is the walk with the self-loop gone round `times` times.
        Assume("as_before", "i", "0 <= i <= where", "q(i) == p(i)"),
        Assume("moves", "i", "i >= 0", "p(i + 1) == T(p(i), bar(i))"),
        Assume("moves_longer", "i", "i >= 0", "q(i + 1) == T(q(i), longer(i))"),
        Assume(
            "rounds",
            "g, i",
            "0 <= g < times, 0 <= i < l",
            "longer(where + g * l + i) == letter(i), loop(i + 1) == T(loop(i), letter(i))",
        ),
        Assume(
            "then", "i", "0 <= i < n - where", "longer(where + times * l + i) == bar(where + i)"
        ),
        Lemma(
            "on_loop",
            "g, i",
            "0 <= g < times, 0 <= i <= l, q(where + g * l) == p(where)",
            "q(where + g * l + i) == loop(i)",
            by="tour(), self_loop(), returns(), rounds(g, i - 1), moves_longer(where + g * l + i -"
            " 1), product(g, l), on_loop(g, i - 1)",
            induction="i",
        ),
        Lemma(
            "after_loops",
            "g",
            "0 <= g <= times",
            "q(where + g * l) == p(where)",
            by="tour(), self_loop(), returns(), as_before(where), on_loop(g - 1, l), after_loops(g"
            " - 1)",
            induction="g",
        ),
        Lemma(
            "loops_fit",
            "",
            "",
            "times >= 0, times * l >= 0",
            by="self_loop(), times_holds(), product(times, l)",
        ),
        Lemma(
            "as_after",
            "i",
            "0 <= i <= n - where",
            "q(where + times * l + i) == p(where + i)",
            by="tour(), loops_fit(), after_loops(times), then(i - 1), moves(where + i - 1),"
            " moves_longer(where + times * l + i - 1), as_after(i - 1)",
            induction="i",
        ),
        Lemma(
            "still_closed",
            "",
            "",
            "q(n + times * l) == q(0)",
            by="tour(), closed(), as_after(n - where), as_before(0)",
        ),
        Lemma(
            "still_visits",
            "i",
            "0 <= i <= n",
            "(i <= where and q(i) == p(i)) or (i > where and q(i + times * l) == p(i))",
            by="as_before(i), as_after(i - where)",
        ),
    ),
)
