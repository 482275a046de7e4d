"""δ as an account: every chance of a wrong verdict is a charge, and the charges never exceed δ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument, Overspent
from steel_verified.theory.bounds import longest_word, most_calls
from steel_verified.theory.counts import (
    SEPARATION_RATE,
    encoder_samples,
    period_test_samples,
    position_samples,
)
from steel_verified.theory.exact import above, ball, decimal_above

if TYPE_CHECKING:
    from steel_verified.theory.parameters import Extent, Parameters


@dataclass(frozen=True, slots=True)
class Charge:
    """A bound on the chance that any of some verdicts is wrong, and why it is one."""

    amount: Fraction
    reason: str
    tests: int
    samples: int


@dataclass(frozen=True, slots=True)
class Budget:
    """The failures allowed, and what has been charged so far. Charging gives a new budget."""

    allowed: Fraction
    charges: tuple[Charge, ...] = ()

    def __post_init__(self) -> None:
        if self.spent > self.allowed:
            last = self.charges[-1]
            raise Overspent(
                f"{last.reason} ({last.tests} tests, {last.samples} samples): "
                f"{decimal_above(self.spent)} in all is more than δ = {self.allowed}"
            )

    @property
    def spent(self) -> Fraction:
        return sum((charge.amount for charge in self.charges), Fraction(0))

    @property
    def left(self) -> Fraction:
        return self.allowed - self.spent

    def charge(self, charge: Charge) -> Budget:
        """Return the account with one more charge; raise `Overspent` if δ does not cover it."""
        return Budget(self.allowed, (*self.charges, charge))


def separation_charge(class_size: int, tests: int, samples: int, reason: str) -> Charge:
    """|tests|·|F|·(9/16)ⁿ: some classifier separates two samplings of one state, in some test.

    Exact. Claims A24, A27, B17, B18 (l. 631, 653, 772, 777).
    """
    _require_not_negative("tests", tests)
    _require_not_negative("samples", samples)
    return Charge(tests * class_size * SEPARATION_RATE**samples, reason, tests, samples)


def encoder_charge(parameters: Parameters, states: int, samples: int, reason: str) -> Charge:
    """8|S|²|F|·exp(−ε·d/(3|S|)): some classifier fits all samples of a state yet errs on it.

    Enclosed from above. Claims E04–E07 (l. 974–990).
    """
    _require_not_negative("samples", samples)
    exponent = -parameters.epsilon * samples / (3 * states)
    tests = states**2
    amount = above(lambda: 8 * tests * parameters.class_size * ball(exponent).exp())
    return Charge(amount, reason, tests, samples)


def worst_case_budget(parameters: Parameters, extent: Extent) -> Budget:
    """Every test that the proof counts, at the paper's numbers of samples: at most δ.

    Claims B22, E08 (l. 797, 995): |S||A| calls with N−1 period tests and |S|·n_cyc·|â| position
    tests each, where n_cyc ≤ |S| and |â| ≤ |S|(D+1); then |S| classifiers for the encoder.
    """
    p, calls = parameters, most_calls(parameters, extent)
    positions = extent.states * longest_word(extent)
    return (
        Budget(p.delta)
        .charge(
            separation_charge(
                p.class_size, calls * (p.max_states - 1), period_test_samples(p), "period tests"
            )
        )
        .charge(
            separation_charge(
                p.class_size,
                calls * extent.states * positions,
                position_samples(p),
                "position tests",
            )
        )
        .charge(
            encoder_charge(p, extent.states, encoder_samples(p, extent.states), "encoder training")
        )
    )


def _require_not_negative(argument: str, value: int) -> None:
    if value < 0:
        raise InvalidArgument(argument, value, "at least 0")
