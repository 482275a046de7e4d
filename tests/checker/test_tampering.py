"""Single changes to a certificate are rejected, or harmless: then another possible run."""

from __future__ import annotations

import base64
import json
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from proofs_checks.checker.looped import Progress, _model, _run, _totals, check, read
from proofs_checks.checker.planning import Model
from steel_verified.worlds.dynamics import Dynamics

from ..certificates.attacks import attacked
from ..certificates.content import Value, as_json, unpacked
from .material import (
    broken_rules,
    ideal,
    located_runs,
    lock,
    looped_runs,
    replayed,
    resealed,
    verdict,
)

ACCEPTED = Path(__file__).parents[1] / "certificates" / "accepted"
FOR_PEOPLE = ("provenance", "assumptions", "digest")
"""No rule reads provenance and assumptions, and the checker prints its own assumptions, so random
changes skip them."""

LOOPED_MEANINGLESS = {
    "classifiers": "which of several classifiers the oracle chose follows from observations, which "
    "are not in the file; they must be different, and in the class",
    "parameters.max_diameter": "a bound that asks for exactly the same run is as good",
    "parameters.delta": "a bound that asks for exactly the same run, and covers it, is as good",
    "parameters.epsilon": "without an encoder it asks for nothing; with one, a bound that asks for "
    "exactly the same run is as good",
}
"""Where a change to a looped run may be accepted, and why it does no harm."""

