"""Figure 1 shows what the learner did, and its transition graphs can be read."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.learning.model import Transition
from steel_verified.reports.figures.discovery import (
    Pane,
    animated,
    caption,
    chosen_panes,
    discovery,
    discovery_figure,
)
from steel_verified.reports.graphs import Graph, graph
from steel_verified.strategies import dynamics
from steel_verified.worlds.catalogue import NAMES, instance
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.instances import Instance, instance_of_table
from steel_verified.worlds.runs import predict

GRID = instance("grid", 0)


@cache
def panes_of(name: str) -> tuple[Pane, ...]:
    chosen = instance(name, 0)
    return discovery(chosen, predict(chosen))


def walk(world: Dynamics, start: int, pane: Pane, steps: int) -> list[Transition]:
    """The transitions of the call's loop, step by step."""
    walked = []
    for step in range(steps):
        action = pane.word[step % len(pane.word)]
        walked.append(Transition(start, action, world.table[start][action]))
        start = walked[-1].to
    return walked


def require_truthful(chosen: Instance, panes: tuple[Pane, ...]) -> None:
    world = chosen.dynamics
    known: frozenset[Transition] = frozenset()
    here = chosen.start
    for number, pane in enumerate(panes, start=1):
        assert (pane.number, pane.begins, pane.known) == (number, here, known)
        # Within |S| words the loop is entered, within as many again it is gone through.
        entered, around = world.states * len(pane.word), pane.period * len(pane.word)
        steps = walk(world, here, pane, 2 * entered + 1)
        assert steps[entered] == steps[entered + around]
        assert pane.cycle == set(steps[entered:])
        assert pane.new
        assert pane.new == pane.cycle - known
        known |= pane.cycle
        assert pane.seen == {step.state for step in known} == {step.to for step in known}
        assert pane.steps > entered
        here = steps[entered + (pane.steps - entered) % around].state
        assert pane.ends == here
    assert known == {
        Transition(state, action, to)
        for state, row in enumerate(world.table)
        for action, to in enumerate(row)
    }


@pytest.mark.parametrize("name", NAMES)
def test_each_pane_shows_what_its_call_walks(name: str) -> None:
    require_truthful(instance(name, 0), panes_of(name))


@given(dynamics(), st.data())
def test_discovery_figure_of_a_user_table_is_truthful(world: Dynamics, data: st.DataObject) -> None:
    chosen = replace(
        instance_of_table("own", world),
        start=data.draw(st.integers(0, world.states - 1)),
        first_action=data.draw(st.integers(0, world.actions - 1)),
    )
    require_truthful(chosen, discovery(chosen, predict(chosen)))


@given(st.integers(1, 200))
def test_a_page_shows_the_first_calls_and_the_last_and_is_even_between(calls: int) -> None:
    (pane, *_) = panes_of("grid")
    panes = [replace(pane, number=number) for number in range(1, calls + 1)]
    shown = [pane.number for pane in chosen_panes(panes)]
    assert len(shown) == min(calls, 16)
    assert shown[:8] == list(range(1, 9))[:calls]
    assert shown[-1] == calls
    steps = {after - before for before, after in pairwise(shown[7:])}
    assert all(step > 0 for step in steps)
    assert not steps or max(steps) - min(steps) <= 1
    text = caption(GRID, panes)
    assert ("The only call" if calls == 1 else f"{calls} calls") in text
    assert ("evenly spaced" in text) == (len(shown) < calls)


def test_the_figure_has_a_pane_for_each_call_with_its_word() -> None:
    panes = panes_of("grid")
    titles = [axes.get_title() for axes in discovery_figure(GRID, panes).axes if axes.get_title()]
    assert len(titles) == len(panes) == 15
    for title, pane in zip(titles, panes, strict=True):
        assert title.startswith(f"{pane.number}:")
        assert title.endswith("".join("UDLR"[action] for action in pane.word))


MEANINGS = ["unknown", "known before the call", "the call's cycle", "new in this call"]


