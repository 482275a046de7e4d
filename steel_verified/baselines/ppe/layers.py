"""The model that PPE learns: the states of each layer, a classifier per state, and transitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    from steel_verified.evidence.plans import Word

Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True)
class Layer(Generic[Classifier]):
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
        """For each state, the first path that leads to it."""
        return tuple(self.paths[self.label.index(state)] for state in range(self.states))

    @property
    def states(self) -> int:
        return max(self.label) + 1


@dataclass(frozen=True, slots=True)
class LayeredModel(Generic[Classifier]):
    """States (h, i) for h = 1, …, H; the start is the only state of layer 0."""

    actions: int
    layers: tuple[Layer[Classifier], ...]

    @property
    def horizon(self) -> int:
        return len(self.layers)

    def step(self, layer: int, state: int, action: int) -> int:
        """The state of layer + 1 to which an action leads from a state of this layer."""
        return self.layers[layer].label[state * self.actions + action]

    def walk(self, word: Word) -> int:
        """The state of layer len(word) to which a word leads from the start."""
        state = 0
        for layer, action in enumerate(word):
            state = self.step(layer, state, action)
        return state


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


Reward = tuple[int, int, int]
"""A layer, a state of it and an action."""


def best_word(model: LayeredModel[Classifier], rewards: Mapping[Reward, Fraction | int]) -> Word:
    """The word of H actions with the largest sum of rewards; the first one if several are equal.

    Rewards that are not given are 0. The plan is open-loop: without slips, observations give no
    advantage. Raises `InvalidArgument` for a reward outside the model.
    """
    states = [1, *(layer.states for layer in model.layers)]
    for layer, state, action in rewards:
        known = 0 <= layer < model.horizon and 0 <= state < states[layer]
        if not (known and 0 <= action < model.actions):
            expected = "a layer before the last, a state of it, and an action"
            raise InvalidArgument("rewards", (layer, state, action), expected)
    best: list[tuple[Fraction | int, Word]] = [(0, ())] * states[-1]
    for layer in range(model.horizon - 1, -1, -1):
        best = [_best_from(model, rewards, best, layer, state) for state in range(states[layer])]
    return best[0][1]


def _best_from(
    model: LayeredModel[Classifier],
    rewards: Mapping[Reward, Fraction | int],
    best: Sequence[tuple[Fraction | int, Word]],
    layer: int,
    state: int,
) -> tuple[Fraction | int, Word]:
    """The largest sum of rewards from a state on, and its word, given those of the next layer."""
    options = []
    for action in range(model.actions):
        value, word = best[model.step(layer, state, action)]
        options.append((rewards.get((layer, state, action), 0) + value, (action, *word)))
    return max(options, key=lambda one: one[0])
