"""How either algorithm behaves when classifiers err: python -m bench.nearly_realisable.

Every classifier errs on every observation with the same small chance, independently. No guarantee
holds then: this measures how runs end on a small combination lock.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from statistics import mean
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.classes.finite import Components, Marks
from steel_verified.classes.rows import rows_of_bits
from steel_verified.errors import SteelError
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted, Contradicted
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.dynamics import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Bits
    from steel_verified.learning.results import Result

STATES: Final = 8
COMPONENTS: Final = 64
CHANCES: Final = (0.0, 1e-5, 1e-4, 1e-3)
WITH_CONSTANT: Final = "located-with-constant"
METHODS: Final = ("looped", "located", WITH_CONSTANT)
MOST_STEPS: Final = 60_000
"""More than ten times what a run of located STEEL takes here without errors."""


@dataclass(frozen=True)
class Erring(Components):
    """The components of bit vectors, each of which is read wrongly with a small chance.

    A class with more classifiers than bits has constant ones: they are always 1.
    """

    chance: float = 0.0
    random: np.random.Generator = field(default_factory=np.random.default_rng)

    def summarise(self, batch: Bits) -> Marks:
        rows = rows_of_bits(batch, COMPONENTS)
        bits = np.unpackbits(rows.packed(), axis=1, bitorder="little")[:, : rows.width]
        bits ^= self.random.random(bits.shape) < self.chance
        every, some = np.bitwise_and.reduce(bits), np.bitwise_or.reduce(bits)
        constant = (1 << self.class_size) - (1 << rows.width)
        return Marks(_as_int(every) | constant, _as_int(some) | constant)


def _as_int(marks: NDArray[np.uint8]) -> int:
    return int.from_bytes(np.packbits(marks, bitorder="little").tobytes(), "little")


def ended(method: str, chance: float, seed: int) -> tuple[str, int]:
    """Run a method once. Return how it ended, and after how many steps."""
    chosen = instance("combination-lock", seed, states=STATES, components=COMPONENTS)
    drawn = combination_lock(seed, states=STATES, components=COMPONENTS, least_noise=0.1)
    world, first = drawn.world(seed), chosen.first_action
    constant = method == WITH_CONSTANT
    oracle = Erring(COMPONENTS + constant, chance, np.random.default_rng(seed))
    try:
        result: Result = (
            checked_run(world, oracle, Looped(chosen.parameters, first_action=first))
            if method == "looped"
            else checked_run(
                world, oracle, Located(chosen.parameters, first_action=first), max_steps=MOST_STEPS
            )
        )
    except SteelError as error:
        return type(error).__name__, world.steps
    if isinstance(result, Accepted):
        findings = compare(result, drawn.truth(), world.state)
        wrong = f"accepted wrongly with {result.model.states} state(s)"
        return "right" if findings.all_right else wrong, world.steps
    return "contradicted" if isinstance(result, Contradicted) else "not accepted", world.steps


def main(runs: int, methods: Sequence[str]) -> None:
    """Print how runs ended, for each chance of an error and each method."""
    for chance in CHANCES:
        for method in methods:
            ends = [ended(method, chance, seed) for seed in range(runs)]
            counted = ", ".join(
                f"{n} {how}" for how, n in Counter(h for h, _ in ends).most_common()
            )
            steps = mean(steps for _, steps in ends)
            print(f"{chance:g} {method:21} {counted}; mean steps {steps:,.0f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:] or METHODS)
