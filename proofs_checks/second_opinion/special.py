"""What only some proofs about sums ask for, beside the chain, its kernels and the classifier."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.second_opinion.drawing import distance, mean
from proofs_checks.second_opinion.evaluating import exponential
from proofs_checks.second_opinion.scenes import (
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


def _apart(scene: Scene) -> Values:
    """Kernels that are within 2η of the law in norm."""
    return {"H": scene.near(2 * scene.distance), "η": number(scene.distance)}


def _slipping(scene: Scene) -> Values:
    """Two pasts that lead to each other: without slips, and with slips that replace a part."""
    usual = [scene.at("K", c).law(2) for c in range(2)]
    rate = scene.share("p")
    slips = [[rate * x for x in scene.at("M", c).law(2)] for c in range(2)]
    slipping = [
        [(1 - rate) * x + y for x, y in zip(usual[c], slips[c], strict=True)] for c in range(2)
    ]
    return {
        "K": matrix(usual),
        "M": matrix(slips),
        "Q": matrix(slipping),
        "p": number(rate),
        "wrong": vector(scene.at("wrong").shares(2)),
    }


def _walking_score(scene: Scene) -> Values:
    """Two pasts that stay as they are, by attempts of which a share of θ is bad."""
    bad = (1 + scene.share("θ")) / 5
    up, down = (1 - bad) / bad, bad / (1 - bad)
    leads = [scene.at("L", c).law(2) for c in range(2)]
    grown = [scene.share("G", c) + Fraction(1, 2) for c in range(2)]
    grown[1] = min(max(grown[1], down * grown[0]), grown[0] / down)
    grown = [max(grown)] * 2 if scene.at("same").r.randrange(2) else grown
    # At least as bad as the next score needs it; that must not be more than θ on average.
    least = [
        [max(NONE, (grown[d] / grown[c] - down) / (up - down)) for d in range(2)] for c in range(2)
    ]
    leads = [
        row if mean(row, tuple(least[c])) <= bad else tuple(Fraction(d == c) for d in range(2))
        for c, row in enumerate(leads)
    ]
    return {
        "L": matrix(leads),
        "bad": matrix(least),
        "G": vector(grown),
        "θ": number(bad),
        "up": number(up),
        "down": number(down),
        "done": vector([min(Fraction(1), each) * scene.share("done") for each in grown]),
    }


def _candidates(scene: Scene) -> Values:
    """Shares of a whole, candidates that win less, and all of them together."""

    def rest(j: int) -> Fraction:
        return Fraction(1, j + 1)

    def wins(j: int) -> Fraction:
        return rest(j) - rest(j + 1) - scene.slack("wins", j)

    @cache
    def together(j: int) -> Fraction:
        return together(j - 1) + wins(j - 1) - scene.slack("all", j) if j else NONE

    return {
        "δ": number(Fraction(1)),
        "rest": sequence(rest),
        "share": sequence(lambda j: rest(j) - rest(j + 1)),
        "wins": sequence(wins),
        "all": sequence(together),
    }


def _fewer_checks(scene: Scene) -> Values:
    """A recursion of a validation, in which a falls as it may."""
    near, miss = scene.share("η"), scene.share("ε") / 2

    @cache
    def falling(j: int) -> Fraction:
        return falling(j - 1) * scene.share("a", j) if j else Fraction(1)

    return {
        "η": number(near),
        "ε": number(miss),
        "μ": sequence(lambda j: scene.share("μ", j)),
        "a": sequence(falling),
    }


SPECIAL: Final[Mapping[str, Callable[[Scene], Values]]] = {
    "mixing.distance_never_grows": _distance,
    "measures.event_attains_half": _event,
    "closing.powers_of_the_matrix": _below_matrix,
    "closing.many_miss": _many_miss,
    "closing.with_the_stated_miss": _stated_miss,
    "eigenvector.by_the_eigenvector": _eigenvector,
    "events.product_of_conditionals": _conditionals,
    "observations.pairs_mix_as_states_do": _observed,
    "products.distances_add": _two_parts,
    "products.copies_mix": _copies,
    "bets.next_symbol": _apart,
    "slips.slips_are_rare": _slipping,
    "slips.wrong_candidates_lose": _walking_score,
    "slips.all_candidates": _candidates,
    "slips.one_check_less": _fewer_checks,
}
"""By the name of the proof"""
