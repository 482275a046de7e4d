"""Classes of classifiers as JSON, which can be read again.

A class that contains Python functions (predicates, features other than monomials, learners without
proof) cannot be saved.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from steel_verified.classes.boxes import Box, Boxes
from steel_verified.classes.clouds import Cloud
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components, Tables, tables
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, LiftedPoints
from steel_verified.classes.numbers import FLOAT64, Domain, Floats, Integers, Numbers
from steel_verified.classes.thresholds import Extremes, Threshold, Thresholds
from steel_verified.errors import InvalidArgument

OnMonomials: TypeAlias = (
    Featured[Numbers, Numbers, Extremes, Threshold]
    | Featured[Numbers, Numbers, Cloud, Box]
    | Featured[Numbers, Numbers, LiftedPoints, HalfSpace]
)
SavedClass: TypeAlias = (
    Components | Tables | Conjunctions | Thresholds | Boxes | HalfSpaces | OnMonomials
)
"""The classes that can be saved; the only features among them are those of `Monomials`."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
DomainJson: TypeAlias = Literal["float64"] | tuple[int, int]
"""All finite float64 numbers, or the smallest and the largest integer."""


class _Json(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class ComponentsJson(_Json, frozen=True, tag_field="name", tag="components"):
    size: Count


class TablesJson(_Json, frozen=True, tag_field="name", tag="tables"):
    rows: tuple[Annotated[str, msgspec.Meta(pattern="^[01]+$")], ...]
    """The values of each classifier on all observations."""


class ConjunctionsJson(_Json, frozen=True, tag_field="name", tag="conjunctions"):
    features: Count


class _OnNumbers(_Json, frozen=True):
    features: Count
    domain: DomainJson


class ThresholdsJson(_OnNumbers, frozen=True, tag_field="name", tag="thresholds"):
    pass


class BoxesJson(_OnNumbers, frozen=True, tag_field="name", tag="boxes"):
    pass


class HalfSpacesJson(_OnNumbers, frozen=True, tag_field="name", tag="half-spaces"):
    pass


class MonomialsJson(_Json, frozen=True, tag_field="name", tag="on monomials"):
    features: Count
    degree: Count
    on: ThresholdsJson | BoxesJson | HalfSpacesJson


ClassJson: TypeAlias = (
    ComponentsJson
    | TablesJson
    | ConjunctionsJson
    | ThresholdsJson
    | BoxesJson
    | HalfSpacesJson
    | MonomialsJson
)


def json_of_class(functions: SavedClass) -> ClassJson:
    """Return the JSON of a class; raise `InvalidArgument` for one that contains functions."""
    match functions:
        case Components():
            return ComponentsJson(functions.class_size)
        case Tables():
            bits = [
                "".join(str(column >> f & 1) for column in functions.columns)
                for f in range(functions.class_size)
            ]
            return TablesJson(tuple(bits))
        case Conjunctions():
            return ConjunctionsJson(functions.features)
        case Featured(function=Monomials() as monomials, oracle=on):
            if isinstance(on, Thresholds | Boxes | HalfSpaces):
                return MonomialsJson(monomials.features, monomials.degree, _numbers_json(on))
        case Thresholds() | Boxes() | HalfSpaces():
            return _numbers_json(functions)
    expected = "a class that is given by its sizes, not one that contains functions"
    raise InvalidArgument("functions", type(functions).__name__, expected)


def _numbers_json(
    functions: Thresholds | Boxes | HalfSpaces,
) -> ThresholdsJson | BoxesJson | HalfSpacesJson:
    match functions:
        case Thresholds():
            return ThresholdsJson(functions.features, _domain_json(functions.domain))
        case Boxes():
            return BoxesJson(functions.features, _domain_json(functions.domain))
        case HalfSpaces():
            return HalfSpacesJson(functions.features, _domain_json(functions.domain))


def _domain_json(domain: Domain) -> DomainJson:
    return "float64" if isinstance(domain, Floats) else (domain.lowest, domain.highest)


def class_of_json(found: ClassJson) -> SavedClass:
    """Return the class from its JSON; raise `InvalidArgument` for impossible sizes."""
    match found:
        case ComponentsJson():
            return Components(found.size)
        case TablesJson():
            return tables([[bit == "1" for bit in row] for row in found.rows])
        case ConjunctionsJson():
            return Conjunctions(found.features)
        case ThresholdsJson():
            return Thresholds(found.features, _domain_of(found.domain))
        case BoxesJson():
            return Boxes(found.features, _domain_of(found.domain))
        case HalfSpacesJson():
            return HalfSpaces(found.features, _domain_of(found.domain))
        case MonomialsJson():
            monomials, domain = Monomials(found.features, found.degree), _domain_of(found.on.domain)
            if found.on.features != monomials.size:
                expected = f"{monomials.size}, the number of monomials"
                raise InvalidArgument("features", found.on.features, expected)
            match found.on:
                case ThresholdsJson():
                    return Featured(monomials, Thresholds(monomials.size, domain))
                case BoxesJson():
                    return Featured(monomials, Boxes(monomials.size, domain))
                case HalfSpacesJson():
                    return Featured(monomials, HalfSpaces(monomials.size, domain))


def _domain_of(found: DomainJson) -> Domain:
    return FLOAT64 if found == "float64" else Integers(*found)
