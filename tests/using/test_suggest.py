"""The recommended class leads to an accepted, right model; and where none does, it says so."""

from __future__ import annotations

import json
import pickle
from math import inf
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest

from steel_verified import Components, Learned, NotLearned, learn, suggest_class
from steel_verified.classes import Featured, OneOf, Ranges
from steel_verified.classes.saving import class_of_json
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import savable
from steel_verified.using import noiseless
from tests.toys import SWITCH, Toy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json
    from steel_verified.worlds.progress import Progress
    from steel_verified.worlds.stepped import Seen

    Table: TypeAlias = tuple[tuple[int, ...], ...]
    Shows: TypeAlias = Callable[[int, np.random.Generator], Seen]


RING = tuple(((s + 1) % 6, (s + 5) % 6, s) for s in range(6))
SHOP = ((0, 1, 0), (0, 1, 2), (0, 1, 3), (0, 3, 4), (0, 0, 0))
# Three places and a lamp, which the third action switches in the first place; with it, s + 3.
ROBOT = ((0, 1, 3), (0, 2, 1), (1, 2, 2), (3, 4, 0), (3, 5, 4), (4, 5, 5))
# Twelve right steps in a row lead to the last state: a random walk is rarely there.
STAIRS = tuple((min(s + 1, 12), 0) for s in range(13))


