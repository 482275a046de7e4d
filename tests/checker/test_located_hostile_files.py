"""Malicious files of located runs are refused quickly and never crash the checker."""

from __future__ import annotations

import base64
import json
import tracemalloc
from functools import partial
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker import reading
from proofs_checks.checker.judging import judged
from proofs_checks.checker.located import Following, read
from proofs_checks.checker.planning import Labels, Model, covering_cycle
from proofs_checks.checker.reading import Malformed, Work, opened
from steel_verified.worlds.catalogue import instance
from tests.worlds.kept_runs import certified

from ..certificates.content import as_json
from ..certificates.make import attacked
from .located_material import broken_rules, finite, small, verdict
from .material import resealed

if TYPE_CHECKING:
    from collections.abc import Callable

MB = 1 << 20
SECONDS = 6
"""Seconds allowed for a file of up to 1 MB. Checking takes at most about two seconds."""


def on_lock(change: str) -> bytes:
    return attacked(small()["lock"], f"from base64 import b64decode, b64encode\n{change}")


@given(cut=st.integers(0, 10**6), length=st.integers(0, 30), patch=st.binary(max_size=12))
def test_mutated_bytes_never_crash_the_checker(cut: int, length: int, patch: bytes) -> None:
    data = small()["lock"]
    cut %= len(data)
    changed = data[:cut] + patch + data[cut + length :]
    assert changed == data or verdict(changed) in ("malformed", "rejected")


