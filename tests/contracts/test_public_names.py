"""What the package offers is what it lists."""

import ast
import subprocess
import sys
from importlib import import_module
from inspect import getsource

import pytest

import steel_verified
from tests.public import PUBLIC


def names_for_type_checkers() -> dict[str, str]:
    """The module of each name that `steel_verified/__init__.py` imports for type checkers only."""
    return {
        alias.name: statement.module
        for node in ast.parse(getsource(steel_verified)).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "typing.TYPE_CHECKING"
        for statement in node.body
        if isinstance(statement, ast.ImportFrom) and statement.module is not None
        for alias in statement.names
    }


def test_names_are_sorted_and_exist() -> None:
    assert sorted(steel_verified.__all__) == steel_verified.__all__
    assert all(hasattr(steel_verified, name) for name in steel_verified.__all__)


def test_there_are_about_thirty_names() -> None:
    assert len(steel_verified.__all__) <= 30


def test_every_public_name_is_explained() -> None:
    for name in steel_verified.__all__:
        value = getattr(steel_verified, name)
        assert name == "Result" or value.__doc__, name  # a union has no docstring of its own


@pytest.mark.parametrize("room", PUBLIC)
def test_public_packages_have_a_sorted_all(room: str) -> None:
    module = import_module(f"steel_verified.{room}")
    listed: list[str] = module.__all__
    assert listed == sorted(listed)
    assert all(getattr(module, name).__doc__ for name in listed)


def test_runtime_names_equal_type_checker_names() -> None:
    seen = names_for_type_checkers()
    assert sorted(seen) == steel_verified.__all__
    for name, module in seen.items():
        assert getattr(steel_verified, name) is getattr(import_module(module), name)


def test_dir_of_the_package_lists_only_public_names() -> None:
    """In a fresh process, where no submodule has been imported yet."""
    program = "import steel_verified; print(*(n for n in dir(steel_verified) if n[0] != '_'))"
    offered = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(offered) - set(steel_verified.__all__) == {"importlib", "lazy_names", "typing"}


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nobody'"):
        _ = getattr(steel_verified, "Nobody")  # noqa: B009 (mypy would refuse the attribute)
