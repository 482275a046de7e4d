"""`SeparatedTimes` accepts only times that are far enough apart, and is immutable."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.errors import TooClose
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.schedules import (
    SeparatedTimes,
)

from .schedule_laws import closest


def test_times_that_are_too_close_are_refused() -> None:
    every_39 = Progression(100, (Level(5, 39),))
    with pytest.raises(TooClose, match="gap 39 < 40"):
        SeparatedTimes(pieces=(every_39,), apart=40)
    apart = Progression(100, (Level(5, 40),))
    assert len(SeparatedTimes(pieces=(apart,), apart=40)) == 5
    with pytest.raises(TooClose, match="gap 1 < 40"):
        SeparatedTimes(pieces=(apart, Progression(139)), apart=40)


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


def test_separated_times_refuse_a_repeated_timestep() -> None:
    with pytest.raises(TooClose, match="gap 0 < 1"):
        SeparatedTimes(pieces=(Progression(7), Progression(7)), apart=1)


def test_separated_times_are_immutable() -> None:
    times = SeparatedTimes(pieces=(Progression(7),), apart=3)
    with pytest.raises(FrozenInstanceError):
        times.apart = 1  # type: ignore[misc]  # what must not be possible
    with pytest.raises(TooClose):
        replace(times, pieces=(Progression(7), Progression(9)))
