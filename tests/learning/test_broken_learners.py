"""Every broken learner is detected: its run is refused, or its certificate is rejected."""

from __future__ import annotations

from typing import Final

import pytest

from proofs_checks.checker.judging import judged

from . import broken_looped
from .broken import Broken, begun, rewrite, without_own_checks
from .broken_located import LEARNERS, LOCATED, RENUMBERED
from .broken_looped import LOOPED
from .scenes import HASTY, LOCKED, PERIODIC, RICH, Scene, random_scene

SCENES: Final = [LOCKED, HASTY, RICH, PERIODIC, *map(random_scene, (126, 261, 353, 381, 527, 2821))]


@pytest.mark.parametrize("with_encoder", [True, False])
def test_unchanged_looped_learner_is_accepted(
    monkeypatch: pytest.MonkeyPatch, *, with_encoder: bool
) -> None:
    learner = broken_looped.begun(monkeypatch, with_encoder=with_encoder)
    assert learner.ending() == {"accepted"}


@pytest.mark.parametrize("scene", SCENES)
def test_unchanged_located_learner_is_accepted_in_each_scene(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert begun(monkeypatch, scene).ending() == {"accepted"}


@pytest.mark.parametrize("learner", LOOPED.values(), ids=LOOPED)
def test_broken_looped_learner_is_refused_or_rejected_as_stated(
    learner: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some are stopped by the learner's own check of the model; without it, by their rule."""
    found = learner.apply(broken_looped.begun(monkeypatch)).ending()
    if learner.ends not in found:
        assert "DETERMINISTIC" in found
        without_own_checks(monkeypatch)
        again = learner.apply(broken_looped.begun(monkeypatch))
        assert learner.ends in again.ending()


@pytest.mark.parametrize("learner", LOCATED.values(), ids=LOCATED)
def test_broken_located_learner_is_refused_or_rejected_as_stated(
    learner: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert learner.ends in learner.apply(begun(monkeypatch, learner.scene or LOCKED)).ending()


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)
def test_broken_located_learner_is_refused_or_has_no_effect_in_other_scenes(
    learner: Broken,
) -> None:
    for scene in SCENES:
        with pytest.MonkeyPatch.context() as patch:
            right = begun(patch, scene).certificate()
            found = learner.apply(begun(patch, scene)).ending()
            if found == {"accepted"}:
                assert learner.apply(begun(patch, scene)).certificate() == right


def test_removed_rows_are_not_detectable_and_so_an_assumption(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The failed pass of HASTY is removed, and passes of the second round take its place.

    No rule can detect this: the world could have shown these rows, and then the first round would
    have passed. So the first assumption says that the rows are what the world showed, in one
    unbroken trajectory.
    """
    attempt = begun(monkeypatch, HASTY)
    rewrite(
        "r[45:] = r[62 : 62 + 3 * 116]\n"
        "for n, e in enumerate(r[33:]):\n"
        "    if e['kind'] == 'ran': e['done'] = 2 + n // 3 * 2\n"
        "    if e['kind'] == 'seen': e['times'] = [3 + n // 3 * 2, 4 + n // 3 * 2]\n"
        "    if e['kind'] == 'checked': e['number'] = 1 + n // 3\n"
        "c['spent'], c['classifiers'] = '1/40', r[31]['classifiers']\n" + RENUMBERED
    )(attempt)
    found = judged(attempt.certificate())
    assert found.findings == []
    assert "in one unbroken trajectory" in found.assumptions[0]


@pytest.mark.parametrize(("learners", "number"), [(LOOPED, 80), (LOCATED, 79)])
def test_no_broken_learner_is_lost(learners: dict[str, Broken], number: int) -> None:
    assert len(learners) == number
