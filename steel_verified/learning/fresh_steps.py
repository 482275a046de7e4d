"""Steps after a run: for the self-check, or to find out why the run was not accepted."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from steel_verified.evidence.kept_rows import Stretch
from steel_verified.evidence.observed import keep, run_aside
from steel_verified.evidence.plans import Plan
from steel_verified.learning.retracing import Traced
from steel_verified.learning.tracing import by_label
from steel_verified.learning.watching import Looks, cycle_of_walk, of_walk
from steel_verified.learning.words import shortest_words
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.recipe import LocatedRecipe
from steel_verified.theory.self_check import STEPS_TO_EXPLAIN_LOCATED, STEPS_TO_EXPLAIN_LOOPED

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import ClassifierClass, Oracle
    from steel_verified.evidence.plans import Word, World
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted, GivenUp
    from steel_verified.learning.watching import Watched
    from steel_verified.theory.self_check import SelfCheck

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


def fresh_rows(
    result: Accepted[Classifier],
    world: World[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    wanted: SelfCheck,
) -> tuple[tuple[Watched, ...], Traced[Summary]]:
    """Take steps after a run that return to the state where it ended, and keep their rows.

    They are not part of the run and are not in its ledger. No promise about the learned model rests
    on them: they can only refuse it. Refusing it by a bet has its share of α (claim S.T11); the
    replay of these steps in the model is certain, as that of the run (claim S.T12).
    """
    walk = random_walk(result.model, result.current, wanted.steps, wanted.seed)
    cycle = cycle_of_walk(result.model, result.current, walk)
    mixing_time = result.recipe.parameters.mixing_time
    looks = Looks(cycle, first=mixing_time, last=len(walk), mixing_time=mixing_time)
    plan = Plan(walk, len(walk), keeps=looks.rows(0, len(walk)))
    loop = run_aside(result.ledger, world, plan)
    return of_walk(loop, oracle, looks), Traced(by_label(loop, oracle, cycle, looks.again))


def steps_to_explain(
    result: GivenUp,
    world: World[Batch],
    functions: ClassifierClass[Batch, Summary, Classifier],
    wanted: SelfCheck,
    max_steps: int | None,
) -> Stretch | None:
    """Take random steps after a run that was not accepted, and keep the row of each.

    They are not part of the run and are not in its ledger. No promise rests on them: nothing was
    accepted, and they change only the causes that are named. They count for `max_steps`. Returns
    None if no steps are left or wanted.
    """
    steps = wanted.steps_to_explain
    if steps is None:
        is_located = isinstance(result.recipe, LocatedRecipe)
        steps = STEPS_TO_EXPLAIN_LOCATED if is_located else STEPS_TO_EXPLAIN_LOOPED
    if max_steps is not None:
        steps = min(steps, max_steps - world.steps)
    if steps < 1:
        return None
    draw = np.random.default_rng(wanted.seed)
    word = tuple(draw.integers(world.actions, size=steps).tolist())
    every = (Progression(1, (Level(steps, 1),)),)
    loop = run_aside(result.ledger, world, Plan(word, steps, keeps=every))
    (kept,) = keep(loop, functions, every)
    return Stretch(tuple(range(loop.start + 1, loop.start + steps + 1)), word, kept)


def random_walk(model: Model, home: int, steps: int, seed: int) -> Word:
    """Return a closed walk from `home` of about `steps` steps through random transitions."""
    draw = np.random.default_rng(seed)
    words = [shortest_words(model, state) for state in range(model.states)]
    walk: list[int] = []
    here = home
    while len(walk) < steps:
        state, action = (int(draw.integers(many)) for many in (model.states, model.actions))
        walk += (*(() if state == here else words[here][state]), action)
        to = model.step(state, action)
        assert to is not None, "the model is total"
        here = to
    return (*walk, *(() if here == home else words[here][home]))
