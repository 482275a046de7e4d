"""The counterexample beside `totals.toml`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from proofs_checks.small_cases.worlds import parameters
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import Extent


def closed_form_outgrows_the_terms() -> bool:
    """|S| = 1, D = 0: the closed form over the four printed terms, as N grows a hundredfold."""
    half = Fraction(1, 2)
    ratios = []
    for most in (10**2, 10**4, 10**6):
        given = parameters(
            most, 1, max_diameter=0, actions=1, class_size=2, delta=half, epsilon=half
        )
        # The first and the third term are 0; δ = 1/2 and |F| = 2.
        printed = (arb(most) * 4).log() + 2 * arb(4).log()
        ratios.append(total_bound(given, Extent(1, 0)) / printed)
    return all(later > 50 * earlier for earlier, later in pairwise(ratios))
