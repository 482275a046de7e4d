"""A preflight says what is wrong with a world, and is quiet about one that is not."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest

from steel_verified.classes.finite import Components
from steel_verified.classes.fitted import Fitted
from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium import Continuing, WithNoise, flickering, from_gymnasium
from steel_verified.plots import preflight_figure
from steel_verified.reports.figures.style import as_bytes
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.preflights import apart, preflight
from steel_verified.worlds.stepped import SteppedWorld
from tests.worlds.test_stepped import Switch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.classes.fitted import Values
    from steel_verified.worlds.preflights import Preflight
    from steel_verified.worlds.stepped import Seen


class Ring(SteppedWorld):
    """Four states in a ring; action 0 moves, or stays with a chance, and action 1 stays."""

    actions = 2

    def __init__(self, slips: float = 0.0) -> None:
        self.state, self.slips = 0, slips
        self.noise = np.random.default_rng(1)

    def step(self, action: int) -> Seen:
        if action == 0 and self.noise.random() >= self.slips:
            self.state = (self.state + 1) % 4
        return [*(np.arange(4) == self.state).tolist(), self.noise.random() < 0.5]


class Remembering(Ring):
    """After action 1, action 0 moves by two: what it does depends on something that is not seen."""

    last = 0

    def step(self, action: int) -> Seen:
        self.state = (self.state + (action == 0 and self.last == 1)) % 4
        self.last = action
        return super().step(action)


class Blind(Ring):
    def step(self, action: int) -> Seen:
        super().step(action)
        return [bool(bit) for bit in self.noise.random(5) < 0.5]


class Constant(Ring):
    def step(self, action: int) -> Seen:
        super().step(action)
        return [True, False, True, False, False]


class Everything(Ring):
    """No two observations are alike."""

    def step(self, action: int) -> Seen:
        super().step(action)
        return self.noise.random()


def memorise(zeros: NDArray[np.float64], ones: NDArray[np.float64]) -> Values:
    """A classifier that knows its ones by heart: it recognises nothing else."""
    del zeros
    return lambda rows: np.isin(rows[:, 0], ones[:, 0])


def warned(report: Preflight) -> set[str]:
    return {answer.question.split()[0] for answer in report.answers if answer.warns}


def lake(chance: Fraction, seed: int) -> tuple[Preflight, int]:
    noise = flickering(4, chance)
    env = WithNoise(Continuing(gymnasium.make("FrozenLake-v1", is_slippery=False)), noise)
    world = from_gymnasium(env, seed=seed)
    return preflight(world, Components(20), steps=4000), noise.mixing_time


def test_apart_needs_separation_in_both_directions() -> None:
    """A bit that is 1 beside one that is 0 separates in one direction only."""
    oracle = Components(2)
    off, on, other = (
        oracle.summarise(np.array([row])) for row in ([True, False], [True, True], [False, True])
    )
    assert not apart(oracle, off, on)
    assert not apart(oracle, on, off)
    assert apart(oracle, off, other)


def test_preflight_of_good_worlds_has_no_warning() -> None:
    assert preflight(Switch(), Components(3), max_states=3, mixing_time=1).warnings == ()
    report = preflight(Ring(), Components(5), max_states=4, mixing_time=1)
    assert report.warnings == ()
    assert report.groups == report.often == 4
    assert report.surprises == 0
    lock = combination_lock(0, states=20, components=512, least_noise=0.1)
    assert preflight(lock.world(1), lock.oracle(), max_states=30, mixing_time=40).warnings == ()


def test_preflight_warns_about_random_dynamics() -> None:
    """If an action slips, all states fall into one group, or known outcomes are surprising."""
    for slips in (0.1, 0.4):
        report = preflight(Ring(slips), Components(5))
        assert "Is" in warned(report)
        assert "Is" not in warned(preflight(Ring(), Components(5)))


def test_preflight_warns_about_hidden_memory() -> None:
    report = preflight(Remembering(), Components(5))
    assert report.groups == 4
    assert report.surprises > report.foreseen / 10
    assert "Is" in warned(report)


def test_preflight_warns_about_uninformative_features() -> None:
    assert {"Do"} <= warned(preflight(Blind(), Components(5)))
    assert {"Does", "Do"} == warned(preflight(Constant(), Components(5)))


def test_preflight_warns_about_a_too_large_class() -> None:
    report = preflight(Everything(), Fitted(1, memorise), steps=200)
    assert report.groups == 100
    assert report.warnings[0].endswith("the class is too large, or the walk too short")


def test_preflight_warns_about_too_small_n() -> None:
    assert "N = 3 seems too small" in preflight(Ring(), Components(5), max_states=3).warnings[0]


@pytest.mark.parametrize("chance", [Fraction(1, 2), Fraction(1, 5), Fraction(1, 20)])
def test_mixing_times_are_estimated_within_a_factor_of_two(chance: Fraction) -> None:
    report, truth = lake(chance, 0)
    assert report.mixing is not None
    assert report.mixing.varying == 4
    assert report.mixing.steps is not None
    assert truth / 2 <= report.mixing.steps <= 2 * truth


def test_preflight_warns_about_slow_noise() -> None:
    report, truth = lake(Fraction(1, 500), 0)
    assert truth > 500
    assert any("too slowly for this walk" in text for text in report.warnings)
    fast, _ = lake(Fraction(1, 2), 0)
    assert fast.warnings == ()


def test_too_short_preflight_walk_raises() -> None:
    with pytest.raises(InvalidArgument, match="at least 192, for this many actions"):
        preflight(Ring(), Components(5), steps=100)


def test_the_figure_is_drawn_with_and_without_noise() -> None:
    report, _ = lake(Fraction(1, 20), 0)
    assert as_bytes(preflight_figure(report), ".png").startswith(b"\x89PNG")
    quiet = preflight(Constant(), Components(5), max_states=2)
    (said,) = preflight_figure(quiet).axes[1].texts
    assert said.get_text() == "no noise was seen"


def test_a_preflight_is_printed_with_its_warnings_marked() -> None:
    lines = str(preflight(Ring(0.4), Components(5), max_states=4)).splitlines()
    assert max(map(len, lines)) <= 80
    questions = [line for line in lines if line.endswith("?")]
    assert [line[0] for line in questions] == [" ", "!", "!", " ", " "]
    assert "! Is there visible randomness in the dynamics?" in questions
