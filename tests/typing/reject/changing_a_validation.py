"""The walk and the classifiers are fixed before the samples that judge them are taken."""

from steel_verified.evidence.oracle import Class
from steel_verified.evidence.sealed import Sample
from steel_verified.evidence.observed import one_against_all
from steel_verified.evidence.sealed import Validation


def train_on_what_judges(oracle: Class[str], fixed: Validation, seen: tuple[Sample, ...]) -> None:
    one_against_all(oracle, seen)  # expect: arg-type
    fixed.classifiers = (1, 0)  # expect: misc


def walk_elsewhere(fixed: Validation) -> None:
    fixed.walk = (1, 1)  # expect: misc
    fixed.at = 0  # expect: misc


def by_hand(fixed: Validation) -> object:
    walk, visits = fixed.walk, fixed.visits
    return Validation(0, fixed.ledger, walk, visits, 3, fixed.classifiers)  # expect: call-arg
