"""Random instances of each proof about sums, in which its hypotheses hold."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sympy import Rational, Symbol

from proofs_checks.second_opinion.evaluating import Instance
from proofs_checks.second_opinion.lines import equations
from proofs_checks.second_opinion.scenes import HALF, Scene, matrix, number, scene, table, vector
from proofs_checks.second_opinion.special import SPECIAL
from steel_verified.worlds.chains import mixing_time

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Proof
    from proofs_checks.second_opinion.evaluating import Function, Values


def drawn(name: str, proof: Proof, seed: int) -> Instance:
    """An instance of the proof of this name, by a seed."""
    parts = scene(name, seed)
    fixed = {"τ": mixing_time(parts.chain) - 1, "n": parts.draws.r.randrange(3), "e": 0}
    special = SPECIAL[name](parts) if name in SPECIAL else {}
    values = {**_shared(parts), **_with_meanings(proof, 1 - parts.passing), **special}
    sizes = {"state": parts.size, "observation": 2, "outcome": 3, "classifier": 2}
    instance = Instance(seed, sizes, values, fixed, equations(proof))
    if name == "samples.passing_and_arriving":
        return replace(instance, drawn={**values, "r": _conditional(instance)})
    return instance


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


def _conditional(instance: Instance) -> Function:
    """w(j, x)/a(j), and anything where a(j) is 0."""

    def value(j: int, x: int) -> Fraction:
        mass = instance.value("a", (j,))
        return instance.value("w", (j, x)) / mass if mass else Fraction(x)

    return table(value)
