"""What the rules are, what they find, and what they carry from one call to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from proofs_checks.checker.planning import Table, Work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.reading import Certificate, Times, Verdicts

RULES = {
    "digest": "the file is as it was written",
    "recipe": "the constants are the paper's",
    "words": "each word follows from the model so far and leaves it from every known state",
    "rollouts": "each call starts where the last one ended and is as long as its period needs",
    "period tests": "enough repetitions, at least t̂_mix apart, inside the rollout",
    "period": "the period is what the verdicts say",
    "positions": "enough samples, after the transient, inside the rollout, at their position",
    "separation": "samples at least t̂_mix apart, in each dataset and wherever two are compared",
    "labels": "labels are what the verdicts say, new ones in order of discovery",
    "transitions": "they are those of the cycle, none contradicts another, each call adds one",
    "current": "the current state is tracked",
    "dependence": "verdicts are numbered, and depend only on earlier ones",
    "model": "the final model is total, strongly connected, no larger than N, and as stated",
    "tour": "ā follows from the model, covers it, returns, and is run as often as d asks",
    "encoder": "one classifier of the class for each state, all different",
    "charges": "each charge is what its tests cost",
    "budget": "the charges sum to what is stated, and to no more than δ",
    "steps": "the steps add up",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that is broken, and where."""

    rule: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}  [{self.rule}]"


@dataclass(slots=True)
class Progress:
    """What follows from the calls looked at so far."""

    table: Table = field(default_factory=list)
    kept: list[list[Times]] = field(default_factory=list)
    now: int = 0
    current: int = 0
    verdicts: int = 0
    spent: Fraction = Fraction(0)
    work: Work = field(default_factory=Work)


def paid(
    tests: Verdicts, place: str, samples: int, charge: Fraction, progress: Progress
) -> Iterator[Finding]:
    """Verdicts are numbered in order, rest on all earlier ones, and cost what they cost."""
    if tests.id != progress.verdicts:
        yield Finding("dependence", f"{place}.id", f"{tests.id}, expected {progress.verdicts}")
    if tests.after != progress.verdicts:
        message = f"{tests.after}, but {progress.verdicts} verdicts came before"
        yield Finding("dependence", f"{place}.after", message)
    if tests.samples != samples:
        yield Finding("charges", f"{place}.samples", f"{tests.samples}, expected {samples}")
    if tests.charge != charge:
        yield Finding(
            "charges", f"{place}.charge", f"{tests.charge}, but these tests cost {charge}"
        )
    progress.verdicts += 1
    progress.spent += tests.charge


def assumptions(c: Certificate) -> tuple[str, ...]:
    """What remains to be believed: no certificate can show it."""
    p = c.parameters
    return (
        "F has a one-versus-rest classifier for each latent state (realizability)",
        f"F has at most {p.class_size} classifiers, and the oracle returns a separating one if any",
        f"there are at most {p.max_states} states, at most {p.max_diameter} steps apart",
        f"the noise ignores actions and mixes within {p.mixing_time} steps",
        "the latent dynamics are deterministic, and every state reaches every other",
        "verdicts and classifiers are those that the oracle gave",
    )
