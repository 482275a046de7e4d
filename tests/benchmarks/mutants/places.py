"""Every mutant of a file: a place in it, and a mistake that could be made there."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from tests.benchmarks.mutants.mistakes import mistakes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import CodeType

RULES: Final = {
    "type": "type annotations, type variables and what only type checkers import",
    "message": "texts: inside `raise …(…)` or an f-string, in a name read only there; assumptions",
    "decorator": "arguments of decorators: frozen, slotted, and the sizes of caches",
    "mutant": "what belongs to the explicit mutants of a claim, or to an erratum",
    "assertion": "`assert`, and `strict=True` of zip: second looks at what must hold anyway",
}
"""What is left out: no test could tell, or none should."""

_TELLING: Final = (
    *(ast.BinOp, ast.Compare, ast.Call, ast.Subscript, ast.UnaryOp, ast.keyword, ast.Slice),
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.arguments),
    *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.IfExp),
)
"""What is shown around a number or a name, unless it is long."""
_LONG: Final = 120


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one mistake in it. The first three fields name it, whatever its line is now."""

    path: str
    function: str
    mistake: str
    line: int
    """Where the statement begins that has the mistake."""
    compiled: Callable[[], CodeType]
    """The code of the whole file, with the mistake."""
    kind: str = ""
    """What the mistake is in: `Constant`, `Compare` and so on."""
    row: int = 0
    """The line of the mistake itself."""
    left_out: str = ""
    """The rule by which it is no mistake in the code, if there is one."""

    @property
    def name(self) -> tuple[str, str, str]:
        return self.path, self.function, self.mistake


@dataclass(frozen=True, slots=True)
class _Context:
    """Where a node is: in which function ("" at the level of the module), in which statement."""

    names: tuple[str, ...] = ()
    function: str = ""
    line: int = 0
    row: int = 0
    left_out: str = ""
    messages: frozenset[str] = frozenset()


def mutants_of(file: Path, root: Path) -> list[Mutant]:
    """Every mutant of a file, those left out by a rule as well; no two have the same name."""
    tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
    path = file.relative_to(root).as_posix()
    found: dict[tuple[str, str, str], Mutant] = {}
    for at, mistake, kind, compiled in _inside(tree, _Context(), tree, str(file)):
        mutant = Mutant(path, at.function, mistake, at.line, compiled, kind, at.row, at.left_out)
        times = 1
        while mutant.name in found:
            times += 1
            mutant = replace(mutant, mistake=f"{mistake} ({times})")
        found[mutant.name] = mutant
    return list(found.values())


def _inside(
    node: ast.AST, at: _Context, tree: ast.Module, file: str
) -> Iterator[tuple[_Context, str, str, Callable[[], CodeType]]]:
    """The mistakes in everything inside a node: where, in words, in what, and the code with it."""
    for field, value in ast.iter_fields(node):
        held = value if isinstance(value, list) else [value]
        for index, child in enumerate(held):
            if not isinstance(child, ast.AST) or isinstance(child, ast.pattern):
                continue
            here = _context(node, field, child, at)
            for mistaken in mistakes(child) if not _unpacked(node, child) else ():
                changed = [*held[:index], mistaken, *held[index + 1 :]]
                instead = changed if held is value else mistaken
                compiled = partial(_compiled, tree, file, node, field, instead)
                yield here, _in_words(child, mistaken, node), type(child).__name__, compiled
            yield from _inside(child, here, tree, file)


def _compiled(tree: ast.Module, file: str, node: ast.AST, field: str, instead: object) -> CodeType:
    """The code of a tree in which a field of a node is another for a moment."""
    value = getattr(node, field)
    setattr(node, field, instead)
    try:
        return compile(ast.fix_missing_locations(tree), file, "exec")
    finally:
        setattr(node, field, value)


def _unpacked(parent: ast.AST, child: ast.AST) -> bool:
    """Whether a tuple is taken apart at once: with a part fewer, no program runs."""
    match parent, child:
        case ast.Assign([ast.Tuple()]), ast.Tuple():
            return True
    return False


def _context(parent: ast.AST, field: str, child: ast.AST, at: _Context) -> _Context:
    if isinstance(child, ast.stmt):
        at = replace(at, line=child.lineno)
    if isinstance(child, ast.stmt | ast.expr):
        at = replace(at, row=child.lineno)
    if isinstance(parent, ast.FunctionDef) and field == "body" and not at.function:
        at = replace(at, function=".".join(at.names), messages=_only_in_messages(parent))
    if isinstance(child, ast.FunctionDef | ast.ClassDef) and not at.function:
        at = replace(at, names=(*at.names, child.name))
    return replace(at, left_out=at.left_out or _rule(field, child, at))


def _rule(field: str, child: ast.AST, at: _Context) -> str:
    """The rule by which a child is left out, with all that is inside it; "" if there is none."""
    if field in ("annotation", "returns", "bases"):
        return "type"
    if field == "decorator_list":
        return "decorator"
    match child:
        case ast.If(ast.Name("TYPE_CHECKING")):
            return "type"
        case ast.Assign([ast.Name(name)]) if not at.function and name[0].isupper():
            return "" if name.isupper() else "type"
        case ast.Call(ast.Name("TypeVar")):
            return "type"
        case ast.Raise() | ast.JoinedStr() | ast.keyword("assumptions"):
            return "message"
        case ast.Assign([ast.Name(name)]) if name in at.messages:
            return "message"
        case ast.Call(ast.Name("Mutant" | "Slip")) | ast.keyword("erratum"):
            return "mutant"
        case ast.Assert():
            return "assertion"
        case ast.keyword("strict"):
            return "assertion"
    return ""


def _only_in_messages(function: ast.FunctionDef) -> frozenset[str]:
    """The local names that are read, but nowhere except where an error is raised."""
    raised = [node for node in ast.walk(function) if isinstance(node, ast.Raise)]
    in_errors = {id(node) for error in raised for node in ast.walk(error)}
    read = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    elsewhere = {node.id for node in read if id(node) not in in_errors}
    return frozenset(node.id for node in read) - elsewhere


def _in_words(old: ast.AST, new: ast.AST, parent: ast.AST) -> str:
    """`before` → `after`; a number or a name with the expression around it."""
    match old, new:
        case ast.For(), _:
            return f"{_text(old)}: only once"
        case ast.stmt(), ast.Pass():
            return f"{_text(old)}: left out"
        case ((ast.Constant() | ast.Name() | ast.Attribute()), _) if isinstance(parent, _TELLING):
            return f"{_text(parent)} → {_text(_copied(parent, old, new))}"
    return f"{_text(old)} → {_text(new)}"


def _text(node: ast.AST) -> str:
    """The code of a node on one line: of a compound statement only its head."""
    if isinstance(node, ast.comprehension):
        return f"`{ast.unparse(node).strip()}`"
    text = ast.unparse(ast.fix_missing_locations(node))
    return f"`{text.splitlines()[0]}`" if isinstance(node, ast.stmt) else f"`{text}`"


def _copied(node: ast.AST, old: ast.AST, new: ast.AST) -> ast.AST:
    """A copy of a tree in which one node is another."""
    if node is old:
        return new
    fields: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            fields[name] = [_copied(v, old, new) if isinstance(v, ast.AST) else v for v in value]
        else:
            fields[name] = _copied(value, old, new) if isinstance(value, ast.AST) else value
    return type(node)(**fields)
