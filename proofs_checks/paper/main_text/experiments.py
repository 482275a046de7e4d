"""The section on simulations: sizes, chances and reported numbers (l. 273-282)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.finite import equal, exhausted, ordered, sampled
from proofs_checks.kernels.together import all_of
from proofs_checks.sections import EXPERIMENTS, LIMITATIONS
from proofs_checks.small_cases.worlds import parameters
from steel_verified.errors import InvalidArgument
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.driver import learn
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.multi_maze import CELLS, maze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.evidence import Evidence


def _locks() -> Iterator[tuple[int, ...]]:
    for states in range(1, 9):
        yield from product((0, 1), repeat=states)


def _lock_table(right: tuple[int, ...], *, modulo: bool) -> tuple[tuple[int, ...], ...]:
    states = len(right)
    onward = [(s + 1) % states if modulo else s + 1 for s in range(states)]
    return tuple(
        tuple(onward[s] if action == right[s] else 0 for action in (0, 1)) for s in range(states)
    )


def _lock_is_a_world(*, modulo: bool) -> Evidence:
    def holds(right: tuple[int, ...]) -> bool:
        try:
            world = Dynamics(_lock_table(right, modulo=modulo))
        except InvalidArgument:
            return False
        return world.diameter == len(right) - 1

    return exhausted(_locks(), holds, "K ≤ 8, all sequences of right actions")


def _last_state_leads_outside() -> bool:
    right = (0,) * 20
    return _lock_table(right, modulo=False)[19][0] not in range(20)


def _nearest_power(number: int, stated: int) -> Evidence:
    """10^(stated − 1/2) < number < 10^(stated + 1/2), decided on the squares."""
    return ordered(10 ** (2 * stated - 1), number**2, 10 ** (2 * stated + 1))


def _orders_smaller(orders: int) -> Evidence:
    """The printed mean for K = 40 (9.59·10⁶, ± 1.13·10⁶) against 2³⁹ and 2⁵¹²."""
    steps = 9_590_000 + 1_130_000
    return ordered(10**orders * steps, 2**39, 2**512)


def _chance_of_opening(length: int) -> Evidence:
    """Of all sequences of K − 1 actions, the one right sequence leads from 0 to K − 1."""

    def holds(right: tuple[int, ...]) -> bool:
        table = _lock_table(right, modulo=True)
        ways = Counter({0: 1})
        for _ in range(len(right) - 1):
            after: Counter[int] = Counter()
            for state, count in ways.items():
                for to in table[state]:
                    after[to] += count
            ways = after
        last = len(right) - 1
        return Fraction(ways[last], ways.total()) == Fraction(1, 2 ** (len(right) - length))

    return exhausted(_locks(), holds, "K ≤ 8, all sequences of right actions, all policies")


def _noise_states(states: int, components: int) -> int:
    """The configurations of the components that show no state."""
    lock = combination_lock(0, states=states, components=components)
    others = set(range(lock.components)) - set(lock.indicators)
    return 1 << len(others)


def _lock_noise(more: int) -> Evidence:
    found = [_noise_states(states, 512) for states in (20, 30, 40)]
    return equal(found, [1 << (512 - states + more) for states in (20, 30, 40)])


def _steps_ignore_noise(offset: int) -> Evidence:
    """A small lock with 12 noise seeds, each run right but for a chance of 10⁻⁹."""
    lock = combination_lock(0, states=3, components=16)
    given = parameters(
        4, lock.truth().mixing_time, class_size=16, delta=Fraction(1, 10**9), epsilon=Fraction(1, 2)
    )
    first = lock.first_action
    predicted = ideal_run(lock.dynamics(), lock.start, given, first_action=first).ledger.steps

    def as_predicted(seed: int) -> bool:
        learned = learn(lock.world(seed), lock.oracle(), given, first_action=first)
        return learned.ledger.steps == predicted + offset

    kind = f"runs of {predicted} steps; a false alarm has a chance of at most 1.2·10⁻⁸"
    return sampled(range(12), as_predicted, kind)


CLAIMS: Final = (
    EXPERIMENTS.exhausted(
        "M29",
        "273",
        "with T(i, a*_i) = i + 1 mod K the lock is a world in which every state reaches every "
        "other, and D = K − 1",
        partial(_lock_is_a_world, modulo=True),
        Mutant("without the modulus", partial(_lock_is_a_world, modulo=False)),
        erratum=Erratum(
            printed="T(i, a*_i) = i + 1 for the states i of {0, …, K − 1}",
            counterexample="K = 20: T(19, a*_19) = 20 is no state",
            refuted=_last_state_leads_outside,
            corrected="T(i, a*_i) = (i + 1) mod K: from the last state, both actions lead to 0",
            consequence="none for the theorem: a definition made total",
        ),
    ),
    EXPERIMENTS.proved(
        "M30",
        "273",
        "the components that show no state have 2^(L−K) configurations, for L = 512 and "
        "K = 20, 30, 40",
        partial(_lock_noise, 0),
        Mutant("L − K + 1 components", partial(_lock_noise, 1)),
        assumptions=("every component is kept in E, also one without memory",),
    ),
    EXPERIMENTS.proved(
        "M31",
        "273",
        "the four-room maze has 68 cells, each reached from each; eight of them have 68⁸ = "
        "457163239653376 configurations",
        partial(equal, (len(CELLS), maze().states, len(CELLS) ** 8), (68, 68, 457163239653376)),
        Mutant("nine of them", partial(equal, len(CELLS) ** 9, 457163239653376)),
        assumptions=("rooms of 4 × 4 cells with 4 doors, as in the published environment",),
    ),
    EXPERIMENTS.sampled(
        "M33",
        "275",
        "with all but the noise fixed, every run takes the number of steps of the ideal run",
        partial(_steps_ignore_noise, 0),
        Mutant("one step more", partial(_steps_ignore_noise, 1)),
        assumptions=("no verdict is wrong (the chance of which is at most δ)",),
    ),
    EXPERIMENTS.proved(
        "M34",
        "277",
        "2⁵¹² observations: the nearest power of ten is 10¹⁵⁴",
        partial(_nearest_power, 2**512, 154),
        Mutant("10¹⁵⁵", partial(_nearest_power, 2**512, 155)),
    ),
    EXPERIMENTS.exhausted(
        "M35.chance",
        "277",
        "uniformly random actions lead from 0 to K − 1 in K − 1 steps with a chance of 2^(1−K)",
        partial(_chance_of_opening, 1),
        Mutant("2^(−K)", partial(_chance_of_opening, 0)),
    ),
    EXPERIMENTS.proved(
        "M35",
        "277",
        "for K = 40 the nearest power of ten is 10¹², both to 2³⁹ (the right actions) and to 2⁴⁰",
        partial(
            lambda power: all_of(_nearest_power(2**39, power), _nearest_power(2**40, power)), 12
        ),
        Mutant("10¹¹", partial(_nearest_power, 2**39, 11)),
    ),
    EXPERIMENTS.proved(
        "M35.steps",
        "277",
        "the printed number of steps for K = 40, one deviation added, is 4 orders of magnitude "
        "below 2³⁹",
        partial(_orders_smaller, 4),
        Mutant("5 orders", partial(_orders_smaller, 5)),
        assumptions=("the printed numbers of steps",),
    ),
    EXPERIMENTS.hypothesis(
        "M36",
        "277",
        "earlier methods were reported to need 10³ to 10⁴ steps on the multi-maze",
    ),
    EXPERIMENTS.proved(
        "M36.steps",
        "277",
        "the printed 41003875 steps of the multi-maze are 4100 times 10⁴, rounded down",
        partial(equal, 41_003_875 // 10**4, 4100),
        Mutant("an order more", partial(equal, 41_003_875 // 10**4, 41_000)),
        assumptions=("M36, and the printed number of steps",),
    ),
    LIMITATIONS.hypothesis(
        "M38",
        "282",
        "PPE tolerates, on average, one deviation from determinism in 4|S| episodes",
    ),
)
