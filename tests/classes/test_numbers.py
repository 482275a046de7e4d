"""Numbers are accepted in every exact form; other rows are refused with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.classes.finite import Components, predicates, tables
from steel_verified.classes.fitted import Fitted
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import Integers, between, cloud
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.classes.rows import Numbers, Rows

ON_FLOATS = [Thresholds(2), Boxes(2), HalfSpaces(2), Fitted(2, lambda _zeros, _ones: None)]
ON_INTEGERS = [kind(2, Integers(-1, 2)) for kind in (Thresholds, Boxes, HalfSpaces)]


@pytest.mark.parametrize("oracle", ON_FLOATS, ids=lambda oracle: type(oracle).__name__)
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.array([[0.0, np.nan]]), "rows with nan: expected finite numbers"),
        (np.array([[-np.inf, 0.0]]), "rows with -inf: expected finite numbers"),
        (np.zeros((2, 3)), r"float64 of shape \(2, 3\): expected numbers of shape \(rows, 2\)"),
        (np.zeros(2), r"float64 of shape \(2,\)"),
        (np.zeros((1, 2, 1)), r"shape \(1, 2, 1\)"),
        (np.array([["a", "b"]]), "rows of <U1: expected float64, integers or booleans"),
        (np.array([[1j, 0]]), "rows of complex128"),
        (np.zeros((1, 2), dtype=np.longdouble), "rows of float128"),
        (np.zeros((1, 2), dtype=object), "rows of object"),
        (np.array([[2**53 + 1, 0]]), "9007199254740993: expected integers up to 2"),
    ],
)
def test_rows_that_are_not_finite_numbers_are_refused(
    oracle: Thresholds | Boxes | HalfSpaces | Fitted, rows: Numbers, said: str
) -> None:
    for read in (oracle.summarise, oracle.pack):
        with pytest.raises(InvalidArgument, match=said):
            read(rows)


@pytest.mark.parametrize("oracle", ON_INTEGERS, ids=lambda oracle: type(oracle).__name__)
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.array([[0, 3]]), "int64, values 0 to 3: expected 2 integer features from -1 to 2"),
        (np.array([[0, -2]]), "values -2 to 0"),
        (np.array([[0, 0.5]]), "rows of float64: expected 2 integer features from -1 to 2"),
        (np.array([[0, 1, 1]]), r"int64 of shape \(1, 3\): expected 2 integer features"),
    ],
)
def test_rows_outside_the_integer_domain_are_refused(
    oracle: Thresholds | Boxes | HalfSpaces, rows: Numbers, said: str
) -> None:
    with pytest.raises(InvalidArgument, match=said):
        oracle.summarise(rows)


def test_list_in_place_of_an_array_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="batch = list: expected an array"):
        Boxes(2).summarise([[0.0, 1.0]])  # type: ignore[arg-type] # what mypy refuses is tried


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.uint8, np.bool_])
def test_all_exact_dtypes_give_the_same_summary(kind: type[np.generic[object]]) -> None:
    rows = np.array([[0, 1], [1, 1]]).astype(kind)
    for oracle in (Thresholds(2), Boxes(2), HalfSpaces(2)):
        assert oracle.summarise(rows) == oracle.summarise(np.array([[0.0, 1.0], [1.0, 1.0]]))
        assert oracle.pack(rows) == np.array([0.0, 1.0, 1.0, 1.0]).tobytes()


def test_one_feature_may_be_given_as_plain_numbers() -> None:
    assert Boxes(1).summarise(np.array([0.5, 1.0])) == Boxes(1).summarise(np.array([[0.5], [1.0]]))


def test_negative_zero_equals_zero() -> None:
    for oracle in (Thresholds(1), Boxes(1), HalfSpaces(1)):
        assert oracle.pack(np.array([-0.0])) == oracle.pack(np.array([0.0])) == bytes(8)
        assert oracle.summarise(np.array([-0.0])) == oracle.summarise(np.array([0.0]))


def test_packed_numbers_are_little_endian() -> None:
    assert (
        HalfSpaces(2, Integers(-1, 9)).pack(np.array([[1, -1]])) == b"\1" + bytes(7) + b"\xff" * 8
    )
    assert Boxes(1).pack(np.array([1.0], dtype=">f8")) == b"\0\0\0\0\0\0\xf0\x3f"


def test_finite_classes_pack_the_values_of_all_classifiers() -> None:
    """Bit f of a record is the value of classifier f, in each of the three classes."""
    bits = np.random.default_rng(0).random((5, 11)) < 0.5
    expected = np.packbits(bits, axis=1, bitorder="little").tobytes()
    columns = bits.T.tolist()

    def reads(f: int) -> Callable[[int], bool]:
        return lambda x: bool(bits[x, f])

    assert Components(11).pack(bits) == expected
    assert tables(columns).pack(np.arange(5)) == expected
    assert predicates(*map(reads, range(11))).pack(range(5)) == expected
    declared = {Components(11).declared, tables(columns).declared}
    assert [(each.name, each.width, each.row_bytes) for each in declared] == [("finite", 11, 2)]


@pytest.mark.parametrize(
    ("lowest", "highest", "said"),
    [(3, 3, "highest"), (3, 2, "highest"), (-(2**63) - 1, 0, "lowest"), (0, 2**63, "highest")],
)
def test_invalid_integer_bounds_are_refused(lowest: int, highest: int, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        Integers(lowest, highest)


@pytest.mark.parametrize("features", [0, -1, True, 2.0])
def test_invalid_numbers_of_features_are_refused(features: int) -> None:
    for kind in (Thresholds, Boxes, HalfSpaces):
        with pytest.raises(InvalidArgument, match="features"):
            kind(features)


@pytest.mark.parametrize(
    ("below", "above"),
    [(0.0, 5e-324), (-1.7e308, 1.7e308), (1.0, 1.0 + 2**-52), (3, 4), (-5, 8), (2**62, 2**62 + 1)],
)
def test_between_returns_a_number_above_below_and_at_most_above(below: float, above: float) -> None:
    found = between(below, above)
    assert below < found <= above
    assert type(found) is type(above)


FEW_FLOATS = st.sampled_from((-1e300, -0.3, -5e-324, 0.0, 5e-324, 0.3, 1.0, 1e300))
FEW_INTEGERS = st.sampled_from((-(1 << 63), -1, 0, 1, (1 << 63) - 1))


@given(data=st.data(), width=st.integers(1, 3), integers=st.booleans())
def test_a_cloud_has_each_row_once_in_order(
    data: st.DataObject, width: int, *, integers: bool
) -> None:
    number = FEW_INTEGERS if integers else FEW_FLOATS
    rows = data.draw(st.lists(st.lists(number, min_size=width, max_size=width), max_size=8))
    table: Rows = np.array(rows, dtype=np.float64).reshape(len(rows), width)
    if integers:
        table = np.array(rows, dtype=np.int64).reshape(len(rows), width)
    assert np.array_equal(cloud(table).rows, np.unique(table, axis=0))
