"""A verdict decides nothing before it is certified."""

from steel_verified.evidence.sealed import Observed


def period(verdict: Observed[bool], hypothesis: int) -> int:
    if verdict:  # expect: truthy-bool
        return hypothesis
    return 1


def same(one: Observed[int], other: Observed[int]) -> object:
    return one == other  # expect: operator


def counted(labels: Observed[tuple[int, ...]]) -> int:
    return len(labels)  # expect: arg-type


def listed(labels: Observed[tuple[int, ...]]) -> object:
    return [label for label in labels]  # expect: attr-defined


def peek(verdict: Observed[int]) -> object:
    return verdict.value  # expect: attr-defined
