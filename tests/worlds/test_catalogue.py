"""Every entry of the catalogue can be made, run, predicted and drawn; the rest is refused."""

from __future__ import annotations

from dataclasses import replace

import gymnasium
import networkx as nx
import numpy as np
import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.envs import EndlessEnv
from steel_verified.reports.figures.world import world_figure
from steel_verified.theory.parameters import require_within
from steel_verified.worlds.catalogue import (
    KINDS,
    NAMES,
    SIZES,
    Kind,
    Size,
    instance,
    kind_of,
    setting,
)
from steel_verified.worlds.runs import predict, run

# Sizes with which a run takes a moment. A new entry of the catalogue needs a line here.
SMALL: dict[str, dict[str, float]] = {
    "combination-lock": {"states": 3, "components": 12},
    "multi-maze": {"mazes": 1},
    "double-prime": {"p": 2, "q": 3},
    "single-prime": {"p": 2, "q": 3},
    "grid": {},
}
EVERY = pytest.mark.parametrize("kind", KINDS, ids=NAMES)


@EVERY
def test_catalogue_entry_is_consistent_for_default_and_small_sizes(kind: Kind) -> None:
    for sizes in ({}, SMALL[kind.name]):
        chosen, given = kind.instance(0, sizes), kind.setting(sizes)
        assert chosen.name == given.name
        assert given.name.startswith(kind.name)
        assert given.place
        assert chosen.parameters == given.parameters
        assert chosen.extent == given.extent
        require_within(given.extent, given.parameters)
        assert given.parameters.actions == chosen.dynamics.actions
        assert len(chosen.layout) == chosen.dynamics.states
        assert len(kind.letters) in (0, chosen.dynamics.actions)
        assert chosen.simulation.drawn.truth().dynamics == chosen.dynamics
        assert chosen.simulation.drawn.truth().mixing_time <= given.parameters.mixing_time


@EVERY
def test_catalogue_world_runs_as_predicted(kind: Kind) -> None:
    chosen = kind.instance(1, SMALL[kind.name])
    chosen = replace(chosen, parameters=replace(chosen.parameters, max_states=chosen.extent.states))
    small = chosen.extent.states < 10
    for with_encoder in (False, True) if small else (False,):
        went = run(chosen, 2, with_encoder=with_encoder)
        assert went.findings.all_right
        assert (went.findings.encoder_right is not None) == with_encoder
        assert went.as_predicted
        if small:
            assert went.predicted is not None
            assert went.predicted.ledger == predict(chosen, with_encoder=with_encoder).ledger


@EVERY
def test_catalogue_world_can_be_drawn(kind: Kind) -> None:
    chosen = kind.instance(0, SMALL[kind.name])
    assert world_figure(chosen, 0).axes
    picture = chosen.simulation.pictures(0)(3, 0)
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    names = {chosen.action_name(action) for action in range(chosen.dynamics.actions)}
    assert len(names) == chosen.dynamics.actions


@EVERY
def test_catalogue_world_is_a_gymnasium_environment(kind: Kind) -> None:
    for sizes in ({}, SMALL[kind.name]):
        # mypy would take the sizes for options of `make` that are left open.
        env = gymnasium.make(
            kind.gymnasium_id,
            max_episode_steps=None,
            disable_env_checker=None,
            env_seed=1,
            **sizes,
        )
        assert isinstance(env.unwrapped, EndlessEnv)
        seen, _ = env.reset(seed=5)
        assert env.observation_space.contains(seen)
        assert np.shape(seen) == ((kind.width(sizes),) if kind.shows_bits else ())
        drawn = kind.instance(1, sizes).simulation.drawn
        assert np.array_equal(np.asarray(seen), np.asarray(drawn.see(5)(0, drawn.start)))


def test_gymnasium_ids_are_unchanged() -> None:
    assert tuple(kind.gymnasium_id for kind in KINDS) == (
        "steel_verified/CombinationLock-v0",
        "steel_verified/MultiMaze-v0",
        "steel_verified/DoublePrime-v0",
        "steel_verified/SinglePrime-v0",
        "steel_verified/Grid-v0",
    )


