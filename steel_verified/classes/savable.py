"""The part of a class of classifiers that can be saved: all but the user's own functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from steel_verified.classes.boxes import Boxes
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components, Tables
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.saving import SavedClassifiers
from steel_verified.classes.thresholds import Thresholds
from steel_verified.classes.witnessed import Witnessed
from steel_verified.evidence.oracle import Searched

if TYPE_CHECKING:
    from steel_verified.classes.saved_classes import SavedClass


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
