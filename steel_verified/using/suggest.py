"""Which class of classifiers? Each one looks at the same short walk, and the simplest wins.

Nothing here is part of the guarantee: a class is a supposition about the environment, and a walk
can only show that it is wrong. What is recommended tells about as many groups of observations apart
as any class that was tried (see `preflights`), and is the first such class in this order: those
that can be listed and need no bounds, the last of which lists all observations where these have no
noise; then conjunctions, thresholds, boxes and half-spaces.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log10
from textwrap import fill
from typing import TYPE_CHECKING, Final, TypeVar, cast

import numpy as np

from steel_verified.classes.columns import growing
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import INT64, Featured, OneOf, Ranges
from steel_verified.classes.finite import Components
from steel_verified.classes.half_spaces import HalfSpaces
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import FLOAT64
from steel_verified.errors import InvalidArgument, is_installed
from steel_verified.learning.certain import Certain
from steel_verified.progress import progress_bar
from steel_verified.theory.parameters import ONE_IN_20, LocatedParameters
from steel_verified.theory.wording import counted
from steel_verified.using.attempt import is_listed
from steel_verified.using.noiseless import all_observations
from steel_verified.using.unbroken import unbroken
from steel_verified.worlds.estimates import predict
from steel_verified.worlds.preflights import OFTEN, WALK_STEPS, Preflight, looked, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import gymnasium
    from numpy.typing import NDArray

    from steel_verified.classes.features import Range
    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.using.unbroken import Stepping
    from steel_verified.worlds.preflights import Walk
    from steel_verified.worlds.stepped import Seen

Observation = TypeVar("Observation")

_MORE: Final = 1.25
"""A richer class is better if it tells more than so many times as many groups apart."""
_FEW_VALUES: Final = 12
"""A feature with at most so many values is cut between all of them."""
_GAP: Final = 0.05
"""Otherwise it is cut in gaps of at least this share of its range,"""
_EACH_SIDE: Final = 10
"""with at least so many values on each side, since the ends of noise have gaps, too."""
_MOST_RANGES: Final = 4096
_LARGE: Final = 10**9
_SLOW: Final = {"Thresholds": 64, "Boxes": 16, "HalfSpaces": 4}
"""With more numbers in a row, comparing observations by these classes takes minutes."""
_MOST_CONJOINED: Final = 256
"""With more ranges, a run with conjunctions of them takes half an hour or more."""
_PART: Final = 200
"""These classes look at so many steps of each part of the walk only."""
_MARGIN: Final = 2
_MIXING_MARGIN: Final = 4


@dataclass(frozen=True, slots=True)
class Tried:
    """A class, and what it sees on the walk; None if it was not tried."""

    F: Class[Numbers]
    meaning: str
    """What a state must look like."""
    look: Preflight | None
    untried: str = ""
    """Why it was not tried."""

    @property
    def name(self) -> str:
        """The class as one would write it."""
        return _named(self.F)

    @property
    def explored(self) -> bool:
        """Whether it lists all observations of an environment without noise (`noiseless`)."""
        return isinstance(self.F, Featured) and isinstance(self.F.function, OneOf)

    @property
    def fits(self) -> bool:
        """Whether the walk shows nothing against it."""
        return self.explored or (
            self.look is not None
            and self.look.often > 1
            and not any(each.warns for each in self.look.answers[:3])
        )

    @property
    def against(self) -> str:
        """What the walk shows against it, or why it was not tried; nothing if it fits."""
        found = self.look
        if found is None:
            return f"not tried: {self.untried}"
        if self.fits:
            return ""
        if found.often <= 1:
            rare = 1 < found.groups < found.different
            return "recognises almost nothing" if rare else "shows one state only"
        if found.answers[2].warns:
            return f"contradicted by {found.surprises:,} of {found.foreseen:,} steps"
        if found.alone < found.often:
            return f"no classifier for {found.often - found.alone:,} of {found.often:,} groups"
        return "recognises almost nothing"

    @property
    def tells_apart(self) -> int:
        """How many groups that were seen often it tells apart; 0 if it does not fit."""
        if self.explored:
            return self.F.declared.width
        return self.look.often if self.look is not None and self.fits else 0


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The classes that were tried on a walk, and the one to take. `print` shows a table."""

    tried: tuple[Tried, ...]
    steps: int
    """The steps of the walk."""
    actions: int

    @property
    def best(self) -> Tried | None:
        """The recommended one; None if there is something against every class."""
        most = max((each.tells_apart for each in self.tried), default=0)
        return next((each for each in self.tried if each.tells_apart * _MORE >= most > 0), None)

    @property
    def F(self) -> Class[Numbers]:  # noqa: N802 (the name of the class in the paper)
        """The recommended class; raises `InvalidArgument` with the reasons if there is none."""
        if self.best is None:
            raise InvalidArgument("F", None, f"a class, since none is recommended: {self.because}")
        return self.best.F

    @property
    def needs_bounds(self) -> bool:
        """Whether the recommended class cannot be listed beforehand, so that bounds are guessed."""
        return not is_listed(self.F)

    @property
    def max_states(self) -> int:
        """A first guess of N: twice the groups that were seen often."""
        return max(2, _MARGIN * (0 if self.best is None else self.best.tells_apart))

    @property
    def mixing_time(self) -> int:
        """A first guess of t̂_mix: four times the estimate; 1 if no noise was seen."""
        mixing = None if self.best is None or self.best.look is None else self.best.look.mixing
        if mixing is None or not mixing.varying:
            return 1
        return _MIXING_MARGIN * (self.steps if mixing.steps is None else mixing.steps)

    @property
    def because(self) -> str:
        """Why this class is recommended, or why none is."""
        best = self.best
        if best is None:
            if any(each.look and each.look.answers[2].warns for each in self.tried):
                return (
                    "the same action in what looks like one state led to different states: the "
                    "dynamics are random, or depend on something that no class that was tried "
                    "sees, or episodes begin in different states. Look for an option that makes "
                    "them deterministic, as is_slippery=False does for FrozenLake. If only the "
                    "start of episodes is random, give a finite class, such as Components(n): then "
                    "episodes are learned as they are. If each step leads elsewhere with a chance "
                    "that you can bound below 1/2, give a finite class and the bound as slips"
                )
            if any(each.look for each in self.tried):
                against = "; ".join(f"{each.name}: {each.against}" for each in self.tried)
                return (
                    f"on a walk of {counted(self.steps, 'step')}, none fits ({against}). Give "
                    "features, a function that computes a few bits or numbers that show the state, "
                    "such as the place of each thing"
                )
            return (
                "no feature has a gap between its values, and a row has too many numbers to try "
                "other classes on a walk: compute fewer features, such as means of pixels"
            )
        if best.explored:
            return (
                f"there are {counted(best.tells_apart, 'different observation')} in all, and each "
                "action always led from one of them to the same one: without noise, each shows a "
                "state. It needs no bounds"
            )
        text = f"it tells {counted(best.tells_apart, 'group')} of observations apart"
        others = [each for each in self.tried if each.fits and each is not best]
        more = max((each.tells_apart for each in others), default=0)
        if more > best.tells_apart:
            text += f", about as many as any class that was tried ({more})"
        elif others:
            text += ", as many as any class that was tried"
        coarser = [each for each in others if each.tells_apart * _MORE < best.tells_apart]
        if coarser:
            text += f"; {coarser[0].name} merges some of them ({coarser[0].tells_apart} are left)"
        if not self.needs_bounds:
            return f"{text}. It needs no bounds"
        guessed = f"first guesses are N = {self.max_states} and t̂_mix = {self.mixing_time}"
        if growing(best.F) is None:
            return f"{text}. It needs bounds: {guessed}"
        return f"{text}. If it is given to learn, it may need no bounds; otherwise {guessed}"

    def __str__(self) -> str:
        head = "No class is recommended" if self.best is None else f"Recommended: {self.best.name}"
        lines = [fill(f"{head}. {self.because[0].upper()}{self.because[1:]}.", 80), ""]
        rows = [_HEAD, *(_row(each, self.actions) for each in self.tried)]
        wide = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        for name, meaning, *numbers, remark in rows:
            right = (f"{each:>{width}}" for each, width in zip(numbers, wide[2:-1], strict=True))
            cells = (f"{name:<{wide[0]}}", f"{meaning:<{wide[1]}}", *right, remark)
            lines.append("  ".join(cells).rstrip())
        lines.append(f"After a walk of {counted(self.steps, 'step')}. These are estimates.")
        return "\n".join(lines)


