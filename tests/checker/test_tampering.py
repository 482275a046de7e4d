"""Any single change to a certificate is seen, or is one that cannot matter."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.checker.findings import RULES
from proofs_checks.checker.reading import Malformed, canonical, read
from proofs_checks.checker.rules import check

from .material import Value, lock, resealed, verdict

HARMLESS = ("provenance", "assumptions")
"""Said for people; no rule rests on them."""

BEYOND_RECOMPUTATION = ("encoder.classifiers",)
"""Which of several classifiers the oracle chose follows from observations, which are not here."""

EQUALLY_VALID = ("parameters.max_diameter", "parameters.delta", "parameters.epsilon")
"""A bound that is a little looser or tighter may ask for exactly the same run: then the certificate
is as good for it as for the one it was made for."""


def leaves(value: Value, place: str = "") -> list[tuple[str, list[str | int]]]:
    """Every number and string in a certificate, with the way to it."""
    if isinstance(value, dict):
        inner = [(f"{place}.{key}".lstrip("."), key, part) for key, part in value.items()]
        return [(p, [k, *way]) for at, k, part in inner for p, way in leaves(part, at)]
    if isinstance(value, list):
        return [
            (p, [i, *way])
            for i, part in enumerate(value)
            for p, way in leaves(part, f"{place}[{i}]")
        ]
    return [(place, [])]


def changed(value: Value, way: list[str | int], to: Value) -> Value:
    if not way:
        return to
    copy = dict(value) if isinstance(value, dict) else list(value)  # type: ignore[arg-type]  # one of both
    copy[way[0]] = changed(copy[way[0]], way[1:], to)  # type: ignore[index]  # the way fits
    return copy


def at(value: Value, way: list[str | int]) -> Value:
    for step in way:
        value = value[step]  # type: ignore[index]  # the way fits
    return value


@st.composite
def tamperings(draw: st.DrawFn) -> tuple[str, bytes]:
    """One change to a valid certificate, with the digest made to match."""
    value: Value = json.loads(lock())
    ways = [
        (place, way)
        for place, way in leaves(value)
        if not place.startswith((*HARMLESS, "digest", "format"))
    ]
    place, way = draw(st.sampled_from(ways))
    old = at(value, way)
    if isinstance(old, int):
        new: Value = draw(
            st.sampled_from([old + 1, max(old - 1, 0), 0, old + 7, 2 * old]).filter(
                lambda n: n != old
            )
        )
    elif isinstance(old, str) and old and not old.strip("01"):
        i = draw(st.integers(0, len(old) - 1))
        flipped = old[:i] + str(1 - int(old[i])) + old[i + 1 :]
        new = draw(st.sampled_from([flipped, old[:-1], old + "0", old + "1"]))
    elif isinstance(old, str):
        new = draw(st.sampled_from([f"{old}1", "0", "1/7", "1/1000000", f"9{old}"]))
    else:
        new = 3
    return place, resealed(changed(value, way, new))


@pytest.mark.properties
@settings(max_examples=4 * settings().max_examples)
@given(tampering=tamperings())
def test_any_single_change_is_seen(tampering: tuple[str, bytes]) -> None:
    place, data = tampering
    if verdict(data) == "accepted":
        assert place.startswith((*BEYOND_RECOMPUTATION, *EQUALLY_VALID))


@st.composite
def structural_tamperings(draw: st.DrawFn) -> bytes:
    """Something dropped, doubled, or swapped with its neighbour, in one of the lists."""
    value: Value = json.loads(lock())
    lists = sorted({
        tuple(way[: i + 1])
        for place, way in leaves(value)
        if not place.startswith((*HARMLESS, *BEYOND_RECOMPUTATION))
        for i, step in enumerate(way[:-1])
        if isinstance(at(value, way[: i + 1]), list)
    }, key=str)  # fmt: skip
    way = list(draw(st.sampled_from(lists)))
    items = at(value, way)
    assert isinstance(items, list)
    i = draw(st.integers(0, len(items) - 1))
    kind = draw(st.sampled_from(["drop", "double", "swap"]))
    if kind == "drop":
        new = items[:i] + items[i + 1 :]
    elif kind == "double":
        new = items[: i + 1] + items[i:]
    else:
        j = (i + 1) % len(items)
        new = list(items)
        new[i], new[j] = new[j], new[i]
    if new == items:
        new = [*items, items[0]]
    return resealed(changed(value, way, new))


@pytest.mark.properties
@settings(max_examples=3 * settings().max_examples)
@given(data=structural_tamperings())
def test_anything_dropped_doubled_or_swapped_is_seen(data: bytes) -> None:
    assert verdict(data) != "accepted"


def test_a_changed_file_without_a_new_digest_is_seen() -> None:
    value = json.loads(lock())
    value["provenance"]["world"] = "another"
    (finding,) = check(read(canonical(value)))
    assert finding.rule == "digest"


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"model", "period tests", "budget"}))
def test_every_rule_can_be_broken_alone_or_first(rule: str) -> None:
    """For each rule, some single change is found by it."""
    value: Value = json.loads(lock())
    for place, way in leaves(value):
        old = at(value, way)
        news: list[Value] = [old + 1, old + 40] if isinstance(old, int) else ["0", "other", "10"]
        for new in news:
            data = resealed(changed(value, way, new))
            if place == "digest" or rule == "digest":
                data = canonical(changed(value, way, new))
            try:
                if rule in {finding.rule for finding in check(read(data))}:
                    return
            except Malformed:
                continue
    pytest.fail(f"no change was found by {rule}")
