"""Worlds to learn: dynamics of many shapes, Markov chains that mix, emissions, classifiers.

Parameters of STEEL go from the smallest possible ones to unbalanced ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from steel_verified.classes.finite import Tables, tables
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.worlds.chains import Chain, Distribution, mixing_time
from steel_verified.worlds.dynamics import Dynamics, is_connected
from steel_verified.worlds.tabular import ExBmdp

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


@st.composite
def extents(draw: st.DrawFn, parameters: Parameters) -> Extent:
    """Generate a true |S| and D that the parameters allow."""
    most = min(parameters.max_states, parameters.class_size)
    states = draw(st.integers(1, most if parameters.max_diameter else 1))
    longest = min(states - 1, parameters.max_diameter)
    return Extent(states, draw(st.integers(min(1, longest), longest)))


_PARTS = 12
"""Probabilities of generated distributions are twelfths: exact, with a small denominator."""


@st.composite
def cycles(draw: st.DrawFn, *, max_states: int = 5, max_actions: int = 3) -> Dynamics:
    """Generate cycles: in each state one action leads to the next state.

    All other actions do so, too, or stay, or lead back to state 0 (a combination lock); or only
    from state 0 they skip ahead, so that there are two lengths, as in the worlds of primes.
    """
    n, actions = draw(st.integers(1, max_states)), draw(st.integers(1, max_actions))
    right = draw(st.lists(st.integers(0, actions - 1), min_size=n, max_size=n))
    ahead = draw(st.integers(0, n - 1))
    others = draw(
        st.sampled_from(
            (
                [(s + 1) % n for s in range(n)],
                list(range(n)),
                [0] * n,
                [(s + 1) % n if s else ahead for s in range(n)],
            )
        )
    )
    return Dynamics(
        tuple(
            tuple((s + 1) % n if a == right[s] else others[s] for a in range(actions))
            for s in range(n)
        )
    )


@st.composite
def tangles(draw: st.DrawFn, *, max_states: int = 5, max_actions: int = 3) -> Dynamics:
    """Generate random strongly connected tables: any transition may lead to any state."""
    n = draw(st.integers(1, max_states))
    actions = draw(st.integers(1, max_actions))
    entry = st.integers(0, n - 1)
    table = [draw(st.lists(entry, min_size=actions, max_size=actions)) for _ in range(n)]
    order = draw(st.permutations(range(n)))
    for here, there in pairwise((*order, order[0])):
        if not is_connected(table):
            table[here][draw(st.integers(0, actions - 1))] = there
    if not is_connected(table):
        for here, there in pairwise((*order, order[0])):
            table[here][0] = there
    return Dynamics(tuple(tuple(row) for row in table))


def dynamics(*, max_states: int = 5, max_actions: int = 3) -> SearchStrategy[Dynamics]:
    """Generate strongly connected deterministic MDPs of many shapes, simple ones first."""
    limits = {"max_states": max_states, "max_actions": max_actions}
    return cycles(**limits) | tangles(**limits)


@st.composite
def distributions(draw: st.DrawFn, size: int) -> Distribution:
    """Generate distributions on `size` outcomes, in twelfths; the simplest is (1, 0, …, 0)."""
    cuts = sorted(draw(st.lists(st.integers(0, _PARTS), min_size=size - 1, max_size=size - 1)))
    edges = (0, *cuts, _PARTS)
    return tuple(Fraction(b - a, _PARTS) for a, b in pairwise(edges))[::-1]


@st.composite
def chains(draw: st.DrawFn, *, max_size: int = 4) -> Chain:
    """Generate irreducible, aperiodic Markov chains with rational entries, from fast to slow.

    For each state, a drawn distribution is mixed with a cycle through all states, which stays in
    the first state with some chance. "Sticky" chains keep their state most of the time, so they mix
    slowly.
    """
    n = draw(st.integers(1, max_size))
    sticky = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(5, 6), Fraction(23, 24)]))
    rows = []
    for e in range(n):
        law = draw(distributions(n))
        held = [Fraction(0)] * n
        held[(e + 1) % n] += Fraction(1, 2)
        held[0 if e == 0 else (e + 1) % n] += Fraction(1, 2)
        row = [(p + q) / 2 * (1 - sticky) for p, q in zip(law, held, strict=True)]
        row[e] += sticky
        rows.append(tuple(row))
    return Chain(tuple(rows))


@st.composite
def ex_bmdps(draw: st.DrawFn, *, max_states: int = 4, max_actions: int = 3) -> ExBmdp:
    """Generate exogenous block MDPs: some states show the noise, others hide it."""
    latent = draw(dynamics(max_states=max_states, max_actions=max_actions))
    noise = draw(chains())
    shows = [draw(st.integers(1, 3)) for _ in range(latent.states)]
    emission = []
    for s in range(latent.states):
        before, after = sum(shows[:s]), sum(shows[s + 1 :])
        hidden = draw(st.booleans())
        law = draw(distributions(shows[s]))
        laws = [law if hidden else draw(distributions(shows[s])) for _ in range(len(noise))]
        zero = Fraction(0)
        emission.append(tuple((zero,) * before + law + (zero,) * after for law in laws))
    return ExBmdp(
        dynamics=latent,
        noise=noise,
        initial_noise=draw(distributions(len(noise))),
        emission=tuple(emission),
        start=draw(st.integers(0, latent.states - 1)),
    )


@st.composite
def realising_classes(draw: st.DrawFn, world: ExBmdp, *, max_extra: int = 6) -> Tables:
    """Generate classes with a one-versus-rest classifier for each state, and others."""
    encoder = world.encoder()
    rows = [[owner == s for owner in encoder] for s in range(world.dynamics.states)]
    some = st.lists(st.booleans(), min_size=len(encoder), max_size=len(encoder))
    rows += draw(st.lists(some, max_size=max_extra))
    return tables(draw(st.permutations(rows)))


@dataclass(frozen=True)
class Problem:
    """A world, a class that realises its encoder, and correct parameters for both."""

    world: ExBmdp
    oracle: Tables
    parameters: Parameters
    first_action: int


@st.composite
def problems(draw: st.DrawFn, *, max_states: int = 4, max_actions: int = 3) -> Problem:
    """Generate complete inputs of STEEL that satisfy all assumptions; the bounds may be loose."""
    world = draw(ex_bmdps(max_states=max_states, max_actions=max_actions))
    oracle = draw(realising_classes(world))
    return Problem(
        world=world,
        oracle=oracle,
        parameters=Parameters(
            actions=world.dynamics.actions,
            max_states=world.dynamics.states + draw(st.integers(0, 2)),
            max_diameter=world.dynamics.diameter + draw(st.integers(0, 2)),
            mixing_time=mixing_time(world.noise) + draw(st.integers(0, 3)),
            class_size=oracle.class_size,
            delta=draw(st.just(Fraction(1, 1000)) | probabilities().map(lambda p: p / 1000)),
            epsilon=draw(st.sampled_from([Fraction(1, 2), Fraction(1, 5)])),
        ),
        first_action=draw(st.integers(0, world.dynamics.actions - 1)),
    )
