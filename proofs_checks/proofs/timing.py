"""When the samples of a period test are taken: within the rollout, and after it has settled."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import Assume, Least, Lemma, Let, Theory

TIMING: Final = Theory(
    "Times of a period test",
    "N, L, t, n, c_init, settled",
    (
        # n is the period n' to test, and settled is max((N − 1)|â|, t̂_mix).
        Assume("sizes", "", "", "L >= 1, t >= 1, 2 <= n <= N"),
        Assume("late", "", "", "settled >= (N - 1) * L, settled >= t"),
        Least(
            "q",
            "",
            "g",
            "g * n * L >= t",
            "t",
            by="sizes(), product(n - 1, L), product(t, n * L - 1)",
        ),
        Let("r", "q * n"),
        Let("k", "(c_init + r * L - settled) // (2 * r * L + n * L)"),
        Lemma(
            "positive",
            "",
            "",
            "r * L >= t, n * L >= L, q >= 0",
            by="sizes(), q_holds(), r_is(), product(n - 1, L), product(r - q * n, L)",
        ),
        Lemma(
            "repetitions",
            "i",
            "0 <= i < k",
            "(2 * r * L + n * L) * i >= 0,"
            " (2 * r * L + n * L) * (i + 1) <= c_init + r * L - settled",
            by="sizes(), positive(), k_is(), product(2 * r * L + n * L, k - 1 - i),"
            " product(2 * r * L + n * L, i),"
            " product(2 * r * L + n * L, k - (c_init + r * L - settled) // (2 * r * L + n * L)),"
            " division(c_init + r * L - settled, 2 * r * L + n * L)",
        ),
        Lemma(
            "A05_ones",
            "i",
            "0 <= i < k",
            "t <= settled + (2 * r + n) * i * L <= c_init - L",
            by="sizes(), late(), positive(), repetitions(i)",
        ),
        Lemma(
            "A05_zeros",
            "i, j",
            "0 <= i < k, 1 <= j < n",
            "t <= settled + (r + (2 * r + n) * i + j) * L <= c_init - L",
            by="sizes(), late(), positive(), repetitions(i), product(j, L), product(n - 1 - j, L)",
        ),
    ),
)
