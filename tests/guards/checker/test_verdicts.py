"""The live checker and the frozen one give the same verdicts."""

import hashlib
import json
from collections import Counter

import pytest

from .adapter import live_verdict
from .frozen import FROZEN, corpus, frozen_verdicts
from .mutations import mutations, sealed

UNCHANGED = "a3f2ab6cc1ace3027df0546aaac8746dc8df3940d7cf539616b98805cb10caf2"

LIGHT = 70_000
"""Larger certificates are judged once, not mutated: the checker takes a tenth of a second."""


def test_the_corpus_has_the_same_verdicts() -> None:
    names = sorted(corpus())
    expected = dict(zip(names, frozen_verdicts(corpus()[name] for name in names), strict=True))
    assert {name: live_verdict(corpus()[name]) for name in names} == expected
    kinds = Counter(
        (name.split("/")[0], verdict.split(":")[0]) for name, verdict in expected.items()
    )
    assert kinds == {
        ("accepted", "accepted"): 10,
        ("classes", "accepted"): 5,
        ("located", "accepted"): 11,
        ("looped", "accepted"): 8,
        ("malformed", "malformed"): 29,
        ("rejected", "rejected"): 112,
    }


def test_the_frozen_checker_is_unchanged() -> None:
    sha = hashlib.sha256()
    for file in sorted(FROZEN.rglob("*.py")):
        sha.update(str(file.relative_to(FROZEN)).encode() + b"\0" + file.read_bytes())
    assert sha.hexdigest() == UNCHANGED


def _compared(count: int) -> Counter[str]:
    light = {
        name: data
        for name, data in corpus().items()
        if len(data) <= LIGHT and name.split("/")[0] in ("accepted", "classes", "located", "looped")
    }
    changed = dict(mutations(light, count))
    expected = dict(zip(changed, frozen_verdicts(changed.values()), strict=True))
    assert {name: live_verdict(data) for name, data in changed.items()} == expected
    return Counter(expected.values())


def test_changed_files_have_the_same_verdicts() -> None:
    verdicts = _compared(200)
    rules = {rule for verdict in verdicts for rule in verdict.split()[1:]}
    assert len(rules) >= 18, "the files break many rules"
    assert {"digest", "numbers", "proofs", "rows"} <= rules
    assert verdicts["accepted"] >= 10
    assert verdicts["malformed"] <= 100


@pytest.mark.slow
def test_many_changed_files_have_the_same_verdicts() -> None:
    _compared(10_000)


def test_an_unchanged_file_is_sealed_as_it_was() -> None:
    """Else every mutation would only break the digest."""
    data = corpus()["accepted/grid.json"]
    assert sealed({k: v for k, v in json.loads(data).items() if k != "digest"}) == data
