"""Kernels accept only exact types: no subclass that overrides a method can enter.

A subclass of `str`, `int` or of a kernel's own class could return different values each time. So
each kernel first traverses its input and refuses any type that it does not list; numbers are `int`
and `Fraction`, never `float` or `bool`.
"""

from __future__ import annotations

import re
from dataclasses import fields
from fractions import Fraction
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.evidence import NotEarned

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME: Final = re.compile(r"[^\W\d]\w*['₊₋⁺⁻]*")
_LEAVES: Final = frozenset({str, int, bool, Fraction, NoneType})


def require_exact(
    value: object, classes: frozenset[type], apart: frozenset[type] = frozenset()
) -> list[object]:
    """Raise `NotEarned` unless the value is built of plain data and of these classes exactly.

    Plain data are `int`, `bool`, `Fraction`, `None`, `str` on one line, tuples and read-only
    mappings; the classes are dataclasses, whose fields are checked in the same way. Return the
    parts whose types are in `apart`; what is inside these parts is not checked.
    """
    seen, found = set[int](), list[object]()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if type(each) is str and not each.isprintable():
            raise NotEarned(f"expected text on one line, not {each!r}")
        if type(each) in _LEAVES or id(each) in seen:
            continue
        seen.add(
            id(each)
        )  # visited objects stay alive because `value` contains them, so their ids stay unique
        if type(each) in apart:
            found.append(each)
        else:
            waiting.extend(_parts(each, classes))
    return found


def _parts(value: object, classes: frozenset[type]) -> Iterator[object]:
    if type(value) is tuple:
        yield from value
    elif type(value) is MappingProxyType:
        for key, each in value.items():
            yield key
            yield each
    elif type(value) in classes:
        for field in fields(value):  # type: ignore[arg-type]  # all classes are dataclasses
            yield getattr(value, field.name)
    else:
        raise NotEarned(f"expected exact types only, not a {type(value).__name__}: {value!r}")


def is_name(text: object) -> bool:
    """Whether the text is a letter, then letters, digits, underscores, then primes or small signs.

    Such a name cannot be mistaken for a number, an application or a formula.
    """
    return type(text) is str and _NAME.fullmatch(text) is not None


def require_number(value: object) -> None:
    """Raise `NotEarned` unless the value is an `int` or a `Fraction`, not a subclass."""
    if type(value) not in {int, Fraction}:
        raise NotEarned(f"expected an int or a Fraction, not a {type(value).__name__}: {value!r}")
