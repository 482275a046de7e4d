"""Replays a proof: every step must follow from what is known by then, and nothing is idle.

A step that no later step uses is refused, and so is a hypothesis: so there is none to be dropped,
and a proof that is accepted needs all it has.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, issue
from proofs_checks.kernels.sums.board import Board
from proofs_checks.kernels.sums.building import exponential, moved, names, rebuilt
from proofs_checks.kernels.sums.definitions import check_definitions
from proofs_checks.kernels.sums.expressions import (
    Exponential,
    Expression,
    Number,
    Size,
    Value,
    constant,
    indices,
    single,
)
from proofs_checks.kernels.sums.indices import TIME, Index, listed, numeral
from proofs_checks.kernels.sums.reasons import check_reason
from proofs_checks.kernels.sums.statements import (
    Cases,
    Cited,
    Induction,
    Lambda,
    Proof,
    Statement,
    Step,
)
from proofs_checks.kernels.sums.telling import tell
from proofs_checks.kernels.sums.wholeness import require_well_made

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.sums.expressions import Atom
    from proofs_checks.kernels.sums.statements import Line


def replay(proof: Proof) -> Evidence:
    """Check every line, and that the goals are reached; the evidence tells the proof.

    Raise `NotEarned` if a line does not follow or nothing uses it, or if the proof is not made of
    exact types and of expressions in normal form.
    """
    require_well_made(proof)
    return issue(_check(proof, {}), tell(proof))


def _check(proof: Proof, checked: dict[int, tuple[Proof, Strength]]) -> Strength:
    """Check the lines of a proof, and then the proofs that they cite.

    What is checked is known by its identity, and kept, so that no other gets its identity.
    """
    if id(proof) in checked:
        return checked[id(proof)][1]
    check_definitions(proof)
    given = {**proof.hypotheses, **proof.definitions}
    if len(given) < len(proof.hypotheses) + len(proof.definitions):
        raise NotEarned("a definition has the name of a hypothesis")
    outer = Board({}, proof)
    board = replace(outer, facts=dict(given), used=set())
    for line in proof.lines:
        _add(board, line)
    if not proof.goals:
        raise NotEarned("there is no goal")
    for goal in proof.goals:
        board.find(goal, "the goal")
    outer.close(board)
    strength = max([outer.strength, *(_check(cited, checked) for cited in board.cited)])
    checked[id(proof)] = (proof, strength)
    return strength


def _add(board: Board, line: Line) -> None:
    match line:
        case Step(name, statement, because):
            if isinstance(because, Cited):
                _check_cited(board, statement, because)
            else:
                check_reason(board, statement, because)
            _enter(board, name, statement)
        case Induction():
            _check_induction(board, line)
            for name, statement in line.claims.items():
                _enter(board, name, statement)
        case Cases(name, statement):
            _check_cases(board, line)
            _enter(board, name, statement)


def _enter(board: Board, name: str, statement: Statement) -> None:
    if name in board.facts:
        raise NotEarned(f"{name} is already known")
    board.facts[name] = statement


# --- other proofs ---------------------------------------------------------------------------------


def _check_cited(board: Board, stated: Statement, how: Cited) -> None:
    proof = how.proof
    board.cited.append(proof)
    spoken = {*proof.hypotheses.values(), *proof.goals}
    theirs = frozenset[Index]().union(*(indices(each.gap) for each in spoken))
    for each in how.functions.values():
        if len(set(each.arguments)) < len(each.arguments):
            raise NotEarned(f"an argument is listed twice: {listed(each.arguments)}")
        if clash := (indices(each.body) - set(each.arguments)) & theirs:
            raise NotEarned(f"{sorted(map(str, clash))} would be mixed up in {proof.title}")
    if idle := how.functions.keys() - frozenset[str]().union(*(names(s.gap) for s in spoken)):
        raise NotEarned(f"{proof.title} does not speak of {sorted(idle)}")
    for name, hypothesis in proof.hypotheses.items():
        wanted = _with_functions(hypothesis, how.functions)
        have = board.fact(how.facts.get(name, name))
        if not have.says(wanted):
            raise NotEarned(f"{proof.title} needs {wanted}, not {have}")
    if not any(_with_functions(goal, how.functions).says(stated) for goal in proof.goals):
        raise NotEarned(f"{proof.title} does not show {stated}")


def _with_functions(statement: Statement, functions: Mapping[str, Lambda]) -> Statement:
    def replaced(atom: Atom) -> Expression:
        match atom:
            case Value(name, at) if name in functions:
                arguments = functions[name].arguments
                if len(arguments) != len(at):
                    raise NotEarned(f"{atom} has {len(at)} arguments, not {len(arguments)}")
                return moved(functions[name].body, dict(zip(arguments, at, strict=True)))
            case Size(inside):
                return abs(rebuilt(inside, replaced))
            case Exponential(inside):
                return exponential(rebuilt(inside, replaced))
            case Value() | Number():
                return single(atom)

    return Statement(
        rebuilt(statement.left, replaced), statement.relation, rebuilt(statement.right, replaced)
    )


# --- induction and cases --------------------------------------------------------------------------


def _check_induction(board: Board, line: Induction) -> None:
    j = line.over
    fixed = replace(j, fixed=True)
    if j.sort != TIME or not j.is_variable or j.later:
        raise NotEarned(f"no induction over {j}")
    for name, fact in {**board.facts, **line.claims}.items():
        if fixed in indices(fact.left) | indices(fact.right):
            raise NotEarned(f"{j} is already fixed in {name}")
    start = board.inner()
    for each in line.start:
        _add(start, each)
    for name, claim in line.claims.items():
        start.find(_at(claim, {j: numeral(0)}), f"{name} at 0")
    board.close(start)
    onward = board.inner()
    for name, claim in line.claims.items():
        _enter(onward, name, _at(claim, {j: fixed}))
    for each in line.onward:
        _add(onward, each)
    for name, claim in line.claims.items():
        onward.find(_at(claim, {j: fixed + 1}), f"{name} at {j} + 1")
    board.close(onward)


def _at(statement: Statement, to: Mapping[Index, Index]) -> Statement:
    return Statement(moved(statement.left, to), statement.relation, moved(statement.right, to))


def _check_cases(board: Board, line: Cases) -> None:
    if any(index.is_variable for index in indices(line.of)):
        raise NotEarned(f"{line.of} is not one number, so there are more than two cases")
    for case, lines in (
        (Statement(line.of, "≤", constant(line.bound)), line.below),
        (Statement(constant(line.bound), "≤", line.of), line.above),
    ):
        inner = board.inner()
        _enter(inner, "case", case)
        for each in lines:
            _add(inner, each)
        inner.find(line.statement, f"{line.name}, if {case}")
        board.close(inner)
