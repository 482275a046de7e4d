"""A learned model is read as it was written; other files are refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.cli import main
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Json, canonical, sealed
from steel_verified.learning.model import Model
from steel_verified.learning.saved_models import (
    MODEL,
    SavedModel,
    model_as_bytes,
    model_of,
    read_model,
)

from ..certificates.content import as_json

if TYPE_CHECKING:
    from pathlib import Path


@st.composite
def saved_models(draw: st.DrawFn) -> SavedModel:
    states, actions = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    state = st.integers(0, states - 1)
    row = st.lists(state, min_size=actions, max_size=actions).map(tuple)
    table = draw(st.lists(row, min_size=states, max_size=states).map(tuple))
    some = st.lists(st.integers(0, 600), min_size=states, max_size=states).map(tuple)
    return SavedModel(
        Model(actions, table), draw(state), draw(st.none() | some), draw(st.integers(0, 10**12))
    )


@given(model=saved_models())
def test_model_is_read_as_it_was_written(model: SavedModel) -> None:
    assert model_of(model_as_bytes(model), "m.json") == model


@pytest.mark.parametrize("only", ["", " --dynamics-only"])
def test_steel_learn_writes_the_model_of_its_certificate(tmp_path: Path, only: str) -> None:
    file, evidence = tmp_path / "m.json", tmp_path / "c.json"
    world = "single-prime --p 3 --q 5 --method looped"
    words = f"learn {world} --model {file} --certificate {evidence}{only}"
    assert CliRunner().invoke(main, words.split()).exit_code == 0
    found, certificate = read_model(file), json.loads(as_json(evidence.read_bytes()))
    assert [list(row) for row in found.model.table] == certificate["table"]
    assert (found.current, found.steps) == (certificate["current"], certificate["steps"])
    classifiers = certificate["classifiers"]
    assert found.classifiers == (classifiers and tuple(classifiers))
    assert (found.classifiers is None) == bool(only)


CONTENT: dict[str, Json] = {
    "actions": 2,
    "table": [[1, 0], [0, 1]],
    "current": 1,
    "classifiers": [4, 7],
    "steps": 1949,
}
SWITCH = SavedModel(Model(2, ((1, 0), (0, 1))), 1, (4, 7), 1949)


def test_model_without_a_header_is_read() -> None:
    assert model_of(json.dumps(CONTENT, indent=1).encode(), "m.json") == SWITCH


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"actions": 3}, "m.json: table[0] has something else than an entry for each action, 3"),
        ({"actions": "2"}, "m.json: is not a model (Expected `int`, got `str` - at `$.actions`)"),
        (
            {"table": [[1, 2], [0, 1]]},
            "m.json: table[0] has something else than states from 0 to 1",
        ),
        ({"table": [[1, None], [0, 1]]}, "Expected `int`, got `null` - at `$.table[0][1]`"),
        ({"table": [[1, True], [0, 1]]}, "Expected `int`, got `bool` - at `$.table[0][1]`"),
        ({"table": [[1, 0], 7]}, "Expected `array`, got `int` - at `$.table[1]`"),
        ({"table": {"0": [1, 0]}}, "Expected `array`, got `object` - at `$.table`"),
        ({"table": []}, "m.json: table has something else than every transition of some states"),
        ({"current": 2}, "m.json: current has something else than a state from 0 to 1"),
        ({"current": -1}, "m.json: current has something else than a state from 0 to 1"),
        ({"classifiers": [4]}, "m.json: classifiers has something else than 2 classifiers"),
        ({"classifiers": [4, -7]}, "m.json: classifiers has something else than classifiers of a"),
        ({"steps": -1}, "m.json: steps has something else than 0 or more"),
        ({"more": 1}, "contains unknown field `more`). Write it again with steel learn"),
    ],
)
def test_invalid_model_document_is_refused(changes: dict[str, Json], said: str) -> None:
    for data in (
        sealed({**MODEL.header, **CONTENT, **changes}),
        canonical({**CONTENT, **changes}),
    ):
        with pytest.raises(Unreadable) as refused:
            model_of(data, "m.json")
        assert said in str(refused.value)


def test_reading_a_certificate_as_a_model_is_refused() -> None:
    data = sealed({"format": "steel-certificate", "version": 1})
    with pytest.raises(Unreadable, match="Give a file of format steel-model"):
        model_of(data, "c.json")


def test_missing_or_huge_model_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="a regular file that exists"):
        read_model(tmp_path / "nowhere.json")
    huge = tmp_path / "huge.json"
    with huge.open("wb") as out:
        out.truncate(65 << 20)
    with pytest.raises(InvalidArgument, match="at most 64 MB"):
        read_model(huge)
