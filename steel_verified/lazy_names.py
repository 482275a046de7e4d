"""Public names of a package that are loaded when they are first used, so that imports are quick."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def lazy_names(package: str) -> Callable[[str], object]:
    """The `__getattr__` of a package whose public names are defined in other modules.

    The imports for type checkers in its `__init__.py` say which module has which name. A name is
    kept in the package once it was loaded.
    """
    modules: dict[str, str] = {}

    def load(name: str) -> object:
        found = sys.modules[package]
        if name not in found.__all__:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not modules:
            modules.update(_imports_in(package))
        value: object = getattr(import_module(modules[name]), name)
        setattr(found, name, value)
        return value

    return load


def _imports_in(package: str) -> dict[str, str]:
    """The module of each name that the source of a package imports."""
    import ast  # noqa: PLC0415 (not every use of the package needs it)
    from inspect import getsource  # noqa: PLC0415

    return {
        alias.name: statement.module
        for statement in ast.walk(ast.parse(getsource(sys.modules[package])))
        if isinstance(statement, ast.ImportFrom) and statement.module is not None
        for alias in statement.names
    }
