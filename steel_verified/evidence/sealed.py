"""Sealed values: what depends on the noise Ω, and the values that carry it.

*Fixed* values (parameters, actions, times, labels, the model) are plain Python values. *Observed*
values depend on Ω. They are sealed in `Observed`; only `observed`, the one door, opens them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import FrozenInstanceError, InitVar, dataclass
from typing import TYPE_CHECKING, Generic, Never, NoReturn, TypeVar

from steel_verified.errors import SteelError
from steel_verified.evidence.ledger import Ledger, require_key

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Classifier, Declared, Summary
    from steel_verified.evidence.plans import Plan, Trajectory, Word
    from steel_verified.theory.progressions import Progression

T_co = TypeVar("T_co", covariant=True)
Batch_co = TypeVar("Batch_co", bound=Sized, covariant=True)


class SealedError(SteelError, TypeError):
    """An observed value was used where only a fixed one is allowed: pass it to the oracle."""


class Observed(Generic[T_co]):  # noqa: PLW1641 (hashing is refused, too)
    """A value that depends on Ω. It cannot be read, compared, counted, copied or computed with.

    The methods below are hidden from type checkers, which therefore reject every such use. At run
    time they raise `SealedError`.
    """

    __slots__ = ("__value",)
    __value: T_co

    def __init__(self, value: T_co) -> None:
        object.__setattr__(self, "_Observed__value", value)

    def __repr__(self) -> str:
        return "Observed(…)"

    if TYPE_CHECKING:

        def __eq__(self, other: Never) -> bool: ...  # type: ignore[override]  # no comparison

    else:

        def _refuse(self, *_: object) -> NoReturn:
            raise SealedError(
                "an Observed value depends on the noise: it has no truth value, comparison, "
                "length, iteration, arithmetic, copy or pickle; pass it to the oracle instead"
            )

        def __getattribute__(self, name: str) -> object:
            if name.endswith("__value"):
                self._refuse()
            return object.__getattribute__(self, name)

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise FrozenInstanceError(f"cannot assign to {name}")

        __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = _refuse
        __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse
        __int__ = __float__ = __complex__ = __index__ = __round__ = _refuse
        __neg__ = __pos__ = __abs__ = __invert__ = _refuse
        __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __divmod__ = _refuse
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = _refuse
        __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __rdivmod__ = _refuse
        __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = _refuse
        __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = _refuse
        __reduce__ = __reduce_ex__ = __getstate__ = __copy__ = __deepcopy__ = _refuse


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _MadeHere:
    """A value that only the door can make: the constructor requires the key."""

    key: InitVar[object]

    def __post_init__(self, key: object) -> None:
        require_key(key, type(self).__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Loop(_MadeHere, Generic[Batch_co]):
    """The result of running a plan. Rows can be read from it until another plan is run."""

    plan: Plan
    ledger: Ledger
    """The ledger after the plan was run."""
    start: int
    """The step of the whole trajectory at which the loop of the plan began."""
    world: str
    trajectory: Observed[Trajectory[Batch_co]]


@dataclass(frozen=True, slots=True, eq=False)
class Sample(_MadeHere):
    """A dataset that was read: its number, its times in the whole trajectory, and its summary."""

    number: int
    times: tuple[Progression, ...]
    ledger: Ledger
    """The ledger before the dataset was read."""
    functions: object
    """The class that made the summary."""
    summary: Observed[Summary]

    @property
    def rows(self) -> int:
        """The number of rows of the dataset."""
        return sum(map(len, self.times))


@dataclass(frozen=True, slots=True, eq=False)
class Pool(_MadeHere):
    """D(ℓ): a pure dataset of `rows` rows, merged from samples. All its rows show one state."""

    rows: int
    ledger: Ledger
    """A ledger of the run in which it was read."""
    summary: Observed[Summary]


@dataclass(frozen=True, slots=True, eq=False)
class Pools(_MadeHere):
    """The dataset of each label, and which of them may not have been compared with all others."""

    held: Mapping[int, Pool]
    stale: frozenset[int]
    """The other labels are all apart from each other. So if a row says nothing new, its label need
    only be compared with these."""


@dataclass(frozen=True, slots=True)
class Validation(_MadeHere):
    """What was fixed at step `at`. Only the function `fix` makes one."""

    at: int
    ledger: Ledger
    """The ledger of its run, before it was fixed."""
    walk: Word
    visits: tuple[int, ...]
    passes: int
    classifiers: tuple[Classifier, ...]


@dataclass(frozen=True, slots=True, eq=False)
class KeptRows(_MadeHere):
    """Rows of one loop, packed by the class. They stay sealed until the run has ended."""

    declared: Declared
    rows: int
    packed: Observed[bytes]
