"""Evaluates every line of a proof about sums on one instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_checks.kernels.sums.expressions import Value, constant
from proofs_checks.kernels.sums.statements import Cases, Induction, Statement, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.sums.statements import Line, Proof
    from proofs_checks.second_opinion.evaluating import Instance


@dataclass(frozen=True, slots=True)
class Verdict:
    """The lines that hold, the lines that fail, and the lines in a case that does not apply."""

    unmet: tuple[str, ...] = ()
    """Hypotheses that fail: then the instance shows nothing"""
    true: tuple[str, ...] = ()
    false: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()


def evaluated(proof: Proof, instance: Instance) -> Verdict:
    """Evaluate the hypotheses and all lines of a proof on an instance."""
    given = {**proof.hypotheses, **proof.definitions}
    unmet = tuple(name for name, each in given.items() if not instance.holds(each))
    if unmet:
        return Verdict(unmet)
    held: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for name, stated in _stated(proof.lines, instance):
        held[None if stated is None else instance.holds(stated)].append(name)
    return Verdict((), tuple(held[True]), tuple(held[False]), tuple(held[None]))


def equations(proof: Proof) -> dict[str, tuple[Statement, ...]]:
    """The hypotheses and definitions that say what a function is: f(j, x) = …, by its name."""
    found: dict[str, tuple[Statement, ...]] = {}
    for each in (*proof.hypotheses.values(), *proof.definitions.values()):
        terms = each.left.terms
        if each.relation == "=" and len(terms) == 1 and terms[0][1] == 1:
            term = terms[0][0]
            if not term.bound and len(term.atoms) == 1 and isinstance(term.atoms[0], Value):
                name = term.atoms[0].name
                found[name] = (*found.get(name, ()), each)
    return found


def _stated(
    lines: tuple[Line, ...], instance: Instance, inside: str = ""
) -> Iterator[tuple[str, Statement | None]]:
    """All statements by name, without the statement where a case does not apply."""
    for line in lines:
        match line:
            case Step(name, statement):
                yield inside + name, statement
            case Induction(_, claims, start, onward):
                for name, claim in claims.items():
                    yield inside + name, claim
                yield from _stated(start, instance, inside)
                yield from _stated(onward, instance, inside)
            case Cases(name, statement, of, bound, below, above):
                yield inside + name, statement
                low = Statement(of, "≤", constant(bound))
                high = Statement(constant(bound), "≤", of)
                for case, part in ((low, below), (high, above)):
                    here = instance.holds(case)
                    for inner, each in _stated(part, instance, f"{inside}{name}, {case}: "):
                        yield inner, each if here else None
