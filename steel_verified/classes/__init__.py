"""Classes of classifiers, each with an oracle that searches it; `__all__` has the public names."""

import typing

from steel_verified.lazy_names import lazy_names

if typing.TYPE_CHECKING:
    from steel_verified.classes.conjunctions import Conjunctions
    from steel_verified.classes.features import (
        Featured,
        Monomials,
        OneOf,
        Ranges,
        ShortConjunctions,
    )
    from steel_verified.classes.finite import Components, predicates, tables
    from steel_verified.classes.fitted import Fitted
    from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
    from steel_verified.classes.intervals import Boxes, Thresholds
    from steel_verified.classes.rows import Integers
    from steel_verified.evidence.oracle import Class, Searched

__all__ = [
    "Boxes",
    "Class",
    "Components",
    "Conjunctions",
    "Featured",
    "Fitted",
    "HalfSpaces",
    "Integers",
    "Monomials",
    "OneOf",
    "Ranges",
    "Searched",
    "ShortConjunctions",
    "Thresholds",
    "Witnessed",
    "predicates",
    "tables",
]

if not typing.TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
