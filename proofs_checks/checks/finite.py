"""Statements about finitely many cases: all up to a size, or generated ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from types import NoneType
from typing import TYPE_CHECKING, TypeVar

from proofs_checks.checks.evidence import Evidence, NotEarned, Strength, require_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Case = TypeVar("Case")


def exhausted(cases: Iterable[Case], holds: Callable[[Case], bool], size: str) -> Evidence:
    """Show that `holds` is true in every case; `size` describes the set of all cases."""
    return Evidence(Strength.EXHAUSTED, f"all {_count(cases, holds):,} cases: {size}")


def exact(cases: Iterable[Case], holds: Callable[[Case], bool], kind: str) -> Evidence:
    """Show that something holds, in exact arithmetic, in each of these cases."""
    return Evidence(Strength.EXACT, f"{_count(cases, holds):,} cases, exactly: {kind}")


def equal(found: object, stated: object) -> Evidence:
    """Show that an exactly computed value equals the stated value.

    Raise `NotEarned` for a `float`, and for anything but numbers and texts in tuples, lists, sets
    and dictionaries.
    """
    if _exact(found) != _exact(stated):
        raise NotEarned(f"{found}, not {stated}")
    return Evidence(Strength.COMPUTED, f"computed exactly: {found}")


def ordered(*numbers: Fraction | int) -> Evidence:
    """Show that these exact numbers are strictly increasing."""
    for each in numbers:
        require_number(each)
    if len(numbers) < 2 or not all(a < b for a, b in pairwise(numbers)):
        raise NotEarned(f"not strictly increasing: {', '.join(map(str, numbers))}")
    return Evidence(Strength.COMPUTED, " < ".join(map(str, numbers)))


def _exact(value: object) -> tuple[object, ...]:
    """Return the value with its type, so 1 differs from True; raise `NotEarned` if inexact."""
    if type(value) in {int, Fraction}:
        return ("number", value)
    if type(value) in {bool, str, NoneType}:
        return (type(value), value)
    if isinstance(value, tuple | list) and type(value) in {tuple, list}:
        return (type(value), *map(_exact, value))
    if isinstance(value, set | frozenset) and type(value) in {set, frozenset}:
        return ("set", frozenset(map(_exact, value)))
    if isinstance(value, dict) and type(value) is dict:
        return (dict, frozenset((_exact(key), _exact(each)) for key, each in value.items()))
    raise NotEarned(f"expected an exact value, not a {type(value).__name__}: {value!r}")


def _count(cases: Iterable[Case], holds: Callable[[Case], bool]) -> int:
    count = 0
    for case in cases:
        if holds(case) is not True:
            raise NotEarned(f"fails for {case}")
        count += 1
    if not count:
        raise NotEarned("there are no cases")
    return count
