"""The best policy for rewards in a learned model, in exact arithmetic.

The learned dynamics are deterministic, so the states that a policy visits end in a cycle or in the
goal, and the values of all states are fractions. Policy iteration compares these fractions, so
that its result is optimal without any rounding error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Sized
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, SupportsFloat, TypeAlias, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.theory.wording import counted
from steel_verified.worlds.log_files import Episode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from steel_verified.learning.model import Model

Batch = TypeVar("Batch", bound=Sized)
Reward: TypeAlias = (
    "Callable[[int, int], SupportsFloat] | Mapping[tuple[int, int], SupportsFloat] "
    "| Sequence[Sequence[SupportsFloat]] | NDArray[np.generic[object]]"
)
"""The reward of each label and action: a function, a mapping (0 for missing pairs), or rows."""
Rewards: TypeAlias = tuple[tuple[Fraction, ...], ...]
"""The reward of action a in state s is `rewards[s][a]`."""


_ROUNDS: Final = 10_000
"""Rounds of value iteration with floats, at most; the exact rounds after it need no limit."""


class Best(NamedTuple):
    """The actions of an optimal policy, and the value of each state."""

    actions: tuple[int | None, ...]
    """The lowest optimal action in each state; None in the goal, where the episode ends."""
    values: tuple[Fraction, ...]


def rewards_of(model: Model, reward: Reward) -> Rewards:
    """Return the reward of every state and action, as fractions; raise `InvalidArgument`."""
    states, actions = range(model.states), range(model.actions)
    if isinstance(reward, Mapping):
        for pair in reward:
            _require_pair(model, pair)
        return tuple(
            tuple(_exact(f"reward[{s}, {a}]", reward.get((s, a), 0)) for a in actions)
            for s in states
        )
    if callable(reward):
        return tuple(
            tuple(_exact(f"reward({s}, {a})", reward(s, a)) for a in actions) for s in states
        )
    rows = np.asarray(reward, np.object_)
    if rows.shape != (model.states, model.actions):
        expected = (
            "a function of label and action, a mapping from (label, action), or rows of shape "
            f"({model.states}, {model.actions})"
        )
        raise InvalidArgument("reward", f"shape {rows.shape}", expected)
    return tuple(tuple(_exact(f"reward[{s}][{a}]", rows[s, a]) for a in actions) for s in states)


def _require_pair(model: Model, pair: object) -> None:
    sizes = (model.states, model.actions)
    fits = (
        isinstance(pair, tuple)
        and len(pair) == len(sizes)
        and all(isinstance(n, int | np.integer) for n in pair)
        and all(0 <= n < size for n, size in zip(pair, sizes, strict=True))
    )
    if not fits:
        expected = f"pairs of a label below {model.states} and an action below {model.actions}"
        raise InvalidArgument("reward", f"a mapping with the key {pair!r}", expected)


def _exact(argument: str, value: object) -> Fraction:
    """Return a number as a fraction; a float is read as the decimal that it prints as."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int | np.integer | np.bool_):
        return Fraction(int(value))
    if isinstance(value, float | np.floating) and np.isfinite(value):
        return Fraction(str(value))
    raise InvalidArgument(argument, repr(value), "a finite number")


def discount_of(discount: Fraction | float | str | None) -> Fraction:
    """Return the discount as a fraction; raise `InvalidArgument` unless it is in [0, 1)."""
    expected = "a number from 0 up to 1, but not 1, such as 0.99"
    try:
        found = Fraction(discount) if isinstance(discount, str) else _exact("discount", discount)
    except (ValueError, ZeroDivisionError):
        raise InvalidArgument("discount", repr(discount), expected) from None
    if not 0 <= found < 1:
        raise InvalidArgument("discount", discount, expected)
    return found


