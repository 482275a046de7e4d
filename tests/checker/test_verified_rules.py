"""What can be separated, and by which classifier: the extracted checker agrees with Python's.

A record has any rows for some positions that follow each other. The extracted checker prints which
classifiers it chooses for them, and Python's classes say whether these are the ones of the rule.
For half-spaces, whose classifiers are announced, the learner's class says what can be separated.
"""

from __future__ import annotations

import struct
import subprocess
from fractions import Fraction
from functools import reduce
from math import inf, nextafter
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.classes import (
    WIDEST,
    Boxes,
    Conjunctions,
    Extent,
    Finite,
    Literals,
    Threshold,
    Thresholds,
)
from proofs_checks.checker.half_spaces import lifted
from proofs_checks.checker.reading import Work
from proofs_checks.checker.verified import ACCEPTED, PROGRAM, REJECTED, SMALLEST
from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from proofs_checks.checker.classes import Class

Dataset = TypeVar("Dataset")
Printed = list[list[str]]


def printed(
    declared: str, positions: Sequence[Sequence[str]], announced: Sequence[str] = ()
) -> Printed:
    """What the program prints on a record in which one action leads from position to position.

    Each position shows its rows in turn. A pass shows the first of each again. It is paid for,
    since δ = 9. Two positions are seen in a loop, which joins them if they cannot be told apart;
    more are explored one by one, and the first row of all is shown twice.
    """
    count, rounds = len(positions), max(map(len, positions))
    shown = [rows[i % len(rows)] for i in range(rounds) for rows in positions]
    begin = ["L"]
    if count > 2:
        begin, shown = [], [*(rows[0] for rows in positions), *shown]
    first = [rows[0] for rows in positions]
    said = [f"D 0 {row}" for row in (*shown, *["-"] * count, *first)]
    walk = "\n".join([" ".join(["V 1", *["0"] * count]), *(f"F {each}" for each in announced)])
    place = len(shown)
    lines = [f"P 1 {count} 1 1/2 9/1", f"C {declared}", *begin, *said[:place], walk, *said[place:]]
    done = subprocess.run(
        [PROGRAM], input="\n".join(lines), capture_output=True, text=True, check=False
    )
    assert done.returncode in (ACCEPTED, REJECTED), done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def agree(
    functions: Class[Dataset],
    found: Printed,
    read: Callable[[list[str]], object],
    positions: Sequence[Sequence[bytes]],
) -> None:
    """Positions are different states iff they can be told apart; the rule chooses classifiers."""

    def joined(datasets: Iterable[Dataset]) -> Dataset:
        return reduce(functions.merged, datasets, functions.nothing())

    data = [joined(map(functions.dataset, rows)) for rows in positions]
    others = [joined(each for j, each in enumerate(data) if j != i) for i in range(len(data))]
    count = len(data)
    if all(functions.separable(zeros, ones) for zeros, ones in zip(others, data, strict=True)):
        assert found[:count] == [[str((i + 1) % count)] for i in range(count)]
        assert found[count] == ["current", str(count - 1)]
        for words, zeros, ones in zip(found[count + 2 :], others, data, strict=True):
            assert functions.is_chosen(read(words), zeros, ones)
        return
    assert count == 2
    both = joined(data)
    if functions.separable(functions.nothing(), both):
        assert found[:2] == [["0"], ["current", "0"]]
        assert functions.is_chosen(read(found[3]), functions.nothing(), both)
    else:
        assert found == [["rejected"]]


# --- rows -----------------------------------------------------------------------------------------

TINY = 5e-324
FLOATS = st.one_of(
    st.sampled_from([-1.5, 0.0, -0.0, 0.1, 0.3, nextafter(0.3, inf), 2.0, 1e308, -1e308, 1.7e308]),
    st.integers(-5, 5).map(lambda k: k * TINY),
    st.integers(-3, 3).map(float),
    st.integers(-3, 3).map(lambda k: 0.3 + k * 2**-54),
    st.floats(allow_nan=False, allow_infinity=False),
)
LITTLE = st.integers(0, 2).map(float)
INTEGERS = st.one_of(
    st.integers(-4, 4), st.sampled_from([-(2**63), 2**63 - 1]), st.integers(-(2**63), 2**63 - 1)
)