@pytest.mark.parametrize(
    "chosen",
    [GRID, instance("single-prime", 0, p=3, q=5), instance_of_table("one", Dynamics(((0,),)))],
    ids=lambda chosen: str(chosen.name),
)
def test_the_figure_says_what_its_colours_mean_below_its_panes(chosen: Instance) -> None:
    figure = discovery_figure(chosen, discovery(chosen, predict(chosen)))
    (key,) = figure.legends
    assert [text.get_text() for text in key.get_texts()] == [*MEANINGS, "where the call ends"]
    figure.draw_without_rendering()
    box = key.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.width
    assert box.y1 <= min(axes.get_window_extent().y0 for axes in figure.axes)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_colours_the_transitions_of_each_call(name: str) -> None:
    chosen = instance(name, 0)
    drawn, panes = graph(chosen.dynamics.table, chosen.layout), panes_of(name)
    text = animated(chosen, panes).decode()
    assert "{{" not in text
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    frames = json.loads(data)
    steps = [arrow.transition for arrow in drawn.arrows]
    assert text.count("<path ") == len(steps)
    assert text.count("<circle ") == chosen.dynamics.states
    assert len(frames) == len(panes)
    for frame, pane in zip(frames, panes, strict=True):
        assert {steps[number] for number in frame["cycle"]} == pane.cycle
        assert {steps[number] for number in frame["new"]} == pane.new
        assert set(frame["seen"]) == pane.seen
        assert frame["ends"] == pane.ends


def test_a_page_does_not_trust_the_name_of_a_world() -> None:
    page = animated(replace(GRID, name="</script><i>&"), panes_of("grid"))
    assert b"<i>" not in page
    assert b"&lt;/script&gt;&lt;i&gt;&amp;" in page


def distance_to_rim(drawn: Graph, state: int, point: complex) -> float:
    disc = drawn.states[state]
    return abs(abs(point - disc.centre) - disc.radius)


@given(dynamics(max_states=7, max_actions=4))
def test_every_transition_is_an_arrow_of_its_own_between_its_states(world: Dynamics) -> None:
    drawn = graph(world.table, instance_of_table("own", world).layout)
    assert [arrow.transition for arrow in drawn.arrows] == [
        (state, action, to)
        for state, row in enumerate(world.table)
        for action, to in enumerate(row)
    ]
    for arrow in drawn.arrows:
        assert distance_to_rim(drawn, arrow.transition.state, arrow.curve[0]) < 1e-9
        assert distance_to_rim(drawn, arrow.transition.to, arrow.head[0]) < 1e-9
    for one, other in combinations(drawn.arrows, 2):
        if {*one.transition[::2]} == {*other.transition[::2]}:
            assert abs(sum(one.curve) - sum(other.curve)) / 4 > 0.05 * drawn.unit
    low, high = drawn.corners
    places = [disc.centre for disc in drawn.states]
    for point in (*places, *(point for arrow in drawn.arrows for point in arrow.head)):
        assert low.real < point.real < high.real
        assert low.imag < point.imag < high.imag


def require_clear(drawn: Graph) -> None:
    for arrow in drawn.arrows:
        a, b, c, d = arrow.curve
        for share in (n / 20 for n in range(21)):
            rest = 1 - share
            point = rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d
            for state, disc in enumerate(drawn.states):
                if state not in (arrow.transition.state, arrow.transition.to):
                    assert abs(point - disc.centre) > disc.radius


@pytest.mark.parametrize("name", NAMES)
def test_no_arrow_of_the_papers_worlds_runs_into_a_third_state(name: str) -> None:
    chosen = instance(name, 0)
    require_clear(graph(chosen.dynamics.table, chosen.layout))


def test_an_arrow_back_to_the_start_of_a_corridor_bends_around_the_states_between() -> None:
    for length in range(3, 6):
        table = tuple(((state + 1) % length,) for state in range(length))
        require_clear(graph(table, [(state, 0) for state in range(length)]))


@pytest.mark.parametrize("name", NAMES)
def test_heads_in_the_papers_worlds_fit_side_by_side_at_a_size_that_can_be_seen(name: str) -> None:
    chosen = instance(name, 0)
    drawn = graph(chosen.dynamics.table, chosen.layout)
    for state, disc in enumerate(drawn.states):
        heads = [arrow.head for arrow in drawn.arrows if arrow.transition.to == state]
        widths = [abs(left - right) for _, left, right in heads]
        assert sum(widths) <= 2 * pi * disc.radius
        assert min(widths) >= 0.09 * drawn.unit


@pytest.mark.parametrize("actions", [1, 2, 8, 60])
def test_heads_get_smaller_where_a_state_has_no_room_to_grow(actions: int) -> None:
    rows = ((0,) * (actions - 1) + (1,), (0,) * actions)
    drawn = graph(rows, [(0, 0), (1, 0)])
    assert drawn.states[0].radius == drawn.states[1].radius
    heads = [arrow.head for arrow in drawn.arrows if arrow.transition.to == 0]
    assert sum(abs(left - right) for _, left, right in heads) <= 2 * pi * drawn.states[0].radius
