"""How fast tuples (x_t, a_t, x_{t+k}) are counted: by pairs of rounds, and one lag at a time.

    python tests/benchmarks/tuples.py             # a minute
    python tests/benchmarks/tuples.py --longest   # also T = 10⁸ of (29, 31) and (41, 43)

For each pair one trajectory is judged for every K up to 50,000, as in the search for K. Counting
one lag at a time is measured on a hundred lags. On SinglePrime only one K is judged, the K_opt that
the protocol found or nearly so.
"""

from __future__ import annotations

import argparse
import resource
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from time import process_time

from steel_verified.baselines.ac_state.encoders import Data, tuple_counts
from steel_verified.baselines.ac_state.gains import sign_of_noisy_gain, signs_of_gain
from steel_verified.baselines.ac_state.noisy_pairs import Noisy
from steel_verified.baselines.ac_state.protocol import MOST_LAGS
from steel_verified.baselines.ac_state.round_pairs import count_pairs
from steel_verified.baselines.ac_state.trajectories import Loops, Place, Policy, coins, walk
from steel_verified.cli.console import show
from steel_verified.reports.tables import Column, Kind, Table

_SOME_LAGS = 100
_NUMBERS = ("T", "walk s", "count s", "judge s", "tuples/s", "lag by lag", "MB")
COLUMNS = (
    Column("primes", Kind.CODE),
    Column("policy", Kind.CODE),
    *(Column(name, Kind.NUMBER) for name in _NUMBERS),
)


@dataclass(frozen=True)
class Measured:
    """One trajectory."""

    tuples: int
    walking: float
    counting: float
    judging: float
    megabytes: float


def search(pair: tuple[int, int], policy: Policy, length: int) -> Measured:
    """One trajectory for all K."""
    loops, place = Loops(*pair), Place(0, 0)
    counts, walking, counting = [], 0.0, 0.0
    for part in range(2):
        start = process_time()
        half = walk(policy, loops, place, length // 2, (part,))
        place = half.last
        walking += process_time() - start
        start = process_time()
        counts.append(count_pairs(half, MOST_LAGS))
        counting += process_time() - start
    start = process_time()
    signs_of_gain(counts[0], counts[1], MOST_LAGS)
    lags = min(MOST_LAGS, length // 2)
    tuples = lags * (length - lags - 1)
    return Measured(tuples, walking, counting, process_time() - start, _megabytes())


def one_lag_at_a_time(pair: tuple[int, int], length: int) -> float:
    """Tuples a second."""
    half = walk("uniform", Loops(*pair), Place(0, 0), length // 2, (0,))
    _, _, actions = half.unrolled()
    data = Data(half.observations(), actions[:-1])
    start = process_time()
    tuple_counts(data, _SOME_LAGS, 2 * pair[1], 2)
    return _SOME_LAGS * half.seen / (process_time() - start)


def single(pair: tuple[int, int], length: int, lags: int) -> Measured:
    """One trajectory of SinglePrime for one K."""
    loops, halves = Loops(*pair, copies=1), []
    for part in range(2):
        half = walk("uniform", loops, Place(0, 0), length // 2, (part,))
        halves.append(Noisy(half, coins(half, (part, 3))))
    start = process_time()
    sign_of_noisy_gain(halves[0], halves[1], lags)
    return Measured(lags * length, 0, process_time() - start, 0, _megabytes())


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--longest", action="store_true", help="also T = 10⁸")
    longest = parser.parse_args().longest
    cases: list[tuple[tuple[int, int], Policy, int]] = [
        ((3, 5), "uniform", 10**4),
        ((5, 7), "uniform", 10**5),
        ((11, 13), "uniform", 10**6),
        ((11, 13), "exploration", 10**6),
        ((17, 19), "uniform", 8 * 10**6),
        ((29, 31), "uniform", 10**7),
        ((41, 43), "uniform", 10**7),
    ]
    if longest:
        cases += [((29, 31), "uniform", 10**8), ((41, 43), "uniform", 10**8)]
    rows: list[tuple[str, ...]] = []
    spawn = get_context("spawn")
    for pair, policy, length in cases:
        # A process of its own each, so that its peak memory is its own.
        with ProcessPoolExecutor(1, mp_context=spawn) as alone:
            found = alone.submit(search, pair, policy, length).result()
            slow = alone.submit(one_lag_at_a_time, pair, min(length, 10**6)).result()
        seconds = found.counting + found.judging
        rows.append(
            (
                str(pair),
                policy,
                f"{length:.0e}",
                f"{found.walking:.2f}",
                f"{found.counting:.2f}",
                f"{found.judging:.2f}",
                f"{found.tuples / seconds:.1e}",
                f"{slow:.1e}",
                f"{found.megabytes:.0f}",
            )
        )
    singles = [((11, 13), 10**6, 600), ((17, 19), 8 * 10**6, 2_000), ((29, 31), 8 * 10**6, 6_000)]
    for pair, length, lags in singles:
        with ProcessPoolExecutor(1, mp_context=spawn) as alone:
            found = alone.submit(single, pair, length, lags).result()
        rows.append(
            (
                f"Single{pair}",
                f"K = {lags}",
                f"{length:.0e}",
                "",
                f"{found.counting:.2f}",
                "",
                f"{found.tuples / found.counting:.1e}",
                "",
                f"{found.megabytes:.0f}",
            )
        )
    show([Table("", COLUMNS, tuple(rows))])


if __name__ == "__main__":
    main()