MALFORMED = {
    "no base 64": "r[1]['rows'] = '*' + r[1]['rows'][1:]",
    "base 64 of another alphabet": "r[1]['rows'] = '-_' + r[1]['rows'][2:]",
    "base 64 that is cut": "r[1]['rows'] = r[1]['rows'][:-1]",
    "base 64 with a line break": "r[1]['rows'] = r[1]['rows'][:4] + '\\n' + r[1]['rows'][4:]",
    "base 64 that ends twice": "r[4]['rows'] += '===='",
    "base 64 of full width": "r[4]['rows'] = '\\uff21' + r[4]['rows'][1:]",
    "rows of numbers": "r[4]['rows'] = [0, 0, 0, 0]",
    "row of another length": "r[4]['rows'] = b64encode(bytes(5)).decode()",
    "one row too many": "r[4]['rows'] = b64encode(bytes(8)).decode()",
    "no rows": "r[4]['rows'] = ''",
    "padding bits set": "r[4]['rows'] = b64encode(b'\\0\\0\\0\\xc0').decode()",
    "width of none": "c['class']['width'] = 0",
    "width above all": "c['class']['width'] = 10**99",
    "class unknown": "c['class']['name'] = 'guesses'",
    "entries unknown": "c['class']['entries'] = 'qubits'",
    "classifier out of range": "c['classifiers'][0] = 30",
    "classifier of the round out of range": "r[-500]['classifiers'] = [10**99]",
    "classifier that is negative": "c['classifiers'][0] = -1",
    "classifier that is true": "c['classifiers'][0] = True",
    "δ of 0": "c['parameters']['delta'] = '0'",
    "ε of 1": "c['parameters']['epsilon'] = '1'",
    "ε too fine": "c['parameters']['epsilon'] = '1/' + '9' * 101",
    "no states": "c['parameters']['max_states'] = 0",
    "no mixing time": "c['parameters']['mixing_time'] = 0",
    "entry of a looped run": "r[2] = {'kind': 'period', 'number': 0}",
    "record that is no list": "c['record'] = {}",
    "entry that is no object": "r[0] = 'ran'",
    "a key more": "r[0]['because'] = 1",
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_damaged_files_are_malformed(kind: str) -> None:
    change = MALFORMED[kind].replace("r[-500]", "next(e for e in r if e['kind'] == 'fixed')")
    assert verdict(on_lock(change)) == "malformed"


@pytest.mark.parametrize("kept", [0, 1, 2, 3, 4, 50, 200, -1])
def test_records_that_end_early(kept: int) -> None:
    assert broken_rules(on_lock(f"del r[{kept}:]")) == {"order"}


def test_a_table_that_is_empty_or_partial() -> None:
    assert broken_rules(on_lock("c['table'] = []")) == {"table"}
    assert broken_rules(on_lock("c['table'][0][0] = -1")) == {"table"}
    assert broken_rules(on_lock("c['table'] = [[]] * 4")) == {"table"}


# --- too much to compute --------------------------------------------------------------------------


@pytest.mark.parametrize("value", [10**99, 10**18, 10**7, 20_000])
@pytest.mark.parametrize("name", ["actions", "max_states", "mixing_time"])
def test_absurd_parameters_are_checked_quickly(name: str, value: int) -> None:
    began = process_time()
    assert verdict(on_lock(f"c['parameters']['{name}'] = {value}")) == "rejected"
    assert process_time() - began < 1


@pytest.mark.parametrize("name", ["delta", "epsilon"])
def test_tiny_delta_and_epsilon_are_checked_quickly(name: str) -> None:
    began = process_time()
    change = f"c['parameters']['{name}'] = '1/1' + '0' * 100"
    assert broken_rules(on_lock(change)) == {"passes"}
    assert process_time() - began < 1


def written_by_hand(
    record: list[dict[str, object]], width: int, padding: int = 0, **parameters: int
) -> bytes:
    """Return a file with this record and this many bytes of padding."""
    value = json.loads(as_json(small()["two states"]))
    value["record"], value["assumptions"] = record, ["x" * padding]
    value["parameters"] |= parameters
    value["class"]["width"] = width
    return resealed({**value, "classifiers": [0]})


def ran(steps: int) -> dict[str, object]:
    return {"kind": "ran", "word": [0], "start": 0, "done": 0, "steps": steps}


def ring(states: int, width: int) -> bytes:
    """Return the first loop on a ring of many states, each with its own bit."""
    size = -(-width // 8)
    rows = b"".join((1 << k % states).to_bytes(size, "little") for k in range(2 * states))
    return written_by_hand(
        [
            ran(2 * states),
            {
                "kind": "read",
                "first": 0,
                "times": [*range(1, 2 * states + 1)],
                "rows": base64.b64encode(rows).decode(),
            },
            {"kind": "periods", "count": 2 * states, "left": [1, states]},
        ],
        width,
        max_states=states,
    )


HOSTILE: dict[str, Callable[[], bytes]] = {
    "a loop of as many words as the file has bytes": lambda: written_by_hand(
        [ran(900_000), {"kind": "seen", "first": 0, "times": [], "rows": ""}],
        8,
        padding=MB - 1000,
        max_states=450_000,
    ),
    "a large ring": partial(ring, 1500, 1500),
    "a smaller ring with wide rows": partial(ring, 120, 24_000),
    "a few very wide rows": partial(ring, 3, 1 << 20),
    "many entries of one kind": lambda: on_lock(
        "r[:] = r[:3] + [dict(kind='same', one=0, other=1)] * 25_000"
    ),
    "many short plans": lambda: on_lock("r[:] = r[:3] + [r[3], r[4]] * 7_000"),
    "the same pass again and again": lambda: on_lock("r[:] = r[:-3] + r[-3:] * 4_000"),
    "a walk as long as the file": lambda: on_lock(
        "c['parameters']['mixing_time'] = 900_000; c['assumptions'] = ['x' * 1_000_000]"
    ),
    "many times": lambda: on_lock("r[1]['times'] = [1] * 400_000"),
    "many rows": lambda: on_lock(
        "r[1]['times'] = [1] * 140_000; r[1]['rows'] = b64encode(bytes(560_000)).decode()"
    ),
    "many visits": lambda: on_lock(
        "next(e for e in r if e['kind'] == 'fixed')['visits'] = [1] * 400_000"
    ),
    "many passes": lambda: on_lock("next(e for e in r if e['kind'] == 'fixed')['passes'] = 10**99"),
    "a long charge": lambda: on_lock(
        "next(e for e in r if e['kind'] == 'fixed')['charge'] = f'{3**4000}/{2**6000}'"
    ),
    "a large table": lambda: on_lock("c['table'] = [[0]] * 250_000"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_quickly(kind: str) -> None:
    data = HOSTILE[kind]()
    assert len(data) <= 2 * MB
    began = process_time()
    assert verdict(data) in ("malformed", "rejected")
    assert process_time() - began < SECONDS


def test_long_loop_without_rows_needs_little_memory() -> None:
    data = HOSTILE["a loop of as many words as the file has bytes"]()
    certificate = read(data)
    tracemalloc.start()
    assert {f.place for f in judged(data).findings} == {"record[1].times"}
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 * certificate.stated.size


def test_reachable_labels_need_little_memory() -> None:
    """A ring that leads into another ring, so no label reaches all labels that reach it."""
    labels = Labels(1, Work(10**6))
    for label in range(400):
        labels.add()
        labels.rows[label][0] = label + 1 if label < 399 else 200
    tracemalloc.start()
    assert labels.kept(0) == [*range(200, 400)]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10**6


def test_the_steps_of_a_walk_are_counted() -> None:
    model = Model(1)
    for state in range(2):
        model.add_state()
        model.add(state, 0, 1 - state)
    work = Work(10**6)
    assert covering_cycle(model, 0, 10**5, 10**6, work) == (0,) * 10**5
    assert work.done >= 10**5 - 2
    with pytest.raises(Malformed, match="too costly"):
        covering_cycle(model, 0, 10**5, 10**6, Work(1000))


@pytest.mark.parametrize("depth", [*range(960, 1000), 10**5])
def test_deep_nesting_is_malformed(depth: int) -> None:
    """Nesting that Python can parse but not serialise is malformed."""
    value = b"[" * depth + b"]" * depth
    data = b'{"a":%b,"digest":"","format":"steel-certificate","version":2}\n' % value
    try:
        found = str(opened(data).digest)
    except Malformed as malformed:
        found = str(malformed)
    assert found == "" or "recursion" in found


def work_for_each_byte(data: bytes) -> float:
    certificate = read(data)
    run = Following(certificate, finite(certificate))
    run.follow()
    return run.work.done / len(data)


def test_real_certificates_stay_below_the_limit() -> None:
    """The cost grows with rows × labels, so the runs with most states cost most."""
    for data in small().values():
        assert work_for_each_byte(data) < 1
    largest = certified("located", instance("double-prime", 0, p=41, q=43))
    assert 5 < work_for_each_byte(largest) < reading.STEPS_PER_BYTE / 2


def test_too_much_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "STEPS_PER_BYTE", 0)
    with pytest.raises(Malformed, match="too costly"):
        judged(small()["lock"])
