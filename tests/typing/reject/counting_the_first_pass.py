"""Whether a pass failed is known once it was checked; what a pass showed cannot be looked at."""

from steel_verified.evidence.sealed import Loop, Sample


def first_pass_is_enough(loop: Loop[bytes]) -> bool:
    return all(loop.trajectory)  # expect: arg-type, expected "Iterable[object]"


def agrees(seen: Sample, most: int) -> bool:
    return seen.summary <= most  # expect: operator, Observed
