"""Classifiers with their class as JSON documents, which can be read again.

Integers are written as JSON integers. Floats are written as the shortest text that gives the same
number. The weights of half-spaces may be very long and are written in base 16.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np

from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components, Tables, tables
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, LiftedPoints, Witnessed
from steel_verified.classes.intervals import Box, Boxes, Extremes, Threshold, Thresholds
from steel_verified.classes.rows import FLOAT64, Cloud, Domain, Floats, Integers, Numbers
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Format, opened, sealed
from steel_verified.evidence.oracle import Searched

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.rows import Bits
    from steel_verified.evidence.codec import Json


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


SavedClassifier: TypeAlias = int | Conjunction | Threshold | Box | HalfSpace

CLASSIFIERS: Final = Format("steel-classifiers", 1)
REMEDY: Final = "Write it again"


@dataclass(frozen=True, slots=True)
class SavedClassifiers:
    """Some classifiers of one class. Raises `InvalidArgument` if one is not in the class."""

    functions: SavedClass
    classifiers: tuple[SavedClassifier, ...]

    def __post_init__(self) -> None:
        for classifier in self.classifiers:
            if not _belongs(self.functions, classifier):
                expected = f"classifiers of {self.functions}"
                raise InvalidArgument("classifiers", classifier, expected)

    def values(self, classifier: SavedClassifier, batch: Bits) -> NDArray[np.bool_]:
        """Return the classifier's value on each observation."""
        return _values(self.functions, classifier, batch)


def classifiers_as_bytes(saved: SavedClassifiers) -> bytes:
    """Return the class and its classifiers as a document."""
    return sealed({**CLASSIFIERS.header, **classifiers_as_json(saved)})


def classifiers_of(data: bytes, name: str) -> SavedClassifiers:
    """Return the classifiers in a document; raise `Unreadable`. `name` is the file name."""
    content = opened(data, CLASSIFIERS, name)
    if content.keys() != {"class", "classifiers"}:
        found = f"has the fields {', '.join(sorted(content))[:200]}, not class and classifiers"
        raise Unreadable(name, "", found, REMEDY)
    return classifiers_from_json(content["class"], content["classifiers"], name)


def classifiers_as_json(saved: SavedClassifiers) -> dict[str, Json]:
    """Return the fields `class` and `classifiers` of a document."""
    functions: Json = msgspec.to_builtins(json_of_class(saved.functions))
    width = saved.functions.declared.width
    written = tuple(json_of_classifier(each, width) for each in saved.classifiers)
    classifiers: Json = msgspec.to_builtins(written)
    return {"class": functions, "classifiers": classifiers}


def classifiers_from_json(functions: Json, classifiers: Json, name: str) -> SavedClassifiers:
    """Return the classifiers in these two fields; raise `Unreadable` if they are invalid."""
    try:
        kind = class_of_json(msgspec.convert(functions, ClassJson, strict=True))
        return SavedClassifiers(kind, _classifiers_of(kind, classifiers))
    except msgspec.ValidationError as error:
        found = f"does not contain classifiers of a class ({error})"
        raise Unreadable(name, "", found, REMEDY) from None
    except InvalidArgument as error:
        found = f"has something else than {error.expected}"
        raise Unreadable(name, error.argument, found, REMEDY) from None


# --- which classifiers belong to which class ------------------------------------------------------


def _belongs(functions: SavedClass, classifier: SavedClassifier) -> bool:
    match functions, classifier:
        case ((Components() | Tables()), int()):
            return functions.contains(classifier)
        case Conjunctions(), Conjunction():
            return functions.contains(classifier)
        case Thresholds(), Threshold():
            return functions.contains(classifier)
        case Boxes(), Box():
            return functions.contains(classifier)
        case HalfSpaces(), HalfSpace():
            return functions.contains(classifier)
        case Featured(oracle=(Thresholds() | Boxes() | HalfSpaces()) as on), _:
            return _belongs(on, classifier)
    return False


def _values(functions: SavedClass, classifier: SavedClassifier, batch: Bits) -> NDArray[np.bool_]:
    match functions, classifier, batch:
        case Components(), int(), _:
            return functions.values(classifier, batch)
        case Tables(), int(), np.ndarray():
            return functions.values(classifier, batch)
        case Conjunctions(), Conjunction(), _:
            return functions.values(classifier, batch)
        case Thresholds(), Threshold(), np.ndarray():
            return functions.values(classifier, batch)
        case Boxes(), Box(), np.ndarray():
            return functions.values(classifier, batch)
        case HalfSpaces(), HalfSpace(), np.ndarray():
            return functions.values(classifier, batch)
        case Featured(oracle=(Thresholds() | Boxes() | HalfSpaces()) as on), _, np.ndarray():
            return _values(on, classifier, functions.function(batch))
    expected = f"a classifier of {functions}, and observations that it has values on"
    raise InvalidArgument("classifier", classifier, expected)


# --- classifiers as JSON --------------------------------------------------------------------------

