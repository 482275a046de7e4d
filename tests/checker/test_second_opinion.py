"""The checker's formulas, plans and decisions agree with those of theory and learner."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest
from flint import ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.checker import formulas, planning
from proofs_checks.checker.classes import Finite
from proofs_checks.checker.formulas import passes_needed, share_of
from proofs_checks.checker.looped import Read, check_period_gaps, check_position_gaps
from proofs_checks.checker.planning import Labels as Restated
from proofs_checks.checker.reading import Work
from steel_verified.classes.finite import Components, Marks
from steel_verified.errors import TooClose
from steel_verified.learning import located
from steel_verified.learning.graph import Labels, covering_cycle, escaping_word
from steel_verified.learning.located import next_action
from steel_verified.learning.model import Model
from steel_verified.strategies import dynamics, parameters, probabilities
from steel_verified.theory import budget, counts, schedules
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.theory.exact import ball
from steel_verified.theory.progressions import Level, Progression
from steel_verified.theory.validation import round_share, validation_samples
from tests.bounds import bounds, with_class

if TYPE_CHECKING:
    from steel_verified.theory.parameters import Parameters
    from steel_verified.worlds.dynamics import Dynamics


words = st.integers(1, 40)


def restated(p: Parameters) -> formulas.Parameters:
    return formulas.Parameters(
        p.actions,
        p.max_states,
        p.max_diameter,
        p.mixing_time,
        p.class_size,
        p.delta,
        p.epsilon,
    )


def set_up(p: Parameters) -> formulas.Setting:
    return formulas.setting_of(restated(p))


def as_sample(*pieces: Progression) -> formulas.Sample:
    """Return a dataset as in a certificate: its nested progressions, level by level."""
    times = tuple(
        (piece.first, *(part for level in piece.levels for part in (level.count, level.stride)))
        for piece in pieces
    )
    return sum(len(piece) for piece in pieces), times


@given(p=parameters(), word=words)
def test_counts_and_roll_outs_of_checker_and_theory_agree(p: Parameters, word: int) -> None:
    other = set_up(p)
    assert other.period_samples == counts.period_test_samples(p)
    assert other.position_samples == counts.position_samples(p)
    assert formulas.initial_steps(other, word) == counts.initial_rollout(p, word)
    for period in range(1, p.max_states + 1):
        assert formulas.call_steps(other, word, period) == counts.cycle_find_steps(p, word, period)


@given(p=parameters(max_states=6), word=st.integers(1, 6))
def test_position_schedules_of_checker_and_theory_agree(p: Parameters, word: int) -> None:
    ours = set_up(p)
    for period in range(1, p.max_states + 1):
        for i, times in enumerate(schedules.position_times(p, word, period)):
            right = as_sample(times.early, times.late)
            assert formulas.position_sample(ours, word, period, i) == right
            assert formulas.last(right[1][1]) == times.late.last
            assert formulas.size(right[1]) == right[0]


@given(p=parameters(), word=words)
def test_period_tests_of_checker_and_theory_agree(p: Parameters, word: int) -> None:
    """Compare all times of D_0 and D_1 for every hypothesis."""
    ours = set_up(p)
    for test in schedules.period_tests(p, word):
        zeros, ones = formulas.period_test(ours, word, test.hypothesis)
        assert zeros == as_sample(test.zeros)
        assert ones == as_sample(test.ones)
        assert ones[0] >= ours.period_samples
        assert formulas.last(zeros[1][0]) == test.zeros.last <= formulas.initial_steps(ours, word)


@given(
    first=st.integers(0, 200),
    repeat=st.integers(1, 6),
    wait=st.integers(1, 40),
    rows=st.integers(1, 6),
    step=st.integers(1, 6),
    apart=st.integers(1, 60),
)
def test_gaps_of_period_tests_of_checker_and_theory_agree(
    first: int, repeat: int, wait: int, rows: int, step: int, apart: int
) -> None:
    """Compare the rule `separation` with the theory's gaps in D_1 ∪ D_0^(j)."""
    every = 2 * wait + (rows - 1) * step + 1
    ones = Progression(first, (Level(repeat, every),))
    zeros = Progression(first + wait, (Level(repeat, every), Level(rows, step)))
    test = schedules.PeriodTest(rows + 1, ones, zeros, apart)
    entry = Read(0, 0, 0, (as_sample(zeros), as_sample(ones)))
    try:
        for j in range(1, rows + 1):
            test.pooled(j)
        far_enough = True
    except TooClose:
        far_enough = False
    assert far_enough == (not list(check_period_gaps(entry, "", apart)))


