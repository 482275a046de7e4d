"""No broken learner gets away: its run is refused, or its certificate is rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proofs_checks.checker.document import Malformed
from proofs_checks.checker.looped.reading import read as read_certificate
from proofs_checks.checker.looped.rules import check
from steel_verified.errors import SteelError
from steel_verified.learning import replaying, steel
from steel_verified.theory.conditions import AssumptionViolated

from .broken_learners import plans, questions, reports, samples, worlds
from .broken_learners.attempts import Attempt

if TYPE_CHECKING:
    from .broken import Broken

BROKEN = [*samples.BROKEN, *questions.BROKEN, *plans.BROKEN, *reports.BROKEN, *worlds.BROKEN]


def endings(attempt: Attempt) -> set[str]:
    """How an attempt ends: with an error, a contradiction, or rules that are broken, if any."""
    try:
        findings = check(read_certificate(attempt.certificate()))
    except AssumptionViolated as violated:
        return {next((each.name for each in violated.conditions), "not accepted")}
    except SteelError as refused:
        return {type(refused).__name__}
    except Malformed:
        return {"malformed"}
    return {finding.rule for finding in findings} or {"accepted"}


def test_the_right_learner_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert endings(Attempt(monkeypatch)) == {"accepted"}
    assert endings(Attempt(monkeypatch, with_encoder=False)) == {"accepted"}


@pytest.mark.parametrize("learner", BROKEN, ids=lambda learner: learner.name)
def test_no_broken_learner_is_accepted(
    learner: Broken[Attempt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some are stopped by the learner's own look at the model; without it, by their rule."""
    attempt = Attempt(monkeypatch)
    learner.change(attempt)
    found = endings(attempt)
    assert found in ({learner.ends}, {"DETERMINISTIC"}) or learner.ends in found
    if learner.ends not in found:
        monkeypatch.setattr(steel, "require_whole_run", lambda *_: None)
        monkeypatch.setattr(replaying, "require_consistent", lambda *_, **__: None)
        again = Attempt(monkeypatch)
        learner.change(again)
        assert learner.ends in endings(again)


def test_there_are_many_of_them() -> None:
    names = [learner.name for learner in BROKEN]
    assert len(names) == len(set(names)) >= 60
