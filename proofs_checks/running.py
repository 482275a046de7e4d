"""Runs the checks of claims, optionally in several processes, and returns each outcome."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from multiprocessing import get_context
from time import perf_counter
from typing import TYPE_CHECKING

from proofs_checks.checks.evidence import NotEarned
from proofs_checks.claims import all_claims, evidence_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proofs_checks.claims import Claim


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one claim's check: `how` it was shown, or why it failed."""

    id: str
    earned: str | None
    how: str
    seconds: float


def run(identifier: str) -> Result:
    """Run the check of the claim with this id."""
    (claim,) = (claim for claim in all_claims() if claim.id == identifier)
    began = perf_counter()
    try:
        found = evidence_for(claim)
    except NotEarned as refused:
        return Result(identifier, None, str(refused), perf_counter() - began)
    return Result(identifier, found.strength.name.lower(), found.how, perf_counter() - began)


def run_all(
    claims: Sequence[Claim], jobs: int, done: Callable[[Result], None]
) -> dict[str, Result]:
    """Run the checks of all these claims, in `jobs` processes; `done` is told of each, in order.

    One job, or one claim, needs no other process. If `done` raises, no other check is begun.
    """
    results: dict[str, Result] = {}
    ids = [claim.id for claim in claims]
    alone = min(jobs, len(ids)) <= 1
    with (
        nullcontext()
        if alone
        else ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool
    ):
        try:
            for result in map(run, ids) if pool is None else pool.map(run, ids):
                results[result.id] = result
                done(result)
        except BaseException:
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results
