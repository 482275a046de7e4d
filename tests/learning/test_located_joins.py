"""A located run for the dynamics only ends without a validation, and is right for every noise (T2).

There are no statistics: an adversary chooses the noise, and no run that ends this way may be wrong.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Components
from steel_verified.evidence.entries import Fixed, Joins
from steel_verified.evidence.ledger import opened
from steel_verified.evidence.observed import exclude_joins, pooled, read, run
from steel_verified.evidence.plans import Plan
from steel_verified.learning import located
from steel_verified.learning.congruences import (
    blocks,
    congruences,
    principal_congruences,
    proper_partitions,
)
from steel_verified.learning.drive import drive
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.prime_loops import prime_loops
from steel_verified.worlds.stepped import SteppedWorld
from tests.bounds import bounds
from tests.reaching import reach
from tests.toys import Toy

from .located_truth import ChosenWorld, advanced, check_truth
from .test_located_sure import ALPHABET, LIMIT, Case, cases

if TYPE_CHECKING:
    import pytest

    from .located_truth import Learner, Noise

WORDS = st.lists(st.integers(0, ALPHABET - 1), min_size=1, max_size=40)


def begun(case: Case) -> Learner:
    return replace(case.begun().method, with_encoder=False).begin()


def ended(learner: Learner, case: Case, noise: Noise) -> Learner:
    """Run to the end, or to the limit; what is sure is right after every plan."""
    world = ChosenWorld(case.truth, case.start, ALPHABET, noise)
    before = None
    while learner is not before:
        before, learner = learner, advanced(learner, world, case.oracle, LIMIT)
        check_truth(learner, case.truth, world.state)
    return learner


def is_sure(learner: Learner) -> bool:
    last = learner.ledger.entry
    return isinstance(learner.stage, Accepted) and isinstance(last, Joins) and last.complete


def right_if_sure(learner: Learner, case: Case) -> None:
    if is_sure(learner) and case.truth.states > 1:
        assert isinstance(learner.stage, Accepted)
        assert learner.stage.model.states == case.truth.states
        assert learner.ledger.budget.spent == 0 or learner.ledger.decisions


@given(case=cases(), word=WORDS)
def test_repeated_noise_never_makes_a_sure_run_wrong(case: Case, word: list[int]) -> None:
    noise: Noise = lambda time, _a, _s: word[time % len(word)]  # noqa: E731 (a short function)
    right_if_sure(ended(begun(case), case, noise), case)


@given(
    case=cases(),
    by_action=st.lists(st.integers(0, ALPHABET - 1), min_size=3, max_size=3),
    by_state=st.lists(st.integers(0, ALPHABET - 1), min_size=5, max_size=5),
    turn=st.integers(1, 5),
)
def test_noise_that_obeys_the_actions_never_makes_a_sure_run_wrong(
    case: Case, by_action: list[int], by_state: list[int], turn: int
) -> None:
    held = [0]

    def noise(time: int, action: int, state: int) -> int:
        if time % turn == 0:
            held[0] += by_action[action] + by_state[state]
        return held[0] % ALPHABET

    right_if_sure(ended(begun(case), case, noise), case)


@given(case=cases(), word=WORDS)
def test_run_is_a_whole_run_up_to_its_first_validation(case: Case, word: list[int]) -> None:
    noise: Noise = lambda time, _a, _s: word[time % len(word)]  # noqa: E731
    short = ended(begun(case), case, noise).ledger.entries[1:]
    whole = ended(case.begun(), case, noise).ledger.entries[1:]
    assert not any(isinstance(entry, Joins) for entry in whole)
    fixed = next((i for i, entry in enumerate(short) if isinstance(entry, Fixed)), len(short))
    without = tuple(entry for entry in short[:fixed] if not isinstance(entry, Joins))
    assert whole[: len(without)] == without


def test_sure_runs_with_congruences_that_f_excludes_are_drawn() -> None:
    def is_drawn(drawn: tuple[Case, list[int]]) -> bool:
        case, word = drawn
        learner = ended(begun(case), case, lambda time, _a, _s: word[time % len(word)])
        last = learner.ledger.entry
        return case.truth.states > 1 and isinstance(last, Joins) and bool(last.excluded)

    reach(st.tuples(cases(), WORDS), is_drawn)


# --- mistakes -------------------------------------------------------------------------------------


class Showing(SteppedWorld):
    """Shows these rows, one after the other."""

    actions = 1

    def __init__(self, rows: list[list[bool]]) -> None:
        super().__init__()
        self.rows = iter(rows)

    def step(self, _action: int) -> list[bool]:
        return next(self.rows)


BOUNDS = bounds(1, 8)


def product() -> list[list[int]]:
    """The labels (s, i, j), of which only s is a state: actions turn one of the three bits."""
    return [[label ^ 4, label ^ 2, label ^ 1, label] for label in range(8)]


def excluded(partitions: list[tuple[tuple[int, ...], ...]]) -> bool:
    """Whether F, with a classifier for each label and for each state s, excludes the partitions."""
    rows = [[label == other for other in range(8)] + [label < 4, label >= 4] for label in range(8)]
    functions = Components(10)
    loop = run(
        opened(BOUNDS), Showing(rows), Plan((0,), 8, keeps=(Progression(1, (Level(8, 1),)),))
    )
    times = tuple((Progression(time),) for time in range(1, 9))
    samples, ledger = read(loop.ledger, loop, functions, times)
    pools = [pooled(functions, (sample,)) for sample in samples]
    sure, ledger = exclude_joins(ledger, functions, pools, partitions)
    assert isinstance(ledger.entry, Joins)
    assert ledger.entry.complete == sure
    return sure


def test_principal_congruences_alone_would_accept_labels_of_one_state() -> None:
    table = product()
    every = proper_partitions(table, 1000)
    assert every is not None
    assert not excluded(list(every))
    principal = [blocks(one) for one in principal_congruences(table)]
    states = ((0, 1, 2, 3), (4, 5, 6, 7))
    assert states in every
    assert states not in principal
    assert excluded(principal)
    assert not excluded([*principal, states])


def test_list_that_is_cut_excludes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = product()
    number = len(congruences(table, 1000).found)
    assert proper_partitions(table, number) is not None
    assert proper_partitions(table, number - 1) is None

    turning = [[s, (s + 1) % 4] for s in range(4)]
    method = Located(bounds(2, 4), with_encoder=False)
    sure = drive(method, Toy(turning), Components(4))
    assert isinstance(sure, Accepted)
    assert sure.classifiers is None
    monkeypatch.setattr(located, "MOST_CONGRUENCES", 2)
    validated = drive(method, Toy(turning), Components(4))
    assert isinstance(validated, Accepted)
    assert validated.classifiers is None
    assert validated.ledger.steps > sure.ledger.steps
    assert validated.ledger.budget.spent == Fraction(1, 40)


def test_validation_of_the_dynamics_takes_the_passes_of_one_half() -> None:
    """n is the least with b_n + η·a_n ≤ 1/40 for ε = 1/2, where the walk is as long as t̂_mix."""
    loops, found = prime_loops(0, 2, p=3, q=5), dict[bool, tuple[int, bool]]()
    for with_encoder in (True, False):
        method = Located(bounds(2, 10, 40), loops.first_action, with_encoder)
        result = drive(method, loops.world(0), loops.oracle())
        assert isinstance(result, Accepted)
        (fixed,) = (entry for entry in result.ledger.entries if isinstance(entry, Fixed))
        found[with_encoder] = fixed.passes, result.classifiers is None
    assert found == {True: (120, False), False: (14, True)}


def test_two_states_are_needed() -> None:
    """One state, and a bit that alternates: without two states the answer would be wrong."""
    alternating = Toy([[1], [0]], lambda state, _: [True, state == 1, state == 0])
    result = drive(Located(bounds(1, 2), with_encoder=False), alternating, Components(3))
    assert isinstance(result, Accepted)
    assert result.model.states == 2
