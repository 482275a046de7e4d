"""Runs of certain STEEL in worlds that violate an assumption, and what the later steps find.

A run goes on after the rows decide. At several numbers of further steps it is judged as if it ended
there: so one run shows what each number of steps would have found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.plans import Plan
from steel_verified.learning.certain import Certain
from steel_verified.learning.deciding import Decided, Refuted, decide
from steel_verified.learning.model import Model
from steel_verified.sweeps.study import Job
from steel_verified.worlds.dynamics import relabelling
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.drawing import mixed
from tests.studies.violations.twins import true_world

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steel_verified.learning.certain import Exploring
    from steel_verified.sweeps.study import Row
    from tests.studies.violations.drawing import ViolatedWorld
    from tests.studies.violations.process import ProcessWorld
    from tests.studies.violations.twins import TrueWorld

CHECKS: Final = (0, 25, 50, 100, 200, 400, 800)
"""The numbers of steps after the decision at which a run is judged."""
MOST_STEPS: Final = 2_000
"""A run that is not decided after this many steps ends as open."""
FIRST_SEED: Final = 20_000
"""The number of steps after the decision was chosen on worlds with seeds below 400."""
WORLDS: Final = {True: 300, False: 100}
"""How many worlds of each kind that violates an assumption, and that does not."""
BLOCK: Final = 50


class Fate(Enum):
    """How a run ended, or would have ended with fewer steps after the decision."""

    RIGHT = "R"
    """Accepted, and what is promised is true."""
    TWIN = "T"
    """Accepted, and not true here. But another world satisfies all assumptions, and has the same
    rows; so no rows could have shown it."""
    WRONG = "W"
    """Accepted, and not true; later rows could show it."""
    REFUTED = "N"
    """Contradicted: the violation was noticed."""
    OPEN = "O"
    """The rows did not decide."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of world: what it violates, and how one is drawn from a seed."""

    told: str
    drawn: Callable[[int], ViolatedWorld]
    violates: bool = True
    """Whether it violates an assumption of certain STEEL."""
    lies: bool = False
    """Whether rows lie: then the world of the same seed without lies is the truth."""


def _delayed(seed: int) -> ViolatedWorld:
    """Each action takes effect one step later: the state has the last action in it, unseen."""
    world = violated_world(Violation.HONEST, seed)
    table, process = world.table, world.process
    actions = len(table[0])
    pairs = [(state, last) for state in range(len(table)) for last in range(actions)]
    later = tuple(
        tuple(table[state][last] * actions + action for action in range(actions))
        for state, last in pairs
    )
    size = len(pairs)
    return replace(
        world,
        table=later,
        process=replace(
            process,
            moves=tuple(
                tuple(tuple(Fraction(to == s) for s in range(size)) for to in row) for row in later
            ),
            emission=tuple(process.emission[state] for state, _ in pairs),
            start=process.start * actions + seed % actions,
        ),
    )


def _lying(chance: Fraction, seed: int) -> ViolatedWorld:
    """With some chance an observation is that of any state."""
    world = violated_world(Violation.HONEST, seed)
    emission = world.process.emission
    noises = range(len(emission[0]))
    any_state = [
        tuple(
            sum((laws[e][x] for laws in emission), Fraction(0)) / len(emission)
            for x in range(len(emission[0][0]))
        )
        for e in noises
    ]
    lies = tuple(tuple(mixed(chance, any_state[e], laws[e]) for e in noises) for laws in emission)
    return replace(world, process=replace(world.process, emission=lies), size=chance)


def _as_in_violations(violation: Violation, *, violates: bool = True) -> Kind:
    return Kind(violation.told, partial(violated_world, violation), violates)


KINDS: Final = {
    **{
        violation.name.lower().replace("_", "-"): _as_in_violations(violation, violates=violates)
        for violates, kinds in (
            (False, (Violation.HONEST, Violation.HONEST_SLOW, Violation.PERIODIC)),
            (False, (Violation.SLOW, Violation.FOLLOWING)),
            (True, (Violation.MISSING, Violation.ERRING, Violation.ALIKE, Violation.SHARED)),
            (True, (Violation.SLIP_1000, Violation.SLIP_100, Violation.SLIP_10)),
            (True, (Violation.CHANGE, Violation.NO_WAY_BACK)),
        )
        for violation in kinds
    },
    "lying-100": Kind(
        "1 of 100 rows shows any state", partial(_lying, Fraction(1, 100)), lies=True
    ),
    "lying-10": Kind("1 of 10 rows shows any state", partial(_lying, Fraction(1, 10)), lies=True),
    "delayed": Kind("actions take effect one step later", _delayed),
}


def fates(kind: Kind, seed: int) -> tuple[str, int]:
    """How the run would have ended at each of `CHECKS`, as letters; and the steps to the decision.

    If the dynamics change, they do so at some share of the steps that the run of the usual length
    takes without the change.
    """
    world = kind.drawn(seed)
    truth = violated_world(Violation.HONEST, seed) if kind.lies else world
    change_after = None
    if world.later is not None:
        unchanged = world.begin()
        continued(_method(world), _method(world).nothing(), unchanged, world)
        change_after = int(world.changes_at * unchanged.steps)
    under_way = world.begin(change_after=change_after)
    letters, known = "", _method(world).nothing()
    for number in CHECKS:
        method = replace(_method(world), check_steps=number)
        known = continued(method, known, under_way, world)
        match known.decision:
            case Decided() as found:
                letters += fate(world, truth, under_way, known, found).value
            case Refuted():
                return letters.ljust(len(CHECKS), Fate.REFUTED.value), known.decided_at or 0
            case _:
                return letters.ljust(len(CHECKS), Fate.OPEN.value), 0
    return letters, known.decided_at or 0


