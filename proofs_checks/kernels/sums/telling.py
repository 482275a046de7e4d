"""Writes a proof as text: hypotheses, and every step with its reason, after the proofs it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.evidence import Strength
from proofs_checks.kernels.sums.statements import (
    Between,
    Cases,
    Cited,
    Combined,
    Enclosed,
    Growing,
    Induction,
    Known,
    Others,
    Step,
    Triangle,
    Unsigned,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proofs_checks.kernels.sums.statements import Line, Part, Proof, Reason, Statement

_NAMED: Final = (Known, Unsigned, Others, Growing)


def tell(proof: Proof) -> str:
    """The proofs that are cited, then hypotheses, definitions and every step of this proof."""
    lines = [line for cited in _all_below(proof) for line in (cited.title, *_body(cited))]
    own = list(_body(proof))
    if lines:
        own = [f"{proof.title}, from these", *own]
    return "\n".join(["", *lines, *own])


def shown(statement: Statement) -> str:
    """A statement without the stars that mark fixed numbers."""
    return str(statement).replace("*", "")


def cited_by(proof: Proof) -> tuple[Proof, ...]:
    """The proofs that the lines of this proof cite, each once."""
    found: list[Proof] = []
    for because in _reasons(proof.lines):
        if isinstance(because, Cited) and because.proof not in found:
            found.append(because.proof)
    return tuple(found)


def _all_below(proof: Proof) -> tuple[Proof, ...]:
    """All proofs that this one depends on, each once and later than the proofs that it cites."""
    found: list[Proof] = []
    for cited in cited_by(proof):
        for each in (*_all_below(cited), cited):
            found += [each] if each not in found else []
    return tuple(found)


def strength_of(proof: Proof) -> Strength:
    """`ENCLOSED` if a line of the proof, or of one that it depends on, uses interval arithmetic."""
    whole = (proof, *_all_below(proof))
    enclosed = any(isinstance(why, Enclosed) for each in whole for why in _reasons(each.lines))
    return Strength.ENCLOSED if enclosed else Strength.PROVED


def _reasons(lines: tuple[Line, ...]) -> Iterator[Reason]:
    for line in lines:
        match line:
            case Step(_, _, because):
                yield because
            case Induction(_, _, start, onward):
                yield from _reasons(start + onward)
            case Cases(_, _, _, _, below, above):
                yield from _reasons(below + above)


def _body(proof: Proof) -> Iterator[str]:
    if proof.hypotheses:
        yield f"  given {_listed(proof.hypotheses)}"
    if proof.definitions:
        yield f"  let {_listed(proof.definitions)}"
    for name, formula in proof.meanings.items():
        yield f"  let {name} = {formula}"
    for line in proof.lines:
        yield from _line(line, "  ")


def _line(line: Line, margin: str) -> Iterator[str]:
    match line:
        case Step(name, statement, because):
            yield f"{margin}{name}: {statement}, {_why(statement, because)}"
        case Induction(over, claims, start, onward):
            yield f"{margin}by induction over {over}: {_listed(claims)}"
            for each in (*start, *onward):
                yield from _line(each, margin + "  ")
        case Cases(name, statement, of, bound, below, above):
            yield f"{margin}{name}: {statement}, in both cases"
            for case, lines in ((f"{of} ≤ {bound}", below), (f"{of} ≥ {bound}", above)):
                yield f"{margin}  if {case} (case)"
                for each in lines:
                    yield from _line(each, margin + "    ")


def _listed(facts: Mapping[str, Statement]) -> str:
    return "; ".join(f"{statement} ({name})" for name, statement in facts.items())


def _why(statement: Statement, because: Reason) -> str:
    match because:
        case Combined(parts, using):
            known = [gap.fact for each in parts for gap in each.gaps if isinstance(gap, _NAMED)]
            sources = list(dict.fromkeys([*known, *using]))
            if _uses_triangle(parts):
                sources.insert(0, "the triangle inequality")
            return f"by {', '.join(sources)}" if sources else "by algebra"
        case Between(one, other):
            return f"by {one} and {other}"
        case Enclosed(variable):
            equation = statement.relation == "="
            return "by algebra" if equation else f"by interval arithmetic in {variable}"
        case Cited(proof):
            return f"by “{proof.title}”"


def _uses_triangle(parts: tuple[Part, ...]) -> bool:
    return any(isinstance(gap, Triangle) for each in parts for gap in each.gaps)
