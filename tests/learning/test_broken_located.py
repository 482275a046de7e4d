"""Every broken located learner is detected: its run is refused, or its certificate is rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed
from steel_verified.errors import SteelError
from steel_verified.theory.conditions import AssumptionViolated

from .broken_located import looping, policies, recognising, reports, rounds
from .broken_located.attempts import Attempt
from .broken_located.scenes import HASTY, LOCKED, PERIODIC, RICH, Scene, random_scene

if TYPE_CHECKING:
    from .broken import Broken

BROKEN = [
    *recognising.BROKEN,
    *looping.BROKEN,
    *policies.BROKEN,
    *rounds.BROKEN,
    *reports.BROKEN,
]
SCENES = [LOCKED, HASTY, RICH, PERIODIC, *map(random_scene, (126, 261, 353, 381, 527, 2821))]


def endings(attempt: Attempt) -> set[str]:
    """Return how an attempt ends: an error, or violated rules, if any."""
    try:
        findings = judged(attempt.certificate()).findings
    except AssumptionViolated as violated:
        return {"not accepted", *(each.name for each in violated.conditions)}
    except SteelError as refused:
        return {type(refused).__name__}
    except Malformed:
        return {"malformed"}
    return {finding.rule for finding in findings} or {"accepted"}


@pytest.mark.parametrize("scene", SCENES)
def test_unchanged_learner_is_accepted_in_each_scene(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert endings(Attempt(monkeypatch, scene)) == {"accepted"}


@pytest.mark.parametrize("learner", BROKEN, ids=lambda learner: learner.name)
def test_broken_learner_is_refused_or_rejected_as_stated(
    learner: Broken[Attempt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unchanged learner is accepted in the same scene, so each change has an effect."""
    attempt = Attempt(monkeypatch)
    learner.change(attempt)
    assert learner.ends in endings(attempt)


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner",
    [each for each in BROKEN if each not in reports.BROKEN],
    ids=lambda learner: learner.name,
)
def test_broken_learner_is_refused_or_has_no_effect_in_other_scenes(
    learner: Broken[Attempt],
) -> None:
    for scene in SCENES:
        with pytest.MonkeyPatch.context() as patch:
            right = Attempt(patch, scene).certificate()
            attempt = Attempt(patch)
            learner.change(attempt)
            attempt.scene = scene
            assert endings(attempt) != {"accepted"} or attempt.certificate() == right


def test_removed_rows_are_not_detectable_and_so_an_assumption(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The failed pass of HASTY is removed, and passes of the second round take its place.

    No rule can detect this: the world could have shown these rows, and then the first round would
    have passed. So the first assumption says that the rows are what the world showed, in one
    unbroken trajectory.
    """
    attempt = Attempt(monkeypatch, HASTY)
    attempt.rewrites.append(
        "r[45:] = r[62 : 62 + 3 * 116]\n"
        "for n, e in enumerate(r[33:]):\n"
        "    if e['kind'] == 'ran': e['done'] = 2 + n // 3 * 2\n"
        "    if e['kind'] == 'seen': e['times'] = [3 + n // 3 * 2, 4 + n // 3 * 2]\n"
        "    if e['kind'] == 'checked': e['number'] = 1 + n // 3\n"
        "c['spent'], c['classifiers'] = '1/40', r[31]['classifiers']\n" + reports.RENUMBERED
    )
    found = judged(attempt.certificate())
    assert found.findings == []
    assert "in one unbroken trajectory" in found.assumptions[0]


def test_there_are_at_least_60_broken_located_learners_with_different_names() -> None:
    names = [learner.name for learner in BROKEN]
    assert len(names) == len(set(names)) >= 60
