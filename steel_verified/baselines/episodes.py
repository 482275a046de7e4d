"""Worlds with episodes, for methods that need resets: each starts with fresh draws."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import numpy as np

from steel_verified.classes.rows import BitRows, packed_bits
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.plans import Word
    from steel_verified.worlds.combination_lock import CombinationLock
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.tabular import HiddenModel, Law


Batch_co = TypeVar("Batch_co", covariant=True)

MOST_OUTCOMES: Final = 1 << 12
"""Each distribution of a small model is stored as at most this many equally likely outcomes."""

_BLOCK: Final = 1 << 12


class RestartingWorld(Protocol[Batch_co]):
    """A world that can be reset, so that action sequences can be run from the start repeatedly."""

    @property
    def actions(self) -> int: ...

    @property
    def steps(self) -> int: ...

    @property
    def episodes(self) -> int:
        """The number of episodes started so far."""
        ...

    def last_rows(self, words: Sequence[Word], order: Sequence[int]) -> Sequence[Batch_co]:
        """Run one episode for each entry of `order`, with the word of that index.

        Returns one batch for each word: the last observations of its episodes, in their order.
        """
        ...


class Episodes:
    """A small hidden model with episodes. Observations are numbers.

    With `resets=False` an episode begins where the last one ended, so all are one trajectory. Each
    distribution is stored as a list of outcomes from which one is drawn uniformly.
    """

    def __init__(self, model: HiddenModel, seed: int, *, resets: bool = True) -> None:
        whole = model.denominator()
        if whole > MOST_OUTCOMES:
            expected = f"probabilities with a common denominator of at most {MOST_OUTCOMES:,}"
            raise InvalidArgument("model", f"common denominator {whole:,}", expected)
        self.actions: int = model.actions
        self.steps: int = 0
        self.episodes: int = 0
        self._resets = resets
        self._start = _spread(model.start, whole)
        self._moves = [[_spread(each, whole) for each in row] for row in model.moves]
        self._shows = [_spread(each, whole) for each in model.shows]
        generator = np.random.default_rng(seed)
        blocks: Iterator[list[int]] = iter(
            lambda: generator.integers(whole, size=_BLOCK).tolist(), None
        )
        self._draws = chain.from_iterable(blocks)
        self._hidden = 0

    def begin(self) -> int:
        """Begin an episode, and return its first observation."""
        if self._resets or not self.episodes:
            self._hidden = self._start[next(self._draws)]
        self.episodes += 1
        return self._shows[self._hidden][next(self._draws)]

    def act(self, action: int) -> int:
        """Take a step, and return the observation after it."""
        self.steps += 1
        self._hidden = self._moves[self._hidden][action][next(self._draws)]
        return self._shows[self._hidden][next(self._draws)]

    def follow(self, seen: int, policy: Sequence[Sequence[int]]) -> int:
        """Take one step for each part of a policy, which maps the last observation to an action."""
        for actions in policy:
            seen = self.act(actions[seen])
        return seen

    def last_rows(self, words: Sequence[Word], order: Sequence[int]) -> list[NDArray[np.int64]]:
        """See `RestartingWorld`."""
        seen: list[list[int]] = [[] for _ in words]
        for number in order:
            last = self.begin()
            for action in words[number]:
                last = self.act(action)
            seen[number].append(last)
        return [np.array(rows, dtype=np.int64) for rows in seen]


def _spread(given: Law, whole: int) -> list[int]:
    return [outcome for outcome, weight in given for _ in range(int(weight * whole))]


class RestartingLock:
    """A combination lock that restarts in state 0, with noise from its stationary distribution.

    So a component that shows no state is 1 with probability ε₀/(ε₀ + ε₁) at every step, and the
    last observation of an episode can be drawn without the earlier ones.
    """

    def __init__(self, lock: CombinationLock, seed: int) -> None:
        self.dynamics: Dynamics = lock.dynamics()
        self.actions: int = self.dynamics.actions
        self.steps: int = 0
        self.episodes: int = 0
        self._indicators = np.array(lock.indicators)
        self._chances = lock.turns_on / (lock.turns_on + lock.turns_off)
        self._generator = np.random.default_rng(seed)

    def last_rows(self, words: Sequence[Word], order: Sequence[int]) -> list[BitRows]:
        """See `RestartingWorld`."""
        numbers = np.array(order, dtype=np.int64)
        batches: list[BitRows] = []
        for number, word in enumerate(words):
            here = 0
            for action in word:
                here = self.dynamics.table[here][action]
            runs = int((numbers == number).sum())
            bits = self._generator.random((runs, len(self._chances))) < self._chances
            bits[:, self._indicators] = False
            bits[:, self._indicators[here]] = True
            batches.append(packed_bits(bits))
            self.episodes += runs
            self.steps += runs * len(word)
        return batches
