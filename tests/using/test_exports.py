"""Other programs can read the exported models."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest
from aalpy.utils import load_automaton_from_file
from gymnasium.utils.env_checker import check_env

from steel_verified.errors import InvalidArgument
from steel_verified.using.learned import Learned

from .material import RING, one_lock

if TYPE_CHECKING:
    from pathlib import Path

LEARNED = Learned(RING, 1, 9, None, None)


def test_networkx_has_an_edge_for_each_transition() -> None:
    graph = LEARNED.to_networkx()
    assert sorted(graph) == [0, 1, 2]
    assert {(state, action, to) for state, to, action in graph.edges(keys=True)} == (
        RING.transitions()
    )
    assert graph.graph == {"current": 1}


def test_to_gymnasium_follows_the_model_and_never_ends() -> None:
    env = LEARNED.to_gymnasium()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    seen, _ = env.reset(seed=3)
    assert seen == 1
    after = [env.step(np.int64(action)) for action in (0, 0, 0, 1)]
    assert [label for label, *_ in after] == [2, 0, 1, 0]
    assert not any(terminated for _, _, terminated, _, _ in after)


def test_to_gymnasium_with_a_goal_ends_there_with_reward_one() -> None:
    env = LEARNED.to_gymnasium(start=0, goal=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    env.reset()
    on_the_way, at_the_goal = (env.step(np.int64(0)) for _ in range(2))
    assert on_the_way[1:4] == (0.0, False, False)
    assert at_the_goal[1:4] == (1.0, True, False)
    assert int(at_the_goal[0]) == 2


def test_dot_and_graphml_have_the_edges_of_the_model() -> None:
    dot = LEARNED.to_dot()
    assert '  1 -> 2 [label="0"];' in dot
    assert '  2 -> 0 [label="0,1"];' in dot
    assert "  1 [penwidth=3];" in dot
    graphml = LEARNED.to_graphml()
    assert graphml.count(b"<edge ") == 5
    assert b"0,1" in graphml


@pytest.mark.parametrize("learned", [LEARNED, one_lock().learned])
def test_aalpy_loads_the_automaton_with_the_same_transitions(
    tmp_path: Path, learned: Learned
) -> None:
    file = tmp_path / "learned.dot"
    file.write_text(learned.to_automaton(), encoding="utf-8")
    machine = load_automaton_from_file(str(file), automaton_type="moore")
    assert machine.initial_state.output == learned.current
    states = {state.output: state for state in machine.states}
    assert sorted(states) == list(range(learned.model.states))
    for state, action, to in learned.model.transitions():
        assert states[state].transitions[action] is states[to]
    word = learned.plan(to=0)
    assert machine.execute_sequence(machine.initial_state, word)[-1:] == [0][: len(word)]


@pytest.mark.parametrize("action", [-1, LEARNED.model.actions, 0.5])
def test_environment_refuses_unknown_actions(action: float) -> None:
    env = LEARNED.to_gymnasium()
    env.reset()
    with pytest.raises(InvalidArgument, match=r"action = .*: expected a whole number from 0 to "):
        env.step(action)  # type: ignore[arg-type]  # wrong on purpose
