"""The trees of both theorems: their leaves are pinned, and every part is needed."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from proofs_checks.claim import Claim
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.joining import Join, joined, leaves
from proofs_checks.registry import all_claims
from proofs_checks.replays import cited_in
from proofs_checks.tree import KINDS, TREES, counted_leaves, require_rests, tree_of
from proofs_checks.tree_text import as_dot, as_lines, as_plain
from steel_verified.cli import main

CLAIMS = {claim.id: claim for claim in all_claims()}
ROOTS = [CLAIMS[identifier] for identifier in TREES.values()]
LEAVES = {
    "T1": {"assumption": 18, "definition": 91, "textbook": 8},
    "L1": {"assumption": 14, "definition": 58, "textbook": 7},
}
ASSUMPTIONS = {
    "T1": {
        *("sizes", "closed_under", "connected", "actions", "bounds", "values", "realizable"),
        *("shows", "oracle", "trains", "P rows", "P ≥ 0", "P stays", "law", "law ≥ 0", "t_mix"),
        *("Pr ≥ 0", "shows ≥ 0"),
    },
    "L1": {
        *("sizes", "closed_under", "connected", "actions", "component", "values", "realizable"),
        *("P rows", "P ≥ 0", "P stays", "law", "law ≥ 0", "t_mix", "Pr ≥ 0"),
    },
}


def join_of(claim: Claim) -> Join:
    (part,) = cited_in(claim.shown[0], claim.notation)
    assert part.join is not None
    return part.join


TIES = [(claim, name) for claim in ROOTS for name in join_of(claim).ties]


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_the_leaves_are_those_that_are_pinned(claim: Claim) -> None:
    tree = tree_of(claim)
    assert counted_leaves(tree) == LEAVES[claim.id]
    assert {leaf.name for leaf in tree.leaves if leaf.kind == "assumption"} == ASSUMPTIONS[claim.id]
    assert {leaf.kind for leaf in tree.leaves} == set(KINDS)
    assert all(leaf.says and leaf.formally for leaf in tree.leaves)


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_every_node_is_proved_or_enclosed_and_has_a_file(claim: Claim) -> None:
    tree = tree_of(claim)
    named = {leaf.name for leaf in tree.leaves}
    for node in tree.nodes.values():
        assert node.strength <= Strength.ENCLOSED
        assert node.formally
        assert node.file.startswith("proofs/")
        assert set(node.below) <= tree.nodes.keys()
        assert set(node.leaves) <= named


@pytest.mark.parametrize(("claim", "name"), TIES, ids=[f"{c.id}: {name}" for c, name in TIES])
def test_without_a_tie_the_theorem_is_refused(claim: Claim, name: str) -> None:
    whole = join_of(claim)
    fewer = {given: rule for given, rule in whole.ties.items() if given != name}
    with pytest.raises(NotEarned, match=r"neither shown nor named|is assumed by the theory"):
        joined(Join(whole.theory, whole.sums, fewer), frozenset(claim.notation.leaves))


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_a_leaf_without_a_name_and_a_name_without_a_leaf_are_refused(claim: Claim) -> None:
    whole = join_of(claim)
    named = frozenset(leaves(whole))
    with pytest.raises(NotEarned, match="neither shown nor named: realizable"):
        joined(whole, named - {"realizable"})
    with pytest.raises(NotEarned, match="nothing rests on it: luck"):
        joined(whole, named | {"luck"})


RESTING = [claim for claim in all_claims() if claim.rests]


@pytest.mark.parametrize("claim", RESTING, ids=lambda claim: str(claim.id))
def test_claims_rest_on_what_they_name(claim: Claim) -> None:
    require_rests(claim)
    with pytest.raises(NotEarned, match="does not name"):
        require_rests(replace(claim, rests=(*claim.rests[1:], "E10")))
    with pytest.raises(NotEarned, match="does not rest"):
        require_rests(replace(claim, rests=(*claim.rests, "E10")))


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_trees_are_shown_at_80_columns_and_as_data(claim: Claim) -> None:
    tree = tree_of(claim)
    lines = list(as_lines(tree))
    assert max(map(len, lines)) <= 100
    assert sum(len(line) > 80 for line in lines) < 0.1 * len(lines)
    text = "\n".join(lines)
    for node in tree.nodes.values():
        assert node.name in text
    plain = json.loads(json.dumps(as_plain(tree)))
    assert plain["counts"] == LEAVES[claim.id]
    assert plain["nodes"].keys() == tree.nodes.keys()
    assert as_dot(tree).count("shape=ellipse") == len(tree.leaves)


def test_the_command_needs_a_tree_for_a_picture() -> None:
    result = CliRunner().invoke(main, ["claims", "--dot"])
    assert result.exit_code == 2
    assert "--dot needs --tree" in result.output
