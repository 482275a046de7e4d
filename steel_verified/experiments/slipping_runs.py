"""Single runs of located STEEL in worlds whose steps slip, judged by the usual transitions."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.learning.results import Accepted
from steel_verified.theory.recipe import located
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.theory.slips import slips
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.driver import learn_located
from steel_verified.worlds.slipping import SlipLaw
from steel_verified.worlds.truth import compare
from steel_verified.worlds.violated.judging import is_kept
from steel_verified.worlds.violated.slips import slipped_steps, slipping_world
from steel_verified.worlds.violated.twins import true_world
from steel_verified.worlds.voting import learn_with_slips

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from steel_verified.classes.finite import Marks
    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import World
    from steel_verified.learning.results import Result
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.kinds import Sizes

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")


class Fate(Enum):
    """How a run ended; the most likely transitions count as the truth."""

    RIGHT = "R"
    """Accepted and right: dynamics, encoder, and the current state of the world."""
    LOST = "L"
    """Accepted, dynamics and encoder are right, but the world is in another state."""
    NOTICED = "N"
    """Not accepted."""
    SILENT = "S"
    """Accepted, with wrong dynamics or a wrong encoder."""


@dataclass(frozen=True, slots=True)
class How:
    """The settings with which a world is learned."""

    rate: Fraction
    """p: the probability of a slip at each step."""
    most_steps: int
    """A run, or an attempt, ends as not accepted after this many steps."""
    voted: bool
    """Whether several attempts vote."""


@dataclass(frozen=True, slots=True)
class Went:
    """How a run ended without and with the self-check."""

    ended: Fate
    checked: Fate
    steps: int
    slips: int
    attempts: int


@dataclass(slots=True)
class _Learning(Generic[Classifier]):
    """Runs located STEEL once, or several attempts that vote, and records the steps."""

    parameters: Parameters
    first_action: int
    how: How
    self_check: SelfCheck | None = None
    steps: int = 0
    attempts: int = 1

    def __call__(
        self, world: World[Batch], oracle: Oracle[Batch, Summary, Classifier]
    ) -> Result[Classifier]:
        if self.how.voted:
            return self._vote(world, oracle)
        result = learn_located(
            world,
            oracle,
            located(self.parameters),
            first_action=self.first_action,
            max_steps=self.how.most_steps,
            self_check=self.self_check,
        )
        self.steps = result.ledger.steps
        return result

    def _vote(
        self, world: World[Batch], oracle: Oracle[Batch, Summary, Classifier]
    ) -> Result[Classifier]:
        voted = learn_with_slips(
            world,
            oracle,
            self.parameters,
            slips(self.how.rate, self.how.most_steps),
            first_action=self.first_action,
            self_check=self.self_check,
        )
        self.steps, self.attempts = voted.steps, len(voted.attempts)
        if isinstance(voted.result, Accepted) and voted.current is not None:
            return replace(voted.result, current=voted.current)
        return voted.result


def random_run(how: How, seed: int) -> Went:
    """A run on a small random world whose steps slip."""
    world = slipping_world(how.rate, seed)

    def ended(self_check: SelfCheck | None) -> tuple[Fate, _Learning[int], int]:
        learning: _Learning[int] = _Learning(world.parameters, world.first_action, how, self_check)
        under_way = world.begin()
        result = learning(under_way, world.oracle)
        truth = true_world(world, under_way)
        assert truth is not None, "every state reaches every other"
        fate = _fate(
            result,
            lambda found, state: is_kept(found, world, replace(truth, state=state)),
            truth.state,
            truth.dynamics.states,
        )
        return fate, learning, slipped_steps(world.table, world.process.start, under_way.path)

    return _went(ended, how)


def catalogue_run(name: str, sizes: Sizes, how: How, seed: int) -> Went:
    """A run on a world of the catalogue whose steps slip; one seed is used for all its parts."""
    chosen, law = instance(name, seed, **sizes), SlipLaw(how.rate, seed)
    truth = chosen.simulation.drawn.truth()

    def ended(self_check: SelfCheck | None) -> tuple[Fate, _Learning[int], int]:
        learning: _Learning[int] = _Learning(
            chosen.parameters, chosen.first_action, how, self_check
        )

        def learner(world: World[Batch], oracle: Oracle[Batch, Marks, int]) -> Result[int]:
            return learning(world, oracle)

        result, state = chosen.simulation.learned_with_slips(learner, seed, law)
        fate = _fate(
            result,
            lambda found, state: compare(found, truth, state).all_right,
            state,
            truth.dynamics.states,
        )
        return fate, learning, law.among(learning.steps)

    return _went(ended, how)


def _went(ended: Callable[[SelfCheck | None], tuple[Fate, _Learning[int], int]], how: How) -> Went:
    """Run without the self-check; if that is accepted, run again with it.

    The self-check never accepts a run that is not accepted without it. Attempts that vote are only
    made with it.
    """
    fate, learning, slipped = ended(DEFAULT_CHECK if how.voted else None)
    is_settled = how.voted or fate is Fate.NOTICED
    checked = fate if is_settled else ended(DEFAULT_CHECK)[0]
    return Went(fate, checked, learning.steps, slipped, learning.attempts)


def _fate(
    result: Result[int], is_right: Callable[[Accepted[int], int], bool], state: int, states: int
) -> Fate:
    """How a run ended in `state`, given a function that judges it for a state of the world."""
    if not isinstance(result, Accepted):
        return Fate.NOTICED
    if is_right(result, state):
        return Fate.RIGHT
    anywhere = any(is_right(result, other) for other in range(states))
    return Fate.LOST if anywhere else Fate.SILENT
