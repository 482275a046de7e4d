"""The results of a run: accepted, contradicted, or not accepted; and what an accepted one promises.

Each result has the model so far.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import Ledger, OpenedCertain, rows_of_log
from steel_verified.theory.conditions import AssumptionViolated, Cause, heading, supported
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.learning.certain import Certain
    from steel_verified.learning.deciding import Decided
    from steel_verified.learning.factored import Factored
    from steel_verified.learning.located import Located
    from steel_verified.learning.looped import Looped
    from steel_verified.learning.model import Model
    from steel_verified.learning.self_check.rows import Kept
    from steel_verified.learning.self_check.won import SelfChecked
    from steel_verified.learning.slipping import Slipping
    from steel_verified.theory.parameters import LocatedParameters, Parameters

Batch = TypeVar("Batch")


@dataclass(frozen=True, slots=True, repr=False)
class Accepted:
    """The guarantee holds: the dynamics, the current state and, if wanted, the encoder.

    An observation is encoded as the label of the first classifier that is 1 on it (argmax, lowest
    label on ties). Without an encoder, `model` and `current` allow open-loop control (l. 243).
    """

    method: Looped | Located | Certain | Slipping
    model: Model
    current: int
    classifiers: tuple[Classifier, ...] | None
    ledger: Ledger
    certified: bool = True
    """False if the oracle searched without proof: it is not proved that nothing else separates."""
    self_check: SelfChecked | None = None
    """The self-check that was passed; None if none was wanted."""
    decided: Decided | None = None
    """For a run with a listed class: what is exact of the encoder, and what else decided it."""
    fresh_steps: int = 0
    """The number of steps taken after the run to check the model; they are not in the ledger."""

    def __repr__(self) -> str:
        """Return one line for the prompt. `print` shows the same."""
        known = f"{_known(self.model, 'state')}, {_steps(self.ledger)}"
        if self.decided is not None:
            return f"<Accepted: {known}, {_sureness(self.decided)}>"
        budget, check = self.ledger.budget, self.self_check
        spent = f"{decimal_above(budget.spent)} of δ = {budget.allowed} spent"
        checked = "no self-check" if check is None else f"self-check passed ({check})"
        return f"<Accepted: {known}, {spent}, {checked}>"


class _GivenUp:
    """How a run that was not accepted is shown."""

    __slots__ = ()
    model: Model
    ledger: Ledger
    because: str
    causes: tuple[Cause, ...]

    def __repr__(self) -> str:
        """Return one line for the prompt. `print` also shows the likely causes and advice."""
        known = f"{_known(self.model, 'label')} after {_steps(self.ledger)}"
        likely = " or ".join(cause.condition.name for cause in supported(self.causes))
        first = f"; most likely cause: {likely}" if likely else ""
        return f"<{type(self).__name__}: {self.because}; {known}{first}>"

    def __str__(self) -> str:
        ended = "Contradicted" if isinstance(self, Contradicted) else "Not accepted"
        lines = [f"{ended}: {self.because}."]
        if self.causes:
            lines.append(heading(self.causes))
        for number, cause in enumerate(self.causes, 1):
            lines.append(f"{f'{number}.' if cause.is_supported else '–'} {cause.sentence}")
        known = f"{_known(self.model, 'label')} are known after {_steps(self.ledger)}"
        return "\n".join([*lines, f"{known}; nothing is guaranteed of them."])


@dataclass(frozen=True, slots=True, repr=False)
class Contradicted(_GivenUp):
    """A condition is contradicted, or a verdict was wrong (δ covers the chance of this)."""

    method: Looped | Located | Certain | Factored | Slipping
    model: Model
    ledger: Ledger
    causes: tuple[Cause, ...]
    """The conditions that may be violated: first those for which the data speak, if there are any,
    the most likely one first; the others are in no order."""
    because: str
    """What was found."""
    self_check: SelfChecked | None = None
    """The self-check that failed, if this is the reason."""
    kept: Kept | None = field(default=None, repr=False, compare=False)
    """The rows that were kept besides the ledger; `save_findings` writes both."""
    steps_to_explain: int = 0
    """The number of steps taken after the run to find the causes."""
    shown_by: tuple[int, ...] = ()
    """For a certain run: steps whose rows show it, none of which can be left out."""


@dataclass(frozen=True, slots=True, repr=False)
class NotAccepted(_GivenUp):
    """The run ended before anything could be guaranteed."""

    method: Looped | Located | Certain | Factored | Slipping
    model: Model
    ledger: Ledger
    because: str
    """The reason, for example the limit that was reached."""
    causes: tuple[Cause, ...] = ()
    """The conditions that may be violated, in the order of `Contradicted.causes`."""
    interrupted: bool = False
    """Whether a person interrupted the run (Ctrl-C)."""
    limit_too_small: bool = False
    """Whether it reached a limit of steps within which no run could have been accepted."""
    models: tuple[Model, ...] = ()
    """For a certain run: models that explain its rows. If there is one, it is the only one."""
    kept: Kept | None = field(default=None, repr=False, compare=False)
    """The rows that were kept besides the ledger; `save_findings` writes both."""
    steps_to_explain: int = 0
    """The number of steps taken after the run to find the causes."""


def _sureness(decided: Decided) -> str:
    if not decided.chance:
        return "certain for every noise"
    if decided.counts is None:
        return f"right with probability {1 - decided.chance} or more if the noise ignores actions"
    slips = counted(decided.slipped, "slip")
    return f"right with probability {1 - decided.chance} or more for every noise, {slips} seen"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What is said of a run that is stopped before it has a result."""

    left: str = ""
    """What is open."""
    causes: tuple[Cause, ...] = ()
    """What may not hold."""
    models: tuple[Model, ...] = ()
    """The models that are left, if it is known."""


