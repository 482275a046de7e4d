"""What is known at some place of a proof, and what of it has been used."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import NotEarned, Strength

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Proof, Statement


@dataclass(slots=True)
class Board:
    """What is known so far, what of it has been used, and how strong the steps were."""

    facts: dict[str, Statement]
    proof: Proof
    cited: list[Proof] = field(default_factory=list)
    """Proofs that lines rest on; they are checked when all lines are"""
    used: set[str] = field(default_factory=set)
    strength: Strength = Strength.PROVED

    def fact(self, name: str) -> Statement:
        if name not in self.facts:
            raise NotEarned(f"{name} is not known here")
        self.used.add(name)
        return self.facts[name]

    def find(self, wanted: Statement, what: str) -> None:
        for name, statement in self.facts.items():
            if statement.says(wanted):
                self.used.add(name)
                return
        raise NotEarned(f"{what} is not shown: {wanted}")

    def inner(self) -> Board:
        return replace(self, facts=dict(self.facts), used=set())

    def close(self, inner: Board) -> None:
        """Take over what a part of the proof has used; its own facts must all be used."""
        idle = inner.facts.keys() - self.facts.keys() - inner.used
        if idle:
            raise NotEarned(f"not needed: {sorted(idle)}")
        self.used |= inner.used
        self.strength = max(self.strength, inner.strength)
