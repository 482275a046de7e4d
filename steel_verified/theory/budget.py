"""δ as a budget: every chance of a wrong verdict is charged, and the charges never exceed δ.

The sum of the charges bounds the chance that any verdict is wrong, by the union bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument, Overspent
from steel_verified.theory import counts
from steel_verified.theory.bounds import longest_word, most_calls
from steel_verified.theory.exact import ball, ceiling, decimal_above

if TYPE_CHECKING:
    from steel_verified.theory.parameters import Extent, Parameters


@dataclass(frozen=True, slots=True)
class Charge:
    """An upper bound on the chance that any of `tests` verdicts is wrong, and its reason."""

    amount: Fraction
    reason: str
    tests: int
    samples: int


@dataclass(frozen=True, slots=True)
class Budget:
    """The failure probability that is allowed (δ), and how much of it has been spent.

    A budget is immutable: `charge` returns a new one.
    """

    allowed: Fraction
    spent: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.spent > self.allowed:
            raise Overspent(f"{decimal_above(self.spent)} in all is more than δ = {self.allowed}")

    @property
    def left(self) -> Fraction:
        return self.allowed - self.spent

    def charge(self, *charges: Charge) -> Budget:
        """Return the budget after these charges; raise `Overspent` if δ does not cover them.

        Raises `InvalidArgument` for an amount that is no useful bound on a chance: below 0, or at
        least 1.
        """
        budget = self
        for charge in charges:
            if not 0 <= charge.amount < 1:
                shown = decimal_above(charge.amount)
                raise InvalidArgument("charge.amount", shown, "at least 0 and below 1")
            try:
                budget = Budget(budget.allowed, budget.spent + charge.amount)
            except Overspent as overspent:
                what = f"{charge.tests} {charge.reason} with {charge.samples} samples"
                raise Overspent(f"{what}: {overspent}") from None
        return budget


def period_charge(parameters: Parameters, tests: int) -> Charge:
    """Return the charge for period tests of n_samp.cyc. samples. Claims A24, A27 (l. 631, 653)."""
    return _separation_charge(
        parameters, tests, counts.period_test_samples(parameters), "period tests"
    )


def position_charge(parameters: Parameters, tests: int) -> Charge:
    """Return the charge for tests that compare a position with a known state, n_samp. samples each.

    Claims B17, B18 (l. 772, 777).
    """
    return _separation_charge(
        parameters, tests, counts.position_samples(parameters), "position tests"
    )


def _separation_charge(parameters: Parameters, tests: int, samples: int, reason: str) -> Charge:
    """Return |tests|·|F|·(9/16)ⁿ, exactly.

    It bounds the chance that some classifier separates two datasets of one state.
    """
    if tests < 0:
        raise InvalidArgument("tests", tests, "at least 0")
    amount = tests * parameters.class_size * counts.SEPARATION_RATE**samples
    return Charge(amount, reason, tests, samples)


def encoder_charge(parameters: Parameters, states: int) -> Charge:
    """Return the charge 8|S|²|F|·exp(−ε·d/(3|S|)), rounded up.

    It bounds the chance that some classifier fits all samples of a state but errs on that state
    with chance ε or more. It is rounded up to a multiple of 2⁻ᵏ, which is far below δ, so that
    every implementation gets the same number. Claims E04–E07 (l. 974–990).
    """
    p, samples, tests = parameters, counts.encoder_samples(parameters, states), states**2
    exponent = -counts.ENCODER_RATE * p.epsilon * samples / states
    grain = 1 << 64 + (p.delta.denominator // p.delta.numerator).bit_length()
    parts = grain * counts.ENCODER_FACTOR * tests * p.class_size
    amount = Fraction(ceiling(lambda: parts * ball(exponent).exp()), grain)
    return Charge(amount, "encoder training", tests, samples)


def worst_case_charges(parameters: Parameters, extent: Extent) -> tuple[Charge, Charge, Charge]:
    """Return the charges for every test that the proof counts; their sum is at most δ.

    The proof counts |S||A| calls, each with N−1 period tests and |S|·n_cyc·|â| position tests,
    where n_cyc ≤ |S| and |â| ≤ |S|(D+1). For the encoder it counts |S| classifiers on each of |S|
    states. Claims B22, E08 (l. 797, 995).
    """
    calls = most_calls(parameters, extent)
    positions = extent.states * longest_word(extent)
    return (
        period_charge(parameters, calls * (parameters.max_states - 1)),
        position_charge(parameters, calls * extent.states * positions),
        encoder_charge(parameters, extent.states),
    )
