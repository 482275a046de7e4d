"""Laws that your own oracle and your own world must satisfy, so that STEEL's guarantee holds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.evidence.oracle import Class, Decides
from steel_verified.evidence.plans import Plan, Word, World
from steel_verified.theory.progressions import Level, Progression

if TYPE_CHECKING:
    from collections.abc import Callable


Batch = TypeVar("Batch")


def check_oracle_laws(
    oracle: Class[Batch],
    zeros: Batch,
    ones: Batch,
    together: Callable[[Batch, Batch], Batch],
    *,
    separable: bool,
) -> None:
    """Raise `AssertionError` if the oracle violates a law on two datasets.

    `together(a, b)` must return the batch with the rows of both. `separable` says whether the class
    has a classifier that is 0 on all of `zeros` and 1 on all of `ones`.
    """
    low, high = oracle.summarise(zeros), oracle.summarise(ones)
    found = oracle.separating(low, high)
    if isinstance(oracle, Decides):
        said = oracle.separable(low, high)
        assert said == separable, f"the datasets are said to be separable: {said}"
    if separable:
        assert found is not None, "a classifier separates the datasets, but none was returned"
        assert not oracle.values(found, zeros).any(), "the classifier is 1 somewhere on `zeros`"
        assert oracle.values(found, ones).all(), "the classifier is 0 somewhere on `ones`"
        assert oracle.contains(found), "the classifier is said not to belong to the class"
        assert oracle.separates(found, low, high), "the classifier is said not to separate"
        exchanged = not oracle.values(found, ones).any() and oracle.values(found, zeros).all()
        said = oracle.separates(found, high, low)
        assert said == exchanged, "the classifier is said to separate what it does not, or not to"
    else:
        assert found is None, f"no classifier separates the datasets, but {found} was returned"
    joined = together(zeros, ones)
    both = oracle.summarise(joined)
    assert oracle.merge(low, high) == both, "the summary of a union is not the merge"
    assert oracle.merge(high, low) == both, "merging depends on the order"
    assert oracle.merge(oracle.nothing(), low) == low, "`nothing` changes a summary"
    packed = oracle.pack(zeros)
    assert packed + oracle.pack(ones) == oracle.pack(joined), "rows are not packed one by one"
    assert len(packed) % oracle.declared.row_bytes == 0, (
        "packed rows have other sizes than declared"
    )


def check_world_laws(
    make: Callable[[], World[Batch]],
    functions: Class[Batch],
    *,
    steps: int = 40,
    tries: int = 20,
    seed: int = 0,
) -> None:
    """Raise `AssertionError` if a world violates a law in random walks, drawn with `seed`.

    `make` must return a new world, the same each time and with the same noise, whatever actions are
    taken: give the noise its own generator, and draw from it in every step. `functions` is the
    class that reads the rows, such as `Components(12)`. Each of `tries` walks has `steps` steps, at
    least 4.
    """
    random = Random(seed)
    fresh = make()
    assert fresh.steps == 0, f"a new world has taken {fresh.steps} steps"
    actions = fresh.actions
    assert actions >= 1, f"a world has {actions} actions"
    laws = _Laws(make, functions)
    for _ in range(tries):
        word = tuple(random.randrange(actions) for _ in range(steps))
        seen = laws.walk(word)
        assert seen == laws.walk(word), (
            "two worlds from `make` show different rows after the same actions: seed the noise, "
            "and let nothing else be random"
        )
        laws.check_order(word, seen)
        laws.check_parts(word, seen, random.randrange(1, steps))
        at = random.randrange(steps)
        changed = (*word[:at], random.randrange(actions), *word[at + 1 :])
        _check_effects(seen, laws.walk(changed), at)


@dataclass(frozen=True, slots=True)
class _Laws(Generic[Batch]):
    """The worlds to check, and the class that reads their rows."""

    make: Callable[[], World[Batch]]
    functions: Class[Batch]

    def rows(self, batch: Batch) -> list[bytes]:
        size = self.functions.declared.row_bytes
        packed = self.functions.pack(batch)
        return [packed[start : start + size] for start in range(0, len(packed), size)]

    def walk(self, word: Word) -> list[bytes]:
        """The rows of a new world that runs a word once."""
        world = self.make()
        every = _all_of(1, len(word))
        loop = world.run(Plan(word, len(word), keeps=every))
        assert world.steps == len(word), (
            f"the world reports {world.steps} steps for a plan of {len(word)}"
        )
        (batch,) = loop.rows(every)
        first = self.rows(batch)
        world.run(Plan(word[:1], 1))
        again = self.rows(batch)
        assert first == again, "rows that were given change when the world goes on"
        assert len(again) == len(word), f"{len(again)} rows were given for {len(word)} times"
        return first

    def check_order(self, word: Word, seen: list[bytes]) -> None:
        """Require that a row depends neither on when it is requested nor on what else is."""
        half = len(word) // 2
        every, early, late = _all_of(1, len(word)), _all_of(1, half), _all_of(half + 1, len(word))
        loop = self.make().run(Plan(word, len(word), keeps=every))
        (last,) = loop.rows(late)
        (first,) = loop.rows(early)
        both, alone = loop.rows((*late, *early), early)
        expected = [seen[half:], seen[:half], seen[half:] + seen[:half], seen[:half]]
        found = [self.rows(batch) for batch in (last, first, both, alone)]
        assert expected == found, "rows depend on the order in which they are asked for"
        some = (Progression(2, (Level(half, 2),)),)
        (batch,) = self.make().run(Plan(word, len(word), keeps=some)).rows(some)
        assert seen[1::2] == self.rows(batch), "rows depend on which others may be asked for"

    def check_parts(self, word: Word, seen: list[bytes], cut: int) -> None:
        """Require that a loop in two plans, or in two loops, shows the same rows as one plan."""
        before, after = _all_of(1, cut), _all_of(cut + 1, len(word))
        world = self.make()
        world.run(Plan(word, cut, keeps=before))
        loop = world.run(Plan(word, len(word) - cut, cut, after))
        assert world.steps == len(word), f"steps are miscounted: {world.steps}, not {len(word)}"
        (batch,) = loop.rows((*before, *after))
        assert seen == self.rows(batch), (
            "a loop that is run in two plans shows other rows than one that is run at once"
        )
        world = self.make()
        world.run(Plan(word[:cut], cut))
        rest = _all_of(1, len(word) - cut)
        (batch,) = world.run(Plan(word[cut:], len(word) - cut, keeps=rest)).rows(rest)
        assert seen[cut:] == self.rows(batch), (
            "a new loop does not go on where the last one ended, or its times do not start at 1"
        )


def _check_effects(seen: list[bytes], other: list[bytes], at: int) -> None:
    """Require that two walks with the same noise, once their rows agree, agree from then on.

    They are in the same state then, because no observation belongs to two states.
    """
    assert seen[:at] == other[:at], f"an action in step {at + 1} changes what was seen before it"
    assert seen[at] != other[at] or seen[at:] == other[at:], (
        f"after different actions in step {at + 1} the rows are the same, and differ later "
        "although the same actions follow: observations come a step too late, one observation "
        "belongs to two states, or actions change the noise"
    )


def _all_of(first: int, last: int) -> tuple[Progression, ...]:
    return (Progression(first, (Level(last - first + 1, 1),)),)
