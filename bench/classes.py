"""What located and certain STEEL take with each class of classifiers: python -m bench.classes.

Each class learns the small world that its test has, with several seeds of the noise. Printed are
the states, the average steps, the largest error of an encoder, and the average seconds of a run.
Then certain STEEL, without bounds, for classes whose columns can be listed as rows arrive: the
average steps, or why a run was not accepted.
"""

from __future__ import annotations

import sys
from statistics import mean
from time import process_time
from typing import Final

from steel_verified import attempt
from steel_verified.classes.columns import growing
from steel_verified.learning.results import Accepted
from steel_verified.worlds.dynamics import relabelling
from tests.classes.worlds import EXAMPLES, Example, Learned

MOST_STEPS: Final = 1_000
"""Of a run of certain STEEL."""


def main(runs: int) -> None:
    print(
        f"{'class':22} {'features':>8} {'states':>6} {'right':>7} {'steps':>7} {'error':>7} seconds"
    )
    for example in EXAMPLES:
        began = process_time()
        found = [example.learned(seed) for seed in range(runs)]
        seconds = (process_time() - began) / runs
        right = [run for run in found if isinstance(run, Learned)]
        steps = mean(run.steps for run in right) if right else float("nan")
        error = max((run.worst_error for run in right), default=float("nan"))
        print(
            f"{example.name:22} {example.truth.features:8} {example.truth.dynamics.states:6} "
            f"{f'{len(right)}/{runs}':>7} {steps:7,.0f} {error:7.2%} {seconds:7.2f}",
            flush=True,
        )
    print()
    for example in EXAMPLES:
        if growing(example.functions) is not None:
            print(f"{example.name:22} certain: {certain(example, runs)}", flush=True)


def certain(example: Example, runs: int) -> str:
    """Say how many runs certain STEEL decides, and with how many steps and seconds of CPU."""
    steps, why, began = list[int](), "", process_time()
    for seed in range(runs):
        world = example.truth.world(seed)
        result = attempt(
            world, example.functions, "certain", seed=seed, self_check=None, max_steps=MOST_STEPS
        )
        if isinstance(result, Accepted):
            truth = example.truth.dynamics
            assert relabelling(result.model, result.current, truth, world.state) is not None
            steps.append(result.ledger.steps)
        else:
            why = f"; otherwise: {result.because}"
    mean_steps = f"{mean(steps):,.0f} steps, " if steps else ""
    seconds = (process_time() - began) / runs
    return f"{len(steps)}/{runs} right, {mean_steps}{seconds:.2f} s{why}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
