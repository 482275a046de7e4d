"""The evidence against a learned model: how much better the truth explains a run.

The truth is compared with honest worlds. A world is honest if it satisfies all conditions. Here it
has the learned dynamics, and given the noise, each of its states shows independent observations
with its own distribution. That distribution is the one that makes the observations most likely, so
this is the best of all such worlds.
"""

from __future__ import annotations

from collections import Counter
from math import floor, log
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.evidence.ledger import Ran
from steel_verified.theory.recipe import LocatedRecipe
from steel_verified.worlds.violated.twins import possible_labels
from steel_verified.worlds.violated.violations import Violation

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from steel_verified.learning.results import Accepted
    from steel_verified.worlds.violated.building import ViolatedWorld
    from steel_verified.worlds.violated.process import Process, Step

MOST_DECADES: Final = 999
_OF_NOISE: Final = (Violation.PERIODIC, Violation.SLOW, Violation.FOLLOWING)
"""If the noise is what violates the condition, the honest world has no noise."""


def decades(world: ViolatedWorld, path: Sequence[Step], learned: Accepted[int]) -> int:
    """log10 of how many times likelier the observations are in the truth than in an honest world.

    Only rows count whose times were fixed beforehand, on which the self-check may bet: all rows of
    a looped run, and the rows of the last validation of a located run, after its first pass. The
    result is rounded down, and at most `MOST_DECADES`. It is `MOST_DECADES` if no honest world with
    the learned dynamics ends where the run did.
    """
    first = _first_fixed(learned)
    fixed = path[first:]
    by_noise = world.violation not in _OF_NOISE
    if by_noise:
        true = _log_given_noise(world.process, fixed)
    else:
        true = _log_with_noise(world.process, path, first)
    honest = [
        _log_of_best(
            ((label, step.noise if by_noise else 0), step.seen)
            for label, step in zip(labels, fixed, strict=True)
        )
        for labels in possible_labels(learned, fixed)
    ]
    if not honest:
        return MOST_DECADES
    return min(MOST_DECADES, max(0, floor((true - max(honest)) / log(10))))


def _first_fixed(learned: Accepted[int]) -> int:
    """The number of steps of a run before those whose times were fixed."""
    if not isinstance(learned.recipe, LocatedRecipe):
        return 0
    *_, last = (entry for entry in learned.ledger.entries if isinstance(entry, Ran))
    return last.start - last.done + len(last.word)


def _log_of_best(seen: Iterable[tuple[Hashable, int]]) -> float:
    """The log of the largest probability of these symbols; each context has its own law."""
    both = Counter(seen)
    whole = Counter[object]()
    for (context, _), times in both.items():
        whole[context] += times
    return sum(times * log(times / whole[context]) for (context, _), times in both.items())


def _log_given_noise(process: Process, path: Iterable[Step]) -> float:
    seen = Counter((step.state, step.noise, step.seen) for step in path)
    return sum(
        times * log(process.emission[state][noise][x]) for (state, noise, x), times in seen.items()
    )


def _log_with_noise(process: Process, path: Sequence[Step], first: int) -> float:
    """The log of the probability of the observations from row `first` on, given the latent states.

    The noise is not observed; the probability is summed over it, step by step.
    """
    moves = np.array(process.noise, dtype=np.float64)
    shows = np.array(process.emission, dtype=np.float64)
    chances = np.array(process.initial_noise, dtype=np.float64)
    logarithm = 0.0
    for number, step in enumerate(path):
        chances = chances @ moves[step.action]
        if number >= first:
            chances = chances * shows[step.state, :, step.seen]
            whole = chances.sum()
            chances /= whole
            logarithm += log(whole)
    return logarithm