def _method(world: ViolatedWorld) -> Certain:
    size, actions = world.oracle.class_size, world.parameters.actions
    return Certain(size, actions, world.first_action, seed=world.seed)


def continued(
    method: Certain, known: Exploring, under_way: ProcessWorld, world: ViolatedWorld
) -> Exploring:
    """Continue a run to its end, or to the limit if the rows do not decide."""
    while (word := method.next_word(known)) is not None:
        if known.decided_at is None and known.steps + len(word) > MOST_STEPS:
            break
        seen = under_way.run(Plan(word, len(word))).seen
        known = method.told(known, word, [world.oracle.columns[x] for x in seen])
    return known


def fate(
    world: ViolatedWorld,
    truth: ViolatedWorld,
    under_way: ProcessWorld,
    known: Exploring,
    found: Decided,
) -> Fate:
    """How a run that is accepted now has ended."""
    if is_true(found, world, true_world(truth, under_way)):
        return Fate.RIGHT
    if is_hidden_change(found, world, under_way) or is_never_refuted(world, under_way, known):
        return Fate.TWIN
    return Fate.WRONG


def is_true(found: Decided, world: ViolatedWorld, truth: TrueWorld | None) -> bool:
    """Whether the dynamics are exact, and each classifier that is the only one left for its label.

    A classifier is exact if it is 1 on what its state can show, and 0 on what others can.
    """
    if truth is None or found.current is None:
        return False
    model = Model(truth.dynamics.actions, found.table)
    meaning = relabelling(model, found.current, truth.dynamics, truth.state)
    if meaning is None:
        return False
    return all(
        world.oracle.columns[x] >> fits[0] & 1 == (state == meaning[label])
        for label, fits in enumerate(found.labels)
        if len(fits) == 1
        for state, law in enumerate(truth.shows)
        for x, weight in enumerate(law)
        if weight
    )


def is_hidden_change(found: Decided, world: ViolatedWorld, under_way: ProcessWorld) -> bool:
    """Whether no step took the changed transition after the change: then there is nothing to see.

    The world that does not change has the same rows, with the same chance.
    """
    if world.later is None:
        return False
    same = all(
        world.table[before.state][step.action] == step.state
        for before, step in zip(under_way.path, under_way.path[1:], strict=False)
    )
    unchanged = replace(world, later=None)
    return same and is_true(found, world, true_world(unchanged, under_way))


def is_never_refuted(world: ViolatedWorld, under_way: ProcessWorld, run: Exploring) -> bool:
    """Whether the rows of the run, and all that can follow, have a cover in a connected world.

    Knowledge depends on the set of transitions only, and these are finitely many here. Then the
    labels of that cover, moved by its table, are a world that satisfies all assumptions and can
    show the same rows for ever.
    """
    known = run.knowledge
    for transition in sorted(possible(world, under_way)):
        known = known.told(transition)
    return not isinstance(decide(known, run.here), Refuted)


def possible(world: ViolatedWorld, under_way: ProcessWorld) -> set[tuple[int, int, int]]:
    """All transitions that can be seen from now on: row, action, next row."""
    process, columns = world.process, world.oracle.columns
    moves = process.moves
    if world.later is not None and under_way.has_changed:
        moves = tuple(
            tuple(tuple(Fraction(to == s) for s in range(len(moves))) for to in row)
            for row in world.later
        )

    def rows(state: int, noise: int) -> set[int]:
        law = process.emission[state][noise]
        return {columns[x] for x, weight in enumerate(law) if weight}

    reached = [(under_way.state, under_way.path[-1].noise)]
    found: set[tuple[int, int, int]] = set()
    for state, noise in reached:
        for action in range(process.actions):
            after = [
                (to, turn)
                for to, weight in enumerate(moves[state][action])
                if weight
                for turn, chance in enumerate(process.noise[action][noise])
                if chance
            ]
            reached += [one for one in dict.fromkeys(after) if one not in reached]
            found |= {
                (row, action, later)
                for row in rows(state, noise)
                for to, turn in after
                for later in rows(to, turn)
            }
    return found


def block_keys(name: str) -> list[tuple[str, range]]:
    """The keys of the rows of a kind, each with its seeds."""
    firsts = range(FIRST_SEED, FIRST_SEED + WORLDS[KINDS[name].violates], BLOCK)
    blocks = [range(first, first + BLOCK) for first in firsts]
    return [(f"certain broken {name} {seeds[0]}-{seeds[-1]}", seeds) for seeds in blocks]


def block_row(name: str, seeds: Sequence[int]) -> Row:
    """How each run ended, as letters for each of `CHECKS`; and the steps to the decision."""
    ended = [fates(KINDS[name], seed) for seed in seeds]
    return {"ended": [letters for letters, _ in ended], "decided": [steps for _, steps in ended]}


def broken_jobs() -> list[Job]:
    """All runs of this part of the study."""
    return [
        Job(key, partial(block_row, name, seeds))
        for name in KINDS
        for key, seeds in block_keys(name)
    ]


@dataclass(frozen=True, slots=True)
class Tally:
    """How the runs of a kind ended, for each number of steps after the decision."""

    ended: tuple[str, ...]

    def of(self, fate: Fate, check: int) -> int:
        place = CHECKS.index(check)
        return sum(letters[place] == fate.value for letters in self.ended)


def tally(rows: Mapping[str, Row], name: str) -> Tally:
    """The recorded runs of a kind."""
    blocks = [rows[key] for key, _ in block_keys(name) if key in rows]
    listed = [of for block in blocks if isinstance(of := block["ended"], list)]
    return Tally(tuple(str(letters) for of in listed for letters in of))
