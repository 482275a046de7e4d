"""The packed steps of located runs say the same as plans and rows of their own, and no more."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from proofs_checks.checker.located_record import STEP, Steps, read
from proofs_checks.checker.reading import canonical, object_in, opened
from steel_verified.evidence.certificate import certificate_of, lines
from steel_verified.worlds.catalogue import instance

from ..certificates.content import as_json, unpacked
from ..worlds.kept_runs import certified
from .material import located_runs, sealed, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = ("lock", "grid", "first round failed", "labels without a way back")


def parts(data: bytes) -> list[bytes]:
    """Return the lines of a file, each with the bytes after it, without the digest."""
    found, at, width = list[bytes](), 0, -(-json.loads(as_json(data))["class"]["width"] // 8)
    while at < len(data):
        end = data.index(b"\n", at)
        value = object_in(data[at : end + 1], "")
        size = {"rows": width, "steps": STEP.size}.get(str(value.get("kind")))
        if size is not None:
            count = value["count"]
            assert isinstance(count, int)
            end += 1 + size * count
        found.append(data[at:end])
        at = end + 1
    return found[:-1]


def with_steps(data: bytes, number: int, change: Callable[[bytes], list[bytes]]) -> bytes:
    """Return the file whose line of packed steps of this number is replaced by others."""
    found = parts(data)
    places = [i for i, part in enumerate(found) if b'"kind":"steps"}\n' in part]
    place = places[number % len(places)]
    packed = found[place].partition(b"\n")[2]
    return sealed(*found[:place], *change(packed), *found[place + 1 :])


def ending_with(row: int, packed: bytes) -> list[bytes]:
    return [line(packed[:-4] + row.to_bytes(4, "little"))]


def line(packed: bytes) -> bytes:
    count = len(packed) // STEP.size
    return canonical({"count": count, "kind": "steps"}) + b"\n" + packed


@pytest.mark.parametrize("name", located_runs())
def test_packed_steps_say_what_single_entries_say(name: str) -> None:
    data = located_runs()[name]
    assert any(isinstance(entry, Steps) for entry in read(data).record)
    assert verdict(unpacked(data)) == verdict(data) == "accepted"
    one, other = (certificate_of(each, "") for each in (data, unpacked(data)))
    assert one.record == other.record
    assert b"".join(lines(other.header, other.record, other.claim)) == data
    assert len(data) < len(unpacked(data))


@given(name=st.sampled_from(RUNS), number=st.integers(0, 5), data=st.data())
def test_steps_may_be_parted_but_no_step_changed_left_out_or_added(
    name: str, number: int, data: st.DataObject
) -> None:
    file = located_runs()[name]

    def at(packed: bytes) -> int:
        return STEP.size * data.draw(st.integers(0, len(packed) // STEP.size - 1))

    def parted(packed: bytes) -> list[bytes]:
        place = at(packed)
        return [line(part) for part in (packed[:place], packed[place:]) if part]

    def changed(packed: bytes) -> list[bytes]:
        place = at(packed)
        action, row = STEP.unpack_from(packed, place)
        other = STEP.pack(action ^ 1, row)
        return [line(packed[:place] + other + packed[place + STEP.size :])]

    def shorter(packed: bytes) -> list[bytes]:
        place = at(packed)
        rest = packed[:place] + packed[place + STEP.size :]
        return [line(rest)] if rest else []

    def longer(packed: bytes) -> list[bytes]:
        place = at(packed)
        return [line(packed[: place + STEP.size] + packed[place:])]

    assert judged(with_steps(file, number, parted)).findings == []
    for change in (changed, shorter, longer):
        assert judged(with_steps(file, number, change)).findings


def test_a_row_that_is_written_later_cannot_be_named() -> None:
    file = located_runs()["lock"]
    rows = len(opened(file).rows)
    for number, expected in ((rows - 1, "rejected"), (rows, "malformed")):
        assert verdict(with_steps(file, -1, partial(ending_with, number))) == expected


def test_a_file_is_hardly_larger_than_its_rows_and_actions() -> None:
    file = certified("located", instance("combination-lock", 0))
    steps = sum(len(entry) for entry in read(file).record if isinstance(entry, Steps))
    assert len(file) < 1.3 * sum(map(len, opened(file).rows)) + STEP.size * steps
