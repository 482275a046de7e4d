"""The checker builds the formula of N boxes itself, and believes nothing of the proof."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed, canonical
from proofs_checks.checker.verified import NotVerified
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes
from steel_verified.classes.rows import Integers
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import drive
from steel_verified.learning.results import Accepted
from tests.checker.test_columns import TABLE, Ring, broken, changed

if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def certificate(kind: str) -> bytes:
    functions = Boxes(6, Integers(0, 3)) if kind == "boxes" else Conjunctions(3)
    method = Certain(functions.declared.width, 2, functions=functions, check_steps=5, max_states=5)
    result = drive(method, Ring(as_bits=kind == "conjunctions"), functions, max_steps=500)
    assert isinstance(result, Accepted)
    return certificate_of_run(result, functions, provenance("a ring", 0, 5))


def with_lines(data: bytes, change: Callable[[list[bytes]], None]) -> bytes:
    """The file with a change of its lines after the steps, and the digest that fits."""
    start = data.index(b'{"kind":"stays"' if b'"stays"' in data else b'{"kind":"derivation"')
    lines = data[start:].splitlines(keepends=True)[:-1]
    change(lines)
    content = data[:start] + b"".join(lines)
    return content + canonical({"digest": sha256(content).hexdigest(), "kind": "end"}) + b"\n"


def derivation_in(lines: list[bytes]) -> tuple[int, list[list[list[int]]]]:
    place = next(i for i, line in enumerate(lines) if b'"derivation"' in line)
    steps: list[list[list[int]]] = json.loads(lines[place])["steps"]
    return place, steps


def with_steps(data: bytes, change: Callable[[list[list[list[int]]]], None]) -> bytes:
    def rewrite(lines: list[bytes]) -> None:
        place, steps = derivation_in(lines)
        change(steps)
        lines[place] = canonical({"kind": "derivation", "steps": steps}) + b"\n"

    return with_lines(data, rewrite)


@pytest.mark.parametrize("kind", ["boxes", "conjunctions"])
def test_honest_runs_are_accepted(kind: str) -> None:
    verdict = judged(certificate(kind))
    assert verdict.findings == []
    assert [*verdict.against(TABLE, 0)] == []
    assert verdict.assumptions[-1] == "there are at most max_states states"
    with pytest.raises(NotVerified, match="at most max_states states"):
        verdict.verified()


@pytest.mark.parametrize("kind", ["boxes", "conjunctions"])
def test_another_bound_is_rejected(kind: str) -> None:
    def bounded(most: int) -> Callable[[dict[str, object]], None]:
        def change(header: dict[str, object]) -> None:
            parameters = header["parameters"]
            assert isinstance(parameters, dict)
            parameters["max_states"] = most

        return change

    for most, rule in ((3, "bound"), (4, "only"), (6, "only")):
        assert rule in broken(changed(certificate(kind), "header", bounded(most)))


def test_a_claim_that_joins_states_is_rejected() -> None:
    def joined(claim: dict[str, object]) -> None:
        claim["classifiers"] = ["---", "1--"]
        claim["table"], claim["current"] = [[0, 1], [1, 0]], 0

    def other(claim: dict[str, object]) -> None:
        table = claim["table"]
        assert isinstance(table, list)
        claim["table"] = [line[::-1] for line in table]

    def unsaid(claim: dict[str, object]) -> None:
        assumes = claim["assumes"]
        assert isinstance(assumes, list)
        claim["assumes"] = assumes[:-1]

    data = certificate("conjunctions")
    assert "cover" in broken(changed(data, "claim", joined))
    assert broken(changed(data, "claim", other)) == {"claim"}
    assert broken(changed(data, "claim", unsaid)) == {"claim"}


def test_a_file_without_its_proof_is_rejected() -> None:
    data = certificate("conjunctions")

    def without_end(steps: list[list[list[int]]]) -> None:
        steps.pop()

    def only_end(steps: list[list[list[int]]]) -> None:
        steps[:] = [[[], []]]

    def unnamed(steps: list[list[list[int]]]) -> None:
        steps[-1][1] = [10**6]

    for change in (without_end, only_end, unnamed):
        assert broken(with_steps(data, change)) == {"only"}


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
    line = canonical({"kind": "stays", "outside": outside, "table": table}) + b"\n"
    data = with_lines(certificate("conjunctions"), lambda lines: lines.insert(0, line))
    assert [(each.rule, each.place) for each in judged(data).findings] == [("only", "stays[0]")]


@given(st.data())
def test_a_changed_proof_proves_nothing_else(data: st.DataObject) -> None:
    """Any change of a step is rejected, or proves the same claim."""

    def change(steps: list[list[list[int]]]) -> None:
        step = data.draw(st.sampled_from(steps))
        part = step[data.draw(st.integers(0, 1))]
        assume(part)
        place = data.draw(st.integers(0, len(part) - 1))
        part[place] = data.draw(st.integers(1, 60))

    verdict = judged(with_steps(certificate("conjunctions"), change))
    assert [*verdict.against(TABLE, 0)] == []
    assert {finding.rule for finding in verdict.findings} <= {"only"}


def test_other_classes_and_logs_are_malformed() -> None:
    def log(header: dict[str, object]) -> None:
        parameters = header["parameters"]
        assert isinstance(parameters, dict)
        parameters["connected"] = False

    def thresholds(header: dict[str, object]) -> None:
        described = header["class"]
        assert isinstance(described, dict)
        described["name"] = "thresholds"

    for change in (log, thresholds):
        with pytest.raises(Malformed):
            judged(changed(certificate("boxes"), "header", change))
    costly = changed(certificate("boxes"), "header", lambda header: _bounded(header, 10**5))
    with pytest.raises(Malformed, match="too costly"):
        judged(costly)


def _bounded(header: dict[str, object], most: int) -> None:
    parameters = header["parameters"]
    assert isinstance(parameters, dict)
    parameters["max_states"] = most
