"""Random instances of each proof about sums, in which its hypotheses hold."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sympy import Rational, Symbol

from proofs_checks.second_opinion.dependent import DEPENDENT
from proofs_checks.second_opinion.evaluating import Instance
from proofs_checks.second_opinion.lines import equations
from proofs_checks.second_opinion.scenes import HALF, OUTCOMES, Scene, matrix, number, scene, vector
from proofs_checks.second_opinion.special import SPECIAL
from steel_verified.worlds.chains import mixing_time

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Proof
    from proofs_checks.second_opinion.evaluating import Values


def drawn(name: str, proof: Proof, seed: int) -> Instance:
    """An instance of the proof of this name, by a seed."""
    parts = scene(name, seed)
    fixed = {
        "τ": mixing_time(parts.chain) - 1,
        **{each: parts.draws.r.randrange(3) for each in ("n", "n'", "np", "nq", "S", "R", "many")},
        **{each: parts.draws.r.randrange(2) for each in ("times", "d")},
    }
    special = SPECIAL[name](parts) if name in SPECIAL else {}
    values = {**_shared(parts), **_with_meanings(proof, 1 - parts.passing), **special}
    seen = parts.at("seen").r.randint(1, fixed["n"]) if fixed["n"] else 0
    sizes = {**_SIZES, "state": parts.size, "seen": seen}
    instance = Instance(seed, sizes, values, fixed, _TESTS, equations(proof))
    if name in DEPENDENT:
        values |= DEPENDENT[name](parts, instance)
    return instance


_SIZES: Final = {
    "observation": 2,
    "outcome": OUTCOMES,
    "classifier": 2,
    "symbol": 2,
    "past": 2,
    "label": 2,
    "kind": 2,
    "bet": 2,
}
_TESTS: Final = {"pt": lambda at: 2 * at[0], "qt": lambda at: 2 * at[0] + 1}
"""No period test is a position test."""


def _shared(parts: Scene) -> Values:
    """What the names stand for in most proofs."""
    draws, size, miss = parts.draws, parts.size, 1 - parts.passing
    start, balanced = draws.law(size), draws.balanced(size)
    by_pair = vector(parts.classifier)
    return {
        "P": matrix(parts.chain.rows),
        "π": vector(parts.law),
        "K": parts.near(HALF),
        "M": parts.near(HALF),
        "g": lambda at: by_pair(at) if len(at) == 1 else parts.share("g", at),
        "h": vector(draws.shares(size)),
        "w": vector(start),
        "u": vector(start),
        "u₀": vector(start),
        "ε": number(miss),
        "η": number(draws.share() * miss),
        "a": number(draws.share()),
        "c": number(2 * draws.share()),
        "z": vector(balanced),
        "d": vector(balanced),
        "v": vector(draws.signs(size)),
    }


def _with_meanings(proof: Proof, miss: Fraction) -> Values:
    """The numbers that are formulas in ε; raises `ValueError` if one is not a fraction."""
    at = {Symbol("ε"): Rational(miss.numerator, miss.denominator)}
    return {
        name: number(Fraction(str(formula.subs(at)))) for name, formula in proof.meanings.items()
    }
