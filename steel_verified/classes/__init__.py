"""Classes of classifiers, each with the oracle that searches it: the names listed are public."""

from steel_verified.classes.boxes import Boxes
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components, predicates, tables
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.numbers import Integers
from steel_verified.classes.searching import Fitted
from steel_verified.classes.thresholds import Thresholds
from steel_verified.classes.witnessed import Witnessed
from steel_verified.evidence.oracle import Oracle, Searched

__all__ = [
    "Boxes",
    "Components",
    "Conjunctions",
    "Featured",
    "Fitted",
    "HalfSpaces",
    "Integers",
    "Monomials",
    "Oracle",
    "Searched",
    "Thresholds",
    "Witnessed",
    "predicates",
    "tables",
]
