"""OSSR: the exact example, what must fail, and policies against enumeration."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.baselines.episodes import Episodes
from steel_verified.baselines.exorl import (
    Covered,
    Joint,
    NothingAccepted,
    OneStep,
    Sampled,
    Setting,
    best_policies,
    factor_sets,
    joint_of,
    ossr,
    restricted,
    value_of,
    values_of,
    weight_of_policy,
)
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.table1.worlds import (
    SmallWorld,
    coded_lock,
    hidden_noise,
    masked,
    random_moves,
    random_start,
    toggle,
)
from steel_verified.worlds.chains import common_denominator
from steel_verified.worlds.tabular import HiddenModel, certain, law

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steel_verified.baselines.exorl import Policy, Row
    from steel_verified.worlds.tabular import Law


HORIZON = 4


def covered(found: Covered | NothingAccepted) -> Covered:
    assert isinstance(found, Covered)
    return found


def test_the_exact_example_finds_both_factors_in_every_step() -> None:
    found = covered(ossr(Exact(two_of_four()), Setting(4, 2), HORIZON))
    pairs = [(step, layer) for layer in range(2, 5) for step in range(layer - 1, 0, -1)]
    assert [(one.step, one.layer) for one in found.selected] == pairs
    assert {one.factors for one in found.selected} == {(1, 3)}
    assert found.controllable == (1, 3)


@pytest.mark.parametrize("layer", [2, 3, 4])
def test_exact_covers_reach_every_state_as_well_as_any_policy(layer: int) -> None:
    source = Exact(two_of_four())
    cover = covered(ossr(source, Setting(4, 2), HORIZON)).covers[layer - 1]
    assert len(cover) == 4
    for goal in range(4):

        def reward(h: int, x: int, goal: int = goal) -> int:
            return int(h == layer and value_of(x, (1, 3)) == goal)

        reached = [
            sum(
                (p for x, p in source.reached(policy).items() if value_of(x, (1, 3)) == goal),
                Fraction(0),
            )
            for policy in cover
        ]
        assert max(reached) == best_return(two_of_four(), layer, reward)


@pytest.mark.parametrize("world", [toggle, random_start, hidden_noise, random_moves])
def test_the_controllable_bit_is_found_with_known_laws(world: Callable[[], SmallWorld]) -> None:
    assert covered(ossr(Exact(world().model), Setting(2, 1), HORIZON)).controllable == (0,)


def test_ossr_on_a_masked_state_selects_a_noise_bit() -> None:
    """x = (s ⊕ e, e): with k = 2 both bits, of which one is noise; with k = 1 the first only."""
    exact = Exact(masked().model)
    assert covered(ossr(exact, Setting(2, 2), HORIZON)).controllable == (0, 1)
    assert covered(ossr(exact, Setting(2, 1), HORIZON)).controllable == (0,)


def test_ossr_with_known_laws_covers_the_coded_lock() -> None:
    found = covered(ossr(Exact(coded_lock().model), Setting(4, 3), 8))
    assert found.controllable == (0, 1, 2)
    reached = [Exact(coded_lock().model).reached(policy) for policy in found.covers[7]]
    assert {x % 8 for law_of_x in reached for x in law_of_x} == set(range(8))


def test_samples_find_what_known_laws_give() -> None:
    """Seeds are fixed; with other ones a run in twenty or so may find a factor of noise too."""
    for seed in range(3):
        chooser = np.random.default_rng((seed, 1))
        source = Sampled(Episodes(two_of_four(), seed), 4, 20_000, chooser)
        found = covered(ossr(source, Setting(4, 2, Fraction(1, 50)), HORIZON))
        assert found.controllable == (1, 3)


SMALL = st.integers(0, 7)
ROWS = st.lists(
    st.tuples(SMALL, st.integers(0, 1), st.integers(0, 1), SMALL, st.integers(1, 9)),
    min_size=1,
    max_size=12,
)
SETS = st.sampled_from(factor_sets(3, 2))


@given(ROWS, SETS, SETS)
def test_the_best_policy_is_that_of_all_policies(
    rows: list[tuple[int, int, int, int, int]], seen: tuple[int, ...], reached: tuple[int, ...]
) -> None:
    before, action, roll_out, after, weight = np.array(rows, dtype=np.int64).T
    joint = Joint(before, action, roll_out, after, weight, Fraction(1), 2, 2)
    roll_outs = np.arange(1 << len(reached)) % 2
    weights, actions = best_policies(joint, seen, reached, roll_outs)
    for goal in range(1 << len(reached)):

        def worth(policy: OneStep, goal: int = goal) -> int:
            return sum(
                w
                for x, a, out, y, w in rows
                if a == policy.action(x) and out == roll_outs[goal] and value_of(y, reached) == goal
            )

        everything = [OneStep(seen, choice) for choice in product(range(2), repeat=1 << len(seen))]
        best = OneStep(seen, tuple(actions[goal].tolist()))
        assert weights[goal] == worth(best) == max(map(worth, everything))
        by_goal = weight_of_policy(joint, seen, actions[goal], reached, int(roll_outs[goal]))
        assert by_goal[goal] == worth(best)


@given(st.integers(0, 2**16 - 1), st.sets(st.integers(0, 15), max_size=3), st.data())
def test_value_of_a_part_equals_the_restricted_value(
    x: int, chosen: set[int], data: st.DataObject
) -> None:
    factors = tuple(sorted(chosen))
    part = tuple(
        sorted(data.draw(st.sets(st.sampled_from(factors)) if factors else st.just(set())))
    )
    value = value_of(x, factors)
    assert value == values_of(np.array([x]), factors)[0]
    assert restricted(value, factors, part) == value_of(x, part)


def test_sampled_and_exact_laws_agree() -> None:
    """Chances by 40,000 episodes, each within 0.03: off by 5 deviations with chance below 1e-4."""
    model = two_of_four()
    policy = (OneStep((1,), (0, 1)),)
    sampled = Sampled(Episodes(model, 5), 4, 40_000, np.random.default_rng(6))
    tables = [
        source.joint([(), policy][1:], [policy, ()][:1]) for source in (Exact(model), sampled)
    ]
    exact, found = (float(one.scale) * one.table((1,), (1, 3)) for one in tables)
    assert np.abs(exact - found).max() < 0.03


def test_a_set_that_is_too_small_is_not_accepted() -> None:
    """Two bits are needed, and one is allowed."""
    assert isinstance(ossr(Exact(two_of_four()), Setting(4, 1), 3), NothingAccepted)


def test_impossible_factors_and_episodes_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="factors = 17: expected 1 to 16"):
        factor_sets(17, 1)
    with pytest.raises(InvalidArgument, match="most = 4: expected 0 to 3"):
        factor_sets(8, 4)
    with pytest.raises(InvalidArgument, match="episodes = 0"):
        Sampled(Episodes(toggle().model, 0), 2, 0, np.random.default_rng(0))
    fine = Fraction(1, 4099)
    model = HiddenModel(law({0: fine, 1: 1 - fine}), ((certain(0),), (certain(0),)),
                        (certain(0), certain(1)))  # fmt: skip
    with pytest.raises(InvalidArgument, match="common denominator 4,099: expected probabilities"):
        Episodes(model, 0)


def two_of_four() -> HiddenModel:
    """Action 0 flips bit 1 with chance 4/5, action 1 copies bit 1 to bit 3 with chance 9/10.

    Bit 1 is random at the start, bit 0 is slow noise, and bit 2 is what bit 0 was before.
    """

    def moves(x: int, action: int) -> Law:
        noise, first, second = x & 1, x >> 1 & 1, x >> 3 & 1
        done = (1 - first, second) if action == 0 else (first, first)
        chance = Fraction(4, 5) if action == 0 else Fraction(9, 10)
        outcomes: dict[int, Fraction] = {}
        for new, p in ((noise, Fraction(3, 4)), (1 - noise, Fraction(1, 4))):
            for (a, b), q in ((done, chance), ((first, second), 1 - chance)):
                to = new | a << 1 | noise << 2 | b << 3
                outcomes[to] = outcomes.get(to, Fraction(0)) + p * q
        return law(outcomes)

    start = law({x: Fraction(1, 8) for x in range(8)})
    states = range(16)
    rows = tuple(tuple(moves(x, action) for action in range(2)) for x in states)
    return HiddenModel(start, rows, tuple(map(certain, states)))


def best_return(model: HiddenModel, layers: int, reward: Callable[[int, int], int]) -> Fraction:
    """The largest expected sum of rewards in layers 2, …, by backward induction over all of x."""
    worth = [Fraction(0)] * len(model)
    for layer in range(layers, 1, -1):
        ahead = [reward(layer, x) + worth[x] for x in range(len(model))]
        worth = [
            max(sum((p * ahead[to] for to, p in each), Fraction(0)) for each in row)
            for row in model.moves
        ]
    return sum((p * worth[x] for x, p in model.start), Fraction(0))


@dataclass(frozen=True, slots=True)
class Exact:
    """The distributions of a known model. A policy reads the observation, not the hidden state."""

    model: HiddenModel

    @property
    def actions(self) -> int:
        return self.model.actions

    def joint(self, roll_ins: Sequence[Policy], roll_outs: Sequence[Policy]) -> Joint:
        chances: dict[Row, Fraction] = {}
        here: dict[int, Fraction] = {}
        for policy in roll_ins:
            for hidden, chance in self._rolled(dict(self.model.start), policy).items():
                here[hidden] = here.get(hidden, Fraction(0)) + chance / len(roll_ins)
        for hidden, chance in here.items():
            for action in range(self.actions):
                for number, policy in enumerate(roll_outs):
                    moved = dict(self.model.moves[hidden][action])
                    ends = self.shown(self._rolled(moved, policy))
                    for before, p in self.model.shows[hidden]:
                        for after, q in ends.items():
                            row = (before, action, number, after)
                            chances[row] = chances.get(row, Fraction(0)) + chance * p * q
        whole = common_denominator([tuple(chances.values())])
        weights = {row: int(chance * whole) for row, chance in chances.items()}
        return joint_of(weights, Fraction(1, whole), self.actions, len(roll_outs))

    def reached(self, policy: Policy) -> Mapping[int, Fraction]:
        """The distribution of the observation after following a policy from the start."""
        return self.shown(self._rolled(dict(self.model.start), policy))

    def shown(self, hidden: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """The distribution of the observation, given that of the hidden state."""
        found: dict[int, Fraction] = {}
        for here, chance in hidden.items():
            for x, p in self.model.shows[here]:
                found[x] = found.get(x, Fraction(0)) + chance * p
        return found

    def _rolled(self, hidden: dict[int, Fraction], policy: Policy) -> dict[int, Fraction]:
        for step in policy:
            hidden = self._moved(hidden, step)
        return hidden

    def _moved(self, hidden: Mapping[int, Fraction], step: OneStep) -> dict[int, Fraction]:
        moved: dict[int, Fraction] = {}
        for here, chance in hidden.items():
            for x, p in self.model.shows[here]:
                for to, q in self.model.moves[here][step.action(x)]:
                    moved[to] = moved.get(to, Fraction(0)) + chance * p * q
        return moved
