"""The steps of the authors' released code, recomputed from two differences from the paper.

Both differences were inferred from the logged counts of that code, compared call by call with our
own run on the same world. They fit these counts, and were not tested on others. There are three
ways to treat the state in which phase 2 begins: count it among the states that need samples, leave
it out, or make every tour visit all states. The first fits best.

1. The first roll-out is longer than the printed c_init, by t̂_mix + N|â| − 1 in every call: the
   printed "− t̂_mix − N|â| + 1" is missing.
2. The code always merges D'_i into the dataset of the state that position i was found to show. So a
   state that was found v times enters phase 2 with 2·n_samp.·v samples, states reach d at different
   times, and phase 2 plans again, with one pass that keeps no samples, whenever some state has
   enough.

Which of several equally short words is taken remains open; here it is the word of our run. If the
count then differs from a log, the released code may have made another choice.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from steel_verified.learning.calls import calls
from steel_verified.learning.words import covering_cycle, visits
from steel_verified.theory.counts import (
    encoder_samples,
    full_rollout,
    initial_rollout,
    position_samples,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted
    from steel_verified.theory.recipe import Recipe


def released_steps(run: Accepted[int], recipe: Recipe) -> int:
    """The steps of the released code for a run like ours, with our choice among equal words."""
    steps, current = 0, 0
    samples: Counter[int] = Counter()
    for call in calls(run.ledger):
        rollout = max(
            full_rollout(recipe, len(call.word), call.period),
            longer_initial_rollout(recipe, len(call.word)),
        )
        steps += rollout
        current = call.labels[rollout % len(call.labels)]
        for label in call.labels:
            samples[label] += 2 * position_samples(recipe)
    return steps + _phase2(run.model, current, samples, recipe)


def longer_initial_rollout(recipe: Recipe, word_length: int) -> int:
    """(2t̂_mix + 3N|â| − 2)·n_samp.cyc. + max((N−1)|â|, t̂_mix)."""
    p = recipe.parameters
    return initial_rollout(recipe, word_length) + p.mixing_time + p.max_states * word_length - 1


def _phase2(model: Model, home: int, samples: Mapping[int, int], recipe: Recipe) -> int:
    """Plan through all states that need samples until one has enough, then plan again."""
    missing = {
        state: encoder_samples(recipe, model.states) - samples[state]
        for state in range(model.states)
    }
    steps = 0
    while short := {state: number for state, number in missing.items() if number > 0}:
        cycle = covering_cycle(model, home, recipe.parameters.mixing_time, through=short)
        passes = min(short.values())
        steps += len(cycle) * (1 + passes)
        for state in set(visits(model, home, cycle)):
            missing[state] -= passes
    return steps
