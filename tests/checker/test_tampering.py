"""Single changes to a certificate are rejected, or are harmless."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction

import pytest

from proofs_checks.checker.looped import RULES, Progress, _model, _run, _totals, check, read
from proofs_checks.checker.planning import Model
from steel_verified.worlds.dynamics import Dynamics

from ..certificates import content
from ..certificates.content import Value, as_json
from ..certificates.make import ATTACKS, attacked
from .material import ideal, lock, resealed, small, verdict

FOR_PEOPLE = ("provenance", "assumptions")
"""Provenance and assumptions. No rule reads them, and the checker prints its own assumptions, so
random changes skip them."""

MEANINGLESS = {
    "classifiers": "which of several classifiers the oracle chose follows from observations, which "
    "are not in the file; they must be different, and in the class",
    "parameters.max_diameter": "a bound that asks for exactly the same run is as good",
    "parameters.delta": "a bound that asks for exactly the same run, and covers it, is as good",
    "parameters.epsilon": "without an encoder it asks for nothing; with one, a bound that asks for "
    "exactly the same run is as good",
}
"""Where a change may be accepted, and why it does no harm."""

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


def tampered(rng: random.Random, names: list[str]) -> tuple[str, str, bytes]:
    """A certificate, the place of a random change, and the certificate with that change.

    The digest is made to match. Half of the changes are to numbers and texts, wherever they are;
    the others to a part at a random depth, so that short lists and objects are changed as often as
    the many datasets.
    """
    name = rng.choice(names)
    value: Value = json.loads(as_json(small()[name]))
    if rng.random() < 0.5:
        way = rng.choice([w for w in nodes(value) if not isinstance(at(value, w), dict | list)])
    else:
        way = ()
        while isinstance(part := at(value, way), dict | list) and part and rng.random() < 0.85:
            keys: list[str | int] = sorted(part) if isinstance(part, dict) else [*range(len(part))]
            way = (*way, rng.choice(keys))
    if place_of(way).startswith(("digest", *FOR_PEOPLE)):
        return tampered(rng, names)
    new = changed(value, way, another(at(value, way), rng))
    return name, place_of(way), resealed(new if isinstance(new, dict) else {"not": "an object"})


def accepted_changes(number: int, seed: int) -> Counter[str]:
    """Count the accepted random changes by place."""
    rng, found = random.Random(seed), Counter[str]()
    for _ in range(number):
        name, place, data = tampered(rng, sorted(small()))
        if verdict(data) == "accepted" and data != small()[name]:
            found[place] += 1
    return found


def assert_meaningless(places: Counter[str]) -> None:
    seen = {place: n for place, n in places.items() if not place.startswith(tuple(MEANINGLESS))}
    assert seen == {}


def test_random_single_change_is_rejected() -> None:
    assert_meaningless(accepted_changes(600, seed=1))


@pytest.mark.slow
def test_many_random_changes_are_rejected() -> None:
    """Prints the number of accepted changes by place: `pytest -m slow -s tests/checker`."""
    found = accepted_changes(20_000, seed=2)
    print(f"\n20,000 changes, {found.total()} accepted: {dict(found.most_common())}")
    assert_meaningless(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", small())
def test_every_number_changed_by_one_is_rejected(name: str) -> None:
    value: Value = json.loads(as_json(small()[name]))
    found = Counter[str]()
    for way in nodes(value):
        old = at(value, way)
        if isinstance(old, int) and not place_of(way).startswith(FOR_PEOPLE):
            for new in (old + 1, old - 1):
                found[place_of(way)] += verdict(resealed(changed(value, way, new))) == "accepted"
    assert_meaningless(+found)


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


def test_changed_file_with_old_digest_is_rejected() -> None:
    value = json.loads(as_json(lock()))
    value["provenance"]["world"] = "another"
    (finding,) = check(read(content.written(value, value["digest"])))
    assert finding.rule == "digest"


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


def test_every_rule_has_an_attack() -> None:
    """Except for rules with separate tests: here, and for bounds and changing worlds."""
    apart = {"digest", "bounds", "tracking"}
    assert {rule for rule, _ in ATTACKS.values()} | apart == set(RULES)
