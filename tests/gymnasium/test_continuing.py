"""Episodic environments become one unbroken trajectory; noise has the right distribution."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box
from gymnasium.wrappers import TimeLimit

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium import (
    Continuing,
    NoiseBits,
    NoisyPixels,
    SomeActions,
    WithNoise,
    flickering,
    from_gymnasium,
)
from steel_verified.gymnasium.noise import running_chains
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.worlds.chains import Chain, mixing_time, mixing_time_together, stationary

from .small_envs import Corridor, QuietCorridor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


STAY, RIGHT = np.int64(0), np.int64(1)


def cells(env: gymnasium.Env[NDArray[np.int8], np.int64], actions: Sequence[np.int64]) -> list[int]:
    return [int(np.argmax(env.step(action)[0][:4])) for action in actions]


def test_end_of_an_episode_is_shown_once_and_leads_to_the_start() -> None:
    env = Continuing(QuietCorridor())
    env.reset(seed=0)
    assert cells(env, [RIGHT, RIGHT, RIGHT, RIGHT, RIGHT]) == [1, 2, 3, 0, 1]
    env.reset(seed=0)
    assert cells(env, [RIGHT, RIGHT, RIGHT, STAY, STAY, RIGHT]) == [1, 2, 3, 0, 0, 1]


def test_show_end_false_leads_directly_to_the_start() -> None:
    env = Continuing(QuietCorridor(), show_end=False)
    env.reset(seed=0)
    assert cells(env, [RIGHT] * 7) == [1, 2, 0, 1, 2, 0, 1]


def test_end_with_the_observation_of_another_state_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="show_end = True: expected False"):
        Continuing(QuietCorridor(hidden_end=True))
    env = Continuing(QuietCorridor(hidden_end=True), show_end=False)
    env.reset(seed=0)
    assert cells(env, [RIGHT] * 4) == [1, 2, 0, 1]


class Reseeding(Continuing["NDArray[np.int8]"]):
    """The obvious but wrong way: every episode starts with the same seed."""

    def _restart(self) -> tuple[NDArray[np.int8], dict[str, object]]:
        self._ended = False
        return self.env.reset(seed=0)


def noise_of_episodes(env: Continuing[NDArray[np.int8]], episodes: int) -> set[tuple[bool, ...]]:
    env.reset(seed=1)
    found = set()
    for _ in range(episodes):
        found.add(tuple(bool(env.step(RIGHT)[0][4]) for _ in range(4)))
    return found


def test_episodes_do_not_replay_the_noise() -> None:
    """60 episodes show more than half of the 2⁴ possible sequences of noise bits."""
    assert len(noise_of_episodes(Continuing(Corridor(), noisy=True), 60)) > 8
    assert len(noise_of_episodes(Reseeding(Corridor(), noisy=True), 60)) == 1


def test_start_seed_with_noisy_is_refused() -> None:
    """The seed would choose the noise of the first observation of every episode."""
    with pytest.raises(InvalidArgument, match="replay the noise"):
        Continuing(Corridor(), start_seed=0, noisy=True)


def test_noise_does_not_depend_on_the_actions() -> None:
    """Two walks with one seed show the same noise, whatever number of episodes they end."""

    def noise(env: Continuing[NDArray[np.int8]], actions: list[np.int64]) -> list[bool]:
        env.reset(seed=3)
        return [bool(env.step(action)[0][4]) for action in actions]

    right, wrong = Continuing(Corridor(), noisy=True), Reseeding(Corridor(), noisy=True)
    assert noise(right, [STAY] * 20) == noise(right, [RIGHT] * 20)
    assert noise(wrong, [STAY] * 20) != noise(wrong, [RIGHT] * 20)


def test_time_limit_is_ignored() -> None:
    limited = TimeLimit(QuietCorridor(), 5)
    for env in (Continuing(limited), Continuing(SomeActions(limited, (0, 1)))):
        env.reset(seed=0)
        assert cells(env, [STAY] * 50 + [RIGHT]) == [0] * 50 + [1]
        assert env.step(STAY)[2:4] == (False, False)


def test_truncation_by_the_environment_is_refused_unless_ignored() -> None:
    with pytest.raises(AssumptionViolated, match="ignore_truncation=True"):
        Continuing(QuietCorridor(truncates_at=2))
    env = Continuing(QuietCorridor(truncates_at=2), ignore_truncation=True)
    env.reset(seed=0)
    assert cells(env, [STAY, STAY, RIGHT, STAY, RIGHT]) == [0, 0, 1, 1, 2]


def test_random_start_is_refused_without_a_start_seed() -> None:
    with pytest.raises(InvalidArgument, match=r"start_seed = None: expected a seed.*random state"):
        Continuing(gymnasium.make("Taxi-v4"))
    starts = set()
    for noise_seed in range(5):
        first, _ = Continuing(gymnasium.make("Taxi-v4"), start_seed=7).reset(seed=noise_seed)
        starts.add(int(first))
    assert len(starts) == 1


@pytest.mark.parametrize(
    "env",
    [
        gymnasium.make("FrozenLake-v1", is_slippery=True),
        gymnasium.make("CliffWalkingSlippery-v1"),
        gymnasium.make("Taxi-v4", is_rainy=True),
    ],
    ids=["lake", "cliff", "taxi"],
)
def test_random_dynamics_are_refused(env: gymnasium.Env[np.int64, np.int64]) -> None:
    with pytest.raises(AssumptionViolated, match=r"the dynamics are random.*is_slippery=False"):
        Continuing(env, start_seed=0)


def test_undeclared_noisy_observations_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="start_seed = None"):
        Continuing(Corridor())
    with pytest.raises(AssumptionViolated, match=r"say Continuing\(env, noisy=True\)"):
        Continuing(Corridor(), start_seed=0)


def test_noise_inside_continuing_is_refused() -> None:
    noisy = WithNoise(QuietCorridor(), flickering(2, Fraction(1, 3)))
    with pytest.raises(InvalidArgument, match="WithNoise around Continuing"):
        Continuing(noisy)


def test_some_actions_renumbers_the_given_actions() -> None:
    env = SomeActions(gymnasium.make("FrozenLake-v1", is_slippery=False), (2, 1))
    world = from_gymnasium(Continuing(env))
    assert world.actions == 2
    env.reset()
    assert [int(env.step(np.int64(action))[0]) for action in (0, 0, 1)] == [1, 2, 6]
    for wrong in ((), (2, 2), (4,)):
        with pytest.raises(InvalidArgument, match="different actions"):
            SomeActions(env, wrong)


def test_continuous_actions_are_refused_and_structured_observations_are_bits() -> None:
    env = QuietCorridor()
    env.action_space = Box(0, 1)  # type: ignore[assignment]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="finitely many actions"):
        Continuing(env)
    blackjack = gymnasium.make("Blackjack-v1")  # a tuple of numbers below 32, 11 and 2
    assert from_gymnasium(blackjack).features == 32 + 11 + 2


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
