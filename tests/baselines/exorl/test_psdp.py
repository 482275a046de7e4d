"""ExoPSDP: with known laws it earns as much as any policy, and sees controllable bits only."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.episodes import Episodes
from steel_verified.baselines.exorl.ossr import Covered, Setting, exo_psdp, ossr
from steel_verified.baselines.exorl.sources import Exact, Sampled, value_of
from tests.baselines.exorl.worlds import best_return, two_of_four

if TYPE_CHECKING:
    from steel_verified.baselines.exorl.sources import Policy

LAYERS = 4
MODEL = two_of_four()
EXACT = Exact(MODEL)
FOUND = ossr(EXACT, Setting(4, 2), LAYERS)


def earned(policy: Policy, rewards: list[list[int]]) -> Fraction:
    """The expected sum of rewards of a policy, exactly."""
    return sum(
        (
            p * rewards[layer - 2][value_of(x, (1, 3))]
            for layer in range(2, LAYERS + 1)
            for x, p in EXACT.reached(policy[: layer - 1]).items()
        ),
        Fraction(0),
    )


REWARDS = st.lists(
    st.lists(st.integers(-3, 3), min_size=4, max_size=4), min_size=LAYERS - 1, max_size=LAYERS - 1
)


@given(REWARDS)
def test_with_known_laws_no_policy_earns_more(rewards: list[list[int]]) -> None:
    """Rewards depend on the controllable bits 1 and 3."""
    assert isinstance(FOUND, Covered)

    def reward(layer: int, x: int) -> int:
        return rewards[layer - 2][value_of(x, (1, 3))]

    policy = exo_psdp(EXACT, Setting(4, 2), FOUND.covers, reward)
    assert earned(policy, rewards) == best_return(MODEL, LAYERS, reward)
    assert all(set(step.factors) <= {1, 3} for step in policy)


def test_episodes_give_a_policy_that_is_nearly_as_good() -> None:
    """With a fixed seed: both bits shall be 1 in the last layer."""
    assert isinstance(FOUND, Covered)
    rewards = [[0, 0, 0, 0]] * (LAYERS - 2) + [[0, 0, 0, 1]]

    def reward(layer: int, x: int) -> int:
        return rewards[layer - 2][value_of(x, (1, 3))]

    source = Sampled(Episodes(MODEL, 0), 4, 5_000, np.random.default_rng(1))
    policy = exo_psdp(source, Setting(4, 2, Fraction(1, 50)), FOUND.covers, reward)
    assert earned(policy, rewards) >= best_return(MODEL, LAYERS, reward) - Fraction(1, 10)
    assert all(set(step.factors) <= {1, 3} for step in policy)
