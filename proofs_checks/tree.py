"""The dependency tree of a claim, down to the leaves, computed from the proofs that are replayed.

A node is a lemma of a theory or a proof about sums. The children of a lemma are the lemmas whose
instances it uses, in its own theory or in one that it applies. The children of a proof about sums
are the proofs that it cites, and the lemmas that a join ties to its hypotheses. A lemma that is not
the statement of any claim is omitted, and its children take its place.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.dependencies import reasons
from proofs_checks.kernels.deduction.notation import read_uses
from proofs_checks.kernels.deduction.rules import ARITHMETIC, rules_of
from proofs_checks.kernels.deduction.statements import Apply, Assume, Lemma
from proofs_checks.kernels.deduction.telling import statement_of
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.joining import leaves as leaves_of
from proofs_checks.kernels.sums.telling import cited_by, shown, strength_of
from proofs_checks.proofs import chains, file_of, home_of
from proofs_checks.registry import all_claims
from proofs_checks.replays import cited_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proofs_checks.claim import Claim
    from proofs_checks.kernels.deduction.statements import Step, Theory
    from proofs_checks.kernels.joining import Join
    from proofs_checks.kernels.sums import Proof as SumsProof
    from proofs_checks.replays import Cited

KINDS: Final = ("assumption", "definition", "textbook")
"""What a leaf may be: assumed by the paper, defined there or in the run, or a fact of textbooks"""


@dataclass(frozen=True, slots=True)
class Leaf:
    """An unproved statement: an assumption, a definition or a textbook fact."""

    name: str
    kind: str
    topic: str
    says: str
    formally: str


@dataclass(frozen=True, slots=True)
class Node:
    """A lemma or a proof about sums, and what it depends on."""

    name: str
    claims: tuple[str, ...]
    formally: tuple[str, ...]
    strength: Strength
    file: str
    below: tuple[str, ...]
    """The names of the nodes that it depends on"""
    leaves: tuple[str, ...]
    """The names of the leaves that it uses directly, not through other nodes"""


@dataclass(frozen=True, slots=True)
class Tree:
    """A claim, all nodes below it by name, and its leaves."""

    claim: Claim
    top: tuple[str, ...]
    nodes: Mapping[str, Node]
    leaves: tuple[Leaf, ...]
    quoted: tuple[Tree, ...] = ()
    """The trees of the claims that it quotes; their leaves are also leaves of this tree"""


TREES: Final = {"theorem": "T1", "located": "L1", "fallback": "L1.fallback"}
"""The claims whose trees have a name"""


def tree_of(claim: Claim) -> Tree:
    """Return the tree of a claim, computed from its proofs."""
    growing = _Growing()
    parts = [part for way in claim.shown for part in cited_in(way, claim.notation)]
    top = tuple(dict.fromkeys(name for part in parts for name in growing.enter(part)))
    quoted = tuple(tree_of(_named(name)) for name in claim.notation.quoted)
    leaves = [
        Leaf(name, *_kind(claim.notation.leaves.get(name, "")), formally)
        for part in parts
        if part.join is not None
        for name, formally in leaves_of(part.join).items()
    ]
    quotes = {name for part in parts if part.join for name in part.join.quotes}
    nodes = {
        name: replace(node, leaves=tuple(leaf for leaf in node.leaves if leaf not in quotes))
        for name, node in growing.nodes.items()
    }
    nodes |= {each.claim.id: _whole(each) for each in quoted}
    return Tree(claim, (*top, *(each.claim.id for each in quoted)), nodes, tuple(leaves), quoted)


def _whole(tree: Tree) -> Node:
    """A claim with its tree as one node."""
    claim = tree.claim
    return Node(claim.id, (claim.id,), (claim.says,), claim.strength, claim.file, (), ())


def _named(identifier: str) -> Claim:
    (claim,) = (claim for claim in all_claims() if claim.id == identifier)
    return claim


def require_rests(claim: Claim) -> None:
    """Raise `NotEarned` unless `rests` names the claims that its proofs cite.

    Several claims may have the cited statement; `rests` must name one of them.
    """
    if not claim.rests:
        return
    found = tree_of(claim)
    cited = [found.nodes[name].claims for name in _next_claims(claim, found)]
    if missing := [ids for ids in cited if not set(ids) & set(claim.rests)]:
        raise NotEarned(f"{claim.id} rests on {missing[0]} as well, which it does not name")
    if idle := set(claim.rests) - {each for ids in cited for each in ids}:
        raise NotEarned(f"{claim.id} names {sorted(idle)}, on which it does not rest")


def rests_on(claim: Claim) -> tuple[str, ...]:
    """The claims that its proofs cite: those that it names, or one for each cited statement."""
    found = tree_of(claim)
    cited = (found.nodes[name].claims[0] for name in _next_claims(claim, found))
    return claim.rests or tuple(sorted(dict.fromkeys(cited)))


def above(claim: Claim) -> tuple[str, ...]:
    """The names of the trees whose claims quote this one."""
    return tuple(name for name, other in TREES.items() if claim.id in _named(other).notation.quoted)


def counted_leaves(tree: Tree) -> dict[str, int]:
    """How many leaves there are of each kind."""
    counts = Counter(leaf.kind for leaf in tree.leaves)
    return {kind: counts[kind] for kind in KINDS}


def _kind(text: str) -> tuple[str, str, str]:
    """What kind of leaf it is, what it is about, and what it says: `definition, tests: …`."""
    head, _, says = text.partition(": ")
    kind, _, topic = head.partition(", ")
    if kind not in KINDS or not topic or not says:
        raise ValueError(f"expected `{'`, `'.join(KINDS)}` and a topic before a colon: {text!r}")
    return kind, topic, says


def _next_claims(claim: Claim, tree: Tree) -> Iterator[str]:
    """Return the nodes with claims nearest to the top, except those of the claim itself."""
    waiting, seen = list(tree.top), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        others = set(tree.nodes[name].claims) - {claim.id}
        if others and claim.id not in tree.nodes[name].claims:
            yield name
        else:
            waiting.extend(tree.nodes[name].below)


# --- lemmas and proofs as nodes -------------------------------------------------------------------


@dataclass(slots=True)
class _Growing:
    """A tree that is being read: its nodes, and the lemmas that were met, with what is below."""

    nodes: dict[str, Node] = field(default_factory=dict)
    met: dict[Step, tuple[tuple[str, ...], frozenset[str]]] = field(default_factory=dict)

    def enter(self, part: Cited) -> Iterator[str]:
        """Add what is cited and all below it; give the names at its top."""
        for theory, lemma in part.lemmas:
            yield from self._lemma(theory, _step(theory, lemma), foreign=False)[0]
        for proof in part.sums:
            yield self._sums(proof, part.join)

    def _lemma(
        self, theory: Theory, step: Step, *, foreign: bool
    ) -> tuple[tuple[str, ...], frozenset[str]]:
        """The nearest nodes with claims, and the leaves on the way to them."""
        if isinstance(step, Assume):
            return (), frozenset(() if foreign else (step.name,))
        if not isinstance(step, Lemma | Apply):
            return (), frozenset()
        if step not in self.met:
            self.met[step] = self._read(theory, step, foreign=foreign)
        return self.met[step]

    def _read(
        self, theory: Theory, step: Lemma | Apply, *, foreign: bool
    ) -> tuple[tuple[str, ...], frozenset[str]]:
        below, leaves = list[str](), set[str]()
        if isinstance(step, Apply):
            below += self._lemma(step.theory, _step(step.theory, step.lemma), foreign=True)[0]
        for used in {name for text in reasons(step) for name, _ in read_uses(text)}:
            if used != step.name and used not in ARITHMETIC:
                nodes, others = self._lemma(theory, _step(theory, used), foreign=foreign)
                below += nodes
                leaves |= others
        below = sorted(set(below))
        claims = _claims_of_lemmas().get(step, ())
        if not claims:
            return tuple(below), frozenset(leaves)
        name = f"{home_of(step)}.{step.name}"
        self.nodes[name] = Node(
            name,
            claims,
            (statement_of(step),),
            Strength.PROVED,
            file_of(step),
            tuple(below),
            tuple(sorted(leaves)),
        )
        return (name,), frozenset()

    def _sums(self, proof: SumsProof, join: Join | None) -> str:
        name = chains.name_of(proof)
        if name not in self.nodes:
            below = [self._sums(each, None) for each in cited_by(proof)]
            ties = {} if join is None else join.ties
            if join is not None:
                for hypothesis in proof.hypotheses.keys() & ties.keys():
                    step = _step(join.theory.theory, ties[hypothesis])
                    below += self._lemma(join.theory.theory, step, foreign=False)[0]
            given = () if join is None else proof.hypotheses.keys() - ties.keys()
            self.nodes[name] = Node(
                name,
                _claims_of_sums().get(name, ()),
                tuple(map(shown, proof.goals)),
                strength_of(proof),
                f"proofs/chains/{name.partition('.')[0]}.proof",
                tuple(sorted(set(below))),
                tuple(sorted(given)),
            )
        return name


def _step(theory: Theory, name: str) -> Step:
    return next(step for step in theory.steps if name in rules_of(step))


@cache
def _claims_of_lemmas() -> dict[Step, tuple[str, ...]]:
    found: dict[Step, tuple[str, ...]] = {}
    for claim in all_claims():
        for way in claim.shown:
            for part in cited_in(way, claim.notation):
                for theory, lemma in part.lemmas if part.join is None else ():
                    step = _step(theory, lemma)
                    found[step] = (*found.get(step, ()), claim.id)
    return found


@cache
def _claims_of_sums() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for claim in all_claims():
        for way in claim.shown:
            for part in cited_in(way, claim.notation):
                for proof in part.sums if part.join is None else ():
                    name = chains.name_of(proof)
                    found[name] = (*found.get(name, ()), claim.id)
    return found
