"""What the methods share whose class F is finite and listed: certain, slipping and factored.

Their random actions and coins are functions of the seed and the number of steps only. Once the rows
have decided, they take more steps, in which every row has to show what the model predicts: no rows
can show that an assumption holds, but these steps often show that one does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import OpenedCertain, opened
from steel_verified.learning.covers import nearest_first, word_to
from steel_verified.learning.results import Accepted
from steel_verified.theory.parameters import require_first_action

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.plans import Word
    from steel_verified.learning.certain import Certain
    from steel_verified.learning.deciding import Decided
    from steel_verified.learning.model import Model
    from steel_verified.learning.slipping import Slipping

MOST_CLASSIFIERS: Final = 1 << 17
"""A larger class is not listed."""
MOST_STEPS: Final = 100_000
"""By default, a run ends as not accepted after this many steps."""


class ListedMethod:
    """The settings that these methods have in common, and what follows from them."""

    __slots__ = ()
    needs: ClassVar[str] = "a finite F"
    most_steps: ClassVar[int] = MOST_STEPS
    parameters: ClassVar[None] = None
    """They have no N, D̂, t̂_mix or ε."""

    classifiers: int
    """|F|: the class is listed."""
    actions: int
    first_action: int
    seed: int
    delta: Fraction
    """δ, the chance of a wrong answer; 0 if nothing is left to chance."""
    check_steps: int
    """How many steps are taken after the rows decided."""

    def __post_init__(self) -> None:
        if not 1 <= self.classifiers <= MOST_CLASSIFIERS:
            raise InvalidArgument("classifiers", self.classifiers, f"1 to {MOST_CLASSIFIERS:,}")
        if self.actions < 1:
            raise InvalidArgument("actions", self.actions, "at least 1")
        require_first_action(self.first_action, self.actions)
        if self.check_steps < 0:
            raise InvalidArgument("check_steps", self.check_steps, "at least 0")
        if not 0 <= self.delta < 1:
            raise InvalidArgument("delta", self.delta, "at least 0 and less than 1")

    def require(self, actions: int, class_size: int | None) -> None:
        """Raise `InvalidArgument` unless the method fits the world and the class."""
        if actions != self.actions:
            raise InvalidArgument("actions", self.actions, f"{actions}, those of the world")
        if class_size != self.classifiers:
            expected = f"{class_size}, the size of the class"
            raise InvalidArgument("classifiers", self.classifiers, expected)

    def opened(self, slips: Fraction = Fraction(0), name: str = "finite") -> Ledger:
        """Return the ledger of a new run, with a class of this name."""
        sizes = self.classifiers, self.actions
        return opened(OpenedCertain(*sizes, delta=self.delta, slips=slips, name=name))

    def random(self, steps: int) -> Random:
        """Return the source of the next random actions, after so many steps."""
        return Random(f"{self.seed}/{steps}")

    def checking(self, steps: int, since: int | None, decided: Decided) -> Word | None:
        """Return the next of the steps that check a model, which was decided after `since` steps.

        They are a shortest way to a random transition, and the transition. None at the end.
        """
        left = max(0, self.check_steps - (steps - (since or 0)))
        random, table = self.random(steps), dict(enumerate(decided.table))
        label = random.randrange(len(table))
        way = word_to(nearest_first(table, decided.current or 0), label)
        return (*way, random.randrange(self.actions))[:left] or None


@dataclass(frozen=True, slots=True)
class Listing:
    """Covers are listed: how many of the transitions of those so far were taken."""

    taken: int
    of: int


@dataclass(frozen=True, slots=True)
class Tossing:
    """All covers are listed; coins are tossed."""

    passed: int
    needed: int


@dataclass(frozen=True, slots=True)
class Checking:
    """All coins were passed; more steps are taken."""

    done: int


def accepted(
    method: Certain | Slipping, decided: Decided, current: int, model: Model, ledger: Ledger
) -> Accepted:
    """Return the result of a run or a log that decided; each label gets its first classifier."""
    chosen = tuple(fits[0] for fits in decided.labels)
    return Accepted(method, model, current, chosen, ledger, decided=decided)
