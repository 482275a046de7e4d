"""Certain STEEL with thresholds, boxes and conjunctions: columns are listed as rows arrive."""

from __future__ import annotations

from itertools import product
from struct import pack
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from steel_verified import NotLearned, learn
from steel_verified.classes.columns import MOST_COLUMNS
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.errors import InvalidArgument
from steel_verified.learning.certain import Certain
from steel_verified.learning.deciding import Decided, Open, Refuted, decide
from steel_verified.learning.knowledge import Trajectory as OfSets
from steel_verified.learning.knowledge import nothing_known
from tests.classes.test_columns import classes_with_rows, functions_of
from tests.learning.certain.worlds import KINDS, Adversary, is_right, scripted, tables
from tests.toys import Toy

if TYPE_CHECKING:
    from steel_verified.classes.columns import Growing
    from steel_verified.classes.rows import Numbers
    from steel_verified.learning.certain import Exploring

WIDE = Integers(0, 9)


def known_of(functions: Growing, rows: Numbers, actions: list[int], most: int) -> Exploring:
    """What is known after rows of a trajectory."""
    method = Certain(functions.declared.width, most, functions=functions)
    size, known = functions.declared.row_bytes, method.nothing()
    data = functions.pack(rows)
    for t, action in enumerate([0, *actions]):
        row = int.from_bytes(data[t * size : (t + 1) * size], "little")
        known = method.with_rows(known, (action,), (row,))
    return known


@given(classes_with_rows(), st.lists(st.integers(0, 1), min_size=6, max_size=6))
def test_decides_as_if_all_functions_were_listed(
    drawn: tuple[Growing, Numbers], actions: list[int]
) -> None:
    functions, rows = drawn
    decides_as_if_listed(functions, rows, actions[: len(rows) - 1])


@pytest.mark.parametrize("kind", [Conjunctions, Thresholds, Boxes])
@pytest.mark.parametrize(("width", "actions"), [(2, 1), (1, 2)])
def test_all_tiny_logs_are_decided_as_if_all_functions_were_listed(
    kind: type[Conjunctions | Thresholds | Boxes], width: int, actions: int
) -> None:
    """Five rows of numbers 0 or 1, of which the first is 0 by symmetry."""
    decided = 0
    domain = () if kind is Conjunctions else (Integers(0, 1),)
    functions = kind(width, *domain)
    for later in product(product(range(2), repeat=width), repeat=4):
        rows = np.array([(0,) * width, *later], np.bool_ if kind is Conjunctions else np.int64)
        for word in product(range(actions), repeat=4):
            decided += decides_as_if_listed(functions, rows, [*word], actions)
    assert decided


def decides_as_if_listed(
    functions: Growing, rows: Numbers, word: list[int], actions: int = 2
) -> bool:
    """Compare the decision with that of all functions; return whether it is one."""
    known = known_of(functions, rows, word, actions)
    values = [functions.values(f, rows) for f in functions_of(functions)]
    sets = [sum(int(value[t]) << f for f, value in enumerate(values)) for t in range(len(rows))]
    listed = nothing_known(len(values), actions).of(OfSets(tuple(sets), tuple(word)))
    expected, found = decide(listed, sets[-1]), known.decision
    assert type(found) is type(expected)
    if isinstance(expected, Decided) and isinstance(found, Decided):
        shown = [
            {t for t, row in enumerate(sets) if row >> fits[0] & 1} for fits in expected.labels
        ]
        assert known.columns is not None
        size = functions.declared.row_bytes
        data = functions.pack(rows)
        packed = [int.from_bytes(data[t * size :][:size], "little") for t in range(len(rows))]
        columns = known.columns.on(packed, -1)
        labels = [{t for t in range(len(rows)) if columns[f] >> t & 1} for (f,) in found.labels]
        assert sorted(map(sorted, labels)) == sorted(map(sorted, shown))
        assert found.supposes_two == expected.supposes_two
        assert found.exact == 0
    if isinstance(expected, Open) and isinstance(found, Open):
        assert len(found.left) == len(expected.left)
    return isinstance(found, Decided)


