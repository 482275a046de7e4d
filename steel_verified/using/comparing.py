"""Compares a learned model with known dynamics, up to relabelling of the states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.learning.model import Model
    from steel_verified.worlds.dynamics import Dynamics


def renaming(
    model: Model,
    encode: Callable[[object], NDArray[np.int64]],
    truth: Dynamics,
    observations: Sequence[object],
) -> tuple[int, ...] | None:
    """Return the label of each true state, or None if no assignment of labels is correct.

    An assignment is correct if all observations of a state get its label, different states have
    different labels, every label is used, and each action leads from label to label as in `truth`.
    Raises `InvalidArgument` unless there is one dataset for each true state.
    """
    if len(observations) != truth.states:
        expected = f"{counted(truth.states, 'dataset')}, one for each true state"
        raise InvalidArgument("observations", f"{len(observations)} of them", expected)
    read = [{int(label) for label in encode(batch)} for batch in observations]
    if any(len(labels) != 1 for labels in read):
        return None
    label_of = tuple(labels.pop() for labels in read)
    if set(label_of) != set(range(model.states)) or model.states != truth.states:
        return None
    agree = all(
        model.table[label_of[state]] == tuple(label_of[to] for to in row)
        for state, row in enumerate(truth.table)
    )
    return label_of if agree else None
