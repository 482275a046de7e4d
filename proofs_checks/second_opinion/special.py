"""What only some proofs about sums ask for, beside the chain, its kernels and the classifier."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.second_opinion.drawing import distance
from proofs_checks.second_opinion.evaluating import exponential
from proofs_checks.second_opinion.scenes import (
    HALF,
    NONE,
    ROOTS,
    matrix,
    number,
    sequence,
    vector,
    with_root,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from proofs_checks.second_opinion.evaluating import Values
    from proofs_checks.second_opinion.scenes import Scene

_SMALL_MISS: Final = Fraction(11, 25)
"""Where Lemma 2 goes from one argument to another"""


def _distance(scene: Scene) -> Values:
    """A kernel that may be far from the law, and how far it is."""
    rows = scene.draws.kernel_near(scene.chain, Fraction(2))
    return {"M": matrix(rows), "r": number(distance(rows, scene.law) + scene.slack("r"))}


def _event(scene: Scene) -> Values:
    """The event on which a signed measure is positive."""
    measure = scene.draws.balanced(scene.size)
    return {"d": vector(measure), "h": vector([Fraction(each > 0) for each in measure])}


def _not_yet(scene: Scene) -> Values:
    """A kernel that may be far from the law, and how much farther than ½ its first row is."""
    rows = scene.draws.kernel_near(scene.chain, Fraction(2))
    away = [chance - p for chance, p in zip(rows[0], scene.law, strict=True)]
    return {
        "K": matrix(rows),
        "h": vector([Fraction(each > 0) for each in away]),
        "s": number(sum(map(abs, away), NONE) - HALF - scene.slack("s")),
    }


def _below_matrix(scene: Scene) -> Values:
    """Two sequences that are at most what the matrix gives."""
    miss = scene.share("ε")

    @cache
    def pair(j: int) -> tuple[Fraction, Fraction]:
        if j == 0:
            return scene.signed("a"), scene.signed("b")
        a, b = pair(j - 1)
        after = (1 - miss) * a + b / 2, miss * a / 2 + b / 2
        return after[0] - scene.slack("a", j), after[1] - scene.slack("b", j)

    return {
        "a": sequence(lambda j: pair(j)[0]),
        "b": sequence(lambda j: pair(j)[1]),
        "ε": number(miss),
    }


def _many_miss(scene: Scene) -> Values:
    """A large ε, and chances that fall by 5/4 − ε or more after the first."""
    miss = _SMALL_MISS + (1 - _SMALL_MISS) * scene.share("ε")

    @cache
    def chance(j: int) -> Fraction:
        if j < 2:
            return scene.share("a", j)
        return min(Fraction(1), (Fraction(5, 4) - miss) * chance(j - 1)) * scene.share("less", j)

    return {"a": sequence(chance), "ε": number(miss)}


def _stated_miss(scene: Scene) -> Values:
    """What is below 8·exp(−ε·j/3), and an η below ε."""
    miss = scene.share("ε")
    return {
        "a": sequence(lambda j: 8 * exponential(-miss * j / 3).low - scene.slack("a", j)),
        "ε": number(miss),
        "η": number(miss - scene.slack("η")),
    }


def _eigenvector(scene: Scene) -> Values:
    """λ and c as in Lemma 2 for a small ε, and sequences that shrink as they say."""
    miss, root = Fraction(1), NONE
    while miss > _SMALL_MISS:
        miss, root = with_root(scene.draws, *ROOTS[scene.name])
    eigenvalue = (Fraction(3, 2) - miss + root) / 2
    c = 1 / (2 * eigenvalue - 1)

    @cache
    def pair(j: int) -> tuple[Fraction, Fraction]:
        if j == 0:
            return Fraction(1), 2 * scene.share("b")
        a, b = pair(j - 1)
        both = (1 - miss + c * miss / 2) * a + (1 + c) / 2 * b
        part, kept = scene.share("part", j), scene.share("both", j)
        return part * kept * both, (1 - part) * kept * both / c

    return {
        "a": sequence(lambda j: pair(j)[0]),
        "b": sequence(lambda j: pair(j)[1]),
        "ε": number(miss),
        "λ": number(eigenvalue),
        "c": number(c),
    }


def _conditionals(scene: Scene) -> Values:
    @cache
    def chance(j: int) -> Fraction:
        return scene.share("c", j - 1) * chance(j - 1) if j else scene.share("a")

    return {"a": sequence(chance), "c": sequence(lambda j: scene.share("c", j))}


def _observed(scene: Scene) -> Values:
    return {"Q": matrix([scene.draws.law(2) for _ in range(scene.size)])}


def _two_parts(scene: Scene) -> Values:
    draws, size = scene.draws, scene.size
    return {
        "A": vector(draws.signs(size)),
        "B": vector(draws.law(size)),
        "C": vector(draws.law(2)),
        "D": vector(draws.signs(2)),
    }


def _copies(scene: Scene) -> Values:
    each = scene.share("d") / 4  # there are at most 2 copies

    @cache
    def norm(j: int) -> Fraction:
        return norm(j - 1) + each - scene.slack("N", j) if j else NONE

    return {"N": sequence(norm), "d": number(each)}


def _halving(scene: Scene) -> Values:
    near = scene.near(HALF)
    return {"E": lambda at: near(at) - scene.law[at[1]]}


def _apart(scene: Scene) -> Values:
    """Kernels that are within 2η of the law in norm."""
    return {"K": scene.near(2 * scene.distance), "η": number(scene.distance)}


def _two_labels(scene: Scene) -> Values:
    """Two labels of one state."""
    other = scene.share("other")
    worse = min(other, 1 - other) - scene.slack("worse")
    return {"other": number(other), "worse": number(worse), "ε": number(scene.share("ε") / 2)}


SPECIAL: Final[Mapping[str, Callable[[Scene], Values]]] = {
    "mixing.distance_never_grows": _distance,
    "measures.event_attains_half": _event,
    "lemma1.before_the_mixing_time": _not_yet,
    "closing.powers_of_the_matrix": _below_matrix,
    "closing.many_miss": _many_miss,
    "closing.with_the_stated_miss": _stated_miss,
    "eigenvector.by_the_eigenvector": _eigenvector,
    "events.product_of_conditionals": _conditionals,
    "observations.pairs_mix_as_states_do": _observed,
    "products.distances_add": _two_parts,
    "products.copies_mix": _copies,
    "bets.distance_halves": _halving,
    "bets.next_symbol": _apart,
    "checking.one_of_two_is_bad": _two_labels,
}
"""By the name of the proof"""
