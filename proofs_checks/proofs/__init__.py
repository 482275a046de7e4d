"""Proofs for all sizes, as text that a small checker replays: the theories in `*.proof`.

`proofs_checks/kernels/deduction/reading.py` shows how they are written.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.reading import read_blocks
from proofs_checks.kernels.deduction.statements import Theory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.deduction.reading import Block
    from proofs_checks.kernels.deduction.statements import Apply, Lemma, Step

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
    "located_loops",
    "located",
    "located_run",
    "retracing",
    "fallback",
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


@cache
def _homes() -> Mapping[Step, str]:
    """For each lemma, the name of the first theory that has it."""
    found: dict[Step, str] = {}
    for name, known in theories().items():
        for step in known.steps:
            found.setdefault(step, name)
    return found


def home_of(step: Step) -> str:
    """The name of the first theory that has a lemma; others that extend it have it, too."""
    return _homes()[step]


@cache
def file_of(step: Lemma | Apply) -> str:
    """The file with a lemma: the last one, up to that of its theory, that has its name."""
    begins = re.compile(rf"^  (?:lemma|apply) {step.name}\b", re.MULTILINE)
    home = re.compile(rf"^theory {home_of(step)} ", re.MULTILINE)
    found = ""
    for name in FILES:
        text = (files(__name__) / f"{name}.proof").read_text(encoding="utf-8")
        if begins.search(text):
            found = f"proofs/{name}.proof"
        if home.search(text):
            break
    return found
