"""A verdict decides nothing before it is certified."""

from steel_verified.evidence.sealed import Observed


def period(verdict: Observed[bool], hypothesis: int) -> int:
    if verdict:  # expect: truthy-bool, Observed
        return hypothesis
    return 1


def same(one: Observed[int], other: Observed[int]) -> object:
    return one == other  # expect: operator, Observed


def counted(labels: Observed[tuple[int, ...]]) -> int:
    return len(labels)  # expect: arg-type, expected "Sized"


def listed(labels: Observed[tuple[int, ...]]) -> object:
    return [label for label in labels]  # expect: attr-defined, "__iter__"


def peek(verdict: Observed[int]) -> object:
    return verdict.value  # expect: attr-defined, no attribute "value"
