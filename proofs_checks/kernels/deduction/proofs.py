"""Proofs as checks of claims, beside a trial of all small cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from proofs_checks.claim import Mutant
from proofs_checks.kernels.deduction.checking import changed, proved, without
from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.kernels.deduction.theories import Theory


@dataclass(frozen=True, slots=True)
class Proof:
    """Lemmas of a theory, to be shown with all they rest on."""

    theory: Theory
    lemmas: tuple[str, ...]

    def __call__(self) -> Evidence:
        return proved(self.theory, *self.lemmas)

    def misstated(
        self, mistake: str, step: str, *, given: str | None = None, then: str | None = None
    ) -> Mutant:
        """The same proof with a mistake in a hypothesis or in a lemma."""
        wrong = changed(self.theory, step, given=given, then=then)
        return Mutant(mistake, Proof(wrong, self.lemmas))

    def without(self, mistake: str, hypothesis: str) -> Mutant:
        """The same proof without a hypothesis."""
        return Mutant(mistake, Proof(without(self.theory, hypothesis), self.lemmas))


def proof(theory: Theory, *lemmas: str) -> Proof:
    """The proof of these lemmas."""
    return Proof(theory, lemmas)


def beside(trial: Callable[[], Evidence], *proofs: Callable[[], Evidence]) -> partial[Evidence]:
    """A check that shows the proofs and makes the trial; it is as strong as the proofs."""
    return partial(proved_and_tried, trial, *proofs)


def proved_and_tried(trial: Callable[[], Evidence], *proofs: Callable[[], Evidence]) -> Evidence:
    """Show all of them; the evidence is as strong as the proofs.

    The trial adds nothing to a proof. It ties the statement that is proved, about numbers and
    functions that stand for the dynamics, to the dynamics themselves: each refuses what the other
    cannot see.
    """
    shown = [part() for part in proofs]
    if not shown or (weak := [part for part in shown if part.strength > Strength.ENCLOSED]):
        raise NotEarned(f"no proof, but {weak if shown else 'nothing'}")
    told = "\n  ".join(part.how for part in shown)
    strength = max(part.strength for part in shown)
    return Evidence(strength, f"{told}\n  and tried in {trial().how}")
