"""If the world changes state between plans, its certificates contradict their own table."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.looped import check, read
from steel_verified.learning import looped
from steel_verified.learning.drive import checked_run
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Accepted
from steel_verified.strategies import dynamics
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import PerfectOracle
from tests.toys import Jumping

from ..certificates.content import as_json
from .material import broken_rules, ideal, parameters_for, resealed, written_looped


def jumped(truth: Dynamics, seed: int, *, with_encoder: bool) -> bytes | None:
    """Return the certificate of a run that jumps between some loops, or None if the run fails."""
    draw = random.Random(seed)

    def jump(loop: int) -> int | None:
        return draw.randrange(truth.states) if loop and draw.random() < 0.3 else None

    method = Looped(parameters_for(truth, mixing_time=1), with_encoder=with_encoder)
    result = checked_run(Jumping(truth, jump), PerfectOracle(), method)
    return written_looped(result) if isinstance(result, Accepted) else None


def contradictions(data: bytes) -> int:
    """Count the positions that differ when the table is followed step by step through all plans."""
    c = json.loads(as_json(data))
    table, here, wrong = c["table"], None, 0
    states: list[int | None] = []
    pieces: list[list[int]] = []
    for entry in c["record"]:
        if entry["kind"] == "ran":
            states = states if entry["done"] else [here]
            for step in range(entry["done"], entry["done"] + entry["steps"]):
                action = entry["word"][step % len(entry["word"])]
                here = None if here is None else table[here][action]
                states.append(here)
        elif entry["kind"] == "read":
            pieces = [times for _, (times, *_) in entry["samples"]]
        elif entry["kind"] == "labels":
            labels = [label for *_, label in entry["positions"]]
            for (first, *_), label in zip(pieces, labels, strict=True):
                wrong += states[first] not in (None, label)
            # After the comparison, continue from the state that the call found.
            here = labels[(len(states) - 1) % len(labels)]
    return wrong


@given(
    truth=dynamics(max_states=5, max_actions=2),
    seed=st.integers(0, 10**6),
    with_encoder=st.booleans(),
    learner_looks=st.booleans(),
)
def test_a_certificate_that_contradicts_its_own_table_is_rejected(
    truth: Dynamics, seed: int, *, with_encoder: bool, learner_looks: bool
) -> None:
    """The learner also looks for such jumps; here this is sometimes switched off."""
    with pytest.MonkeyPatch.context() as patch:
        if not learner_looks:
            patch.setattr(looped, "require_consistent", lambda *_, **__: None)
            patch.setattr(looped, "require_whole_run", lambda *_: None)
        data = jumped(truth, seed, with_encoder=with_encoder)
    if data is not None:
        found = check(read(data))
        assert bool(found) == bool(contradictions(data))
        assert not (found and learner_looks)
        assert {finding.rule for finding in found} <= {"tracking"}


def test_period_refuted_by_the_table_is_rejected() -> None:
    """Two rounds of a loop stated as one: labels and transitions agree, the period does not."""
    truth = Dynamics(((1,), (2,), (3,), (0,)))
    value = json.loads(as_json(ideal(truth, with_encoder=False, mixing_time=1)))
    labels = value["record"][-1]
    for i, bits, label in ((0, "", 0), (1, "1", 1), (2, "0", 0), (3, "10", 1)):
        labels["positions"][i][1:] = bits, label
    # The charges stay the same except for the label tests: six became four.
    assert sum(len(bits) for _, bits, _ in labels["positions"]) == 4
    saved = Fraction(labels["charge"]) / 6 * 2
    labels["charge"] = str(Fraction(labels["charge"]) - saved)
    value["spent"] = str(Fraction(value["spent"]) - saved)
    value["table"], value["current"] = [[1], [0]], value["current"] % 2
    assert broken_rules(resealed(value)) == {"tracking"}
