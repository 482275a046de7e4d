"""A test of counts against a law whose chance of a false alarm is known, not approximated."""

from math import log


def too_far(counted: list[int], law: list[float], alarm: float) -> bool:
    """Whether counts are too far from a law, by Chernoff's bound for each outcome.

    If the law is right and the draws independent, this is true with chance at most `alarm`.
    """
    n = sum(counted)
    limit = log(2 * len(law) / alarm)
    for count, p in zip(counted, law, strict=True):
        q = count / n
        parts = ((q, p), (1 - q, 1 - p))
        if any(a > 0 and b <= 0 for a, b in parts):
            return True
        if n * sum(a * log(a / b) for a, b in parts if a > 0) > limit:
            return True
    return False
