"""Only kernels issue evidence; a check calls a kernel and returns what it is given."""

from proofs_checks.kernels.evidence import Evidence, Strength


def check() -> Evidence:
    return Evidence(Strength.PROVED, "believe me")  # expect: arg-type


def stronger(found: Evidence) -> None:
    found.strength = Strength.PROVED  # expect: misc
