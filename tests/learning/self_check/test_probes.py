"""Rows are read as probes; reading them in blocks changes nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.evidence.observed import kept_of
from steel_verified.evidence.oracle import Declared
from steel_verified.learning.self_check import probes
from steel_verified.learning.self_check.probes import blocks, changing, number_of_probes, probed
from steel_verified.learning.self_check.rows import LoopRows, Terms
from steel_verified.learning.self_check.won import check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.learning.self_check.won import SelfChecked

BITS = Declared("components", "bits", 61)
NUMBERS = Declared("boxes", "int64", 20)
TIMES = tuple(range(20, 6020, 20))


def drawn(declared: Declared, seed: int) -> NDArray[np.int64]:
    """Return two rows for each time; most entries are noise, and some never change."""
    draw = np.random.default_rng(seed)
    values = draw.integers(0, 2 if declared is BITS else 100, (2 * len(TIMES), declared.width))
    values[:, ::5] = 1
    return values


def loop(declared: Declared, values: NDArray[np.int64], start: int) -> LoopRows:
    packed = (
        np.packbits(values.astype(np.bool_), axis=1, bitorder="little")
        if declared is BITS
        else values.astype("<i8")
    )
    return LoopRows((0,), (0,), start, TIMES, kept_of(declared, [packed.tobytes()]))


def loops(declared: Declared) -> tuple[LoopRows, ...]:
    """Return three loops; entries 17 and 52 (or 13) are larger in the last one."""
    values = [drawn(declared, seed) for seed in range(3)]
    for entry in (17, 52) if declared is BITS else (13, 17):
        values[2][:, entry] = 1 if declared is BITS else 90
    return tuple(loop(declared, each, 7000 * number) for number, each in enumerate(values))


def checked(declared: Declared) -> SelfChecked:
    tested = Terms(fixed_at=0, level=Fraction(1, 1000))
    return check(loops(declared), tested, mixing_time=5, max_states=2)


@pytest.mark.parametrize("declared", [BITS, NUMBERS])
def test_check_in_blocks_equals_check_in_one_block(
    declared: Declared, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [each.rows for each in loops(declared)]
    whole, seen, many = checked(declared), probed(kept), len(list(blocks(kept)))
    assert {won.measured[0] for won in whole.won}
    monkeypatch.setattr(probes, "_MOST_VALUES", 1)
    assert many == 1
    assert len(list(blocks(kept))) == 3
    assert (probed(kept) == seen).all()
    assert checked(declared) == whole


@pytest.mark.parametrize("declared", [BITS, NUMBERS])
def test_probes_have_the_values_of_their_definition(declared: Declared) -> None:
    """A bit is a probe. A number is above a quartile of the first kept rows, or it is not."""
    values = [drawn(declared, seed) for seed in range(2)]
    seen = probed([loop(declared, each, 0).rows for each in values])
    assert seen.shape == (4 * len(TIMES), number_of_probes(declared))
    if declared is BITS:
        assert (seen == np.concatenate(values).astype(np.bool_)).all()
        return
    for part in range(3):
        quartile = np.sort(values[0], axis=0)[(part + 1) * (2 * len(TIMES) - 1) // 4]
        own = seen[:, part * declared.width : (part + 1) * declared.width]
        assert (own == (np.concatenate(values) > quartile)).all()


@pytest.mark.parametrize("declared", [BITS, NUMBERS])
def test_changing_probes_are_found_without_unpacking(declared: Declared) -> None:
    kept = [loop(declared, drawn(declared, 0), 0).rows]
    (block,) = blocks(kept)
    for rows in (np.arange(3), np.arange(40, 80), np.array([5])):
        assert block.changing(rows).tolist() == changing(block.read(rows)).tolist()
