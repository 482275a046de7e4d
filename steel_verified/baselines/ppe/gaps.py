"""PPE's gap form: two paths lead to one state if their predicted probabilities are always close.

A predictor f gives for each observation x a probability f(i | x) of each path i. The gap of two
paths is the mean of |f(i | x) − f(j | x)| over the data. For the Bayes predictor of a uniformly
drawn path it is 2/|Υ| times the total variation between the distributions of the last observation.
So without slips it is 0 for one state and exactly 2/|Υ| for two, since different states show
different observations.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import numpy as np

from steel_verified.baselines.ppe.elimination import Layer, LayeredModel, eliminated, next_paths
from steel_verified.errors import InvalidArgument
from steel_verified.worlds.tabular import law

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.finite import Marks
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import Word
    from steel_verified.worlds.tabular import HiddenModel, Law

Batch = TypeVar("Batch")

MERGED_BELOW: Final = Fraction(5, 8)
"""Gaps below 5/(8|Υ|) count as 0, as in the public code. Between 0 and 2/|Υ| this leaves room for
slips and for an imperfect predictor."""


@dataclass(frozen=True, slots=True)
class ByGaps(Generic[Batch]):
    """Fits a predictor to the data of a layer, and compares paths by its gaps.

    For c: Υ → F let f_c(i | x) be proportional to c(i)(x), and uniform where all are 0. So the
    class has |F|^|Υ| predictors. If F has for each state a classifier that is 1 exactly there, the
    class has the Bayes predictor. c(i) is the classifier that is 0 on the fewest data of path i; of
    these, the one that is 1 on the fewest other data; of these, the first. This is the most likely
    predictor once only one classifier fits each path, and a greedy choice before.
    """

    functions: Oracle[Batch, Marks, int]

    def __call__(self, batches: Sequence[Batch]) -> GapComparison:
        size = self.functions.class_size
        if size is None:
            raise InvalidArgument("functions.class_size", None, "a finite class of classifiers")
        fires = [
            np.stack([self.functions.values(one, batch) for one in range(size)])
            for batch in batches
        ]
        hits = np.stack([each.sum(axis=1) for each in fires], axis=1)
        runs = np.array([each.shape[1] for each in fires])
        misses = runs - hits
        elsewhere = hits.sum(axis=1, keepdims=True) - hits
        chosen = [
            int(np.lexsort((elsewhere[:, path], misses[:, path]))[0]) for path in range(len(fires))
        ]
        everything = np.concatenate(fires, axis=1)
        return GapComparison(tuple(chosen), everything[chosen])


@dataclass(frozen=True, slots=True)
class GapComparison:
    """The fitted predictor f_c, and its values on the data."""

    chosen: tuple[int, ...]
    """c: the classifier of each path."""
    fires: NDArray[np.bool_]
    """c(i)(x) as [i, x], for all data x of the layer."""

    def gap(self, i: int, j: int) -> Fraction:
        """The mean of |f_c(i | x) − f_c(j | x)|, exactly."""
        differs = self.fires[i] != self.fires[j]
        at_once: list[int] = np.bincount(self.fires.sum(axis=0)[differs]).tolist()
        total = sum((Fraction(n, m) for m, n in enumerate(at_once) if n), Fraction(0))
        return total / len(self.fires[i])

    def same(self, i: int, j: int) -> bool:
        return self.gap(i, j) < MERGED_BELOW / len(self.chosen)

    def classifiers(self, label: Sequence[int]) -> tuple[int, ...]:
        """The survivors' classifiers: x is encoded as the first i with the largest f_c(i | x)."""
        return tuple(self.chosen[label.index(state)] for state in range(max(label) + 1))


def last_law(model: HiddenModel, word: Word) -> Law:
    """The distribution of the last observation of an episode with these actions."""
    hidden = dict(model.start)
    for action in word:
        moved: dict[int, Fraction] = {}
        for here, chance in hidden.items():
            for to, p in model.moves[here][action]:
                moved[to] = moved.get(to, Fraction(0)) + chance * p
        hidden = moved
    shown: dict[int, Fraction] = {}
    for here, chance in hidden.items():
        for x, p in model.shows[here]:
            shown[x] = shown.get(x, Fraction(0)) + chance * p
    return law(shown)


def exact_gap(laws: Sequence[Law], i: int, j: int) -> Fraction:
    """The gap of two paths under the Bayes predictor: (1/|Υ|) Σ_x |P_i(x) − P_j(x)|."""
    one, other = dict(laws[i]), dict(laws[j])
    seen = one.keys() | other.keys()
    apart = sum(
        (abs(one.get(x, Fraction(0)) - other.get(x, Fraction(0))) for x in seen), Fraction()
    )
    return apart / len(laws)


def exact_layers(model: HiddenModel, horizon: int) -> LayeredModel[Law]:
    """PPE with the Bayes predictor and unlimited data: all distributions and gaps are exact.

    Instead of a classifier, each state has the distribution of its observations.
    """
    layers: list[Layer[Law]] = []
    for _ in range(horizon):
        paths = next_paths(layers[-1].survivors if layers else ((),), model.actions)
        laws = [last_law(model, word) for word in paths]

        def same(i: int, j: int, laws: list[Law] = laws) -> bool:
            return exact_gap(laws, i, j) < MERGED_BELOW / len(laws)

        label = eliminated(len(paths), same)
        firsts = tuple(laws[label.index(state)] for state in range(max(label) + 1))
        layers.append(Layer(paths, label, firsts))
    return LayeredModel(model.actions, tuple(layers))
