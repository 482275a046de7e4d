"""Makes the runs of factors.md and writes the page: `python -m tests.studies.factors > PAGE`.

Nothing is recorded in between: all runs take about two minutes of CPU time.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from itertools import product as every
from statistics import mean
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from steel_verified.baselines.episodes import Episodes
from steel_verified.baselines.exorl import Covered, Sampled, Setting, episodes_by_constant, ossr
from steel_verified.classes.finite import Tables, tables
from steel_verified.learning.drive import drive
from steel_verified.learning.factored import Factored, Factors
from steel_verified.theory.wording import counted
from steel_verified.worlds.locks import Locks
from steel_verified.worlds.tabular import HiddenModel, HiddenWorld, certain, law

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World

Batch = TypeVar("Batch", bound=Sized)

HEAD: Final = """\
# Factors, measured

[Factors](../theory/factors.md) says what factored STEEL promises. Here: how many steps
it takes. `python -m tests.studies.factors` makes all runs and writes this page; nothing on it is
typed by hand. Each run of factored STEEL ends with 200 more steps, which are not counted here:
they refute what only looked like a factor so far, and the list is judged after them.
"""
LOCKS: Final = """\
Each observation has 512 bits, most of which flicker, and F is the single bits. Steps are those
until all covers are listed, every action was taken at every label, and each cover has passed its
coins (δ = 1/20): the least and the most of {seeds} worlds. Locks that share their actions move
together once they were at 0 together, so fewer joint states occur.
"""
EXORL: Final = """\
ExoRL's setting is one of factors, too: bits, of which a few are controlled. It is episodic, knows
the bits and how many are controlled at most, and allows random transitions, which factored STEEL
does not. Here two actions turn two bits, and the other bits are drawn anew at each step. Factored
STEEL gets a classifier for each value of each set of up to two bits; so it lists the pair of
switches as well, and says that it is their product. It takes one trajectory, ExoRL (OSSR, horizon
3, tolerance 1/25) takes episodes, so steps are all that can be compared: the least and the most of
{seeds} runs, or the mean. The published count of ExoRL has a constant C that is not given. Right:
exactly the two switches.
"""

SIZES: Final = (
    (3, 10, False),
    (6, 10, False),
    (20, 8, False),
    (3, 10, True),
    (5, 10, True),
)
SEEDS: Final = 2
CHECKED: Final = 200
EXORL_SEEDS: Final = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """A run, and its steps without those that check what was found at the end."""

    steps: int
    found: Factors | None


def measured(world: World[Batch], functions: Class[Batch], seed: int, most: int) -> Measured:
    size = functions.class_size
    assert size is not None
    method = Factored(size, world.actions, seed=seed, check_steps=CHECKED)
    result = drive(method, world, functions, (), most)
    found = result if isinstance(result, Factors) else None
    return Measured(result.ledger.steps - (CHECKED if found else 0), found)


def lock_row(locks: int, values: int, *, shared: bool, seeds: int) -> tuple[str, ...]:
    """A line of the table of locks: steps, and whether each was found exactly, and nothing else."""
    runs, right, joint = list[int](), 0, set[int]()
    for seed in range(seeds):
        world = Locks(locks, values, shared=shared, env_seed=seed, noise_seed=seed)
        run = measured(world, world.functions(), seed, 20_000)
        runs.append(run.steps)
        if run.found is not None:
            found = run.found.product
            independent = [world.lock_of(found.factors[n]) for n in found.independent]
            right += sorted(n for n in independent if n is not None) == [*range(locks)]
            joint.add(found.joint_states.number)
    transitions = locks * values * (2 if shared else 2 * locks)
    occur = " or ".join(f"{number:,}" for number in sorted(joint))
    steps = f"{min(runs):,} to {max(runs):,}"
    own = "shared" if shared else "own"
    names = (str(locks), str(values), own, f"{values**locks:,}", occur, f"{transitions:,}")
    return (*names, steps, f"{right}/{seeds}")


# --- beside ExoRL ---------------------------------------------------------------------------------


def switches(controlled: int, noise: int) -> HiddenModel:
    """Bits: action i turns bit i, and the bits of noise are drawn anew; each start is random."""
    bits, drawn = controlled + noise, Fraction(1, 1 << noise)
    moves = tuple(
        tuple(
            law({(state ^ 1 << a) & (1 << controlled) - 1 | e << controlled: drawn
                 for e in range(1 << noise)})
            for a in range(controlled)
        )
        for state in range(1 << bits)
    )  # fmt: skip
    start = dict.fromkeys(range(1 << bits), Fraction(1, 1 << bits))
    return HiddenModel(law(start), moves, tuple(certain(x) for x in range(1 << bits)))


def values_of_sets(bits: int, most: int) -> Tables:
    """F: a classifier for each value of each set of up to so many bits."""
    return tables(
        [
            [all(x >> bit & 1 == v for bit, v in zip(chosen, value, strict=True))
             for x in range(1 << bits)]
            for size in range(1, most + 1)
            for chosen in combinations(range(bits), size)
            for value in every((0, 1), repeat=size)
        ]
    )  # fmt: skip


def factored_on_switches(controlled: int, noise: int, seeds: int) -> tuple[list[int], int, int]:
    """Steps, how many runs were right, and the number of covers listed."""
    functions, steps, right, listed = values_of_sets(controlled + noise, 2), list[int](), 0, 0
    model = switches(controlled, noise)
    for seed in range(seeds):
        run = measured(HiddenWorld(model, seed), functions, seed, 5000)
        steps.append(run.steps)
        if run.found is not None:
            product = run.found.product
            left = [product.factors[n].classifiers for n in product.independent]
            bits = {tuple(sorted(f for fits in each for f in fits)) for each in left}
            right += bits == {(2 * bit, 2 * bit + 1) for bit in range(controlled)}
            listed = len(product.factors)
    return steps, right, listed


def exorl_on_switches(
    controlled: int, noise: int, episodes: int, seeds: int
) -> tuple[list[int], int]:
    """Steps of OSSR with so many episodes a question, and how many runs found the switches."""
    model, bits, steps, right = switches(controlled, noise), controlled + noise, list[int](), 0
    for seed in range(seeds):
        world = Episodes(model, seed)
        source = Sampled(world, bits, episodes, np.random.default_rng((seed, 1)))
        found = ossr(source, Setting(bits, controlled, Fraction(1, 25)), 3)
        steps.append(world.steps)
        right += isinstance(found, Covered) and found.controllable == tuple(range(controlled))
    return steps, right


def exorl_rows() -> Iterator[tuple[str, ...]]:
    for noise in (1, 2):
        steps, right, listed = factored_on_switches(2, noise, EXORL_SEEDS)
        world = f"2 switches, {counted(noise, 'bit')} of noise"
        took = f"{min(steps):,} to {max(steps):,}"
        yield world, f"factored, {listed} covers listed", took, f"{right}/{EXORL_SEEDS}"
        for episodes in (1000, 4000):
            taken, good = exorl_on_switches(2, noise, episodes, EXORL_SEEDS)
            name = f"ExoRL, {episodes:,} episodes a question"
            yield world, name, f"{round(mean(taken)):,}", f"{good}/{EXORL_SEEDS}"
        n = episodes_by_constant(
            actions=2, values=2, most=2, factors=2 + noise, horizon=3, eta=Fraction(1, 4),
            delta=Fraction(1, 20),
        )  # fmt: skip
        yield world, "ExoRL, as published", f"{n:,}·C episodes a question", "by its theorem"


def table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page() -> str:
    heads = ("locks", "values", "actions", "joint states", "that can occur")
    of_locks = (*heads, "transitions of factors", "steps", "found exactly, nothing else")
    rows = (lock_row(k, n, shared=s, seeds=SEEDS) for k, n, s in SIZES)
    parts = [
        HEAD,
        "## Locks side by side\n",
        LOCKS.format(seeds=SEEDS),
        table(of_locks, rows),
        "\n`steel factors --locks 20 --values 8` repeats one of them.\n",
        "## Beside ExoRL\n",
        EXORL.format(seeds=EXORL_SEEDS),
        table(("world", "method", "steps", "right"), exorl_rows()),
        "",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
