"""Runs plans and reads rows, and records what was run and read.

A learner has no access to the world. It receives a `Loop` for each plan that was run, and reads
datasets from it. The times that it requests are the times that are recorded.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from steel_verified.errors import BrokenWorld, InvalidArgument
from steel_verified.evidence.ledger import KEY, Ran, Read, Sampled, appended
from steel_verified.evidence.omega import Observed, reveal
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import ClassifierClass
    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.theory.progressions import Progression

Batch = TypeVar("Batch", bound=Sized)
Batch_co = TypeVar("Batch_co", bound=Sized, covariant=True)
Summary = TypeVar("Summary")
Summary_co = TypeVar("Summary_co", covariant=True)
Classifier = TypeVar("Classifier")


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Generic[Batch_co]):
    """The result of running a plan. Rows can be read from it until another plan is run."""

    plan: Plan
    ledger: Ledger
    """The ledger after the plan was run."""
    start: int
    """The step of the whole trajectory at which the loop of the plan began."""
    world: str
    trajectory: Observed[Trajectory[Batch_co]]
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        _require(key)


@dataclass(frozen=True, slots=True, eq=False)
class Sample(Generic[Summary_co]):
    """A dataset that was read: its number, its times in the whole trajectory, and its summary."""

    number: int
    times: tuple[Progression, ...]
    ledger: Ledger
    """The ledger before the dataset was read."""
    functions: object
    """The class that made the summary."""
    summary: Observed[Summary_co]
    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        _require(key)


def run(ledger: Ledger, world: World[Batch], plan: Plan) -> Loop[Batch]:
    """Run a plan in the world, and record it.

    Raises `BrokenWorld` if the number of steps that the world reports is not that of the plan, and
    `InvalidArgument` if `plan.done` is not the number of steps already taken in this loop.
    """
    last, name = ledger.last_run, type(world).__name__
    if plan.done:
        done = 0 if last is None or last.word != plan.word else last.done + last.steps
        if plan.done != done:
            raise InvalidArgument(
                "plan.done", plan.done, f"{done}, the number of steps already taken in this loop"
            )
    if world.steps != ledger.steps:
        raise BrokenWorld(
            f"{name} reports {counted(world.steps, 'step')}, but {ledger.steps:,} were taken in "
            "this run: give "
            "each run a new world, and let nothing else act in it"
        )
    trajectory = world.run(plan)
    if world.steps != ledger.steps + plan.steps:
        raise BrokenWorld(
            f"{name} reports {counted(world.steps - ledger.steps, 'step')} for a plan of "
            f"{plan.steps:,}"
        )
    entry = Ran(start=ledger.steps, word=plan.word, done=plan.done, steps=plan.steps, key=KEY)
    return Loop(
        plan=plan,
        ledger=appended(ledger, entry),
        start=ledger.steps - plan.done,
        world=name,
        trajectory=Observed(trajectory),
        key=KEY,
    )


def read(
    ledger: Ledger,
    loop: Loop[Batch],
    functions: ClassifierClass[Batch, Summary, Classifier],
    datasets: tuple[tuple[Progression, ...], ...],
) -> tuple[tuple[Sample[Summary], ...], Ledger]:
    """Read datasets at times counted from the start of the loop, and record what was read.

    Raises `BrokenWorld` if the world returns another number of rows, or rows that the class cannot
    read. Raises `InvalidArgument` for times outside the loop, or if the loop is not the last one.
    """
    if not ledger.is_of_same_run(loop.ledger) or ledger.runs != loop.ledger.runs:
        raise InvalidArgument("loop", loop.plan.word, "the loop of the plan that was run last")
    last = loop.plan.done + loop.plan.steps
    for piece in (piece for pieces in datasets for piece in pieces):
        if not 1 <= piece.first <= piece.last <= last:
            raise InvalidArgument("datasets", piece, f"times from 1 to {last}")
    batches = reveal(loop.trajectory).rows(*datasets)
    if len(batches) != len(datasets):
        raise BrokenWorld(
            f"{loop.world} gave {counted(len(batches), 'dataset')}, not {len(datasets)}"
        )
    samples, sampled = [], []
    for number, (pieces, batch) in enumerate(zip(datasets, batches, strict=True), ledger.samples):
        asked = sum(len(piece) for piece in pieces)
        if len(batch) != asked:
            found = f"{counted(len(batch), 'row')} for {counted(asked, 'time')}"
            raise BrokenWorld(f"{loop.world} gave {found}")
        try:
            summary = functions.summarise(batch)
            seen = functions.pack(batch) if ledger.keeps_rows else b""
        except InvalidArgument as error:
            raise BrokenWorld(f"{loop.world} gave rows that F cannot read: {error}") from error
        times = tuple(piece.shifted(loop.start) for piece in pieces)
        samples.append(Sample(number, times, ledger, functions, Observed(summary), KEY))
        sampled.append(Sampled(times=pieces, rows=len(batch), seen=seen, key=KEY))
    entry = Read(
        loop=loop.start,
        after=ledger.decisions,
        first=ledger.samples,
        samples=tuple(sampled),
        key=KEY,
    )
    return tuple(samples), appended(ledger, entry)


def _require(key: object) -> None:
    if key is not KEY:
        raise TypeError("loops and samples come from running plans and reading rows")
