"""Every entry of the catalogue can be made, run, predicted and drawn; the rest is refused."""

from __future__ import annotations

from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.gymnasium.envs import EndlessEnv
from steel_verified.reports.figures.worlds import world_figure
from steel_verified.theory.parameters import require_within
from steel_verified.worlds.catalogue import (
    KINDS,
    NAMES,
    SIZES,
    Kind,
    instance,
)
from steel_verified.worlds.runs import method_named, run

# Sizes with which a run takes a moment. A new entry of the catalogue needs a line here.
SMALL: dict[str, dict[str, float]] = {
    "combination-lock": {"states": 3, "components": 12},
    "multi-maze": {"mazes": 1},
    "double-prime": {"p": 2, "q": 3},
    "single-prime": {"p": 2, "q": 3},
    "grid": {},
}
# The stated extents are compared with the dynamics for these sizes, too.
OTHERS: dict[str, list[dict[str, float]]] = {
    "combination-lock": [{"states": states} for states in (1, 2, 40)],
    **{f"{n}-prime": [{"p": p, "q": q} for p, q in ((3, 5), (3, 11), (17, 19))]
       for n in ("double", "single")},
}  # fmt: skip
EVERY = pytest.mark.parametrize("kind", KINDS, ids=NAMES)


@EVERY
def test_catalogue_entry_is_consistent(kind: Kind) -> None:
    for sizes in ({}, SMALL[kind.name], *OTHERS.get(kind.name, ())):
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
        method = method_named("looped", chosen, with_encoder=with_encoder)
        _, info = run(chosen, method, 2)
        assert info.findings is not None
        assert info.findings.all_right
        assert (info.findings.encoder_right is not None) == with_encoder
        assert info.as_predicted


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
        ("combination-lock", {"states": 0}, "states = 0: expected 1 to 512"),
        ("combination-lock", {"least_noise": 0.0}, "least_noise = 0.0: expected from 1/2048"),
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
