"""What a proof is made of: a theory, as text, and the lemmas to show.

A theory is a list of hypotheses, definitions and lemmas, in which each rests on earlier ones.

A statement holds for all values of the variables it lists. A lemma names the instances of earlier
statements that it follows from, and may use itself for smaller values of a measure (induction).
Arithmetic has two rules of its own: `product(a, b)`, that a ≥ 0 and b ≥ 0 give ab ≥ 0, and a = 0
gives ab = 0; and `division(a, b)`, that for b ≥ 1, a = b·(a // b) + a % b with 0 ≤ a % b < b.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Assume:
    """A hypothesis."""

    name: str
    each: str
    given: str
    then: str


@dataclass(frozen=True, slots=True)
class Lemma:
    """A statement that follows from the instances in `by`; `induction` is the measure, if any."""

    name: str
    each: str
    given: str
    then: str
    by: str = ""
    induction: str = ""


@dataclass(frozen=True, slots=True)
class Let:
    """Defines a function by a term in its parameters: the rule `…_is`."""

    symbol: str
    value: str


@dataclass(frozen=True, slots=True)
class Least:
    """Defines a function: the least number ≥ 0 with a property. The `witness` has the property.

    Gives the rules `…_holds`, for the parameters, and `…_least`, for the parameters and a number:
    smaller ones do not have the property.
    """

    symbol: str
    given: str
    number: str
    such_that: str
    witness: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Recursion:
    """Defines a function by its value at 0 and at n + 1, n being the first parameter.

    Gives the rules `…_start`, for the other parameters, and `…_next`, for all.
    """

    symbol: str
    start: str
    following: str


@dataclass(frozen=True, slots=True)
class Indicator:
    """Defines a function that is 1 where a property holds and 0 elsewhere: the rule `…_is`."""

    symbol: str
    holds: str


@dataclass(frozen=True, slots=True)
class Apply:
    """A lemma of another theory, whose symbols get a meaning for which its hypotheses hold.

    `meaning` is written `f(k) := s(m + k * L); …`; `by` says for each hypothesis why it holds. What
    the other theory defines may get a meaning as well: then the rules of the definition must hold.
    """

    name: str
    each: str
    given: str
    theory: Theory
    lemma: str
    meaning: str
    by: tuple[tuple[str, str], ...]


Step = Assume | Lemma | Let | Least | Recursion | Indicator | Apply


@dataclass(frozen=True, slots=True)
class Theory:
    """A list of symbols, `N, s(i)`, with hypotheses, definitions and lemmas about them."""

    name: str
    symbols: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Lemmas of a theory, to be shown together with everything they depend on."""

    theory: Theory
    lemmas: tuple[str, ...]


Definition = Let | Least | Recursion | Indicator
