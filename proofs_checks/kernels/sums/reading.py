"""Reads proofs about sums from text, the files `proofs_checks/proofs/chains/*.proof`.

This is the complete syntax, with P, Q for formulas:

    # A comment goes to the end of the line.
    index x, y: state                        # variables: each stands for all members of its sort
    index j, ℓ(j): time                      # natural numbers; ℓ is a function of j
    fixed n: time                            # one natural number, or one member of a sort
    symbols K(y, x), w(y), π(x), a(j), ε     # functions of indices, and numbers
    let p(y) = Σ[x] K(y, x)*π(x)             # an abbreviation; it lists all variables in it
    facts LAW                                # statements that proofs share
      fact law: Σ[x] π(x) = 1
      fact law ≥ 0: 0 ≤ π(x)

    proof lemma(bound = 1/4) "Title"         # the values of its parameters may be changed
      given law, law ≥ 0 of LAW; A, B        # facts by name, and all of two blocks
      given rows: Σ[x] K(y, x) = 1
      define a: a(j) = …                     # also: at 0, and at j + 1 from j
      meaning ε = sqrt(t**2 + 1)             # for interval arithmetic in t
      step above: P ≤ bound
        and law too: P ≤ 2*bound             # for the same reason
        by [law ≥ 0]                         # a reason, see below
      induction on j
        claim small: a(j) ≤ 1                # or `goal`
          first using a                      # the reason at 0, unless a fact says it
          next by [small], using a           # at j + 1; here j is fixed, and facts are taken at j
      cases either: P ≤ Q
        if ε ≤ 1/2                           # the fact `case`
          step …
        if 1/2 ≤ ε
          step …
      goal near: |P| ≤ bound                 # a step that the proof is for
        between above and below              # |P| ≤ Q, as P ≤ Q and −P ≤ Q

The other reasons: `by algebra`; `by intervals in t from low to high, rising to 1/10`, the last part
only where both sides are equal at the low end; `from lemma(1/5) with w(y) := P; ℓ(j) := m(i, j);
[rows] := [above]`, another proof, with other functions of indices, other indices for those that are
functions, and facts of other names for what it is given; and
`by SUM, using fact, fact`: right − left is the sum, after equations have rewritten both. Its parts
are products, each with `Σ[x, …]` in front or not, of numbers and of what is at least 0:

    [fact]                 right − left; [fact](x := y, j := j + 1) at other indices
    |P|, square(P), exp(P), natural(j)
    excess(P)              |P| − P
    triangle[x](P, Q)      Σ[x] (|P| + |Q|) − |Σ[x] (P + Q)|
    unsigned [0 ≤ P]       P − |P|, which is 0
    others[x] [0 ≤ P]      Σ[x] P − P
    growing [P ≤ Q]        exp(Q) − exp(P)

What belongs to a line is indented by 2 more spaces; 4 or more spaces continue the line above. Names
of facts and proofs are unique over all files, and used only after what they name. Anything else
raises `Unreadable`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.context import Context, Template
from proofs_checks.kernels.sums.indices import Index
from proofs_checks.kernels.sums.layout import read_nodes
from proofs_checks.kernels.sums.lines import instance
from proofs_checks.kernels.sums.notation import NAME
from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from proofs_checks.kernels.sums.context import Block
    from proofs_checks.kernels.sums.layout import Node
    from proofs_checks.kernels.sums.notation import Meaning

_COMMA: Final = r", (?![^(]*\))"
"""A comma that is not in parentheses"""


def read_proofs(file: str, text: str, earlier: Mapping[str, Block]) -> dict[str, Block]:
    """Read a file, which may name what is in `earlier` ones; return these and the new ones.

    Raises `Unreadable`, with the file's name and the line, for anything outside of the syntax.
    """
    library: dict[str, Block] = dict(earlier)
    names: dict[str, Meaning] = {}
    for node in read_nodes(file, text):
        context = Context(dict(library), dict(names))
        if node.keyword == "facts":
            (name,) = node.matched(rf"({NAME})")
            for fact in node.inner:
                context.enter(fact, context.stated(fact))
            new: Block = context.facts
        elif node.keyword == "proof":
            name, parameters, title = node.matched(rf'({NAME})(?:\((.+)\))? "(.+)"')
            values = _parameters(node, parameters, context)
            new = Template(node, title, values, context.names, context.library)
            instance(new, tuple(values.values()))
        else:
            _declare(node, context)
            names = context.names
            continue
        if name in library:
            raise node.refused(f"{name} is already defined")
        library[name] = new
    return library


def _declare(node: Node, context: Context) -> None:
    """Read `index`, `fixed`, `symbols` or `let`."""
    if node.keyword == "let":
        context.abbreviate(node)
    elif node.keyword == "symbols":
        for each in re.split(_COMMA, node.rest):
            name, arguments = context.head(node, each)
            context.declare(node, name, tuple(index.sort for index in arguments))
    else:
        heads, sort = node.matched(rf"(.+): ({NAME})")
        for each in re.split(_COMMA, heads):
            name, of = context.head(node, each)
            try:
                index = Index(sort, name, of=of, fixed=node.keyword == "fixed")
            except InvalidArgument as error:
                raise node.refused(str(error)) from error
            context.declare(node, name, index)


def _parameters(node: Node, text: str, context: Context) -> dict[str, Fraction]:
    """The parameters with their default values; each must be used."""
    found: dict[str, Fraction] = {}
    words = {word for below in node.below() for word in re.findall(NAME, below.rest)}
    for each in text.split(", ") if text else ():
        name, _, value = each.partition(" = ")
        if name in found or name not in words:
            raise node.refused(f"the parameter {name} is not used, or is listed twice")
        found[name] = context.rational(node, value)
    return found
