"""Single changes to a located certificate are rejected, or give another possible run."""

from __future__ import annotations

import base64
import json
import random
from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..certificates.content import Value, as_json
from ..certificates.make import attacked
from .located_material import broken_rules, replayed, small, verdict
from .material import resealed
from .test_tampering import FOR_PEOPLE, Way, another, at, changed, nodes, place_of

MEANINGLESS = {
    "record.rows": "a bit of a row that no decision reads: the world could have shown it, and the "
    "learner would have done the same",
    "parameters.mixing_time": "a bound for which the same walk and as many passes are due",
    "parameters.epsilon": "an error for which as many passes are due",
    "class.width": "classifiers more or fewer that are 0 on every row are never chosen",
}
"""Where a change may be accepted, and why it does no harm.

All have one thing in common, which is tested of each accepted change: a learner that sees the rows
of the changed file, with its parameters and its class, writes exactly this file. So what is
promised for the changed parameters holds as well.
"""

FLIP = """
from base64 import b64decode, b64encode
def flip(entry, bit):
    data = bytearray(b64decode(entry['rows']))
    data[bit // 8] ^= 1 << bit % 8
    entry['rows'] = b64encode(data).decode()
"""

PARTS = ("record", "record", "record", "parameters", "class", "table", "classifiers", "current")


@cache
def parsed(data: bytes) -> tuple[Value, tuple[Way, ...]]:
    """Return a certificate and the paths to its numbers and texts."""
    value: Value = json.loads(as_json(data))
    ways = (way for way in nodes(value) if not isinstance(at(value, way), dict | list))
    return value, tuple(way for way in ways if not of_no_rule(way))


def of_no_rule(way: Way) -> bool:
    return place_of(way).startswith(("digest", *FOR_PEOPLE))


def another_part(old: Value, way: Way, rng: random.Random) -> Value:
    """Return a value of the same kind; rows are changed by bits, by rows, or as texts."""
    if way[-1:] != ("rows",) or rng.random() < 0.1:
        return another(old, rng)
    assert isinstance(old, str)
    data = bytearray(base64.b64decode(old))
    i, j = rng.randrange(len(data)), rng.randrange(len(data))
    match rng.randrange(5):
        case 0:
            data[i], data[j] = data[j], data[i]
        case 1:
            data[i] = rng.randrange(256)
        case 2:
            data = data[: i + 1]
        case _:
            data[i] ^= 1 << rng.randrange(8)
    return base64.b64encode(data).decode("ascii")


def tampered(rng: random.Random, data: bytes) -> tuple[str, bytes]:
    """The place of a random change, and the certificate with it; the digest is made to match.

    Half of the changes are to numbers and texts, wherever they are; the others to a part at a
    random depth, so that short lists and objects are changed as often as the many entries.
    """
    value, leaves = parsed(data)
    way: Way = rng.choice(leaves)
    if rng.random() < 0.5:
        way = (rng.choice(PARTS),) if rng.random() < 0.95 else ()
        while isinstance(part := at(value, way), dict | list) and part and rng.random() < 0.8:
            keys: list[str | int] = sorted(part) if isinstance(part, dict) else [*range(len(part))]
            way = (*way, rng.choice(keys))
    if of_no_rule(way):
        return tampered(rng, data)
    new = changed(value, way, another_part(at(value, way), way, rng))
    return place_of(way), resealed(new if isinstance(new, dict) else {"not": "an object"})


def accepted_at(name: str, rng: random.Random) -> str | None:
    """Return the place of a random change if it was accepted; the learner writes that file."""
    place, data = tampered(rng, small()[name])
    if data == small()[name] or verdict(data) != "accepted":
        return None
    assert place in MEANINGLESS, f"{name}: a change to {place} was accepted"
    assert replayed(data) == data, f"{name}: a change to {place} is not another run"
    return place


@given(name=st.sampled_from(sorted(small())), seed=st.integers(0, 2**64))
def test_random_single_change_is_rejected(name: str, seed: int) -> None:
    accepted_at(name, random.Random(seed))


def test_some_hundred_random_changes_are_rejected() -> None:
    rng = random.Random(1)
    found = [accepted_at(rng.choice(sorted(small())), rng) for _ in range(400)]
    assert "record.rows" in found, "some changes are meaningless, so the other half is at work too"


@pytest.mark.parametrize(
    ("place", "name", "change"),
    [
        ("record.rows", "lock", "flip(r[-2], 12)"),
        ("parameters.mixing_time", "two rounds", "c['parameters']['mixing_time'] -= 1"),
        ("parameters.epsilon", "two states", "c['parameters']['epsilon'] = '3/4'"),
        ("class.width", "lock", "c['class']['width'] += 1"),
    ],
)
def test_changes_of_listed_kinds_are_accepted_and_the_learner_writes_them(
    place: str, name: str, change: str
) -> None:
    """One accepted change of each kind; the learner would write the changed file."""
    assert place in MEANINGLESS
    data = attacked(small()[name], f"{FLIP}\n{change}")
    assert data != small()[name]
    assert verdict(data) == "accepted"
    assert replayed(data) == data


@pytest.mark.parametrize(
    ("rule", "name", "change"),
    [
        ("checks", "lock", "for bit in range(30): flip(r[-2], bit)"),
        ("order", "first round failed", "flip(r[4], 2)"),
        ("charges", "two states", "c['parameters']['delta'] = '1/21'"),
        ("plans", "two states", "c['parameters']['max_states'] += 1"),
        ("passes", "two states", "c['parameters']['epsilon'] = '2/5'"),
        ("plans", "lock", "c['parameters']['actions'] += 1"),
    ],
)
def test_changes_that_a_decision_reads_are_rejected(rule: str, name: str, change: str) -> None:
    """Changed bits that a decision reads, and parameters that require another run."""
    data = attacked(small()[name], f"{FLIP}\n{change}")
    assert broken_rules(data) == {rule}
    assert replayed(data) != data


@pytest.mark.slow
def test_many_random_changes_are_rejected() -> None:
    """Prints the number of accepted changes by place: `pytest -m slow -s tests/checker`."""
    rng, found, names = random.Random(2), Counter[tuple[str, str]](), sorted(small())
    for _ in range(20_000):
        name = rng.choice(names)
        if (place := accepted_at(name, rng)) is not None:
            found[name, place] += 1
    print(f"\n20,000 changes, {found.total()} accepted:")
    for (name, place), times in found.most_common():
        print(f"  {times:>5}  {place} of {name}")


@pytest.mark.slow
@pytest.mark.parametrize("name", small())
def test_every_number_changed_by_one_is_rejected(name: str) -> None:
    value, leaves = parsed(small()[name])
    for way in leaves:
        old = at(value, way)
        for new in (old + 1, old - 1) if isinstance(old, int) else ():
            data = resealed(changed(value, way, new))
            if verdict(data) == "accepted":
                assert place_of(way) in MEANINGLESS
                assert replayed(data) == data
