"""Learned models are pickled and copied, and shown in one line."""

from __future__ import annotations

import copy
import pickle
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified import Conjunctions, Episode, learn, learn_from
from steel_verified.classes.finite import Components, tables
from steel_verified.classes.fitted import Fitted, FittedFunction
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import certificate_of
from steel_verified.evidence.oracle import Searched
from steel_verified.gymnasium.world import features_of
from tests.toys import SWITCH, Toy

from .material import one_lock, ring
from .test_encoding import BITS, NUMBERS, ON_BITS, ON_NUMBERS, STAIRS
from .test_storing import LETTERS, SAVED, TWICE, WITNESSED_TWICE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Summary
    from steel_verified.using.learned import Learned


def _left(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(rows[:, 0] < 1)


def _high(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(rows[:, 1] > 0)


def _low(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(rows[:, 1] < 0)


def _find_nothing(_zeros: Summary, _ones: Summary) -> None:
    return None


def _fit_nothing(_zeros: NDArray[np.float64], _ones: NDArray[np.float64]) -> None:
    return None


FITTED = ring(Fitted(2, _fit_nothing), [*map(FittedFunction, (_left, _high, _low))])
EVERY: dict[str, tuple[Learned, object]] = {
    **{name: (each, BITS) for name, each in ON_BITS.items() if name != "searched"},
    **{name: (each, NUMBERS) for name, each in SAVED.items()},
    "searched": (ring(Searched(Components(4), _find_nothing), [1, 0, 2]), BITS),
    "fitted": (FITTED, NUMBERS),
    "tables": (ring(tables([[True, False], [False, True]]), [0, 1, 1]), [0, 1]),
    "predicates": (ring(LETTERS, [0, 1, 2]), ["A", "7", "b"]),
    "on features": (ring(TWICE, STAIRS), np.array(NUMBERS) / 2),
    "witnessed on features": (ring(WITNESSED_TWICE, STAIRS), np.array(NUMBERS) / 2),
}


@pytest.mark.parametrize(("learned", "rows"), EVERY.values(), ids=EVERY)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickled_models_encode_and_plan_alike(
    learned: Learned, rows: object, protocol: int
) -> None:
    again = pickle.loads(pickle.dumps(learned, protocol))
    assert again is not learned
    assert (again.model, again.current, again.steps, again.guarantee) == (
        learned.model,
        learned.current,
        learned.steps,
        learned.guarantee,
    )
    assert again.encode(rows).tolist() == learned.encode(rows).tolist()
    assert again.plan(to=0) == learned.plan(to=0)
    assert repr(again) == repr(learned)


@pytest.mark.parametrize("learned", [*ON_BITS.values(), *ON_NUMBERS.values(), one_lock().learned])
def test_copies_are_the_value_itself(learned: Learned) -> None:
    assert copy.copy(learned) is learned
    assert copy.deepcopy(learned) is learned
    assert copy.deepcopy([learned])[0] is learned


def lamp() -> Toy:
    """A switch beside a light that flickers."""
    return Toy(SWITCH, lambda on, noise: [on == 1, on == 0, bool(noise.random() < 0.3)], seed=7)


@cache
def _runs() -> dict[str, Learned]:
    log = [Episode(np.array([[0, 1], [1, 0], [1, 0], [0, 1], [0, 1], [1, 0]]), [0, 1, 0, 1, 0])]
    return {
        "located": learn(lamp(), Conjunctions(3), max_states=3, mixing_time=1),
        "looped": learn(lamp(), Components(3), "looped", max_states=3, mixing_time=1),
        "certain": learn(lamp(), Components(3)),
        "log": learn_from(log, Components(2)),
    }


@pytest.mark.parametrize("name", ["located", "looped", "certain", "log"])
def test_a_pickled_run_has_the_same_certificate_and_its_checker_accepts_it(name: str) -> None:
    """The record of a run is a long chain: a pickle of it would exceed Python's recursion limit."""
    learned = _runs()[name]
    again = pickle.loads(pickle.dumps(learned))
    twice = pickle.loads(pickle.dumps(again))
    for each in (again, twice):
        assert each.certificate("a lamp", noise_seed=7) == (
            learned.certificate("a lamp", noise_seed=7)
        )
        assert each.certificate() == learned.certificate()
    read = certificate_of(again.certificate("another", env_seed=3), "f").header.provenance
    assert (read.world, read.env_seed) == ("another", 3)
    assert again.check().accepted


def test_a_run_without_a_certificate_says_why_after_pickling() -> None:
    learned = learn(lamp(), Conjunctions(3), "looped", max_states=3, mixing_time=1)
    for each in (learned, pickle.loads(pickle.dumps(learned))):
        with pytest.raises(InvalidArgument, match=r"classifiers = .*: expected numbers of a"):
            each.certificate()


def test_features_of_spaces_can_be_pickled() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    spaces = gymnasium.spaces
    for space in (spaces.Discrete(4, start=2), spaces.MultiBinary(3), spaces.Box(0, 1, (2,))):
        features, seen = features_of(space), space.sample()
        again = pickle.loads(pickle.dumps(features))
        assert np.array_equal(again(seen), features(seen))


@pytest.mark.parametrize(
    "learned", [*(each for each, _ in EVERY.values()), one_lock().learned], ids=str
)
def test_repr_is_one_short_line(learned: Learned) -> None:
    assert len(repr(learned)) <= 100
    assert "\n" not in repr(learned)


def test_repr_says_what_was_learned() -> None:
    assert repr(ON_BITS["components"]) == (
        "<Learned: 3 states, 2 actions, 1,234 steps, method located, encoder of Components>"
    )
