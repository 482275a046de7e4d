"""Noise has the right distribution, and neither actions nor resets influence it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium import (
    Continuing,
    NoiseBits,
    NoisyPixels,
    WithNoise,
    flickering,
)
from steel_verified.gymnasium.noise import running_chains
from steel_verified.worlds.chains import Chain, mixing_time, mixing_time_together, stationary
from tests.gymnasium.small_envs import QuietCorridor

NOISE = flickering(6, Fraction(1, 3))
SLOW = Chain(((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 5), Fraction(4, 5))))
ALSO_SLOW = Chain(((Fraction(7, 8), Fraction(1, 8)), (Fraction(1, 6), Fraction(5, 6))))
THIRD_SLOW = Chain(((Fraction(8, 9), Fraction(1, 9)), (Fraction(1, 5), Fraction(4, 5))))
FAST = Chain(((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))))
THIRDS = Chain(((Fraction(1, 3),) * 3,) * 3)


def test_noise_does_not_depend_on_resets_and_actions() -> None:
    def noise(actions: list[int], *, reset_at: int | None = None) -> list[list[bool]]:
        env = WithNoise(Continuing(QuietCorridor()), NOISE)
        env.reset(seed=5)
        shown = []
        for step, action in enumerate(actions):
            row = env.reset()[0] if step == reset_at else env.step(np.int64(action))[0]
            shown.append(row[5:].astype(np.bool_).tolist())
        return shown

    usual = noise([0] * 12)
    assert noise([1] * 12) == usual
    assert noise([0] * 12, reset_at=4) == usual


@pytest.mark.parametrize("chain", [SLOW, FAST, THIRDS])
def test_running_chains_have_the_transition_frequencies(chain: Chain) -> None:
    """In 6,000 steps, each transition has its expected frequency within 6 standard deviations."""
    running = running_chains([chain], np.random.default_rng(0))
    states = [int(next(running)[0]) for _ in range(6000)]
    for here, there in product(range(len(chain)), repeat=2):
        begun = [to for at, to in pairwise(states) if at == here]
        chance = float(chain.rows[here][there])
        deviation = (chance * (1 - chance) / len(begun)) ** 0.5
        assert abs(begun.count(there) / len(begun) - chance) < 6 * deviation
    assert abs(states.count(0) / 6000 - float(stationary(chain)[0])) < 0.1


def product_of(*chains: Chain) -> Chain:
    """Return independent chains as one chain."""
    states = list(product(*(range(len(chain)) for chain in chains)))

    def chance(here: tuple[int, ...], there: tuple[int, ...]) -> Fraction:
        total = Fraction(1)
        for chain, at, to in zip(chains, here, there, strict=True):
            total *= chain.rows[at][to]
        return total

    return Chain(tuple(tuple(chance(here, there) for there in states) for here in states))


def test_mixing_time_together_bounds_the_product_chain() -> None:
    """The bound is exact for one chain, and an upper bound for several."""
    assert mixing_time_together([SLOW]) == mixing_time(SLOW)
    different = (SLOW, ALSO_SLOW, THIRD_SLOW)
    for chains in ((SLOW, FAST), different, (SLOW, SLOW, SLOW), (FAST, FAST, FAST)):
        exact, bound = mixing_time(product_of(*chains)), mixing_time_together(chains)
        assert exact <= bound <= exact + 4
        assert NoiseBits(chains).mixing_time == bound
    assert mixing_time(product_of(*different)) > max(map(mixing_time, different))


def test_noise_of_a_wrong_shape_or_type_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="two states"):
        NoiseBits((THIRDS,))
    with pytest.raises(InvalidArgument, match="amplitude = 0"):
        NoisyPixels(0)
    with pytest.raises(InvalidArgument, match="integers from 0 to 255"):
        WithNoise(Continuing(QuietCorridor()), NoisyPixels(3))
