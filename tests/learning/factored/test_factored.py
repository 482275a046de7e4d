"""Every true factor is listed with its exact table, and the list is exactly the covers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product as every
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steel_verified import learn
from steel_verified.errors import InvalidArgument
from steel_verified.learning import covers as searching
from steel_verified.learning import factored, listed
from steel_verified.learning.drive import Watch, drive
from steel_verified.learning.factored import Factored, Factors, product_of
from steel_verified.learning.results import Contradicted, NotAccepted
from steel_verified.worlds.locks import Locks
from steel_verified.worlds.progress import Progress
from tests.learning.certain.worlds import Definition
from tests.learning.factored.worlds import Parts, factored_worlds, is_factor, ran
from tests.reaching import reach

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NO_COINS = Fraction(0)


def method_for(world: Parts, seed: int = 0, check_steps: int = 0) -> Factored:
    n, a = world.size, world.actions
    return Factored(n, a, seed=seed, delta=NO_COINS, check_steps=check_steps)


def columns_of(known: factored.Exploring, definition: Definition) -> set[frozenset[frozenset[int]]]:
    """The listed covers, each as the set of its columns."""
    return {frozenset(map(definition.column, each.table)) for each in known.listed}


def is_exact(world: Parts, seed: int, most: int) -> bool:
    """Whether the list is exactly the covers by definition, if the run says that it has all."""
    known, path, _ = ran(world, method_for(world, seed), most)
    if not known.is_all:
        return True
    definition = Definition.of([path], world.size, world.actions, connected=True)
    found = columns_of(known, definition)
    return found == set(definition.covers()) and len(known.listed) == len(found)


@settings(max_examples=60)
@given(factored_worlds(most=2), st.integers(0, 9), st.integers(2, 60))
def test_list_is_exactly_the_admissible_covers(world: Parts, seed: int, most: int) -> None:
    assert is_exact(world, seed, most)


@settings(max_examples=60)
@given(factored_worlds(), st.integers(0, 9))
def test_every_factor_is_listed_with_its_exact_table_for_every_noise(
    world: Parts, seed: int
) -> None:
    """An adversary who sees the actions chooses the other bits. It ends within the stated bound."""
    bound = (world.size * world.actions + world.size**2) * world.size
    known, _, ended = ran(world, method_for(world, seed), bound + 2)
    assert ended
    found = product_of(known).factors
    for factor in range(len(world.tables)):
        assert any(is_factor(each, world, factor) for each in found)


@settings(max_examples=30)
@given(factored_worlds(), st.integers(0, 9), st.integers(1, 80))
def test_true_factors_are_not_lost_by_more_steps(world: Parts, seed: int, steps: int) -> None:
    known, _, ended = ran(world, method_for(world, seed, check_steps=steps), 4000)
    assert ended
    assert {each.cover for each in known.listed if each.open} == set()
    for factor in range(len(world.tables)):
        assert any(is_factor(each, world, factor) for each in product_of(known).factors)


# --- planted mistakes -----------------------------------------------------------------------------


def test_learner_that_stops_at_its_first_cover_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(*given_: object, **more: object) -> object:
        found = real(*given_, **more)  # type: ignore[arg-type]  # passed on as they are
        return found[: max(1, len(more["before"]))]  # type: ignore[arg-type]  # a list of covers

    real = searching.covers
    monkeypatch.setattr(factored, "covers", first)
    reach(factored_worlds(most=2), lambda world: not is_exact(world, 0, 60))


def test_learner_that_never_asks_again_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that divides the classifiers of a label leaves a cover that was not listed."""
    monkeypatch.setattr(factored, "_divided", lambda *_: False)

    def stays(world: Parts) -> bool:
        known, path, _ = ran(world, method_for(world, check_steps=60), 200)
        definition = Definition.of([path], world.size, world.actions, connected=True)
        return known.is_all and columns_of(known, definition) != set(definition.covers())

    reach(factored_worlds(most=1), stays)


def test_learner_that_forgets_lemma_2_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (factored, searching):
        monkeypatch.setattr(module, "impossible_part", lambda *_: 0)
    monkeypatch.setattr(factored, "without_lone_labels", lambda known, **_: known)
    reach(factored_worlds(most=2), lambda world: not is_exact(world, 0, 60))


# --- coins ----------------------------------------------------------------------------------------


def passes(bits: Sequence[bool], delta: Fraction, seed: int = 0) -> bool:
    """Whether a bit of noise with these values is accepted beside a switch as a factor."""

    def noise(world: Parts) -> bool:
        return bits[(len(world.states) - 1) % len(bits)]

    world = Parts([[[0, 1], [1, 0]]], [noise, lambda now: not noise(now)])
    method = Factored(world.size, 2, seed=seed, delta=delta, check_steps=0)
    known, _, ended = ran(world, method, len(bits))
    return ended and any(each.cover & 3 for each in known.listed if each.forks)


def chance_of_noise(delta: Fraction, seed: int, length: int = 10) -> Fraction:
    """Exactly: fair bits of noise, all of them. What is not decided in time counts as refused."""
    drawn = [passes(bits, delta, seed) for bits in every((False, True), repeat=length)]
    return Fraction(sum(drawn), len(drawn))


