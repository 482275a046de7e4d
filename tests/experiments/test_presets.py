"""The experiments that the audit knows by name."""

from fractions import Fraction

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.experiments.registry import NAMES, preset
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


def test_presets_have_the_printed_parameters() -> None:
    """N, D̂, t̂_mix, |F| (L components; nine mazes of 11 × 11 cells), ε and δ (l. 270)."""
    found = [
        (p.max_states, p.max_diameter, p.mixing_time, p.class_size, p.epsilon, p.delta)
        for p in (preset(name).parameters for name in NAMES[:-1])
    ]
    chances = (Fraction(1, 20), Fraction(1, 20))
    locks = [(states + 10, states + 10, 40, 512, *chances) for states in (20, 30, 40)]
    assert found == [*locks, (80, 80, 300, 9 * 121, *chances)]


@pytest.mark.parametrize(
    "name",
    ["", "lock", "combination-lock-21", "double-prime-5-3", "double-prime-4-7", "double-prime-5-5"],
)
def test_unknown_presets_are_refused(name: str) -> None:
    with pytest.raises(InvalidArgument, match="preset"):
        preset(name)
