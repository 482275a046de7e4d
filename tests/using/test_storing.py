"""Learned models are saved and loaded, with every class of classifiers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.classes.features import Featured
from steel_verified.classes.finite import Components, Predicates, predicates, tables
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import sealed
from steel_verified.using.learned import Learned

from .material import RING, ring
from .test_encoding import BITS, NUMBERS, ON_BITS, ON_NUMBERS, STAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.codec import Json

SAVED = {name: each for name, each in ON_NUMBERS.items() if name != "fitted"}


def _same(one: Learned, other: Learned) -> bool:
    return (one.model, one.current, one.steps, one.guarantee) == (
        other.model,
        other.current,
        other.steps,
        other.guarantee,
    )


@pytest.mark.parametrize(
    ("learned", "rows"),
    [
        *((each, BITS) for each in ON_BITS.values()),
        *((each, NUMBERS) for each in SAVED.values()),
        (ring(tables([[True, False, False], [False, True, True]]), [0, 1, 1]), [0, 1, 2]),
    ],
    ids=[*ON_BITS, *SAVED, "tables"],
)
def test_loaded_model_gives_the_same_labels_as_the_saved_one(
    tmp_path: Path, learned: Learned, rows: list[object]
) -> None:
    file = tmp_path / "learned.json"
    learned.save(file)
    loaded = Learned.load(file)
    assert _same(loaded, learned)
    assert loaded.encode(rows).tolist() == learned.encode(rows).tolist()
    assert loaded.state_of(rows[1]) == 1
    again = tmp_path / "again.json"
    loaded.save(again)
    assert again.read_bytes() == file.read_bytes()


def test_model_without_an_encoder_is_saved_and_loaded(tmp_path: Path) -> None:
    Learned(RING, 1, 5, None, None).save(tmp_path / "m.json")
    loaded = Learned.load(tmp_path / "m.json")
    assert loaded.encoder is None
    assert loaded.guarantee is None
    assert loaded.plan(to=0) == (1,)


LETTERS: Predicates[str] = predicates(str.isupper, str.islower, str.isdigit)


def _doubled(rows: Numbers) -> Numbers:
    return rows.astype(np.float64) * 2


TWICE = Featured(_doubled, HalfSpaces(2))
WITNESSED_TWICE = Featured(_doubled, Witnessed(HalfSpaces(2)))


@pytest.mark.parametrize("oracle", [TWICE, WITNESSED_TWICE])
def test_loading_needs_the_class_with_its_feature_function(
    tmp_path: Path, oracle: Featured[Numbers, Numbers]
) -> None:
    file = tmp_path / "m.json"
    ring(oracle, STAIRS).save(file)
    with pytest.raises(InvalidArgument, match="functions = None: expected the class with which"):
        Learned.load(file)
    assert Learned.load(file, TWICE).encode(np.array(NUMBERS) / 2).tolist() == [0, 1, 2]
    with pytest.raises(InvalidArgument, match="expected a class that has the classifiers"):
        Learned.load(file, Featured(_doubled, HalfSpaces(3)))
    with pytest.raises(InvalidArgument, match="expected a class that has the classifiers"):
        Learned.load(file, HalfSpaces(2))


def test_loading_needs_the_predicates(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    ring(LETTERS, [0, 1, 2]).save(file)
    assert Learned.load(file, LETTERS).encode(["A", "7", "b"]).tolist() == [0, 2, 1]
    with pytest.raises(InvalidArgument, match="expected a class that has the classifiers"):
        Learned.load(file, predicates(str.isupper))


def test_loading_refuses_a_class_that_the_file_has(tmp_path: Path) -> None:
    ON_BITS["components"].save(tmp_path / "m.json")
    with pytest.raises(InvalidArgument, match="expected nothing: the file has its class"):
        Learned.load(tmp_path / "m.json", Components(4))


def test_saving_fitted_functions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="a function cannot be written"):
        ON_NUMBERS["fitted"].save(tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"guarantee": {"delta": "1/20"}}, r"missing required field `method` - at `\$.guarantee`"),
        ({"guarantee": 7}, r"got `int` - at `\$.guarantee`"),
        ({"on_features": 1}, r"Expected `bool`, got `int` - at `\$.on_features`"),
    ],
)
def test_loading_an_invalid_file_is_refused(
    tmp_path: Path, change: dict[str, Json], said: str
) -> None:
    _refused_with(tmp_path, change, said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"delta": "0.05"}, r"'0.05' is not a Fraction - at `\$.guarantee.delta`"),
        ({"delta": "1e-999999999"}, r"is not a Fraction - at `\$.guarantee.delta`"),
        ({"epsilon": "1/0"}, r"'1/0' is not a Fraction - at `\$.guarantee.epsilon`"),
        ({"epsilon": "3/2"}, "epsilon = 3/2: expected a fraction between 0 and 1"),
        ({"method": "guessed"}, r"Invalid enum value 'guessed' - at `\$.guarantee.method`"),
        ({"certified": 1}, r"Expected `bool`, got `int` - at `\$.guarantee.certified`"),
        ({"more": 1}, "contains unknown field `more`"),
    ],
)
def test_loading_an_invalid_guarantee_is_refused(
    tmp_path: Path, change: dict[str, Json], said: str
) -> None:
    right: dict[str, Json] = {
        "method": "located",
        "delta": "1/20",
        "epsilon": "1/10",
        "certified": True,
    }
    _refused_with(tmp_path, {"guarantee": {**right, **change}}, said)


def _refused_with(folder: Path, change: dict[str, Json], said: str) -> None:
    file = folder / "m.json"
    ON_BITS["components"].save(file)
    content = json.loads(file.read_bytes())
    del content["digest"]
    file.write_bytes(sealed({**content, **change}))
    with pytest.raises(Unreadable, match=said):
        Learned.load(file)
