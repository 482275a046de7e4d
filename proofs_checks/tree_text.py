"""The tree of a claim as text, as plain data, and as a picture in Graphviz's language."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from proofs_checks.tree import KINDS, counted_leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.tree import Node, Tree
    from steel_verified.evidence.codec import Json

WIDTH: Final = 80
_PLURALS: Final = {"assumption": "assumptions", "definition": "definitions", "textbook": "facts"}


def as_lines(tree: Tree) -> Iterator[str]:
    """The tree for a screen of 80 columns; a node that stands above is only named again."""
    claim = tree.claim
    yield f"{claim.id}  {claim.strength.name.lower()}  {claim.file}"
    yield from _wrapped(claim.says, "  ")
    seen = set[str]()
    for name in tree.top:
        yield from _node(tree, name, "  ", seen)
    counts = counted_leaves(tree)
    yield ""
    yield (
        f"{len(tree.nodes)} nodes. {len(tree.leaves)} leaves: {counts['assumption']} assumptions, "
        f"{counts['definition']} definitions,"
    )
    yield f"{counts['textbook']} textbook facts."
    for kind in KINDS:
        yield ""
        yield f"{_PLURALS[kind]}".capitalize()
        for leaf in tree.leaves:
            if leaf.kind == kind:
                yield from _wrapped(f"{leaf.name}: {leaf.says}", "  ")
                yield from _wrapped(leaf.formally, "      ")


def _node(tree: Tree, name: str, margin: str, seen: set[str]) -> Iterator[str]:
    node = tree.nodes[name]
    heading = f"{margin}{_claims(node)}{node.name}"
    if name in seen:
        yield f"{heading}, above"
        return
    seen.add(name)
    yield f"{heading}  {node.strength.name.lower()}  {node.file}"
    for statement in node.formally:
        yield from _wrapped(statement, f"{margin}    ")
    for below in node.below:
        yield from _node(tree, below, f"{margin}  ", seen)


def _claims(node: Node) -> str:
    return f"{', '.join(node.claims)}  " if node.claims else ""


def _wrapped(text: str, margin: str) -> list[str]:
    return wrap(
        text,
        max(WIDTH, len(margin) + 40),
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def as_plain(tree: Tree) -> Json:
    """The tree as data: nodes and leaves by name."""
    return {
        "claim": tree.claim.id,
        "says": tree.claim.says,
        "strength": tree.claim.strength.name.lower(),
        "file": tree.claim.file,
        "rests": tree.claim.rests,
        "top": tree.top,
        "nodes": {
            node.name: {
                "claims": node.claims,
                "formally": node.formally,
                "strength": node.strength.name.lower(),
                "file": node.file,
                "rests on": node.below,
                "leaves": node.leaves,
            }
            for node in tree.nodes.values()
        },
        "leaves": {
            leaf.name: {"kind": leaf.kind, "says": leaf.says, "formally": leaf.formally}
            for leaf in tree.leaves
        },
        "counts": counted_leaves(tree),
    }


def as_dot(tree: Tree) -> str:
    """The tree as a picture: boxes are lemmas and proofs about sums, ellipses are leaves."""
    lines = [
        "digraph tree {",
        "  rankdir=LR; node [shape=box, fontsize=10];",
        f"  {_quoted(tree.claim.id)} [style=bold];",
        *(f"  {_quoted(tree.claim.id)} -> {_quoted(name)};" for name in tree.top),
    ]
    for node in tree.nodes.values():
        label = "\\n".join(
            [", ".join(node.claims) or node.name, node.name, node.strength.name.lower()]
        )
        lines.append(f'  {_quoted(node.name)} [label="{label}"];')
        lines += [f"  {_quoted(node.name)} -> {_quoted(below)};" for below in node.below]
        lines += [f"  {_quoted(node.name)} -> {_quoted(f'leaf {leaf}')};" for leaf in node.leaves]
    lines += [
        f'  {_quoted(f"leaf {leaf.name}")} [shape=ellipse, label="{leaf.name}\\n{leaf.kind}"];'
        for leaf in tree.leaves
    ]
    return "\n".join([*lines, "}", ""])


def _quoted(name: str) -> str:
    return f'"{name}"'
