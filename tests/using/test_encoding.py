"""Observations are encoded in all the forms in which users have them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components, predicates, tables
from steel_verified.classes.fitted import Fitted, FittedFunction
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, Witnessed
from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import Integers, packed_bits
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Searched
from steel_verified.learning.located import Located
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.using.attempt import attempt
from steel_verified.using.learned import Learned
from steel_verified.worlds.grid import grid
from tests.bounds import bounds

from .material import RING, one_lock, ring

BITS = [[0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 1]]
NUMBERS = [[0.5, 9.0], [1.5, 9.0], [2.5, -3.0]]
STAIRS = [
    HalfSpace((-1, 0), 1),
    HalfSpace((0, 1), 0),
    HalfSpace((0, -1), 0),
]
"""On the rows of NUMBERS: 1 on the first only, on the first two, on the third only."""

ON_BITS = {
    "components": ring(Components(4), [1, 0, 2]),
    "conjunctions": ring(
        Conjunctions(4), [Conjunction(2, 0), Conjunction(1, 0), Conjunction(4, 3)]
    ),
    "searched": ring(Searched(Components(4), lambda _zeros, _ones: None), [1, 0, 2]),
}
ON_NUMBERS = {
    "thresholds": ring(
        Thresholds(2),
        [Threshold(0, "<=", 1.0), Threshold(1, ">=", 0.0), Threshold(0, ">=", 2.0)],
    ),
    "boxes": ring(
        Boxes(2),
        [Box((float(s), -5.0), (s + 1.0, 10.0)) for s in range(3)],
    ),
    "half-spaces": ring(HalfSpaces(2), STAIRS),
    "witnessed": ring(Witnessed(HalfSpaces(2)), STAIRS),
    "monomials": ring(
        Featured(Monomials(2, 2), HalfSpaces(5)),
        [HalfSpace((*plane.weights, 0, 0, 0), plane.bias) for plane in STAIRS],
    ),
    "fitted": ring(
        Fitted(2, lambda _zeros, _ones: None),
        [
            FittedFunction(lambda rows: rows[:, 0] < 1),
            FittedFunction(lambda rows: rows[:, 1] > 0),
            FittedFunction(lambda rows: rows[:, 1] < 0),
        ],
    ),
}


@pytest.mark.parametrize("learned", ON_BITS.values(), ids=ON_BITS)
def test_bits_in_all_forms_give_the_same_labels(learned: Learned) -> None:
    rows = np.array(BITS, dtype=np.bool_)
    images = rows.reshape(3, 2, 2)
    whole = (rows, rows.astype(np.int8), BITS, packed_bits(rows), np.asfortranarray(rows), images)
    for batch in whole:
        assert learned.encode(batch).tolist() == [0, 1, 2]
    assert learned.encode(images[:1]).tolist() == [0]
    for state, row in enumerate(rows):
        for one in (row, row.astype(np.uint8), row.tolist(), images[state]):
            assert learned.encode(one).shape == ()
            assert learned.encode(one) == learned.state_of(one) == state


@pytest.mark.parametrize("learned", ON_NUMBERS.values(), ids=ON_NUMBERS)
def test_numbers_in_all_forms_give_the_same_labels(learned: Learned) -> None:
    rows = np.array(NUMBERS)
    for batch in (rows, rows.astype(np.float32), NUMBERS):
        assert learned.encode(batch).tolist() == [0, 1, 2]
    for state, row in enumerate(rows):
        assert learned.encode(row) == learned.state_of(row) == state


def test_observations_that_are_integers_are_encoded() -> None:
    learned = ring(tables([[True, False, False, True], [False, True, True, False]]), [0, 1, 0])
    assert learned.encode([0, 1, 2, 3]).tolist() == [0, 1, 1, 0]
    assert learned.encode(np.int64(2)) == learned.state_of(2) == 1


def test_one_feature_may_be_given_as_numbers() -> None:
    learned = ring(
        Thresholds(1, Integers(0, 9)),
        [Threshold(0, "<=", 2), Threshold(0, "<=", 5), Threshold(0, ">=", 6)],
    )
    assert learned.encode([0, 4, 9]).tolist() == learned.encode([[0], [4], [9]]).tolist()
    assert learned.encode([4]).tolist() == [1]
    assert learned.state_of(9) == learned.state_of([9]) == 2


def test_predicates_encode_any_python_objects() -> None:
    learned = ring(predicates(str.isupper, str.islower, str.isdigit), [0, 1, 2])
    assert learned.encode(["A", "7", "b"]).tolist() == [0, 2, 1]
    assert learned.state_of("b") == 1


def test_own_feature_function_receives_a_batch() -> None:
    learned = ring(Featured(lambda images: images.reshape(len(images), -1), Components(4)), [1, 0])
    images = np.array(BITS[:2], dtype=np.bool_).reshape(2, 2, 2)
    assert learned.encode(images).tolist() == [0, 1]
    assert learned.state_of(images[1]) == 1


@pytest.mark.parametrize(
    ("observation", "said"),
    [
        (np.zeros(5, dtype=np.bool_), r"shape \(5,\): expected one observation, of shape \(4,\)"),
        (np.zeros((1, 4), dtype=np.bool_), "encode takes several"),
        (np.zeros((1, 2, 2), dtype=np.bool_), "encode takes several"),
        (packed_bits(np.zeros((2, 4), dtype=np.bool_)), "2 rows: expected one observation"),
        ([[0, 1], [1]], "expected rows of one length"),
        (np.array([0, 1, 2, 0]), "batch = rows with 2: expected booleans, or 0 and 1"),
    ],
)
def test_state_of_refuses_other_than_one_observation(observation: object, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        ON_BITS["components"].state_of(observation)


def test_learned_lock_encodes_each_state_with_its_own_label() -> None:
    learned, _, seen = one_lock()
    labels = learned.encode(seen)
    assert sorted(labels.tolist()) == [0, 1, 2, 3]
    for row, label in zip(seen, labels, strict=True):
        assert learned.state_of(row) == label


def test_encoding_without_an_encoder_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="expected a run with an encoder"):
        Learned(RING, 0, 9, None, None).encode([[1]])


def test_learned_of_a_run_that_was_not_accepted_raises() -> None:
    world, oracle = grid(0).world(0), grid(0).oracle()
    parameters = bounds(4, 6, delta=Fraction(1, 9), epsilon=Fraction(1, 9))
    result = attempt(world, oracle, Located(parameters), max_steps=20)
    with pytest.raises(AssumptionViolated, match="20 steps"):
        Learned.of(result, oracle)


def test_learned_prints_its_sizes_and_guarantee() -> None:
    text = str(one_lock().learned)
    assert text.startswith("4 states and 2 actions, learned in ")
    assert "with probability at least 19/20" in text.replace("\n", " ")
    assert "chance at most 1/20." in text.replace("\n", " ")
    assert max(map(len, text.splitlines())) <= 80
    unsaid = Learned(RING, current=0, steps=1, guarantee=None, encoder=None)
    assert str(unsaid) == "3 states and 2 actions, learned in 1 step."


def test_boolean_is_not_accepted_as_a_label() -> None:
    with pytest.raises(InvalidArgument, match="expected one observation"):
        one_lock().learned.plan(to=True)
