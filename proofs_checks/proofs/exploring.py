"""Phase 1: words that leave the known part of the dynamics, from every known state.

States are numbered so that the known ones come first: S' is 0, …, M − 1. `known(u, b)` is 1 where
T'(u, b) is defined. From u to v there is a way of dist(u, v) ≤ D actions, `act(i, u, v)`.
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
from proofs_checks.proofs.injections import GROWING, INJECTIONS

CONNECTED: Final = (
    Recursion("at(i, u, v)", "u", "T(at(i, u, v), act(i, u, v))"),
    Assume(
        "connected",
        "u, v",
        "0 <= u < S, 0 <= v < S",
        "0 <= dist(u, v) <= D, at(dist(u, v), u, v) == v",
    ),
    Assume(
        "actions", "i, u, v", "0 <= u < S, 0 <= v < S, 0 <= i < dist(u, v)", "0 <= act(i, u, v) < A"
    ),
)
"""Every state reaches every other, within D steps; `at(i, u, v)` are the states on the way."""

PART: Final = Assume("part", "u, b", "known(u, b) == 1", "0 <= u < M, 0 <= T(u, b) < M")

WAYS_OUT: Final = Theory(
    "Ways out",
    "S, M, A, D, T(u, b), dist(u, v), act(i, u, v), known(u, b), x, y",
    (
        Assume("sizes", "", "", "1 <= M <= S"),
        *CONNECTED,
        PART,
        # T' is not total: T'(x, y) is not defined.
        Assume("not_total", "", "", "0 <= x < M, 0 <= y < A, known(x, y) != 1"),
        Least(
            "out(u)",
            "0 <= u < M",
            "i",
            "known(at(i, u, x), act(i, u, x)) != 1 or i >= dist(u, x)",
            "dist(u, x)",
            by="sizes(), not_total(), connected(u, x)",
        ),
        Lemma(
            "before",
            "u, i",
            "0 <= u < M, 0 <= i < out(u)",
            "known(at(i, u, x), act(i, u, x)) == 1",
            by="out_least(u, i)",
        ),
        Lemma(
            "inside",
            "u",
            "0 <= u < M",
            "0 <= at(out(u), u, x) < M",
            by="out_holds(u), at_start(u, x), at_next(out(u) - 1, u, x), before(u, out(u) - 1),"
            " part(at(out(u) - 1, u, x), act(out(u) - 1, u, x))",
        ),
        Lemma(
            "C05",
            "u",
            "0 <= u < M",
            "0 <= out(u) <= D,"
            " (0 <= act(out(u), u, x) < A and known(at(out(u), u, x), act(out(u), u, x)) != 1)"
            " or known(at(out(u), u, x), y) != 1",
            by="sizes(), not_total(), connected(u, x), actions(out(u), u, x), out_holds(u),"
            " out_least(u, dist(u, x))",
        ),
        Lemma(
            "C04",
            "u, i",
            "0 <= u < M, 0 <= i < out(u)",
            "known(at(i, u, x), act(i, u, x)) == 1, 0 <= at(out(u), u, x) < M",
            by="before(u, i), inside(u)",
        ),
    ),
)

SHRINKING: Final = Theory(
    "The next B",
    "M, B(u), C(u), z, stays(u), end(u), origin(v)",
    (
        # C is where a word takes those states of B that it does not take out of T'.
        Assume("sizes", "", "", "M >= 0"),
        Assume("set_b", "u", "0 <= u < M", "B(u) == 0 or B(u) == 1"),
        Assume("set_c", "u", "0 <= u < M", "C(u) == 0 or C(u) == 1"),
        Assume("chosen", "", "", "0 <= z < M, B(z) == 1"),
        Assume("escapes", "", "", "stays(z) != 1"),
        Assume(
            "image",
            "v",
            "0 <= v < M, C(v) == 1",
            "0 <= origin(v) < M, B(origin(v)) == 1, stays(origin(v)) == 1, end(origin(v)) == v",
        ),
        Recursion("size_b(k)", "0", "size_b(k) + B(k)"),
        Recursion("size_c(k)", "0", "size_c(k) + C(k)"),
        Indicator("rest(u)", "B(u) == 1 and u != z"),
        Recursion("size_rest(k)", "0", "size_rest(k) + rest(k)"),
        Lemma(
            "one_less",
            "k",
            "0 <= k <= M",
            "(k <= z and size_rest(k) == size_b(k)) or (k > z and size_rest(k) == size_b(k) - 1)",
            by="chosen(), size_b_start(), size_rest_start(), size_b_next(k - 1), size_rest_next(k"
            " - 1), rest_is(k - 1), set_b(k - 1), one_less(k - 1)",
            induction="k",
        ),
        Apply(
            "no_more",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := M; q := M; X(u) := C(u); Y(u) := rest(u); f(u) := origin(u);"
            " A(k) := size_c(k); B(k) := size_rest(k)",
            (
                ("sizes", "sizes()"),
                ("sets_x", "set_c(u)"),
                ("sets_y", "rest_is(u)"),
                ("A_start", "size_c_start()"),
                ("A_next", "size_c_next(k)"),
                ("B_start", "size_rest_start()"),
                ("B_next", "size_rest_next(k)"),
                ("into", "image(u), rest_is(origin(u)), escapes()"),
                ("injective", "image(u), image(v)"),
            ),
        ),
        Lemma(
            "C06",
            "",
            "",
            "size_c(M) <= size_b(M) - 1",
            by="no_more(), one_less(M), chosen()",
        ),
    ),
)

ESCAPING: Final = Theory(
    "Escaping words",
    "M, D, K, T(u, b), known(u, b), hat(i), cut(k), chosen(k), exit(k)",
    (
        Assume("sizes", "", "", "M >= 0, D >= 0, K >= 0"),
        # hat is â; piece k of it begins at cut(k), and K pieces have been put together.
        Recursion("on(i, u)", "u", "T(on(i, u), hat(i))"),
        Least("gone(i, u)", "i >= 0", "e", "known(on(e, u), hat(e)) != 1 or e >= i", "i"),
        Assume("first", "", "", "cut(0) == 0"),
        Assume("pieces", "k", "0 <= k < K", "cut(k) + 1 <= cut(k + 1) <= cut(k) + D + 1"),
        # B is not empty: one of its states, where chosen(k) has got to, is taken ...
        Assume("taken", "k", "0 <= k < K", "0 <= chosen(k) < M, gone(cut(k), chosen(k)) >= cut(k)"),
        # ... and piece k leads it out.
        Assume(
            "leads_out",
            "k",
            "0 <= k < K",
            "cut(k) <= exit(k) < cut(k + 1), known(on(exit(k), chosen(k)), hat(exit(k))) != 1",
        ),
        Lemma(
            "cuts",
            "k",
            "0 <= k <= K",
            "0 <= cut(k) <= k * (D + 1)",
            by="first(), pieces(k - 1), cuts(k - 1)",
            induction="k",
        ),
        Indicator("out(k, u)", "gone(cut(k), u) < cut(k)"),
        Lemma(
            "once_out",
            "k, u",
            "0 <= k < K, out(k, u) == 1",
            "out(k + 1, u) == 1",
            by="cuts(k), cuts(k + 1), pieces(k), out_is(k, u), out_is(k + 1, u),"
            " gone_holds(cut(k), u), gone_least(cut(k + 1), u, gone(cut(k), u))",
        ),
        Lemma(
            "leaves",
            "k",
            "0 <= k < K",
            "0 <= chosen(k) < M, out(k, chosen(k)) != 1, out(k + 1, chosen(k)) == 1",
            by="cuts(k), cuts(k + 1), taken(k), leads_out(k), out_is(k, chosen(k)),"
            " out_is(k + 1, chosen(k)), gone_least(cut(k + 1), chosen(k), exit(k))",
        ),
        Apply(
            "rounds",
            "",
            "",
            GROWING,
            "at_most",
            "n := K; m := M; X(k, u) := out(k, u); fresh(k) := chosen(k)",
            (
                ("sizes", "sizes()"),
                ("grows", "once_out(k, u)"),
                ("gains", "leaves(k)"),
            ),
        ),
        Lemma("P03", "", "", "K <= M", by="rounds()"),
        Lemma(
            "C03_length",
            "",
            "",
            "cut(K) <= M * (D + 1)",
            by="sizes(), rounds(), cuts(K), product(M - K, D + 1)",
        ),
        # When B is empty, every u < M has left: somewhere on the way of â there is what is unknown.
        Lemma(
            "C03_escape",
            "u",
            "0 <= u < M, gone(cut(K), u) < cut(K)",
            "0 <= gone(cut(K), u) < cut(K), known(on(gone(cut(K), u), u), hat(gone(cut(K), u))) !="
            " 1",
            by="sizes(), cuts(K), gone_holds(cut(K), u)",
        ),
    ),
)

NEAREST_FIRST: Final = Theory(
    "The nearest state first",
    ESCAPING.symbols,
    (
        *ESCAPING.steps,
        # Some known state has an unknown transition itself, so the first piece is one action.
        Assume("nearest", "", "K >= 1", "cut(1) == 1"),
        Lemma(
            "sharp_cuts",
            "k",
            "1 <= k <= K",
            "cut(k) <= 1 + (k - 1) * (D + 1)",
            by="nearest(), pieces(k - 1), product(k - 1, D), sharp_cuts(k - 1)",
            induction="k",
        ),
        Lemma(
            "S_C03",
            "",
            "K >= 1",
            "cut(K) <= M * (D + 1) - D",
            by="sizes(), rounds(), sharp_cuts(K), product(M - K, D + 1)",
        ),
    ),
)
