"""Figures 2 and 4 show exactly the times of the schedules, and gaps that are long enough."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.collections import PathCollection

from steel_verified.reports.figures.schedules import (
    Loop,
    Picture,
    example,
    period_picture,
    place_of,
    position_figure,
    position_picture,
)
from steel_verified.strategies import dynamics
from steel_verified.theory.counts import period_test_repetitions, position_samples
from tests.bounds import bounds, with_class


@st.composite
def loops(draw: st.DrawFn) -> Loop:
    """A loop in a small world, with bounds that are not always tight."""
    world = draw(dynamics(max_states=4))
    actions = st.integers(0, world.actions - 1)
    return Loop(
        dynamics=world,
        start=draw(st.integers(0, world.states - 1)),
        word=tuple(draw(st.lists(actions, min_size=1, max_size=3))),
        parameters=with_class(
            bounds(
                world.actions,
                draw(st.integers(max(2, world.states), 5)),
                draw(st.integers(1, 25)),
                delta=Fraction(9, 10),
                epsilon=Fraction(1, 2),
            ),
            world.states,
            world.diameter,
        ),
    )


def state_at(loop: Loop, time: int) -> int:
    here = loop.start
    for step in range(time):
        here = loop.dynamics.table[here][loop.word[step % len(loop.word)]]
    return here


def true_period(loop: Loop) -> int:
    """The words after which a loop that has been entered returns."""
    length = len(loop.word)
    entered = loop.dynamics.states * length
    return next(
        n for n in range(1, 9) if state_at(loop, entered + n * length) == state_at(loop, entered)
    )


def times(picture: Picture) -> list[list[int]]:
    return [[sample.time for sample in row.samples] for row in picture.rows]


def require_drawable(loop: Loop, picture: Picture) -> None:
    """States are the true ones, windows are apart, all that is marked is seen and is so."""
    for sample in picture.passing + tuple(s for row in picture.rows for s in row.samples):
        assert sample.state == state_at(loop, sample.time)
    assert all(one.last + 1 < other.first for one, other in pairwise(picture.windows))
    seen = [t for window in picture.windows for t in range(window.first, window.last + 1)]
    assert [sample.time for sample in picture.passing] == [
        t for t in seen if t in {sample.time for sample in picture.passing}
    ]
    places = [place_of(t, picture.windows) for t in seen]
    assert all(after - before >= 1 for before, after in pairwise(places))
    sampled = {time for row in times(picture) for time in row}
    assert min(sampled) >= picture.settled >= picture.mixing_time
    for gap in picture.gaps:
        assert gap.before - gap.after >= picture.mixing_time == loop.parameters.mixing_time
        assert {gap.after, gap.before} <= sampled


@given(loops(), st.data())
def test_a_period_test_is_shown_as_the_paper_defines_it(loop: Loop, data: st.DataObject) -> None:
    period = true_period(loop)
    assert loop.period == period
    n = data.draw(st.integers(max(2, period), loop.parameters.max_states), "n'_cyc")
    length, mixing = len(loop.word), loop.parameters.mixing_time
    offset = max((loop.parameters.max_states - 1) * length, mixing)
    until = data.draw(st.integers(offset, offset + 200), "until")
    picture = period_picture(loop, n, until)
    require_drawable(loop, picture)
    # The definitions of D_1 and D_0, at l. 560, in words from the offset on.
    r = -(-mixing // (n * length)) * n
    k = period_test_repetitions(loop.parameters, length, n)
    ones = [offset + (2 * r + n) * i * length for i in range(k)]
    zeros = [[offset + (r + (2 * r + n) * i + j) * length for i in range(k)] for j in range(1, n)]
    assert times(picture) == [[t for t in row if t <= until] for row in (ones, *zeros)]
    shared = {state_at(loop, t) for t in ones} & {state_at(loop, t) for row in zeros for t in row}
    assert bool(shared) == (n > period) == ("no:" in picture.title)
    stand_out = [row.stands_out for row in picture.rows]
    assert stand_out[0]
    assert stand_out[1:] == [
        [state_at(loop, t) for t in row] == [state_at(loop, t) for t in ones] for row in zeros
    ]
    assert any(stand_out[1:]) == (n > period)
    # Every sample of D_1 that has neighbours in D_0 is marked on both sides.
    merged = sorted((t, t in ones) for row in times(picture) for t in row)
    changes = [(a, b) for (a, one), (b, other) in pairwise(merged) if one != other]
    assert [(gap.after, gap.before) for gap in picture.gaps] == changes


@given(loops(), st.integers(1, 3) | st.integers(1, 20))
def test_positions_are_shown_as_the_paper_defines_them(loop: Loop, blocks: int) -> None:
    picture = position_picture(loop, blocks)
    require_drawable(loop, picture)
    length, mixing = len(loop.word), loop.parameters.mixing_time
    cycle = true_period(loop) * length
    stride = -(-mixing // cycle) * cycle
    n = position_samples(loop.parameters)
    # n_0 and n_0', at l. 688 and 700.
    early = max((loop.parameters.max_states - true_period(loop)) * length, mixing)
    late = early + (n - 1) * stride + cycle + mixing
    expected = [
        [k * stride + start + (i - start) % cycle for start in (early, late) for k in range(n)]
        for i in range(cycle)
    ]
    assert times(picture) == [
        [t for t in row if any(window.has(t) for window in picture.windows)] for row in expected
    ]
    assert picture.windows[0].first == 0
    assert picture.windows[-1].last == max(t for row in expected for t in row)
    between = [gap for gap in picture.gaps if gap.row is None]
    halves = [{row[i] for row in expected for i in part} for part in (range(n), range(n, 2 * n))]
    assert [(gap.after, gap.before) for gap in between] == [(max(halves[0]), min(halves[1]))]
    within = [(gap.after, gap.before) for gap in picture.gaps if gap.row == 0]
    assert set(within) <= set(pairwise(expected[0]))
    assert [(span.first, span.last) for span in picture.spans] == [
        (min(half), max(half)) for half in halves
    ]


def test_position_figure_has_a_dot_for_each_computed_sample() -> None:
    axes = position_figure().axes[0]
    picture = position_picture(example(), 2)
    dots = sorted(
        (-float(y), float(x))
        for drawn in axes.collections
        if isinstance(drawn, PathCollection)
        for x, y in np.asarray(drawn.get_offsets())
    )
    assert dots == sorted(
        (row, place_of(sample.time, picture.windows))
        for row, dataset in enumerate(picture.rows)
        for sample in dataset.samples
    )