@pytest.mark.parametrize("gaps", list(product((4, 5, 6), (4, 5, 6), (4, 5, 6, None))))
def test_gaps_of_positions_are_at_least_the_mixing_time(
    gaps: tuple[int, int, int | None],
) -> None:
    """Within A and B, between any A and any B, and to the datasets of an earlier call."""
    within, between, before = gaps
    early = [Progression(start, (Level(3, within),)) for start in (2, 0, 1)]
    late = [Progression(start + 2 * within + 2 + between, (Level(3, within),)) for start in (2, 0)]
    pairs = zip(early, (*late, late[0]), strict=True)
    entry = Read(7, 0, 0, tuple(as_sample(*pair) for pair in pairs))
    kept_until = None if before is None else 7 - before
    found = list(check_position_gaps(entry, "", 5, kept_until))
    assert bool(found) == (4 in gaps)


@given(p=parameters(), states=st.integers(1, 30))
def test_encoder_counts_of_checker_and_theory_agree(p: Parameters, states: int) -> None:
    other = restated(p)
    assert formulas.tour_passes(set_up(p), states) == counts.sampling_passes(p, states)
    assert formulas.encoder_samples(other, states) == counts.encoder_samples(p, states)
    assert formulas.encoder_charge(other, states) == budget.encoder_charge(p, states).amount


@given(p=parameters(), tests=st.integers(0, 10**9))
def test_charges_of_checker_and_theory_agree(p: Parameters, tests: int) -> None:
    theirs = budget.period_charge(p, tests)
    assert formulas.separation_charge(restated(p), tests, theirs.samples) == theirs.amount


@given(x=st.fractions(0, 300), bits=st.sampled_from([16, 64, 200]))
def test_exp_is_between_its_bounds(x: Fraction, bits: int) -> None:
    low, high = formulas.exp_bounds(x, bits)
    with ctx.workprec(1500):
        value = ball(x).exp() * 2**bits
        assert value >= low
        assert value <= high


@st.composite
def partial_tables(draw: st.DrawFn) -> tuple[Model, Dynamics]:
    truth = draw(dynamics(max_states=7))
    table = [[to if draw(st.integers(0, 3)) else None for to in row] for row in truth.table]
    table[draw(st.integers(0, truth.states - 1))][draw(st.integers(0, truth.actions - 1))] = None
    return Model(truth.actions, tuple(tuple(row) for row in table)), truth


def restated_model(model: Model) -> planning.Model:
    again = planning.Model(model.actions)
    for _ in model.table:
        again.add_state()
    for transition in model.transitions():
        again.add(*transition)
    return again


def work() -> Work:
    return Work(10**6)


@given(case=partial_tables())
def test_escaping_words_of_checker_and_learner_agree(case: tuple[Model, Dynamics]) -> None:
    model, _ = case
    ours = restated_model(model)
    try:
        theirs = escaping_word(model)
    except AssumptionViolated:
        assert planning.escaping_word(ours, 10**6, work()) is None
        return
    assert not ours.is_total
    assert planning.escaping_word(ours, len(theirs), work()) == theirs
    assert planning.escaping_word(ours, len(theirs) - 1, work()) is None


@given(truth=dynamics(max_states=7), at_least=st.integers(1, 60), data=st.data())
def test_covering_cycles_of_checker_and_learner_agree(
    truth: Dynamics, at_least: int, data: st.DataObject
) -> None:
    home = data.draw(st.integers(0, truth.states - 1))
    model = Model(truth.actions, truth.table)
    theirs, ours = covering_cycle(model, home, at_least), restated_model(model)
    assert ours.is_total
    assert planning.covering_cycle(ours, home, at_least, len(theirs), work()) == theirs
    assert planning.covering_cycle(ours, home, at_least, len(theirs) - 1, work()) is None


@given(truth=dynamics(max_states=7))
def test_diameters_of_checker_and_learner_agree(truth: Dynamics) -> None:
    ours = restated_model(Model(truth.actions, truth.table))
    far = [planning.farthest(ours, state, work()) for state in range(truth.states)]
    assert max(distance for distance in far if distance is not None) == truth.diameter


def test_exact_equality_is_decided_alike() -> None:
    """δ is chosen so that the allowed share is exactly (9/16)⁴⁰."""
    delta = 4 * 2 * 2 * 1 * 3 * Fraction(9, 16) ** 40
    p = with_class(bounds(2, 2, delta=delta, epsilon=Fraction(1, 2)), 3)
    assert set_up(p).period_samples == counts.period_test_samples(p) == 40
    less = replace(p, delta=delta * Fraction(999, 1000))
    assert set_up(less).period_samples == 41


