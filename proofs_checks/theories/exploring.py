"""Phase 1: words that leave the known part of the dynamics, from every known state.

States are numbered so that the known ones come first: S' is 0, …, M − 1. `known(u, b)` is 1 where
T'(u, b) is defined. From u to v there is a way of dist(u, v) ≤ D actions, `act(i, u, v)`.
"""

from __future__ import annotations

from typing import Final

from proofs_checks.methods.deduction.theories import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
    Theory,
)
from proofs_checks.theories.injections import GROWING, INJECTIONS
from proofs_checks.theories.looped_words import LOOPED_WORDS

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

_PART: Final = Assume("part", "u, b", "known(u, b) == 1", "0 <= u < M, 0 <= T(u, b) < M")

WAYS_OUT: Final = Theory(
    "Ways out",
    "S, M, A, D, T(u, b), dist(u, v), act(i, u, v), known(u, b), x, y",
    (
        Assume("sizes", "", "", "1 <= M <= S"),
        *CONNECTED,
        _PART,
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
            by="chosen(), size_b_start(), size_rest_start(), size_b_next(k - 1), size_rest_next(k - 1),"
            " rest_is(k - 1), set_b(k - 1), one_less(k - 1)",
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
            by="cuts(k), cuts(k + 1), pieces(k), out_is(k, u), out_is(k + 1, u), gone_holds(cut(k), u),"
            " gone_least(cut(k + 1), u, gone(cut(k), u))",
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
            "0 <= gone(cut(K), u) < cut(K), known(on(gone(cut(K), u), u), hat(gone(cut(K), u))) != 1",
            by="sizes(), cuts(K), gone_holds(cut(K), u)",
        ),
    ),
)

NEWS: Final = Theory(
    "What a call learns",
    f"{LOOPED_WORDS.symbols}, M, known(u, b), leave(u)",
    (
        *LOOPED_WORDS.steps,
        _PART,
        Recursion("on(i, u)", "u", "T(on(i, u), w(i))"),
        Assume(
            "escapes",
            "u",
            "0 <= u < M",
            "0 <= leave(u) < L, known(on(leave(u), u), w(leave(u))) != 1",
        ),
        Lemma(
            "along",
            "k, i",
            "k >= 0, 0 <= i <= L",
            "s(k * L + i) == on(i, s(k * L))",
            by="on_start(s(k * L)), on_next(i - 1, s(k * L)), same_letters(i - 1, k),"
            " rest_is_small(i - 1, L), along(k, i - 1)",
            induction="i",
        ),
        # The start of the cycle, if it is not known, and else where â leaves from there.
        Lemma(
            "C07",
            "i",
            "(i == 0 and not 0 <= s(n_trn(0) * L) < M)"
            " or (i == leave(s(n_trn(0) * L)) and 0 <= s(n_trn(0) * L) < M)",
            "n_trn(0) * L <= n_trn(0) * L + i < (n_trn(0) + n_cyc(0)) * L,"
            " known(s(n_trn(0) * L + i), w((n_trn(0) * L + i) % L)) != 1",
            by="sizes(), A09(0), product(n_cyc(0) - 1, L), escapes(s(n_trn(0) * L)),"
            " along(n_trn(0), i), rest_of_sum(i, n_trn(0), L), rest_is_small(i, L),"
            " part(s(n_trn(0) * L), w((n_trn(0) * L + i) % L))",
        ),
    ),
)

CALLS: Final = Theory(
    "Calls of CycleFind",
    "S, A, n, have(k, e), new(k)",
    (
        # have(k, e): transition e of |S||A| is known after k calls; none is forgotten.
        Assume("sizes", "", "", "n >= 0, S * A >= 0"),
        Assume(
            "kept", "k, e", "0 <= k < n, 0 <= e < S * A, have(k, e) == 1", "have(k + 1, e) == 1"
        ),
        Assume(
            "learned",
            "k",
            "0 <= k < n",
            "0 <= new(k) < S * A, have(k, new(k)) != 1, have(k + 1, new(k)) == 1",
        ),
        Apply(
            "C08",
            "",
            "",
            GROWING,
            "at_most",
            "n := n; m := S * A; X(k, e) := have(k, e); fresh(k) := new(k)",
            (("sizes", "sizes()"), ("grows", "kept(k, u)"), ("gains", "learned(k)")),
        ),
    ),
)

