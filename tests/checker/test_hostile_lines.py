"""Files of version 3 that are damaged between or within their lines, or name rows too often."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from time import process_time

import pytest

from proofs_checks.checker import version2
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed, canonical

from ..certificates.content import as_json
from ..certificates.located import FAILED
from ..guards.checker.mutations import sealed as sealed_version_2
from ..guards.checker.verdicts import corpus
from .located_material import small, verdict

SECONDS_PER_MB = 5.0
CORPUS = Path(__file__).parents[1] / "certificates" / "accepted"


def sealed(*lines: bytes) -> bytes:
    """Return a file of these lines, with their digest."""
    content = b"".join(line + b"\n" for line in lines)
    digest = hashlib.sha256(content).hexdigest()
    return content + canonical({"kind": "end", "digest": digest}) + b"\n"


def test_no_beginning_of_a_file_is_read() -> None:
    data = small()["two states"]
    assert verdict(data) == "accepted"
    for length in {*range(0, len(data), 7), *range(len(data) - 200, len(data))}:
        assert verdict(data[:length]) == "malformed"


def test_a_changed_byte_is_found() -> None:
    """The digest covers every byte, also those of the rows."""
    data, rng = small()["first round failed"], random.Random(0)
    for place in rng.sample(range(len(data)), 300):
        other = data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
        assert verdict(other) in ("malformed", "rejected")


def wide_row_named_often(width: int, states: int) -> bytes:
    """Return a file in which the first loop shows one long row again and again."""
    value = json.loads(as_json(small()["two states"]))
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
    assert process_time() - began < SECONDS_PER_MB
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
    for data in small().values():
        assert version2.translated(as_version_2(data)) == data
    for name, data in corpus().items():
        if name.split("/")[0] in ("accepted", "located", "classes", "looped"):
            new = version2.translated(data)
            assert judged(new).findings == []
            assert len(new) < 1.05 * len(data)
