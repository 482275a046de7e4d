"""Certain STEEL with boxes and conjunctions of any length, given at most N states."""

from __future__ import annotations

from functools import cache
from itertools import count, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from proofs_checks.checker.judging import judged
from steel_verified import NotLearned, learn
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.errors import InvalidArgument
from steel_verified.learning import template
from steel_verified.learning.certain import Certain
from steel_verified.learning.deciding import Decided
from steel_verified.learning.refutations import derivation
from steel_verified.learning.template import Search, Template, labellings, no_template, refuted
from steel_verified.theory.conditions import Condition
from tests.learning.certain.test_growing import adversaries, rows_until_decided
from tests.learning.certain.worlds import is_connected, is_right
from tests.toys import Toy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steel_verified.classes.columns import Growing
    from steel_verified.learning.template import Bounded
    from tests.learning.certain.worlds import Adversary


@cache
def connected_tables(states: int, actions: int) -> list[tuple[tuple[int, ...], ...]]:
    """All strongly connected tables."""
    lines = [*product(range(states), repeat=actions)]
    return [table for table in product(lines, repeat=states) if is_connected(table)]


def partitions(size: int, most: int) -> Iterator[tuple[int, ...]]:
    """Labels of so many rows, in the order of their first occurrence."""
    if not size:
        yield ()
        return
    for labels in partitions(size - 1, most):
        yield from ((*labels, new) for new in range(min(max(labels, default=-1) + 2, most)))


def by_definition(
    rows: Sequence[tuple[int, ...]], word: Sequence[int], most: int, actions: int
) -> set[tuple[int, ...]]:
    """The labels of the different rows that a world with 2 to N states explains."""
    different = [*dict.fromkeys(rows)]
    shown = [different.index(row) for row in rows]

    def is_apart(labels: tuple[int, ...]) -> bool:
        for label in {*labels}:
            own = [row for row, each in zip(different, labels, strict=True) if each == label]
            least, greatest = map(min, zip(*own, strict=True)), map(max, zip(*own, strict=True))
            box = [*zip(least, greatest, strict=True)]
            inside = {
                r for r in different if all(a <= x <= b for x, (a, b) in zip(r, box, strict=True))
            }
            if inside != {*own}:
                return False
        return True

    def is_explained(labels: tuple[int, ...]) -> bool:
        path = [labels[r] for r in shown]
        steps = {*zip(path, word, path[1:], strict=False)}
        return any(
            all(table[s][a] == to for s, a, to in steps)
            for states in range(max(2, max(labels) + 1), most + 1)
            for table in connected_tables(states, actions)
        )

    return {
        labels
        for labels in partitions(len(different), most)
        if is_apart(labels) and is_explained(labels)
    }


def template_of(
    functions: Bounded,
    rows: Sequence[tuple[int, ...]],
    word: Sequence[int],
    most: int,
    actions: int,
) -> Template:
    template = no_template(functions, most, actions)
    data = np.array(rows, np.bool_ if isinstance(functions, Conjunctions) else np.int64)
    size, held = functions.declared.row_bytes, functions.pack(data)
    for t, action in enumerate((0, *word)):
        row = int.from_bytes(held[t * size :][:size], "little")
        template = template.with_row(action, row)
    return template


def test_all_labellings_of_all_tiny_logs_are_found() -> None:
    """Two bits, four rows, two actions, two or three states; the first row is 00 by symmetry."""
    found, proved = 0, 0
    for rows in product(product(range(2), repeat=2), repeat=3):
        for word, most in product(product(range(2), repeat=3), (2, 3)):
            template = template_of(Conjunctions(2), ((0, 0), *rows), word, most, 2)
            searched = labellings(template, most=100)
            assert searched.are_all
            expected = by_definition(((0, 0), *rows), word, most, 2)
            assert {each.labels for each in searched.labellings} == expected
            assert len(searched.labellings) == len(expected)
            found += len(expected)
            if len(expected) == 1 and len(template.rows) > 1:
                closed, steps = refuted(template, searched.labellings[0].labels)
                assert steps[-1][0] == ()
                proved += bool(closed)
    assert found > 1000
    assert proved > 20


@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 2), min_size=2, max_size=6),
    st.lists(st.integers(0, 1), min_size=5, max_size=5),
    st.integers(2, 3),
)
def test_boxes_are_those_of_the_definition(
    rows: list[tuple[int, ...]], actions: list[int], most: int
) -> None:
    word = actions[: len(rows) - 1]
    template = template_of(Boxes(2, Integers(0, 2)), rows, word, most, 2)
    found = labellings(template, most=1000)
    assert {each.labels for each in found.labellings} == by_definition(rows, word, most, 2)
    before = template_of(template.functions, rows[:-1], word[:-1], most, 2)
    last = Boxes(2, Integers(0, 2)).pack(np.array(rows[-1:]))
    known = Search(before, labellings(before, most=1000))
    goes_on = known.with_row(word[-1], int.from_bytes(last, "little")).found
    longer = {each.labels for each in goes_on.labellings}
    assert longer <= {each.labels for each in found.labellings}
    if goes_on.are_all:
        assert len(longer) == len(found.labellings)


