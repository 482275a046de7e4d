"""Parameters of STEEL, from the smallest possible ones to unbalanced ones."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.theory.recipe import Recipe, paper

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def probabilities() -> SearchStrategy[Fraction]:
    """Generate exact numbers strictly between 0 and 1, simple ones first, down to 10⁻⁹."""
    simple = st.sampled_from([Fraction(1, 2), Fraction(1, 20), Fraction(49, 100)])
    smallest = Fraction(1, 10**9)
    return simple | st.fractions(smallest, 1 - smallest, max_denominator=10**9)


def parameters(*, max_states: int = 12) -> SearchStrategy[Parameters]:
    """Generate valid parameters with N up to `max_states`.

    Mixing times are near 1, near the length of a cycle, or far above it.
    """
    return st.builds(
        Parameters,
        actions=st.integers(1, 6),
        max_states=st.integers(1, max_states),
        max_diameter=st.integers(0, 2 * max_states),
        mixing_time=st.integers(1, 4) | st.integers(1, 80) | st.integers(1, 5000),
        class_size=st.integers(1, 2000) | st.integers(1, 10**12),
        delta=probabilities(),
        epsilon=probabilities(),
    )


def recipes(*, max_states: int = 12) -> SearchStrategy[Recipe]:
    """Generate the paper's recipe for valid parameters."""
    return parameters(max_states=max_states).map(paper)


@st.composite
def extents(draw: st.DrawFn, parameters: Parameters) -> Extent:
    """Generate a true |S| and D that the parameters allow."""
    most = min(parameters.max_states, parameters.class_size)
    states = draw(st.integers(1, most if parameters.max_diameter else 1))
    longest = min(states - 1, parameters.max_diameter)
    return Extent(states, draw(st.integers(min(1, longest), longest)))
