"""Proofs as checks of claims, and the same proofs with a mistake that must be refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec

from proofs_checks.claim import Mutant
from proofs_checks.kernels import deduction, sums

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.evidence import Evidence

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Replay:
    """The check that replays a proof of the deduction kernel."""

    proof: deduction.Proof

    def __call__(self) -> Evidence:
        return deduction.replay(self.proof)

    def misstated(
        self, mistake: str, step: str, *, given: str | None = None, then: str | None = None
    ) -> Mutant:
        """The same proof with a mistake in a hypothesis or in a lemma."""
        wrong = deduction.restated(self.proof, step, given=given, then=then)
        return Mutant(mistake, Replay(wrong))

    def without(self, mistake: str, hypothesis: str) -> Mutant:
        """The same proof without a hypothesis."""
        return Mutant(mistake, Replay(deduction.without(self.proof, hypothesis)))


def proof(theory: deduction.Theory, *lemmas: str) -> Replay:
    """The check that replays the proofs of these lemmas."""
    return Replay(deduction.Proof(theory, lemmas))


def shown_by(make: Callable[P, sums.Proof], *args: P.args, **kwargs: P.kwargs) -> Evidence:
    """Replay a proof of the sums kernel, with these constants in it."""
    return sums.replay(make(*args, **kwargs))


def shown_without(hypothesis: str, make: Callable[[], sums.Proof]) -> Evidence:
    """Replay the proof without one of its hypotheses."""
    return sums.replay(sums.without(make(), hypothesis))


def shown_without_line(place: int, make: Callable[[], sums.Proof]) -> Evidence:
    """Replay the proof without one of its lines."""
    return sums.replay(sums.without_line(make(), place))


def shown_with_nudge(place: int, make: Callable[[], sums.Proof]) -> Evidence:
    """Replay the proof with one of its lines claiming 1/100 more than it shows."""
    return sums.replay(sums.nudged(make(), place))
