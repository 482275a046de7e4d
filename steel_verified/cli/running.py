"""Runs an algorithm on a world of the paper for `steel learn`, with a bar and a clock."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from steel_verified.cli.foretelling import foretell_looped
from steel_verified.learning.located import MOST_STEPS
from steel_verified.progress import shown_progress
from steel_verified.worlds.checkpoints import NO_FILES
from steel_verified.worlds.runs import attempt, attempt_located, attempt_with_fallback
from steel_verified.worlds.voted_runs import attempt_with_slips

if TYPE_CHECKING:
    from steel_verified.learning.results import GivenUp
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.theory.slips import Slips
    from steel_verified.worlds.checkpoints import Checkpoints
    from steel_verified.worlds.instances import RunnableInstance
    from steel_verified.worlds.runs import FallbackRun, LocatedRun, Run
    from steel_verified.worlds.voted_runs import VotedRun


def run_looped(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    files: Checkpoints = NO_FILES,
    dynamics_only: bool = False,  # noqa: FBT001, FBT002 (an option of the command)
) -> tuple[Run | GivenUp, float]:
    """Run the paper's algorithm, with a bar. Return what came of it, and the seconds it took."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt(
            chosen,
            noise_seed,
            with_encoder=not dynamics_only,
            max_steps=max_steps,
            self_check=self_check,
            files=files,
            foretell=lambda predicted: foretell_looped(
                chosen,
                predicted,
                checked=self_check is not None,
                resumed=files.resume is not None,
            ),
            progress=told,
        )
    return went, perf_counter() - began


def run_located(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    files: Checkpoints = NO_FILES,
) -> tuple[LocatedRun | GivenUp, float]:
    """Run located STEEL, with a bar. Return what came of it, and the seconds it took."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt_located(
            chosen,
            noise_seed,
            max_steps=max_steps or MOST_STEPS,
            self_check=self_check,
            files=files,
            progress=told,
        )
    return went, perf_counter() - began


def run_with_fallback(
    chosen: RunnableInstance, noise_seed: int, self_check: SelfCheck | None
) -> tuple[LocatedRun | FallbackRun | GivenUp, float]:
    """Run located STEEL, then perhaps the paper's algorithm, with one bar for both."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt_with_fallback(chosen, noise_seed, self_check=self_check, progress=told)
    return went, perf_counter() - began


def run_with_slips(
    chosen: RunnableInstance,
    noise_seed: int,
    self_check: SelfCheck | None,
    max_steps: int | None,
    slips: Slips,
) -> tuple[VotedRun, float]:
    """Run attempts that vote, with a bar for each of them."""
    began = perf_counter()
    with shown_progress() as told:
        went = attempt_with_slips(
            chosen,
            noise_seed,
            slips,
            max_steps=max_steps,
            self_check=self_check,
            progress=told,
        )
    return went, perf_counter() - began
