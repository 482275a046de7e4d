"""Files whose rows or proofs are costly to check are refused, or checked, within two seconds."""

from __future__ import annotations

import base64
import json
import struct
from fractions import Fraction
from itertools import count, islice
from time import process_time
from typing import TYPE_CHECKING

import pytest

from proofs_checks.checker.located import check
from proofs_checks.checker.located_record import read
from proofs_checks.checker.reading import MOST_SHARES, STEPS_PER_BYTE, Work
from steel_verified import Components, Learned, Located, LocatedParameters, SteppedWorld, attempt
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.classes.intervals import Boxes, Thresholds
from tests.toys import SWITCH, Toy

from ..certificates.content import as_json, unpacked
from .material import located_runs, resealed, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class

    from ..certificates.content import Value

MB = 1 << 20
SECONDS = 4.0


def first_loop(kind: str, width: int, rows: bytes, states: int, **more: Value) -> bytes:
    """Return a file with the rows of a first loop; nothing after them is right."""
    value = json.loads(as_json(located_runs()["two states"]))
    entries = "bits" if kind == "conjunctions" else "float64"
    value["class"] = {"name": kind, "entries": entries, "width": width, "rule": "announced"}
    value["parameters"]["max_states"] = states
    times = [*range(1, 2 * states + 1)]
    value["record"] = [
        {"kind": "ran", "word": [0], "start": 0, "done": 0, "steps": 2 * states},
        {"kind": "seen", "first": 0, "times": times, "rows": base64.b64encode(rows).decode()},
        {"kind": "periods", "count": 2 * states, "left": [1]},
    ]
    value["classifiers"] = []
    return resealed({**value, **more})


def points(*rows: list[float]) -> bytes:
    return b"".join(struct.pack(f"<{len(row)}d", *row) for row in rows)


def pair(point: Iterable[str], weight: str = "1") -> Value:
    return [[*point], weight]


def meeting(zeros: list[Value], ones: list[Value]) -> Value:
    """A proof by one common point for every question of a loop with few states."""
    return {
        "separators": [],
        "meetings": [{"zeros": zeros, "ones": ones}],
        "answers": [-1] * 1000,
    }


def denominators() -> Iterator[int]:
    """Numbers of some 4,000 digits with few common factors."""
    return (10**3990 + 2 * k + 1 for k in count())


def shares_of_one(number: int, width: int = 1) -> bytes:
    """A mixture whose weights 1/p have no short common denominator."""
    nowhere = ["0"] * width
    mixed = [pair(nowhere, f"1/{p}") for p in islice(denominators(), number)]
    rows = points(*[[0.0] * width] * 4)
    return first_loop("half-spaces", width, rows, 2, proofs=meeting(mixed, [pair(nowhere)]))


def wide_rows(states: int, width: int, **more: Value) -> bytes:
    """Different rows, but for the two in the middle, which prove all verdicts on the period."""
    numbers = [0.0 if i in (states, states + 1) else float(i + 1) for i in range(2 * states)]
    rows = points(*[[1 / 3] * (width - 1) + [number] for number in numbers])
    same = pair([str(Fraction(1 / 3))] * (width - 1) + ["0"])
    return first_loop("half-spaces", width, rows, states, proofs=meeting([same], [same]), **more)


def long_separators(states: int, width: int) -> bytes:
    """Weights of 4,000 digits, on rows whose numbers have very different sizes.

    They separate the rows of the first question, which asks for period 2.
    """
    row = [1.7e308 if i % 2 else 5e-324 for i in range(width)]
    plane: Value = {"weights": ["0x" + "f" * 3990] * width, "bias": "0x0"}
    proofs: Value = {"separators": [plane], "meetings": [], "answers": [0] * 1000}
    return first_loop(
        "half-spaces", width, points(*[row, [-x for x in row]] * states), states, proofs=proofs
    )


