"""The trees of the theorems: their leaves are compared with a list, and every part is needed."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from proofs_checks.claim import Claim
from proofs_checks.kernels.deduction import Apply, Lemma, restated
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.joining import Join, joined, leaves
from proofs_checks.registry import all_claims
from proofs_checks.replays import cited_in
from proofs_checks.tree import KINDS, TREES, counted_leaves, require_rests, tree_of
from proofs_checks.tree_picture import boxes_of, columns_of, tree_picture
from proofs_checks.tree_text import as_lines, as_plain
from proofs_checks.ways import show
from steel_verified.cli import main

CLAIMS = {claim.id: claim for claim in all_claims()}
ROOTS = [CLAIMS[identifier] for identifier in TREES.values()]
LEAVES = {
    "T1": """
        assumption, world: sizes, closed_under, connected, actions, bounds
        assumption, classifiers: values, realizable, shows, oracle, trains, shows ≥ 0
        assumption, noise: P rows, P ≥ 0, P stays, t_mix, law, law ≥ 0, Pr ≥ 0
        definition, calls of CycleFind: calls, words, starts, moves, first_that_passes,
         period_verdicts, settled, lengths, one_after_another, call_length, call_bounds
        definition, names and T': placed, none_at_first, name_verdicts, written, total,
         named_states, part, kept, known_after, learned_model
        definition, words: first_word, nothing_known, in_pieces, taken, leads_out, all_led_out,
         not_total, shortest
        definition, tests: sides, period_test, period_data, position_data, paired, some_data,
         period_numbers, position_numbers, determined, period_count, compared, position_count,
         numbered_tests, pt ≥ 0, qt ≥ 0
        definition, numbers of samples: mixing, repetitions, some_samples, n' ≥ 0, n ≥ 0,
         n_samp.cyc., n_samp., samples
        definition, times of samples: latest_step, pauses, strides, rests
        definition, phases 2 and 3: tour_stops, new_stops, legs, tour_bounds, tour_actions,
         closed_walk, first_seen, early_samples, tour_visits, tour_samples, tour_passes, argmax
        definition, noise: one step, and one more, τ ≥ 0, from t_mix, later
        definition, chances of a classifier: gp ≥ 0, gp ≤ 1, up start ≥ 0, up start law, gq ≥ 0,
         gq ≤ 1, uq start ≥ 0, uq start law, pass ≥ 0, pass ≤ 1, short, η ≤ short, w start ≥ 0,
         w start law, power(0), power, not poor, ε
        textbook, paths of the noise: up Markov, period law, uq₀ Markov, uq then, uq₁ Markov,
         position law, w Markov, encoder law""",
    "L1": """
        assumption, classifiers: values, realizable
        assumption, world: sizes, closed_under, component, connected, actions
        assumption, noise: P rows, P ≥ 0, P stays, t_mix, law, law ≥ 0, Pr ≥ 0
        definition, labels: states, begins, gathered, some_data, written, steps, no_merge, known,
         new_label, recognizes, merges, not_apart, congruence, kinds
        definition, loops: loop_words, looped, words_seen, refutes, common_multiple, in_a_loop
        definition, rounds: rounds, zero_or_one, last_round, all_labels_pass, kept, bad_label,
         n ≥ 0, checks, share, rest(0), rest ≥ 0
        definition, noise: one step, and one more, τ ≥ 0, from t_mix, later, E(0), E, half(0), half,
         H(0), times ≥ 0, H, η, extra ≥ 0
        definition, checks of a label: errs, worse, one label, twin ≥ 0, ε ≤ ½, g ≥ 0, g ≤ 1,
         inv ≥ 0, inv, ε ≥ 0, a(0), b(0), a, b, λ ≥ 0, λ ≤ 1, μ ≥ 0, μ ≤ 1
        textbook, paths of the noise: u(0), u, w ≥ 0, w law, before ≥ 0, before law, round law""",
    "L1.fallback": """
        definition, two runs: events, known_bound, tenth, stops, second_run
        textbook, two runs: before ≥ 0, before law, after ≥ 0, after law""",
}
"""Every leaf by its kind and topic. A reviewer must approve each new leaf."""
COUNTS = {
    "T1": {"assumption": 18, "definition": 91, "textbook": 8},
    "L1": {"assumption": 14, "definition": 63, "textbook": 7},
    "L1.fallback": {"assumption": 0, "definition": 5, "textbook": 4},
}


def join_of(claim: Claim) -> Join:
    (part,) = cited_in(claim.shown[0], claim.notation)
    assert part.join is not None
    return part.join


TIES = [(claim, name) for claim in ROOTS for name in join_of(claim).ties]


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_the_leaves_are_those_that_are_pinned(claim: Claim) -> None:
    tree = tree_of(claim)
    listed: dict[str, list[str]] = {}
    for leaf in tree.leaves:
        listed.setdefault(f"{leaf.kind}, {leaf.topic}", []).append(leaf.name)
    pinned = re.sub(r"\n {9}(?=\S)", " ", LEAVES[claim.id]).split("\n")
    named = dict(line.strip().split(": ", 1) for line in pinned if line.strip())
    assert {group: ", ".join(names) for group, names in listed.items()} == named
    assert counted_leaves(tree) == COUNTS[claim.id]
    assert all(leaf.kind in KINDS and leaf.says and leaf.formally for leaf in tree.leaves)


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_every_node_is_proved_or_enclosed_and_has_a_file(claim: Claim) -> None:
    tree = tree_of(claim)
    named = {leaf.name for leaf in tree.leaves}
    for node in tree.nodes.values():
        assert node.strength <= Strength.ENCLOSED
        assert all(CLAIMS[name].strength <= Strength.ENCLOSED for name in node.claims)
        assert node.formally
        assert node.file.startswith("proofs/") or node.name in TREES.values()
        assert set(node.below) <= tree.nodes.keys()
        assert set(node.leaves) <= named


@pytest.mark.parametrize(("claim", "name"), TIES, ids=[f"{c.id}: {name}" for c, name in TIES])
def test_without_a_tie_the_theorem_is_refused(claim: Claim, name: str) -> None:
    whole = join_of(claim)
    fewer = {given: rule for given, rule in whole.ties.items() if given != name}
    with pytest.raises(NotEarned, match=r"neither shown nor named|is assumed by the theory"):
        joined(Join(whole.theory, whole.sums, fewer), frozenset(claim.notation.leaves))


WEAKER = [
    (claim, name, rule)
    for claim, name in TIES
    for rule in [join_of(claim).ties[name]]
    if any(isinstance(s, Lemma) and s.name == rule for s in join_of(claim).theory.theory.steps)
]


@pytest.mark.parametrize(("claim", "name", "rule"), WEAKER, ids=lambda each: str(each)[:20])
def test_with_a_weaker_lemma_at_a_tie_the_theorem_is_refused(
    claim: Claim, name: str, rule: str
) -> None:
    whole = join_of(claim)
    weaker = restated(whole.theory, rule, then="0 == 0")
    with pytest.raises(NotEarned, match=f"{rule} does not say"):
        joined(replace(whole, theory=weaker), frozenset(claim.notation.leaves))
    assert name in whole.ties


@pytest.mark.parametrize(
    ("identifier", "mistake"),
    [
        ("T1", "0.99 δ"),
        ("T1", "0.99 ε"),
        ("T1", "wrong verdicts are not shown to be accidents"),
        ("T1", "samples may be closer than t̂_mix"),
        ("T1", "a weaker count of position tests"),
        ("T1", "one test is not covered by the event"),
        ("T1", "no realizability"),
        ("L1", "0.99 δ"),
        ("L1", "validation on training rows, which have no law given the past"),
        ("L1.checks", "the first pass counted"),
        ("L1.checks", "a faster decay"),
        ("L1.checks", "a faster decay: the chain exceeds it"),
        ("L1.checks", "one check fewer: a chain of two states exceeds the share"),
        ("L1.loops", "the largest for the least common multiple"),
        ("L1.loops", "from N − 2 words on"),
        ("L1.together", "0 on the label and 1 on all others"),
        ("L1.fallback", "located STEEL is run with δ"),
        ("L1.fallback", "the paper's algorithm is run with 0.6 δ"),
        ("L1.either", "a budget chosen from data"),
    ],
)
def test_listed_mistakes_in_the_trees_are_refused(identifier: str, mistake: str) -> None:
    claim = CLAIMS[identifier]
    (way,) = (each.way for each in claim.mistakes if each.says == mistake)
    with pytest.raises(NotEarned):
        show(way, claim.notation)


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_a_leaf_without_a_name_and_a_name_without_a_leaf_are_refused(claim: Claim) -> None:
    whole = join_of(claim)
    named = frozenset(leaves(whole))
    for leaf in named:
        with pytest.raises(NotEarned, match="neither shown nor named: "):
            joined(whole, named - {leaf})
    with pytest.raises(NotEarned, match="not used: luck"):
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
    assert plain["counts"] == COUNTS[claim.id]
    assert plain["nodes"].keys() == tree.nodes.keys()
    assert plain["quoted"] == {name: COUNTS[name] for name in claim.notation.quoted}


@pytest.mark.parametrize("claim", ROOTS, ids=lambda claim: str(claim.id))
def test_the_picture_has_every_node_and_every_leaf(claim: Claim) -> None:
    tree = tree_of(claim)
    boxes = boxes_of(tree)
    assert set().union(*(box.leaves for box in boxes.values())) == {
        leaf.name for leaf in tree.leaves
    }
    assert all({*node.claims, node.name} & boxes.keys() for node in tree.nodes.values())
    columns = columns_of(boxes, claim.id)
    assert sorted(name for column in columns for name in column) == sorted(boxes)
    assert columns[0] == [claim.id]
    words = [text.get_text() for text in tree_picture(tree).axes[0].texts]
    assert boxes.keys() <= {*words}


def test_the_command_needs_a_tree_for_a_picture() -> None:
    result = CliRunner().invoke(main, ["claims", "--picture", "tree.svg"])
    assert result.exit_code == 2
    assert "--picture needs --tree" in result.output
    result = CliRunner().invoke(main, ["claims", "--tree", "located", "--picture", "tree.txt"])
    assert result.exit_code == 2
    assert "Invalid value for --picture: tree.txt: expected a name that ends in" in result.output


def test_the_command_draws_a_tree(tmp_path: Path) -> None:
    file = tmp_path / "fallback.svg"
    result = CliRunner().invoke(main, ["claims", "--tree", "fallback", "--picture", str(file)])
    assert result.exit_code == 0, result.output
    assert file.read_text(encoding="utf-8").startswith("<?xml")


def test_a_quote_must_say_what_is_given() -> None:
    whole = join_of(CLAIMS["L1.fallback"])
    located, looped, steps = whole.quotes.values()
    assert isinstance(steps.how, Apply)
    names = frozenset(CLAIMS["L1.fallback"].notation.leaves)
    for wrong in (
        {"located half": looped},
        {"looped half": located},
        {"looped_steps": located},
        {"located half": steps},
        {"looped_steps": replace(steps, how=replace(steps.how, lemma="E14_steps"))},
        {"looped_steps": replace(steps, how=replace(steps.how, meaning="Q := Q(c)"))},
        {"looped_steps": replace(steps, how=replace(steps.how, meaning="length(h) := 2 * h"))},
        {"looped_steps": replace(steps, how=replace(steps.how, meaning="d := Q(o)"))},
        {"one of both": located},
        {"nothing": located},
    ):
        with pytest.raises(NotEarned):
            joined(replace(whole, quotes={**whole.quotes, **wrong}), names)