def _known(model: Model, what: str) -> str:
    transitions = counted(len(model.transitions()), "transition")
    return f"{counted(model.states, what)} and {transitions}"


def _steps(ledger: Ledger) -> str:
    return counted(ledger.steps, "step" if rows_of_log(ledger) is None else "row")


def limit_reached(max_steps: int) -> str:
    """Return the reason for ending a run that would take more steps than allowed."""
    return f"the limit of {counted(max_steps, 'step')} was reached"


def interrupted(ledger: Ledger) -> str:
    """Return the reason for ending a run that a person interrupted."""
    return f"interrupted after {_steps(ledger)}"


GivenUp = Contradicted | NotAccepted
Result = Accepted | GivenUp


def accepted(result: Result) -> Accepted:
    """Return the result if it is accepted; raise `AssumptionViolated` with the reason otherwise.

    A run that was interrupted raises `KeyboardInterrupt`.
    """
    require_result(result)
    if isinstance(result, Accepted):
        return result
    if isinstance(result, NotAccepted) and result.interrupted:
        raise KeyboardInterrupt(result.because)
    raise AssumptionViolated(result.because, *(cause.condition for cause in result.causes))


def parameters_of(result: Result) -> Parameters | LocatedParameters:
    """Return the parameters of a run; raise `InvalidArgument` for a certain run, which has none."""
    found = result.method.parameters
    if found is None:
        raise InvalidArgument("result", "of a certain run", "a looped or located run")
    return found


def require_result(result: object) -> None:
    """Raise `InvalidArgument` unless this is the result of a run."""
    if not isinstance(result, Accepted | Contradicted | NotAccepted):
        raise InvalidArgument("result", type(result).__name__, "what `learn` returned")


def encode(
    functions: Class[Batch],
    classifiers: Sequence[Classifier],
    batch: Batch,
) -> NDArray[np.int64]:
    """Return φ'(x) = argmax_s f_s(x) for each observation, the lowest label on ties (l. 359)."""
    values = np.stack([functions.values(classifier, batch) for classifier in classifiers])
    labels: NDArray[np.int64] = np.argmax(values, axis=0)
    return labels


GuaranteedBy: TypeAlias = Literal["looped", "located", "certain", "coins", "slipping", "log"]


class Guarantee(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """With probability at least 1 − δ, over the run, the dynamics are right up to relabelling.

    With the same probability the encoder errs with chance at most ε on each state, for noise in its
    stationary distribution. Both hold under the conditions in `theory/conditions.py`. For certain
    runs and logs δ is 0, for every noise, unless coins decided ("coins"). For runs in which steps
    may slip the noise may be any. In all of these ε is 0 if each label has one classifier, and 1
    (nothing is said) otherwise. What a log says is about the states that can
    be reached from its starts.
    """

    method: GuaranteedBy
    delta: Fraction
    epsilon: Fraction
    certified: bool
    """False if the oracle searched without proof: then the guarantee also depends on its search."""
    given: str = ""
    """What else is supposed, such as "two states were visited"."""
    counts: tuple[tuple[tuple[int, ...], ...], ...] | None = None
    """If steps may slip: how often each state came next, after each state and action."""

    def __post_init__(self) -> None:
        if self.method in ("certain", "coins", "slipping", "log"):
            has_delta = self.method in ("coins", "slipping")
            if (self.delta != 0) != has_delta or self.epsilon not in (0, 1):
                found = f"δ = {self.delta}, ε = {self.epsilon}"
                expected = "δ = 0 unless coins decided or steps may slip, and ε = 0 or 1"
                raise InvalidArgument("guarantee", found, expected)
            return
        for name, value in (("delta", self.delta), ("epsilon", self.epsilon)):
            if not 0 < value < 1:
                raise InvalidArgument(name, value, "a fraction between 0 and 1")


def guarantee_of(learned: Accepted) -> Guarantee:
    """Return the guarantee of an accepted run.

    δ is the budget of its ledger. If the paper's algorithm continued a run of located STEEL, each
    of the two has half of it.
    """
    if (decided := learned.decided) is not None:
        exact = decided.exact == len(decided.labels)
        is_log = decided.current is None
        two = "two states were visited" if is_log else "there are two states"
        given = [two] if decided.supposes_two else []
        if decided.supposes_at_most is not None:
            given = [f"there are 2 to {decided.supposes_at_most} states"]
        if isinstance(opening := learned.ledger.opening, OpenedCertain) and opening.slips:
            given.append(f"each step slips with chance at most {opening.slips}")
        by_coins: GuaranteedBy = "slipping" if decided.counts is not None else "coins"
        return Guarantee(
            "log" if is_log else by_coins if decided.chance else "certain",
            decided.chance,
            Fraction(0 if exact else 1),
            learned.certified,
            " and ".join(given),
            decided.counts,
        )
    return Guarantee(
        "located" if learned.method.name == "located" else "looped",
        learned.ledger.budget.allowed,
        parameters_of(learned).epsilon,
        learned.certified,
    )
