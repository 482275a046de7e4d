"""Evidence: what a kernel has shown, and with which strength. Only kernels can create it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Never, NoReturn


class Strength(IntEnum):
    """The strength of a check, strongest first."""

    PROVED = 0
    """A symbolic identity, a certificate for all integers or reals, or a proof that is replayed."""
    ENCLOSED = 1
    """Rigorous interval arithmetic over the whole range."""
    COMPUTED = 2
    """Arithmetic on the numbers of one instance, exactly."""
    EXHAUSTED = 3
    """All instances up to a stated size."""
    ARGUED = 4
    """Declared only: the parts that are replayed do not cover the whole sentence."""
    EXACT = 5
    """Rational arithmetic on generated instances."""


class NotEarned(Exception):
    """A check did not show its statement."""


@dataclass(frozen=True, slots=True, init=False)
class Evidence:
    """What a check has shown, and how. Only kernels can create it; nobody can change it."""

    strength: Strength
    how: str

    def __init__(self, *_args: Never, **_fields: Never) -> None:
        raise TypeError("only a kernel issues Evidence: call one of its functions")

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Evidence has no subclasses")

    def __reduce__(self) -> NoReturn:
        raise TypeError("Evidence is not copied or pickled: run the check again")

    def __getstate__(self) -> NoReturn:
        self.__reduce__()

    def __setstate__(self, state: object) -> NoReturn:
        self.__reduce__()


def issue(strength: Strength, how: str) -> Evidence:
    """Return evidence. Only modules of `proofs_checks.kernels` may import this function."""
    evidence = object.__new__(Evidence)
    object.__setattr__(evidence, "strength", strength)
    object.__setattr__(evidence, "how", how)
    return evidence


def all_of(*found: Evidence) -> Evidence:
    """Return evidence for all parts together, with the strength of the weakest part."""
    if not found:
        raise NotEarned("there are no parts")
    for part in found:
        if type(part) is not Evidence:
            raise NotEarned(f"expected evidence, not {part!r}")
    return issue(max(part.strength for part in found), "; ".join(part.how for part in found))