LOCATED_MEANINGLESS = {
    "record.rows": "a bit of a row that no decision reads: the world could have shown it, and the "
    "learner would have done the same",
    "parameters.mixing_time": "a bound for which the same walk and as many passes are due",
    "parameters.epsilon": "an error for which as many passes are due",
    "class.width": "classifiers more or fewer that are 0 on every row are never chosen",
}
"""Where a change to a located run may be accepted, and why it does no harm.

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

Way = tuple[str | int, ...]


def nodes(value: Value, way: Way = ()) -> list[Way]:
    """Return the paths to all parts of a certificate: numbers, strings, lists and objects."""
    found = [way]
    if isinstance(value, dict):
        found += [w for key, part in value.items() for w in nodes(part, (*way, key))]
    elif isinstance(value, list):
        found += [w for i, part in enumerate(value) for w in nodes(part, (*way, i))]
    return found


def at(value: Value, way: Way) -> Value:
    for step in way:
        value = value[step]  # type: ignore[index]  # the way fits
    return value


def changed(value: Value, way: Way, to: Value) -> Value:
    if not way:
        return to
    copy = dict(value) if isinstance(value, dict) else list(value)  # type: ignore[arg-type]  # one of both
    copy[way[0]] = changed(copy[way[0]], way[1:], to)  # type: ignore[index]  # the way fits
    return copy


def place_of(way: Way) -> str:
    return ".".join(str(step) for step in way if isinstance(step, str))


def another(old: Value, rng: random.Random) -> Value:
    """Return another value of the same kind."""
    new: Value = old
    others: list[Value] = [0, 1, "", [0]]
    while new == old:
        match old:
            case bool() | None:
                new = rng.choice(others)
            case int():
                small_change = old + rng.choice([-1, 1, 2, -2, 7, 40])
                new = rng.choice(
                    [small_change, 2 * old, old // 2, 0, 1, rng.randrange(10**6), 10**99]
                )
            case str() if old and not old.strip("01"):
                i = rng.randrange(len(old))
                flipped = old[:i] + str(1 - int(old[i])) + old[i + 1 :]
                new = rng.choice([flipped, old[:-1], old + "0", old + "1", old[::-1]])
            case str():
                new = rng.choice([old + "1", "9" + old, "0", "1/7", "1/1000000", "01", old[:-1]])
            case list():
                new = _another_list(old, rng)
            case dict():
                key = rng.choice(sorted(old))
                new = {k: v for k, v in old.items() if k != key}
                new |= {rng.choice([*sorted(old), "other"]): old[key]}
    return new


def _another_list(old: list[Value], rng: random.Random) -> Value:
    """Return the list with an item dropped, doubled, moved, or copied from elsewhere."""
    if not old:
        return [rng.choice([0, [], "0"])]
    i, j = rng.randrange(len(old)), rng.randrange(len(old))
    new = list(old)
    match rng.randrange(5):
        case 0:
            del new[i]
        case 1:
            new.insert(j, old[i])
        case 2:
            new[i], new[j] = new[j], new[i]
        case 3:
            new[i] = old[j]
        case _:
            new = new[:i]
    return new


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


@cache
def parsed(data: bytes) -> tuple[Value, tuple[Way, ...]]:
    """Return a certificate and the paths to its numbers and texts."""
    value: Value = json.loads(as_json(data))
    ways = (way for way in nodes(value) if not isinstance(at(value, way), dict | list))
    return value, tuple(way for way in ways if not place_of(way).startswith(FOR_PEOPLE))


PARTS = ("record", "record", "record", "parameters", "class", "table", "classifiers", "current")


def tampered(rng: random.Random, data: bytes) -> tuple[str, bytes]:
    """The place of a random change, and the certificate with it; the digest is made to match.

    Half of the changes are to numbers and texts, wherever they are; the others to a part at a
    random depth, so that short lists and objects are changed as often as the many entries.
    """
    value, leaves = parsed(data)
    assert isinstance(value, dict)
    way: Way = rng.choice(leaves)
    if rng.random() < 0.5:
        way = (rng.choice([key for key in PARTS if key in value]),) if rng.random() < 0.95 else ()
        while isinstance(part := at(value, way), dict | list) and part and rng.random() < 0.8:
            keys: list[str | int] = sorted(part) if isinstance(part, dict) else [*range(len(part))]
            way = (*way, rng.choice(keys))
    if place_of(way).startswith(FOR_PEOPLE):
        return tampered(rng, data)
    new = changed(value, way, another_part(at(value, way), way, rng))
    return place_of(way), resealed(new if isinstance(new, dict) else {"not": "an object"})


def is_accepted(method: str, name: str, place: str, data: bytes) -> bool:
    """Return whether a change is accepted: only if it is meaningless, for the stated reason."""
    if data == RUNS[method]()[name] or verdict(data) != "accepted":
        return False
    if method == "looped":
        assert place.startswith(tuple(LOOPED_MEANINGLESS)), f"{name}: a change to {place}"
    else:
        assert place in LOCATED_MEANINGLESS, f"{name}: a change to {place} was accepted"
        assert replayed(data) == unpacked(data), f"{name}: a change to {place} is not another run"
    return True


RUNS = {"looped": looped_runs, "located": located_runs}


@pytest.mark.parametrize("method", RUNS)
@pytest.mark.parametrize("number", [500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_single_change_is_rejected(method: str, number: int) -> None:
    """Prints the number of accepted changes by place: `pytest -m slow -s tests/checker`."""
    rng, found = random.Random(number), Counter[str]()
    for _ in range(number):
        name = rng.choice(sorted(RUNS[method]()))
        place, data = tampered(rng, RUNS[method]()[name])
        found[place] += is_accepted(method, name, place, data)
    print(f"\n{number} changes, {found.total()} accepted: {dict((+found).most_common())}")
    if method == "located":
        assert found["record.rows"], "some changes are meaningless, so replaying is at work too"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "name"), [(method, name) for method in RUNS for name in RUNS[method]()]
)
def test_every_number_changed_by_one_is_rejected(method: str, name: str) -> None:
    value, leaves = parsed(RUNS[method]()[name])
    for way in leaves:
        old = at(value, way)
        for new in (old + 1, old - 1) if isinstance(old, int) else ():
            is_accepted(method, name, place_of(way), resealed(changed(value, way, new)))


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
    assert place in LOCATED_MEANINGLESS
    data = attacked(located_runs()[name], f"{FLIP}\n{change}")
    assert data != located_runs()[name]
    assert verdict(data) == "accepted"
    assert replayed(data) == unpacked(data)


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
    data = attacked(located_runs()[name], f"{FLIP}\n{change}")
    assert broken_rules(data) == {rule}
    assert replayed(data) != unpacked(data)


@pytest.mark.parametrize("file", sorted(ACCEPTED.iterdir()), ids=lambda file: file.stem)
@pytest.mark.parametrize(
    ("name", "rule"),
    [("finite", "announced"), ("finite", "widest margin"), ("conjunctions", "announced")],
)
def test_a_class_with_another_name_or_rule_is_not_accepted(
    file: Path, name: str, rule: str
) -> None:
    data = file.read_bytes()
    if json.loads(as_json(data))["class"] is not None:
        data = attacked(data, f"c['class'] |= {{'name': {name!r}, 'rule': {rule!r}}}")
        assert verdict(data) != "accepted"


@pytest.mark.parametrize(
    "change",
    [
        "c['assumptions'] = []",
        "c['provenance']['world'] = 'another'",
        "c['provenance']['noise_seed'] += 1",
        "c['provenance']['versions'] = {}",
    ],
)
def test_changed_assumptions_and_provenance_are_accepted(change: str) -> None:
    assert verdict(attacked(lock(), change)) == "accepted"


def test_charges_above_delta_are_rejected() -> None:
    """Terms directly: if all other rules hold, the formulas keep the charges below δ."""
    run = Progress(read(lock()))
    for rules in _run(run):
        assert list(rules) == []
    run.spent = run.certificate.parameters.delta + Fraction(1, 10**9)
    messages = [finding.message for finding in _totals(run) if finding.rule == "budget"]
    assert any("is more than δ = 1/20" in message for message in messages)


def test_tour_sample_too_early_is_rejected() -> None:
    """One state, one action: the tour follows the only call, which ends with its last row."""
    data = ideal(Dynamics(((0,),)), mixing_time=9)
    assert verdict(data) == "accepted"
    early = attacked(data, "r[-2]['samples'][0][1][0][0] = 3")
    messages = [finding.message for finding in check(read(early))]
    assert "gap 4 < 9 from phase 1" in messages


def test_table_that_is_not_strongly_connected_is_rejected() -> None:
    """Terms directly: if all other rules hold, every transition lies on a cycle."""
    run = Progress(read(lock()))
    run.model = Model(2)
    for state in range(4):
        run.model.add_state()
        run.model.add(state, 0, state)
        run.model.add(state, 1, state)
    assert any("not strongly connected" in finding.message for finding in _model(run))