def rows_to_find(states: int, width: int) -> bytes:
    """A mixture of all rows, which differ from each other in the last number only."""
    rows = [[0.0] * (width - 1) + [float(i // 2)] for i in range(2 * states)]
    point = ["0"] * (width - 1)
    mixed = [pair([*point, str(i)], f"1/{states}") for i in range(states // 2, states)]
    mixed += mixed
    return first_loop("half-spaces", width, points(*rows), states, proofs=meeting(mixed, mixed))


def many_numbers(number: int) -> bytes:
    """Points that are no rows, with denominators of 4,000 digits."""
    point = [f"1/{p}" for p in islice(denominators(), number)]
    rows = points(*[[0.0] * number] * 4)
    return first_loop("half-spaces", number, rows, 2, proofs=meeting([pair(point)], [pair(point)]))


def nested_boxes(states: int, width: int) -> bytes:
    """Each row is in the box of no other ones, which only its last number shows."""
    rows = [[0.0] * (width - 1) + [float(i % states)] for i in range(2 * states)]
    return first_loop("boxes", width, points(*rows), states, proofs=None)


LARGE_TABLE: Value = [[0, 0]] * 900

COSTLY: dict[str, Callable[[], bytes]] = {
    "weights 1/p": lambda: shares_of_one(500),
    "weights 1/p and wide rows": lambda: shares_of_one(200, 500),
    "wide rows": lambda: wide_rows(300, 100),
    "very wide rows": lambda: wide_rows(3, 12_000),
    "wide rows and a large table": lambda: wide_rows(300, 100, table=LARGE_TABLE),
    "long separators": lambda: long_separators(100, 100),
    "long separators and few rows": lambda: long_separators(20, 230),
    "rows to find": lambda: rows_to_find(1000, 20),
    "points that are no rows": lambda: many_numbers(250),
    "nested boxes": lambda: nested_boxes(200, 150),
    "a long conjunction": lambda: first_loop(
        "conjunctions", MB, bytes(4 * MB // 8), 2, classifiers=["x" * MB], proofs=None
    ),
}


@pytest.mark.parametrize("kind", COSTLY)
def test_costly_files_are_refused_quickly(kind: str) -> None:
    data = COSTLY[kind]()
    assert len(data) <= 2.5 * MB
    began = process_time()
    assert verdict(data) in ("malformed", "rejected")
    assert process_time() - began < SECONDS


def test_only_labels_that_were_told_apart_raise_the_limit() -> None:
    """A table is a statement; and with half-spaces, each comparison has its proof in the file."""
    for name in ("two states", "lock"):
        value = json.loads(as_json(located_runs()[name]))
        certificate = read(resealed({**value, "table": LARGE_TABLE}))
        assert {finding.rule for finding in check(certificate)} == {"table"}
        assert certificate.work.limit == Work.of_file(certificate.stated.size).limit
    for shares, most in ((3, MOST_SHARES), (MOST_SHARES, MOST_SHARES), (1, 1)):
        work = Work(10, most)
        for labels in (0, 100 * (shares - 1) + 50 if shares > 1 else 10**6, 0):
            work.allow_for(labels)
        assert work.limit == 10 * shares
    proved = read(wide_rows(3, 4))
    proved.work.allow_for(10**6)
    assert proved.work.limit == Work.of_file(proved.stated.size).limit // 2


# --- honest files with loose bounds ---------------------------------------------------------------


def lever() -> Toy:
    """A switch whose position is shown by two numbers."""
    return Toy(SWITCH, lambda state, _: [0.5 + state, 1.5 - state])


def certified(world: SteppedWorld, oracle: Class[Numbers], states: int) -> bytes:
    """The certificate of a run on a world of two states, with a much larger bound."""
    bounds = LocatedParameters.of(world, max_states=states, mixing_time=1)
    return Learned.of(attempt(world, oracle, Located(bounds)), oracle).certificate()


LOOSE: dict[str, Callable[[int], bytes]] = {
    "finite": lambda states: certified(Toy(SWITCH), Components(2), states),
    "conjunctions": lambda states: certified(Toy(SWITCH), Conjunctions(2), states),
    "thresholds": lambda states: certified(lever(), Thresholds(2), states),
    "boxes": lambda states: certified(lever(), Boxes(2), states),
    "half-spaces": lambda states: certified(lever(), Witnessed(HalfSpaces(2)), states),
}


def looser(data: bytes, states: int) -> bytes:
    """The certificate of the same run with a larger bound: only the first loop is longer."""
    value = json.loads(as_json(data))
    loop, read, periods, *rest = value["record"]
    more = 2 * (states - value["parameters"]["max_states"])
    value["parameters"]["max_states"] = states
    rows = base64.b64decode(read["rows"])
    twice = rows[: 2 * len(rows) // len(read["times"])]
    loop["steps"] += more
    periods["count"] += more
    read["times"] = [*range(1, 2 * states + 1)]
    read["rows"] = base64.b64encode(twice * states).decode()
    for entry in rest:
        for key in {"ran": ["start"], "seen": ["first"], "fixed": ["at"]}.get(entry["kind"], []):
            entry[key] += more
    value["steps"] += more
    return resealed(value)


def test_a_looser_certificate_is_what_the_learner_writes() -> None:
    assert looser(LOOSE["finite"](30), 300) == unpacked(LOOSE["finite"](300))


@pytest.mark.parametrize("kind", LOOSE)
def test_honest_certificates_with_loose_bounds_are_accepted(kind: str) -> None:
    data = [LOOSE[kind](30)]
    if kind == "half-spaces":  # each question needs a proof
        data += [LOOSE[kind](300)]
    else:
        data += [looser(data[0], states) for states in (300, 1000, 4000)]
    for each in data:
        began = process_time()
        certificate = read(each)
        assert not check(certificate)
        assert certificate.work.done < STEPS_PER_BYTE / 2 * len(each)
        assert process_time() - began < SECONDS


STATES = 40


def lock_without_noise() -> Toy:
    """A lock whose states are shown by a bit each, so that all rows of a state are equal."""
    table = [[(state + 1) % STATES, 0][:: (-1) ** state] for state in range(STATES)]
    return Toy(table, lambda state, _: [state == each for each in range(STATES)])


@pytest.mark.parametrize("oracle", [Conjunctions(STATES), Boxes(STATES)], ids=["bits", "floats"])
def test_rows_that_are_seen_again_cost_little(oracle: Class[Numbers]) -> None:
    data = certified(lock_without_noise(), oracle, STATES + 1)
    certificate = read(data)
    assert not check(certificate)
    assert certificate.work.done < STEPS_PER_BYTE * 2 / 3 * len(data)
