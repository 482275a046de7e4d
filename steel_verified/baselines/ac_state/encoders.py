"""Encoders of finitely many observations, up to renaming their outputs: set partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Encoder: TypeAlias = tuple[int, ...]
"""φ: the output for each observation. Outputs are 0, 1, 2, … in order of their first use."""


def all_encoders(observations: int) -> Iterator[Encoder]:
    """Every encoder once; as many as there are set partitions (a Bell number)."""
    if observations == 0:
        yield ()
        return
    for shorter in all_encoders(observations - 1):
        for output in range(outputs_of(shorter) + 1):
            yield (*shorter, output)


def outputs_of(encoder: Encoder) -> int:
    """|Range(φ)|."""
    return max(encoder, default=-1) + 1
