"""Checks beside `located.toml`: a noise of two states that needs the checks, and one direction."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.checks.finite import equal, exhausted, ordered

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence

_HALF: Final = Fraction(1, 2)
_NEAR: Final = Fraction(1, 4)
"""η for j = 1"""


def _bounds(checks: int) -> Fraction:
    """b_n + η·a_n for ε = 1/2 and j = 1."""
    a = b = Fraction(1)
    for _ in range(checks):
        a, b = min(a, _NEAR * a + b), min(b, _HALF * b + _HALF * _NEAR * a)
    return b + _NEAR * a


def _chance(checks: int) -> Fraction:
    """How likely `checks` checks pass in the noise that stays with chance 3/4, from its good state.

    Its law is (1/2, 1/2), and 1/4 away after one step: t_mix is 1. A check passes in the good state
    alone, so that the label errs with chance 1/2. The pass before the checks is one step.
    """
    return Fraction(3, 4) ** checks


def within_share(fewer: int) -> Evidence:
    """Check that the chain keeps the share for which the recursion asks for 10 checks."""
    share = (_bounds(10) + _chance(9)) / 2
    needed = next(n for n in range(100) if _bounds(n) <= share)
    return ordered(_chance(needed - fewer), share)


def decays_by(rate: Fraction) -> Evidence:
    """Check that the chance to pass 60 checks is below 7/6 of that for 30, times rate^30."""
    return ordered(_chance(60), _chance(30) * rate**30 * Fraction(7, 6))


def unseparated_states_are_shared(on_label: int) -> Evidence:
    """Check that a label shares its state with other data if no classifier tells them apart.

    Classifiers are one against the rest. One tells a label from the other data if it is `on_label`
    on the label and the other value on all other data.
    """

    def shared(case: tuple[int, ...]) -> bool:
        label, *others = case
        is_apart = any(
            (label == state) == on_label and all((each == state) != on_label for each in others)
            for state in range(3)
        )
        return is_apart or label in others

    cases = [case for size in (2, 3, 4) for case in product(range(3), repeat=size)]
    return exhausted(cases, shared, "three states, data of up to 3 others")


def only_classifiers_err_half(several: int = 0) -> Evidence:
    """Check an encoder of classifiers that alone fit their label: exact, or one errs half the time.

    Two labels have data from three observations, which show one or two states; the class is any
    set of functions that has those of the states. `several`: the first of all that fit will do.
    """
    functions = list(product(range(2), repeat=3))

    def is_far(case: tuple[tuple[int, ...], int, tuple[int, int], tuple[int, ...]]) -> bool:
        shown, chosen, (one, other), law = case
        states = sorted(set(shown))
        true = [tuple(int(s == state) for s in shown) for state in states]
        members = [f for number, f in enumerate(functions) if chosen >> number & 1]
        if not all(f in members for f in true):
            return True
        data = one, other
        fits = [
            [f for f in members if f[data[label]] and not f[data[1 - label]]] for label in range(2)
        ]
        if not all(fits) or (not several and any(len(found) > 1 for found in fits)):
            return True
        encoded = [0 if fits[0][0][x] or not fits[1][0][x] else 1 for x in range(3)]
        errors = []
        for label in range(2):
            of_state = [x for x in range(3) if shown[x] == shown[data[label]]]
            wrong = sum(law[x] for x in of_state if encoded[x] != label)
            errors.append(Fraction(wrong, sum(law[x] for x in of_state)))
        distinct = shown[one] != shown[other]
        return max(errors) >= _HALF or (distinct and max(errors) == 0)

    cases = product(
        ((0, 0, 0), (0, 0, 1), (0, 1, 1)),
        range(1 << 8),
        ((one, other) for one, other in product(range(3), repeat=2) if one != other),
        ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (1, 3, 1)),
    )
    return exhausted(cases, is_far, "two labels, three observations, all classes, five laws")


def checks_at_half(share: Fraction, checks: int) -> Evidence:
    """Check how many checks keep a share of δ at ε = 1/2 and j = 1, and that one fewer does not."""
    least = next(n for n in range(100) if _bounds(n) <= share)
    return equal(least, checks)
