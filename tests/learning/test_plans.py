"""A plan is valid exactly if it can be run and contains the times that it announces."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.theory.progressions import Level, Progression

stretches = st.builds(
    lambda first, count: Progression(first, (Level(count, 2),)),
    st.integers(-2, 12),
    st.integers(1, 3),
)


@given(
    word=st.lists(st.integers(0, 1), max_size=2).map(tuple),
    steps=st.integers(-1, 8),
    done=st.integers(-2, 4),
    keeps=st.lists(stretches, max_size=3).map(tuple),
)
@example(word=(0,), steps=3, done=-1, keeps=())
@example(word=(0,), steps=3, done=4, keeps=(Progression(5), Progression(4)))
@example(word=(0,), steps=3, done=4, keeps=(Progression(5), Progression(8)))
@example(word=(0,), steps=3, done=0, keeps=(Progression(1), Progression(3)))
@example(word=(0,), steps=3, done=4, keeps=(Progression(4, (Level(2, 2),)),))
@example(word=(0,), steps=3, done=4, keeps=(Progression(6, (Level(2, 2),)),))
def test_plan_is_refused_exactly_if_it_is_invalid(
    word: tuple[int, ...], steps: int, done: int, keeps: tuple[Progression, ...]
) -> None:
    """Time t is after the t-th step of the loop, so a plan covers the times done + 1 to the end."""
    covered = set(range(done + 1, done + steps + 1))
    if word and steps >= 1 and done >= 0 and all(covered.issuperset(times) for times in keeps):
        assert Plan(word, steps, done, keeps).keeps == keeps
    else:
        with pytest.raises(InvalidArgument, match=r"word|steps|done|keeps"):
            Plan(word, steps, done, keeps)
