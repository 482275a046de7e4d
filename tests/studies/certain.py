"""Steps of certain STEEL on the paper's worlds, and what the steps after acceptance find.

`python -m tests.studies.certain` prints the tables of docs/theory/certain.md.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import mean
from typing import TYPE_CHECKING

from steel_verified.evidence.plans import Plan
from steel_verified.learning.certain import Certain, Decided, Refuted
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.multi_maze import multi_maze
from tests.learning.certain.worlds import is_connected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from steel_verified.learning.certain import Exploring
    from steel_verified.worlds.combination_lock import CombinationLock
    from steel_verified.worlds.multi_maze import MultiMaze

WORLDS: dict[str, Callable[[int], CombinationLock | MultiMaze]] = {
    "lock, K = 20": lambda seed: combination_lock(seed, states=20, components=512, least_noise=0.1),
    "lock, K = 30": lambda seed: combination_lock(seed, states=30, components=512, least_noise=0.1),
    "lock, K = 40": lambda seed: combination_lock(seed, states=40, components=512, least_noise=0.1),
    "maze": lambda seed: multi_maze(seed, mazes=9),
}
FIXED = [(0, noise) for noise in range(20)]
VARIABLE = [(seed, seed) for seed in range(20, 40)]


def steps_of(drawn: CombinationLock | MultiMaze, noise: int) -> int:
    """The number of steps after which the rows decide; the model is compared with the truth."""
    world, functions, table = drawn.world(noise), drawn.oracle(), drawn.dynamics().table
    method = Certain(functions.class_size, len(table[0]), drawn.first_action, check_steps=0)
    known = method.nothing()
    while (word := method.next_word(known)) is not None:
        rows = []
        for action in word:
            (seen,) = world.run(Plan((action,), 1)).rows((Progression(1),))
            rows.append(int.from_bytes(functions.pack(seen), "little"))
        known = method.told(known, word, rows)
    assert isinstance(known.decision, Decided)
    assert known.decision.current is not None
    assert is_same(known.decision.table, known.decision.current, table, world.state)
    return known.steps


def is_same(
    table: tuple[tuple[int, ...], ...], label: int, truth: tuple[tuple[int, ...], ...], state: int
) -> bool:
    """Whether two tables are the same under other names."""
    meaning, new = {label: state}, [label]
    while new:
        here = new.pop()
        for to, meant in zip(table[here], truth[meaning[here]], strict=True):
            if to not in meaning:
                meaning[to] = meant
                new.append(to)
            elif meaning[to] != meant:
                return False
    return len(meaning) == len(table) == len(truth) == len(set(meaning.values()))


KINDS = ("a classifier is missing", "2 % of the steps slip", "2 % of the rows show another state")
MOST = 200


def violated(seed: int) -> tuple[str, str, int]:
    """A world that violates an assumption: its kind, the model at first, and the steps until found.

    The noise flickers, is slow, walks in copies of the world, or shows earlier states.
    """
    random = Random(seed)
    table, states = [[0], [0]], 2
    while not is_connected(table):
        states = random.randrange(2, 6)
        table = [[random.randrange(states) for _ in range(2)] for _ in range(states)]
    kind, noise = random.choice(KINDS), noise_bits(random, table)
    missing = random.randrange(states) if kind == KINDS[0] else None
    method = Certain(states + NOISE_BITS, 2, seed=seed, check_steps=MOST)
    known, here, first = method.nothing(), random.randrange(states), ""
    while known.steps < 1000 + MOST and (word := method.next_word(known)) is not None:
        rows = []
        for action in word:
            if kind == KINDS[1] and random.random() < 0.02:
                here = random.randrange(states)
            here = table[here][action]
            lies = kind == KINDS[2] and random.random() < 0.02
            shown = random.randrange(states) if lies else here
            own = 0 if shown == missing else 1 << shown
            rows.append(own | next(noise)(here) << states)
        known = method.told(known, word, rows)
        first = first or named(known, set(range(states)))
    found = isinstance(known.decision, Refuted) and known.decided_at is not None
    return kind, first or "none", known.steps - (known.decided_at or 0) if found else MOST + 1


NOISE_BITS = 8


def noise_bits(random: Random, table: list[list[int]]) -> Iterator[Callable[[int], int]]:
    """Yield, for each row, a function from the state to the bits of noise."""
    kind = random.randrange(4)
    slow = 0.02 if kind == 1 else 0.9
    chances = [random.uniform(slow / 10, slow) for _ in range(NOISE_BITS)]
    walker, lit, history = 0, random.getrandbits(NOISE_BITS), list[int]()
    while True:
        lit ^= sum((random.random() < chance) << i for i, chance in enumerate(chances))
        walker = table[walker][random.randrange(2)]

        def show(state: int, lit: int = lit, walker: int = walker) -> int:
            history.append(state)
            if kind == 2:
                return 1 << walker | (lit & 3) << 6
            if kind == 3 and len(history) > 2:
                return 1 << history[-3] | (lit & 3) << 6
            return lit

        yield show


def named(known: Exploring, true: set[int]) -> str:
    """Whether the first model that the rows decide on is right; empty if they do not decide."""
    if not isinstance(known.decision, Decided):
        return ""
    return "right" if {fits[0] for fits in known.decision.labels} == true else "wrong"


def main() -> None:
    for name, drawn in WORLDS.items():
        fixed = [steps_of(drawn(env), noise) for env, noise in FIXED]
        variable = [steps_of(drawn(env), noise) for env, noise in VARIABLE]
        print(f"{name}: {mean(fixed):.0f} steps ({min(fixed)} to {max(fixed)}); ", end="")
        print(f"other seeds {mean(variable):.0f} ({min(variable)} to {max(variable)})", flush=True)
    runs = [violated(seed) for seed in range(1500)]
    number = Counter(kind for kind, _, _ in runs)
    for kind in KINDS:
        wrong = [steps for each, first, steps in runs if each == kind and first == "wrong"]
        left = {after: sum(steps > after for steps in wrong) for after in (0, 50, 100, 200)}
        print(f"{kind}: {number[kind]} runs, accepted and wrong after so many more steps: {left}")


if __name__ == "__main__":
    main()
