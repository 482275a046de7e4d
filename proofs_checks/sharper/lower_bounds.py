"""Checks beside `lower_bounds.toml`: what no learner can do in fewer steps."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.checks.evidence import NotEarned
from proofs_checks.checks.finite import equal, exact, exhausted

if TYPE_CHECKING:
    from proofs_checks.checks.evidence import Evidence

Table = tuple[tuple[int, ...], ...]


def _lock(states: int) -> Table:
    """Action 1 leads to the next state, at last to 0; action 0 leads to 0."""
    return tuple((0, (state + 1) % states) for state in range(states))


def _bound_below(table: Table, start: int, prices: list[int]) -> int:
    """A bound on every walk that takes all transitions, from a price for each state.

    Each step costs 1 + price(from) − price(to), at least 0. Over a walk the prices cancel, except
    those of both ends; and each transition is paid at least once.
    """
    costs = [1 + prices[s] - prices[to] for s, row in enumerate(table) for to in row]
    if min(costs) < 0:
        raise NotEarned("a step has a negative cost")
    return sum(costs) - prices[start] + min(prices)


def _searched(table: Table, start: int) -> int:
    """The least number of steps that take all transitions, by search through all walks."""
    number = {edge: i for i, edge in enumerate(product(range(len(table)), range(len(table[0]))))}
    goal = (1 << len(number)) - 1
    seen, queue = {(start, 0)}, deque([(start, 0, 0)])
    while queue:
        here, taken, steps = queue.popleft()
        if taken == goal:
            return steps
        for action, to in enumerate(table[here]):
            after = to, taken | 1 << number[here, action]
            if after not in seen:
                seen.add(after)
                queue.append((*after, steps + 1))
    raise NotEarned("no walk takes all transitions")


def locks_need(per_run: int = 1) -> Evidence:
    """Check the least walk of all locks of up to 6 states, from each start, by search.

    `per_run` = 0: the second transition from the last state back to 0 is forgotten.
    """

    def is_least(case: tuple[int, int]) -> bool:
        states, start = case
        stated = states * (states + 1) // 2 + states * per_run - start
        return _searched(_lock(states), start) == stated

    cases = [(states, start) for states in range(2, 7) for start in range(states)]
    return exhausted(cases, is_least, "locks of 2 to 6 states, each start")


def a_walk_of_the_lock_takes(steps: int, states: int = 20, start: int = 6) -> Evidence:
    """Check that a walk of so many steps takes all transitions, and that none does in fewer.

    The walk goes to the last state and back to 0, and then leaves each state in turn by action 0.
    """
    word = [1] * (states - start) + [action for end in range(states) for action in [1] * end + [0]]
    table, here, taken = _lock(states), start, set[tuple[int, int]]()
    for action in word:
        taken.add((here, action))
        here = table[here][action]
    if len(taken) < 2 * states:
        raise NotEarned(f"{2 * states - len(taken)} transitions are not taken")
    return equal((_bound_below(table, start, list(range(states))), len(word)), (steps, steps))


# --- noise that hides the difference between two worlds -------------------------------------------


def _hiding(t: int, share: Fraction, again: Fraction) -> list[list[Fraction]]:
    """The noise: out, then B_1 to B_t, from which it is `again` at B_1 with this chance, else out.

    It is in B with this share of the time.
    """
    rate = (1 - again) * share / ((1 - share) * t)
    rows = [[Fraction(0)] * (t + 1) for _ in range(t + 1)]
    rows[0][0], rows[0][1] = 1 - rate, rate
    for place in range(1, t):
        rows[place][place + 1] = Fraction(1)
    rows[t][1] += again
    rows[t][0] += 1 - again
    return rows


def hiding_noise_mixes(again: Fraction) -> Evidence:
    """Check that after t steps this noise is within 1/4 of its law, from every value."""

    def mixes(case: tuple[int, Fraction]) -> bool:
        t, share = case
        rows = _hiding(t, share, again)
        law = [1 - share, *[share / t] * t]
        size = range(t + 1)
        if any(sum(law[i] * rows[i][j] for i in size) != law[j] for j in size):
            return False
        for start in size:
            now = [Fraction(i == start) for i in size]
            for _ in range(t):
                now = [sum((now[i] * rows[i][j] for i in size), Fraction(0)) for j in size]
            if sum(max(Fraction(0), now[j] - law[j]) for j in size) >= Fraction(1, 4):
                return False
        return True

    cases = [
        (t, share)
        for t in range(1, 9)
        for share in (Fraction(1, 20), Fraction(1, 10), Fraction(6, 25))
    ]
    return exact(cases, mixes, "t up to 8, and shares of 1/20, 1/10 and 6/25")


def no_encoder_is_right_in_both(share: Fraction, error: Fraction) -> Evidence:
    """Check that each encoder of the four patterns errs with chance above `error` in some world.

    Out of B, state s shows pattern 0 and s' shows 1, in both worlds. In B, with this share, s shows
    2 and s' shows 3 in the first world, and the other way round in the second.
    """

    def errs(encoder: tuple[int, ...]) -> bool:
        return not any(
            all(_error(encoder, shown, names, share) <= error for shown in ((2, 3), (3, 2)))
            for names in ((0, 1), (1, 0))
        )

    return exhausted(product(range(2), repeat=4), errs, "encoders of four patterns")


def _error(
    encoder: tuple[int, ...], shown: tuple[int, int], names: tuple[int, int], share: Fraction
) -> Fraction:
    """The larger chance of an error of both states, if they are called by these names."""
    return max(
        (1 - share) * (encoder[state] != names[state])
        + share * (encoder[shown[state]] != names[state])
        for state in range(2)
    )
