"""Every broken learner is detected: its run is refused, or its certificate is rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proofs_checks.checker.looped import check
from proofs_checks.checker.looped import read as read_certificate
from proofs_checks.checker.reading import Malformed
from steel_verified.errors import SteelError
from steel_verified.learning import looped
from steel_verified.theory.conditions import AssumptionViolated

from .broken_learners import plans, questions, reports, samples, worlds
from .broken_learners.attempts import Attempt

if TYPE_CHECKING:
    from .broken import Broken

BROKEN = [*samples.BROKEN, *questions.BROKEN, *plans.BROKEN, *reports.BROKEN, *worlds.BROKEN]


def endings(attempt: Attempt) -> set[str]:
    """Return how an attempt ends: an error, a contradiction, or violated rules, if any."""
    try:
        findings = check(read_certificate(attempt.certificate()))
    except AssumptionViolated as violated:
        return {next((each.name for each in violated.conditions), "not accepted")}
    except SteelError as refused:
        return {type(refused).__name__}
    except Malformed:
        return {"malformed"}
    return {finding.rule for finding in findings} or {"accepted"}


def test_unchanged_learner_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert endings(Attempt(monkeypatch)) == {"accepted"}
    assert endings(Attempt(monkeypatch, with_encoder=False)) == {"accepted"}


@pytest.mark.parametrize("learner", BROKEN, ids=lambda learner: learner.name)
def test_broken_learner_is_refused_or_rejected_as_stated(
    learner: Broken[Attempt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some are stopped by the learner's own check of the model; without it, by their rule."""
    attempt = Attempt(monkeypatch)
    learner.change(attempt)
    found = endings(attempt)
    assert found in ({learner.ends}, {"DETERMINISTIC"}) or learner.ends in found
    if learner.ends not in found:
        monkeypatch.setattr(looped, "require_whole_run", lambda *_: None)
        monkeypatch.setattr(looped, "require_consistent", lambda *_, **__: None)
        again = Attempt(monkeypatch)
        learner.change(again)
        assert learner.ends in endings(again)


def test_there_are_at_least_60_broken_learners_with_different_names() -> None:
    names = [learner.name for learner in BROKEN]
    assert len(names) == len(set(names)) >= 60
