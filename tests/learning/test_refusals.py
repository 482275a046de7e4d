"""Refusals and contradicted assumptions of the learner, with their full messages; invalid plans."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.classes.finite import Components, predicates, tables
from steel_verified.classes.rows import packed_bits
from steel_verified.errors import InvalidArgument
from steel_verified.evidence import observed
from steel_verified.evidence.plans import Plan
from steel_verified.learning.drive import LearnerState, Watch, drive
from steel_verified.learning.graph import Labels, covering_cycle, escaping_word, visits
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped, require_consistent
from steel_verified.learning.model import Model
from steel_verified.learning.saved_models import SavedModel
from steel_verified.theory.conditions import AssumptionViolated, Condition
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.tabular import tabular_world

from .problem_runs import COIN, slow_coin

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.learning.drive import Method
    from steel_verified.learning.results import Accepted


TWO = tables([[True, False, True], [False, True, False]])
SWITCH = Model(2, ((1, 0), (0, 1)))
PARTIAL = Model(2, ((1, None), (0, 1)))
_, ONE_LABEL = Labels(1).with_label()
LOOPED = ONE_LABEL.with_transition(0, 0, 0)

REFUSED: dict[str, Callable[[], object]] = {
    "batch = rows of 3 bits: expected 4 bits": (
        lambda: Components(4).summarise(packed_bits(np.zeros((2, 3), dtype=np.bool_)))
    ),
    "batch = shape (1, 2): expected one number per row": lambda: TWO.summarise(np.array([[0, 1]])),
    "batch = 3: expected whole numbers from 0 to 2": lambda: TWO.summarise(np.array([0, 3])),
    "rows = lengths [1, 2]: expected classifiers on one set of observations": (
        lambda: tables([[True, False], [True]])
    ),
    "functions = (): expected at least one function": predicates,
    "table[1] = (0,): expected an entry for each action, 2 in all": lambda: Model(
        2, ((0, 0), (0,))
    ),
    "table[0] = (2, 0): expected states from 0 to 1, or None": lambda: Model(2, ((2, 0), (0, 0))),
    "word = (0, 0, 1): expected known transitions; T'(0, 1) is not": (
        lambda: visits(PARTIAL, 0, (0, 0, 1))
    ),
    "table[0] = (-1, 0): expected states from 0 to 0, or None": lambda: Model(2, ((-1, 0),)),
    "transition = (0, 0, 0): expected one that is not known yet": (
        lambda: LOOPED.with_transition(0, 0, 0)
    ),
    "labels = 0: expected labels that lead only to each other": lambda: ONE_LABEL.model_of([0]),
    "first_action = 2: expected 0 to 1": lambda: Looped(COIN, first_action=2),
    "first_action = -1: expected an integer, at least 0": (lambda: Located(COIN, first_action=-1)),
    "first_action = 3: expected 0 to 2": (
        lambda: Located(replace(COIN, actions=3), first_action=3)
    ),
    "table = ((1, None), (0, 1)): expected every transition of some states": (
        lambda: SavedModel(PARTIAL, 0, None, 1)
    ),
    "current = 2: expected a state from 0 to 1": lambda: SavedModel(SWITCH, 2, None, 1),
    "classifiers = (0,): expected 2 classifiers, one for each state": (
        lambda: SavedModel(SWITCH, 0, (0,), 1)
    ),
    "steps = -1: expected 0 or more": lambda: SavedModel(SWITCH, 0, None, -1),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refusal_has_exactly_this_message(message: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        REFUSED[message]()
    assert str(refused.value) == message


CONTRADICTED: dict[str, tuple[Condition, Callable[[], object]]] = {
    "T'(0, 0) = 1 is known, but position 0 of the cycle leads to 0": (
        Condition.DETERMINISTIC,
        lambda: SWITCH.with_cycle((0,), (0,)),
    ),
    "state 0 cannot reach an unknown transition although there is one": (
        Condition.CONNECTED,
        lambda: escaping_word(Model(1, ((0,), (None,)))),
    ),
    "state 0 does not reach [1]": (
        Condition.CONNECTED,
        lambda: covering_cycle(Model(1, ((0,), (0,))), 0, 1),
    ),
    "state 1 does not reach [0]": (
        Condition.CONNECTED,
        lambda: covering_cycle(Model(1, ((1,), (1,))), 0, 1),
    ),
    "from state 0 at step 7, the model leads the loop of (0,) to state 0 with the period 2, but "
    "state 1 with the period 1 was found": (
        Condition.DETERMINISTIC,
        lambda: require_consistent(SWITCH, 0, (0,), (1,), at_step=7),
    ),
    "from state 0 at step 7, the model leads the loop of (0,) to state 1 with the period 1, but "
    "state 1 with the period 2 was found": (
        Condition.DETERMINISTIC,
        lambda: require_consistent(Model(1, ((1,), (1,))), 0, (0,), (1, 1), at_step=7),
    ),
}


@pytest.mark.parametrize("message", CONTRADICTED)
def test_contradiction_has_exactly_this_message(message: str) -> None:
    condition, found = CONTRADICTED[message]
    with pytest.raises(AssumptionViolated) as violated:
        found()
    assert (violated.value.conditions[0], str(violated.value)) == (condition, message)


@pytest.mark.parametrize("method", [Looped(COIN), Located(COIN)])
def test_absorb_after_the_end_is_refused(method: Method[LearnerState, Accepted]) -> None:
    oracle = tables([[bool(f >> x & 1) for x in range(4)] for f in range(16)])
    states: list[LearnerState] = []
    world = tabular_world(slow_coin(Fraction(1, 2)), 0)
    drive(method, world, oracle, [Watch(states.append)])
    more = observed.run(states[-1].ledger, world, Plan((0,), 1))
    with pytest.raises(InvalidArgument) as refused:
        method.absorb(states[-1], more, oracle)
    assert str(refused.value) == "state = ended: expected a state that asked for a plan"


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
