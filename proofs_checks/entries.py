"""How claims are written down: `PHASE_1.proved("C01", "808-819", "…", check, Mutant("…", wrong))`.

A section of the paper offers one way for each strength, and two short ones for what is proved most
often: that one expression is at most another, and that two are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.claim import Claim, Erratum, Mutant
from proofs_checks.kernels.evidence import Evidence, Strength
from proofs_checks.kernels.finite import assumed
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sympy import Expr, Symbol

Check: TypeAlias = Callable[[], Evidence]


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in a side of a statement, or in both. A side that is not given stays right."""

    mistake: str
    left: Expr | int | None = field(default=None, kw_only=True)
    right: Expr | int | None = field(default=None, kw_only=True)

    def of(self, left: Expr | int, right: Expr | int) -> tuple[Expr | int, Expr | int]:
        """Both sides, with the mistake made."""
        return (
            left if self.left is None else self.left,
            right if self.right is None else self.right,
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """Writes down a claim of a section that is checked with a given strength."""

    section: str
    strength: Strength

    def __call__(
        self,
        identifier: str,
        lines: str,
        statement: str,
        check: Check,
        *mutants: Mutant,
        assumptions: tuple[str, ...] = (),
        erratum: Erratum | None = None,
    ) -> Claim:
        return Claim(
            id=identifier,
            lines=lines,
            section=self.section,
            statement=statement,
            strength=self.strength,
            check=check,
            assumptions=assumptions,
            erratum=erratum,
            mutants=mutants,
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the paper, by its title."""

    title: str

    @property
    def proved(self) -> Entry:
        """Shown for all values."""
        return Entry(self.title, Strength.PROVED)

    @property
    def enclosed(self) -> Entry:
        """Shown over a whole range of real numbers."""
        return Entry(self.title, Strength.ENCLOSED)

    @property
    def exhausted(self) -> Entry:
        """Shown in all cases up to a size."""
        return Entry(self.title, Strength.EXHAUSTED)

    @property
    def exact(self) -> Entry:
        """Shown in some cases, exactly."""
        return Entry(self.title, Strength.EXACT)

    @property
    def sampled(self) -> Entry:
        """Tried at random."""
        return Entry(self.title, Strength.SAMPLED)

    def hypothesis(
        self, identifier: str, lines: str, statement: str, *, assumptions: tuple[str, ...] = ()
    ) -> Claim:
        """What the paper supposes, or reports of others."""
        declare = Entry(self.title, Strength.ASSUMED)
        return declare(identifier, lines, statement, assumed, assumptions=assumptions)

    def bound(
        self,
        identifier: str,
        lines: str,
        statement: str,
        left: Expr | int,
        right: Expr | int,
        at_least: Mapping[Symbol, Expr | int],
        *slips: Slip,
        assumptions: tuple[str, ...] = (),
        erratum: Erratum | None = None,
    ) -> Claim:
        """Proved: left ≤ right, whenever each variable is at least what is said."""
        return self.proved(
            identifier,
            lines,
            statement,
            partial(at_most, left, right, at_least),
            *(Mutant(s.mistake, partial(at_most, *s.of(left, right), at_least)) for s in slips),
            assumptions=assumptions,
            erratum=erratum,
        )

    def equation(
        self,
        identifier: str,
        lines: str,
        statement: str,
        left: Expr | int,
        right: Expr | int,
        *slips: Slip,
        assumptions: tuple[str, ...] = (),
        erratum: Erratum | None = None,
    ) -> Claim:
        """Proved: left = right."""
        return self.proved(
            identifier,
            lines,
            statement,
            partial(identity, left, right),
            *(Mutant(s.mistake, partial(identity, *s.of(left, right))) for s in slips),
            assumptions=assumptions,
            erratum=erratum,
        )
