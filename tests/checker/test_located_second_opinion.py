"""The checker's formulas and decisions for located runs agree with the learner's."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.checker import planning
from proofs_checks.checker.classes import Finite
from proofs_checks.checker.formulas import passes_needed, share_of
from proofs_checks.checker.planning import Labels as Restated
from proofs_checks.checker.reading import Work
from steel_verified.classes.finite import Components, Marks
from steel_verified.learning import located
from steel_verified.learning.graph import Labels, covering_cycle
from steel_verified.learning.located import next_action
from steel_verified.strategies import probabilities
from steel_verified.theory.validation import round_share, validation_samples

from .test_second_opinion import restated_model


def work() -> Work:
    return Work(10**7)


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


def test_constants_of_checker_and_learner_agree() -> None:
    assert located.ENOUGH == located.ENOUGH


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
            ours.rows[label][action] = to
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
    found = ours.next_action(current, seen.__getitem__, located.ENOUGH)
    if any(None in theirs.rows[label] for label in theirs.reached(current)):
        assert found == next_action(theirs, seen, current)
    else:
        assert found is None
    for goal in theirs.rows:
        way = theirs.shortest_way(current, goal.__eq__)
        assert ours.way(current, goal.__eq__) == way


@given(history=histories(), at_least=st.integers(1, 40))
def test_covering_walks_of_the_closed_component(
    history: tuple[Labels, Restated], at_least: int
) -> None:
    theirs, _ = history
    for label in theirs.rows:
        terminal = theirs.terminal(label)
        if any(None in theirs.rows[each] for each in terminal):
            continue
        model, states = theirs.model_of(terminal)
        home = states[min(terminal)]
        walk = covering_cycle(model, home, at_least=at_least)
        again = restated_model(model)
        assert planning.covering_cycle(again, home, at_least, len(walk), work()) == walk


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
