"""Names of actions and states are kept, and shown wherever numbers would be."""

from __future__ import annotations

import pickle
from enum import IntEnum
from io import BytesIO
from typing import TYPE_CHECKING

import gymnasium
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified import learn
from steel_verified.classes.finite import Components
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import sealed
from steel_verified.gymnasium import Continuing, SomeActions
from steel_verified.gymnasium.continuing import action_names
from steel_verified.learning.saved_models import model_as_bytes, model_of
from steel_verified.plots import model_figure
from steel_verified.using.learned import Learned
from steel_verified.using.routes import Followed, Step
from steel_verified.using.saved import saved_model

from .material import RING, ring

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from steel_verified.evidence.codec import Json

PLAIN = ring(Components(4), [0, 1, 2])
NAMED = PLAIN.named(actions=("go on", "back"), states=("hall", 'the "study"', "attic"))


def _names(count: int) -> st.SearchStrategy[list[str]]:
    letters = st.characters(codec="utf-8")
    name = st.text(letters, min_size=1, max_size=5).filter(lambda text: bool(text.strip()))
    return st.lists(name, min_size=count, max_size=count, unique=True)


@given(actions=st.just([]) | _names(2), states=st.just([]) | _names(3))
def test_names_are_kept_in_files_and_pickles(actions: list[str], states: list[str]) -> None:
    learned = PLAIN.named(actions=actions, states=states)
    assert (learned.names.actions, learned.names.states) == (tuple(actions), tuple(states))
    assert pickle.loads(pickle.dumps(learned)).names == learned.names
    held = saved_model(RING, 1, 5, None, learned.encoder, learned.names)
    assert model_of(model_as_bytes(held), "f").names == learned.names


def test_a_model_without_names_is_written_as_before(tmp_path: Path) -> None:
    """Older programs read version 3, and refuse a field that they do not know."""
    PLAIN.save(tmp_path / "plain.json")
    NAMED.save(tmp_path / "named.json")
    plain, named = ((tmp_path / f"{name}.json").read_text() for name in ("plain", "named"))
    assert '"version":3' in plain
    assert "names" not in plain
    assert '"version":4' in named
    assert Learned.load(tmp_path / "named.json").names == NAMED.names
    assert Learned.load(tmp_path / "plain.json").names == PLAIN.names


def test_a_file_with_a_name_too_few_is_refused() -> None:
    content: dict[str, Json] = {
        "format": "steel-model",
        "version": 4,
        "actions": 1,
        "table": [[0]],
        "current": 0,
        "steps": 1,
        "classifiers": None,
        "action_names": ["a", "b"],
    }
    with pytest.raises(Unreadable, match="actions has something else than 1 different names"):
        model_of(sealed(content), "f.json")


def test_names_that_are_not_given_stay() -> None:
    renamed = NAMED.named(actions=("a", "b"))
    assert renamed.names.states == NAMED.names.states
    assert renamed.names.actions == ("a", "b")
    assert PLAIN.names.actions == ()


@pytest.mark.parametrize(
    "wrong", [("a",), ("a", "a"), ("a", " "), "ab", ("a", 1)], ids=["few", "twice", "", "text", "1"]
)
def test_wrong_names_are_refused(wrong: tuple[str, ...]) -> None:
    with pytest.raises(InvalidArgument, match=r"actions = .*: expected 2 different names, one for"):
        PLAIN.named(actions=wrong)


class Moves(IntEnum):
    """The actions of an environment, as MiniGrid names them."""

    up = 0
    right = 1
    down = 2
    left = 3


def cliff() -> gymnasium.Env[np.int64, np.int64]:
    return gymnasium.make("CliffWalking-v1").unwrapped


def test_an_environment_gives_the_names_of_its_actions() -> None:
    listed, meant, told, wrong = cliff(), cliff(), cliff(), cliff()
    vars(listed)["actions"] = Moves
    vars(meant)["get_action_meanings"] = lambda: ["up", "right", "down", "left"]
    told.metadata = {"action_names": ["up", "right", "down", "left"]}
    wrong.metadata = {"action_names": ["up", "down"]}
    assert [action_names(env) for env in (listed, meant, told, Continuing(told))] == [
        ("up", "right", "down", "left")
    ] * 4
    assert action_names(SomeActions(meant, (3, 0))) == ("left", "up")
    assert action_names(wrong) == action_names(cliff()) == ()
    assert learn(told, Components(48), seed=1).names.word((1, 3)) == "right, left"


def test_a_followed_plan_is_told_with_names() -> None:
    steps = (Step(0, 1, 1), Step(0, 2, 0))
    text = str(Followed(0, 2, steps, None, names=NAMED.names)).splitlines()
    assert text == [
        "From state hall to attic by the actions go on, go on: not arrived.",
        "Step 2, action go on: expected state attic, the encoder sees state hall.",
    ]
    assert NAMED.names.word(NAMED.plan(to=0)) == "back"


def test_graphs_have_the_names() -> None:
    dot = NAMED.to_dot()
    assert r'  1 [label="the \"study\""];' in dot
    assert '  2 -> 0 [label="go on,back"];' in dot
    read = nx.read_graphml(BytesIO(NAMED.to_graphml()))
    assert [read.nodes[n]["name"] for n in "012"] == ["hall", 'the "study"', "attic"]
    assert read.get_edge_data("2", "0")["actions"] == "go on,back"
    graph = NAMED.to_networkx()
    assert graph.nodes[2]["name"] == "attic"
    assert graph.get_edge_data(1, 0, 1)["name"] == "back"
    assert not PLAIN.to_networkx().nodes[2]


def test_figures_have_the_names() -> None:
    legend = model_figure(NAMED).axes[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["go on", "back"]
    written = [text.get_text().replace("\n", " ") for text in model_figure(NAMED).axes[0].texts]
    assert written == list(NAMED.names.states)
    assert [text.get_text() for text in model_figure(PLAIN).axes[0].texts] == ["0", "1", "2"]