def test_size_names_are_unique_over_all_worlds() -> None:
    """So that one option of the command line can stand for it."""
    assert len({size.name for size in SIZES}) == len(SIZES)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    ("world", "sizes", "message"),
    [
        ("chess", {}, "WORLD = chess: expected one of combination-lock, multi-maze, double-prime"),
        ("grid", {"states": 4}, "states = 4: expected nothing: only combination-lock can have it"),
        ("grid", {"p": 3}, "p = 3: expected nothing: only double-prime and single-prime can have"),
        ("grid", {"heads": 3}, "heads = 3: expected nothing: no world has it"),
        ("multi-maze", {"mazes": 0}, "mazes = 0: expected at least 1"),
        ("multi-maze", {"mazes": 2.5}, "mazes = 2.5: expected an integer"),
        ("double-prime", {"p": 4}, "p = 4 (with q = 13): expected two primes p < q"),
        ("single-prime", {"q": 7}, "p = 11 (with q = 7): expected two primes p < q"),
        ("combination-lock", {"states": 513}, "states = 513: expected 1 to 512"),
        ("combination-lock", {"least_noise": 0.6}, "least_noise = 0.6: expected from 1/2048"),
    ],
)
def test_invalid_sizes_of_a_world_are_named(
    world: str, sizes: dict[str, float], message: str
) -> None:
    with pytest.raises(InvalidArgument) as error:
        instance(world, 0, **sizes)
    assert str(error.value).startswith(message)


def test_setting_rejects_the_same_sizes_as_instance() -> None:
    with pytest.raises(InvalidArgument, match="two primes"):
        setting("double-prime", p=4)
    with pytest.raises(InvalidArgument, match="two primes"):
        setting("single-prime", p=4)
    with pytest.raises(InvalidArgument, match="only multi-maze"):
        kind_of("grid", {"mazes": 1})


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="env_seed = -1: expected at least 0"):
        instance("grid", -1)


def test_size_returns_the_chosen_number_or_the_default() -> None:
    whole, share = Size("n", int, 3, ""), Size("x", float, 0.5, "")
    assert (whole.of({}), whole.of({"n": 4}), share.of({"n": 4}), share.of({"x": 1})) == (
        3,
        4,
        0.5,
        1.0,
    )
    assert isinstance(share.of({"x": 1}), float)


def test_the_maze_has_68_cells_and_diameter_16() -> None:
    doors = {(2, 5), (8, 5), (5, 2), (5, 8)}
    cells = {
        (r, c) for r in range(1, 10) for c in range(1, 10) if (r != 5 and c != 5) or (r, c) in doors
    }
    graph: nx.Graph[tuple[int, int]] = nx.Graph()
    graph.add_edges_from(
        ((r, c), next_cell)
        for r, c in cells
        for next_cell in ((r + 1, c), (r, c + 1))
        if next_cell in cells
    )
    extent = setting("multi-maze").extent
    assert (extent.states, extent.diameter) == (len(cells), nx.diameter(graph)) == (68, 16)


@pytest.mark.parametrize(("p", "q"), [(2, 3), (3, 5), (5, 7), (3, 11), (11, 13), (17, 19)])
def test_diameter_of_prime_loops_agrees_with_networkx(p: int, q: int) -> None:
    graph: nx.DiGraph[tuple[int, int]] = nx.DiGraph()
    for side in (0, 1):
        graph.add_edges_from(((side, i), (side, (i + 1) % q)) for i in range(q))
        graph.add_edge((side, 0), (1 - side, q - p + 1))
    extent = setting("double-prime", p=p, q=q).extent
    assert (extent.states, extent.diameter) == (len(graph), nx.diameter(graph))
    single = setting("single-prime", p=p, q=q).extent
    assert single == instance("single-prime", 0, p=p, q=q).extent


@pytest.mark.parametrize("states", [1, 2, 20, 30, 40])
def test_diameter_of_the_lock_agrees_with_networkx(states: int) -> None:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_edges_from((i, (i + 1) % states) for i in range(states))
    graph.add_edges_from((i, 0) for i in range(states))
    extent = setting("combination-lock", states=states).extent
    assert (extent.states, extent.diameter) == (len(graph), nx.diameter(graph))