@st.composite
def adversaries(draw: st.DrawFn) -> tuple[Growing, Adversary]:
    """Worlds with a class that classifies the states; an adversary chooses the noise."""
    table = draw(tables(connected=True))
    states, kinds = len(table), draw(st.lists(st.sampled_from(KINDS), max_size=2))
    bits = [scripted(kind, draw(st.integers(0, 11)), states) for kind in kinds]
    extra = len(bits)
    world = Adversary(table, extra, lambda h: sum(bit(h) << i for i, bit in enumerate(bits)))
    kind = draw(st.sampled_from([Thresholds, Boxes, Conjunctions]))
    if kind is Conjunctions:
        return Conjunctions(states + extra), world
    if kind is Thresholds:
        return Thresholds(states + extra, WIDE), world
    return Boxes(1 + extra, WIDE), world


def packed(functions: Growing, row: int, states: int) -> int:
    """A row of bits as this class reads it; boxes read the number of the state and the noise."""
    if isinstance(functions, Conjunctions):
        return row
    width = functions.declared.width
    numbers = [row >> i & 1 for i in range(width)]
    if isinstance(functions, Boxes):
        state = (row & (1 << states) - 1).bit_length() - 1
        numbers = [state, *(row >> states + i & 1 for i in range(width - 1))]
    return int.from_bytes(pack(f"<{width}q", *numbers), "little")


def rows_until_decided(
    method: Certain, functions: Growing, world: Adversary, most: int
) -> tuple[Exploring, list[int]]:
    """What is known once the rows have decided, or after `most` steps, and the rows."""
    known, rows = method.nothing(), list[int]()
    while known.steps < most and (word := method.next_word(known)) is not None:
        seen = [packed(functions, world.step(action), len(world.table)) for action in word]
        known = method.with_rows(known, word, seen)
        rows += seen
        assert not isinstance(known.decision, Refuted)
        if isinstance(known.decision, Decided):
            break
    return known, rows


@given(adversaries(), st.integers(0, 3))
def test_an_adversary_never_makes_it_wrong(drawn: tuple[Growing, Adversary], seed: int) -> None:
    functions, world = drawn
    method = Certain(functions.declared.width, world.actions, functions=functions, seed=seed)
    known, rows = rows_until_decided(method, functions, world, 60)
    if isinstance(known.decision, Decided):
        assert known.columns is not None
        columns = known.columns.on(rows, -1)
        labels = [f for (f,) in known.decision.labels]
        sets = [sum((columns[f] >> t & 1) << f for f in labels) for t in range(len(rows))]
        assert is_right(known.decision, sets, world.states, world.table)


def tank(seed: int) -> Toy:
    """Three levels, each with a sensor that is above 0 there, and noise that does what it likes."""
    walk = [0.0]

    def shows(level: int, random: np.random.Generator) -> list[float]:
        walk[0] += random.normal(0, 0.3)
        sensors = [random.random() * (1 if level == i else -1) for i in range(3)]
        return [*sensors, walk[0], random.normal(0, 1)]

    return Toy([[0, 1], [0, 2], [1, 2]], shows, seed)


@pytest.mark.parametrize("seed", range(4))
def test_thresholds_need_no_bounds(seed: int) -> None:
    learned = learn(tank(seed), Thresholds(5), seed=seed)
    assert learned.model.states == 3
    assert learned.guarantee is not None
    assert learned.guarantee.method == "certain"
    assert learned.guarantee.given == "there are two states"
    assert "other classifiers fit" in str(learned)
    assert learned.steps <= 260
    assert learned.check().accepted
    low = learned.state_of(np.array([0.3, -0.2, -0.4, 5.0, 1.0]))
    assert learned.plan(start=low, to=np.array([-0.1, -0.9, 0.7, 0.0, 0.0])) == (1, 1)


def test_a_class_that_is_too_rich_says_so() -> None:
    """With boxes, each row may show a state of its own if numbers never repeat."""
    with pytest.raises(NotLearned, match=f"more than {MOST_COLUMNS:,} columns .* max_states"):
        learn(tank(0), Boxes(5))


def test_coins_need_a_finite_class() -> None:
    with pytest.raises(InvalidArgument, match="coins need a finite class"):
        learn(tank(0), Thresholds(5), "certain", delta="1/20")


def test_certificates_are_accepted_with_hostile_noise() -> None:
    """A shadow that obeys the actions keeps a second model alive until it fails: SAT decides."""
    learned = learn(tank(3), Thresholds(5), seed=1, self_check=None)
    verdict = judged(learned.certificate())
    assert verdict.findings == []
    assert verdict.learned == 3
    assert [*verdict.against([[0, 1], [0, 2], [1, 2]], 0)] == []
    assert [*verdict.against([[0, 1], [0, 2], [0, 2]], 0)]