@st.composite
def two_positions(
    draw: st.DrawFn, entries: st.SearchStrategy[float], features: int = 3
) -> tuple[int, list[list[tuple[float, ...]]]]:
    """A width, and some rows for each of two positions."""
    width = draw(st.integers(1, features))
    row = st.lists(entries, min_size=width, max_size=width).map(tuple)
    return width, [draw(st.lists(row, min_size=1, max_size=9)) for _ in range(2)]


Positions = tuple[int, list[list[tuple[float, ...]]]]


@st.composite
def cells(draw: st.DrawFn) -> Positions:
    """Positions in cells of a grid, with other features: boxes need many sides, some are equal."""
    others, scale = draw(st.integers(0, 2)), draw(st.sampled_from([1, -1, 0.1, -TINY]))
    within = st.integers(0, draw(st.integers(0, 3)))
    places = draw(st.permutations([(4 * x, 4 * y) for x in range(3) for y in range(3)]))
    positions = []
    for x, y in places[: draw(st.integers(2, 9))]:
        offsets = st.lists(within, min_size=2 + others, max_size=2 + others)
        rows = draw(st.lists(offsets, min_size=1, max_size=5))
        positions.append([tuple(scale * z for z in (x + a, y + b, *rest)) for a, b, *rest in rows])
    return 2 + others, positions


