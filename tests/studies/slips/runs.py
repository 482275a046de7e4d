"""The study of slips: located STEEL if each step leads to a wrong state with a small probability.

Each job runs one kind of world with one slip probability, for a block of seeds, with and without
the self-check. Other jobs learn with several attempts that vote. Runs are judged by the usual
transitions.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted
from steel_verified.sweeps.study import Job, at_once
from steel_verified.theory.self_check import DEFAULT_CHECK
from steel_verified.theory.slips import MOST_SLIPPED, slips
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import compare
from steel_verified.worlds.slipping import SlipLaw
from steel_verified.worlds.voting import learn_with_slips
from tests.studies.violations.breaking import Violation, violated_world
from tests.studies.violations.judging import is_kept
from tests.studies.violations.twins import true_world

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.results import Result
    from steel_verified.sweeps.study import Row, Study
    from steel_verified.theory.parameters import Parameters
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.worlds.catalogue import Sizes
    from steel_verified.worlds.chains import Distribution
    from steel_verified.worlds.dynamics import Table
    from tests.studies.violations.drawing import ViolatedWorld
    from tests.studies.violations.process import Step


def slipping_world(rate: Fraction, seed: int) -> ViolatedWorld:
    """The honest world of a seed, in which each step slips with probability `rate`."""
    world = violated_world(Violation.HONEST, seed)
    states = len(world.table)

    def law(to: int) -> Distribution:
        return tuple(1 - rate if s == to else rate / (states - 1) for s in range(states))

    moves = tuple(tuple(law(to) for to in row) for row in world.table)
    return replace(world, process=replace(world.process, moves=moves), size=rate)


def slipped_steps(table: Table, start: int, path: Sequence[Step]) -> int:
    """How many steps of a path differ from the table."""
    before = (start, *(step.state for step in path))
    return sum(table[s][step.action] != step.state for s, step in zip(before, path, strict=False))


Batch = TypeVar("Batch", bound=Sized)


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
class _Learning:
    """Runs located STEEL once, or several attempts that vote, and records the steps."""

    parameters: Parameters
    first_action: int
    how: How
    self_check: SelfCheck | None = None
    steps: int = 0
    attempts: int = 1

    def __call__(self, world: World[Batch], oracle: Class[Batch]) -> Result:
        if self.how.voted:
            return self._vote(world, oracle)
        result = checked_run(
            world,
            oracle,
            Located(self.parameters, first_action=self.first_action),
            self_check=self.self_check,
            max_steps=self.how.most_steps,
        )
        self.steps = result.ledger.steps
        return result

    def _vote(self, world: World[Batch], oracle: Class[Batch]) -> Result:
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

    def ended(self_check: SelfCheck | None) -> tuple[Fate, _Learning, int]:
        learning: _Learning = _Learning(world.parameters, world.first_action, how, self_check)
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

    def ended(self_check: SelfCheck | None) -> tuple[Fate, _Learning, int]:
        learning: _Learning = _Learning(chosen.parameters, chosen.first_action, how, self_check)

        def learner(world: World[Batch], oracle: Class[Batch]) -> Result:
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


def _went(ended: Callable[[SelfCheck | None], tuple[Fate, _Learning, int]], how: How) -> Went:
    """Run without the self-check; if that is accepted, run again with it.

    The self-check never accepts a run that is not accepted without it. Attempts that vote are only
    made with it.
    """
    fate, learning, slipped = ended(DEFAULT_CHECK if how.voted else None)
    is_settled = how.voted or fate is Fate.NOTICED
    checked = fate if is_settled else ended(DEFAULT_CHECK)[0]
    return Went(fate, checked, learning.steps, slipped, learning.attempts)


def _fate(
    result: Result, is_right: Callable[[Accepted, int], bool], state: int, states: int
) -> Fate:
    """How a run ended in `state`, given a function that judges it for a state of the world."""
    if not isinstance(result, Accepted):
        return Fate.NOTICED
    if is_right(result, state):
        return Fate.RIGHT
    anywhere = any(is_right(result, other) for other in range(states))
    return Fate.LOST if anywhere else Fate.SILENT


RATES: Final = tuple(
    Fraction(digit, 10**exponent)
    for digit, exponent in ((1, 5), (2, 5), (5, 5), (1, 4), (3, 4), (1, 3), (3, 3), (1, 2))
)
"""p: the probability of a slip at each step."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Worlds of one kind, and the limits of their runs."""

    name: str
    title: str
    run: Callable[[How, int], Went]
    most_steps: int
    """A run ends as not accepted after this many steps."""
    attempt_steps: int
    """T for attempts that vote; slightly more than a run without slips takes."""
    runs: int
    voted: int
    block: int
    """The number of runs of one job."""
    delta: Fraction
    """δ of these worlds."""


SETTINGS: Final = (
    Setting(
        "random", "small random worlds", random_run, 1_500, 1_500, 400, 100, 20, Fraction(1, 1000)
    ),
    Setting(
        "loop",
        "DoublePrime (11, 13)",
        partial(catalogue_run, "double-prime", {"p": 11, "q": 13}),
        2_000,
        2_000,
        100,
        40,
        10,
        Fraction(1, 20),
    ),
    Setting(
        "lock",
        "lock, K = 20",
        partial(catalogue_run, "combination-lock", {"states": 20}),
        9_000,
        9_000,
        60,
        20,
        5,
        Fraction(1, 20),
    ),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """Runs on worlds of one kind with one slip probability."""

    setting: Setting
    rate: Fraction
    voted: bool

    @property
    def runs(self) -> int:
        return self.setting.voted if self.voted else self.setting.runs

    @property
    def keys(self) -> list[str]:
        """The keys of the rows of these runs."""
        return [self._key(seeds) for seeds in self._blocks()]

    def jobs(self) -> list[Job]:
        return [
            Job(self._key(seeds), partial(fates, self._plain, seeds)) for seeds in self._blocks()
        ]

    @property
    def _plain(self) -> tuple[str, Fraction, bool]:
        return self.setting.name, self.rate, self.voted

    def _blocks(self) -> list[range]:
        block = self.setting.block
        return [range(at, min(at + block, self.runs)) for at in range(0, self.runs, block)]

    def _key(self, seeds: range) -> str:
        how = "voted" if self.voted else "once"
        return (
            f"slips {self.setting.name} {how} p={float(self.rate):.0e} "
            f"seeds={seeds[0]:03d}-{seeds[-1]:03d}"
        )


CELLS: Final = tuple(
    Cell(setting, rate, voted)
    for voted in (False, True)
    for setting in SETTINGS
    for rate in RATES
    if not voted or rate * setting.attempt_steps <= MOST_SLIPPED
)


def slips_study() -> Study:
    """All runs: the first block of every cell, then the second block of each, and so on."""
    rounds = zip_longest(*(cell.jobs() for cell in CELLS))
    return at_once(job for jobs in rounds for job in jobs if job is not None)


def fates(plain: tuple[str, Fraction, bool], seeds: Sequence[int]) -> Row:
    """How each run ended (as a letter), its number of steps, and its number of slips.

    `ended` is the result without the self-check, and `checked` the result with it.
    """
    name, rate, voted = plain
    (setting,) = (each for each in SETTINGS if each.name == name)
    how = How(rate, setting.attempt_steps if voted else setting.most_steps, voted)
    went = [setting.run(how, seed) for seed in seeds]
    return {
        "ended": "".join(one.ended.value for one in went),
        "checked": "".join(one.checked.value for one in went),
        "steps": [one.steps for one in went],
        "slips": [one.slips for one in went],
        "attempts": [one.attempts for one in went],
    }
