"""Compares solvers and evaluation with the kernels, for each theory and each proof."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING, Final

from proofs_checks.proofs import chains
from proofs_checks.second_opinion.assumptions import models
from proofs_checks.second_opinion.instances import drawn
from proofs_checks.second_opinion.lines import evaluated
from proofs_checks.second_opinion.obligations import obligations
from proofs_checks.second_opinion.solvers import SOLVERS, Answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from proofs_checks.kernels.deduction.statements import Theory
    from proofs_checks.second_opinion.obligations import Obligation

_NO_MODEL: Final = "they have no model"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A step that the kernel accepts and another tool does not."""

    where: str
    said: str
    shown: str
    """The obligation, or the instance"""

    def __str__(self) -> str:
        return f"{self.where}: {self.said}\n{self.shown}"


@dataclass(frozen=True, slots=True)
class OfTheory:
    """The solvers' answers for a theory."""

    name: str
    steps: int
    readings: int
    model: Mapping[str, Answer]
    against: tuple[Disagreement, ...]
    seconds: float

    @property
    def agreed(self) -> int:
        """Obligations that both solvers find to have no solution."""
        refused = {each.where for each in self.against if each.shown != _NO_MODEL}
        return self.steps + self.readings - len(refused)


def asked(name: str, questions: Iterable[Obligation]) -> tuple[Disagreement, ...]:
    """Ask both solvers about all obligations; whatever is not "unsat" is a disagreement."""
    return tuple(
        Disagreement(f"{name}, {each.kind} {each.name}", f"{solver} says {answer}", each.text)
        for each in questions
        for solver, ask in SOLVERS.items()
        if (answer := ask(each.text)) is not Answer.UNSAT
    )


def of_theory(name: str, theory: Theory) -> OfTheory:
    """Ask the solvers about the obligations of a theory, and for a model of its assumptions."""
    begun = process_time()
    questions = obligations(theory)
    against, model = asked(name, questions), models(theory)
    impossible = tuple(
        Disagreement(f"{name}, assumptions", f"{solver} says {answer}", _NO_MODEL)
        for solver, answer in model.items()
        if answer is Answer.UNSAT
    )
    steps = sum(each.kind == "step" for each in questions)
    spent = process_time() - begun
    return OfTheory(name, steps, len(questions) - steps, model, (*against, *impossible), spent)


@dataclass(frozen=True, slots=True)
class OfProof:
    """The results of random instances of a proof about sums."""

    name: str
    lines: int
    """Different lines that were evaluated at least once"""
    evaluations: int
    never: frozenset[str]
    """Lines in a case that no instance satisfied"""
    against: tuple[Disagreement, ...]
    seconds: float


def of_proof(name: str, draws: int) -> OfProof:
    """Evaluate all lines of a proof on so many random instances."""
    begun, proof = process_time(), chains.proof(name)
    seen, elsewhere, evaluations = set[str](), set[str](), 0
    against = list[Disagreement]()
    for seed in range(draws):
        verdict = evaluated(proof, drawn(name, proof, seed))
        seen |= {*verdict.true, *verdict.false}
        elsewhere |= set(verdict.elsewhere)
        evaluations += len(verdict.true) + len(verdict.false)
        for kind, lines in (("hypothesis", verdict.unmet), ("line", verdict.false)):
            against += [
                Disagreement(f"{name}, {kind} {line}", "false", f"with seed {seed}")
                for line in lines
            ]
    spent = process_time() - begun
    never = frozenset(elsewhere - seen)
    return OfProof(name, len(seen), evaluations, never, tuple(against), spent)
