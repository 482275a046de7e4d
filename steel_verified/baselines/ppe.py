"""PPE, predictive path elimination (Efroni et al. 2022), as an exact finite version.

Each episode begins in the same state with fresh noise, and latent transitions are deterministic.
For h = 1, …, H all surviving words of h − 1 actions are extended by every action, and each such
path is run many times. If no classifier predicts from the last observation which of two paths was
run, they lead to one state, and one is eliminated. The survivors stand for the states.

Differences from the publication, of which only the abstract and the public code were available:
- The *gap form* fits a classifier of a finite class F to each path and compares predicted
  probabilities, as the publication does. The *pair form* is ours: it eliminates a path if no
  classifier of F separates its data from another path's.
- Each path is run equally often, in a random order; the publication draws the path of each episode.
- Neither form allows slips. Sample counts that are known only from memory are marked as uncertain.

If F has for each state a classifier that is 1 exactly there, the pair form never merges paths to
different states. Two paths to one state are kept apart only if some classifier separates n samples
of one from n of the other, all independent: with probability at most |F|·4⁻ⁿ (union bound).

In the gap form, the gap of two paths is the mean of |f(i | x) − f(j | x)| over the data. For the
Bayes predictor of a uniformly drawn path it is 0 for one state and exactly 2/|Υ| for two.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ball, ceiling, least_power

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from steel_verified.baselines.episodes import RestartingWorld
    from steel_verified.evidence.oracle import Class, Classifier, Summary
    from steel_verified.evidence.plans import Word


Batch = TypeVar("Batch")


@dataclass(frozen=True, slots=True)
class Layer:
    """The paths of one length, and which of them lead to the same state.

    Path i is survivor i // |A| of the previous layer, extended by action i % |A|.
    """

    paths: tuple[Word, ...]
    label: tuple[int, ...]
    """For each path, the state that it leads to. Survivors are numbered 0, 1, … in order."""
    classifiers: tuple[Classifier, ...] | None
    """One classifier for each survivor; None if F has none that fits."""

    @property
    def survivors(self) -> tuple[Word, ...]:
        return tuple(self.paths[self.label.index(state)] for state in range(self.states))

    @property
    def states(self) -> int:
        return max(self.label) + 1


@dataclass(frozen=True, slots=True)
class LayeredModel:
    """States (h, i) for h = 1, …, H; the start is the only state of layer 0."""

    actions: int
    layers: tuple[Layer, ...]

    def step(self, layer: int, state: int, action: int) -> int:
        return self.layers[layer].label[state * self.actions + action]


def eliminated(paths: int, same: Callable[[int, int], bool]) -> tuple[int, ...]:
    """For each path, the number of the survivor into which it is merged.

    For i < j, both alive: if i and j look the same, j is eliminated and merged into i.
    """
    label: list[int | None] = [None] * paths
    survivors = 0
    for i in range(paths):
        if label[i] is None:
            label[i] = survivors
            survivors += 1
            for j in range(i + 1, paths):
                if label[j] is None and same(i, j):
                    label[j] = label[i]
    return tuple(number for number in label if number is not None)


def next_paths(survivors: Sequence[Word], actions: int) -> tuple[Word, ...]:
    """Υ: every survivor continued with every action."""
    return tuple((*word, action) for word in survivors for action in range(actions))


class Comparison(Protocol):
    """The paths of one layer compared, given a batch of last observations for each path."""

    def same(self, i: int, j: int) -> bool:
        """Whether path j seems to lead to the state of path i, for i < j."""
        ...

    def classifiers(self, label: Sequence[int]) -> tuple[Classifier, ...] | None:
        """A classifier for each state, if paths with the same label lead to the same state."""
        ...


def learn_layers(
    world: RestartingWorld[Batch],
    form: Callable[[Sequence[Batch]], Comparison],
    *,
    horizon: int,
    runs: Callable[[int], int],
    shuffler: np.random.Generator,
) -> LayeredModel:
    """Run PPE for `horizon` layers; a layer of n paths takes `runs(n)` episodes for each path."""
    if horizon < 1:
        raise InvalidArgument("horizon", horizon, "at least 1")
    layers: list[Layer] = []
    for _ in range(horizon):
        paths = next_paths(layers[-1].survivors if layers else ((),), world.actions)
        each = runs(len(paths))
        if each < 1:
            raise InvalidArgument("runs", each, f"at least 1 for {len(paths)} paths")
        order = [number for number in range(len(paths)) for _ in range(each)]
        shuffler.shuffle(order)
        compared = form(world.last_rows(paths, order))
        label = eliminated(len(paths), compared.same)
        layers.append(Layer(paths, label, compared.classifiers(label)))
    return LayeredModel(world.actions, tuple(layers))


SEPARATION_RATE: Final = Fraction(1, 4)
"""p(1 − p) ≤ 1/4: the probability that a classifier is 0 on one sample and 1 on another."""


class ByPairs(Generic[Batch]):
    """Compares the paths of a layer pair by pair."""

    def __init__(self, oracle: Class[Batch], batches: Sequence[Batch]) -> None:
        self._oracle = oracle
        self._data = tuple(map(oracle.summarise, batches))

    def same(self, i: int, j: int) -> bool:
        return self._oracle.separating(zeros=self._data[i], ones=self._data[j]) is None

    def classifiers(self, label: Sequence[int]) -> tuple[Classifier, ...] | None:
        """For each state a classifier that is 1 on all its data and 0 on all other data."""
        found = []
        for state in range(max(label) + 1):
            own = self._together(number == state for number in label)
            rest = self._together(number != state for number in label)
            separating = self._oracle.separating(zeros=rest, ones=own)
            if separating is None:
                return None
            found.append(separating)
        return tuple(found)

    def _together(self, chosen: Iterable[bool]) -> Summary:
        picked = (data for data, wanted in zip(self._data, chosen, strict=True) if wanted)
        return reduce(self._oracle.merge, picked, self._oracle.nothing())


def samples_needed(class_size: int, pairs: int, delta: Fraction) -> int:
    """The least n ≥ 1 with |F|·pairs·4⁻ⁿ ≤ δ."""
    if class_size < 1 or pairs < 1:
        raise InvalidArgument("class_size, pairs", (class_size, pairs), "at least 1")
    return max(1, least_power(SEPARATION_RATE, delta / (class_size * pairs)))


FORMULA_FACTOR: Final = 16
"""The constant of N = 16·|Υ|²·ln(|F|·|Ψ|·A·H/δ) episodes per layer. It is uncertain: the print was
not available, and the whole formula is given from memory."""
UNCERTAIN: Final = "uncertain: from memory"
"""The remark that is printed beside every number that depends on `FORMULA_FACTOR`."""


class Effort(NamedTuple):
    """The cost of a run. An episode of layer h ends after h steps, and its last row is kept."""

    episodes: int
    steps: int


def widths(actions: int, states: int, horizon: int) -> tuple[int, ...]:
    """The largest numbers of paths that layers 1, …, H can have if there are `states` states."""
    return tuple(min(actions**h, actions * states) for h in range(1, horizon + 1))


def all_pairs(paths: Sequence[int]) -> int:
    """The largest number of pairs of paths that are compared, over all layers."""
    return sum(n * (n - 1) // 2 for n in paths)


def effort(episodes: Sequence[int]) -> Effort:
    """The total over layers 1, 2, … with these numbers of episodes."""
    return Effort(sum(episodes), sum(h * n for h, n in enumerate(episodes, 1)))


def pair_form(paths: Sequence[int], class_size: int, delta: Fraction) -> tuple[int, Effort]:
    """Samples of each path for the pair form to be right with probability 1 − δ, and its cost."""
    each = samples_needed(class_size, max(1, all_pairs(paths)), delta)
    return each, effort([n * each for n in paths])


def formula(paths: Sequence[int], class_size: int, delta: Fraction, *, by_path: bool) -> Effort:
    """The cost of N = ⌈16·|Υ|²·ln(|F|·|Ψ|·A·H/δ)⌉ episodes, for all layers (uncertain, see above).

    A layer has |Υ| = |Ψ|·A paths. |F| is the number of classifiers, or, `by_path`, that of the gap
    form's predictors, |F|^|Υ|. Each episode draws its path, so N need not be a multiple of |Υ|.
    """

    def episodes(n: int) -> int:
        within = class_size ** (n if by_path else 1) * n * len(paths) / delta
        return ceiling(lambda: FORMULA_FACTOR * n**2 * ball(within).log())

    return effort([episodes(n) for n in paths])


MERGED_BELOW: Final = Fraction(5, 8)
"""Gaps below 5/(8|Υ|) count as 0, as in the public code. Between 0 and 2/|Υ| this leaves room for
slips and for an imperfect predictor."""


class ByGaps(Generic[Batch]):
    """Fits a predictor to the data of a layer, and compares paths by its gaps.

    For c: Υ → F, f_c(i | x) is proportional to c(i)(x), and uniform where all are 0. c(i) is the
    classifier that is 0 on the fewest data of path i; of these, the one that is 1 on the fewest
    other data; of these, the first.
    """

    def __init__(self, functions: Class[Batch], batches: Sequence[Batch]) -> None:
        size = functions.class_size
        if size is None:
            raise InvalidArgument("functions.class_size", None, "a finite class of classifiers")
        fires = [
            np.stack([functions.values(one, batch) for one in range(size)]) for batch in batches
        ]
        hits = np.stack([each.sum(axis=1) for each in fires], axis=1)
        misses = np.array([each.shape[1] for each in fires]) - hits
        elsewhere = hits.sum(axis=1, keepdims=True) - hits
        self.chosen = [
            int(np.lexsort((elsewhere[:, path], misses[:, path]))[0]) for path in range(len(fires))
        ]
        """c: the classifier of each path."""
        self._fires = np.concatenate(fires, axis=1)[self.chosen]
        """c(i)(x) as [i, x], for all data x of the layer."""

    def gap(self, i: int, j: int) -> Fraction:
        """The mean of |f_c(i | x) − f_c(j | x)|, exactly."""
        differs = self._fires[i] != self._fires[j]
        at_once: list[int] = np.bincount(self._fires.sum(axis=0)[differs]).tolist()
        total = sum((Fraction(n, m) for m, n in enumerate(at_once) if n), Fraction(0))
        return total / len(self._fires[i])

    def same(self, i: int, j: int) -> bool:
        return self.gap(i, j) < MERGED_BELOW / len(self.chosen)

    def classifiers(self, label: Sequence[int]) -> tuple[int, ...]:
        """The survivors' classifiers: x is encoded as the first i with the largest f_c(i | x)."""
        return tuple(self.chosen[label.index(state)] for state in range(max(label) + 1))
