"""The tree of a claim as text, and as plain data."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from proofs_checks.registry import all_claims
from proofs_checks.tree import KINDS, TREES, above, counted_leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.tree import Leaf, Node, Tree
    from steel_verified.evidence.codec import Json

WIDTH: Final = 80
PLURALS: Final = {
    "assumption": "assumptions",
    "definition": "definitions",
    "textbook": "textbook facts",
}


_HOW_TO_READ: Final = (
    "Each node has its claims, its lemma or proof, its strength and its file; then",
    "the sentences of these claims, and the formal statement that is replayed. What",
    "it rests on is below it, further to the right. The leaves stand at the end.",
    "`steel claims ID` explains the symbols of a claim and shows why it follows.",
)


def as_lines(tree: Tree) -> Iterator[str]:
    """Return the tree for 80 columns; a node that was printed before is only named again."""
    claim = tree.claim
    yield f"{claim.id}  {claim.strength.name.lower()}  {claim.file}"
    yield from _wrapped(claim.says, "  ")
    yield ""
    yield from _HOW_TO_READ
    yield ""
    wholes = {claim.id, *(other.claim.id for other in tree.quoted)}
    says = {other.id: other.says for other in all_claims() if other.id not in wholes}
    seen = set[str]()
    for name in tree.top:
        yield from _node(tree, name, "  ", seen, says)
    counts = counted_leaves(tree)
    listed = ", ".join(f"{counts[kind]} {PLURALS[kind]}" for kind in KINDS)
    yield ""
    yield from _wrapped(f"{len(tree.nodes)} nodes. {len(tree.leaves)} leaves: {listed}.", "")
    for other in tree.quoted:
        yield f"The {len(other.leaves)} leaves of {other.claim.id} are added: {_shown_by(other)}."
    for name in above(tree.claim):
        yield f"{TREES[name]} rests on this theorem: `--tree {name}` shows it."
    for kind in KINDS:
        yield from _leaves(tree, kind)


def _shown_by(tree: Tree) -> str:
    name = next(name for name, claim in TREES.items() if claim == tree.claim.id)
    return f"`--tree {name}` shows them"


def _leaves(tree: Tree, kind: str) -> Iterator[str]:
    """The leaves of a kind by topic; those with one sentence stand together below it."""
    of_kind = [leaf for leaf in tree.leaves if leaf.kind == kind]
    if of_kind:
        yield ""
        yield f"{PLURALS[kind].capitalize()} ({len(of_kind)})"
    for topic in dict.fromkeys(leaf.topic for leaf in of_kind):
        here = [leaf for leaf in of_kind if leaf.topic == topic]
        yield f"  {topic} ({len(here)})"
        for says in dict.fromkeys(leaf.says for leaf in here):
            yield from _wrapped(says, "    ", "      ")
            for leaf in here:
                if leaf.says == says:
                    yield from _wrapped(f"{leaf.name}: {leaf.formally}", "        ", "          ")


def _node(
    tree: Tree, name: str, margin: str, seen: set[str], says: dict[str, str]
) -> Iterator[str]:
    """A node, with the sentences of its claims that were not printed before, and all below it."""
    node = tree.nodes[name]
    heading = f"{margin}{_claims(node)}{node.name}"
    if name in seen:
        yield f"{heading}, above"
        return
    seen.add(name)
    yield f"{heading}  {node.strength.name.lower()}  {node.file}"
    for claim in node.claims:
        if sentence := says.pop(claim, ""):
            yield from _wrapped(f"“{sentence}” ({claim})", f"{margin}    ")
    for statement in node.formally:
        yield from _wrapped(statement, f"{margin}    ", f"{margin}      ")
    for below in node.below:
        yield from _node(tree, below, f"{margin}  ", seen, says)


def _claims(node: Node) -> str:
    return f"{', '.join(node.claims)}  " if node.claims and node.claims != (node.name,) else ""


def _wrapped(text: str, margin: str, later: str | None = None) -> list[str]:
    return wrap(
        text,
        max(WIDTH, len(margin) + 40),
        initial_indent=margin,
        subsequent_indent=margin if later is None else later,
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
                "says": [claim.says for claim in all_claims() if claim.id in node.claims],
                "formally": node.formally,
                "strength": node.strength.name.lower(),
                "file": node.file,
                "rests on": node.below,
                "leaves": node.leaves,
            }
            for node in tree.nodes.values()
        },
        "leaves": {leaf.name: _plain_leaf(leaf) for leaf in tree.leaves},
        "counts": counted_leaves(tree),
        "quoted": {other.claim.id: counted_leaves(other) for other in tree.quoted},
    }


def _plain_leaf(leaf: Leaf) -> Json:
    return {
        "kind": leaf.kind,
        "topic": leaf.topic,
        "says": leaf.says,
        "formally": leaf.formally,
    }