_HEAD: Final = ("class", "a state shows", "classifiers", "groups", "steps", "remark")


def _row(tried: Tried, actions: int) -> tuple[str, str, str, str, str, str]:
    found, size = tried.look, tried.F.class_size
    known = "no bound"
    if size is not None:
        known = f"{size:,}" if size < _LARGE else f"10^{log10(size):.0f}"
    if found is None:
        return tried.name, tried.meaning, known, "", "", tried.against
    steps, remark = "", tried.against
    if tried.fits:
        may = "may need" if growing(tried.F) is not None else "needs"
        remark = "needs no bounds" if is_listed(tried.F) else f"{may} N and t̂_mix"
        steps = f"≥ {_least_steps(tried, actions):,}"
    groups = tried.tells_apart or found.often
    return tried.name, tried.meaning, known, f"{groups:,}", steps, remark


def _least_steps(tried: Tried, actions: int) -> int:
    """Return the least steps of a run if there are as many states as groups.

    Certain takes every transition once, and then steps that check the model.
    """
    if is_listed(tried.F) or growing(tried.F) is not None:
        return tried.tells_apart * actions + Certain(1, actions).check_steps
    least = LocatedParameters(
        actions=actions,
        max_states=tried.tells_apart,
        mixing_time=1,
        delta=ONE_IN_20,
        epsilon=ONE_IN_20,
    )
    return predict(least).located.least


