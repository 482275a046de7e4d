"""Finite classes and conjunctions satisfy the law of an oracle, in every representation."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from steel_verified import learn
from steel_verified.classes.conjunctions import Conjunction, Conjunctions
from steel_verified.classes.features import Featured, ShortConjunctions
from steel_verified.classes.finite import Components, Marks, predicates, tables
from steel_verified.classes.rows import BitRows, PackedBits, packed_bits, rows_of_bits
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Searched, first_true
from steel_verified.learning.results import encode
from steel_verified.strategies import check_oracle_laws
from tests.toys import Toy

from .brute_force import Point, Predicate, grid, labelings, separable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Bits
    from steel_verified.evidence.oracle import Classifier, Summary


BitRow = list[bool]


@st.composite
def bit_rows(draw: st.DrawFn) -> tuple[int, list[BitRow], list[BitRow]]:
    width = draw(st.integers(1, 20))
    rows = st.lists(st.lists(st.booleans(), min_size=width, max_size=width), max_size=6)
    return width, draw(rows), draw(rows)


def packed(rows: list[BitRow], width: int) -> BitRows:
    return packed_bits(np.array(rows, dtype=np.bool_).reshape(len(rows), width))


def joining(width: int) -> Callable[[BitRows, BitRows], BitRows]:
    return lambda a, b: PackedBits(np.concatenate([a.packed(), b.packed()]), width)


@given(marks=st.integers(0, 31), numbers=st.lists(st.integers(0, 4), max_size=5))
def test_first_true_classifier_is_that_of_single_questions(marks: int, numbers: list[int]) -> None:
    finite, rows = Components(5), Marks(marks, marks)
    single = Searched(finite, finite.separating)
    assert first_true(finite, numbers, [rows]) == first_true(single, numbers, [rows])


BITS = st.integers(0, 31)


@given(
    chosen=st.lists(st.builds(Conjunction, BITS, BITS), max_size=5),
    datasets=st.lists(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), max_size=3)),
)
def test_first_true_conjunction_is_that_of_single_questions(
    chosen: list[Conjunction], datasets: list[list[BitRow]]
) -> None:
    functions = Conjunctions(5)
    rows = [functions.summarise(packed(each, 5)) for each in datasets]
    single = Searched(functions, functions.separating)
    assert first_true(functions, chosen, rows) == first_true(single, chosen, rows)


@given(case=bit_rows())
def test_components_satisfy_the_oracle_laws(case: tuple[int, list[BitRow], list[BitRow]]) -> None:
    width, zeros, ones = case
    separable = any(
        all(not row[i] for row in zeros) and all(row[i] for row in ones) for i in range(width)
    )
    check_oracle_laws(
        Components(width),
        packed(zeros, width),
        packed(ones, width),
        joining(width),
        separable=separable,
    )


@given(case=bit_rows(), data=st.data())
def test_tables_and_predicates_satisfy_the_oracle_laws(
    case: tuple[int, list[BitRow], list[BitRow]], data: st.DataObject
) -> None:
    """The columns of the drawn bits are observations 0, 1, …; the rows are classifiers."""
    size, some, more = case
    rows = [*some, *more, [True] * size]
    numbers = st.lists(st.integers(0, size - 1), max_size=6)
    zeros, ones = data.draw(numbers), data.draw(numbers)
    separable = any(all(not row[x] for x in zeros) and all(row[x] for x in ones) for row in rows)
    check_oracle_laws(
        tables(rows),
        np.array(zeros, dtype=np.int64),
        np.array(ones, dtype=np.int64),
        lambda a, b: np.concatenate([a, b]),
        separable=separable,
    )

    def reader(row: BitRow) -> Callable[[int], bool]:
        return lambda x: row[x]

    check_oracle_laws(
        predicates(*(reader(row) for row in rows)),
        zeros,
        ones,
        lambda a, b: [*a, *b],
        separable=separable,
    )


class Lazy(Components):
    """A class that looks only at the first sample of each dataset."""

    def summarise(self, batch: Bits) -> Marks:
        return super().summarise(PackedBits(rows_of_bits(batch, 2).packed()[:1], 2))


def test_oracle_that_ignores_samples_violates_the_laws() -> None:
    zeros, ones = packed([[False, True], [True, True]], 2), packed([[True, False]], 2)
    with pytest.raises(AssertionError, match="the datasets are said to be separable: True"):
        check_oracle_laws(Lazy(2), zeros, ones, joining(2), separable=False)
    zeros, ones = packed([[False, False], [True, False]], 2), packed([[True, True]], 2)
    with pytest.raises(AssertionError, match="1 somewhere on `zeros`"):
        check_oracle_laws(Lazy(2), zeros, ones, joining(2), separable=True)


class Lenient(Components):
    """A class that says of every classifier that it separates."""

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:  # noqa: ARG002 (one answer)
        return True


class Severe(Components):
    """A class that says of every classifier that it does not separate."""

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:  # noqa: ARG002 (one answer)
        return False


class Disowning(Components):
    """A class that says of every classifier that it does not belong to it."""

    def contains(self, classifier: Classifier) -> bool:  # noqa: ARG002 (one answer)
        return False


@pytest.mark.parametrize(
    ("oracle", "said"),
    [
        (Lenient(2), "separate what it does not"),
        (Severe(2), "said not to separate"),
        (Disowning(2), "not to belong to the class"),
    ],
)
def test_class_with_wrong_answers_violates_the_laws(oracle: Components, said: str) -> None:
    zeros, ones = packed([[False, True]], 2), packed([[True, False]], 2)
    check_oracle_laws(Components(2), zeros, ones, joining(2), separable=True)
    with pytest.raises(AssertionError, match=said):
        check_oracle_laws(oracle, zeros, ones, joining(2), separable=True)


def test_encode_returns_the_lowest_label_for_ties() -> None:
    oracle = tables([[True, False, False], [True, True, False]])
    assert encode(oracle, [0, 1], np.arange(3)).tolist() == [0, 1, 0]
    assert encode(oracle, [1, 0], np.arange(3)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "batch", [[0.0, 1.0], [True, False], [0, 2], [-1], [[0, 1], [1, 0]], 1, ["0"]]
)
def test_rows_outside_a_table_are_refused(batch: object) -> None:
    with pytest.raises(InvalidArgument, match="batch"):
        tables([[True, False]]).summarise(np.array(batch))


def test_separating_returns_the_lowest_classifier() -> None:
    zeros, ones = Marks(every=0, some=0b00001), Marks(every=0b10111, some=0b11111)
    assert Components(5).separating(zeros, ones) == 1
    assert Components(5).separating(ones, zeros) is None


def all_conjunctions(features: int) -> list[Predicate]:
    """Return all conjunctions: each bit must be 0, must be 1, or is ignored; the contradiction."""

    def literals(wanted: tuple[int | None, ...]) -> Predicate:
        return lambda x: all(w is None or w == bit for w, bit in zip(wanted, x, strict=True))

    found = [literals(wanted) for wanted in product((0, 1, None), repeat=features)]
    return [*found, lambda _: False]


@st.composite
def bit_datasets(draw: st.DrawFn) -> tuple[int, list[Point], list[Point]]:
    features = draw(st.integers(1, 4))
    rows = st.lists(st.tuples(*[st.integers(0, 1)] * features), max_size=6)
    return features, draw(rows), draw(rows)


@given(case=bit_datasets())
def test_conjunctions_separate_exactly_what_their_definition_separates(
    case: tuple[int, list[Point], list[Point]],
) -> None:
    features, zeros, ones = case
    check_oracle_laws(
        Conjunctions(features),
        np.array(zeros, dtype=np.bool_).reshape(len(zeros), features),
        np.array(ones, dtype=np.bool_).reshape(len(ones), features),
        lambda a, b: np.concatenate([a, b]),
        separable=separable(all_conjunctions(features), zeros, ones),
    )


@pytest.mark.parametrize("features", [1, 2, 3, 4])
def test_class_size_equals_the_number_of_different_conjunctions(features: int) -> None:
    found = labelings(all_conjunctions(features), grid(2, features))
    assert Conjunctions(features).class_size == len(found)


def test_separating_returns_a_conjunction_of_few_literals() -> None:
    """Bit 1 alone excludes both zeros, although the one differs from them in other bits too."""
    bits = np.array([[1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]], dtype=np.bool_)
    oracle = Conjunctions(4)
    found = oracle.separating(oracle.summarise(bits[:2]), oracle.summarise(bits[2:]))
    assert found == Conjunction(needed=0b10, barred=0)


@pytest.mark.parametrize("width", [3, 8, 11])
def test_all_forms_of_bits_give_the_same_results(width: int) -> None:
    bits = np.random.default_rng(1).random((9, width)) < 0.5
    oracle, some = Conjunctions(width), Conjunction(needed=0b1, barred=0b100)
    expected = bits[:, 0] & ~bits[:, 2]
    forms: list[Bits] = [packed_bits(bits), bits.astype(np.int64), bits.astype(np.uint8)]
    for rows in (bits, *forms, bits.tolist(), bits.astype(int).tolist()):
        assert oracle.summarise(bits) == oracle.summarise(rows)
        assert Components(width).summarise(bits) == Components(width).summarise(rows)
        assert oracle.values(some, rows).tolist() == expected.tolist()
        assert oracle.pack(rows) == np.packbits(bits, axis=1, bitorder="little").tobytes()


@pytest.mark.parametrize("other", [Conjunction(8, 0), Conjunction(0, 8), Conjunction(-1, 0)])
def test_contains_rejects_conjunctions_of_other_bits(other: Conjunction) -> None:
    assert Conjunctions(3).contains(Conjunction(7, 7))
    assert not Conjunctions(3).contains(other)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.zeros((2, 3)), r"float64 of shape \(2, 3\): expected booleans, or 0 and 1, of shape"),
        (np.zeros((2, 4), dtype=np.bool_), r"bool of shape \(2, 4\)"),
        (packed_bits(np.zeros((2, 4), dtype=np.bool_)), "rows of 4 bits: expected 3 bits"),
        (np.zeros(3, dtype=np.bool_), r"bool of shape \(3,\)"),
        (np.array([[0, 1, 2]]), "rows with 2: expected booleans, or 0 and 1"),
        (np.array([[0, 1, 256]]), "rows with 256"),
        ([[0, -1, 1]], "rows with -1"),
        ([[0, 1, 1], [0, 1]], "rows of several lengths"),
        ([["0", "1", "1"]], "<U1 of shape"),
    ],
)
def test_rows_that_are_not_bits_are_refused(rows: Bits, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        Conjunctions(3).summarise(rows)
    with pytest.raises(InvalidArgument, match=said):
        Conjunctions(3).pack(rows)


@given(st.integers(1, 5), st.integers(1, 3), st.data())
def test_short_conjunctions_are_all_of_them(
    features: int, literals: int, data: st.DataObject
) -> None:
    most = min(features, literals)
    short = ShortConjunctions(features, most)
    rows = np.array([*product((False, True), repeat=features)])
    found = short(rows)
    assert found.shape == (len(rows), short.size)
    columns = {tuple(column) for column in found.T.tolist()}
    assert len(columns) == short.size
    every = Conjunctions(features)
    for needed, barred in product(range(1 << features), repeat=2):
        if not needed & barred and 1 <= needed.bit_count() + barred.bit_count() <= most:
            values = every.values(Conjunction(needed, barred), rows)
            columns.discard(tuple(values.tolist()))
    assert not columns
    row = data.draw(st.integers(0, len(rows) - 1))
    assert (short(rows[row : row + 1]) == found[row]).all()


def test_short_conjunctions_have_an_exact_encoder_without_bounds() -> None:
    """Four states as two of ten bits."""

    def shows(state: int, noise: np.random.Generator) -> NDArray[np.bool_]:
        shown = noise.random(10) < 1 / 2
        shown[3], shown[7] = state % 2 > 0, state > 1
        return shown

    short = ShortConjunctions(10, 2)
    world = Toy(((2, 1), (3, 3), (2, 0), (0, 0)), shows, 4)
    learned = learn(world, Featured(short, Components(short.size)), seed=1)
    assert learned.model.states == 4
    assert learned.guarantee is not None
    assert learned.guarantee.epsilon == 0
    assert not learned.guarantee.given
    assert judged(learned.certificate()).findings == []
    with pytest.raises(InvalidArgument, match="1 to 3"):
        ShortConjunctions(3, 4)
