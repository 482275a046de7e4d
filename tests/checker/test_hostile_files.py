"""Malicious files are refused quickly and never crash the checker."""

from __future__ import annotations

import json
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.checker import formulas, reading
from proofs_checks.checker.__main__ import main
from proofs_checks.checker.looped import Progress, check, read
from proofs_checks.checker.reading import Malformed, Work
from steel_verified.worlds.dynamics import Dynamics

from ..certificates.content import as_json
from ..certificates.make import attacked
from .material import broken_rules, ideal, lock, resealed, small, verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def on_lock(change: str) -> bytes:
    return attacked(lock(), change)


MB = 1 << 20
SECONDS = 6
"""Seconds allowed per MB. Checking takes about one second; the machine may be busy."""
PART = pytest.mark.parametrize("part", [4, pytest.param(1, marks=pytest.mark.slow)])
"""Fast tests use files of a quarter of a MB, and a quarter of the time."""


@given(data=st.binary(max_size=300))
def test_random_bytes_are_malformed(data: bytes) -> None:
    assert verdict(data) == "malformed"


@settings(max_examples=3 * settings().max_examples)
@given(cut=st.integers(0, 10**6), length=st.integers(0, 30), patch=st.binary(max_size=12))
def test_mutated_bytes_never_crash_the_checker(cut: int, length: int, patch: bytes) -> None:
    data = lock()
    cut %= len(data)
    changed = data[:cut] + patch + data[cut + length :]
    assert changed == data or verdict(changed) in ("malformed", "rejected")


