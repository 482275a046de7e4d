"""Replays a proof: every step must follow from earlier facts, and every fact must be used.

The kernel refuses a step or a hypothesis that no later step uses, so an accepted proof has no
unused part.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from proofs_checks.kernels.evidence import Evidence, NotEarned, Strength, issue
from proofs_checks.kernels.sums.board import Board
from proofs_checks.kernels.sums.building import exponential, moved, names, number, rebuilt
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
from proofs_checks.kernels.sums.indices import (
    TIME,
    Index,
    bases,
    listed,
    moved_index,
    numeral,
)
from proofs_checks.kernels.sums.reasons import check_reason
from proofs_checks.kernels.sums.statements import (
    Cases,
    Cited,
    Induction,
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
    """Check every line, and that the goals are reached; the evidence contains the proof as text.

    Raise `NotEarned` if a line does not follow, if nothing uses it, or if the proof contains other
    than exact types and expressions in normal form.
    """
    require_well_made(proof)
    return issue(_check(proof, {}), tell(proof))


def _check(proof: Proof, checked: dict[int, tuple[Proof, Strength]]) -> Strength:
    """Check the lines of a proof, and then the proofs that they cite.

    Checked proofs are remembered by their `id` and kept alive, so that the `id` is not reused.
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
    shown = replaced_goals(how)
    for name, hypothesis in proof.hypotheses.items():
        wanted = _replaced(hypothesis, how)
        have = board.fact(how.facts.get(name, name))
        if not have.says(wanted):
            raise NotEarned(f"{proof.title} needs {wanted}, not {have}")
    if not any(goal.says(stated) for goal in shown):
        raise NotEarned(f"{proof.title} does not show {stated}")


def replaced_goals(how: Cited) -> tuple[Statement, ...]:
    """The goals of a proof, with its functions and indices replaced as the citation says.

    Raise `NotEarned` if the proof does not mention them, or if an index would be confused.
    """
    proof = how.proof
    spoken = {*proof.hypotheses.values(), *proof.goals}
    theirs = frozenset[Index]().union(*(indices(each.gap) for each in spoken))
    _check_replacements(how, theirs)
    if idle := how.functions.keys() - frozenset[str]().union(*(names(s.gap) for s in spoken)):
        raise NotEarned(f"{proof.title} does not mention {sorted(idle)}")
    return tuple(_replaced(goal, how) for goal in proof.goals)


def _check_replacements(how: Cited, theirs: frozenset[Index]) -> None:
    """Check that arguments are different variables, and that no other index occurs in the proof."""
    heads = [(each.arguments, indices(each.body)) for each in how.functions.values()]
    for function, to in how.indices.items():
        heads.append((function.of, frozenset(bases(to))))
        called = {(index.sort, index.name) for index in theirs if index.of}
        if to.sort != function.sort or (function.sort, function.name) not in called:
            raise NotEarned(f"{to} cannot stand for {function} in {how.proof.title}")
    for arguments, inside in heads:
        if len(set(arguments)) < len(arguments):
            raise NotEarned(f"an argument is listed twice: {listed(arguments)}")
        if clash := (inside - set(arguments)) & theirs:
            raise NotEarned(f"{sorted(map(str, clash))} would be confused in {how.proof.title}")


def _replaced(statement: Statement, how: Cited) -> Statement:
    """The statement with its functions and indices replaced as the citation says."""

    def replaced(atom: Atom) -> Expression:
        match atom:
            case Value(name, at):
                places = tuple(_replaced_index(each, how.indices) for each in at)
                if name not in how.functions:
                    return single(Value(name, places))
                arguments = how.functions[name].arguments
                if len(arguments) != len(at):
                    raise NotEarned(f"{atom} has {len(at)} arguments, not {len(arguments)}")
                return moved(how.functions[name].body, dict(zip(arguments, places, strict=True)))
            case Number(index):
                return number(_replaced_index(index, how.indices))
            case Size(inside):
                return abs(rebuilt(inside, replaced))
            case Exponential(inside):
                return exponential(rebuilt(inside, replaced))

    return Statement(
        rebuilt(statement.left, replaced), statement.relation, rebuilt(statement.right, replaced)
    )


def _replaced_index(index: Index, others: Mapping[Index, Index]) -> Index:
    if not index.of:
        return index
    inner = tuple(_replaced_index(each, others) for each in index.of)
    for function, to in others.items():
        if (index.sort, index.name) == (function.sort, function.name):
            if len(inner) != len(function.of):
                raise NotEarned(f"{index} has another number of arguments than {function}")
            found = moved_index(to, dict(zip(function.of, inner, strict=True)))
            return found + index.later if index.later else found
    return replace(index, of=inner)


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
