"""A check before a run: a short walk in a world, and plain answers to what may go wrong.

    print(preflight(world, Components(12), max_states=10, mixing_time=5))

Nothing here is part of the guarantee. Estimates are called estimates.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from random import Random
from textwrap import fill
from typing import TYPE_CHECKING, Final, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.theory.parameters import require_integer, require_oracle, require_world
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.grouping import LONGEST_PERIOD, Groups, different_outcomes, period_of
from steel_verified.worlds.mixing_estimate import estimated, probes, varying_features
from steel_verified.worlds.progress import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.evidence.oracle import Oracle
    from steel_verified.evidence.plans import World
    from steel_verified.worlds.mixing_estimate import MixingEstimate
    from steel_verified.worlds.progress import Progress

Batch = TypeVar("Batch", bound=Sized)
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")

_OFTEN: Final = 10
_RICH: Final = 50
_FEW: Final = 0.02
_COMPARED: Final = 60
_LEAST_EACH: Final = 4 * LONGEST_PERIOD


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its answer, and whether the answer needs attention."""

    question: str
    told: str
    warns: bool


@dataclass(frozen=True, slots=True)
class Preflight:
    """The results of a short walk. A group contains observations that cannot be distinguished."""

    steps: int
    different: int
    """The number of different observations."""
    features: int
    varying: int
    """The number of features that took more than one value."""
    growth: tuple[int, ...]
    """The number of groups after each step of the random walk."""
    often: int
    """The number of groups that were seen often."""
    foreseen: int
    """Steps with a predicted outcome: the same action in the same group was seen often before."""
    surprises: int
    """The number of these steps that showed another group."""
    pairs: int
    """Pairs of steps with the same action from observations of the same state; counted only if
    there is only one group."""
    differing: int
    """The number of these pairs that led to distinguishable observations."""
    mixing: MixingEstimate | None
    max_states: int | None
    mixing_time: int | None

    @property
    def groups(self) -> int:
        """The number of groups at the end."""
        return self.growth[-1]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The questions and their answers."""
        return (
            self._varies(),
            self._separates(),
            self._random(),
            self._states(),
            self._mixes(),
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """The answers that need attention."""
        return tuple(answer.told for answer in self.answers if answer.warns)

    def __str__(self) -> str:
        """The answers for a screen of 80 columns, with a "!" before those that need attention."""
        lines: list[str] = []
        for answer in self.answers:
            lines.append(f"{'!' if answer.warns else ' '} {answer.question}")
            told = f"{answer.told[0].upper()}{answer.told[1:]}."
            lines.append(fill(told, 80, initial_indent="    ", subsequent_indent="    "))
        return "\n".join(lines)

    def _varies(self) -> Answer:
        told = f"features that took more than one value: {self.varying} of {self.features}"
        return Answer("Does any classifier vary?", told, warns=self.varying == 0)

    def _separates(self) -> Answer:
        question = "Do the features separate anything?"
        told = f"different observations: {self.different:,}; groups of them: {self.groups:,}"
        if self.groups == 1:
            told += (
                ". All observations look alike: the features do not show the state, the class is "
                "too small, the dynamics are random, or there is only one state"
            )
            return Answer(question, told, warns=True)
        if self.groups >= _RICH and 2 * self.groups > self.different:
            told += ". Almost nothing is recognised: the class is too large, or the walk too short"
            return Answer(question, told, warns=True)
        return Answer(question, told, warns=False)

    def _random(self) -> Answer:
        question = "Is there visible randomness in the dynamics?"
        if self.groups == 1:
            told = (
                f"an estimate: of {self.pairs:,} pairs of steps with one action from observations "
                f"of one state, {self.differing:,} led to observations that look different"
            )
            return Answer(question, told, warns=self.differing > 0)
        if not self.foreseen:
            return Answer(question, "unknown: no state was seen often enough", warns=False)
        told = (
            f"an estimate: of {self.foreseen:,} steps whose outcome had been seen often, "
            f"{self.surprises:,} showed another state"
        )
        if self.surprises <= _FEW * self.foreseen:
            return Answer(question, told, warns=False)
        told += (
            ". The dynamics are random or depend on something that is not observed, or some state "
            "does not have its own classifier"
        )
        return Answer(question, told, warns=True)

    def _states(self) -> Answer:
        question = "Which N seems too small?"
        told = f"an estimate: groups seen at least {_OFTEN} times: {self.often:,}"
        if self.max_states is None:
            return Answer(question, told, warns=False)
        if self.often > self.max_states:
            return Answer(question, f"{told}; N = {self.max_states} seems too small", warns=True)
        return Answer(question, f"{told}; N is {self.max_states}", warns=False)

    def _mixes(self) -> Answer:
        question = "How slowly does the noise seem to mix?"
        found = self.mixing
        if found is None:
            told = f"unknown: no action leads back to a state within {LONGEST_PERIOD} steps"
            return Answer(question, told, warns=False)
        where = f"while action {found.action} was repeated"
        if not found.varying:
            return Answer(question, f"no noise was seen {where}", warns=False)
        if found.steps is None:
            told = f"too slowly for this walk to tell, {where}: walk longer"
            return Answer(question, told, warns=True)
        told = f"an estimate, {where}: t_mix is about {found.steps}"
        if self.mixing_time is not None and self.mixing_time < found.steps:
            told += f"; t̂_mix = {self.mixing_time} seems too small"
            return Answer(question, told, warns=True)
        return Answer(question, told, warns=False)


def preflight(
    world: World[Batch],
    oracle: Oracle[Batch, Summary, Classifier],
    *,
    steps: int = 2000,
    seed: int = 0,
    max_states: int | None = None,
    mixing_time: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Preflight:
    """Repeat each action, then walk at random, each for half of the steps, and return answers.

    The world is used up by this: learn in a new one. `max_states` and `mixing_time` are the values
    of N and t̂_mix that you plan to use. `progress` is called while observations are compared, which
    takes long if many of them can be told apart.
    """
    require_world(world)
    require_oracle(oracle)
    for argument, bound in (("max_states", max_states), ("mixing_time", mixing_time)):
        if bound is not None:
            require_integer(argument, bound, at_least=1)
    each = steps // 2 // world.actions
    if each < _LEAST_EACH:
        expected = f"at least {2 * _LEAST_EACH * world.actions}, for this many actions"
        raise InvalidArgument("steps", steps, expected)
    groups: Groups[Batch, Summary, Classifier] = Groups(oracle)
    packed: list[bytes] = []
    estimates: list[MixingEstimate] = []
    for action in range(world.actions):
        # The first observations may be from states that do not recur.
        batches = _walked(world, (action,) * each)[each // 4 :]
        rows = [oracle.summarise(batch) for batch in batches]
        shown = [oracle.pack(batch) for batch in batches]
        packed += shown
        if (period := period_of(oracle, rows)) is not None:
            groups.add_cycle(action, rows, period)
            estimates.append(estimated(action, period, probes(shown, oracle.declared)))
    random = Random(seed)
    word = tuple(random.randrange(world.actions) for _ in range(steps - each * world.actions))
    walked = _walked(world, word)
    singles = [oracle.summarise(batch) for batch in walked]
    packed += [oracle.pack(batch) for batch in walked]
    growth = _grown(groups, word, singles, counting(progress, "comparing", len(word)))
    few = _COMPARED if len(groups) == 1 else 0
    pairs, differing = different_outcomes(oracle, singles[:few], word[:few])
    return Preflight(
        steps=steps,
        different=len(set(packed)),
        features=oracle.declared.width,
        varying=varying_features(packed, oracle.declared),
        growth=growth,
        often=groups.visited(_OFTEN),
        foreseen=groups.foreseen,
        surprises=groups.surprises,
        pairs=pairs,
        differing=differing,
        mixing=min(estimates, key=lambda one: one.period, default=None),
        max_states=max_states,
        mixing_time=mixing_time,
    )


def _grown(
    groups: Groups[Batch, Summary, Classifier],
    word: Sequence[int],
    rows: Sequence[Summary],
    note: Callable[[int], None],
) -> tuple[int, ...]:
    """Add the rows of a walk to the groups; return the number of groups after each of them."""
    growth: list[int] = []
    here: int | None = None
    for done, (action, row) in enumerate(zip(word, rows, strict=True), start=1):
        here = groups.add(row, here, action)
        growth.append(len(groups))
        note(done)
    return tuple(growth)


def _walked(world: World[Batch], word: tuple[int, ...]) -> tuple[Batch, ...]:
    """The observation after each action of a word, one row per batch."""
    every = (Progression(1, (Level(len(word), 1),)),)
    loop = world.run(Plan(word, len(word), keeps=every))
    return loop.rows(*((Progression(time),) for time in range(1, len(word) + 1)))
