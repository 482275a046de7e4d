"""Three kinds of value, and the door between them.

*Fixed* values (parameters, actions, times, labels, the model) are plain. *Observed* values came out
of the world, so they depend on the noise Ω: they are sealed, and only the oracle may open them. A
verdict becomes a fixed decision, *certified*, by one function, which charges the chance that it is
not the verdict which the dynamics determine.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING, Generic, Never, NoReturn, TypeVar

from steel_verified.errors import SteelError
from steel_verified.learning.ledger import Certified, Ledger

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.theory.budget import Charge
    from steel_verified.theory.schedules import WhyFixed

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class SealedError(SteelError, TypeError):
    """An observed value was used where only a fixed one may be: pass it to the oracle instead."""


class Observed(Generic[T_co]):  # noqa: PLW1641 (hashing is refused, too)
    """A value that depends on Ω. It cannot be looked at, compared, counted or computed with.

    Type checkers see none of the methods below, and so reject every such use; they are what refuses
    it at run time.
    """

    __slots__ = ("_sealed",)
    _sealed: T_co

    def __init__(self, value: T_co) -> None:
        object.__setattr__(self, "_sealed", value)

    def __repr__(self) -> str:
        return "Observed(…)"

    def __reduce__(self) -> tuple[type[Observed[T_co]], tuple[T_co]]:
        return Observed, (self._sealed,)

    if TYPE_CHECKING:

        def __eq__(self, other: Never) -> bool: ...  # type: ignore[override]  # no comparison

    else:

        def _refuse(self, *_: object) -> NoReturn:
            raise SealedError(
                "an Observed value depends on the noise: it has no truth value, comparison, "
                "length, iteration or arithmetic; let the oracle judge it and certify the verdict"
            )

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


def reveal(observed: Observed[T]) -> T:
    """Open an observed value. Only the oracle may; a test keeps the list of who imports this."""
    return observed._sealed  # noqa: SLF001 (the one place that may)


def certify(
    ledger: Ledger,
    verdict: Observed[tuple[int, ...]],
    *,
    question: str,
    charge: Callable[[tuple[int, ...]], Charge],
    because: WhyFixed,
) -> tuple[tuple[int, ...], Ledger]:
    """Turn a verdict into a decision, charge δ for it, and write it down.

    `charge` prices the tests that the decision stands for; `because` says why the times of their
    samples were fixed. Raises `Overspent` if δ does not cover them.
    """
    answer = reveal(verdict)
    return answer, _paid(ledger, question, answer, charge(answer), because)


def release(
    ledger: Ledger, trained: Observed[T], *, charge: Charge, because: WhyFixed
) -> tuple[T, Ledger]:
    """Hand out what was trained at the end of a run, for the chance that it generalises badly.

    It decides nothing any more, so it stays out of the ledger; the charge does not.
    """
    return reveal(trained), _paid(ledger, "encoder", (), charge, because)


def _paid(
    ledger: Ledger, question: str, answer: tuple[int, ...], charge: Charge, because: WhyFixed
) -> Ledger:
    row = Certified(ledger.verdicts, question, answer, charge, because)
    return replace(ledger, budget=ledger.budget.charge(charge), rows=(*ledger.rows, row))
