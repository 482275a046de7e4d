"""Worlds to learn: dynamics of many shapes, chains that mix, emissions, classifiers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from steel_verified.classes.finite import Tables, tables
from steel_verified.strategies.parameters import probabilities
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import ExBmdp

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from steel_verified.worlds.chains import Distribution

_PARTS = 12
"""Weights of generated laws are twelfths: exact, and with a small common denominator."""


def rings(*, max_states: int = 5, max_actions: int = 3) -> SearchStrategy[Dynamics]:
    """Every action leads on to the next state: as periodic as can be."""
    return st.builds(
        lambda n, a: Dynamics(tuple(((s + 1) % n,) * a for s in range(n))),
        st.integers(1, max_states),
        st.integers(1, max_actions),
    )


def carousels(*, max_states: int = 5, max_actions: int = 3) -> SearchStrategy[Dynamics]:
    """One action leads on, the others stay: self-loops everywhere."""
    return st.builds(
        lambda n, a, b: Dynamics(
            tuple(tuple((s + 1) % n if c == b % a else s for c in range(a)) for s in range(n))
        ),
        st.integers(1, max_states),
        st.integers(2, max_actions),
        st.integers(0, max_actions - 1),
    )


@st.composite
def locks(draw: st.DrawFn, *, max_states: int = 5, max_actions: int = 3) -> Dynamics:
    """Only the right action leads on; any other leads back to the first state."""
    actions = draw(st.integers(2, max_actions))
    right = draw(st.lists(st.integers(0, actions - 1), min_size=1, max_size=max_states))
    return Dynamics(
        tuple(
            tuple((s + 1) % len(right) if a == right[s] else 0 for a in range(actions))
            for s in range(len(right))
        )
    )


@st.composite
def short_cuts(draw: st.DrawFn, *, max_states: int = 5, max_actions: int = 3) -> Dynamics:
    """A loop in which one state can skip ahead: two cycle lengths, as in the prime loops."""
    n = draw(st.integers(2, max_states))
    actions = draw(st.integers(2, max_actions))
    ahead = draw(st.integers(0, n - 1))
    skip = (1 % n, *[ahead] * (actions - 1))
    return Dynamics((skip, *(((s + 1) % n,) * actions for s in range(1, n))))


@st.composite
def tangles(draw: st.DrawFn, *, max_states: int = 5, max_actions: int = 3) -> Dynamics:
    """Any table at all; where it falls apart, a cycle through all states holds it together."""
    n = draw(st.integers(1, max_states))
    actions = draw(st.integers(1, max_actions))
    entry = st.integers(0, n - 1)
    table = [draw(st.lists(entry, min_size=actions, max_size=actions)) for _ in range(n)]
    order = draw(st.permutations(range(n)))
    for here, there in pairwise((*order, order[0])):
        if not _holds_together(table):
            table[here][draw(st.integers(0, actions - 1))] = there
    if not _holds_together(table):
        for here, there in pairwise((*order, order[0])):
            table[here][0] = there
    return Dynamics(tuple(tuple(row) for row in table))


def _holds_together(table: list[list[int]]) -> bool:
    """Whether state 0 reaches all, and all reach it."""
    forward = [set(row) for row in table]
    backward: list[set[int]] = [set() for _ in table]
    for s, row in enumerate(table):
        for to in row:
            backward[to].add(s)
    for edges in (forward, backward):
        reached, frontier = {0}, [0]
        while frontier:
            new = edges[frontier.pop()] - reached
            reached |= new
            frontier += new
        if len(reached) < len(table):
            return False
    return True


def dynamics(*, max_states: int = 5, max_actions: int = 3) -> SearchStrategy[Dynamics]:
    """Strongly connected deterministic MDPs, simple ones first, of many shapes.

    `max_actions` is at least 2, because some shapes need a choice.
    """
    return st.one_of(
        *(
            shape(max_states=max_states, max_actions=max_actions)
            for shape in (rings, carousels, locks, short_cuts, tangles)
        )
    )


@st.composite
def distributions(draw: st.DrawFn, size: int) -> Distribution:
    """Laws on `size` outcomes, in twelfths; the simplest is certain of the first."""
    cuts = sorted(draw(st.lists(st.integers(0, _PARTS), min_size=size - 1, max_size=size - 1)))
    edges = (0, *cuts, _PARTS)
    return tuple(Fraction(b - a, _PARTS) for a, b in pairwise(edges))[::-1]


@st.composite
def chains(draw: st.DrawFn, *, max_size: int = 4) -> Chain:
    """Irreducible, aperiodic chains with exact rational entries, from one state to slow ones.

    A drawn law for each state is mixed with a cycle through all states and, at the first, a chance
    to stay; "sticky" chains stay where they are most of the time, and so mix slowly.
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
    """Exogenous block MDPs: some states show the noise, some hide it (a switched-off noisy TV)."""
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
    """Classes with a one-versus-rest classifier for each state, and others, in any order."""
    encoder = world.encoder()
    rows = [[owner == s for owner in encoder] for s in range(world.dynamics.states)]
    some = st.lists(st.booleans(), min_size=len(encoder), max_size=len(encoder))
    rows += draw(st.lists(some, max_size=max_extra))
    return tables(draw(st.permutations(rows)))


@dataclass(frozen=True)
class Problem:
    """A world, a class that realises its encoder, and true parameters for both."""

    world: ExBmdp
    oracle: Tables
    parameters: Parameters
    first_action: int


@st.composite
def problems(draw: st.DrawFn, *, max_states: int = 4, max_actions: int = 3) -> Problem:
    """All that STEEL needs, with every assumption of its theorem met; bounds may be loose."""
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
