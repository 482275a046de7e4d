"""Remainders of a division, for the theories that need them."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import Lemma

RESIDUES: Final = (
    Lemma(
        "rest_of_sum",
        "x, k, c",
        "c >= 1",
        "(x + k * c) % c == x % c",
        by="division(x, c), division(x + k * c, c), product(c, k + x // c - (x + k * c) // c),"
        " product(c, k + x // c - (x + k * c) // c - 1),"
        " product(c, (x + k * c) // c - k - x // c - 1)",
    ),
    Lemma(
        "rest_is_small",
        "x, c",
        "0 <= x < c",
        "x % c == x",
        by="division(x, c), product(c, x // c), product(c, x // c - 1), product(c, -(x // c) - 1)",
    ),
    Lemma(
        "same_rest",
        "x, y, c",
        "c >= 1, x % c == y % c",
        "x - y == c * (x // c - y // c)",
        by="division(x, c), division(y, c)",
    ),
    Lemma(
        "rest_of_rest",
        "x, k, c",
        "k >= 1, c >= 1",
        "(x % (k * c)) % c == x % c",
        by="product(k - 1, c), division(x, k * c), rest_of_sum(x, -k * (x // (k * c)), c)",
    ),
    Lemma(
        "shifted_rests",
        "x, y, d, c",
        "c >= 1, (x + d) % c == (y + d) % c",
        "x % c == y % c",
        by="same_rest(x + d, y + d, c), rest_of_sum(y, (x + d) // c - (y + d) // c, c)",
    ),
)