CYCLE_SPACE: Final = Theory(
    "Cycles of the known graph",
    "S, A, n, edges(k), states(k), parts(k), joined(k, u, v), source(k), target(k), end(r),"
    " steps(r), on(r, i)",
    (
        # Edge k leads from source(k) to target(k); joined(k, u, v): edges 0, …, k − 1 connect u, v.
        Assume("empty", "", "", "edges(0) == 0, states(0) == 0, parts(0) == 0"),
        Assume(
            "one_more_edge",
            "k",
            "k >= 0",
            "edges(k + 1) == edges(k) + 1,"
            " (joined(k, source(k), target(k)) == 1 and states(k + 1) == states(k)"
            " and parts(k + 1) == parts(k))"
            " or (source(k) == target(k) and states(k + 1) == states(k) + 1"
            " and parts(k + 1) == parts(k) + 1)"
            " or (joined(k, source(k), target(k)) != 1 and source(k) != target(k)"
            " and states(k + 1) - parts(k + 1) == states(k) - parts(k) + 1)",
        ),
        Assume(
            "transitive",
            "k, u, v, w",
            "k >= 0, joined(k, u, v) == 1, joined(k, v, w) == 1",
            "joined(k, u, w) == 1",
        ),
        Assume("symmetric", "k, u, v", "k >= 0, joined(k, u, v) == 1", "joined(k, v, u) == 1"),
        # Call r ends with end(r) edges. Before the last of them, the rest of its closed walk leads
        # from target to source along edges that are known: on(r, 0), …, on(r, steps(r)).
        Assume("first_call", "", "", "end(0) == 0, n >= 0"),
        Assume("adds", "r", "0 <= r < n", "end(r + 1) >= end(r) + 1"),
        Assume(
            "closed_walk",
            "r",
            "0 <= r < n",
            "steps(r) >= 0, on(r, 0) == target(end(r + 1) - 1),"
            " on(r, steps(r)) == source(end(r + 1) - 1)",
        ),
        Assume(
            "along_known",
            "r, i",
            "0 <= r < n, 0 <= i < steps(r)",
            "joined(end(r + 1) - 1, on(r, i), on(r, i + 1)) == 1",
        ),
        Let("cycles(k)", "edges(k) - states(k) + parts(k)"),
        Lemma(
            "calls_end",
            "r",
            "0 <= r <= n",
            "end(r) >= 0",
            by="first_call(), adds(r - 1), calls_end(r - 1)",
            induction="r",
        ),
        Lemma(
            "walked",
            "r, i",
            "0 <= r < n, 1 <= i <= steps(r)",
            "joined(end(r + 1) - 1, on(r, 0), on(r, i)) == 1",
            by="calls_end(r), adds(r), along_known(r, i - 1), walked(r, i - 1),"
            " transitive(end(r + 1) - 1, on(r, 0), on(r, i - 1), on(r, i))",
            induction="i",
        ),
        Lemma(
            "closes",
            "r",
            "0 <= r < n",
            "cycles(end(r + 1)) == cycles(end(r + 1) - 1) + 1",
            by="calls_end(r), adds(r), closed_walk(r), walked(r, steps(r)),"
            " symmetric(end(r + 1) - 1, on(r, 0), on(r, steps(r))), one_more_edge(end(r + 1) - 1),"
            " cycles_is(end(r + 1)), cycles_is(end(r + 1) - 1)",
        ),
        Lemma(
            "never_fewer",
            "j, k",
            "0 <= j <= k",
            "cycles(j) <= cycles(k)",
            by="one_more_edge(k - 1), cycles_is(k), cycles_is(k - 1), never_fewer(j, k - 1)",
            induction="k",
        ),
        Lemma(
            "one_each",
            "r",
            "0 <= r <= n",
            "cycles(end(r)) >= r",
            by="first_call(), empty(), cycles_is(0), calls_end(r - 1), adds(r - 1), closes(r - 1),"
            " never_fewer(end(r - 1), end(r) - 1), one_each(r - 1)",
            induction="r",
        ),
        # In the end all |S||A| transitions of the |S| states are known, and all is connected.
        Assume(
            "all_known", "", "", "edges(end(n)) == S * A, states(end(n)) == S, parts(end(n)) == 1"
        ),
        Lemma(
            "S_C08",
            "",
            "",
            "n <= S * (A - 1) + 1",
            by="first_call(), one_each(n), cycles_is(end(n)), all_known()",
        ),
    ),
)
