"""Which conditions of the guarantee a finite world breaks, given how its hidden state is read.

A reading says of each hidden state which latent state and which noise state it is. The same law of
data can be read in several ways; the conditions hold or fail for a reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.theory.conditions import Condition
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import distances
from tests.worlds.laws_of_data import hidden_model

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from steel_verified.classes.finite import Tables
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.tabular import ExBmdp, HiddenModel


@dataclass(frozen=True)
class Reading:
    """A world as its owner understands it: the latent state and the noise of each hidden state."""

    model: HiddenModel
    latent: tuple[int, ...]
    noise: tuple[int, ...]
    epoch: tuple[int, ...] = ()
    """Hidden states of one epoch have the same dynamics; without epochs, all have."""
    resets: frozenset[int] = frozenset()
    """The actions that reset the world, and so are no part of its dynamics."""

    @property
    def states(self) -> int:
        return max(self.latent) + 1


def reading_of(world: ExBmdp) -> Reading:
    """The reading by which a tabular world is defined."""
    pairs = [(s, e) for s in range(world.dynamics.states) for e in range(len(world.noise))]
    return Reading(hidden_model(world), tuple(s for s, _ in pairs), tuple(e for _, e in pairs))


def broken(world: Reading, classifiers: Tables, given: Parameters) -> set[Condition]:
    """The conditions on the world, the bounds and F that this reading breaks."""
    found = {Condition.UNBROKEN} if world.resets else set()
    found |= _broken_by_dynamics(world, given)
    found |= _broken_by_noise(world, given)
    if world.states > given.max_states:
        found.add(Condition.MAX_STATES)
    if given.class_size < max(classifiers.class_size, world.states):
        found.add(Condition.CLASS_SIZE)
    if not _realised(world, classifiers):
        found.add(Condition.REALISABLE)
    return found


def _broken_by_dynamics(world: Reading, given: Parameters) -> set[Condition]:
    found = set()
    actions = [a for a in range(world.model.actions) if a not in world.resets]
    epoch = world.epoch or (0,) * len(world.model)
    within: dict[tuple[int, int, int], set[int]] = {}
    ever: dict[tuple[int, int], set[int]] = {}
    for h, s in enumerate(world.latent):
        for a in actions:
            leads = {world.latent[to] for to, _ in world.model.moves[h][a]}
            within.setdefault((s, a, epoch[h]), set()).update(leads)
            ever.setdefault((s, a), set()).update(leads)
    if any(len(leads) > 1 for leads in within.values()):
        found.add(Condition.DETERMINISTIC)
    elif any(len(leads) > 1 for leads in ever.values()):
        found.add(Condition.UNCHANGING)
    edges: dict[int, set[int]] = {s: set() for s in range(world.states)}
    for (s, _), leads in ever.items():
        edges[s] |= leads
    far = [distances([sorted(leads) for leads in edges.values()], s) for s in edges]
    if any(len(each) < world.states for each in far):
        found.add(Condition.CONNECTED)
    elif max(max(each.values()) for each in far) > given.max_diameter:
        found.add(Condition.MAX_DIAMETER)
    return found


def _broken_by_noise(world: Reading, given: Parameters) -> set[Condition]:
    size = max(world.noise) + 1
    rows: dict[int, set[tuple[Fraction, ...]]] = {}
    for h, e in enumerate(world.noise):
        for leads in world.model.moves[h]:
            row = [Fraction(0)] * size
            for to, weight in leads:
                row[world.noise[to]] += weight
            rows.setdefault(e, set()).add(tuple(row))
    if any(len(laws) > 1 for laws in rows.values()):
        return {Condition.EXOGENOUS}
    try:
        chain = Chain(tuple(next(iter(rows[e])) for e in sorted(rows)))
    except InvalidArgument:  # reducible or periodic
        return {Condition.MIXING}
    return set() if mixing_time(chain) <= given.mixing_time else {Condition.MIXING}


def _realised(world: Reading, classifiers: Tables) -> bool:
    """Whether each latent state has a classifier that is 1 on just its observations."""
    shown: dict[int, set[int]] = {}
    for h, s in enumerate(world.latent):
        shown.setdefault(s, set()).update(x for x, _ in world.model.shows[h])
    values = [
        {x for x, column in enumerate(classifiers.columns) if column >> f & 1}
        for f in range(classifiers.class_size)
    ]
    return _disjoint(shown.values()) and all(
        any(own <= ones and not ones & others for ones in values)
        for s, own in shown.items()
        for others in [set().union(*(each for t, each in shown.items() if t != s))]
    )


def _disjoint(sets: Iterable[set[int]]) -> bool:
    every: list[Hashable] = [x for each in sets for x in each]
    return len(every) == len(set(every))
