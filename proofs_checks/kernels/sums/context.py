"""What is known at a line of a file: names, facts, and the proofs and facts of other files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from proofs_checks.kernels.sums.expressions import indices
from proofs_checks.kernels.sums.notation import NAME, RESERVED, Cursor
from proofs_checks.kernels.sums.statements import Lambda, Statement

if TYPE_CHECKING:
    from fractions import Fraction

    from proofs_checks.kernels.sums.expressions import Expression
    from proofs_checks.kernels.sums.indices import Index
    from proofs_checks.kernels.sums.layout import Node
    from proofs_checks.kernels.sums.notation import Meaning

Facts = Mapping[str, Statement]


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """The text of a proof, with its parameters and what it may mention."""

    node: Node
    title: str
    parameters: Mapping[str, Fraction]
    names: Mapping[str, Meaning]
    library: Mapping[str, Facts | Template]


Block = Facts | Template
"""What can have a name in a file"""


def joined(node: Node, facts: Facts, more: Facts) -> dict[str, Statement]:
    """The union of two sets of facts; raise `Unreadable` if a name occurs in both."""
    if clash := facts.keys() & more.keys():
        raise node.refused(f"{', '.join(sorted(clash))} occurs twice")
    return {**facts, **more}


@dataclass(slots=True)
class Context:
    """What is known at a line of a file."""

    library: Mapping[str, Block]
    names: dict[str, Meaning]
    facts: dict[str, Statement] = field(default_factory=dict)
    goals: list[Statement] = field(default_factory=list)
    says: dict[str, str] = field(default_factory=dict)
    """Statements that replace those written under these names"""
    fixed: frozenset[Index] = frozenset()

    def cursor(self, node: Node, text: str = "") -> Cursor:
        """A reader of formulas."""
        return Cursor(node.place, text, self.names, self.facts, self.fixed)

    def formula(self, node: Node, text: str) -> Expression:
        """Read a formula."""
        cursor = self.cursor(node, text)
        return cursor.whole(cursor.formula)

    def rational(self, node: Node, text: str) -> Fraction:
        """Read a formula that is a rational number."""
        return self.cursor(node).value(self.formula(node, text))

    def head(self, node: Node, text: str) -> tuple[str, tuple[Index, ...]]:
        """Read a name with variables as its arguments."""
        found = re.fullmatch(rf"({NAME})(?:\((.+)\))?", text)
        if found is None:
            raise node.refused(f"{text!r} is not a name with variables")
        arguments = found[2].split(", ") if found[2] else ()
        return found[1], tuple(self.cursor(node).variable(each) for each in arguments)

    def declare(self, node: Node, name: str, meaning: Meaning) -> None:
        """Give a meaning to a new name."""
        if name in self.names or name in RESERVED:
            raise node.refused(f"{name} is a reserved word, or is declared already")
        self.names[name] = meaning

    def abbreviate(self, node: Node) -> None:
        """Read an abbreviation."""
        head, body = node.matched(r"(.+?) = (.+)")
        name, arguments = self.head(node, head)
        meaning = self.formula(node, body)
        if loose := {index for index in indices(meaning) if index.is_variable} - {*arguments}:
            raise node.refused(f"{name} depends on {', '.join(sorted(map(str, loose)))} as well")
        self.declare(node, name, Lambda(arguments, meaning))

    def enter(self, node: Node, facts: Facts) -> None:
        """Add facts under new names."""
        for name in facts:
            if name in self.facts or not re.fullmatch(r"[^][:;, ]+( [^][:;, ]+)*", name):
                raise node.refused(f"{name!r} is not a name of a fact, or is known already")
        self.facts |= facts

    def known(self, node: Node, name: str) -> str:
        """Return the name if it is that of a known fact; otherwise raise `Unreadable`."""
        if name not in self.facts:
            raise node.refused(f"{name} is not a fact that is known here")
        return name

    def stated(self, node: Node) -> dict[str, Statement]:
        """Read `name: statement`, or groups `name, name of FACTS` and `FACTS, FACTS`."""
        name, colon, text = node.rest.partition(": ")
        if colon:
            return {name: self._statement(node, self.says.pop(name, text))}
        found: dict[str, Statement] = {}
        for group in node.rest.split("; "):
            names, _, block = group.rpartition(" of ")
            shared: dict[str, Statement] = {}
            for each in (block,) if names else block.split(", "):
                facts = self.library.get(each)
                if not isinstance(facts, Mapping):
                    raise node.refused(f"there are no facts {each}")
                shared = joined(node, shared, facts)
            wanted = names.split(", ") if names else [*shared]
            if missing := {*wanted} - shared.keys():
                raise node.refused(f"{block} has no fact {', '.join(sorted(missing))}")
            for each in self.says.keys() & {*wanted}:
                shared[each] = self._statement(node, self.says.pop(each))
            found = joined(node, found, {each: shared[each] for each in wanted})
        return found

    def _statement(self, node: Node, text: str) -> Statement:
        cursor = self.cursor(node, text)
        return cursor.whole(cursor.statement)

    def inner(self, *fixed: Index) -> Context:
        """A copy for a part of the proof, in which an induction may have fixed indices."""
        facts, names = dict(self.facts), dict(self.names)
        return replace(self, names=names, facts=facts, fixed=self.fixed | {*fixed})
