"""The live checker and the frozen one give the same verdicts."""

import hashlib
import json
from collections import Counter

import pytest

from ...checker.test_costly_classes import LOOSE, shares_of_one
from .adapter import live_verdict
from .frozen import FROZEN, as_version_2, corpus, frozen_verdicts
from .mutations import mutations, sealed

UNCHANGED = "a3f2ab6cc1ace3027df0546aaac8746dc8df3940d7cf539616b98805cb10caf2"

MENDED = {
    "an honest certificate with a loose bound": (
        as_version_2(LOOSE["finite"](300)),
        ("malformed", "accepted"),
        "the steps for the period of a loop were counted as 6N², which they need not take",
    ),
    "weights 1/p of 4,000 digits": (
        as_version_2(shares_of_one(60)),
        ("rejected: proofs", "malformed"),
        "arithmetic with long numbers was not counted, and took minutes for a file of 2 MB",
    ),
}
"""Verdicts that are meant to differ: those of the frozen and of the live checker, and why."""

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


@pytest.mark.parametrize("name", MENDED)
def test_verdicts_differ_where_a_fault_was_mended(name: str) -> None:
    data, verdicts, _ = MENDED[name]
    assert (*frozen_verdicts([data]), live_verdict(data)) == verdicts


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
