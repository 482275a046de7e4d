"""Finds a theory by the name that entries use."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from proofs_checks import proofs
from proofs_checks.kernels.deduction.theories import Theory


@cache
def theory(name: str) -> Theory:
    """Return the theory with this name; raise `ValueError` if there is none."""
    for module in pkgutil.iter_modules(proofs.__path__, f"{proofs.__name__}."):
        if not module.ispkg:
            found: object = vars(import_module(module.name)).get(name)
            if isinstance(found, Theory):
                return found
    raise ValueError(f"no theory {name}")
