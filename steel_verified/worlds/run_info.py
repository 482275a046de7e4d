"""Facts about a run that stand beside its result: nothing here changes what was learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.entries import Ran
from steel_verified.learning.certain import Certain
from steel_verified.learning.located import rounds
from steel_verified.learning.looped import calls
from steel_verified.learning.results import Accepted, Result
from steel_verified.learning.slipping import Slipping
from steel_verified.theory.parameters import Parameters
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steel_verified.worlds.catalogue import FalseBound
    from steel_verified.worlds.dynamics import Findings
    from steel_verified.worlds.progress import Growth


CHECKING: Final = "checking"
"""The phase of a run that only checks what was learned."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Where a run was made, how long it took, and what is known about it besides its result."""

    world: str
    env_seed: int | None = None
    noise_seed: int | None = None
    seconds: float | None = None
    growth: tuple[Growth, ...] = ()
    """What was known after every step that changed it, in order, if it was observed."""
    findings: Findings | None = None
    """The comparison with the truth, if there is one."""
    mixing_time: int | None = None
    """t̂_mix, if the method was given one."""
    true_mixing_time: int | None = None
    """A proven upper bound on t_mix, if the world is known."""
    predicted_steps: int | None = None
    """The steps that were predicted, if they are determined by the dynamics."""
    as_predicted: bool | None = None
    """Whether every plan, timestep and verdict is equal to the predicted one."""
    looped_steps: int | None = None
    """The steps that the paper's algorithm would take, if they were predicted."""
    false_bounds: tuple[FalseBound, ...] = ()
    """The bounds that are known to be false: nothing is guaranteed then."""
    slipped: int | None = None
    """How many steps slipped in truth, if steps were let slip."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Consecutive parts of a run that serve one purpose, and how many steps they took together."""

    name: str
    steps: int
    text: str


def phases(result: Result) -> Iterator[Phase]:
    """The phases of a run, in order; their steps add up to those of the run."""
    ledger, entries = result.ledger, result.ledger.entries
    begun = next(
        (n for n, each in enumerate(entries) if isinstance(each, Parameters)), len(entries)
    )
    located = sum(each.steps for each in entries[:begun] if isinstance(each, Ran))
    if located:
        made = rounds(ledger)
        validating = sum(each.steps for each in made)
        method, checking = result.method, 0
        if isinstance(method, Certain | Slipping) and isinstance(result, Accepted):
            checking = method.check_steps
        exploring = located - validating - checking
        slips = isinstance(method, Slipping)
        sure = "" if slips else ", with decisions that cannot be wrong"
        yield Phase("exploring", exploring, f"steps{sure}")
        if checking:
            text = "one of the labels" if slips else "the predicted label"
            yield Phase(CHECKING, checking, f"steps after that, each with {text}")
        if made:
            checks = counted(made[-1].passes, "check")
            text = f"steps in {counted(len(made), 'round')}, {checks} of each state in the last"
            yield Phase("validating", validating, text)
    if begun < len(entries):
        found = tuple(calls(ledger))
        phase1 = sum(call.steps for call in found)
        text = f"steps in {counted(len(found), 'call')} of CycleFind"
        yield Phase("phase 1", phase1, text)
        yield Phase("phase 2", ledger.steps - located - phase1, "steps on tour through all states")
