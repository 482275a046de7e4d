"""Gaps in closed form equal those of listed times, and times that are too close are refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.errors import TooClose
from steel_verified.theory.progressions import Level, Progression, gap_between
from steel_verified.theory.schedules import SeparatedTimes

from .schedule_laws import closest


@st.composite
def progressions(draw: st.DrawFn) -> Progression:
    levels: list[Level] = []
    span = 0
    for _ in range(draw(st.integers(0, 3))):
        level = Level(draw(st.integers(1, 5)), span + draw(st.integers(1, 12)))
        levels.insert(0, level)
        span += (level.count - 1) * level.stride
    return Progression(draw(st.integers(0, 60)), tuple(levels))


@given(times=progressions())
def test_times_are_increasing_and_their_gap_is_the_smallest(times: Progression) -> None:
    listed = list(times)
    assert listed == sorted(set(listed))
    assert (len(times), times.first, times.last) == (len(listed), listed[0], listed[-1])
    assert times.gap == min((b - a for a, b in pairwise(listed)), default=None)


def listed_gap(one: Progression, other: Progression) -> int:
    return min(abs(a - b) for a, b in product(one, other))


@given(one=progressions(), other=progressions())
def test_gap_between_two_progressions_equals_the_listed_gap(
    one: Progression, other: Progression
) -> None:
    assert gap_between(one, other) == gap_between(other, one) == listed_gap(one, other)


@given(
    one=progressions(),
    other=progressions(),
    counts=st.lists(st.integers(1, 4), min_size=1, max_size=2),
    slack=st.integers(1, 9),
)
@example(one=Progression(3, (Level(3, 5),)), other=Progression(0), counts=[2, 2], slack=1)
@example(one=Progression(3), other=Progression(0), counts=[2, 2], slack=3)
@example(one=Progression(0), other=Progression(5), counts=[3], slack=7)
def test_gap_between_progressions_with_the_same_outer_levels(
    one: Progression, other: Progression, counts: list[int], slack: int
) -> None:
    """A part that is moved back by whole strides may begin before time 0."""
    outer: tuple[Level, ...] = ()
    span = max(one.span, other.span)
    for count in counts:
        level = Level(count, span + slack)
        outer = (level, *outer)
        span += (count - 1) * level.stride
    one, other = (replace(part, levels=outer + part.levels) for part in (one, other))
    assert gap_between(one, other) == listed_gap(one, other)


def test_gaps_of_huge_progressions_are_computed_without_listing() -> None:
    rows = [Progression(7 * j, (Level(10**9, 10**6), Level(10**4, 90))) for j in range(4)]
    assert [len(row) for row in rows] == [10**13] * 4
    assert {gap_between(a, b) for a, b in combinations(rows, 2)} == {7, 14, 21}


@st.composite
def pieces_in_any_order(draw: st.DrawFn) -> list[Progression]:
    """Draw progressions one after the other, near or far, and shuffle them."""
    found: list[Progression] = []
    for _ in range(draw(st.integers(0, 4))):
        first = found[-1].last + draw(st.integers(1, 12)) if found else 0
        levels = (Level(draw(st.integers(1, 3)), draw(st.integers(1, 12))),)
        found.append(Progression(first, levels))
    return draw(st.permutations(found))


@given(pieces=pieces_in_any_order(), apart=st.integers(1, 12))
@example(pieces=[Progression(0), Progression(90, (Level(2, 3),))], apart=9)
@example(pieces=[Progression(0), Progression(90), Progression(93)], apart=9)
@example(pieces=[Progression(7), Progression(7)], apart=1)
def test_separated_times_raise_exactly_if_two_times_are_too_close(
    pieces: list[Progression], apart: int
) -> None:
    """The two closest times may be in one piece or in different pieces."""
    times = [time for piece in pieces for time in piece]
    if closest(times) < apart:
        with pytest.raises(TooClose, match=f"gap .* < {apart}"):
            SeparatedTimes(pieces=tuple(pieces), apart=apart)
    else:
        kept = SeparatedTimes(pieces=tuple(pieces), apart=apart)
        assert (len(kept), list(kept)) == (len(times), times)
