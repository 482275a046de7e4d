"""What located STEEL takes with each class of classifiers: python -m bench.classes.

Each class learns the small world that its test has, with several seeds of the noise. Printed are
the states, the average steps, the largest error of an encoder, and the average seconds of a run.
"""

from __future__ import annotations

import sys
from statistics import mean
from time import process_time

from tests.classes.worlds import EXAMPLES, Learned


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


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
