"""What a proof is made of: statements, reasons, and steps that follow from earlier ones.

The indices of a statement stand for all members of their sort, unless they are fixed. A step is a
statement with a reason that can be checked again; nothing in it is to be believed.
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
    """In the place of each mapping that it is given, it keeps a copy that nobody can change."""

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
    """Which indices take the place of the variables of the fact"""


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
    """right − left is the sum of the parts, as the facts in `using` rewrite both.

    Each of these is an equation whose left side is a single term, for which its right side stands.
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
    """By interval arithmetic, for a number between the two that these facts say."""

    variable: str
    low: str
    high: str
    rising_to: Fraction | None = None
    """Where the gap is 0 at the low end: it is increasing up to here."""


@dataclass(frozen=True, slots=True)
class Lambda:
    """What takes the place of a function: an expression in its arguments."""

    arguments: tuple[Index, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Cited(_Frozen):
    """What another proof shows, with other expressions for its functions.

    Its hypotheses must be facts; `facts` says which, if they have other names here. `indices` has
    other indices for those that are functions, such as ℓ(k, j) for ℓ(j).
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
    """From the hypotheses to the goals. Neither mentions what is defined on the way."""

    title: str
    hypotheses: Mapping[str, Statement]
    definitions: Mapping[str, Statement] = field(default_factory=dict)
    meanings: Mapping[str, Expr] = field(default_factory=dict)
    """Numbers that are functions of one variable, for interval arithmetic"""
    lines: tuple[Line, ...]
    goals: tuple[Statement, ...]