def _named(functions: object) -> str:
    if isinstance(functions, Featured):
        on = functions.function
        inside = type(on).__name__
        if isinstance(on, Ranges | OneOf):
            inside = f"{on.size} {'ranges' if isinstance(on, Ranges) else 'observations'}"
        return f"{type(functions.functions).__name__} of {inside}"
    size = getattr(functions, "features", None) or getattr(functions, "class_size", "")
    return f"{type(functions).__name__}({size})"


def suggest_class(
    where: World[Numbers]
    | gymnasium.Env[Observation, np.int64]
    | Stepping[Observation]
    | Callable[[int], Observation],
    *,
    actions: int | None = None,
    features: Callable[[Observation], Seen] | None = None,
    seed: int = 0,
    steps: int = WALK_STEPS,
) -> Suggestion:
    """Try the classes on a short walk, and recommend the simplest that tells most apart.

    The arguments are those of `learn`; a walk of `steps` steps is taken in `where`. Then
    `learn(where, suggestion.F)` learns with the recommended class, and `print(suggestion)` shows
    what each class tells apart and needs. These are estimates, not part of a guarantee.
    """
    read = cast("Callable[[object], Seen] | None", features)  # it refuses what it cannot read
    return suggested(where, actions=actions, features=read, seed=seed, steps=steps)


def suggested(
    where: object,
    *,
    actions: int | None,
    features: Callable[[object], Seen] | None,
    seed: int,
    steps: int = WALK_STEPS,
) -> Suggestion:
    """Do what `suggest_class` says, for whatever `unbroken` takes."""
    world, _ = unbroken(where, actions=actions, features=features, seed=seed, noisy=True)
    before = world.steps
    walked = walk(world, steps=steps, seed=seed)
    tried: list[Tried] = []
    with progress_bar("trying classes on a walk", None) as tell:
        for functions, meaning in _classes(world, walked, tried):
            tell(len(tried), None)
            untried = _untried(functions, tried)
            part = walked.beginning(_PART) if type(functions).__name__ in _SLOW else walked
            look = None if untried else looked(part, functions)
            tried.append(Tried(functions, meaning, look, untried))
    return Suggestion(tuple(tried), world.steps - before, world.actions)


