"""The bar that the library shows on a terminal while it learns."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr
from typing import TYPE_CHECKING

import pytest

from steel_verified import (
    Components,
    Located,
    LocatedParameters,
    Parameters,
    attempt,
    preflight,
)
from steel_verified.progress import Estimate, Progress, Stage, shown_progress, time_left
from steel_verified.worlds import (
    Fallback,
    learn_with_doubling,
)
from steel_verified.worlds import progress as progress_module
from tests.toys import Toy

if TYPE_CHECKING:
    from collections.abc import Callable


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def counter(states: int) -> Toy:
    """Action 0 goes on in a ring, action 1 stays."""
    return Toy([[(state + 1) % states, state] for state in range(states)])


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")


def shown(use: Callable[[Callable[[Progress], None]], object], after: float = 0.0) -> str:
    """What a terminal shows of a run with progress."""
    with redirect_stderr(Terminal()) as screen, shown_progress(after) as progress:
        use(progress)
    return screen.getvalue()


def now_in(stage: Stage, attempt: str = "") -> Progress:
    return Progress(7, Estimate(None), 2, 9.0, stage, attempt)


def test_exploring_shows_an_estimate_and_validating_the_time_that_is_left() -> None:
    exploring = Stage("exploring", "transition", 2, 8, end_is_known=False, seconds_left=61.0)
    text = shown(lambda progress: progress(now_in(exploring)))
    assert "2 of 8 transitions 0:00:01 left ≈ 0:01:01" in text
    validating = now_in(Stage("validating", "walk", 11, 73, seconds_left=5.5), "attempt 3")
    text = shown(lambda progress: progress(validating))
    assert "attempt 3: validating" in text
    assert "11 of 73 walks 0:00:01 left 0:00:06" in text


def test_the_time_left_runs_down_between_two_reports() -> None:
    stage = Stage("sampling", "step", 0, 10, seconds_left=60.0)  # at the speed of another stage
    assert [time_left(stage, passed) for passed in (0.0, 20.0, 70.0)] == [
        "left ≈ 0:01:00",
        "left ≈ 0:00:40",
        "left ≈ 0:00:00",
    ]
    assert not time_left(Stage("self-check"), 1.0)


@pytest.mark.parametrize("name", ["prediction", "attempt 3"])
def test_the_bar_takes_one_line(name: str) -> None:
    """At 80 columns, with large numbers."""
    stage = Stage("revisiting", "step", 1_200, 30_000, end_is_known=False, seconds_left=4000.0)
    text = shown(lambda progress: progress(now_in(stage, name)))
    *_, last = re.sub(r"\x1b\[[\d;?]*\w", "", text).strip().splitlines()
    assert last.endswith("left ≈ 1:06:40")
    assert len(last.split("\r")[-1]) == 80


def test_a_run_is_shown_up_to_its_last_stage() -> None:
    world = counter(6)
    recipe = Located(LocatedParameters.of(world, max_states=8, mixing_time=1))
    text = shown(lambda progress: attempt(world, Components(6), recipe, progress=progress))
    assert "exploring" in text
    assert "self-check" in text


def test_every_attempt_is_named() -> None:
    oracle = Components(4)
    bounds = Parameters.of(counter(4), oracle, max_states=4, mixing_time=1)
    reports: list[Progress] = []
    learn_with_doubling(counter(4), oracle, Located(bounds).parameters, progress=reports.append)
    assert list(dict.fromkeys(now.attempt for now in reports)) == ["attempt 1", "attempt 2"]
    reports.clear()
    attempt(counter(4), oracle, Fallback(bounds), progress=reports.append)
    assert {now.attempt for now in reports} == {"located STEEL"}


def test_a_preflight_reports_how_far_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "_PAUSE", 0.0)
    reports: list[Progress] = []
    preflight(counter(4), Components(4), steps=400, progress=reports.append)
    assert [now.stage.done for now in reports] == list(range(1, 201))
    assert {(now.stage.of, now.estimate.steps) for now in reports} == {(200, 200)}
    assert reports[-1].stage.seconds_left == 0.0


def test_nothing_is_shown_before_two_seconds_or_without_a_terminal() -> None:
    assert not shown(lambda progress: progress(now_in(Stage("exploring"))), after=2.0)
    with redirect_stderr(io.StringIO()) as screen, shown_progress(0.0) as progress:
        progress(now_in(Stage("exploring")))
    assert not screen.getvalue()
