"""PPE layer by layer: run all paths, compare them, keep one for each state.

The pair form is here, and the number of episodes and steps by formula, before anything is run. In
the pair form, path j is merged into path i if no classifier is 0 on all data of i and 1 on all data
of j. If F has for each state a classifier that is 1 exactly there, paths to different states are
never merged. Two paths to one state are kept apart only if some classifier g separates n samples of
one from n samples of the other, all independent. If g is 1 with probability p on the state, this
has probability (1 − p)ⁿpⁿ ≤ 4⁻ⁿ, and at most |F|·4⁻ⁿ for all of F (union bound).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import ball, ceiling, least_power

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np

    from steel_verified.baselines.episodes import RestartingWorld
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import Word

Classifier = TypeVar("Classifier")
Batch = TypeVar("Batch")
Batch_contra = TypeVar("Batch_contra", contravariant=True)
Classifier_co = TypeVar("Classifier_co", covariant=True)
Summary = TypeVar("Summary")


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


SEPARATION_RATE: Final = Fraction(1, 4)
"""p(1 − p) ≤ 1/4: the probability that a classifier is 0 on one sample and 1 on another."""


@dataclass(frozen=True, slots=True)
class ByPairs(Generic[Batch, Summary, Classifier]):
    """Compares the paths of a layer pair by pair."""

    oracle: Oracle[Batch, Summary, Classifier]

    def __call__(self, batches: Sequence[Batch]) -> PairComparison[Batch, Summary, Classifier]:
        return PairComparison(self.oracle, tuple(map(self.oracle.summarise, batches)))


@dataclass(frozen=True, slots=True)
class PairComparison(Generic[Batch, Summary, Classifier]):
    """The data of each path, summarised."""

    oracle: Oracle[Batch, Summary, Classifier]
    data: tuple[Summary, ...]

    def same(self, i: int, j: int) -> bool:
        return self.oracle.separating(zeros=self.data[i], ones=self.data[j]) is None

    def classifiers(self, label: Sequence[int]) -> tuple[Classifier, ...] | None:
        """For each state a classifier that is 1 on all its data and 0 on all other data."""
        found = []
        for state in range(max(label) + 1):
            own = self._together(label[path] == state for path in range(len(label)))
            rest = self._together(label[path] != state for path in range(len(label)))
            separating = self.oracle.separating(zeros=rest, ones=own)
            if separating is None:
                return None
            found.append(separating)
        return tuple(found)

    def _together(self, chosen: Iterable[bool]) -> Summary:
        picked = (data for data, wanted in zip(self.data, chosen, strict=True) if wanted)
        return reduce(self.oracle.merge, picked, self.oracle.nothing())


def failure_bound(class_size: int, pairs: int, samples: int) -> Fraction:
    """A bound on the probability that any pair of paths to one state is wrongly kept apart."""
    return class_size * pairs * SEPARATION_RATE**samples


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


@dataclass(frozen=True, slots=True)
class Effort:
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
    """Samples of each path with which the pair form is right with probability 1 − δ, and its cost.

    If `paths` are upper bounds for each layer, this is known before the first step.
    """
    each = samples_needed(class_size, max(1, all_pairs(paths)), delta)
    return each, effort([n * each for n in paths])


def formula(paths: Sequence[int], class_size: int, delta: Fraction, *, by_path: bool) -> Effort:
    """The cost of N = ⌈16·|Υ|²·ln(|F|·|Ψ|·A·H/δ)⌉ episodes, for all layers (uncertain, see above).

    A layer has |Υ| = |Ψ|·A paths. |F| is the number of classifiers, or, `by_path`, that of the gap
    form's predictors, |F|^|Υ|. Each episode draws its path, so N need not be a multiple of |Υ|.
    """
    return effort(
        [_formula(n, class_size ** (n if by_path else 1), len(paths) / delta) for n in paths]
    )


def _formula(paths: int, class_size: int, layers_by_delta: Fraction) -> int:
    within = class_size * paths * layers_by_delta
    return ceiling(lambda: FORMULA_FACTOR * paths**2 * ball(within).log())
