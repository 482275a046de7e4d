"""A process has the law of its tables, and changes when it should."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from steel_verified.evidence.plans import Plan
from steel_verified.theory.progressions import Level, Progression
from tests.studies.violations.process import Change, Process, ProcessWorld, Step
from tests.worlds.counts_against_laws import too_far

HALF, SURE, NEVER = Fraction(1, 2), Fraction(1), Fraction(0)
SWAP = (((NEVER, SURE), (SURE, NEVER)), ((SURE, NEVER), (NEVER, SURE)))
"""Action 0 goes to the other state, action 1 stays."""
STAY = (((SURE, NEVER),) * 2, ((NEVER, SURE),) * 2)
SHOWN = Process(
    moves=SWAP,
    noise=(((SURE,),),) * 2,
    emission=(((SURE, NEVER),), ((NEVER, SURE),)),
    initial_noise=(SURE,),
    start=0,
)
"""Two states that are seen as they are."""


def seen(world: ProcessWorld, word: tuple[int, ...], steps: int, done: int = 0) -> list[int]:
    """What a plan shows, from the beginning of its loop."""
    loop = world.run(Plan(word, steps, done))
    (rows,) = loop.rows((Progression(1, (Level(done + steps, 1),)),))
    return [int(x) for x in rows]


def test_actions_are_taken_in_the_order_of_the_word() -> None:
    world = ProcessWorld(SHOWN, 0)
    assert seen(world, (0, 1), 4) == [1, 1, 0, 0]
    assert seen(world, (0, 1), 3, done=4) == [1, 1, 0, 0, 1, 1, 0]
    assert seen(world, (1,), 2) == [0, 0]
    assert world.steps == 9
    assert world.state == 0


def test_dynamics_change_after_the_given_step() -> None:
    for after in range(6):
        world = ProcessWorld(SHOWN, 0, Change(after, STAY))
        assert seen(world, (0,), 3) + seen(world, (0,), 3) == [
            min(step, after) % 2 for step in range(1, 7)
        ]
        assert world.has_changed


def test_a_world_has_changed_once_a_step_was_taken_after_the_change() -> None:
    world = ProcessWorld(SHOWN, 0, Change(6, STAY))
    changed = []
    for word, steps in (((0,), 6), ((1,), 1)):
        seen(world, word, steps)
        changed.append(world.has_changed)
    assert changed == [False, True]
    assert world.path[-2:] == [Step(0, 0, 0, 0), Step(1, 0, 0, 0)]


def test_draws_do_not_depend_on_how_a_run_is_cut() -> None:
    random = replace(SHOWN, moves=(((HALF, HALF),) * 2,) * 2)
    whole = seen(ProcessWorld(random, 5), (0, 1), 9000)
    cut = ProcessWorld(random, 5)
    parts = [seen(cut, (0, 1), 2 * n) for n in (1, 100, 2000, 2399)]
    assert [x for part in parts for x in part] == whole


def test_process_follows_the_laws_of_its_tables() -> None:
    """A chain of four states, counted by pairs of what is seen; false alarm below 10⁻⁵."""
    slip, show = Fraction(1, 10), Fraction(3, 4)
    process = Process(
        moves=(((slip, 1 - slip),), ((1 - slip, slip),)),
        noise=(((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 4), Fraction(3, 4))),),
        emission=(
            ((show, 1 - show, NEVER, NEVER), (1 - show, show, NEVER, NEVER)),
            ((NEVER, NEVER, show, 1 - show), (NEVER, NEVER, 1 - show, show)),
        ),
        initial_noise=(HALF, HALF),
        start=0,
    )
    rows = seen(ProcessWorld(process, 1), (0,), 40_000)[100::20]
    moves = np.array([[0.1, 0.9], [0.9, 0.1]])
    noise = np.array([[2 / 3, 1 / 3], [1 / 4, 3 / 4]])
    latent = np.linalg.matrix_power(moves, 200)[0]
    of_noise = np.linalg.matrix_power(noise, 200)[0]
    law = [
        float(latent[s] * sum(of_noise[e] * float(process.emission[s][e][x]) for e in range(2)))
        for s, x in ((0, 0), (0, 1), (1, 2), (1, 3))
    ]
    # Latent states alternate, so every twentieth step is 0.9 likely to be the same: count rarely.
    rare = rows[::10]
    assert not too_far([rare.count(x) for x in range(4)], law, alarm=1e-5)
    assert too_far([rare.count(x) for x in range(4)], [0.4, 0.1, 0.1, 0.4], alarm=1e-5)
