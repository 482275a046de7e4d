"""What the package offers is what it lists."""

from types import ModuleType

import steel_verified


def test_names_are_sorted_and_exist() -> None:
    assert sorted(steel_verified.__all__) == steel_verified.__all__
    assert all(hasattr(steel_verified, name) for name in steel_verified.__all__)


def test_nothing_else_is_offered() -> None:
    offered = {
        name
        for name, value in vars(steel_verified).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert offered == set(steel_verified.__all__)
