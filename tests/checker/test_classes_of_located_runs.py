"""For each class of classifiers, the checker's verdicts from rows equal those of the class."""

from __future__ import annotations

import base64
import json
from functools import cache, reduce
from math import inf, nextafter
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker import classes as numbers
from proofs_checks.checker.classes import Conjunctions as CheckedConjunctions
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed, Work
from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.features import Featured, Monomials
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import provenance
from steel_verified.evidence.oracle import Searched, savable
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import accepted

from ..certificates.content import Value, as_json, written
from ..classes.worlds import codes, discs, images, rooms, sensors

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.checker.classes import Class as CheckedClass
    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class

    from ..classes.worlds import ShownWorld

Dataset = TypeVar("Dataset")

# --- verdicts, one by one -------------------------------------------------------------------------

LITTLE = st.sampled_from([-1.5, 0.0, 0.1, 0.30000000000000004, 0.3, 2.0])


@st.composite
def two_batches(draw: st.DrawFn, entries: st.SearchStrategy[float]) -> tuple[Numbers, Numbers]:
    width = draw(st.integers(1, 3))
    row = st.lists(entries, min_size=width, max_size=width)
    rows = st.lists(row, max_size=5)
    zeros, ones = draw(rows), draw(rows)
    kind = np.bool_ if entries is BITS else np.float64
    return (
        np.array(zeros, dtype=kind).reshape(len(zeros), width),
        np.array(ones, dtype=kind).reshape(len(ones), width),
    )


BITS = st.sampled_from([0.0, 1.0])


def agree(
    functions: CheckedClass[Dataset],
    oracle: Class[Numbers],
    zeros: Numbers,
    ones: Numbers,
) -> None:
    """Checker and class agree on separability and on the classifier that the class returns."""

    def rows(batch: Numbers) -> list[bytes]:
        packed, length = oracle.pack(batch), functions.row_bytes
        return [packed[i : i + length] for i in range(0, len(packed), length)]

    def joined(batch: Numbers) -> Dataset:
        parts = [functions.dataset(row) for row in rows(batch)]
        return reduce(functions.merged, parts, functions.nothing())

    found = oracle.separating(oracle.summarise(zeros), oracle.summarise(ones))
    low, high = joined(zeros), joined(ones)
    assert functions.separable(low, high) == (found is not None)
    if found is None:
        return
    written = savable(oracle).written(found)
    classifier = functions.classifier(json.loads(json.dumps(written)), "classifier")
    assert functions.is_chosen(classifier, low, high)
    for batch in (zeros, ones):
        values = [functions.value(classifier, functions.dataset(row)) for row in rows(batch)]
        assert values == oracle.values(found, batch).tolist()
    if len(zeros) and len(ones):
        assert not functions.is_chosen(classifier, high, low)


@given(batches=two_batches(LITTLE))
def test_thresholds_of_checker_and_learner_agree(batches: tuple[Numbers, Numbers]) -> None:
    width = batches[0].shape[1]
    for rule in (numbers.ANNOUNCED, numbers.WIDEST):
        checked = numbers.Thresholds("float64", width, Work(10**6), rule)
        agree(checked, Thresholds(width), *batches)


@given(batches=two_batches(LITTLE))
def test_boxes_of_checker_and_learner_agree(batches: tuple[Numbers, Numbers]) -> None:
    width = batches[0].shape[1]
    for rule in (numbers.ANNOUNCED, numbers.WIDEST):
        agree(numbers.Boxes("float64", width, Work(10**6), rule), Boxes(width), *batches)


@given(batches=two_batches(BITS))
def test_conjunctions_of_checker_and_learner_agree(batches: tuple[Numbers, Numbers]) -> None:
    width = batches[0].shape[1]
    for rule in (numbers.ANNOUNCED, numbers.WIDEST):
        agree(CheckedConjunctions(width, Work(10**6), rule), Conjunctions(width), *batches)


# --- whole runs -----------------------------------------------------------------------------------


def certified(truth: ShownWorld, oracle: Class[Numbers], seed: int) -> bytes:
    """The certificate of a located run."""
    recipe = Located(truth.parameters)
    learned = accepted(checked_run(truth.world(seed), oracle, recipe, max_steps=40000))
    assert learned.certified
    return certificate_of_run(learned, oracle, provenance("a small world", 0, seed))


RUNS: dict[str, Callable[[], bytes]] = {
    "thresholds": lambda: certified(sensors(), Thresholds(sensors().features), 0),
    "boxes": lambda: certified(rooms(), Boxes(rooms().features), 0),
    "conjunctions": lambda: certified(codes(), Conjunctions(codes().features), 0),
    "half-spaces": lambda: certified(images(), Witnessed(HalfSpaces(images().features)), 1),
    "polynomials": lambda: certified(
        discs(), Featured(Monomials(2, 2), Witnessed(HalfSpaces(5))), 0
    ),
}


@cache
def certificate(name: str) -> bytes:
    return RUNS[name]()


def rules_broken(value: dict[str, Value]) -> set[str]:
    """Return the rules that reject a changed certificate with a recomputed digest."""
    try:
        return {finding.rule for finding in judged(written(value)).findings}
    except Malformed:
        return {"malformed"}


