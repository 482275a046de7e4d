"""Malicious files are refused quickly and never crash the checker."""

from __future__ import annotations

import base64
import json
import tracemalloc
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.checker import formulas, reading, version2
from proofs_checks.checker.__main__ import main
from proofs_checks.checker.judging import judged
from proofs_checks.checker.located import Following
from proofs_checks.checker.located_record import read
from proofs_checks.checker.looped import Progress
from proofs_checks.checker.looped import read as read_looped
from proofs_checks.checker.planning import Labels, Model, covering_cycle
from proofs_checks.checker.reading import Malformed, Work, canonical, opened
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics

from ..certificates.attacks import attacked
from ..certificates.content import as_json, unpacked
from ..certificates.located import FAILED
from ..guards.checker.mutations import sealed as sealed_version_2
from ..guards.checker.verdicts import corpus
from ..worlds.kept_runs import certified
from .material import (
    broken_rules,
    finite,
    ideal,
    located_runs,
    lock,
    looped_runs,
    resealed,
    sealed,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def on_lock(change: str) -> bytes:
    return attacked(lock(), change)


MB = 1 << 20
SECONDS = 6
"""Seconds allowed per MB. Checking takes about one second; the machine may be busy."""


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


def one_ring(states: int) -> Dynamics:
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
    "many states": lambda: ideal(one_ring(400), mixing_time=1),
    "many calls": lambda: ideal(turns(2, 200), mixing_time=1),
    "many calls and states": lambda: ideal(turns(12, 30), mixing_time=1),
    "a tiny δ": lambda: looped_runs()["no tour"],
}


@pytest.mark.parametrize("kind", COSTLY)
def test_certificates_that_are_costly_to_check(kind: str) -> None:
    """Such certificates are accepted within the allowed seconds per MB."""
    data = COSTLY[kind]()
    began = process_time()
    assert verdict(data) == "accepted"
    assert process_time() - began < max(SECONDS * len(data) / MB, 0.5)


def test_the_limit_on_work_is_in_proportion_to_the_file() -> None:
    certificate = read_looped(lock())
    limit = reading.LEAST_STEPS + reading.STEPS_PER_BYTE * len(lock())
    assert Progress(certificate).work.limit == limit
    work = Work(400)
    work.add(400)
    with pytest.raises(Malformed, match="more than 400 steps"):
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
        out.truncate((1 << 30) + 1)
    began = process_time()
    assert main([str(file)]) == 3
    assert process_time() - began < 1


def on_located_lock(change: str) -> bytes:
    return attacked(located_runs()["lock"], f"from base64 import b64decode, b64encode\n{change}")


