"""Periods are tried from N down: none is passed over, and the true one is accepted (l. 561-581).

Statements about residues write the multiple of the period out, so that they are identities.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Integer, Symbol

from proofs_checks.claim import Mutant
from proofs_checks.entries import Slip
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.paper.cycle_find.looped_words import AFTER_TRANSIENT, Loop, all_loops
from proofs_checks.proofs.deciding import PERIODS, TESTS
from proofs_checks.proofs.looped_words import LOOPED_WORDS
from proofs_checks.replays import proof
from proofs_checks.sections import PERIOD
from proofs_checks.small_cases.period_settings import recipe_for
from steel_verified.theory.counts import initial_rollout, settling_time
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.schedules import FixedByParameters, period_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sympy import Expr

    from proofs_checks.kernels.evidence import Evidence


def matching_row(test_wait: int, period: int) -> int:
    """j' = (−r − 1) % n_cyc + 1."""
    return (-test_wait - 1) % period + 1


def _states_of_tests(case: tuple[Loop, int, int], shift: int) -> bool:
    """What D_1 and D_0 hold, at the code's times: claims A16 (n' = n_cyc) and A18 (n' > n_cyc)."""
    loop, most, mixing = case
    recipe = recipe_for(most, mixing, 1, 2, Fraction(9, 10))
    path = loop.visits(initial_rollout(recipe, loop.length))
    _, period = loop.shape(settling_time(recipe, loop.length) - (most - 1) * loop.length)
    for hypothesis in range(max(period, 2), most + 1):
        test = period_test(recipe, loop.length, hypothesis, FixedByParameters())
        ones = [path[time] for time in test.ones]
        if hypothesis == period:
            zeros = {path[time + shift * loop.length] for time in test.zeros}
            if len(set(ones)) != 1 or ones[0] in zeros:
                return False
        else:
            r = ceil_div(mixing, hypothesis * loop.length) * hypothesis
            row = test.row(matching_row(r, period))
            if [path[time + shift * loop.length] for time in row] != ones:
                return False
    return True


def _worlds_for_tests(*, equal: bool) -> Iterator[tuple[Loop, int, int]]:
    """Loops for which some hypothesis is the period (or, some is larger), with N and t̂_mix."""
    for loop in all_loops((2, 1), (3, 1), (2, 2), (3, 2)):
        for most, mixing in product((loop.states, loop.states + 1), (1, 3)):
            _, period = loop.shape(max(mixing - (most - 1) * loop.length, 0))
            if (equal and period >= 2) or (not equal and period < most):
                yield loop, most, mixing


def on_tested_loops(*, equal: bool, shift: int) -> Evidence:
    """Show what the period tests of small loops hold; a mistake shifts D_0."""
    size = "words of up to 2 maps of 2 or 3 states, N ≤ |S| + 1, t̂_mix in {1, 3}"
    return exhausted(_worlds_for_tests(equal=equal), partial(_states_of_tests, shift=shift), size)


def _first_passed(passes: tuple[bool, ...]) -> int:
    """The period that is reported; `passes` are the verdicts for N, N − 1, …, 2, in this order."""
    for place, passed in enumerate(passes):
        if passed:
            return len(passes) + 1 - place
    return 1


def _verdicts() -> Iterator[tuple[tuple[bool, ...], int]]:
    """Every row of verdicts, with every period."""
    for most in range(2, 10):
        for passes in product((False, True), repeat=most - 1):
            for period in range(1, most + 1):
                yield passes, period


def _never_below(case: tuple[tuple[bool, ...], int], *, false_negatives: bool) -> bool:
    """If the test of n_cyc passes, what is reported is n_cyc, or the first false positive above."""
    passes, period = case
    most = len(passes) + 1
    if period >= 2 and not passes[most - period] and not false_negatives:
        return True
    above = passes[: most - period]
    found = _first_passed(passes)
    return found >= period and (found == period) == (not any(above))


def _loop_over_hypotheses(*, false_negatives: bool) -> Evidence:
    holds = partial(_never_below, false_negatives=false_negatives)
    return exhausted(_verdicts(), holds, "all verdicts of the tests, all periods, N ≤ 9")


def _accepts(values_on_zeros: tuple[int, ...], values_on_ones: tuple[int, ...]) -> bool:
    """The test as it is meant: f is 0 on D_0, and 1 on D_1."""
    return set(values_on_zeros) == {0} and set(values_on_ones) == {1}


def _accepts_as_printed(values_on_zeros: tuple[int, ...]) -> bool:
    """The test as it is printed: f is 0 on D_0, and 1 on D_0."""
    return all(v == 0 for v in values_on_zeros) and all(v == 1 for v in values_on_zeros)


