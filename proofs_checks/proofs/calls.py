"""Phase 1: every call of CycleFind learns something, so there are not many."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import Apply, Assume, Lemma, Let, Recursion, Theory
from proofs_checks.proofs.exploring import PART
from proofs_checks.proofs.injections import GROWING
from proofs_checks.proofs.looped_words import LOOPED_WORDS

NEWS: Final = Theory(
    "What a call learns",
    f"{LOOPED_WORDS.symbols}, M, known(u, b), leave(u)",
    (
        *LOOPED_WORDS.steps,
        PART,
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