@pytest.mark.parametrize("name", RUNS)
def test_the_certificate_of_a_run_is_accepted(name: str) -> None:
    assert rules_broken(json.loads(as_json(certificate(name)))) == set()


@pytest.mark.parametrize("name", RUNS)
def test_checks_are_recomputed_from_the_rows(name: str) -> None:
    """Rows of two states swapped in the last pass are rejected."""
    value = json.loads(as_json(certificate(name)))
    last = [entry for entry in value["record"] if entry["kind"] == "seen"][-1]
    rows = base64.b64decode(last["rows"])
    length = len(rows) // len(last["times"])
    exchanged = rows[length : 2 * length] + rows[:length] + rows[2 * length :]
    last["rows"] = base64.b64encode(exchanged).decode("ascii")
    assert rules_broken(value) == {"checks"}


def nudged(text: str) -> str:
    """Return the next larger float."""
    return repr(nextafter(float(text), inf))


@pytest.mark.parametrize("name", ["thresholds", "boxes"])
def test_classifiers_are_recomputed_by_the_declared_rule(name: str) -> None:
    """A classifier that separates as well, but is not the one of the rule, is rejected."""
    value = json.loads(as_json(certificate(name)))
    assert value["class"]["rule"] == numbers.WIDEST
    fixed = [entry for entry in value["record"] if entry["kind"] == "fixed"][-1]
    for classifiers in (fixed["classifiers"], value["classifiers"]):
        first = classifiers[0]
        if name == "thresholds":
            first["bound"] = nudged(first["bound"])
        else:
            side = next(
                side for side in ("least", "greatest") if any("inf" not in x for x in first[side])
            )
            first[side] = [x if "inf" in x else nudged(x) for x in first[side]]
    assert rules_broken(value) == {"encoder"}
    value["class"]["rule"] = numbers.ANNOUNCED
    assert rules_broken(value) == set()


def test_rule_of_another_class_is_malformed() -> None:
    value = json.loads(as_json(certificate("thresholds")))
    for rule in ("lowest number", "first come", ""):
        assert rules_broken({**value, "class": {**value["class"], "rule": rule}}) == {"malformed"}


PROVED = ["half-spaces", "polynomials"]


def proofs_of(name: str) -> tuple[dict[str, Value], dict[str, list[Value]]]:
    value = json.loads(as_json(certificate(name)))
    return value, value["proofs"]


@pytest.mark.parametrize("name", PROVED)
def test_separator_and_common_point_are_not_interchangeable(name: str) -> None:
    """If the hulls meet, no half-space separates; if one separates, the hulls do not meet."""
    value, proofs = proofs_of(name)
    answers = proofs["answers"]
    numbers = [answer for answer in answers if isinstance(answer, int)]
    for place in range(0, len(numbers), max(1, len(numbers) // 10)):
        old = numbers[place]
        answers[place] = 0 if old < 0 else -1
        assert rules_broken(value) == {"proofs"}
        answers[place] = old


@pytest.mark.parametrize("name", PROVED)
def test_missing_or_extra_proofs_are_rejected(name: str) -> None:
    value, proofs = proofs_of(name)
    last = proofs["answers"].pop()
    assert rules_broken(value) == {"proofs"}
    proofs["answers"] += [last, last]
    assert rules_broken(value) == {"proofs"}
    proofs["answers"] = [len(proofs["separators"])]
    assert rules_broken(value) == {"malformed"}


@pytest.mark.parametrize("name", PROVED)
def test_a_common_point_has_rows_of_its_datasets_and_weights_that_sum_to_one(name: str) -> None:
    value, proofs = proofs_of(name)
    meeting = proofs["meetings"][0]
    assert isinstance(meeting, dict)
    for side in ("zeros", "ones"):
        pairs = json.loads(json.dumps(meeting[side]))
        (point, weight), *others = pairs
        for wrong in (
            [[[*point[:-1], "12345"], weight], *others],
            [[point, "2"], *others],
            [],
        ):
            meeting[side] = wrong
            assert rules_broken(value) == {"proofs"}
        meeting[side] = [[point[:-1], weight], *others]
        assert rules_broken(value) == {"malformed"}
        meeting[side] = pairs
    assert rules_broken(value) == set()


def test_proofs_belong_to_half_spaces_and_to_no_other_class() -> None:
    value, _ = proofs_of("half-spaces")
    assert rules_broken({**value, "proofs": None}) == {"malformed"}
    other = json.loads(as_json(certificate("thresholds")))
    assert rules_broken({**other, "proofs": value["proofs"]}) == {"malformed"}


def test_class_without_proofs_has_no_certificate() -> None:
    truth = images()
    plain = HalfSpaces(truth.features)
    recipe = Located(truth.parameters)
    learned = accepted(checked_run(truth.world(1), plain, recipe, max_steps=40000))
    origin = provenance("a small world", 0, 1)
    with pytest.raises(InvalidArgument, match="Witnessed"):
        certificate_of_run(learned, plain, origin)
    searched = Searched(plain, plain.separating)
    found = accepted(checked_run(truth.world(1), searched, recipe, max_steps=40000))
    assert not found.certified
    with pytest.raises(InvalidArgument, match="proves nothing"):
        certificate_of_run(found, searched, origin)
