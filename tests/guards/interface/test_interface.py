"""The interface is the stored one, except for the changes that are listed."""

import pytest

from .snapshots import (
    SNAPSHOTS,
    Change,
    changes,
    difference,
    file_of,
    lines_of,
    name_in,
    stored_lines,
    unlisted,
)

HOW = "List it in changes.toml, or run `python -m tests.guards.interface --store`."


@pytest.mark.parametrize("snapshot", SNAPSHOTS)
def test_every_change_of_the_interface_is_listed(snapshot: str) -> None:
    different = unlisted(difference(stored_lines(snapshot), lines_of(snapshot)), changes())
    assert not different, "\n".join([f"{file_of(snapshot)} is different. {HOW}", *different])


def test_everything_that_is_listed_has_changed() -> None:
    if not (listed := changes()):
        return
    different = [line for s in SNAPSHOTS for line in difference(stored_lines(s), lines_of(s))]
    for change in listed:
        assert change.what, f"{change.name}: say what changes"
        assert change.why, f"{change.name}: say why"
        assert unlisted(different, [change]) != different, f"{change.name} has not changed"


def test_a_difference_is_shown_by_name() -> None:
    before = ["steel learn --p: integer", "steel learn --q: integer", "steel: command"]
    after = ["steel learn --prime: integer", "steel learn --q: text", "steel: command"]
    different = difference(before, after)
    assert different == [
        "− steel learn --p: integer",
        "+ steel learn --prime: integer",
        "− steel learn --q: integer",
        "+ steel learn --q: text",
    ]
    assert [*map(name_in, different)][1:3] == ["steel learn --prime", "steel learn --q"]
    assert unlisted(different, [Change("steel learn --p*", "renamed", "a word")]) == different[2:]
    assert unlisted(different, [Change("steel learn --*", "both", "a word")]) == []
