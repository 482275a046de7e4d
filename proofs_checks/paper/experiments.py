"""Checks beside `experiments.toml`: two flickering bits, locks, the maze."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from sympy import Matrix, Symbol

from proofs_checks.kernels.finite import equal, exhausted, sampled
from proofs_checks.kernels.symbolic import identity
from proofs_checks.small_cases.worlds import parameters
from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model
from steel_verified.theory.recipe import paper
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.driver import learn
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.multi_maze import CELLS, maze

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence
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

    return _in_every_lock(holds)


def last_state_leads_outside() -> bool:
    """Check that T(19, a*_19) = 19 + 1 is not a state of the lock with K = 20."""
    return _lock((0,) * 20, modulus=21)[19][0] not in range(20)


def chance_of_opening(power: int) -> Evidence:
    """Check that a share 2^(power − K) of all words of K − 1 actions leads from 0 to K − 1."""

    def holds(right: tuple[int, ...]) -> bool:
        lock, last = Model(2, _lock(right, len(right))), len(right) - 1
        ends = [lock.walk(0, word) for word in product(range(2), repeat=last)]
        return Fraction(ends.count(last), len(ends)) == Fraction(2**power, 2 ** len(right))

    return _in_every_lock(holds)


def _lock(right: tuple[int, ...], modulus: int) -> Table:
    """The lock with these right actions: T(i, a*_i) = i + 1 mod `modulus`, and 0 otherwise."""
    return tuple(
        tuple((state + 1) % modulus if action == a else 0 for action in (0, 1))
        for state, a in enumerate(right)
    )


def _in_every_lock(holds: Callable[[tuple[int, ...]], bool]) -> Evidence:
    locks = (right for states in range(1, 9) for right in product((0, 1), repeat=states))
    return exhausted(locks, holds, "K ≤ 8, all sequences of right actions")


def lock_has_noise(more: int) -> Evidence:
    """Check that 512 − K + more components of the locks show no state."""
    found = []
    for states in (20, 30, 40):
        lock = combination_lock(0, states=states, components=512, least_noise=0.1)
        found.append(lock.components - len(set(lock.indicators)))
    return equal(found, [512 - states + more for states in (20, 30, 40)])


def maze_has_cells(cells: int) -> Evidence:
    """Check the number of cells, and of states of its (strongly connected) dynamics."""
    return equal((len(CELLS), maze().states), (cells, cells))


def steps_ignore_noise(more: int) -> Evidence:
    """Check that a small lock takes the predicted steps with each of 12 noise seeds."""
    lock = combination_lock(0, states=3, components=16, least_noise=0.1)
    given = parameters(
        4, lock.truth().mixing_time, class_size=16, delta=Fraction(1, 10**9), epsilon=Fraction(1, 2)
    )
    recipe = paper(given)
    first = lock.first_action
    predicted = ideal_run(lock.dynamics(), lock.start, recipe, first_action=first).ledger.steps

    def holds(seed: int) -> bool:
        learned = learn(lock.world(seed), lock.oracle(), recipe, first_action=first)
        return learned.ledger.steps == predicted + more

    return sampled(range(12), holds, "noise seeds; the chance of a false alarm is below 1.2·10⁻⁸")
