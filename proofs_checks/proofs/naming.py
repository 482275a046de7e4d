"""Which dataset shows which state: right verdicts give every state one name, and T' is T."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Lemma,
    Let,
    Recursion,
    Theory,
)
from proofs_checks.proofs.exploring import CONNECTED
from proofs_checks.proofs.injections import INJECTIONS
from proofs_checks.proofs.looped_words import LOOPED_WORDS

NAMING: Final = Theory(
    "Names",
    f"{LOOPED_WORDS.symbols}, begin, names(i), name(u), label(i), next(u, b)",
    (
        *LOOPED_WORDS.steps,
        # Before position i is named there are names(i) names; name(u) is the true state of name u.
        Assume("settled", "", "", "begin >= (N - 1) * L"),
        Assume("before", "", "", "names(0) >= 0"),
        Assume("earlier", "u, v", "0 <= u < v < names(0)", "name(u) != name(v)"),
        # Right verdicts: position i gets the name of its state, or a new name if none has it.
        Assume(
            "verdicts",
            "i, u",
            "0 <= i < n_cyc(0) * L",
            "name(label(i)) == s_cyc(begin, i),"
            " (names(i + 1) == names(i) and 0 <= label(i) < names(i))"
            " or (names(i + 1) == names(i) + 1 and label(i) == names(i)"
            " and implies(0 <= u < names(i), name(u) != s_cyc(begin, i)))",
        ),
        Assume(
            "written",
            "i",
            "0 <= i < n_cyc(0) * L",
            "next(label(i), w(i % L)) == label((i + 1) % (n_cyc(0) * L))",
        ),
        Lemma(
            "more",
            "i",
            "0 <= i <= n_cyc(0) * L",
            "names(i) >= names(0)",
            by="verdicts(i - 1, 0), more(i - 1)",
            induction="i",
        ),
        Lemma(
            "one_name",
            "i, u, v",
            "0 <= i <= n_cyc(0) * L, 0 <= u < v < names(i)",
            "name(u) != name(v)",
            by="earlier(u, v), verdicts(i - 1, u), one_name(i - 1, u, v)",
            induction="i",
        ),
        Lemma(
            "true_transitions",
            "i",
            "0 <= i < n_cyc(0) * L",
            "name(next(label(i), w(i % L))) == T(name(label(i)), w(i % L))",
            by="settled(), written(i), P12(begin, i), verdicts(i, 0), positive_period(),"
            " division(i + 1, n_cyc(0) * L), verdicts((i + 1) % (n_cyc(0) * L), 0)",
        ),
        Lemma(
            "where_it_is",
            "c",
            "c >= (N - 1) * L",
            "name(label(c % (n_cyc(0) * L))) == s(c)",
            by="settled(), B20(begin, c), positive_period(), division(c, n_cyc(0) * L),"
            " verdicts(c % (n_cyc(0) * L), 0)",
        ),
    ),
)
"""One call of CycleFind keeps the inductive assumptions of the Proposition."""

COMPLETE: Final = Theory(
    "The end of phase 1",
    "S, M, A, D, T(u, b), dist(u, v), act(i, u, v), name(u), next(u, b)",
    (
        Assume("sizes", "", "", "1 <= M"),
        *CONNECTED,
        Assume("named", "u", "0 <= u < M", "0 <= name(u) < S"),
        Assume("one_name", "u, v", "0 <= u < v < M", "name(u) != name(v)"),
        Assume(
            "total",
            "u, b",
            "0 <= u < M, 0 <= b < A",
            "0 <= next(u, b) < M, name(next(u, b)) == T(name(u), b)",
        ),
        Recursion("found(i, v)", "0", "next(found(i, v), act(i, name(0), v))"),
        Lemma(
            "followed",
            "i, v",
            "0 <= v < S, 0 <= i <= dist(name(0), v)",
            "0 <= found(i, v) < M, name(found(i, v)) == at(i, name(0), v)",
            by="sizes(), named(0), found_start(v), at_start(name(0), v), found_next(i - 1, v),"
            " at_next(i - 1, name(0), v), actions(i - 1, name(0), v),"
            " total(found(i - 1, v), act(i - 1, name(0), v)), followed(i - 1, v)",
            induction="i",
        ),
        Lemma(
            "every_state",
            "v",
            "0 <= v < S",
            "0 <= found(dist(name(0), v), v) < M, name(found(dist(name(0), v), v)) == v",
            by="sizes(), named(0), connected(name(0), v), followed(dist(name(0), v), v)",
        ),
        Apply(
            "no_fewer",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := S; q := M; X(u) := 1; Y(u) := 1; f(u) := found(dist(name(0), u), u);"
            " A(k) := k; B(k) := k",
            (
                ("sizes", "sizes(), named(0)"),
                ("into", "every_state(u)"),
                ("injective", "every_state(u), every_state(v)"),
            ),
        ),
        Apply(
            "no_more",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := M; q := S; X(u) := 1; Y(u) := 1; f(u) := name(u); A(k) := k; B(k) := k",
            (
                ("sizes", "sizes(), named(0)"),
                ("into", "named(u)"),
                ("injective", "one_name(u, v)"),
            ),
        ),
        Lemma(
            "C09",
            "v",
            "0 <= v < S",
            "M == S, name(found(dist(name(0), v), v)) == v",
            by="no_fewer(), no_more(), every_state(v)",
        ),
    ),
)

COMPARING: Final = Theory(
    "Comparing positions",
    "S, known, L, fresh(i), cost(i)",
    (
        # fresh(i) is 1 if position i shows a new state; it is then compared with all, else at most.
        Assume("sizes", "", "", "known >= 0"),
        Recursion("new(i)", "0", "new(i) + fresh(i)"),
        Recursion("tests(i)", "0", "tests(i) + cost(i)"),
        Assume(
            "compared",
            "i",
            "0 <= i < L",
            "(fresh(i) == 1 and cost(i) == known + new(i)) or (fresh(i) == 0 and cost(i) <= S)",
        ),
        # Twice the bound for v new states among i positions.
        Let("bound(i, v)", "2 * (i - v) * S + 2 * v * known + v * (v - 1)"),
        Lemma(
            "B18_count",
            "i",
            "0 <= i <= L",
            "2 * tests(i) <= bound(i, new(i))",
            by="new_start(), tests_start(), bound_is(0, 0), new_next(i - 1), tests_next(i - 1),"
            " compared(i - 1), bound_is(i - 1, new(i - 1)), bound_is(i, new(i - 1)),"
            " bound_is(i, new(i - 1) + 1), B18_count(i - 1)",
            induction="i",
        ),
    ),
)
