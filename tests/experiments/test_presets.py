"""The experiments that the audit knows by name."""

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.experiments.presets import NAMES, preset
from steel_verified.worlds.catalogue import setting


def test_presets_are_the_columns_of_the_tables() -> None:
    assert NAMES[:-1] == (
        "combination-lock-20",
        "combination-lock-30",
        "combination-lock-40",
        "multi-maze",
    )
    for name in (*NAMES[:-1], "double-prime-11-13"):
        assert preset(name).name == name
    assert preset("combination-lock-30") == setting("combination-lock", states=30)
    assert preset("double-prime-3-5") == setting("double-prime", p=3, q=5)


@pytest.mark.parametrize(
    "name",
    ["", "lock", "combination-lock-21", "double-prime-5-3", "double-prime-4-7", "double-prime-5-5"],
)
def test_unknown_presets_are_refused(name: str) -> None:
    with pytest.raises(InvalidArgument, match="preset"):
        preset(name)
