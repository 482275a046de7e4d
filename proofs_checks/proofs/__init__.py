"""Proofs for all sizes, as text that a small checker replays: the theories in `*.proof`.

`proofs_checks/kernels/deduction/reading.py` shows how they are written.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.reading import read_blocks
from proofs_checks.kernels.deduction.statements import Theory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.deduction.reading import Block

FILES: Final = (
    "residues",
    "injections",
    "looped_words",
    "exploring",
    "calls",
    "touring",
    "collecting",
    "naming",
    "deciding",
    "timing",
    "reachability",
    "phase_1",
    "planned_words",
    "steel",
    "steel_times",
    "steel_data",
    "steel_steps",
    "steel_run",
)
"""The files without `.proof`, in the order in which they are read: each may use earlier ones."""


@cache
def theories() -> Mapping[str, Theory]:
    """All theories by name, in the order of the files; raises `Unreadable` if one is not text."""
    known: dict[str, Block] = {}
    for name in FILES:
        file = f"{name}.proof"
        known = read_blocks(file, (files(__name__) / file).read_text(encoding="utf-8"), known)
    return MappingProxyType(
        {name: block for name, block in known.items() if isinstance(block, Theory)}
    )


def theory(name: str) -> Theory:
    """The theory of this name, such as `TOURING`; raises `LookupError` if there is none."""
    if name not in theories():
        raise LookupError(f"no theory {name!r}; there are {', '.join(theories())}")
    return theories()[name]
