"""Classes with their classifiers as JSON, which can be read again.

A class writes itself and its classifiers. A class that contains Python functions (predicates,
features other than monomials, learners without proof) cannot be written.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol

from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import (
    Featured,
    Monomials,
    OneOf,
    Range,
    Ranges,
    ShortConjunctions,
)
from steel_verified.classes.finite import Components, tables
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import FLOAT64, Domain, Integers, Numbers, number_of_json, shown
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.oracle import Class, Classifier, Savable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steel_verified.evidence.codec import Json

REMEDY = "Write it again"


class SavedClass(Savable, Class[Numbers], Protocol):
    """A class that writes itself and its classifiers."""


class SavedPart(NamedTuple):
    """What a file can hold of a class, as JSON, and whether it reads features of observations."""

    described: Json
    on_features: bool = False


def saved_part(functions: object) -> SavedPart:
    """Return what a file can hold of a class. The search for classifiers is not saved."""
    if not isinstance(functions, Savable):
        return SavedPart(None)
    if isinstance(functions, Featured) and functions.described is None:
        return SavedPart(saved_part(functions.functions).described, on_features=True)
    return SavedPart(functions.described)


def classifiers_from_json(
    functions: Json, classifiers: Sequence[Json], name: str
) -> tuple[SavedClass, tuple[Classifier, ...]]:
    """Return a class and some of its classifiers; raise `Unreadable`. `name` is the file name."""
    try:
        known = class_of_json(functions)
        found = tuple(map(known.read, classifiers))
        require_members(known, found)
    except InvalidArgument as error:
        said = f"has something else than {error.expected}"
        raise Unreadable(name, error.argument, said, REMEDY) from None
    return known, found


def require_members(functions: SavedClass, classifiers: Sequence[Classifier]) -> None:
    """Raise `InvalidArgument` for a classifier that is not in the class."""
    for classifier in classifiers:
        if not functions.contains(classifier):
            raise InvalidArgument("classifiers", classifier, f"classifiers of {functions}")


def class_of_json(found: Json) -> SavedClass:
    """Return the class that is described; raise `InvalidArgument` if there is none."""
    match found:
        case {"name": "components", "size": int(size), **rest} if not rest:
            return Components(size)
        case {"name": "tables", "rows": [*rows], **rest} if not rest:
            return tables([_bits(row) for row in rows])
        case {"name": "conjunctions", "features": int(features), **rest} if not rest:
            return Conjunctions(features)
        case {
            "name": "on monomials",
            "features": int(features),
            "degree": int(degree),
            "on": on,
            **rest,
        } if not rest:
            monomials, inner = Monomials(features, degree), _on_numbers(on)
            if inner.features != monomials.size:
                expected = f"{monomials.size}, the number of monomials"
                raise InvalidArgument("features", inner.features, expected)
            return Featured(monomials, inner)
        case {
            "name": "on ranges",
            "features": int(features),
            "ranges": [*listed],
            "on": {"name": "components" | "conjunctions"} as on,
            **rest,
        } if not rest:
            return _on_bits(Ranges(features, tuple(map(_range, listed))), on)
        case {
            "name": "on short conjunctions",
            "features": int(features),
            "literals": int(literals),
            "on": {"name": "components"} as on,
            **rest,
        } if not rest:
            return _on_bits(ShortConjunctions(features, literals), on)
        case {
            "name": "on rows",
            "features": int(features),
            "listed": [*listed],
            "on": {"name": "components"} as on,
            **rest,
        } if not rest:
            return _on_bits(OneOf(features, tuple(map(_row, listed))), on)
    return _on_numbers(found)


def _on_bits(function: Ranges | ShortConjunctions | OneOf, on: Json) -> SavedClass:
    bits = class_of_json(on)
    if bits.declared.width != function.size:
        expected = f"{function.size}, the number of computed bits"
        raise InvalidArgument("size", bits.declared.width, expected)
    return Featured(function, bits)


def _on_numbers(found: Json) -> Thresholds | Boxes | HalfSpaces:
    match found:
        case {"name": str(name), "features": int(features), "domain": domain, **rest} if not rest:
            for kind in (Thresholds, Boxes, HalfSpaces):
                if kind.name == name:
                    return kind(features, _domain(domain))
    raise InvalidArgument("class", shown(found), "the name and the sizes of a known class")


def _range(found: Json) -> Range:
    match found:
        case [int(feature), low, high]:
            least = -inf if low is None else number_of_json(low)
            return feature, least, inf if high is None else number_of_json(high)
    raise InvalidArgument("ranges", shown(found), "a feature and two bounds")


def _row(found: Json) -> tuple[float, ...]:
    if not isinstance(found, list):
        raise InvalidArgument("listed", shown(found), "rows of numbers")
    return tuple(map(number_of_json, found))


def _domain(found: Json) -> Domain:
    match found:
        case "float64":
            return FLOAT64
        case [int(lowest), int(highest)]:
            return Integers(lowest, highest)
    raise InvalidArgument("domain", shown(found), "float64, or the least and the greatest integer")


def _bits(found: Json) -> list[bool]:
    if not isinstance(found, str) or found.strip("01"):
        raise InvalidArgument("rows", shown(found), "texts of 0 and 1")
    return [letter == "1" for letter in found]
