"""What a proof is made of: statements, reasons, and steps that follow from earlier ones.

The indices of a statement stand for all members of their sort, unless they are fixed. A step is a
statement with a reason, and the kernel checks that the statement follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from fractions import Fraction

    from sympy import Expr

    from proofs_checks.kernels.sums.expressions import Expression
    from proofs_checks.kernels.sums.indices import Index


@dataclass(frozen=True, slots=True)
class _Frozen:
    """Keeps a read-only copy of each mapping that it is given."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Mapping):
                object.__setattr__(self, each.name, MappingProxyType(dict(value)))


@dataclass(frozen=True, slots=True)
class Statement:
    """left ≤ right, or left = right."""

    left: Expression
    relation: Literal["≤", "="]
    right: Expression

    def __post_init__(self) -> None:
        if self.relation not in ("≤", "="):
            raise InvalidArgument("relation", self.relation, "≤ or =")

    @property
    def gap(self) -> Expression:
        """right − left: at least 0, or 0."""
        return self.right - self.left

    def says(self, other: Statement) -> bool:
        """Whether both have the same gap, and so say the same."""
        return self == other or (self.relation == other.relation and self.gap == other.gap)

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


# --- what is known to be at least 0 ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _OfFact(_Frozen):
    fact: str
    at: Mapping[Index, Index] = field(default_factory=dict)
    """The indices that replace variables of the fact"""


@dataclass(frozen=True, slots=True)
class Known(_OfFact):
    """right − left of a fact."""


@dataclass(frozen=True, slots=True)
class Excess:
    """|P| − P."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Absolute:
    """|P|."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Square:
    """P·P."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Counted:
    """A natural number."""

    of: Index


@dataclass(frozen=True, slots=True)
class Power:
    """exp(P)."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Triangle:
    """Σ(|P| + |Q| + …) − |Σ(P + Q + …)|."""

    over: tuple[Index, ...]
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Unsigned(_OfFact):
    """P − |P|, which is 0, for a fact 0 ≤ P."""


@dataclass(frozen=True, slots=True)
class Others:
    """Σ_x P(x) − P(x), for a fact 0 ≤ P(x): a sum of such terms is at least each of them."""

    fact: str
    index: Index


@dataclass(frozen=True, slots=True)
class Growing(_OfFact):
    """exp(right) − exp(left) of a fact left ≤ right."""


Gap = Known | Excess | Absolute | Square | Counted | Power | Triangle | Unsigned | Others | Growing


@dataclass(frozen=True, slots=True)
class Part:
    """A product of gaps, summed over some indices, times a number ≥ 0.

    If one of the gaps is 0, as that of an equation is, it may be multiplied by anything.
    """

    gaps: tuple[Gap, ...]
    over: tuple[Index, ...]
    times: Expression


# --- reasons --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Combined:
    """right − left is the sum of the parts, after the facts in `using` have rewritten both.

    Each of these facts is an equation; its left side, a single term, is replaced by its right side.
    """

    parts: tuple[Part, ...] = ()
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Between:
    """|P| ≤ Q, as P ≤ Q (`above`) and −P ≤ Q (`below`)."""

    above: str
    below: str


@dataclass(frozen=True, slots=True)
class Enclosed:
    """By interval arithmetic, for a number between the bounds that these two facts give."""

    variable: str
    low: str
    high: str
    rising_to: Fraction | None = None
    """If the gap is 0 at the low end: the point up to which the gap increases."""


@dataclass(frozen=True, slots=True)
class Lambda:
    """The replacement of a function: an expression in its arguments."""

    arguments: tuple[Index, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Cited(_Frozen):
    """The goal of another proof, with its functions replaced by expressions.

    Its hypotheses must be facts here; `facts` maps those that have other names here. `indices`
    replaces indices that are functions, such as ℓ(j) by ℓ(k, j).
    """

    proof: Proof
    functions: Mapping[str, Lambda] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    indices: Mapping[Index, Index] = field(default_factory=dict)


Reason = Combined | Between | Enclosed | Cited


# --- steps ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """A fact, with the reason why it follows from earlier ones."""

    name: str
    statement: Statement
    because: Reason


@dataclass(frozen=True, slots=True)
class Induction(_Frozen):
    """Facts for all values of a natural number: they hold at 0, and at j + 1 if at j.

    In the steps of `onward`, j is fixed, and the claims at j are facts under their names.
    """

    over: Index
    claims: Mapping[str, Statement]
    start: tuple[Line, ...]
    onward: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """A fact that follows both from `of` ≤ bound and from bound ≤ `of` (the fact "case")."""

    name: str
    statement: Statement
    of: Expression
    bound: Fraction
    below: tuple[Line, ...]
    above: tuple[Line, ...]


Line = Step | Induction | Cases


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof(_Frozen):
    """Lines from hypotheses to goals. Neither of these mentions what the proof defines."""

    title: str
    hypotheses: Mapping[str, Statement]
    definitions: Mapping[str, Statement] = field(default_factory=dict)
    meanings: Mapping[str, Expr] = field(default_factory=dict)
    """Numbers that are functions of one variable, for interval arithmetic"""
    lines: tuple[Line, ...]
    goals: tuple[Statement, ...]
