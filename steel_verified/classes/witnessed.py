"""Half-spaces that store a proof of every answer, for the certificate of a located run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from steel_verified.errors import Undecided
from steel_verified.evidence.oracle import OfClass

if TYPE_CHECKING:
    from steel_verified.classes.half_spaces import HalfSpace, HalfSpaces, LiftedPoints
    from steel_verified.classes.hulls import Meeting
    from steel_verified.classes.numbers import Numbers  # noqa: F401 (named in the base)


@dataclass(slots=True)
class Witnessed(OfClass["Numbers", "LiftedPoints", "HalfSpace"]):
    """An oracle for one run. It stores its answers and returns an old one if it still separates.

    So most questions need no linear program, and few half-spaces serve for many answers. The answer
    depends only on the questions that the oracle was asked before.
    """

    functions: HalfSpaces
    separators: list[HalfSpace] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """Answer k ≥ 0 is separator k, and answer −1 − k is meeting k."""
    _recent: list[int] = field(default_factory=list)
    """The separators in the order of their last use, the most recent one first."""

    @property
    def none_is_proved(self) -> bool:
        return True

    def separating(self, zeros: LiftedPoints, ones: LiftedPoints) -> HalfSpace | None:
        """Return an earlier half-space if one separates, otherwise what the class finds.

        Raises `Undecided` if the class finds neither a half-space nor a common point.
        """
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
            raise Undecided("the class found neither a separating half-space nor a common point")
        self.meetings.append(meeting)
        self.answers.append(-len(self.meetings))
        return None

    def separating_aside(self, zeros: LiftedPoints, ones: LiftedPoints) -> HalfSpace | None:
        """Return what the class finds; the answer is not stored, as it is not part of the run."""
        return self.functions.separating(zeros, ones)

    def _given(self, number: int) -> HalfSpace:
        self._recent.insert(0, number)
        self.answers.append(number)
        return self.separators[number]
