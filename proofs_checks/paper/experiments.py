"""Checks beside `experiments.toml`: two flickering bits, and locks."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from sympy import Matrix, Symbol

from proofs_checks.checks.algebra import identity
from proofs_checks.checks.finite import exhausted
from steel_verified.errors import InvalidArgument
from steel_verified.worlds.dynamics import Dynamics

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence
    from steel_verified.worlds.dynamics import Table


def two_bits_have_full_rank(power: int) -> Evidence:
    """Check det P = (1 − u − v)^power for two independent bits that turn on and off."""
    u, v = Symbol("u"), Symbol("v")
    bit, pairs = ((1 - u, u), (v, 1 - v)), tuple(product(range(2), repeat=2))
    both = [[bit[b][d] * bit[c][e] for d, e in pairs] for b, c in pairs]
    return identity(Matrix(both).det(), (1 - u - v) ** power)


def lock_is_a_world(modulus: int | None = None) -> Evidence:
    """Check that T(i, a*_i) = i + 1 mod K (or another modulus) makes a world with D = K − 1."""

    def holds(right: tuple[int, ...]) -> bool:
        try:
            return Dynamics(_lock(right, modulus or len(right))).diameter == len(right) - 1
        except InvalidArgument:
            return False

    locks = (right for states in range(1, 9) for right in product((0, 1), repeat=states))
    return exhausted(locks, holds, "K ≤ 8, all sequences of right actions")


def last_state_leads_outside() -> bool:
    """Check that T(19, a*_19) = 19 + 1 is not a state of the lock with K = 20."""
    return _lock((0,) * 20, modulus=21)[19][0] not in range(20)


def _lock(right: tuple[int, ...], modulus: int) -> Table:
    """The lock with these right actions: T(i, a*_i) = i + 1 mod `modulus`, and 0 otherwise."""
    return tuple(
        tuple((state + 1) % modulus if action == a else 0 for action in (0, 1))
        for state, a in enumerate(right)
    )