MALFORMED = {
    "no base 64": "r[1]['rows'] = '*' + r[1]['rows'][1:]",
    "base 64 of another alphabet": "r[1]['rows'] = '-_' + r[1]['rows'][2:]",
    "base 64 that is cut": "r[1]['rows'] = r[1]['rows'][:-1]",
    "base 64 with a line break": "r[1]['rows'] = r[1]['rows'][:4] + '\\n' + r[1]['rows'][4:]",
    "base 64 that ends twice": "r[4]['rows'] += '===='",
    "base 64 of full width": "r[4]['rows'] = '\\uff21' + r[4]['rows'][1:]",
    "rows of numbers": "r[4]['rows'] = [0, 0, 0, 0]",
    "row of another length": "r[4]['rows'] = b64encode(bytes(5)).decode()",
    "no rows": "r[4]['rows'] = ''",
    "padding bits set": "r[4]['rows'] = b64encode(b'\\0\\0\\0\\xc0').decode()",
    "width of none": "c['class']['width'] = 0",
    "width above all": "c['class']['width'] = 10**99",
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
    "record that is no list": "c['record'] = {}",
    "entry that is no object": "r[0] = 'ran'",
    "a key more": "r[0]['because'] = 1",
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_damaged_files_are_malformed(kind: str) -> None:
    change = MALFORMED[kind].replace("r[-500]", "next(e for e in r if e['kind'] == 'fixed')")
    assert verdict(on_located_lock(change)) == "malformed"


@pytest.mark.parametrize("kept", [0, 1, 2, 3, 4, 50, 200, -1])
def test_records_that_end_early(kept: int) -> None:
    assert broken_rules(on_located_lock(f"del r[{kept}:]")) == {"order"}


def test_a_table_that_is_empty_or_partial() -> None:
    assert broken_rules(on_located_lock("c['table'] = []")) == {"table"}
    assert broken_rules(on_located_lock("c['table'][0][0] = -1")) == {"table"}
    assert broken_rules(on_located_lock("c['table'] = [[]] * 4")) == {"table"}


# --- too much to compute --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["delta", "epsilon"])
def test_tiny_delta_and_epsilon_are_checked_quickly(name: str) -> None:
    began = process_time()
    change = f"c['parameters']['{name}'] = '1/1' + '0' * 100"
    assert broken_rules(on_located_lock(change)) == {"passes"}
    assert process_time() - began < 1


def written_by_hand(
    record: list[dict[str, object]], width: int, padding: int = 0, **parameters: int
) -> bytes:
    """Return a file with this record and this many bytes of padding."""
    value = json.loads(as_json(located_runs()["two states"]))
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
    "many entries of one kind": lambda: on_located_lock(
        "r[:] = r[:3] + [dict(kind='same', one=0, other=1)] * 25_000"
    ),
    "many short plans": lambda: on_located_lock("r[:] = r[:3] + [r[3], r[4]] * 7_000"),
    "the same pass again and again": lambda: on_located_lock("r[:] = r[:-3] + r[-3:] * 4_000"),
    "a walk as long as the file": lambda: on_located_lock(
        "c['parameters']['mixing_time'] = 900_000; c['assumptions'] = ['x' * 1_000_000]"
    ),
    "many times": lambda: on_located_lock("r[1]['times'] = [1] * 400_000"),
    "many rows": lambda: on_located_lock(
        "r[1]['times'] = [1] * 140_000; r[1]['rows'] = b64encode(bytes(560_000)).decode()"
    ),
    "many visits": lambda: on_located_lock(
        "next(e for e in r if e['kind'] == 'fixed')['visits'] = [1] * 400_000"
    ),
    "many passes": lambda: on_located_lock(
        "next(e for e in r if e['kind'] == 'fixed')['passes'] = 10**99"
    ),
    "a long charge": lambda: on_located_lock(
        "next(e for e in r if e['kind'] == 'fixed')['charge'] = f'{3**4000}/{2**6000}'"
    ),
    "a large table": lambda: on_located_lock("c['table'] = [[0]] * 250_000"),
}


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
        labels.lead(label, 0, label + 1 if label < 399 else 200)
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


CORPUS = Path(__file__).parents[1] / "certificates" / "accepted"


def test_no_beginning_of_a_file_is_read() -> None:
    data = located_runs()["two states"]
    assert verdict(data) == "accepted"
    for length in {*range(0, len(data), 7), *range(len(data) - 200, len(data))}:
        assert verdict(data[:length]) == "malformed"


