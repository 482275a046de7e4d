"""δ as an account: every chance of a wrong verdict is a charge, and the charges never exceed δ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.errors import InvalidArgument, Overspent
from steel_verified.theory.bounds import longest_word, most_calls
from steel_verified.theory.counts import encoder_samples, period_test_samples, position_samples
from steel_verified.theory.exact import ball, ceiling, decimal_above

if TYPE_CHECKING:
    from steel_verified.theory.parameters import Extent
    from steel_verified.theory.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Charge:
    """A bound on the chance that any of some verdicts is wrong, and why it is one."""

    amount: Fraction
    reason: str
    tests: int
    samples: int


@dataclass(frozen=True, slots=True)
class Budget:
    """The failures allowed, and what has been spent of them. Charging gives a new budget."""

    allowed: Fraction
    spent: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.spent > self.allowed:
            raise Overspent(f"{decimal_above(self.spent)} in all is more than δ = {self.allowed}")

    @property
    def left(self) -> Fraction:
        return self.allowed - self.spent

    def charge(self, *charges: Charge) -> Budget:
        """Return the account after these charges; raise `Overspent` if δ does not cover them.

        Raises `InvalidArgument` for an amount that bounds no chance: below 0, or not below 1.
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


def period_charge(recipe: Recipe, tests: int) -> Charge:
    """Charge period tests at n_samp.cyc. samples. Claims A24, A27 (l. 631, 653)."""
    return _separation_charge(recipe, tests, period_test_samples(recipe), "period tests")


def position_charge(recipe: Recipe, tests: int) -> Charge:
    """Charge tests of positions against states, at n_samp. Claims B17, B18 (l. 772, 777)."""
    return _separation_charge(recipe, tests, position_samples(recipe), "position tests")


def _separation_charge(recipe: Recipe, tests: int, samples: int, reason: str) -> Charge:
    """|tests|·|F|·(9/16)ⁿ, exact: some classifier separates two samplings of one state."""
    if tests < 0:
        raise InvalidArgument("tests", tests, "at least 0")
    amount = tests * recipe.parameters.class_size * recipe.separation_rate**samples
    return Charge(amount, reason, tests, samples)


def encoder_charge(recipe: Recipe, states: int) -> Charge:
    """8|S|²|F|·exp(−ε·d/(3|S|)): some classifier fits all samples of a state yet errs on it.

    Rounded up to a multiple of 2⁻ᵏ that is far below δ, so that anyone gets the same number.
    Claims E04–E07 (l. 974–990).
    """
    p, samples, tests = recipe.parameters, encoder_samples(recipe, states), states**2
    exponent = -recipe.encoder_rate * p.epsilon * samples / states
    grain = 1 << 64 + (p.delta.denominator // p.delta.numerator).bit_length()
    parts = grain * recipe.encoder_factor * tests * p.class_size
    amount = Fraction(ceiling(lambda: parts * ball(exponent).exp()), grain)
    return Charge(amount, "encoder training", tests, samples)


def worst_case_charges(recipe: Recipe, extent: Extent) -> tuple[Charge, Charge, Charge]:
    """Every test that the proof counts: together at most δ. Claims B22, E08 (l. 797, 995).

    |S||A| calls with N−1 period tests and |S|·n_cyc·|â| position tests each, where n_cyc ≤ |S| and
    |â| ≤ |S|(D+1); then |S| classifiers for the encoder, right on each of |S| states.
    """
    calls = most_calls(recipe, extent)
    positions = extent.states * longest_word(extent)
    return (
        period_charge(recipe, calls * (recipe.parameters.max_states - 1)),
        position_charge(recipe, calls * extent.states * positions),
        encoder_charge(recipe, extent.states),
    )