BYTES: dict[str, Callable[[int], bytes]] = {
    "deep": lambda size: b"[" * size,
    "deep objects": lambda size: b'{"a":' * (size // 5),
    "long number": lambda size: b'{"steps":' + b"9" * size + b"}",
    "long text": lambda size: b'"' + b"a" * (size - 2) + b'"',
    "not ascii": lambda _: b"\xff\xfe",
    "empty": lambda _: b"",
    "a list": lambda _: b"[]",
    "many lists": lambda size: b"[" + b"[]," * (size // 3) + b"[]]",
    "null": lambda _: b"null",
    "many keys": lambda size: json.dumps({f"{i}": i for i in range(size // 16)}).encode(),
}

# Attacks on the record `r` of the certificate `c`, for a file of about 1 MB / `part`.
RECORDS = {
    "many short datasets": "r[1]['samples'] = [[0, []]] * (170_000 // part)",
    "many datasets": "r[1]['samples'] = [[0, [[0]]]] * (100_000 // part)",
    "many pieces": "r[1]['samples'] = [[0, [[0]] * 1000]] * (250 // part)",
    "deep progressions": "r[1]['samples'] = [[1, [[0] + [9] * 1000]]] * (500 // part)",
    "huge progressions": "r[1]['samples'] = [[1, [[0] + [10**99] * 400]]] * (25 // part)",
    "huge progressions of the right number": "for s in r[1]['samples']: s[1][0][:] = [10**99] * 9",
    "too many levels": "r[1]['samples'][0][1][0] += [9] * 6",
    "many entries": "r[:] = [r[0]] * (18_000 // part)",
    "long fractions": "r[5]['charge'] = f'{3**4000}/{2**6000}'; r[:] = [r[5]] * (250 // part)",
    "large table": "c['table'] = [[0]] * (250_000 // part)",
    "many classifiers": "c['classifiers'] = [1] * (500_000 // part)",
    "long word": "r[12]['word'] = [0] * (500_000 // part)",
    "long verdicts": "r[5]['positions'][0][1] = '1' * (1_000_000 // part)",
    "many positions": "r[5]['positions'] = [[26, '', 0]] * (100_000 // part)",
    "many period tests": "r[2]['tests'] = [[14, 0, 1, 1]] * (85_000 // part)",
}


def hostile(kind: str, part: int) -> bytes:
    """Return a file of about 1 MB / `part`."""
    if kind in BYTES:
        return BYTES[kind](MB // part)
    return on_lock(f"part = {part}\n{RECORDS[kind]}")


@PART
@pytest.mark.parametrize("kind", [*BYTES, *RECORDS])
def test_hostile_files_are_refused_quickly(kind: str, part: int) -> None:
    data = hostile(kind, part)
    assert part * len(data) <= 2 * MB
    began = process_time()
    assert verdict(data) in ("malformed", "rejected")
    assert process_time() - began < SECONDS / part


def ring(states: int) -> Dynamics:
    return Dynamics(tuple(((state + 1) % states,) for state in range(states)))


def turns(states: int, actions: int) -> Dynamics:
    """One action moves on, the others stay, so every call adds few transitions."""
    return Dynamics(
        tuple(
            tuple((state + 1) % states if a == 0 else state for a in range(actions))
            for state in range(states)
        )
    )


COSTLY = {
    "many states": lambda: ideal(ring(400), mixing_time=1),
    "many calls": lambda: ideal(turns(2, 200), mixing_time=1),
    "many calls and states": lambda: ideal(turns(12, 30), mixing_time=1),
    "a tiny δ": lambda: small()["no tour"],
}


@pytest.mark.parametrize("kind", COSTLY)
def test_certificates_that_are_costly_to_check(kind: str) -> None:
    """Such certificates are accepted within the allowed seconds per MB."""
    data = COSTLY[kind]()
    began = process_time()
    assert verdict(data) == "accepted"
    assert process_time() - began < max(SECONDS * len(data) / MB, 0.5)


def test_real_certificates_stay_far_below_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real certificates need at most 1/20 of the allowed steps."""
    monkeypatch.setattr(reading, "STEPS_PER_BYTE", 1)
    for data in small().values():
        assert verdict(data) == "accepted"


def test_too_much_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ideal(ring(60), mixing_time=1)
    monkeypatch.setattr(reading, "STEPS_PER_BYTE", 0)
    with pytest.raises(Malformed, match="too costly"):
        check(read(data))


def test_the_limit_on_work_is_in_proportion_to_the_file() -> None:
    certificate = read(lock())
    assert Progress(certificate).work.size == len(lock())
    work = Work(10)
    work.add(400)
    with pytest.raises(Malformed, match="more than 40 steps"):
        work.add(1)


@pytest.mark.parametrize("version", [b"3.0", b"NaN", b'3,"version":3', b"true", b'"3"', b"03"])
def test_odd_versions_are_refused(version: bytes) -> None:
    """A float, a non-number, a duplicate key, and values that Python considers equal to 3."""
    data = lock()
    assert verdict(data.replace(b'"version":3', b'"version":' + version)) == "malformed"
    assert verdict(data.replace(b'"version":3', b'"version":3')) == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "１/20",
        "1／20",
        "1/２0",
        "٣",
        " 1/20",
        "1/20 ",
        "+1/20",
        "1_0/200",
        "1/020",
        "2/40",
        "0.05",
        "",
    ],
)
def test_only_plain_fractions_are_read(text: str) -> None:
    """Python's `Fraction` and `int` accept digits of all alphabets, spaces and underscores."""
    for name in ("delta", "epsilon"):
        value = json.loads(as_json(lock()))
        value["parameters"][name] = text
        assert verdict(resealed(value)) == "malformed"


@pytest.mark.parametrize("number", ["True", "False", "None", "'1'", "-2", "[1]", "{}"])
@pytest.mark.parametrize(
    "place",
    [
        "c['steps']",
        "r[0]['done']",
        "r[0]['word'][0]",
        "r[4]['samples'][0][0]",
        "r[4]['samples'][0][1][0][0]",
        "r[11]['known'][0]",
        "r[5]['positions'][0][2]",
        "c['table'][0][0]",
        "c['classifiers'][0]",
        "c['parameters']['actions']",
        "c['provenance']['env_seed']",
    ],
)
def test_only_whole_numbers_are_read(place: str, number: str) -> None:
    assert verdict(on_lock(f"{place} = {number}")) == "malformed"


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as out:
        out.truncate((16 << 20) + 1)
    began = process_time()
    assert main([str(file)]) == 3
    assert process_time() - began < 1


@pytest.mark.parametrize(
    "name", ["max_states", "max_diameter", "mixing_time", "class_size", "actions"]
)
def test_absurd_parameters_are_checked_quickly(name: str) -> None:
    value = json.loads(as_json(lock()))
    value["parameters"][name] = 10**99
    began = process_time()
    assert verdict(resealed(value)) in ("rejected", "malformed")
    assert process_time() - began < 5


def test_bound_of_10_to_the_90_states_does_not_crash_the_checker() -> None:
    """The first plan is right for 10⁹⁰ states, but `len` of such a range of hypotheses fails."""
    value = json.loads(as_json(on_lock("c['parameters']['max_states'] = 10**90")))
    setting = formulas.setting_of(read(resealed(value)).parameters)
    value["record"][0]["steps"] = formulas.initial_steps(setting, 1)
    assert broken_rules(resealed(value)) == {"times"}
