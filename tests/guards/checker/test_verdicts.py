"""The checker gives the stored verdicts, by the stored rules."""

import json

import pytest

from .mutations import sealed
from .verdicts import CHANGED, corpus, differences, stored


@pytest.mark.parametrize("changed", [200, pytest.param(CHANGED, marks=pytest.mark.slow)])
def test_verdicts_and_broken_rules_are_the_stored_ones(changed: int) -> None:
    """On every file of both corpora, and on files with one random change."""
    assert not (different := differences(changed)), "\n".join(different)


def test_stored_verdicts_are_those_of_their_folders() -> None:
    for line in stored():
        folder, said = line.split("/")[0], line.partition(": ")[2].split(":")[0]
        assert said == (folder if folder in ("malformed", "rejected") else "accepted"), line


def test_an_unchanged_file_is_sealed_as_it_was() -> None:
    """Else every mutation would only break the digest."""
    data = corpus()["accepted/grid.json"]
    assert sealed({k: v for k, v in json.loads(data).items() if k != "digest"}) == data
