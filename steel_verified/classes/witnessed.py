"""Half-spaces whose every answer is kept with its proof, for the certificate of a located run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from steel_verified.errors import Undecided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, LiftedPoints
    from steel_verified.classes.hulls import Meeting
    from steel_verified.classes.numbers import Numbers
    from steel_verified.evidence.oracle import Declared


@dataclass(slots=True)
class Witnessed:
    """An oracle for one run. It remembers its answers, and gives an old one where that still holds.

    So most questions cost no linear program, and few half-spaces stand for many answers. The answer
    is a function of what the oracle was shown before, and of nothing else.
    """

    functions: HalfSpaces
    separators: list[HalfSpace] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """Answer k ≥ 0 is separator k, and answer −1 − k is meeting k."""
    _recent: list[int] = field(default_factory=list)
    """The separators by when they were last given, the last one first."""

    @property
    def class_size(self) -> int:
        return self.functions.class_size

    @property
    def declared(self) -> Declared:
        return self.functions.declared

    @property
    def none_is_proved(self) -> bool:
        return True

    def pack(self, batch: Numbers) -> bytes:
        return self.functions.pack(batch)

    def summarise(self, batch: Numbers) -> LiftedPoints:
        return self.functions.summarise(batch)

    def nothing(self) -> LiftedPoints:
        return self.functions.nothing()

    def merge(self, one: LiftedPoints, other: LiftedPoints) -> LiftedPoints:
        return self.functions.merge(one, other)

    def contains(self, classifier: HalfSpace) -> bool:
        return self.functions.contains(classifier)

    def separates(self, classifier: HalfSpace, zeros: LiftedPoints, ones: LiftedPoints) -> bool:
        return self.functions.separates(classifier, zeros, ones)

    def values(self, classifier: HalfSpace, batch: Numbers) -> NDArray[np.bool_]:
        return self.functions.values(classifier, batch)

    def separating(self, zeros: LiftedPoints, ones: LiftedPoints) -> HalfSpace | None:
        """A half-space that was given before, if one separates; else what the class finds."""
        for position, number in enumerate(self._recent):
            if self.functions.separates(self.separators[number], zeros, ones):
                del self._recent[position]
                return self._given(number)
        found = self.functions.separating(zeros, ones)
        if found is not None:
            self.separators.append(found)
            return self._given(len(self.separators) - 1)
        meeting = self.functions.meeting(zeros, ones)
        if meeting is None:
            raise Undecided("the class found no separating half-space, and no proof of that")
        self.meetings.append(meeting)
        self.answers.append(-len(self.meetings))
        return None

    def _given(self, number: int) -> HalfSpace:
        self._recent.insert(0, number)
        self.answers.append(number)
        return self.separators[number]