@st.composite
def codes(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """Positions with a code of three bits, and other bits."""
    others = draw(st.integers(0, 5))
    places = draw(st.permutations(range(8)))
    more = st.lists(st.integers(0, (1 << others) - 1), min_size=1, max_size=5)
    count = draw(st.integers(2, 8))
    return 3 + others, [[code | each << 3 for each in draw(more)] for code in places[:count]]


def word_of(number: float) -> str:
    """A number as the program reads it."""
    if isinstance(number, int):
        return str(number)
    above, below = number.as_integer_ratio()
    return str((above << SMALLEST) // below)


def bound_in(word: str, scale: int) -> float:
    """A bound that the program prints: an integer, or a float as its multiple of 2^-1074."""
    if word in ("inf", "-inf"):
        return float(word)
    if scale == 1:
        return int(word)
    found = Fraction(int(word), scale)
    assert Fraction(float(found)) == found, "no float"
    return float(found)


def compare_numbers(name: str, width: int, positions: list[list[tuple[float, ...]]]) -> None:
    are_whole = isinstance(positions[0][0][0], int)
    scale = 1 if are_whole else 1 << SMALLEST

    def threshold(words: list[str]) -> object:
        return Threshold(int(words[0]), words[1], bound_in(words[2], scale))

    def box(words: list[str]) -> object:
        ends = tuple(bound_in(word, scale) for word in words)
        return Extent(ends[:width], ends[width:])

    entries: Literal["int64", "float64"] = "int64" if are_whole else "float64"
    texts = [[" ".join(map(word_of, row)) for row in rows] for rows in positions]
    found = printed(f"{name} {width} {entries}", texts)
    letter = "q" if are_whole else "d"
    packed = [[struct.pack(f"<{width}{letter}", *row) for row in rows] for rows in positions]
    if name == "thresholds":
        agree(Thresholds(entries, width, Work(10**6), WIDEST), found, threshold, packed)
    else:
        agree(Boxes(entries, width, Work(10**6), WIDEST), found, box, packed)


def compare_bits(name: str, width: int, positions: list[list[int]]) -> None:
    found = printed(f"{name} {width}", [[f"{row:x}" for row in rows] for rows in positions])
    packed = [[row.to_bytes(-(-width // 8), "little") for row in rows] for rows in positions]
    if name == "finite":
        agree(Finite(width), found, lambda words: int(words[0]), packed)
    else:
        functions = Conjunctions(width, Work(10**6), WIDEST)
        agree(functions, found, lambda words: Literals(int(words[0]), int(words[1])), packed)


def compare_half_spaces(width: int, positions: list[list[tuple[float, ...]]]) -> None:
    """The program finds by itself whether positions can be told apart."""
    functions = HalfSpaces(width)
    data = [functions.summarise(np.array(rows, dtype=np.float64)) for rows in positions]
    others = [
        reduce(functions.merge, data[:i] + data[i + 1 :], functions.nothing())
        for i in range(len(data))
    ]
    found = [functions.separating(*both) for both in zip(others, data, strict=True)]
    separators = [each for each in found if each]
    are_apart = len(separators) == len(data)
    chosen = separators if are_apart else [HalfSpace((0,) * width, 1)]
    announced = [" ".join(f"{w:x}" for w in (*each.weights, each.bias)) for each in chosen]

    def text(row: tuple[float, ...]) -> str:
        ratios = [x.as_integer_ratio() for x in row]
        return " ".join(map(str, lifted(ratios, Work(10**6)).numbers))

    answer = printed(
        f"half-spaces {width}", [list(map(text, rows)) for rows in positions], announced
    )
    count = len(data) if are_apart else 1
    assert len(data) == 2 or are_apart
    assert answer[:count] == [[str((i + 1) % count)] for i in range(count)]
    assert answer[count] == ["current", str(count - 1)]
    assert [" ".join(words) for words in answer[count + 2 :]] == announced


@st.composite
def two_positions_of_bits(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    width = draw(st.integers(1, 12))
    row = st.integers(0, (1 << width) - 1)
    return width, [draw(st.lists(row, min_size=1, max_size=9)) for _ in range(2)]


NUMBERS = st.one_of(two_positions(FLOATS), two_positions(INTEGERS))

# --- tests ----------------------------------------------------------------------------------------

if PROGRAM.is_file():

    @pytest.mark.properties
    @pytest.mark.parametrize("name", ["thresholds", "boxes"])
    @given(rows=NUMBERS)
    def test_the_rule_on_numbers_is_that_of_python(
        name: str, rows: tuple[int, list[list[tuple[float, ...]]]]
    ) -> None:
        compare_numbers(name, *rows)

    @pytest.mark.properties
    @pytest.mark.parametrize("name", ["finite", "conjunctions"])
    @given(rows=two_positions_of_bits())
    def test_the_rule_on_bits_is_that_of_python(
        name: str, rows: tuple[int, list[list[int]]]
    ) -> None:
        compare_bits(name, *rows)

    @pytest.mark.properties
    @given(rows=st.one_of(two_positions(FLOATS), two_positions(LITTLE, 6)))
    def test_half_spaces_separate_what_they_separate_for_the_learner(rows: Positions) -> None:
        compare_half_spaces(*rows)

    @pytest.mark.properties
    @given(count=st.integers(3, 8), turns=st.integers(0, 7))
    def test_half_spaces_tell_the_corners_of_a_polygon_apart(count: int, turns: int) -> None:
        corners = [(float(k), float(k * k)) for k in range(count)]
        corners = corners[turns % count :] + corners[: turns % count]
        compare_half_spaces(2, [[corner] for corner in corners])

    @pytest.mark.properties
    @given(rows=cells())
    def test_boxes_with_several_sides_are_those_of_python(rows: Positions) -> None:
        compare_numbers("boxes", *rows)

    @pytest.mark.properties
    @given(rows=codes())
    def test_conjunctions_of_several_literals_are_those_of_python(
        rows: tuple[int, list[list[int]]],
    ) -> None:
        compare_bits("conjunctions", *rows)

    def test_a_float_between_two_neighbours_is_the_upper_one() -> None:
        """No float lies between neighbours; half of the smallest float is rounded to even."""
        for zero in (0.0, TINY, 0.3, 1.0, -TINY, -1.0, 1.7e308):
            rows: list[list[tuple[float, ...]]] = [[(zero,)], [(nextafter(zero, inf),)]]
            compare_numbers("thresholds", 1, rows)
            compare_numbers("boxes", 1, rows)

else:

    def test_not_compared_because_the_extracted_checker_is_not_built() -> None:
        assert not PROGRAM.exists()