@given(adversaries(), st.integers(0, 3), st.integers(0, 2))
def test_an_adversary_never_makes_it_wrong(
    drawn: tuple[Growing, Adversary], seed: int, more: int
) -> None:
    functions, world = drawn
    if isinstance(functions, Thresholds):
        functions = Boxes(functions.features, functions.domain)
    method = Certain(
        functions.declared.width,
        world.actions,
        functions=functions,
        seed=seed,
        max_states=len(world.table) + more,
    )
    known, rows = rows_until_decided(method, drawn[0], world, 40)
    if isinstance(known.decision, Decided):
        assert known.search is not None
        (only,) = known.search.found.labellings
        sets = [1 << only.labels[known.search.template.place[row]] for row in rows]
        assert is_right(known.decision, sets, world.states, world.table)


LEVELS = [[0, 1], [0, 2], [1, 2]]


def tank(seed: int) -> Toy:
    """Three levels, shown by a number that never repeats, beside a clock that counts for ever."""
    clock = count(1)

    def shows(level: int, random: np.random.Generator) -> list[float]:
        return [level + 0.9 * random.random(), random.normal(0, 1), next(clock)]

    return Toy(LEVELS, shows, seed)


@pytest.mark.parametrize("seed", range(3))
def test_floats_that_never_repeat_are_decided(seed: int) -> None:
    learned = learn(tank(seed), Boxes(3), max_states=4, seed=seed)
    assert learned.model.states == 3
    assert learned.guarantee is not None
    assert learned.guarantee.method == "certain"
    assert learned.guarantee.given == "there are 2 to 4 states"
    verdict = judged(learned.certificate())
    assert verdict.findings == []
    assert [*verdict.against(LEVELS, 0)] == []
    high = learned.state_of(np.array([2.5, 9.0, -5.0]))
    assert learned.plan(start=learned.state_of(np.array([0.4, 9.0, -5.0])), to=high) == (1, 1)


def test_without_a_bound_each_row_may_be_a_state() -> None:
    """The bound is what decides: the rows are explained by as many states as there are rows."""
    with pytest.raises(NotLearned, match="max_states alone"):
        learn(tank(0), Boxes(3))
    rows = [tuple([t] * 2) for t in range(5)]
    found = labellings(template_of(Boxes(2, Integers(0, 9)), rows, (0,) * 4, 5, 1), most=1000)
    assert tuple(range(5)) in {each.labels for each in found.labellings}


def test_too_small_a_bound_is_contradicted() -> None:
    """By the steps after the run: two states may explain the rows before them."""
    with pytest.raises(NotLearned, match="no model with at most 2 states") as caught:
        learn(tank(1), Boxes(3), max_states=2)
    assert Condition.MAX_STATES in {cause.condition for cause in caught.value.causes}


def test_hopeless_searches_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work of all searches of a run is counted, and the result says that it was used up."""
    monkeypatch.setattr(template, "MOST_WORK", 100_000)
    with pytest.raises(NotLearned, match="at most 4 labels was given up") as caught:
        learn(tank(0), Boxes(3), max_states=4)
    assert caught.value.result.ledger.steps < 60


def test_bounds_are_for_boxes_and_conjunctions() -> None:
    with pytest.raises(InvalidArgument, match="mixing_time"):
        learn(tank(0), Thresholds(3), max_states=4)
    with pytest.raises(InvalidArgument, match="thresholds can be listed"):
        Certain(3, 2, functions=Thresholds(3), max_states=4)
    with pytest.raises(InvalidArgument, match="at least 2"):
        Certain(3, 2, functions=Boxes(3), max_states=1)


def codes(state: int, random: np.random.Generator) -> list[bool]:
    """Four states as two bits of twenty: there are 3^20 conjunctions."""
    shown = [random.random() < 0.5 for _ in range(20)]
    shown[3], shown[7] = state % 2 > 0, state > 1
    return shown


def test_conjunctions_of_many_noisy_bits_are_decided() -> None:
    table = [[2, 1], [3, 3], [2, 0], [0, 0]]
    learned = learn(Toy(table, codes, 4), Conjunctions(20), max_states=5, seed=1)
    verdict = judged(learned.certificate())
    assert verdict.findings == []
    assert [*verdict.against(table, 0)] == []


Clauses = list[list[int]]


def is_satisfiable(clauses: Clauses, variables: int) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


@given(
    st.lists(
        st.lists(st.sampled_from([-4, -3, -2, -1, 1, 2, 3, 4]), min_size=1, max_size=3),
        min_size=4,
        max_size=40,
    )
)
def test_derivations_name_what_they_follow_from(clauses: Clauses) -> None:
    """Each clause that a step names leaves one literal, and the last one none."""
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve():
            return
        steps = derivation(clauses, solver.get_proof() or ())
    assert not is_satisfiable(clauses, 4)
    known = [*clauses]
    for clause, follows in steps:
        true = {-literal for literal in clause}
        for number in follows[:-1]:
            (left,) = {each for each in known[number] if -each not in true}
            true.add(left)
        assert not [each for each in known[follows[-1]] if -each not in true]
        known.append([*clause])
    assert known[-1] == []
