"""The checker builds the formula of N boxes itself, and believes nothing of the proof."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed
from proofs_checks.checker.verified import NotVerified
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes
from steel_verified.classes.rows import Integers
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import drive
from steel_verified.learning.results import Accepted
from tests.checker.test_columns import TABLE, ring

from ..certificates.attacks import attacked
from .material import broken_rules


@cache
def certificate(kind: str) -> bytes:
    functions = Boxes(6, Integers(0, 3)) if kind == "boxes" else Conjunctions(3)
    method = Certain(functions.declared.width, 2, functions=functions, check_steps=5, max_states=5)
    result = drive(method, ring(as_bits=kind == "conjunctions"), functions, max_steps=500)
    assert isinstance(result, Accepted)
    return certificate_of_run(result, functions, provenance("a ring", 0, 5))


PROOF = "steps = next(e['steps'] for e in r if e['kind'] == 'derivation'); "


@pytest.mark.parametrize("kind", ["boxes", "conjunctions"])
def test_honest_runs_are_accepted(kind: str) -> None:
    verdict = judged(certificate(kind))
    assert verdict.findings == []
    assert [*verdict.against(TABLE, 0)] == []
    assert verdict.assumptions[-1] == "there are at most max_states states"
    with pytest.raises(NotVerified, match="at most max_states states"):
        verdict.verified()


@pytest.mark.parametrize("kind", ["boxes", "conjunctions"])
@pytest.mark.parametrize(("most", "rule"), [(3, "bound"), (4, "only"), (6, "only")])
def test_another_bound_is_rejected(kind: str, most: int, rule: str) -> None:
    changed = attacked(certificate(kind), f"c['parameters']['max_states'] = {most}")
    assert rule in broken_rules(changed)


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        (
            "cover",
            "c |= {'classifiers': ['---', '1--'], 'table': [[0, 1], [1, 0]], 'current': 0}",
        ),
        ("claim", "for line in c['table']: line.reverse()"),
        ("claim", "c['assumes'].pop()"),
        ("only", PROOF + "steps.pop()"),
        ("only", PROOF + "steps[:] = [[[], []]]"),
        ("only", PROOF + "steps[-1][1] = [10**6]"),
    ],
)
def test_changed_claim_or_proof_is_rejected(rule: str, change: str) -> None:
    assert rule in broken_rules(attacked(certificate("conjunctions"), change))


@pytest.mark.parametrize(
    ("table", "outside"),
    [
        ([], None),
        ([[0, [0, 0]], [1, [1, 1]]], None),
        ([[0, [0, 1]]], [1, 1]),
        ([[0, [0, 0]]], [1, 0]),
        ([[0, [0, 0]]], [99, 1]),
        ([[0, [0, 0]]], [1, 9]),
        ([[0, [0]]], [1, 1]),
        ([[0, [0, 0]], [0, [0, 0]]], [1, 1]),
        ([[7, [7, 7]]], [1, 1]),
    ],
)
def test_labels_that_can_be_left_exclude_nothing(
    table: list[object], outside: list[int] | None
) -> None:
    """A clause that does not follow from Lemma 2 is refused, whatever the proof needs."""
    entry = {"kind": "stays", "outside": outside, "table": table}
    first = "next(i for i, e in enumerate(r) if e['kind'] in ('stays', 'derivation'))"
    data = attacked(certificate("conjunctions"), f"r.insert({first}, {entry})")
    assert [(each.rule, each.place) for each in judged(data).findings] == [("only", "stays[0]")]


@given(st.integers(0, 10**6), st.integers(0, 1), st.integers(0, 10**6), st.integers(1, 60))
def test_a_changed_proof_proves_nothing_else(step: int, side: int, place: int, to: int) -> None:
    """Any change of a step is rejected, or proves the same claim."""
    change = f"p = steps[{step} % len(steps)][{side}]; p[{place} % len(p)] = {to}"
    try:
        data = attacked(certificate("conjunctions"), PROOF + change)
    except ZeroDivisionError:  # this part of the step is empty
        assume(False)  # noqa: FBT003 (an assumption)
        raise
    verdict = judged(data)
    assert [*verdict.against(TABLE, 0)] == []
    assert {finding.rule for finding in verdict.findings} <= {"only"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("c['parameters']['connected'] = False", None),
        ("c['class']['name'] = 'thresholds'", None),
        ("c['parameters']['max_states'] = 10**5", "too costly"),
    ],
)
def test_other_classes_logs_and_huge_bounds_are_malformed(change: str, said: str | None) -> None:
    with pytest.raises(Malformed, match=said):
        judged(attacked(certificate("boxes"), change))