def wide_row_named_often(width: int, states: int) -> bytes:
    """Return a file in which the first loop shows one long row again and again."""
    value = json.loads(as_json(located_runs()["two states"]))
    header = {k: value[k] for k in ("assumptions", "format", "provenance", "version", "method")}
    header["class"] = {**value["class"], "width": width}
    header["parameters"] = {**value["parameters"], "max_states": states}
    many = 2 * states
    claim = {k: value[k] for k in ("table", "current", "classifiers", "spent", "steps")}
    return sealed(
        canonical(header),
        canonical({"kind": "rows", "count": 1}) + b"\n" + bytes(width // 8),
        canonical({"kind": "ran", "start": 0, "word": [0], "done": 0, "steps": many}),
        canonical({"kind": "seen", "first": 0, "times": [*range(1, many + 1)], "rows": [0] * many}),
        canonical({"kind": "periods", "count": many, "left": [1]}),
        canonical({"kind": "claim", **claim}),
    )


@pytest.mark.parametrize(("width", "states"), [(1 << 20, 50_000), (1 << 16, 4_000), (4096, 50_000)])
def test_a_long_row_that_is_named_often_is_refused_quickly(width: int, states: int) -> None:
    data, began = wide_row_named_often(width, states), process_time()
    assert verdict(data) in ("malformed", "rejected")
    assert process_time() - began < SECONDS
    assert len(data) < 1 << 20


DAMAGES = {
    "an endless count": (b'{"count":3,', b'{"count":%d,' % 10**90),
    "no rows": (b'{"count":3,', b'{"count":0,'),
    "rows counted in text": (b'{"count":3,', b'{"count":"3",'),
    "steps without a trajectory": (b'{"count":3,"kind":"rows"}', b'{"count":3,"kind":"steps"}'),
    "rows with a name": (b'{"count":3,', b'{"a":1,"count":3,'),
    "a row from later": (b'"rows":[0,1,0,1]', b'"rows":[0,1,0,3]'),
    "a negative row": (b'"rows":[0,1,0,1]', b'"rows":[0,1,0,-1]'),
    "a second header": (b'{"count":3,', b'{"format":"steel-certificate","version":3}\n{"count":3,'),
    "an empty line": (b'{"count":3,', b'\n{"count":3,'),
    "a list": (b'{"count":3,', b'[]\n{"count":3,'),
    "a return before the newline": (b'{"count":3,"kind":"rows"}', b'{"count":3,"kind":"rows"}\r'),
    "proofs for a finite class": (
        b'{"classifiers":[2,1],"current"',
        b'{"answers":[],"kind":"proofs","meetings":[],"separators":[]}\n{"classifiers":[2,1],"current"',
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_lines_are_malformed(name: str) -> None:
    data = (CORPUS / f"{FAILED}.json").read_bytes()
    old, new = DAMAGES[name]
    assert old in data
    *lines, _ = data.replace(old, new, 1).removesuffix(b"\n").split(b"\n")
    with pytest.raises(Malformed):
        judged(sealed(b"\n".join(lines)))


def as_version_2(data: bytes) -> bytes:
    """A certificate of a located run of version 3 as version 2 wrote it."""
    content = json.loads(as_json(data))
    del content["digest"], content["class"]["rule"]
    for entry in content["record"]:
        entry["kind"] = {"seen": "read"}.get(entry["kind"], entry["kind"])
    return sealed_version_2({**content, "version": 2, "recipe": "located"})


def test_old_files_are_translated_to_what_is_written_today() -> None:
    for data in located_runs().values():
        assert version2.translated(as_version_2(data)) == unpacked(data)
    for name, data in corpus().items():
        if name.split("/")[0] in ("accepted", "located", "classes", "looped"):
            new = version2.translated(data)
            assert judged(new).findings == []
            assert len(new) < 1.05 * len(data)


def hostile(kind: str, part: int) -> bytes:
    """Return a file of about 1 MB / `part`."""
    if kind in HOSTILE:
        return HOSTILE[kind]()
    return BYTES[kind](MB // part) if kind in BYTES else on_lock(f"part = {part}\n{RECORDS[kind]}")


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        *((kind, 1) for kind in HOSTILE),
        *((kind, 4) for kind in (*BYTES, *RECORDS)),
        *(pytest.param(kind, 1, marks=pytest.mark.slow) for kind in (*BYTES, *RECORDS)),
    ],
)
def test_hostile_files_are_refused_quickly(kind: str, part: int) -> None:
    data = hostile(kind, part)
    assert part * len(data) <= 2 * MB
    began = process_time()
    assert verdict(data) in ("malformed", "rejected")
    assert process_time() - began < SECONDS / part


@settings(max_examples=3 * settings().max_examples)
@given(
    data=st.sampled_from([lock(), located_runs()["lock"], b""]),
    cut=st.integers(0, 10**6),
    length=st.integers(0, 30),
    patch=st.binary(max_size=12),
)
def test_mutated_bytes_never_crash_the_checker(
    data: bytes, cut: int, length: int, patch: bytes
) -> None:
    cut %= len(data) + 1
    changed = data[:cut] + patch + data[cut + length :]
    assert changed == data or verdict(changed) in ("malformed", "rejected")


@pytest.mark.parametrize("value", [10**99, 10**90, 10**18, 10**7, 20_000])
@pytest.mark.parametrize(
    "name", ["actions", "max_states", "mixing_time", "max_diameter", "class_size"]
)
def test_absurd_parameters_are_checked_quickly(name: str, value: int) -> None:
    """The first plan is right for its bounds, so that what follows it is checked, too."""
    for data in (lock(), located_runs()["lock"]):
        content = json.loads(as_json(data))
        if name in content["parameters"]:
            content["parameters"][name] = value
            if content["method"] == "looped":
                setting = formulas.setting_of(read_looped(resealed(content)).parameters)
                content["record"][0]["steps"] = formulas.initial_steps(setting, 1)
            began = process_time()
            assert verdict(resealed(content)) in ("rejected", "malformed")
            assert process_time() - began < 5


def test_real_certificates_stay_below_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of located runs grows with rows × labels; most states cost most."""
    largest = certified("located", instance("double-prime", 0, p=41, q=43))
    assert work_for_each_byte(largest) < reading.STEPS_PER_BYTE / 2
    monkeypatch.setattr(reading, "LEAST_STEPS", 0)
    for limit, expected in ((1, True), (0, False)):
        monkeypatch.setattr(reading, "STEPS_PER_BYTE", limit)
        for data in (*looped_runs().values(), *located_runs().values()):
            if expected:
                assert verdict(data) == "accepted"
            else:
                with pytest.raises(Malformed, match="too costly"):
                    judged(data)
