"""The facts known at a line of a proof, and which of them have been used."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import NotEarned, Strength

if TYPE_CHECKING:
    from proofs_checks.kernels.sums.statements import Proof, Statement


@dataclass(slots=True)
class Board:
    """The facts known so far, the names of those that were used, and the strength of the steps."""

    facts: dict[str, Statement]
    proof: Proof
    cited: list[Proof] = field(default_factory=list)
    """The proofs that lines cite; they are checked after all lines"""
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
        """Add the facts that a part of the proof used; it must have used all facts of its own."""
        idle = inner.facts.keys() - self.facts.keys() - inner.used
        if idle:
            raise NotEarned(f"not needed: {sorted(idle)}")
        self.used |= inner.used
        self.strength = max(self.strength, inner.strength)