def best(model: Model, rewards: Rewards, discount: Fraction, goal: int | None) -> Best:
    """Return the policy with the highest discounted sum of rewards from every state.

    An episode ends in the goal, if there is one. This is policy iteration (Howard 1960). It begins
    with the policy that floats find best, which saves rounds and changes nothing in the result.
    Raises `InvalidArgument` if a transition is unknown.
    """
    table = tuple(tuple(to for to in row if to is not None) for row in model.table)
    if not model.is_total:
        raise InvalidArgument("table", model.table, "every transition of some states")
    chosen = _nearly_best(table, rewards, discount, goal)
    while True:
        values = _values(table, rewards, discount, goal, chosen)
        worth = [
            [reward + discount * values[to] for reward, to in zip(*both, strict=True)]
            for both in zip(rewards, table, strict=True)
        ]
        better = [
            each.index(top) if (top := max(each)) > values[state] else chosen[state]
            for state, each in enumerate(worth)
        ]
        if better == chosen:
            break
        chosen = better
    first = (
        None if state == goal else each.index(values[state]) for state, each in enumerate(worth)
    )
    return Best(tuple(first), values)


def _nearly_best(
    table: tuple[tuple[int, ...], ...], rewards: Rewards, discount: Fraction, goal: int | None
) -> list[int]:
    """Return a policy that is best up to rounding errors, by value iteration with floats."""
    to, gain, share = np.array(table), np.array(rewards, np.float64), float(discount)
    values = np.zeros(len(table))
    for _ in range(_ROUNDS):
        after = (gain + share * values[to]).max(axis=1)
        if goal is not None:
            after[goal] = 0
        if np.array_equal(values, after):
            break
        values = after
    found: list[int] = (gain + share * values[to]).argmax(axis=1).tolist()
    return found


def _values(
    table: tuple[tuple[int, ...], ...],
    rewards: Rewards,
    discount: Fraction,
    goal: int | None,
    chosen: Sequence[int],
) -> tuple[Fraction, ...]:
    """Return the value of each state under a policy, exactly."""
    values: dict[int, Fraction] = {} if goal is None else {goal: Fraction(0)}
    for start in range(len(table)):
        path: dict[int, None] = {}
        here = start
        while here not in values and here not in path:
            path[here] = None
            here = table[here][chosen[here]]
        if here not in values:  # the path has come back to `here`: a cycle
            visited = list(path)
            cycle = visited[visited.index(here) :]
            total = Fraction(0)
            for state in reversed(cycle):
                total = rewards[state][chosen[state]] + discount * total
            values[here] = total / (1 - discount ** len(cycle))
        for state in reversed(path):
            if state not in values:
                to = table[state][chosen[state]]
                values[state] = rewards[state][chosen[state]] + discount * values[to]
    return tuple(values[state] for state in range(len(table)))


def mean_rewards(
    log: Episode[Batch] | Iterable[Episode[Batch]],
    encode: Callable[[object], NDArray[np.int64]],
) -> dict[tuple[int, int], Fraction]:
    """Return the average reward of each label and action that occur in a log with rewards."""
    seen: defaultdict[tuple[int, int], list[Fraction]] = defaultdict(list)
    for number, episode in enumerate([log] if isinstance(log, Episode) else log):
        rewards, actions = episode.rewards, episode.actions
        if rewards is None or len(rewards) != len(actions):
            shown = "None" if rewards is None else counted(len(rewards), "reward")
            expected = f"{counted(len(actions), 'reward')}, one for each action"
            raise InvalidArgument(f"rewards of episode {number}", shown, expected)
        labels = encode(episode.observations).tolist()
        if len(labels) not in (len(actions), len(actions) + 1):
            expected = f"{len(actions) + 1:,}, or {len(actions):,} if the last one is missing"
            raise InvalidArgument(f"observations of episode {number}", len(labels), expected)
        for step, (label, action, reward) in enumerate(zip(labels, actions, rewards, strict=False)):
            seen[label, int(action)].append(_exact(f"rewards[{step}] of episode {number}", reward))
    return {pair: sum(each, Fraction(0)) / len(each) for pair, each in sorted(seen.items())}