def _untried(functions: Class[Numbers], before: Sequence[Tried]) -> str:
    """Return why a class is not tried after others, or nothing."""
    if isinstance(functions, Featured) and isinstance(functions.functions, Conjunctions):
        if functions.functions.features > _MOST_CONJOINED:
            return f"slow with over {_MOST_CONJOINED} ranges"
        return ""
    most = _SLOW.get(type(functions).__name__)
    if most is None:
        return ""
    if any(each.fits for each in before):
        return "a simpler class fits"
    return f"slow with over {most} numbers" if functions.declared.width > most else ""


def _classes(
    world: World[Numbers], walked: Walk[Numbers], tried: Sequence[Tried]
) -> Iterator[tuple[Class[Numbers], str]]:
    """Yield the classes that can read the rows of a walk, the simplest first.

    Each was `tried` before the next one is asked for. The world is explored only if a class that
    lists its observations might tell more apart than those before it.
    """
    batches = [*(batch for batches in walked.repeated for batch in batches), *walked.rows]
    rows = np.concatenate(batches)
    table = rows.reshape(len(rows), -1)
    width = table.shape[1]
    are_bits = table.dtype == np.bool_
    if are_bits:
        yield Components(width), "one bit"
    found = _ranges(table)
    ranges = Ranges(width, found) if found else None
    if ranges is not None:
        either = "one bit, 1 or 0" if are_bits else "one number in a range"
        yield Featured(ranges, Components(ranges.size)), either
    often = sum(times >= OFTEN for times in Counter(row.tobytes() for row in table).values())
    told_apart = max((each.tells_apart for each in tried), default=0)
    known = all_observations(world, walked) if often > _MORE * told_apart else None
    if known is not None:
        yield known, "one observation"
    if are_bits:
        yield Conjunctions(width), "several bits"
        return
    if ranges is not None:
        yield Featured(ranges, Conjunctions(ranges.size)), "several in ranges"
    domain = FLOAT64 if table.dtype.kind == "f" else INT64
    yield Thresholds(width, domain), "one bound"
    yield Boxes(width, domain), "a box"
    if is_installed("scipy"):
        yield HalfSpaces(width, domain), "a weighted sum"


def _ranges(table: Numbers) -> tuple[Range, ...]:
    """Return ranges of single features that the values seen in a table suggest.

    A feature is cut between its values if it has few, and otherwise in the wide gaps between them.
    Each part is a range, and so is everything below or above a cut. Few values are also cut off
    from those that were not seen, so that a state in which one of these shows is not overlooked.
    """
    are_bits = table.dtype == np.bool_
    values = np.asarray(table, np.float64)
    if not np.isfinite(values).all():
        raise InvalidArgument("observation", "numbers that are not finite", "finite numbers")
    cells: list[Range] = []
    sides: list[Range] = []
    for i in range(table.shape[1]):
        cuts = [0.5] if are_bits else _cuts(values[:, i])
        bounds = [-inf, *cuts, inf]
        if cuts:
            cells += [(i, low, high) for low, high in pairwise(bounds)]
            sides += [(i, -inf, cut) for cut in cuts[1:]] + [(i, cut, inf) for cut in cuts[:-1]]
    both = [*cells, *sides]
    return tuple(both if len(both) <= _MOST_RANGES else cells[:_MOST_RANGES])


def _cuts(values: NDArray[np.float64]) -> list[float]:
    """Return where to cut a feature, in increasing order."""
    different = np.unique(values)
    if len(different) <= _FEW_VALUES:
        near = float(np.diff(different).min(initial=1)) / 2
        middles = (different[:-1] + different[1:]) / 2
        return [float(each) for each in (different[0] - near, *middles, different[-1] + near)]
    ordered = np.sort(values)[_EACH_SIDE - 1 : len(values) - _EACH_SIDE + 1]
    gaps = np.diff(ordered)
    wide = gaps >= _GAP * (different[-1] - different[0])
    return [float(each) for each in ordered[:-1][wide] + gaps[wide] / 2]
