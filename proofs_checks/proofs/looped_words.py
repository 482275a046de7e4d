"""A word that is looped: its states end in a cycle, and residues tell which are the same.

States are numbered from 0 to S − 1 and s(i) is the state after i steps. Along a phase m, every L-th
state: s(m), s(m + L), … The first repetition among these gives n_trn(m) and n_cyc(m).
"""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import Apply, Assume, Least, Lemma, Let, Theory
from proofs_checks.proofs.injections import INJECTIONS
from proofs_checks.proofs.residues import RESIDUES

_LOOPING: Final = (
    Assume("sizes", "", "", "1 <= S <= N, L >= 1"),
    Assume("numbered", "i", "i >= 0", "0 <= s(i) < S"),
    Assume("moves", "i", "i >= 0", "s(i + 1) == T(s(i), w(i % L))"),
    *RESIDUES,
    Lemma(
        "same_letters",
        "i, k",
        "i >= 0, k >= 0",
        "s(i + k * L + 1) == T(s(i + k * L), w(i % L))",
        by="sizes(), product(k, L), moves(i + k * L), rest_of_sum(i, k, L)",
    ),
    Lemma(
        "follow",
        "m, j, k, d",
        "m >= 0, j >= 0, k >= 0, d >= 0, s(m + j * L) == s(m + k * L)",
        "s(m + j * L + d) == s(m + k * L + d)",
        by="same_letters(m + d - 1, j), same_letters(m + d - 1, k), follow(m, j, k, d - 1)",
        induction="d",
    ),
    Lemma(
        "A07",
        "m, j, k, d",
        "m >= 0, j >= 0, k >= 0, d >= 0, s(m + j * L) == s(m + k * L)",
        "s(m + (j + d) * L) == s(m + (k + d) * L)",
        by="sizes(), follow(m, j, k, d * L), product(d, L)",
    ),
    Least("first(m, k)", "m >= 0, k >= 0", "i", "s(m + i * L) == s(m + k * L)", "k"),
    Least("turn(m)", "m >= 0", "k", "first(m, k) < k or k > S", "S + 1", by="sizes()"),
    Lemma(
        "distinct",
        "m, i, j",
        "m >= 0, 0 <= i < j < turn(m)",
        "s(m + i * L) != s(m + j * L)",
        by="turn_least(m, j), first_least(m, j, i)",
    ),
    Apply(
        "few",
        "m",
        "m >= 0",
        INJECTIONS,
        "pigeonhole",
        "p := turn(m); q := S; X(u) := 1; Y(u) := 1; f(u) := s(m + u * L); A(k) := k; B(k) := k",
        (
            ("sizes", "sizes(), turn_holds(m)"),
            ("into", "sizes(), numbered(m + u * L), product(u, L)"),
            ("injective", "distinct(m, u, v)"),
        ),
    ),
    Let("n_trn(m)", "first(m, turn(m))"),
    Let("n_cyc(m)", "turn(m) - first(m, turn(m))"),
    Lemma(
        "A09",
        "m",
        "m >= 0",
        "n_trn(m) >= 0, n_cyc(m) >= 1, n_trn(m) + n_cyc(m) <= S, n_trn(m) + n_cyc(m) <= N",
        by="sizes(), few(m), turn_holds(m), first_holds(m, turn(m)), n_trn_is(m), n_cyc_is(m)",
    ),
    Lemma(
        "A09_different",
        "m, i, j",
        "m >= 0, 0 <= i < j < n_trn(m) + n_cyc(m)",
        "s(m + i * L) != s(m + j * L)",
        by="distinct(m, i, j), n_trn_is(m), n_cyc_is(m)",
    ),
    Lemma(
        "repeats",
        "m",
        "m >= 0",
        "s(m + n_trn(m) * L) == s(m + (n_trn(m) + n_cyc(m)) * L)",
        by="few(m), n_trn_is(m), n_cyc_is(m), turn_holds(m), first_holds(m, turn(m)),"
        " product(n_trn(m) + n_cyc(m) - turn(m), L)",
    ),
    Lemma(
        "A10",
        "m, i",
        "m >= 0, i >= n_trn(m) * L",
        "s(m + i) == s(m + i + n_cyc(m) * L)",
        by="sizes(), A09(m), repeats(m),"
        " follow(m, n_trn(m), n_trn(m) + n_cyc(m), i - n_trn(m) * L)",
    ),
    Lemma(
        "many_rounds",
        "m, i, d",
        "m >= 0, i >= n_trn(m) * L, d >= 0",
        "s(m + i + d * n_cyc(m) * L) == s(m + i)",
        by="sizes(), A09(m), many_rounds(m, i, d - 1), A10(m, i + (d - 1) * n_cyc(m) * L),"
        " product(n_cyc(m), L), product(d - 1, n_cyc(m) * L)",
        induction="d",
    ),
    Lemma(
        "in_the_cycle",
        "m, i",
        "m >= 0, i >= n_trn(m)",
        "s(m + i * L) == s(m + (n_trn(m) + (i - n_trn(m)) % n_cyc(m)) * L),"
        " 0 <= (i - n_trn(m)) % n_cyc(m) < n_cyc(m)",
        by="sizes(), A09(m), division(i - n_trn(m), n_cyc(m)), product(n_cyc(m), -((i - n_trn(m))"
        " // n_cyc(m)) - 1), product((i - n_trn(m)) % n_cyc(m), L), product(n_trn(m) + n_cyc(m) *"
        " ((i - n_trn(m)) // n_cyc(m)) + (i - n_trn(m)) % n_cyc(m) - i, L), many_rounds(m,"
        " (n_trn(m) + (i - n_trn(m)) % n_cyc(m)) * L, (i - n_trn(m)) // n_cyc(m))",
    ),
    Lemma(
        "equal_states",
        "m, i, j",
        "m >= 0, 0 <= i < j, s(m + i * L) == s(m + j * L)",
        "i >= n_trn(m), (i - n_trn(m)) % n_cyc(m) == (j - n_trn(m)) % n_cyc(m)",
        by="A09(m), in_the_cycle(m, i), in_the_cycle(m, j), A09_different(m, i, j),"
        " A09_different(m, i, n_trn(m) + (j - n_trn(m)) % n_cyc(m)), A09_different(m, n_trn(m) +"
        " (i - n_trn(m)) % n_cyc(m), n_trn(m) + (j - n_trn(m)) % n_cyc(m)), A09_different(m,"
        " n_trn(m) + (j - n_trn(m)) % n_cyc(m), n_trn(m) + (i - n_trn(m)) % n_cyc(m))",
    ),
    Lemma(
        "least_period",
        "m, i, e",
        "m >= 0, i >= 0, e >= 1, s(m + i * L) == s(m + (i + e) * L)",
        "n_cyc(m) <= e",
        by="A09(m), equal_states(m, i, i + e),"
        " same_rest(i + e - n_trn(m), i - n_trn(m), n_cyc(m)),"
        " product(n_cyc(m), (i - n_trn(m)) // n_cyc(m) - (i + e - n_trn(m)) // n_cyc(m)),"
        " product(n_cyc(m), (i + e - n_trn(m)) // n_cyc(m) - (i - n_trn(m)) // n_cyc(m) - 1)",
    ),
    Lemma(
        "one_period",
        "m",
        "m >= 0",
        "n_cyc(m) == n_cyc(0)",
        by="sizes(), A09(0), A09(m), product(N - n_trn(0), L), product(N - n_trn(m), L),"
        " product(m, L - 1), A10(0, m + N * L), least_period(m, N, n_cyc(0)), A10(m, (m + N) * L -"
        " m), least_period(0, m + N, n_cyc(m))",
    ),
    Lemma(
        "equal_rests",
        "m, i, j",
        "m >= 0, i >= n_trn(m), j >= i, i % n_cyc(m) == j % n_cyc(m)",
        "s(m + i * L) == s(m + j * L)",
        by="sizes(), A09(m), same_rest(j, i, n_cyc(m)),"
        " product(n_cyc(m), i // n_cyc(m) - j // n_cyc(m) - 1),"
        " product(j - i - n_cyc(m) * (j // n_cyc(m) - i // n_cyc(m)), L), product(i - n_trn(m), L),"
        " many_rounds(m, i * L, j // n_cyc(m) - i // n_cyc(m))",
    ),
    Lemma(
        "A12_ordered",
        "o, i, j",
        "o >= (N - 1) * L, 0 <= i < j",
        "iff(s(o + i * L) == s(o + j * L), i % n_cyc(0) == j % n_cyc(0))",
        by="sizes(), A09(o - (N - 1) * L), one_period(o - (N - 1) * L),"
        " equal_states(o - (N - 1) * L, i + N - 1, j + N - 1),"
        " shifted_rests(i, j, N - 1 - n_trn(o - (N - 1) * L), n_cyc(o - (N - 1) * L)),"
        " shifted_rests(i + N - 1, j + N - 1, 1 - N, n_cyc(o - (N - 1) * L)),"
        " equal_rests(o - (N - 1) * L, i + N - 1, j + N - 1)",
    ),
    Lemma(
        "A12",
        "o, i, j",
        "o >= (N - 1) * L, i >= 0, j >= 0",
        "iff(s(o + i * L) == s(o + j * L), i % n_cyc(0) == j % n_cyc(0))",
        by="A12_ordered(o, i, j), A12_ordered(o, j, i)",
    ),
    Lemma(
        "M06",
        "i",
        "i >= S * L",
        "1 <= n_cyc(0) <= S, s(i + n_cyc(0) * L) == s(i)",
        by="sizes(), A09(0), product(S - n_trn(0), L), A10(0, i)",
    ),
    Lemma(
        "S_M06",
        "i",
        "i >= (S - n_cyc(0)) * L",
        "S - n_cyc(0) <= S - 1, s(i + n_cyc(0) * L) == s(i)",
        by="sizes(), A09(0), product(S - n_cyc(0) - n_trn(0), L), A10(0, i)",
    ),
    Lemma(
        "M19",
        "o, i, j",
        "o >= (N - 1) * L, 0 <= i < j < n_cyc(0)",
        "s(o + i * L) != s(o + j * L)",
        by="A12(o, i, j), rest_is_small(i, n_cyc(0)), rest_is_small(j, n_cyc(0))",
    ),
    Lemma(
        "A16_ones",
        "o, q, i",
        "o >= (N - 1) * L, q >= 0, i >= 0",
        "s(o + (2 * q * n_cyc(0) + n_cyc(0)) * i * L) == s(o)",
        by="A09(0), product(q, n_cyc(0)), product(2 * q * n_cyc(0) + n_cyc(0), i),"
        " A12(o, (2 * q * n_cyc(0) + n_cyc(0)) * i, 0), rest_of_sum(0, (2 * q + 1) * i, n_cyc(0))",
    ),
    Lemma(
        "A16_zeros",
        "o, q, i, j",
        "o >= (N - 1) * L, q >= 0, i >= 0, 1 <= j < n_cyc(0)",
        "s(o + (q * n_cyc(0) + (2 * q * n_cyc(0) + n_cyc(0)) * i + j) * L) != s(o)",
        by="A09(0), product(q, n_cyc(0)), product(2 * q * n_cyc(0) + n_cyc(0), i),"
        " A12(o, q * n_cyc(0) + (2 * q * n_cyc(0) + n_cyc(0)) * i + j, 0),"
        " rest_of_sum(j, q + (2 * q + 1) * i, n_cyc(0)),"
        " rest_is_small(j, n_cyc(0)), rest_is_small(0, n_cyc(0))",
    ),
    # For a period n to test, r is q · n, and j' is the row of D_0 that shows the states of D_1.
    Let("row(r)", "(-r - 1) % n_cyc(0) + 1"),
    Lemma(
        "A18_state",
        "o, n, q, i",
        "o >= (N - 1) * L, n_cyc(0) < n, q >= 0, i >= 0",
        "1 <= row(q * n) < n,"
        " s(o + (q * n + (2 * q * n + n) * i + row(q * n)) * L) == s(o + (2 * q * n + n) * i * L)",
        by="A09(0), row_is(q * n), division(-q * n - 1, n_cyc(0)),"
        " product(q, n), product(2 * q * n + n, i),"
        " A12(o, q * n + (2 * q * n + n) * i + row(q * n), (2 * q * n + n) * i),"
        " rest_of_sum((2 * q * n + n) * i, -((-q * n - 1) // n_cyc(0)), n_cyc(0))",
    ),
    Lemma(
        "positive_period",
        "",
        "",
        "n_cyc(0) * L >= 1",
        by="sizes(), A09(0), product(n_cyc(0) - 1, L)",
    ),
    Lemma(
        "B05_ordered",
        "i, j",
        "(N - n_cyc(0)) * L <= j <= i, i % (n_cyc(0) * L) == j % (n_cyc(0) * L)",
        "s(i) == s(j)",
        by="sizes(), A09(0), positive_period(), same_rest(i, j, n_cyc(0) * L),"
        " product(N - n_cyc(0) - n_trn(0), L),"
        " product(n_cyc(0) * L, j // (n_cyc(0) * L) - i // (n_cyc(0) * L) - 1),"
        " many_rounds(0, j, i // (n_cyc(0) * L) - j // (n_cyc(0) * L))",
    ),
    Lemma(
        "B05",
        "i, j",
        "i >= (N - n_cyc(0)) * L, j >= (N - n_cyc(0)) * L, i % (n_cyc(0) * L) == j % (n_cyc(0) *"
        " L)",
        "s(i) == s(j)",
        by="B05_ordered(i, j), B05_ordered(j, i)",
    ),
    # Position i of the cycle is seen at the times z + (i − z) % period + k · period.
    Lemma(
        "in_position",
        "z, i, k",
        "",
        "(z + (i - z) % (n_cyc(0) * L) + k * n_cyc(0) * L) % (n_cyc(0) * L) == i % (n_cyc(0) * L),"
        " (i - z) % (n_cyc(0) * L) >= 0",
        by="positive_period(), division(i - z, n_cyc(0) * L),"
        " rest_of_sum(i, k - (i - z) // (n_cyc(0) * L), n_cyc(0) * L)",
    ),
    Lemma(
        "B07_state",
        "z, y, i, q, k, l",
        "z >= (N - 1) * L, y >= (N - 1) * L, q >= 0, k >= 0, l >= 0",
        "s(z + (i - z) % (n_cyc(0) * L) + k * q * n_cyc(0) * L)"
        " == s(y + (i - y) % (n_cyc(0) * L) + l * q * n_cyc(0) * L)",
        by="sizes(), A09(0), positive_period(), in_position(z, i, k * q), in_position(y, i, l * q),"
        " product(n_cyc(0) - 1, L), product(k, q), product(l, q),"
        " product(k * q, n_cyc(0) * L), product(l * q, n_cyc(0) * L),"
        " B05(z + (i - z) % (n_cyc(0) * L) + k * q * n_cyc(0) * L,"
        " y + (i - y) % (n_cyc(0) * L) + l * q * n_cyc(0) * L)",
    ),
    Let("s_cyc(z, i)", "s(z + (i - z) % (n_cyc(0) * L))"),
    Lemma(
        "B20",
        "z, c",
        "z >= (N - 1) * L, c >= (N - 1) * L",
        "s(c) == s_cyc(z, c % (n_cyc(0) * L))",
        by="sizes(), A09(0), positive_period(), product(n_cyc(0) - 1, L), division(c, n_cyc(0) *"
        " L), rest_is_small(c % (n_cyc(0) * L), n_cyc(0) * L), s_cyc_is(z, c % (n_cyc(0) * L)),"
        " in_position(z, c % (n_cyc(0) * L), 0), B05(c, z + (c % (n_cyc(0) * L) - z) % (n_cyc(0) *"
        " L))",
    ),
    Lemma(
        "P12",
        "z, i",
        "z >= (N - 1) * L, 0 <= i < n_cyc(0) * L",
        "T(s_cyc(z, i), w(i % L)) == s_cyc(z, (i + 1) % (n_cyc(0) * L))",
        by="sizes(), A09(0), product(N - 1, L), in_position(z, i, 0), s_cyc_is(z, i),"
        " moves(z + (i - z) % (n_cyc(0) * L)),"
        " rest_of_rest(z + (i - z) % (n_cyc(0) * L), n_cyc(0), L), rest_of_rest(i, n_cyc(0), L),"
        " same_rest(z + (i - z) % (n_cyc(0) * L), i, n_cyc(0) * L), positive_period(),"
        " rest_of_sum(i + 1, (z + (i - z) % (n_cyc(0) * L)) // (n_cyc(0) * L)"
        " - i // (n_cyc(0) * L), n_cyc(0) * L),"
        " B20(z, z + (i - z) % (n_cyc(0) * L) + 1)",
    ),
    Lemma(
        "A02",
        "z, i",
        "z >= (N - 1) * L, 0 <= i < n_cyc(0) * L",
        "1 <= n_cyc(0) <= S, S <= N,"
        " T(s_cyc(z, i), w(i % L)) == s_cyc(z, (i + 1) % (n_cyc(0) * L))",
        by="sizes(), A09(0), P12(z, i)",
    ),
)

LOOPED_WORDS: Final = Theory("Looped words", "S, N, L, T(u, b), w(i), s(i)", _LOOPING)
