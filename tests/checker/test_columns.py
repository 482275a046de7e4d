"""The checker lists columns of thresholds, boxes and conjunctions itself, and believes no claim."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from proofs_checks.checker import columns
from proofs_checks.checker.__main__ import main
from proofs_checks.checker.columns import MOST_COLUMNS
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed
from proofs_checks.checker.verified import answer_of_certain
from proofs_checks.checker.version2 import opened
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import Integers
from steel_verified.evidence.certificate import (
    Claim,
    Class,
    Header,
    Parameters,
    lines,
    provenance,
)
from steel_verified.evidence.entries import Row, Steps, Trajectory
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import drive
from steel_verified.learning.results import Accepted
from tests.toys import Toy

from ..certificates.attacks import attacked
from .material import broken_rules

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.classes.columns import Growing
    from steel_verified.evidence.entries import Entry


TABLE = [[1, 1], [2, 0], [3, 2], [0, 3]]


def ring(*, as_bits: bool) -> Toy:
    """Four states in a ring; action 0 goes on, action 1 exchanges the first two states."""

    def shows(state: int, random: np.random.Generator) -> list[int] | list[bool]:
        noise = int(random.integers(3))
        if as_bits:
            return [state > 1, state % 2 > 0, noise > 0]
        return [noise, *(int(state == i) for i in range(4)), state]

    return Toy(TABLE, shows, seed=5)


@cache
def certificate(kind: str) -> bytes:
    functions: Growing = Conjunctions(3)
    if kind == "thresholds":
        functions = Thresholds(6, Integers(0, 3))
    if kind == "boxes":
        functions = Boxes(6, Integers(0, 3))
    world = ring(as_bits=kind == "conjunctions")
    method = Certain(functions.declared.width, 2, functions=functions, check_steps=5)
    result = drive(method, world, functions, max_steps=500)
    assert isinstance(result, Accepted)
    return certificate_of_run(result, functions, provenance("a ring", 0, 5))


@pytest.mark.parametrize("kind", ["thresholds", "boxes", "conjunctions"])
def test_honest_runs_are_accepted(kind: str) -> None:
    verdict = judged(certificate(kind))
    assert verdict.findings == []
    assert verdict.learned == 4
    assert [*verdict.against(TABLE, 0)] == []
    assert "two states" in " ".join(verdict.assumptions)


@pytest.mark.coq
@pytest.mark.parametrize("kind", ["thresholds", "boxes", "conjunctions"])
def test_extracted_checker_decides_for_the_listed_columns(
    kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It says that the list is Python's; and a row that contradicts the claim is rejected by it."""
    (tmp_path / "run").write_bytes(certificate(kind))
    assert main([str(tmp_path / "run"), "--verified"]) == 0
    assert "That no other column of the class can belong to a state is not verified" in (
        capsys.readouterr().out
    )
    record = columns.certificate_in(opened(certificate(kind))).base.record
    (path,) = record.trajectories
    cut = replace(path, rows=path.rows[:-1], actions=path.actions[:-1])
    assert answer_of_certain(record) is not None
    assert answer_of_certain(replace(record, trajectories=(cut,), claim=record.claim[:-1])) is None


ALWAYS = "{'feature': 0, 'sign': '>=', 'bound': '-inf'}"
AS_BOXES = (
    "c['classifiers'] = [{'greatest': ['inf'] * 6, "
    "'least': ['-inf' if i != state else 1 for i in range(6)]} for state in range(1, 5)]"
)
CHANGES = {
    "another table": ("thresholds", "claim", "for line in c['table']: line.reverse()"),
    # It is the one of the declared rule, so that nothing can be chosen afterwards.
    "another classifier with the same values": (
        "boxes",
        "rule",
        "c['classifiers'][0]['greatest'] = [2, *['inf'] * 5]",  # the noise is never more
    ),
    "classifiers exchanged": (
        "thresholds",
        "claim",
        "c['classifiers'][:2] = c['classifiers'][1::-1]",
    ),
    "a classifier that is always 1": ("thresholds", "cover", f"c['classifiers'][0] = {ALWAYS}"),
    "one state": (
        "thresholds",
        "cover",
        f"c |= {{'classifiers': [{ALWAYS}], 'table': [[0, 0]], 'current': 0}}",
    ),
    # The rows that decide among thresholds leave several covers of boxes.
    "a richer class": ("thresholds", "only", f"c['class']['name'] = 'boxes'; {AS_BOXES}"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_claim_is_rejected(name: str) -> None:
    kind, rule, change = CHANGES[name]
    assert rule in broken_rules(attacked(certificate(kind), change))


@pytest.mark.parametrize(
    "change",
    [
        "c['parameters']['connected'] = False",
        "c['class'] |= {'name': 'half-spaces', 'rule': 'announced'}",
    ],
)
def test_a_log_or_another_class_is_malformed(change: str) -> None:
    with pytest.raises(Malformed):
        judged(attacked(certificate("thresholds"), change))


def test_too_many_columns_are_refused_quickly() -> None:
    """Boxes on many rows whose numbers never repeat have thousands of columns."""

    rows = [Row(each.tobytes()) for each in np.random.default_rng(1).random((400, 3))]
    header = Header(
        method="certain",
        parameters=Parameters(actions=400, connected=True),
        functions=Class("boxes", "float64", 3, "widest margin"),
        assumptions=(),
        provenance=provenance("none", 0, 0),
    )
    claim = Claim(table=((0,),), current=0, classifiers=(), steps=399, assumes=())
    record: list[Entry] = [Trajectory(rows[0]), Steps(tuple(range(399)), tuple(rows[1:]))]
    began = time.process_time()
    with pytest.raises(Malformed, match="too costly"):
        judged(b"".join(lines(header, record, claim)))
    assert time.process_time() - began < 30, MOST_COLUMNS
