"""Observed values: they depend on the noise Ω, so a decision based on them must be charged to δ.

*Fixed* values (parameters, actions, times, labels, the model) are plain Python values. *Observed*
values come from the world. They are sealed in `Observed`, and only the modules in `MAY_OPEN` can
open them. An answer of the oracle becomes a fixed value when it is written to the ledger and δ is
charged for the chance that the dynamics determine another answer (`evidence/asking.py`).
"""

from __future__ import annotations

import sys
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Final, Generic, Never, NoReturn, TypeVar

from steel_verified.errors import SteelError

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

MAY_OPEN: Final = frozenset(
    f"steel_verified.evidence.{module}"
    for module in ("asking", "glimpses", "kept_rows", "recording", "sure", "validating")
)
"""The modules that may open observed values."""


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


def reveal(observed: Observed[T]) -> T:
    """Return the value inside; raise `SealedError` unless the calling module is in `MAY_OPEN`."""
    caller = sys._getframe(1).f_globals.get("__name__")  # noqa: SLF001 (there is no public way)
    if caller not in MAY_OPEN:
        raise SealedError(f"{caller} may not open observed values")
    value: T = object.__getattribute__(observed, "_Observed__value")
    return value
