"""Files that mean harm are refused quickly, and never crash the checker."""

from __future__ import annotations

import json
from time import perf_counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.checker.__main__ import main

from .material import lock, resealed, verdict

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.properties
@given(data=st.binary(max_size=300))
def test_random_bytes_are_malformed(data: bytes) -> None:
    assert verdict(data) == "malformed"


@pytest.mark.properties
@settings(max_examples=3 * settings().max_examples)
@given(cut=st.integers(0, 10**6), length=st.integers(0, 30), patch=st.binary(max_size=12))
def test_mutated_bytes_never_crash_it(cut: int, length: int, patch: bytes) -> None:
    data = lock()
    cut %= len(data)
    began = perf_counter()
    assert verdict(data[:cut] + patch + data[cut + length :]) in (
        "malformed",
        "rejected",
        "accepted",
    )
    assert perf_counter() - began < 5


HOSTILE = {
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "long number": b'{"steps":' + b"9" * 5000 + b"}",
    "not utf-8": b"\xff\xfe",
    "empty": b"",
    "a list": b"[]",
    "null": b"null",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_quickly(kind: str) -> None:
    began = perf_counter()
    assert verdict(HOSTILE[kind]) == "malformed"
    assert perf_counter() - began < 2


@pytest.mark.parametrize("version", [b"1.0", b"NaN", b'1,"version":1'])
def test_odd_versions_are_refused(version: bytes) -> None:
    """A float, no number at all, and a key that is there twice."""
    data = lock()
    assert verdict(data.replace(b'"version":1', b'"version":' + version)) == "malformed"
    assert verdict(data.replace(b'"version":1', b'"version":1')) == "accepted"


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as out:
        out.truncate(65 << 20)
    began = perf_counter()
    assert main([str(file)]) == 3
    assert perf_counter() - began < 1


@pytest.mark.parametrize(
    "name", ["max_states", "max_diameter", "mixing_time", "class_size", "actions"]
)
def test_absurd_parameters_cost_nothing(name: str) -> None:
    value = json.loads(lock())
    value["parameters"][name] = 10**99
    began = perf_counter()
    assert verdict(resealed(value)) in ("rejected", "malformed")
    assert perf_counter() - began < 5


def test_too_much_work_is_refused() -> None:
    """A period that was tested ten million times: legal to write down, not worth checking."""
    value = json.loads(lock())
    value["parameters"]["max_states"] = 10**7
    value["calls"][0]["period_verdicts"] = "0" * (10**7 - 1)
    value["calls"][0]["period"] = 1
    value["calls"][0]["positions"] = value["calls"][0]["positions"][:1]
    assert verdict(resealed(value)) == "malformed"
