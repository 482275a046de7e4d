"""Statements about finitely many cases: all up to a size, generated ones, or random ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Case = TypeVar("Case")


def exhausted(cases: Iterable[Case], holds: Callable[[Case], bool], size: str) -> Evidence:
    """Show that something holds in every case; `size` says what "every" means."""
    return Evidence(Strength.EXHAUSTED, f"all {_count(cases, holds):,} cases: {size}")


def exact(cases: Iterable[Case], holds: Callable[[Case], bool], kind: str) -> Evidence:
    """Show that something holds, in exact arithmetic, in each of these cases."""
    return Evidence(Strength.EXACT, f"{_count(cases, holds):,} cases, exactly: {kind}")


def sampled(cases: Iterable[Case], holds: Callable[[Case], bool], kind: str) -> Evidence:
    """Show that something random came out so in each of these cases, which proves nothing."""
    return Evidence(Strength.SAMPLED, f"{_count(cases, holds):,} cases, by chance: {kind}")


def assumed() -> Evidence:
    """A hypothesis: nothing to check."""
    return Evidence(Strength.ASSUMED, "a hypothesis")


def equal(found: object, stated: object) -> Evidence:
    """Show that a number that was computed exactly is the one stated."""
    if found != stated:
        raise NotEarned(f"{found}, not {stated}")
    return Evidence(Strength.PROVED, f"computed exactly: {found}")


def _count(cases: Iterable[Case], holds: Callable[[Case], bool]) -> int:
    count = 0
    for case in cases:
        if not holds(case):
            raise NotEarned(f"fails for {case}")
        count += 1
    if not count:
        raise NotEarned("there are no cases")
    return count
