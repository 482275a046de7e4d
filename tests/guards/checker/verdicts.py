"""What the checker says of many certificates, stored: `accepted`, `malformed`, or broken rules.

`corpus.tar.xz` has certificates of version 2 in folders: the corpus of `tests/certificates` as it
was (accepted, rejected, malformed), and accepted ones with every class of classifiers (classes) and
with every way in which a run can go (looped, located). The checker translates them into its own
version. `verdicts.txt` has a line for each of them and for each file of `tests/certificates`;
`changed.txt.xz` has a line for each of 10,000 files with one random change (`mutations`). They were
stored when a second checker, which was written before and is gone, said the same of all of them.

    python -m tests.guards.checker.verdicts            # shows how the verdicts of today differ
    python -m tests.guards.checker.verdicts --store    # stores those of today: some minutes
"""

from __future__ import annotations

import lzma
import sys
import tarfile
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed

from .mutations import mutations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE: Final = Path(__file__).parent
CERTIFICATES: Final = HERE.parents[1] / "certificates"
STORED: Final = HERE / "verdicts.txt"
STORED_CHANGED: Final = HERE / "changed.txt.xz"
CHANGED: Final = 10_000
LIGHT: Final = 70_000
"""Larger certificates are judged once, not changed: the checker takes a tenth of a second."""


def verdict(data: bytes) -> str:
    """Return `accepted`, `malformed`, or `rejected: RULES` with the rules that are broken."""
    try:
        findings = judged(data).findings
    except Malformed:
        return "malformed"
    rules = sorted({finding.rule for finding in findings})
    return f"rejected: {' '.join(rules)}" if rules else "accepted"


@cache
def corpus() -> Mapping[str, bytes]:
    """Return the files of the corpus by name."""
    files = {}
    with tarfile.open(HERE / "corpus.tar.xz") as packed:
        for member in packed:
            file = packed.extractfile(member)
            assert file is not None
            files[member.name] = file.read()
    return files


def lines() -> Iterator[str]:
    """Yield the verdict of today on each file of both corpora."""
    for name, data in sorted(corpus().items()):
        yield f"{name}, version 2: {verdict(data)}"
    for file in sorted(CERTIFICATES.glob("*/*.json")):
        yield f"{file.relative_to(CERTIFICATES).as_posix()}: {verdict(file.read_bytes())}"


def lines_of_changed() -> Iterator[str]:
    """Yield the verdict of today on each changed file."""
    light = {
        name: data
        for name, data in corpus().items()
        if len(data) <= LIGHT and name.split("/")[0] in ("accepted", "classes", "located", "looped")
    }
    for name, data in mutations(light, CHANGED):
        yield f"{name}: {verdict(data)}"


def stored() -> list[str]:
    return STORED.read_text(encoding="utf-8").splitlines()


@cache
def stored_of_changed() -> list[str]:
    return lzma.decompress(STORED_CHANGED.read_bytes()).decode().splitlines()


def differences(changed: int = CHANGED) -> list[str]:
    """Return what is stored and what is said today, where they differ."""
    before = [*stored(), *stored_of_changed()[:changed]]
    today = [*lines(), *islice(lines_of_changed(), changed)]
    if len(before) != len(today):
        return [f"{len(before)} verdicts are stored, and there are {len(today)} today"]
    return [f"{a}\n  today {b}" for a, b in zip(before, today, strict=True) if a != b]


def main() -> int:
    if "--store" in sys.argv[1:]:
        STORED.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
        text = "".join(f"{line}\n" for line in lines_of_changed())
        STORED_CHANGED.write_bytes(lzma.compress(text.encode(), preset=9))
        return 0
    different = differences()
    print("\n".join([*different, f"{len(different)} verdicts differ from what is stored"]))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
