"""Classes and classifiers are read as they were written; damaged documents are refused."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.features import Featured, Monomials, ShortConjunctions
from steel_verified.classes.finite import Components, predicates, tables
from steel_verified.classes.fitted import Fitted
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces
from steel_verified.classes.intervals import Box, Boxes, Threshold, Thresholds
from steel_verified.classes.rows import FLOAT64, Integers
from steel_verified.classes.saving import SavedClass, class_of_json, classifiers_from_json
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.oracle import Classifier, savable
from steel_verified.learning.model import Model
from steel_verified.learning.saved_models import SavedModel, model_as_bytes, model_of

if TYPE_CHECKING:
    from steel_verified.classes.rows import Domain
    from steel_verified.evidence.codec import Json

Drawn: TypeAlias = tuple[SavedClass, tuple[Classifier, ...]]

WIDE = st.integers(-(10**40), 10**40) | st.integers(-(2**9000), 2**9000)


def bounds(domain: Domain) -> st.SearchStrategy[float]:
    if isinstance(domain, Integers):
        return st.integers(domain.lowest, domain.highest) | st.sampled_from([-inf, inf])
    return st.floats(allow_nan=False)


@st.composite
def on_numbers(draw: st.DrawFn, features: int) -> tuple[SavedClass, st.SearchStrategy[Classifier]]:
    """Draw a class on numbers, and a strategy for its classifiers."""
    lowest = draw(st.integers(-(2**63), 2**63 - 2))
    domain = draw(
        st.just(FLOAT64) | st.integers(lowest + 1, 2**63 - 1).map(lambda h: Integers(lowest, h))
    )
    point = st.tuples(*[bounds(domain)] * features)
    signs = st.sampled_from([">=", "<="])
    choices: list[tuple[SavedClass, st.SearchStrategy[Classifier]]] = [
        (
            Thresholds(features, domain),
            st.builds(Threshold, st.integers(0, features - 1), signs, bounds(domain)),
        ),
        (Boxes(features, domain), st.builds(Box, point, point)),
        (HalfSpaces(features, domain), st.builds(HalfSpace, st.tuples(*[WIDE] * features), WIDE)),
    ]
    return draw(st.sampled_from(choices))


@st.composite
def saved_classifiers(draw: st.DrawFn) -> Drawn:
    features = draw(st.integers(1, 10))
    bits = st.integers(0, 2**features - 1)
    rows = st.lists(st.lists(st.booleans(), min_size=features, max_size=features), min_size=1)
    kind = draw(st.integers(0, 5))
    functions: SavedClass
    classifiers: st.SearchStrategy[Classifier]
    if kind == 0:
        functions, classifiers = Components(features), st.integers(0, features - 1)
    elif kind == 1:
        table = tables(draw(rows))
        functions, classifiers = table, st.integers(0, table.class_size - 1)
    elif kind == 2:
        functions, classifiers = Conjunctions(features), st.builds(Conjunction, bits, bits)
    elif kind == 3:
        functions, classifiers = draw(on_numbers(features))
    elif kind == 4:
        short = ShortConjunctions(draw(st.integers(2, 4)), draw(st.integers(1, 2)))
        functions = Featured(short, Components(short.size))
        classifiers = st.integers(0, short.size - 1)
    else:
        monomials = Monomials(draw(st.integers(1, 3)), draw(st.integers(1, 2)))
        inner, classifiers = draw(on_numbers(monomials.size))
        functions = Featured(monomials, inner)
    return functions, tuple(draw(st.lists(classifiers, min_size=1, max_size=3)))


@given(saved=saved_classifiers(), with_encoder=st.booleans())
def test_model_with_classifiers_is_read_as_it_was_written(
    saved: Drawn, *, with_encoder: bool
) -> None:
    functions, classifiers = saved
    states = len(classifiers)
    table = tuple(((s + 1) % states,) for s in range(states))
    model = SavedModel(Model(1, table), 0, classifiers if with_encoder else None, 7, functions)
    data = model_as_bytes(model)
    assert model_of(data, "m.json") == model
    assert model_as_bytes(model_of(data, "m.json")) == data


@given(saved=saved_classifiers(), place=st.integers(0), letter=st.integers(1, 255))
def test_document_with_one_changed_byte_is_refused(saved: Drawn, place: int, letter: int) -> None:
    functions, classifiers = saved
    table = tuple((s,) for s in range(len(classifiers)))
    data = bytearray(model_as_bytes(SavedModel(Model(1, table), 0, classifiers, 7, functions))[:-1])
    data[place % len(data)] ^= letter
    with pytest.raises(Unreadable):
        model_of(bytes(data), "m.json")


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
    one = Model(1, ((0,),))
    with pytest.raises(InvalidArgument, match="expected classifiers of HalfSpaces"):
        SavedModel(one, 0, (Box((0.0,), (1.0,)),), 1, HalfSpaces(1))
    with pytest.raises(InvalidArgument, match="expected classifiers of Components"):
        SavedModel(one, 0, (2,), 1, Components(2))
    with pytest.raises(InvalidArgument, match="only Box, which this class makes"):
        Boxes(1).values(3, np.array([1.0]))


def test_class_with_own_functions_has_no_description() -> None:
    assert Featured(lambda rows: rows, Boxes(1)).described is None
    assert predicates(bool).described is None
    with pytest.raises(InvalidArgument, match="functions cannot be written"):
        savable(Fitted(1, lambda _zeros, _ones: None))


BOXES: dict[str, Json] = {"name": "boxes", "features": 1, "domain": "float64"}
BOX: dict[str, Json] = {"least": ["0.5"], "greatest": ["inf"]}
PLANES: dict[str, Json] = {"name": "half-spaces", "features": 1, "domain": "float64"}
CONJUNCTIONS: dict[str, Json] = {"name": "conjunctions", "features": 3}


@pytest.mark.parametrize(
    ("functions", "classifier", "said"),
    [
        ({"name": "balls"}, None, "the name and the sizes of a known class"),
        ({**BOXES, "more": 1}, None, "the name and the sizes"),
        ({**BOXES, "features": 0}, None, "an integer, at least 1"),
        ({**BOXES, "features": True}, None, "an integer, at least 1"),
        ({**BOXES, "features": "1"}, None, "the name and the sizes"),
        ({**BOXES, "domain": "float32"}, None, "the least and the greatest integer"),
        ({**BOXES, "domain": [1, 1]}, None, "highest has something else"),
        (BOXES, {**BOX, "least": ["0.50"]}, "as Python writes them"),
        (BOXES, {**BOX, "least": ["half"]}, "as Python writes them"),
        (BOXES, {**BOX, "least": [None]}, "as Python writes them"),
        (BOXES, {**BOX, "least": ["nan"]}, "classifiers of Boxes"),
        (BOXES, {**BOX, "least": [0]}, "classifiers of Boxes"),
        (BOXES, {**BOX, "least": []}, "classifiers of Boxes"),
        (BOXES, {**BOX, "more": 1}, "the least and the greatest values"),
        (BOXES, {"least": ["0.5"]}, "the least and the greatest values"),
        (BOXES, 3, "the least and the greatest values"),
        ({**BOXES, "name": "thresholds"}, {"feature": True, "sign": ">=", "bound": "0.5"}, "Thr"),
        ({**BOXES, "name": "thresholds"}, {"feature": 0, "sign": ">", "bound": "0.5"}, "a sign"),
        ({"name": "components", "size": 2}, 2, "classifiers of Components"),
        ({"name": "components", "size": 2}, True, "whole numbers"),
        ({"name": "components", "size": 0}, None, "class_size"),
        ({"name": "tables", "rows": ["01", "0"]}, None, "rows has"),
        ({"name": "tables", "rows": ["02"]}, None, "texts of 0 and 1"),
        (CONJUNCTIONS, "1-", "each of 3 bits"),
        (CONJUNCTIONS, "1-?", "each of 3 bits"),
        (PLANES, {"weights": ["0x01"], "bias": "0x0"}, "in base 16"),
        (PLANES, {"weights": ["one"], "bias": "0x0"}, "in base 16"),
        (
            {"name": "on monomials", "features": 2, "degree": 2, "on": BOXES},
            None,
            "something else than 5, the number of monomials",
        ),
    ],
)
def test_invalid_class_or_classifier_is_refused(
    functions: Json, classifier: Json, said: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        classifiers_from_json(functions, [] if classifier is None else [classifier], "c.json")
    assert said in str(refused.value)
    assert str(refused.value).startswith("c.json: ")


def test_classes_are_described_in_these_words() -> None:
    grey: dict[str, Json] = {"name": "thresholds", "features": 2, "domain": [0, 9]}
    for functions, described in (
        (Boxes(1), BOXES),
        (HalfSpaces(1), PLANES),
        (Conjunctions(3), CONJUNCTIONS),
        (Thresholds(2, Integers(0, 9)), grey),
    ):
        assert functions.described == described
        assert class_of_json(described) == functions
    assert Boxes(1).written(Box((0.5,), (inf,))) == BOX
    assert HalfSpaces(1).written(HalfSpace((-31,), 2)) == {"weights": ["-0x1f"], "bias": "0x2"}
    assert Conjunctions(4).written(Conjunction(0b0101, 0b0110)) == "10x-"