def _values() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    for zeros, ones in product(range(1, 6), range(1, 6)):
        yield from product(product((0, 1), repeat=zeros), product((0, 1), repeat=ones))


def _accepts_only_perfect(accepts: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> Evidence:
    """A test accepts exactly if f makes no error on the training set."""
    return exhausted(
        _values(),
        lambda case: accepts(*case) == (sum(case[0]) + len(case[1]) - sum(case[1]) == 0),
        "all values of a classifier on up to 5 samples on either side",
    )


q, i, j = (Symbol(name) for name in ("q", "i", "j"))
cyc, multiple = (Symbol(name) for name in ("cyc", "multiple"))
"""n_cyc, a factor of n_cyc."""


def _not_a_multiple(largest: Expr) -> Evidence:
    """A number from 1 to n − 1 is no multiple of n: a multiple is ≤ 0, or ≥ n > n − 1."""
    return together(
        partial(at_most, largest + 1, multiple * cyc, {multiple: 1, cyc: 2}),
        partial(at_most, -multiple * cyc + 1, Integer(1), {multiple: 0, cyc: 2}),
    )


def _residue_of_zeros(shift: int) -> Evidence:
    """r + (2r + n')i + j = j + a multiple of n_cyc when n' = n_cyc."""
    r = q * cyc
    multiples = (q + (2 * q + 1) * i) * cyc
    return identity(r + (2 * r + cyc) * i + j, j + shift + multiples)


CLAIMS: Final = (
    PERIOD.proved(
        "A13",
        "561",
        "If the test of n_cyc passes, the loop over n' = N, …, 2 reports a period ≥ n_cyc, and "
        "n_cyc itself exactly if no test of an n' > n_cyc passes",
        beside(partial(_loop_over_hypotheses, false_negatives=False), proof(PERIODS, "A13")),
        Mutant("the test of n_cyc may fail", partial(_loop_over_hypotheses, false_negatives=True)),
        proof(PERIODS, "A13").without("a false negative", "no_false_negative"),
        assumptions=(
            "realizability, and an oracle that finds a perfect classifier where there is one",
        ),
    ),
    PERIOD.proved(
        "A13.test",
        "388, 561",
        "A test passes exactly if f makes no error on D_0 and D_1: f = 0 on D_0 and f = 1 on D_1",
        beside(partial(_accepts_only_perfect, _accepts), proof(TESTS, "passed", "failed")),
        Mutant(
            "as printed: f = 0 on D_0 and f = 1 on D_0",
            partial(_accepts_only_perfect, lambda zeros, _: _accepts_as_printed(zeros)),
        ),
        proof(TESTS, "passed", "failed").misstated(
            "one error is forgiven", "passed", given="0 <= i < n, errors(n, h) <= 1"
        ),
    ),
    PERIOD.equation(
        "A14",
        "574",
        "(2r + n')i = (2q + 1)i·n_cyc for n' = n_cyc and r = q·n'",
        (2 * q * cyc + cyc) * i,
        (2 * q + 1) * i * cyc,
        Slip("2q in place of 2q + 1", right=2 * q * i * cyc),
    ),
    PERIOD.proved(
        "A15.residue",
        "578",
        "r + (2r + n')i + j = j + (q + (2q + 1)i)·n_cyc for n' = n_cyc and r = q·n'",
        partial(_residue_of_zeros, 0),
        Mutant("residue j + 1", partial(_residue_of_zeros, 1)),
    ),
    PERIOD.proved(
        "A15.nonzero",
        "578",
        "No j from 1 to n' − 1 is a multiple of n_cyc = n'",
        partial(_not_a_multiple, cyc - 1),
        Mutant("j up to n'", partial(_not_a_multiple, cyc)),
    ),
    PERIOD.proved(
        "A16",
        "581",
        "If n' = n_cyc, D_1 holds one latent state and D_0 does not hold it",
        beside(
            partial(on_tested_loops, equal=True, shift=0),
            proof(LOOPED_WORDS, "A16_ones", "A16_zeros"),
        ),
        Mutant("D_0 one word earlier", partial(on_tested_loops, equal=True, shift=-1)),
        proof(LOOPED_WORDS, "A16_ones", "A16_zeros").misstated(
            "j up to n'", "A16_zeros", given="o >= (N - 1) * L, q >= 0, i >= 0, 1 <= j <= n_cyc(0)"
        ),
        assumptions=(AFTER_TRANSIENT,),
    ),
)