@pytest.mark.parametrize("delta", [Fraction(1, 2), Fraction(1, 9)])
def test_noise_passes_with_the_chance_that_is_charged_at_most(delta: Fraction) -> None:
    assert chance_of_noise(delta, 0) <= delta
    assert delta < Fraction(1, 2) or chance_of_noise(delta, 0) > 0


def test_learner_without_enough_coins_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factored, "coins_needed", lambda _: 1)
    assert chance_of_noise(Fraction(1, 99), 0) > Fraction(1, 99)


# --- runs -----------------------------------------------------------------------------------------


def found_of(world: Locks, method: Factored) -> Factors:
    result = drive(method, world, world.functions(), (), 10_000)
    assert isinstance(result, Factors)
    return result


@pytest.mark.parametrize("shared", [False, True])
def test_locks_are_found_and_nothing_else(shared: bool) -> None:  # noqa: FBT001 (of the world)
    world = Locks(3, 5, components=60, shared=shared, env_seed=1)
    result = found_of(world, Factored(60, world.actions))
    found = {frozenset(fits[0] for fits in f.classifiers): f for f in result.product.factors}
    assert found.keys() == {frozenset(each) for each in world.indicators}
    for lock, indicators in enumerate(world.indicators):
        factor = found[frozenset(indicators)]
        assert world.lock_of(factor) == lock
        assert factor.coins >= 6
        wrong = replace(factor, table=tuple(line[::-1] for line in factor.table))
        assert world.lock_of(wrong) is None
        assert world.lock_of(replace(factor, current=(factor.current + 1) % 5)) is None
    assert result.ledger.budget.spent == Fraction(3, 64)
    assert shared or result.product.joint_states.number == 125


def test_run_is_repeated_from_its_seed() -> None:
    runs = [found_of(Locks(2, 4, components=40), Factored(40, 4, seed=7)) for _ in range(2)]
    assert runs[0] == runs[1]


def test_world_without_a_factor_is_contradicted() -> None:
    world = Parts([[[0, 1], [1, 0]]])
    method = Factored(1, 2)  # F classifies one of the two values only
    known = method.nothing()
    while (action := method.next_action(known)) is not None:
        known = method.with_row(known, action, world.step(action) & 1)
    assert not known.listed
    lock = Locks(1, 3, components=3)
    lock.indicators = [[0, 1, 1]]  # no classifier tells value 1 from value 2
    result = drive(Factored(3, 2), lock, lock.functions(), (), 1000)
    assert isinstance(result, Contradicted)


def test_too_many_covers_and_too_few_steps_are_said() -> None:
    world = Locks(3, 4, components=40)
    few = drive(Factored(40, 6, most_covers=1), world, world.functions(), (), 400)
    assert isinstance(few, NotAccepted)
    assert "the rows leave more than 1 cover" in few.because
    world = Locks(3, 4, components=40)
    short = drive(Factored(40, 6), world, world.functions(), (), 20)
    assert isinstance(short, NotAccepted)
    assert "perhaps not all" in short.because


WRONG: dict[str, Callable[[], object]] = {
    "classifiers = 0": lambda: Factored(0, 2),
    "actions = 0": lambda: Factored(2, 0),
    "check_steps = -1": lambda: Factored(2, 2, check_steps=-1),
    "most_covers = 0": lambda: Factored(2, 2, most_covers=0),
    "delta = 1": lambda: Factored(2, 2, delta=Fraction(1)),
    "locks = 0": lambda: Locks(0, 2),
    "values = 1": lambda: Locks(2, 1),
    "components = 3": lambda: Locks(2, 2, components=3),
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_arguments_are_named(text: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        WRONG[text]()
    assert str(refused.value).startswith(text)


def test_progress_tells_what_is_counted_in_each_stage() -> None:
    world, told = Locks(2, 3, components=12), list[Progress]()
    learned = learn(world, world.functions(), Factored(12, world.actions), progress=told.append)
    assert [*dict.fromkeys(each.stage.name for each in told)] == [
        "exploring",
        "tossing",
        "checking",
    ]
    assert {each.stage.unit for each in told} == {"transition", "coin", "step"}
    assert all(0 <= each.stage.done <= each.stage.of for each in told if each.stage.of)
    assert told[-1].steps <= learned.steps
    with pytest.raises(InvalidArgument, match="its own parameters"):
        learn(world, world.functions(), Factored(12, world.actions), delta="1/20")  # type: ignore[call-overload]  # the types refuse it too


def test_stages_count_what_was_done() -> None:
    world, stages = Locks(2, 3, components=12), list[object]()
    method = Factored(12, world.actions, check_steps=7)

    def watch(state: factored.State) -> None:
        stages.append(state.stage)

    drive(method, world, world.functions(), (Watch(watch),))
    listing = [each for each in stages if isinstance(each, listed.Listing)]
    assert max(each.taken for each in listing) > 10
    assert all(each.taken <= each.of for each in listing)
    tossing = [each for each in stages if isinstance(each, listed.Tossing)]
    assert [each.passed for each in tossing] == sorted(each.passed for each in tossing)
    assert stages[-8:] == [listed.Checking(done) for done in range(8)]