def elevator(state: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Three floors, and a door that is seen on every floor, as a noisy image of 8 by 8 pixels."""
    image = np.full((8, 8), 0.2)
    floor, is_open = state % 3, state >= 3
    image[2 * floor : 2 * floor + 2, 2:6] = 0.8
    if is_open:
        image[2 * floor : 2 * floor + 2, 3:5] = 0.2
    image[7] = random.random(8) < 0.5  # lights that nobody controls
    return image + random.normal(0, 0.04, (8, 8))


def in_place(state: int, random: np.random.Generator) -> NDArray[np.bool_]:
    lamp = [state >= 3, bool(random.random() < 0.3), bool(random.random() < 0.5)]
    return np.array([*(state % 3 == place for place in range(3)), *lamp])


def page(state: int, random: np.random.Generator) -> NDArray[np.bool_]:
    return np.concatenate([np.arange(5) == state, random.random(15) < 0.3])


def bright(state: int, random: np.random.Generator) -> NDArray[np.int64]:
    return np.where(np.arange(6) == state, 200, 40) + random.integers(-30, 31, 6)


def point(state: int, random: np.random.Generator) -> NDArray[np.float64]:
    return np.array([state % 3, state // 3]) + random.uniform(-0.3, 0.3, 2)


def one_bit(state: int, random: np.random.Generator) -> NDArray[np.bool_]:
    return np.array([state == 1, random.random() < 0.5])


def balance(state: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Two numbers that tell nothing alone; their sum tells the state."""
    first = int(random.integers(-50, 51))
    return np.array([first, 100 * state - first])


def place_and_lamp(state: int, _: np.random.Generator) -> NDArray[np.float64]:
    return np.array([state % 3 - 0.1, state // 3])


def digits(state: int, _: np.random.Generator) -> NDArray[np.bool_]:
    """The state as four digits, without noise: no digit shows a state alone."""
    return np.array([bool(state >> place & 1) for place in range(4)])


WORLDS: dict[
    str, tuple[tuple[tuple[int, ...], ...], Callable[[int, np.random.Generator], Seen], str]
] = {
    "elevator": (ROBOT, elevator, "Conjunctions of "),
    "robot": (ROBOT, in_place, "Conjunctions(6)"),
    "shop": (SHOP, page, "Components(20)"),
    "number": (RING, lambda state, _: state, "Components of "),
    "bright pixel": (RING, bright, "Components of 12 ranges"),
    "point": (ROBOT, point, "Conjunctions of "),
    "one bit": (SWITCH, one_bit, "Components of 4 ranges"),
    "balance": (SWITCH, balance, "HalfSpaces(2)"),
    "place and lamp": (ROBOT, place_and_lamp, "Components of 6 observations"),
    "stairs": (STAIRS, digits, "Components of 13 observations"),
}


def is_right(learned: Learned, world: Toy) -> bool:
    """Whether each state shows a label of its own, 50 times, and the table is that of the world."""
    states = range(len(world.table))
    shown = [
        {learned.state_of(world.shows(state, world.random)) for _ in range(50)} for state in states
    ]
    label = [min(labels) for labels in shown]
    led = {label[s]: tuple(label[to] for to in world.table[s]) for s in states}
    return all(len(labels) == 1 for labels in shown) and led == dict(enumerate(learned.model.table))


@pytest.mark.parametrize("name", WORLDS)
def test_the_recommended_class_leads_to_an_accepted_right_model(name: str, tmp_path: Path) -> None:
    table, shows, recommended = WORLDS[name]
    learned = learn(Toy(table, shows), seed=1)
    assert learned.suggestion is not None
    assert learned.suggestion.best is not None
    assert learned.suggestion.best.name.startswith(recommended)
    assert is_right(learned, Toy(table, shows, seed=5))
    learned.save(tmp_path / "model.json")
    assert is_right(Learned.load(tmp_path / "model.json"), Toy(table, shows, seed=6))
    walked = learned.suggestion.steps
    assert (walked > 2_000) == (name == "stairs")
    assert f"was chosen on a walk of {walked:,} steps" in " ".join(str(learned).split())
    supposed = " ".join(str(learned).split())
    assert ("which were guessed, hold, then" in supposed) == learned.suggestion.needs_bounds


@pytest.mark.parametrize("name", ["FrozenLake-v1", "CliffWalking-v1"])
def test_an_environment_with_episodes_needs_no_class(name: str) -> None:
    options = {"is_slippery": False} if name == "FrozenLake-v1" else {}
    env: gymnasium.Env[np.int64, np.int64] = gymnasium.make(name, **options)
    learned = learn(env, seed=1)
    assert learned.model.states == (16 if options else 38)
    assert learned.guarantee is not None
    assert (learned.guarantee.method, learned.guarantee.given) == ("log", "")


def test_no_class_is_recommended_where_noise_hides_the_state() -> None:
    def hidden(state: int, random: np.random.Generator) -> NDArray[np.float64]:
        return state + random.normal(0, 2, 80)

    suggestion = suggest_class(Toy(SWITCH, hidden))
    assert suggestion.best is None
    with pytest.raises(
        InvalidArgument, match="F = None: expected a class, since none is recommended: no feature"
    ):
        learn(Toy(SWITCH, hidden))


def test_no_class_is_recommended_where_dynamics_are_random() -> None:
    def two(state: int, random: np.random.Generator) -> NDArray[np.bool_]:
        del state
        seen: NDArray[np.bool_] = np.arange(4) == random.integers(4)
        return seen

    suggestion = suggest_class(Toy(SWITCH, two))
    assert str(suggestion).startswith("No class is recommended.")
    assert "give a finite class and the bound as slips" in suggestion.because


def test_a_refusal_says_what_is_against_each_class_and_what_to_do() -> None:
    """A state shows itself by nothing but the sum of 100 numbers with two values each."""

    def wide(state: int, random: np.random.Generator) -> NDArray[np.int64]:
        first = random.integers(0, 2, 99)
        return np.append(first, (first.sum() + state) % 2)

    suggestion = suggest_class(Toy(SWITCH, wide), steps=300)
    assert [each.against for each in suggestion.tried][1:] == [
        "not tried: slow with over 256 ranges",
        "not tried: slow with over 64 numbers",
        "not tried: slow with over 16 numbers",
        "not tried: slow with over 4 numbers",
    ]
    because = suggestion.because
    assert "Conjunctions of 800 ranges: not tried: slow with over 256 ranges" in because
    assert "Give features, a function that computes a few bits or numbers" in because


# --- guessed bounds -------------------------------------------------------------------------------


def test_all_attempts_with_guessed_bounds_together_stay_within_the_limit() -> None:
    shown: list[Progress] = []
    walked = learn(Toy(ROBOT, in_place), seed=1, progress=shown.append)
    assert {each.attempt for each in shown} >= {"attempt 1", "attempt 2"}
    world = Toy(ROBOT, in_place)
    with pytest.raises(NotLearned):
        learn(world, seed=1, max_steps=walked.steps)
    assert walked.suggestion is not None
    assert world.steps <= walked.suggestion.steps + walked.steps


def test_options_that_guessed_bounds_cannot_keep_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="F = conjunctions: expected a finite"):
        learn(Toy(ROBOT, in_place), slips="0.1")
    with pytest.raises(InvalidArgument, match="first_action = 1: expected None"):
        learn(Toy(ROBOT, in_place), first_action=1)


def test_a_class_that_merges_states_is_passed_over_for_one_that_does_not() -> None:
    """Single bits tell places apart, in a consistent way, and do not see that the lamp is off."""
    suggestion = suggest_class(Toy(ROBOT, in_place))
    looks = [each.look for each in suggestion.tried if each.look is not None]
    assert [(look.often, look.alone) for look in looks] == [(3, 3), (6, 0), (6, 6)]
    assert "Components(6) merges some of them (3 are left)" in " ".join(str(suggestion).split())
    assert (suggestion.max_states, suggestion.mixing_time) == (12, 4)


def test_guessed_states_are_doubled_until_they_are_enough() -> None:
    """The walk sees the first of 25 stairs often, and N is guessed from them."""
    stairs = tuple((min(s + 1, 24), 0) for s in range(25))

    def shows(state: int, random: np.random.Generator) -> NDArray[np.bool_]:
        return np.array([*(bool(state >> place & 1) for place in range(5)), random.random() < 0.5])

    learned = learn(Toy(stairs, shows), seed=1)
    assert learned.suggestion is not None
    assert learned.suggestion.max_states < 25
    assert is_right(learned, Toy(stairs, shows, seed=5))


def test_slow_classes_are_not_tried_after_one_that_fits() -> None:
    (_, listed, *richer) = suggest_class(Toy(ROBOT, place_and_lamp)).tried
    assert listed.fits
    assert [each.against for each in richer] == ["", *["not tried: a simpler class fits"] * 3]


def test_a_suggestion_can_be_sent_with_what_was_learned() -> None:
    learned = learn(Toy(SHOP, page), seed=1)
    sent: Learned = pickle.loads(pickle.dumps(learned))
    assert sent.suggestion is not None
    assert str(sent.suggestion) == str(learned.suggestion)


def test_files_need_a_class() -> None:
    with pytest.raises(InvalidArgument, match="F = None: expected a class: a run that is kept"):
        learn(Toy(SHOP, page), checkpoint="shop.run")


def test_observations_with_noise_or_too_many_of_them_are_not_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def names(table: Table, shows: Shows) -> list[str]:
        return [each.name for each in suggest_class(Toy(table, shows)).tried]

    def rarely(state: int, random: np.random.Generator) -> NDArray[np.bool_]:
        return digits(state, random) ^ (random.random(4) < 0.001)

    assert "Components of 13 observations" in names(STAIRS, digits)
    assert not any("observations" in name for name in names(((0, 0),), digits))  # only one
    assert not any("observations" in name for name in names(STAIRS, rarely))
    monkeypatch.setattr(noiseless, "MOST_OBSERVATIONS", 12)
    assert not any("observations" in name for name in names(STAIRS, digits))


# --- ranges ---------------------------------------------------------------------------------------


def test_a_range_has_its_lower_end_and_not_its_upper_one() -> None:
    ranges = Ranges(2, ((0, 1, 2), (1, -inf, 0), (1, 0, inf)))
    rows = np.array([[1, -1], [2, 0], [1.5, 3]])
    assert ranges(rows).tolist() == [[True, True, False], [False, False, True], [True, False, True]]


def test_ranges_are_saved_with_their_class() -> None:
    ranges = Ranges(3, ((0, -inf, 0.1), (2, 5, 7.25)))
    rows = OneOf(2, ((0, 1), (1 << 60, -0.5)))
    for F in (Featured(ranges, Components(2)), Featured(rows, Components(2))):  # noqa: N806 (the paper's)
        described: Json = json.loads(json.dumps(savable(F).described))
        assert class_of_json(described) == F


def test_rows_are_compared_exactly() -> None:
    large = 1 << 60
    rows = OneOf(2, ((large, 1), (0.25, 1)))
    assert rows(np.array([[large, 1], [large + 1, 1]])).tolist() == [[True, False], [False, False]]
    assert rows(np.array([[0.25, 1], [0.25, -1]])).tolist() == [[False, True], [False, False]]
    assert OneOf(1, ((0,), (1,)))(np.array([[True], [False]])).tolist() == [
        [False, True],
        [True, False],
    ]


@pytest.mark.parametrize("wrong", [(), ((0, 1), (0, 1)), ((0, 1), (0,))])
def test_rows_that_are_none_or_equal_are_refused(wrong: tuple[tuple[float, ...], ...]) -> None:
    with pytest.raises(InvalidArgument, match="listed"):
        OneOf(2, wrong)


@pytest.mark.parametrize(
    "wrong", [(), ((2, 0, 1),), ((0, float("nan"), 1),)], ids=["none", "feature", "bound"]
)
def test_ranges_that_are_none_are_refused(wrong: tuple[tuple[int, float, float], ...]) -> None:
    with pytest.raises(InvalidArgument, match="ranges"):
        Ranges(2, wrong)


def test_a_file_with_ranges_of_another_size_is_refused() -> None:
    described = savable(Featured(Ranges(1, ((0, 0, 1),)), Components(1))).described
    assert isinstance(described, dict)
    with pytest.raises(InvalidArgument, match="size = 2: expected 1, the number of computed bits"):
        class_of_json({**described, "on": {"name": "components", "size": 2}})
