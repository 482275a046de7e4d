"""The frozen checker and its corpus.

`tests/guards/frozen_checker` has the checker as it was, unchanged to the letter. Its modules have
the names of the live ones, so it runs in a process of its own, with the standard library only.
`corpus.tar.xz` has certificates of version 2 in folders: the corpus of `tests/certificates` as it
was (accepted, rejected, malformed), and accepted ones with every class of classifiers (classes) and
with every way in which a run can go (looped, located).
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from ...certificates.content import as_json
from .mutations import Value, sealed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CORPUS: Final = Path(__file__).parent / "corpus.tar.xz"
FROZEN: Final = Path(__file__).parents[1] / "frozen_checker"

_PROGRAM: Final = """
import base64, json, sys
sys.path.insert(0, sys.argv[1])
from proofs_checks.checker.document import Malformed
from proofs_checks.checker.judging import judged

def verdict(data):
    try:
        findings = judged(data).findings
    except Malformed:
        return "malformed"
    rules = sorted({finding.rule for finding in findings})
    return f"rejected: {' '.join(rules)}" if rules else "accepted"

files = map(base64.b64decode, json.load(sys.stdin))
print(json.dumps({"checker": judged.__code__.co_filename, "verdicts": [*map(verdict, files)]}))
"""


class _Answer(msgspec.Struct):
    checker: str
    verdicts: list[str]


@cache
def corpus() -> Mapping[str, bytes]:
    """The files of the corpus by name."""
    files = {}
    with tarfile.open(CORPUS) as packed:
        for member in packed:
            file = packed.extractfile(member)
            assert file is not None
            files[member.name] = file.read()
    return files


def as_version_2(data: bytes) -> bytes:
    """A certificate of a located run of version 3 as version 2 wrote it."""
    content = json.loads(as_json(data))
    functions = {key: part for key, part in content["class"].items() if key != "rule"}
    record = [{**e, "kind": "read"} if e["kind"] == "seen" else e for e in content["record"]]
    old: dict[str, Value] = {
        "version": 2,
        "recipe": "located",
        "class": functions,
        "record": record,
    }
    return sealed({key: part for key, part in {**content, **old}.items() if key != "digest"})


def frozen_verdicts(files: Iterable[bytes]) -> list[str]:
    """What the frozen checker says of each file, in the words of `live_verdict`."""
    asked = json.dumps([base64.b64encode(data).decode() for data in files])
    program = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(FROZEN)]
    done = subprocess.run(program, input=asked, capture_output=True, text=True, check=True)
    answer = msgspec.json.decode(done.stdout, type=_Answer)
    assert Path(answer.checker).is_relative_to(FROZEN), "another checker was asked"
    return answer.verdicts
