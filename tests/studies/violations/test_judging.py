"""Each world breaks just its condition and has its law; the judge sees wrong models and twins."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

from steel_verified.evidence.oracle import of_kind
from steel_verified.evidence.plans import Plan
from steel_verified.learning.certain import State as CertainState
from steel_verified.learning.model import Model
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.theory.conditions import Cause, Condition, listed
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.self_check import SelfCheck
from steel_verified.worlds.chains import Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics, relabelling

from ...worlds.laws_of_data import too_far
from .breaking import Violation, violated_world
from .judging import Ending, Method, Outcome, ending
from .judging import judged as judged_ending
from .process import Change, Process, ProcessWorld
from .twins import is_never_refuted, true_world

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from steel_verified.learning.results import Result
    from steel_verified.worlds.dynamics import Table

    from .drawing import ViolatedWorld


HONEST = violated_world(Violation.HONEST, 0)


def learned(world: ViolatedWorld, method: Method) -> tuple[Result, ProcessWorld]:
    """The result of a run without a self-check, and the world at its end."""
    ended = ending(world, method, None)
    return ended.result, ended.under_way


def judged(world: ViolatedWorld, result: Result, under_way: ProcessWorld) -> Outcome:
    return judged_ending(world, Ending(result, under_way, None))


@pytest.mark.parametrize("method", Method)
def test_a_model_or_an_encoder_that_is_wrong_is_judged_as_wrong(method: Method) -> None:
    result, under_way = learned(HONEST, method)
    assert isinstance(result, Accepted)
    assert judged(HONEST, result, under_way) is Outcome.RIGHT
    assert result.classifiers is not None
    elsewhere = replace(result, current=(result.current + 1) % result.model.states)
    assert judged(HONEST, elsewhere, under_way) is Outcome.WRONG
    actions = HONEST.parameters.actions
    one_state = Model(actions, ((0,) * actions,))
    first, second, *others = result.classifiers
    nothing = replace(result, model=one_state, current=0, classifiers=(first,))
    assert judged(HONEST, nothing, under_way) is Outcome.WRONG
    exchanged = replace(result, classifiers=(second, first, *others))
    if (decided := result.decided) is not None:
        one, other, *more = decided.labels
        exchanged = replace(result, decided=replace(decided, labels=(other, one, *more)))
    assert judged(HONEST, exchanged, under_way) is Outcome.WRONG


def test_outcome_depends_on_what_is_said_of_the_true_cause() -> None:
    world = violated_world(Violation.SLIP_10, 0)
    result, under_way = learned(HONEST, Method.LOOPED)
    true, other = (
        Cause(condition, "it was seen", is_supported=True)
        for condition in (Condition.DETERMINISTIC, Condition.MIXING)
    )
    untold = listed((Condition.MIXING, Condition.DETERMINISTIC))
    for causes, outcome in (
        ((true, other), Outcome.FIRST),
        ((other, true), Outcome.NAMED),
        (untold, Outcome.UNTOLD),
        ((other, *untold), Outcome.OTHER),
        ((other,), Outcome.OTHER),
        ((), Outcome.OPEN),
    ):
        ended = Contradicted(result.method, result.model, result.ledger, causes, "it was found")
        assert judged(world, ended, under_way) is outcome


def test_an_error_within_epsilon_is_allowed() -> None:
    """The encoder misses one observation of one state; how often it is shown decides."""
    result, under_way = learned(HONEST, Method.LOCATED)
    truth = true_world(HONEST, under_way)
    assert isinstance(result, Accepted)
    assert result.classifiers is not None
    assert truth is not None
    meaning = relabelling(result.model, result.current, truth.dynamics, truth.state)
    assert meaning is not None
    columns, new = HONEST.oracle.columns, HONEST.oracle.class_size
    (right,) = of_kind(int, result.classifiers[1])
    missing = replace(result, classifiers=(result.classifiers[0], new, *result.classifiers[2:]))
    for x, chance in enumerate(truth.shows[meaning[1]]):
        if not chance:
            continue
        misses_x = tuple(
            column | (column >> right & 1 & (y != x)) << new for y, column in enumerate(columns)
        )
        oracle = replace(HONEST.oracle, class_size=new + 1, columns=misses_x)
        for epsilon, outcome in ((chance, Outcome.RIGHT), (chance * 99 / 100, Outcome.WRONG)):
            bounds = replace(HONEST.parameters, epsilon=epsilon)
            world = replace(HONEST, oracle=oracle, parameters=bounds)
            assert judged(world, missing, under_way) is outcome


def test_untaken_change_is_judged_as_a_twin() -> None:
    """A model of the dynamics before the change is excused if nothing has shown the change."""
    found = set()
    for seed in range(12):
        world = violated_world(Violation.CHANGE, seed)
        result, under_way = learned(world, Method.LOCATED)
        if isinstance(result, Accepted):
            states = [world.process.start, *(step.state for step in under_way.path)]
            as_before = all(
                world.table[before][step.action] == step.state
                for before, step in zip(states, under_way.path, strict=False)
            )
            found.add((judged(world, result, under_way), as_before))
    assert found == {(Outcome.TWIN, True)}


def test_alike_states_are_judged_as_a_twin_only_if_never_distinguished() -> None:
    """The run never took the action that tells the two apart, or it did."""
    world = violated_world(Violation.ALIKE, 2)
    result, under_way = learned(world, Method.LOCATED)
    assert isinstance(result, Accepted)
    assert judged(world, result, under_way) is Outcome.TWIN
    before = under_way.state
    assert world.process.emission[1] == world.process.emission[2]
    assert [world.table[s][1] for s in (1, 2)] == [0, 1]
    # From state 1 to state 2, which looks alike; then the action that tells them apart.
    assert before == 1
    under_way.run(Plan((2, 1), 2))
    label = result.model.walk(result.current, (2, 1))
    assert label is not None
    moved = replace(result, current=label)
    assert judged(world, moved, under_way) is Outcome.WRONG


@pytest.mark.parametrize("violation", [Violation.MISSING, Violation.ALIKE, Violation.COUNTING])
def test_a_certain_run_is_refuted_later_unless_it_is_never_refuted(violation: Violation) -> None:
    """Its twin explains the rows so far. After 1,000 steps more only one of the second kind can."""
    seen = set()
    for seed in range(40):
        world = violated_world(violation, seed)
        short, long = (certain_ending(world, steps) for steps in (0, 1_000))
        assert isinstance(short.last, CertainState)
        judgement = judged_ending(world, short)
        if judgement in (Outcome.TWIN, Outcome.WRONG):
            is_never = is_never_refuted(world, short.under_way, short.last.known)
            later = judged_ending(world, long)
            assert later is Outcome.TWIN if is_never else later.noticed
            seen.add(is_never)
    assert seen


def certain_ending(world: ViolatedWorld, steps: int) -> Ending:
    """How a certain run ends with so many steps after its rows decided."""
    return ending(world, Method.CERTAIN, SelfCheck(steps=steps, steps_to_explain=0))


def test_true_world_excludes_states_that_cannot_be_reached_again() -> None:
    world = violated_world(Violation.NO_WAY_BACK, 0)
    result, under_way = learned(world, Method.LOCATED)
    assert isinstance(result, Accepted)
    assert result.model.states < len(world.table)
    assert judged(world, result, under_way) is Outcome.RIGHT


def broken(world: ViolatedWorld) -> Iterator[Condition]:
    """The conditions that do not hold, as far as tables and parameters tell."""
    process, bounds = world.process, world.parameters
    realised = all(is_realised(world, state) for state in range(len(world.table)))
    if any(1 not in law for row in process.moves for law in row):
        yield Condition.DETERMINISTIC
    if world.later is not None:
        yield Condition.UNCHANGING
    connected = is_connected(world.table)
    if not connected:
        yield Condition.CONNECTED
    if len(set(process.noise)) > 1:
        yield Condition.EXOGENOUS
    elif not mixes(world):
        yield Condition.MIXING
    if len(world.table) > bounds.max_states:
        yield Condition.MAX_STATES
    tables = (world.table, world.later or world.table)
    furthest = max(Dynamics(table).diameter for table in tables) if connected else 0
    if furthest > bounds.max_diameter:
        yield Condition.MAX_DIAMETER
    if world.oracle.class_size > bounds.class_size:
        yield Condition.CLASS_SIZE
    if not realised:
        yield Condition.REALISABLE


def is_connected(table: Table) -> bool:
    return nx.is_strongly_connected(graph((s, to) for s, row in enumerate(table) for to in row))


def graph(edges: Iterable[tuple[int, int]]) -> nx.DiGraph[int]:
    made: nx.DiGraph[int] = nx.DiGraph()
    made.add_edges_from(edges)
    return made


def mixes(world: ViolatedWorld) -> bool:
    rows = world.process.noise[0]
    moves = graph((e, f) for e, row in enumerate(rows) for f, p in enumerate(row) if p)
    if not nx.is_strongly_connected(moves) or not nx.is_aperiodic(moves):
        return False
    return mixing_time(Chain(rows)) <= world.parameters.mixing_time


def is_realised(world: ViolatedWorld, state: int) -> bool:
    """Whether some classifier is 1 on all that the state shows, and 0 on what others show."""
    shown = [
        {x for law in laws for x, weight in enumerate(law) if weight}
        for laws in world.process.emission
    ]
    others = {x for s, seen in enumerate(shown) if s != state for x in seen}
    columns = world.oracle.columns
    return any(
        all(columns[x] >> f & 1 for x in shown[state])
        and not any(columns[x] >> f & 1 for x in others)
        for f in range(world.oracle.class_size)
    )


NOT_SEEN = (
    Violation.SEEN_LATE,
    Violation.ACTS_LATE,
    Violation.STICKY,
    Violation.MOVING,
    Violation.HIDDEN,
    Violation.COUNTING,
    Violation.FREEZING,
)
"""Their latent states are pairs, of which a part is not seen."""


@pytest.mark.parametrize("violation", [each for each in Violation if each not in NOT_SEEN])
def test_exactly_one_condition_is_broken(violation: Violation) -> None:
    expected = [] if violation.condition is None else [violation.condition]
    for seed in range(15):
        assert list(broken(violated_world(violation, seed))) == expected, seed


@pytest.mark.parametrize("violation", NOT_SEEN)
def test_a_part_of_the_state_is_not_seen(violation: Violation) -> None:
    """Two latent states look alike, and some word leads to states that do not."""
    for seed in range(5):
        world = violated_world(violation, seed)
        looks = world.process.emission
        assert mixes(world)
        pairs = list(combinations(range(len(world.table)), 2))
        if violation in (Violation.STICKY, Violation.FREEZING):
            assert Condition.DETERMINISTIC in broken(world)
            continue
        alike = [(one, other) for one, other in pairs if looks[one] == looks[other]]
        leads = [
            (looks[to], looks[elsewhere])
            for one, other in alike
            for to, elsewhere in zip(world.table[one], world.table[other], strict=True)
        ]
        assert any(one != other for one, other in leads), seed


def test_a_truth_without_lies_is_what_the_process_usually_does() -> None:
    for violation in (Violation.STICKY, Violation.FREEZING, Violation.LYING):
        world = violated_world(violation, 3)
        assert world.truth is not None
        of = world.truth.state_of
        for state, row in enumerate(world.table):
            assert [of[to] for to in row] == list(world.truth.table[of[state]])


HALF, SURE, NEVER = Fraction(1, 2), Fraction(1), Fraction(0)
SWAP = (((NEVER, SURE), (SURE, NEVER)), ((SURE, NEVER), (NEVER, SURE)))
"""Action 0 goes to the other state, action 1 stays."""
STAY = (((SURE, NEVER),) * 2, ((NEVER, SURE),) * 2)
SHOWN = Process(
    moves=SWAP,
    noise=(((SURE,),),) * 2,
    emission=(((SURE, NEVER),), ((NEVER, SURE),)),
    initial_noise=(SURE,),
    start=0,
)
"""Two states that are seen as they are."""


def rows_seen(world: ProcessWorld, word: tuple[int, ...], steps: int, done: int = 0) -> list[int]:
    """What a plan shows, from the beginning of its loop."""
    loop = world.run(Plan(word, steps, done))
    (rows,) = loop.rows((Progression(1, (Level(done + steps, 1),)),))
    return [int(x) for x in rows]


def test_dynamics_change_after_the_given_step() -> None:
    for after in range(6):
        world = ProcessWorld(SHOWN, 0, Change(after, STAY))
        assert rows_seen(world, (0,), 3) + rows_seen(world, (0,), 3) == [
            min(step, after) % 2 for step in range(1, 7)
        ]
        assert world.has_changed


def test_process_follows_the_laws_of_its_tables() -> None:
    """A chain of four states, counted by pairs of what is seen; false alarm below 10⁻⁵."""
    slip, show = Fraction(1, 10), Fraction(3, 4)
    process = Process(
        moves=(((slip, 1 - slip),), ((1 - slip, slip),)),
        noise=(((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 4), Fraction(3, 4))),),
        emission=(
            ((show, 1 - show, NEVER, NEVER), (1 - show, show, NEVER, NEVER)),
            ((NEVER, NEVER, show, 1 - show), (NEVER, NEVER, 1 - show, show)),
        ),
        initial_noise=(HALF, HALF),
        start=0,
    )
    rows = rows_seen(ProcessWorld(process, 1), (0,), 40_000)[100::20]
    moves = np.array([[0.1, 0.9], [0.9, 0.1]])
    noise = np.array([[2 / 3, 1 / 3], [1 / 4, 3 / 4]])
    latent = np.linalg.matrix_power(moves, 200)[0]
    of_noise = np.linalg.matrix_power(noise, 200)[0]
    law = [
        float(latent[s] * sum(of_noise[e] * float(process.emission[s][e][x]) for e in range(2)))
        for s, x in ((0, 0), (0, 1), (1, 2), (1, 3))
    ]
    # Latent states alternate, so every twentieth step is 0.9 likely to be the same: count rarely.
    rare = rows[::10]
    assert not too_far([rare.count(x) for x in range(4)], law, alarm=1e-5)
    assert too_far([rare.count(x) for x in range(4)], [0.4, 0.1, 0.1, 0.4], alarm=1e-5)
