"""Classes and classifiers are read as they were written; damaged documents are refused."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.finite import Components, tables
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces
from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import FLOAT64, Integers
from steel_verified.classes.saving import (
    CLASSIFIERS,
    SavedClassifiers,
    classifiers_as_bytes,
    classifiers_of,
)
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Json, sealed
from steel_verified.learning.model import Model
from steel_verified.learning.saved_models import SavedModel, model_as_bytes, model_of

if TYPE_CHECKING:
    from steel_verified.classes.rows import Domain
    from steel_verified.classes.saving import SavedClass, SavedClassifier

WIDE = st.integers(-(10**40), 10**40) | st.integers(-(2**9000), 2**9000)


def bounds(domain: Domain) -> st.SearchStrategy[float]:
    if isinstance(domain, Integers):
        return st.integers(domain.lowest, domain.highest) | st.sampled_from([-inf, inf])
    return st.floats(allow_nan=False)


@st.composite
def on_numbers(
    draw: st.DrawFn, features: int
) -> tuple[SavedClass, st.SearchStrategy[SavedClassifier]]:
    """Draw a class on numbers, and a strategy for its classifiers."""
    lowest = draw(st.integers(-(2**63), 2**63 - 2))
    domain = draw(
        st.just(FLOAT64) | st.integers(lowest + 1, 2**63 - 1).map(lambda h: Integers(lowest, h))
    )
    point = st.tuples(*[bounds(domain)] * features)
    signs = st.sampled_from([">=", "<="])
    choices: list[tuple[SavedClass, st.SearchStrategy[SavedClassifier]]] = [
        (
            Thresholds(features, domain),
            st.builds(Threshold, st.integers(0, features - 1), signs, bounds(domain)),
        ),
        (Boxes(features, domain), st.builds(Box, point, point)),
        (HalfSpaces(features, domain), st.builds(HalfSpace, st.tuples(*[WIDE] * features), WIDE)),
    ]
    return draw(st.sampled_from(choices))


@st.composite
def saved_classifiers(draw: st.DrawFn) -> SavedClassifiers:
    features = draw(st.integers(1, 10))
    bits = st.integers(0, 2**features - 1)
    rows = st.lists(st.lists(st.booleans(), min_size=features, max_size=features), min_size=1)
    kind = draw(st.integers(0, 4))
    functions: SavedClass
    classifiers: st.SearchStrategy[SavedClassifier]
    if kind == 0:
        functions, classifiers = Components(features), st.integers(0, features - 1)
    elif kind == 1:
        functions = tables(draw(rows))
        classifiers = st.integers(0, functions.class_size - 1)
    elif kind == 2:
        functions, classifiers = Conjunctions(features), st.builds(Conjunction, bits, bits)
    elif kind == 3:
        functions, classifiers = draw(on_numbers(features))
    else:
        monomials = Monomials(draw(st.integers(1, 3)), draw(st.integers(1, 2)))
        inner, classifiers = draw(on_numbers(monomials.size))
        match inner:
            case Thresholds():
                functions = Featured(monomials, inner)
            case Boxes():
                functions = Featured(monomials, inner)
            case HalfSpaces():
                functions = Featured(monomials, inner)
            case _:
                raise AssertionError(inner)
    return SavedClassifiers(functions, tuple(draw(st.lists(classifiers, min_size=1, max_size=3))))


@given(saved=saved_classifiers())
def test_classifiers_are_read_as_they_were_written(saved: SavedClassifiers) -> None:
    data = classifiers_as_bytes(saved)
    again = classifiers_of(data, "c.json")
    assert again == saved
    assert classifiers_as_bytes(again) == data


@given(saved=saved_classifiers(), with_encoder=st.booleans())
def test_model_with_classifiers_is_read_as_it_was_written(
    saved: SavedClassifiers, *, with_encoder: bool
) -> None:
    states = len(saved.classifiers)
    table = tuple(((s + 1) % states,) for s in range(states))
    classifiers = saved.classifiers if with_encoder else None
    model = SavedModel(Model(1, table), 0, classifiers, 7, saved.functions)
    assert model_of(model_as_bytes(model), "m.json") == model


@given(saved=saved_classifiers(), place=st.integers(0), letter=st.integers(1, 255))
def test_document_with_one_changed_byte_is_refused(
    saved: SavedClassifiers, place: int, letter: int
) -> None:
    data = bytearray(classifiers_as_bytes(saved)[:-1])
    data[place % len(data)] ^= letter
    with pytest.raises(Unreadable):
        classifiers_of(bytes(data), "c.json")


def test_encoder_gives_the_same_labels_after_reading() -> None:
    rows = np.array([[0.2, 0.9], [0.7, 0.1]])
    monomials = Monomials(2, 2)
    on_monomials = Featured(monomials, HalfSpaces(monomials.size))
    bits = np.array([[True, False], [False, True]])
    one, other = HalfSpace((-1, 1, 0, 0, 0), 0), HalfSpace((0, 0, 1, 0, -1), 0)
    for functions, classifiers, batch in (
        (Boxes(2), (Box((-inf, 0.5), (inf, inf)), Box((-inf, -inf), (inf, 0.5))), rows),
        (Thresholds(2), (Threshold(0, "<=", 0.5), Threshold(0, ">=", 0.5)), rows),
        (HalfSpaces(2), (HalfSpace((-1, 1), 0), HalfSpace((1, -1), 0)), rows),
        (on_monomials, (one, other), rows),
        (Conjunctions(2), (Conjunction(1, 0), Conjunction(2, 1)), bits),
        (Components(2), (0, 1), bits),
        (tables([[True, False], [False, True]]), (0, 1), np.array([0, 1])),
    ):
        written = SavedModel(Model(1, ((1,), (0,))), 0, classifiers, 1, functions)
        saved = model_of(model_as_bytes(written), "m.json")
        assert saved.encode(batch).tolist() == [0, 1]
        assert saved.encode(batch[::-1].copy()).tolist() == [1, 0]


def test_encoding_with_a_model_without_a_class_is_refused() -> None:
    old = SavedModel(Model(1, ((1,), (0,))), 0, (0, 1), 1)
    with pytest.raises(InvalidArgument, match="saved with its classifiers and their class"):
        old.encode(np.array([[True, False]]))
    with pytest.raises(InvalidArgument, match="numbers from 0 on"):
        SavedModel(Model(1, ((0,),)), 0, (Box((0.0,), (1.0,)),), 1)


def test_classifiers_of_another_class_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="expected classifiers of Boxes"):
        SavedClassifiers(Boxes(2), (HalfSpace((1, 2), 3),))
    with pytest.raises(InvalidArgument, match="expected classifiers of Components"):
        SavedClassifiers(Components(2), (2,))
    with pytest.raises(InvalidArgument, match="expected classifiers of HalfSpaces"):
        SavedModel(Model(1, ((0,),)), 0, (Box((0.0,), (1.0,)),), 1, HalfSpaces(1))
    held = SavedClassifiers(Boxes(1), (Box((0.0,), (1.0,)),))
    with pytest.raises(InvalidArgument, match="a classifier of Boxes"):
        held.values(3, np.array([1.0]))


def test_saving_a_class_with_own_functions_is_refused() -> None:
    of_my_own = Featured(lambda rows: rows, Boxes(1))
    saved = SavedClassifiers(of_my_own, (Box((0.0,), (1.0,)),))
    with pytest.raises(InvalidArgument, match="not one that contains functions"):
        classifiers_as_bytes(saved)


BOXES: dict[str, Json] = {"name": "boxes", "features": 1, "domain": "float64"}
BOX: dict[str, Json] = {"least": ["0.5"], "greatest": ["inf"]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"class": BOXES}, "has the fields class, not class and classifiers"),
        ({"class": {"name": "balls"}, "classifiers": []}, "Invalid value 'balls'"),
        ({"class": {**BOXES, "more": 1}, "classifiers": []}, "unknown field `more`"),
        ({"class": {**BOXES, "features": 0}, "classifiers": []}, "Expected `int` >= 1"),
        ({"class": {**BOXES, "features": "1"}, "classifiers": []}, "Expected `int`, got `str`"),
        ({"class": {**BOXES, "domain": "float32"}, "classifiers": []}, "Invalid enum value"),
        ({"class": {**BOXES, "domain": [1, 1]}, "classifiers": []}, "highest has something else"),
        ({"class": BOXES, "classifiers": [{**BOX, "least": ["0.50"]}]}, "as Python writes them"),
        ({"class": BOXES, "classifiers": [{**BOX, "least": ["half"]}]}, "as Python writes them"),
        ({"class": BOXES, "classifiers": [{**BOX, "least": ["nan"]}]}, "classifiers of Boxes"),
        ({"class": BOXES, "classifiers": [{**BOX, "least": [0]}]}, "classifiers of Boxes"),
        ({"class": BOXES, "classifiers": [{**BOX, "least": []}]}, "classifiers of Boxes"),
        ({"class": BOXES, "classifiers": [{"least": ["0.5"]}]}, "missing required field"),
        ({"class": BOXES, "classifiers": [3]}, "Expected `object`, got `int`"),
        ({"class": {"name": "components", "size": 2}, "classifiers": [2]}, "Components"),
        ({"class": {"name": "tables", "rows": ["01", "0"]}, "classifiers": []}, "rows has"),
        ({"class": {"name": "conjunctions", "features": 3}, "classifiers": ["1-"]}, "each of 3"),
        ({"class": {"name": "conjunctions", "features": 2}, "classifiers": ["1?"]}, "regex"),
        (
            {
                "class": {"name": "half-spaces", "features": 1, "domain": "float64"},
                "classifiers": [{"weights": ["0x01"], "bias": "0x0"}],
            },
            "in base 16",
        ),
        (
            {
                "class": {"name": "on monomials", "features": 2, "degree": 2, "on": BOXES},
                "classifiers": [],
            },
            "something else than 5, the number of monomials",
        ),
    ],
)
def test_invalid_classifier_document_is_refused(content: dict[str, Json], said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        classifiers_of(sealed({**CLASSIFIERS.header, **content}), "c.json")
    assert said in str(refused.value)
    assert str(refused.value).startswith("c.json: ")


def test_document_has_exactly_these_fields() -> None:
    data = classifiers_as_bytes(SavedClassifiers(Boxes(1), (Box((0.5,), (inf,)),)))
    content = json.loads(data)
    del content["digest"]
    assert content == {**CLASSIFIERS.header, "class": BOXES, "classifiers": [BOX]}