@given(
    epsilon=st.fractions(Fraction(1, 60), Fraction(99, 100)),
    gap=st.integers(1, 200),
    share=st.fractions(Fraction(1, 10**12), Fraction(1, 2)),
)
def test_passes_of_checker_and_learner_agree(epsilon: Fraction, gap: int, share: Fraction) -> None:
    assume(share > 0)
    theirs = validation_samples(epsilon, gap, share)
    assert passes_needed(epsilon, gap, share, theirs, work()) == theirs
    assert passes_needed(epsilon, gap, share, theirs - 1, work()) is None


@given(delta=probabilities(), number=st.integers(1, 10**6))
def test_shares_of_checker_and_learner_agree(delta: Fraction, number: int) -> None:
    assert share_of(delta, number) == round_share(delta, number)


def test_passes_agree_for_the_smallest_share_and_epsilon_one_half() -> None:
    """The smallest share that the learner accepts, and the bound attained at ε = 1/2."""
    least = Fraction(1, 1 << 120)
    for epsilon in (Fraction(1, 20), Fraction(1, 2), Fraction(49, 50)):
        theirs = validation_samples(epsilon, 1, least)
        assert passes_needed(epsilon, 1, least, theirs, work()) == theirs
    assert passes_needed(Fraction(1, 20), 1, Fraction(1, 1 << 170), 10_000, work()) is None


@st.composite
def histories(draw: st.DrawFn) -> tuple[Labels, Restated]:
    """Apply the same random labels, transitions and merges to both tables and compare them."""
    actions = draw(st.integers(1, 3))
    theirs, ours = Labels(actions), Restated(actions, work())
    for _ in range(draw(st.integers(1, 8))):
        _, theirs = theirs.with_label()
        ours.add()
    for _ in range(draw(st.integers(0, 24))):
        roots = sorted(theirs.rows)
        label, to = draw(st.sampled_from(roots)), draw(st.sampled_from(roots))
        action = draw(st.integers(0, actions - 1))
        if theirs.rows[label][action] is None:
            theirs = theirs.with_transition(label, action, to)
            ours.lead(label, action, to)
        elif draw(st.integers(0, 3)) == 0:
            theirs = theirs.merged(label, to)
            ours.merge(label, to)
    return theirs, ours


@given(history=histories())
def test_tables_of_checker_and_learner_agree_after_merges(history: tuple[Labels, Restated]) -> None:
    theirs, ours = history
    assert list(theirs.rows) == sorted(ours.rows)
    for label, row in theirs.rows.items():
        assert ours.rows[label] == {a: to for a, to in enumerate(row) if to is not None}
        assert ours.has_unknown(label) == (None in row)
        assert ours.reached(label) == theirs.reached(label)
        assert ours.kept(label) == sorted(theirs.terminal(label))
    for label in range(len(theirs.parent)):
        assert ours.root(label) == theirs.root(label)


@given(history=histories(), data=st.data())
def test_next_action_equals_the_learners(
    history: tuple[Labels, Restated], data: st.DataObject
) -> None:
    theirs, ours = history
    current = data.draw(st.sampled_from(sorted(theirs.rows)))
    seen = {label: data.draw(st.integers(1, 16)) for label in theirs.rows}
    often = {label for label, rows in seen.items() if rows >= located.ENOUGH}
    found = ours.next_action(current, often)
    if any(None in theirs.rows[label] for label in theirs.reached(current)):
        assert found == next_action(theirs, seen, current)
    else:
        assert found is None
    for goal in theirs.rows:
        way = theirs.shortest_way(current, goal.__eq__)
        assert ours.way(current, goal.__eq__) == way


@given(size=st.integers(1, 20), data=st.data())
def test_finite_classes_of_checker_and_learner_agree(size: int, data: st.DataObject) -> None:
    """Compare separability and the chosen classifier for datasets of a few rows."""
    theirs, ours = Components(size), Finite(size)
    rows = st.lists(st.integers(0, (1 << size) - 1), max_size=4)
    both = []
    for _ in range(2):
        marks, dataset = theirs.nothing(), ours.nothing()
        for bits in data.draw(rows):
            marks = theirs.merge(marks, Marks(bits, bits))
            dataset = ours.merged(dataset, ours.dataset(bits.to_bytes(ours.row_bytes, "little")))
        assert (marks.every, marks.some) == dataset
        both.append((marks, dataset))
    (zeros, no), (ones, yes) = both
    chosen = theirs.separating(zeros, ones)
    assert ours.separable(no, yes) == (chosen is not None)
    for classifier in range(size):
        assert ours.is_chosen(classifier, no, yes) == (classifier == chosen)
