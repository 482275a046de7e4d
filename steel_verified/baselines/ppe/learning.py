"""PPE layer by layer: run all paths, compare them, keep one for each state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from steel_verified.baselines.ppe.layers import Layer, LayeredModel, eliminated, next_paths
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from steel_verified.worlds.episodes import RestartingWorld

Batch = TypeVar("Batch")
Batch_contra = TypeVar("Batch_contra", contravariant=True)
Classifier = TypeVar("Classifier")
Classifier_co = TypeVar("Classifier_co", covariant=True)


class Comparison(Protocol[Classifier_co]):
    """The result of comparing the paths of one layer."""

    def same(self, i: int, j: int) -> bool:
        """Whether path j seems to lead to the state of path i, for i < j."""
        ...

    def classifiers(self, label: Sequence[int]) -> tuple[Classifier_co, ...] | None:
        """A classifier for each state, if paths with the same label lead to the same state."""
        ...


class Form(Protocol[Batch_contra, Classifier_co]):
    """A method to compare paths, given a batch of last observations for each path."""

    def __call__(self, batches: Sequence[Batch_contra], /) -> Comparison[Classifier_co]: ...


def learn_layers(
    world: RestartingWorld[Batch],
    form: Form[Batch, Classifier],
    *,
    horizon: int,
    runs: Callable[[int], int],
    shuffler: np.random.Generator,
) -> LayeredModel[Classifier]:
    """Run PPE for `horizon` layers; a layer of n paths takes `runs(n)` episodes for each path.

    The episodes of a layer are run in random order, which matters only if resets fail.
    """
    if horizon < 1:
        raise InvalidArgument("horizon", horizon, "at least 1")
    layers: list[Layer[Classifier]] = []
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