NumberJson: TypeAlias = int | str
"""An integer as a JSON integer, a float as text."""
WeightJson: TypeAlias = Annotated[str, msgspec.Meta(pattern="^-?0x[0-9a-f]+$")]
LiteralsJson: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[-01x]+$")]
"""For each bit: 1 if it is needed, 0 if it is barred, - if it is ignored, x if it is both."""


class ThresholdJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    feature: int
    sign: Literal[">=", "<="]
    bound: NumberJson


class BoxJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    least: tuple[NumberJson, ...]
    greatest: tuple[NumberJson, ...]


class HalfSpaceJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    weights: tuple[WeightJson, ...]
    bias: WeightJson


def json_of_classifier(
    classifier: SavedClassifier, width: int
) -> int | LiteralsJson | ThresholdJson | BoxJson | HalfSpaceJson:
    """Return the JSON of a classifier, for a class whose rows have `width` entries."""
    match classifier:
        case Threshold():
            return ThresholdJson(
                classifier.feature, classifier.sign, _number_json(classifier.bound)
            )
        case Box():
            return BoxJson(
                tuple(map(_number_json, classifier.least)),
                tuple(map(_number_json, classifier.greatest)),
            )
        case HalfSpace():
            return HalfSpaceJson(tuple(map(hex, classifier.weights)), hex(classifier.bias))
        case Conjunction():
            letters = {(0, 0): "-", (1, 0): "1", (0, 1): "0", (1, 1): "x"}
            return "".join(
                letters[classifier.needed >> i & 1, classifier.barred >> i & 1]
                for i in range(width)
            )
        case int():
            return classifier


def _classifiers_of(functions: SavedClass, found: Json) -> tuple[SavedClassifier, ...]:
    """Return the classifiers in this JSON; the caller checks that they belong to the class."""
    match functions:
        case Components() | Tables():
            return msgspec.convert(found, tuple[int, ...], strict=True)
        case Conjunctions():
            texts = msgspec.convert(found, tuple[LiteralsJson, ...], strict=True)
            return tuple(_conjunction_of(text, functions.features) for text in texts)
        case Thresholds():
            return tuple(
                Threshold(each.feature, each.sign, _number_of(each.bound))
                for each in msgspec.convert(found, tuple[ThresholdJson, ...], strict=True)
            )
        case Boxes():
            return tuple(
                Box(tuple(map(_number_of, each.least)), tuple(map(_number_of, each.greatest)))
                for each in msgspec.convert(found, tuple[BoxJson, ...], strict=True)
            )
        case HalfSpaces():
            return tuple(
                HalfSpace(tuple(map(_weight_of, each.weights)), _weight_of(each.bias))
                for each in msgspec.convert(found, tuple[HalfSpaceJson, ...], strict=True)
            )
        case Featured(oracle=(Thresholds() | Boxes() | HalfSpaces()) as on):
            return _classifiers_of(on, found)
    raise InvalidArgument("class", type(functions).__name__, "a class that can be saved")


def _conjunction_of(text: str, width: int) -> Conjunction:
    if len(text) != width:
        raise InvalidArgument("classifiers", text[:40], f"a character for each of {width} bits")
    return Conjunction(
        needed=sum(1 << i for i, letter in enumerate(text) if letter in "1x"),
        barred=sum(1 << i for i, letter in enumerate(text) if letter in "0x"),
    )


def _number_json(number: float) -> NumberJson:
    return number if isinstance(number, int) else repr(number)


def _number_of(found: NumberJson) -> float:
    """Return the number; a float must be written exactly as Python writes it."""
    if isinstance(found, int):
        return found
    try:
        number = float(found)
    except ValueError:
        number = None
    if number is None or repr(number) != found:
        raise InvalidArgument("classifiers", found[:40], "floats as Python writes them")
    return number


def _weight_of(found: WeightJson) -> int:
    weight = int(found, 16)
    if hex(weight) != found:
        raise InvalidArgument(
            "classifiers", found[:40], "integers in base 16 without leading zeros"
        )
    return weight


class Savable(NamedTuple):
    """The class that is saved, or None; and whether it reads features of the observations."""

    functions: SavedClass | None
    on_features: bool = False


def savable(functions: object) -> Savable:
    """Return the part of a class that can be saved. The search for classifiers is not saved."""
    match functions:
        case Witnessed() | Searched() | SavedClassifiers():
            return savable(functions.functions)
        case Components() | Tables() | Conjunctions() | Thresholds() | Boxes() | HalfSpaces():
            return Savable(functions)
        case Featured(function=Monomials() as monomials, oracle=oracle):
            match savable(oracle).functions:
                case Thresholds() as on:
                    return Savable(Featured(monomials, on))
                case Boxes() as on:
                    return Savable(Featured(monomials, on))
                case HalfSpaces() as on:
                    return Savable(Featured(monomials, on))
            return Savable(savable(oracle).functions, on_features=True)
        case Featured(oracle=oracle):
            return Savable(savable(oracle).functions, on_features=True)
    return Savable(None)
