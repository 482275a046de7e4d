"""The recorded runs of Table 1: complete, as expected, repeatable; and what counts as right."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from steel_verified.baselines.ppe import Layer, LayeredModel
from steel_verified.cli import main
from steel_verified.experiments.table1.methods import (
    Fate,
    Learned,
    judged,
    judged_layers,
    run_method,
)
from steel_verified.experiments.table1.study import (
    PPE_FEW_GAPS,
    PPE_LEAST,
    RUNS,
    inverse_is_right,
    ppe_keys,
    run_on_lock,
    run_ppe,
    stated_steps,
    table1_study,
)
from steel_verified.experiments.table1.worlds import (
    SMALL_WORLDS,
    Method,
    Property,
    SmallWorld,
    coded_lock,
    hidden_noise,
    masked,
    random_moves,
    random_start,
    toggle,
)
from steel_verified.reports.comparison import recorded
from steel_verified.reports.table1 import DIFFERS, REASONS, Tally, agreement, of_cell, tables, tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.sweeps.study import Row


CELLS = [(method, column) for column in Property for method in Method]


@cache
def rows() -> Mapping[str, Row]:
    return recorded("table1")


def test_every_run_is_recorded_and_nothing_else() -> None:
    assert table1_study()(rows()) == []
    assert {job.key for job in table1_study()({})} == rows().keys()
    for method, column in CELLS:
        assert of_cell(rows(), method, column).runs == RUNS[column]


@pytest.mark.parametrize(("method", "column"), CELLS)
def test_agreement_with_the_printed_mark_is_as_stated_for_each_cell(
    method: Method, column: Property
) -> None:
    """All runs of a cell go one way, but for failures that δ = 1/20 allows."""
    got = of_cell(rows(), method, column)
    assert (agreement(method, column, got) == DIFFERS) == ((method, column) in REASONS)
    assert got.right >= 0.95 * got.runs or got.right == 0


@pytest.mark.parametrize("method", [Method.LOOPED, Method.PPE_PAIRS])
def test_steps_stay_within_what_was_stated(method: Method) -> None:
    stated = stated_steps(method)
    assert stated is not None
    assert max(of_cell(rows(), method, Property.GUARANTEE).steps) <= stated


def test_ppe_with_resets_takes_the_steps_of_its_formula() -> None:
    assert set(tally(rows(), ppe_keys(PPE_LEAST)).steps) == {74_620}
    assert tally(rows(), ppe_keys(PPE_LEAST)).right == 20
    assert tally(rows(), ppe_keys(PPE_FEW_GAPS)).right < 20


def test_steel_never_claims_random_moves() -> None:
    for method in (Method.LOOPED, Method.LOCATED, Method.CERTAIN):
        assert of_cell(rows(), method, Property.RANDOM_MOVES).of(Fate.WRONG) == 0


@pytest.mark.parametrize(("method", "column"), [(m, c) for m, c in CELLS if c in SMALL_WORLDS])
def test_recorded_runs_on_small_worlds_can_be_repeated(method: Method, column: Property) -> None:
    got = of_cell(rows(), method, column)
    world, resets = SMALL_WORLDS[column](), column is not Property.NO_RESET
    for seed in (0, 77):
        again = run_method(method, world, seed, resets=resets)
        assert (again.fate.value, again.steps) == (got.fates[seed], got.steps[seed])


def repeat_on_lock(method: Method) -> None:
    got = of_cell(rows(), method, Property.GUARANTEE)
    again = run_on_lock(method, 3)
    assert (again.fate.value, again.steps) == (got.fates[3], got.steps[3])


@pytest.mark.parametrize(
    "method", [Method.LOOPED, Method.LOCATED, Method.CERTAIN, Method.PPE_PAIRS]
)
def test_recorded_runs_on_the_lock_can_be_repeated(method: Method) -> None:
    repeat_on_lock(method)


@pytest.mark.slow
@pytest.mark.parametrize("method", Method)
def test_all_methods_on_the_lock_can_be_repeated(method: Method) -> None:
    repeat_on_lock(method)


def test_further_runs_of_ppe_can_be_repeated() -> None:
    got = tally(rows(), ppe_keys(PPE_LEAST))
    again = run_ppe(PPE_LEAST, 19)
    assert (again.fate.value, again.steps) == (got.fates[19], got.steps[19])


@pytest.mark.parametrize("with_forward", [False, True])
def test_where_all_states_are_seen_the_same_code_is_right(*, with_forward: bool) -> None:
    """A control: it is the length of the lock that AC-State and ACDF cannot do."""
    assert inverse_is_right(0, 5, with_forward=with_forward)


@pytest.mark.parametrize(
    ("column", "fates", "text"),
    [
        (Property.NO_RESET, "R" * 95 + "W" * 5, "same"),
        (Property.NO_RESET, "R" * 94 + "N" * 6, DIFFERS),
        (Property.RANDOM_MOVES, "R" * 5 + "W" * 95, "same"),
        (Property.RANDOM_MOVES, "R" * 6 + "W" * 94, DIFFERS),
        (Property.HIDDEN_NOISE, "W", "measured"),
    ],
)
def test_agreement_allows_failures_up_to_a_share_of_delta(
    column: Property, fates: str, text: str
) -> None:
    assert agreement(Method.AC_STATE, column, Tally(fates, ())) == text


def test_the_command_shows_the_recorded_counts() -> None:
    shown = CliRunner().invoke(main, ["reproduce", "table1", "--recorded", "--json"])
    assert shown.exit_code == 0
    matrix, one_by_one, lock = json.loads(shown.output)
    assert len(matrix["numbers"]) == len(Method)
    assert matrix["numbers"][0]["no_reset"] == {"printed": "✓", "right": 100, "runs": 100}
    assert len(one_by_one["numbers"]) == len(CELLS)
    by_formula = [row for row in lock["numbers"] if "formula" in row["method"]]
    assert all("uncertain" in row["remark"] for row in by_formula)
    assert [table["title"] for table in json.loads(shown.output)] == [
        table.title for table in tables(rows())
    ]


ALL = [toggle, masked, random_start, hidden_noise, random_moves, coded_lock]
ONE = Fraction(1)


def laws_of(world: SmallWorld) -> Learned:
    return {
        (s, action): dict(law)
        for s, row in enumerate(world.transitions)
        for action, law in enumerate(row)
    }


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_true_laws_are_right_under_any_renaming(world: SmallWorld) -> None:
    assert judged(world.encoder, laws_of(world), world) is Fate.RIGHT
    last = world.states - 1
    renamed = {
        (last - s, action): {last - to: p for to, p in law.items()}
        for (s, action), law in laws_of(world).items()
    }
    assert judged([last - s for s in world.encoder], renamed, world) is Fate.RIGHT


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_every_other_encoder_of_as_many_labels_is_wrong(world: SmallWorld) -> None:
    for x in range(world.observations):
        for label in range(world.states + 1):
            if label != world.encoder[x]:
                other = [*world.encoder[:x], label, *world.encoder[x + 1 :]]
                assert judged(other, laws_of(world), world) is Fate.WRONG


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_a_transition_that_leads_elsewhere_is_wrong(world: SmallWorld) -> None:
    for pair, true in laws_of(world).items():
        for to in range(world.states):
            if true.get(to) != 1:
                changed = {**laws_of(world), pair: {to: ONE}}
                assert judged(world.encoder, changed, world) is Fate.WRONG
        unknown = {one: law for one, law in laws_of(world).items() if one != pair}
        assert judged(world.encoder, unknown, world) is Fate.WRONG


def test_chances_may_be_off_by_a_tenth() -> None:
    world = random_moves()
    near = {0: Fraction(6, 10), 1: Fraction(4, 10)}
    far = {0: Fraction(61, 100), 1: Fraction(39, 100)}
    assert judged(world.encoder, {**laws_of(world), (0, 1): near}, world) is Fate.RIGHT
    assert judged(world.encoder, {**laws_of(world), (0, 1): far}, world) is Fate.WRONG


SHOWS_0, SHOWS_1, NOISE = 2, 0, 1
"""Classifiers of the switch: the negation of bit 0, bit 0, and bit 1."""


def layered(label: tuple[int, ...], classifiers: tuple[int, ...] | None) -> LayeredModel:
    """A model of two layers: the first is right, the second is given."""
    first = Layer(((0,), (1,)), (0, 1), (SHOWS_0, SHOWS_1))
    words = tuple(product(range(2), repeat=2))
    return LayeredModel(2, (first, Layer(words, label, classifiers)))


def test_layers_are_judged_one_by_one() -> None:
    right = (0, 1, 1, 0)
    both = (SHOWS_0, SHOWS_1)
    assert judged_layers(layered(right, both), toggle()) is Fate.RIGHT
    assert judged_layers(layered(right, None), toggle()) is Fate.NOTICED
    assert judged_layers(layered(right, both[::-1]), toggle()) is Fate.WRONG
    assert judged_layers(layered(right, (SHOWS_0, NOISE)), toggle()) is Fate.WRONG
    assert judged_layers(layered((0, 1, 0, 1), both), toggle()) is Fate.WRONG
    assert judged_layers(layered((0, 1, 1, 2), (*both, NOISE)), toggle()) is Fate.WRONG
    assert judged_layers(layered(right, both), random_start()) is Fate.WRONG
    assert judged_layers(layered(right, both), random_moves()) is Fate.WRONG


@pytest.mark.parametrize("world", [make() for make in ALL], ids=[make.__name__ for make in ALL])
def test_the_class_has_a_classifier_for_each_state(world: SmallWorld) -> None:
    """Which STEEL and PPE assume."""
    everything = np.arange(world.observations)
    values = [
        tuple(world.functions.values(f, everything).tolist())
        for f in range(world.functions.class_size)
    ]
    for state in range(world.states):
        assert tuple(s == state for s in world.encoder) in values
