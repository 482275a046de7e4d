"""The walk and the classifiers are fixed before the samples that judge them are taken."""

from steel_verified.evidence.oracle import Class
from steel_verified.evidence.observed import one_against_all
from steel_verified.evidence.sealed import Sample, Validation


def train_on_what_judges(oracle: Class[str], fixed: Validation, seen: tuple[Sample, ...]) -> None:
    one_against_all(oracle, seen)  # expect: arg-type, expected "Sequence[Pool]"
    fixed.classifiers = (1, 0)  # expect: misc, "classifiers" defined in "Validation"


def walk_elsewhere(fixed: Validation) -> None:
    fixed.walk = (1, 1)  # expect: misc, "walk" defined in "Validation"
    fixed.at = 0  # expect: misc, "at" defined in "Validation"


def by_hand(fixed: Validation) -> object:
    walk, visits = fixed.walk, fixed.visits
    return Validation(  # expect: call-arg, argument "key"
        0, fixed.ledger, walk, visits, 3, fixed.classifiers
    )
