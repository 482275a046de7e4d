"""The Proposition about CycleFind, and how it finds the period of a looped word.

A looped word applies one map of the latent states over and over. Here a word is any tuple of maps,
one for each of its letters: this covers every dynamics and every word of that length. Statements
about residues write the multiple of the period out, so that they are identities.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from sympy import Integer, Rational, Symbol

from proofs_checks.claim import Evidence, Mutant, NotEarned, Strength
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import exact, exhausted
from proofs_checks.methods.slack import at_most
from proofs_checks.methods.small_worlds import parameters
from proofs_checks.methods.symbolic import identity
from proofs_checks.methods.together import together
from proofs_checks.sections import PERIOD
from steel_verified.theory.bounds import cycle_find_bound
from steel_verified.theory.budget import period_charge
from steel_verified.theory.counts import (
    cycle_find_steps,
    initial_rollout,
    period_test_repetitions,
    period_test_samples,
    settling_time,
)
from steel_verified.theory.exact import ceil_div
from steel_verified.theory.recipe import Recipe, paper
from steel_verified.theory.schedules import FixedByParameters, period_test
from steel_verified.worlds.chains import Chain, mixing_time, stationary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

    Check = Callable[[], Evidence]
    _Bounds = Mapping[Symbol, Expr | int]

_AFTER_TRANSIENT: Final = "N ≥ |S|, deterministic latent dynamics"
_TESTABLE: Final = (
    "N ≥ 2: for N = 1, n_samp.cyc. divides by N − 1 = 0, and there is no test to make"
)


# --- Words as maps ---

Map = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Loop:
    """A word, one map for each letter, that is looped from a state."""

    letters: tuple[Map, ...]
    start: int

    @property
    def states(self) -> int:
        return len(self.letters[0])

    @property
    def length(self) -> int:
        return len(self.letters)

    def visits(self, steps: int) -> list[int]:
        """s_0, …, s_steps."""
        here, path = self.start, [self.start]
        for step in range(steps):
            here = self.letters[step % self.length][here]
            path.append(here)
        return path

    def shape(self, offset: int) -> tuple[int, int]:
        """(n_trn, n_cyc) of the states at offset, offset + |â|, …: until the first repetition."""
        every = self.visits(offset + (self.states + 1) * self.length)[offset :: self.length]
        seen: dict[int, int] = {}
        for index, state in enumerate(every):
            if state in seen:
                return seen[state], index - seen[state]
            seen[state] = index
        raise AssertionError("more states than there are")


def _loops(*sizes: tuple[int, int]) -> Iterator[_Loop]:
    """Every loop with so many states and letters, from every start."""
    for states, length in sizes:
        maps = tuple(product(range(states), repeat=states))
        for letters in product(maps, repeat=length):
            for start in range(states):
                yield _Loop(letters, start)


_ONE_MAP: Final = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1))
_ONE_MAP_SIZE: Final = "maps of up to 5 states, all starts"
_WORDS: Final = ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (2, 3))
_WORDS_SIZE: Final = "words of up to 2 maps of up to 3 states, or 3 maps of 2 states, all starts"


def _on_one_map(holds: Callable[[_Loop], bool]) -> Evidence:
    return exhausted(_loops(*_ONE_MAP), holds, _ONE_MAP_SIZE)


def _on_words(holds: Callable[[_Loop], bool]) -> Evidence:
    return exhausted(_loops(*_WORDS), holds, _WORDS_SIZE)


def _has_cycle(loop: _Loop, fewer: int) -> bool:
    """The states from where the transient ends close up to a cycle, and n_cyc ≤ |S| − fewer."""
    transient, period = loop.shape(0)
    around = period * loop.length
    path = loop.visits((transient + period) * loop.length)[transient * loop.length :][:around]
    closes = all(
        loop.letters[i % loop.length][path[i]] == path[(i + 1) % around] for i in range(around)
    )
    return closes and period <= loop.states - fewer


def _first_repetition_rules(loop: _Loop, early: int) -> bool:
    """After the first repetition, everything repeats with the same delay."""
    transient, period = loop.shape(0)
    path = loop.visits(4 * loop.states)
    first = transient - early
    return first < 0 or all(
        path[i] == path[i + period] for i in range(first, 4 * loop.states - period)
    )


def _fits(loop: _Loop, room: int) -> bool:
    """n_trn + n_cyc ≤ |S|, what is transient occurs once, and the cycle repeats no state."""
    transient, period = loop.shape(0)
    path = loop.visits(3 * loop.states)
    once = all(path.count(state) == 1 for state in path[:transient])
    distinct = len(set(path[transient : transient + period])) == period
    return once and distinct and transient + period <= loop.states + room


def _periodic_from(loop: _Loop, early: int) -> bool:
    """s_{m+i'} = s_{m+i'+n_cyc|â|} for i' ≥ n_trn|â|, whatever the offset m is."""
    for offset in range(2 * loop.length + 1):
        transient, period = loop.shape(offset)
        delay = period * loop.length
        path = loop.visits(offset + 3 * loop.states * loop.length)
        first = max(offset + transient * loop.length - early, 0)
        if any(path[i] != path[i + delay] for i in range(first, len(path) - delay)):
            return False
    return True


def _residues_decide(loop: _Loop, skipped: int) -> bool:
    """s̄_i = s̄_j exactly if i ≡ j (mod n_cyc), for N = |S|, the smallest N, and |â| = 1."""
    _, period = loop.shape(0)
    first = max(loop.states - skipped, 0)
    later = loop.visits(first + 2 * loop.states + 2)[first:]
    return all(
        (later[i] == later[j]) == ((i - j) % period == 0)
        for i in range(len(later))
        for j in range(i)
    )


# --- Decisions that would be the same without noise ---


@dataclass(frozen=True, slots=True)
class _Course:
    """Three rounds at one outcome of the noise: answers to what was decided, and how one decides.

    `answers[k]` is what round k shows after each history of decisions; `deciders[k]` the decision
    for each answer; `ideal` the decisions that the latent dynamics determine.
    """

    answers: tuple[tuple[int, ...], ...]
    deciders: tuple[tuple[int, ...], ...]
    ideal: tuple[int, ...]

    def decide(self, history: tuple[int, ...]) -> int:
        index = sum(decision << place for place, decision in enumerate(history))
        return self.deciders[len(history)][self.answers[len(history)][index]]

    def strays(self) -> bool:
        """Whether the run as it happens makes a decision that is not the ideal one."""
        history: tuple[int, ...] = ()
        for _ in self.ideal:
            history += (self.decide(history),)
        return history != self.ideal

    def fails_in_ideal(self, rounds: range) -> bool:
        """Whether, on the data of the ideal decisions before it, one of these rounds errs."""
        return any(self.decide(self.ideal[:k]) != self.ideal[k] for k in rounds)


def _courses() -> Iterator[_Course]:
    bits = (0, 1)
    answers = tuple(product(*(tuple(product(bits, repeat=2**earlier)) for earlier in range(3))))
    deciders = tuple(product(tuple(product(bits, repeat=2)), repeat=3))
    for answer, decider, ideal in product(answers, deciders, product(bits, repeat=3)):
        yield _Course(answer, decider, ideal)


def _ideal_failures_cover(rounds: range) -> Evidence:
    return exhausted(
        _courses(),
        lambda course: course.strays() == course.fails_in_ideal(rounds),
        "three rounds of two answers and two decisions each, at every single outcome of the noise",
    )


# --- Recipes ---


@dataclass(frozen=True, slots=True)
class _Setting:
    """A recipe and the length of a word."""

    recipe: Recipe
    length: int

    @property
    def most(self) -> int:
        return self.recipe.parameters.max_states

    @property
    def mixing(self) -> int:
        return self.recipe.parameters.mixing_time


_SETTINGS_SIZE: Final = "N ≤ 6, |â| ≤ 4, t̂_mix in {1, 2, 5, 9}, |A|, |F|, δ in two values each"


@cache
def _settings() -> tuple[_Setting, ...]:
    return tuple(
        _Setting(_recipe(most, mixing, actions, size, delta), length)
        for most in range(2, 7)
        for mixing in (1, 2, 5, 9)
        for actions in (1, 3)
        for size in (2, 50)
        for delta in (Fraction(1, 2), Fraction(1, 20))
        for length in range(1, 5)
    )


def _recipe(most: int, mixing: int, actions: int, size: int, delta: Fraction) -> Recipe:
    return paper(parameters(most, mixing, actions=actions, class_size=size, delta=delta))


def _printed_counts(setting: _Setting, rounding: int) -> bool:
    """The code's c_init and k are the printed ones, and n_samp.cyc. the least that is enough."""
    p, a, n = setting.recipe.parameters, setting.length, period_test_samples(setting.recipe)
    share = p.delta / (4 * p.actions * p.max_states * (p.max_states - 1) * p.class_size)
    rate = Fraction(9, 16)
    settling = max((p.max_states - 1) * a, p.mixing_time)
    initial = (
        (2 * p.mixing_time + 3 * p.max_states * a - 2) * n
        - p.mixing_time
        - p.max_states * a
        + rounding
        + settling
    )
    repetitions = []
    for hypothesis in range(2, p.max_states + 1):
        r = ceil_div(p.mixing_time, hypothesis * a) * hypothesis
        repetitions.append((initial + r * a - settling) // (2 * r * a + hypothesis * a))
    found = [
        period_test_repetitions(setting.recipe, a, hypothesis)
        for hypothesis in range(2, p.max_states + 1)
    ]
    return (
        rate**n <= share < rate ** (n - 1)
        and initial == initial_rollout(setting.recipe, a)
        and repetitions == found
        and min(found) >= n
    )


def _within_rollout(setting: _Setting, spare: int) -> bool:
    """Every sample of every test is taken from t̂_mix to c_init − `spare` words."""
    last = initial_rollout(setting.recipe, setting.length) - spare * setting.length
    for hypothesis in range(2, setting.most + 1):
        test = period_test(setting.recipe, setting.length, hypothesis, FixedByParameters())
        if min(test.ones.first, test.zeros.first) < setting.mixing:
            return False
        if max(test.ones.last, test.zeros.last) > last:
            return False
    return True


def _matching_row(test_wait: int, period: int) -> int:
    """j' = (−r − 1) % n_cyc + 1."""
    return (-test_wait - 1) % period + 1


def _row_in_zeros(setting: _Setting, largest_period: int) -> bool:
    """D_0^(j') is a row of D_0, whatever the smaller period is."""
    for hypothesis in range(2, setting.most + 1):
        test = period_test(setting.recipe, setting.length, hypothesis, FixedByParameters())
        zeros = set(test.zeros)
        r = ceil_div(setting.mixing, hypothesis * setting.length) * hypothesis
        for period in range(1, hypothesis + largest_period):
            j = _matching_row(r, period)
            start = settling_time(setting.recipe, setting.length)
            row = {
                start + (r + (2 * r + hypothesis) * i + j) * setting.length
                for i in range(test.ones.levels[0].count)
            }
            if not row <= zeros:
                return False
    return True


def _pooled_gap(setting: _Setting, beyond: int) -> bool:
    """Any two samples of D_1 ⊎ D_0^(j) are at least t̂_mix + `beyond` words apart."""
    for hypothesis in range(2, setting.most + 1):
        test = period_test(setting.recipe, setting.length, hypothesis, FixedByParameters())
        for j in range(1, hypothesis):
            times = sorted(test.pooled(j))
            gaps = [later - earlier for earlier, later in pairwise(times)]
            if min(gaps) < setting.mixing + beyond * setting.length:
                return False
    return True


def _on_settings(holds: Callable[[_Setting], bool]) -> Evidence:
    return exhausted(_settings(), holds, _SETTINGS_SIZE)


def _states_of_tests(case: tuple[_Loop, int, int], shift: int) -> bool:
    """What D_1 and D_0 hold, at the code's times: claims A16 (n' = n_cyc) and A18 (n' > n_cyc)."""
    loop, most, mixing = case
    recipe = _recipe(most, mixing, 1, 2, Fraction(9, 10))
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
            row = test.row(_matching_row(r, period))
            if [path[time + shift * loop.length] for time in row] != ones:
                return False
    return True


def _worlds_for_tests(*, equal: bool) -> Iterator[tuple[_Loop, int, int]]:
    """Loops for which some hypothesis is the period (or, some is larger), with N and t̂_mix."""
    for loop in _loops((2, 1), (3, 1), (2, 2), (3, 2)):
        for most, mixing in product((loop.states, loop.states + 1), (1, 3)):
            _, period = loop.shape(max(mixing - (most - 1) * loop.length, 0))
            if (equal and period >= 2) or (not equal and period < most):
                yield loop, most, mixing


def _on_worlds(*, equal: bool, shift: int) -> Evidence:
    size = "words of up to 2 maps of 2 or 3 states, N ≤ |S| + 1, t̂_mix in {1, 3}"
    return exhausted(_worlds_for_tests(equal=equal), partial(_states_of_tests, shift=shift), size)


# --- The loop over hypotheses ---


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


# --- Noise ---

_HALVES: Final = tuple(Fraction(i, 2) for i in range(3))


@cache
def _chains() -> tuple[Chain, ...]:
    """Two states with rates in fifths, three states with rows in halves (where they are chains)."""
    found = [
        Chain(((1 - p, p), (q, 1 - q)))
        for p, q in product([Fraction(i, 5) for i in range(1, 6)], repeat=2)
        if p + q < 2
    ]
    rows = [row for row in product(_HALVES, repeat=3) if sum(row) == 1]
    for table in product(rows, repeat=3):
        try:
            found.append(Chain(table))
        except ValueError:
            continue
    return tuple(found)


def _after(chain: Chain, law: tuple[Fraction, ...], steps: int) -> tuple[Fraction, ...]:
    for _ in range(steps):
        law = tuple(
            sum((law[e] * chain.rows[e][f] for e in range(len(chain))), Fraction(0))
            for f in range(len(chain))
        )
    return law


def _mean(law: tuple[Fraction, ...], values: tuple[Fraction, ...]) -> Fraction:
    return sum((weight * value for weight, value in zip(law, values, strict=True)), Fraction(0))


def _near_stationary(chain: Chain, within: Fraction) -> bool:
    """Two pairs of samples, t_mix apart: each factor and the product are as Lemma 1 bounds them.

    The start stands for all that was seen before. `chances` are Pr(f' = 1 | e) in the latent states
    of the two pairs.
    """
    mixing, size = mixing_time(chain), len(chain)
    pi = stationary(chain)
    points = [tuple(Fraction(e == f) for f in range(size)) for e in range(size)]
    step = [_after(chain, point, mixing) for point in points]
    for chances in product(product((Fraction(0), Fraction(1)), repeat=size), repeat=2):
        for start in range(size):
            law, bound, seen = points[start], Fraction(1), Fraction(1)
            for position in range(4):
                chance = chances[position // 2]
                p = _mean(pi, chance)
                law = tuple(
                    sum((law[e] * step[e][f] for e in range(size)), Fraction(0))
                    for f in range(size)
                )
                one = _mean(law, chance)
                if not (p - within) * seen <= one <= (p + within) * seen:
                    return False
                wanted = chance if position % 2 == 0 else tuple(1 - c for c in chance)
                bound *= p + within if position % 2 == 0 else 1 - (p - within)
                law = tuple(weight * w for weight, w in zip(law, wanted, strict=True))
                seen = sum(law, Fraction(0))
            if seen > bound:
                return False
    return True


def _noise(within: Fraction) -> Evidence:
    return exact(
        _chains(),
        partial(_near_stationary, within=within),
        "chains of 2 states with rates in fifths and of 3 states with rows in halves, all starts, "
        "all pairs of classifiers, two pairs of samples",
    )


# --- Algebra ---

N, S, D, A, F, t, a, n = (Symbol(name) for name in ("N", "S", "D", "A", "F", "t", "a", "n"))
"""max_states, |S|, diameter, |A|, |F|, t̂_mix, |â|, n_samp.cyc."""
k, m, q, i, j, p, delta = (Symbol(name) for name in ("k", "m", "q", "i", "j", "p", "delta"))
cyc, hyp, multiple, rest, more = (
    Symbol(name) for name in ("cyc", "hyp", "multiple", "rest", "more")
)
"""n_cyc, n'_cyc, a factor of n_cyc, a remainder, what rounding up adds."""
transient, left_over, unused = (Symbol(name) for name in ("transient", "left_over", "unused"))

_zero: Final = Integer(0)


def _initial(settling: Expr) -> Expr:
    return (2 * t + 3 * N * a - 2) * n - t - N * a + 1 + settling


def _success(powers: int) -> Evidence:
    """Both union bounds at the exact numbers of samples add up to δ/(2|A|N)."""
    share = delta / (4 * A * N * (N - 1) * F)
    other = delta / (4 * A * N**4 * (D + 1) * F)
    return identity((N - 1) * F * share + N**powers * (D + 1) * F * other, delta / (2 * A * N))


def _initial_is_branch(constant: int) -> Evidence:
    """c_init is the first branch of the bound, whichever of (N−1)|â| and t̂_mix is larger."""
    branch = (2 * t + 3 * N * a - 2) * n - N * a + constant
    return together(
        partial(identity, _initial((N - 1) * a), branch + (N * a - a - t)),
        partial(identity, _initial(t), branch + _zero),
    )


def _steps_within(setting: _Setting, *, true_period: bool) -> bool:
    """max(c, c_init) is within the bound, for every period up to |S| (or else, up to N)."""
    return all(
        cycle_find_steps(setting.recipe, setting.length, period)
        <= cycle_find_bound(setting.recipe, states, setting.length)
        for states in range(1, setting.most + 1)
        for period in range(1, (states if true_period else setting.most) + 1)
    )


def _full_within(size: Expr) -> Evidence:
    """c is within the bound in which `size` stands for |S|, whatever period ≤ N was found.

    The two cases of n_0 = max((N − n_cyc)|â|, t̂_mix); `unused` is what rounding up could add more.
    """
    whole = t + cyc * a - 1 - unused
    lasting = 2 * ((m - 1) * whole + cyc * a) + t
    bound = 2 * (t + size * a - 1) * m + 1
    bounds: _Bounds = {N: cyc, cyc: 1, S: 1, m: 1, unused: 0, t: 1, a: 1}
    return together(
        partial(at_most, lasting + (N - cyc) * a, bound + ((N - 1) * a - t) + 1, bounds),
        partial(at_most, lasting + t, bound + 1, bounds),
    )


def _last_sample_fits(spare: Expr | int) -> Evidence:
    """The last sample of D_0 comes no later than c_init, for k as defined.

    c_init + r|â| − settling = k(2r + n')|â| + left_over, and r = q·n'.
    """
    r, settling = q * hyp, Symbol("settling")
    initial = k * (2 * r + hyp) * a + left_over - r * a + settling
    last = settling + (r + (2 * r + hyp) * (k - 1) + hyp - 1) * a
    bounds: _Bounds = {k: 1, left_over: 0, q: 1, hyp: 2, a: 1, settling: 1}
    return at_most(last + spare, initial, bounds)


def _skipped(extra: int) -> Evidence:
    """x̄_i stands at m + (N − 1 + i)|â|, for either value of m."""
    return together(
        partial(identity, i * a + (N - 1) * a, 0 + (N - 1 + i) * a + extra),
        partial(identity, i * a + t, (t - (N - 1) * a) + (N - 1 + i) * a + extra),
    )


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


def _row_range(larger_by: int) -> Evidence:
    """j' − 1 is a remainder modulo n_cyc, and n_cyc < n'."""
    bounds: _Bounds = {hyp: cyc + larger_by, cyc: rest + 1, rest: 0}
    return together(
        partial(at_most, Integer(1), rest + 1, bounds),
        partial(at_most, rest + 1, hyp - 1, bounds),
    )


def _row_of_zeros(before: int) -> Evidence:
    """The printed index of D_0^(j'), in words, is that of the code's row; and j' is in range."""
    r = q * hyp
    printed = r + (2 * r + hyp) * i + rest + 1
    return together(
        partial(identity, printed, (r + 1) + (2 * r + hyp) * i + (rest + 1 - before)),
        partial(_row_range, 1),
    )


def _same_residue(shift: int) -> Evidence:
    """If −r − 1 = multiple·n_cyc + rest and j' = rest + 1, the indices differ by a multiple."""
    r = -1 - multiple * cyc - rest
    row = rest + 1 + shift
    return identity(r + (2 * r + hyp) * i + row - (2 * r + hyp) * i, -multiple * cyc)


def _gaps(beyond: Expr | int, *, least_wait: Expr, least_row: int) -> Evidence:
    """Both gaps around a sample of D_0^(j') are at least t̂_mix + beyond; wait = r|â|."""
    wait = least_wait + more
    bounds: _Bounds = {hyp: j + 1, j: least_row, more: 0, t: 1, a: 1}
    return together(
        partial(at_most, t + beyond, wait + j * a, bounds),
        partial(at_most, t + beyond, wait + (hyp - j) * a, bounds),
    )


def _first_sample(least: Expr) -> Evidence:
    """x̄_0 is at least t̂_mix after the call begins: (N−1)|â| = t̂_mix + more, or t̂_mix itself."""
    return together(
        partial(at_most, least, t + more, {t: 1, more: 0}),
        partial(at_most, least, t + _zero, {t: 1}),
    )


_factor: Final = (p + Rational(1, 4)) * (1 - (p - Rational(1, 4)))
_expanded: Final = -(p**2) + p + Rational(5, 16)


def _square(top: Expr) -> Evidence:
    return identity(top - _expanded, (p - Rational(1, 2)) ** 2)


so_far, bound, below, complement = (
    Symbol(name) for name in ("so_far", "bound", "below", "complement")
)


def _products(rate: Expr) -> Evidence:
    """One factor more, from 0 to 9/16, keeps a product below the power.

    A factor is (p + 1/4)(q + 1/4) with p, q ≥ 0 (and p + q = 1), so never negative.
    """
    quarter = Rational(1, 4)
    factor = Rational(9, 16) - below
    return together(
        partial(at_most, 0, (p + quarter) * (complement + quarter), {p: 0, complement: 0}),
        partial(at_most, so_far * factor, bound * rate, {bound: so_far, so_far: 0, below: 0}),
    )


def _tests_at_most(tests: Expr) -> Evidence:
    """The hypotheses above n_cyc are N − n_cyc many, each charged at most |F|·power ≥ 0."""
    power = Symbol("power")
    return at_most((N - cyc) * F * power, tests * F * power, {N: cyc, cyc: 1, F: 1, power: 0})


def _share(part: int) -> Evidence:
    """The tests' chance is that part of δ/(|A|N) at the defining share, and no more below it."""
    share = delta / (4 * A * N * (N - 1) * F)
    return together(
        partial(identity, (N - 1) * F * share, delta / (part * A * N)),
        partial(
            at_most,
            (N - 1) * F * so_far,
            (N - 1) * F * bound,
            {bound: so_far, so_far: 0, N: 2, F: 1},
        ),
    )


def _charge_within(setting: _Setting, fewer: int) -> bool:
    """(N − 1)|F|(9/16)ⁿ ≤ δ/(4|A|N) at n = n_samp.cyc. − fewer."""
    parameters = setting.recipe.parameters
    amount = period_charge(setting.recipe, setting.most - 1).amount
    share = parameters.delta / (4 * parameters.actions * setting.most)
    return amount / setting.recipe.separation_rate**fewer <= share


def _shorter_rollout(saved: Expr) -> Evidence:
    """n repetitions of the tests with the smaller r fit into c_init − saved, when t̂_mix > |â|.

    r|â| is t̂_mix − |â| rounded up to whole cycles, `unused` below the most that it can be.
    """
    wait = (t - a) + hyp * a - 1 - unused
    last = (2 * wait + hyp * a) * n - wait - a
    bounds: _Bounds = {N: hyp, hyp: 2, n: 1, unused: 0, t: a + 1, a: 1}
    return at_most(last, _initial(_zero) - saved, bounds)


def _states_suffice_in_example() -> Evidence:
    """The bound with |S| at N = 10, |S| = 1, |â| = 10, if a test of n' = 10 passes by chance."""
    recipe = _recipe(10, 1, 1, 2, Fraction(1, 2))
    if cycle_find_steps(recipe, 10, 10) > cycle_find_bound(recipe, 1, 10):
        raise NotEarned("c at the wrong period N is above the bound with |S| = 1")
    return Evidence(Strength.EXACT, "one case")


CLAIMS: Final = (
    PERIOD.exhausted(
        "A01",
        "468, 503-504, 603, 788, 923",
        "At every outcome of the noise, the run makes a decision other than the one that T, s_0 "
        "and the parameters determine exactly if some round errs on the data of the determined "
        "decisions before it; so Pr(failure) ≤ Σ Pr(round k errs in the determined run), in which "
        "all times are fixed",
        partial(_ideal_failures_cover, range(3)),
        Mutant("the first round is not charged", partial(_ideal_failures_cover, range(1, 3))),
        Mutant("the last round is not charged", partial(_ideal_failures_cover, range(2))),
        assumptions=("arbitrary choices are made by a rule that does not look at observations",),
    ),
    PERIOD.exhausted(
        "A02",
        "484, 493",
        "For every word â and start there are n_cyc ≤ |S| ≤ N and states s_0, …, s_{n_cyc|â|−1} on "
        "the loop with T(s_i, â_{i % |â|}) = s_{(i+1) % (n_cyc|â|)}",
        partial(_on_words, partial(_has_cycle, fewer=0)),
        Mutant("n_cyc ≤ |S| − 1", partial(_on_words, partial(_has_cycle, fewer=1))),
        assumptions=(_AFTER_TRANSIENT,),
    ),
    PERIOD.proved(
        "A03",
        "508",
        "(N−1)|F|·δ/(4|A|N(N−1)|F|) + N³(D̂+1)|F|·δ/(4|A|N⁴(D̂+1)|F|) = δ/(2|A|N): what both parts "
        "of CycleFind may fail with adds up to what the Proposition allows",
        partial(_success, 3),
        Mutant("N⁴ tests in the second part", partial(_success, 4)),
        assumptions=(
            _TESTABLE,
            "the period tests fail with chance at most (N−1)|F|(9/16)^n_samp.cyc. (A27)",
            "the other tests fail with chance at most N³(D̂+1)|F|(9/16)^n_samp. (B22)",
        ),
    ),
    PERIOD.proved(
        "A04.init",
        "525-527, 538",
        "c_init = (2t̂+3N|â|−2)·n_samp.cyc. − N|â| + max(N|â|−|â|−t̂, 0) + 1: it is the first "
        "branch of the Proposition's bound, exactly",
        partial(_initial_is_branch, 1),
        Mutant("without the + 1", partial(_initial_is_branch, 0)),
        assumptions=(_TESTABLE,),
    ),
    PERIOD.exhausted(
        "A04.all",
        "525-527",
        "max(c, c_init) is at most the Proposition's bound for every n_cyc ≤ |S| ≤ N",
        partial(_on_settings, partial(_steps_within, true_period=True)),
        Mutant(
            "with |S|, though the period found may be any up to N",
            partial(_on_settings, partial(_steps_within, true_period=False)),
        ),
        assumptions=(_TESTABLE, "the period that was found is the true one, so at most |S|"),
    ),
    PERIOD.proved(
        "S.A04",
        "525-527",
        "Even if a period test errs, max(c, c_init) is at most the Proposition's bound with N in "
        "place of |S|. With |S| the bound can then be exceeded: N = 10, |S| = 1, |â| = 10",
        partial(_full_within, N),
        Mutant("|S| in place of N", partial(_full_within, S)),
        Mutant("the bound with |S| in that example", _states_suffice_in_example),
        assumptions=(_TESTABLE,),
    ),
    PERIOD.proved(
        "A05.last",
        "538",
        "The last sample of D_0 comes at the latest |â| steps before c_init: the samples of all "
        "k repetitions lie within the rollout",
        partial(_last_sample_fits, a),
        Mutant("one step more than |â| to spare", partial(_last_sample_fits, a + 1)),
    ),
    PERIOD.exhausted(
        "A05.counts",
        "538, 542, 566-567",
        "n_samp.cyc. is the least n with (9/16)ⁿ ≤ δ/(4|A|N(N−1)|F|); c_init and k are computed "
        "as defined, and k ≥ n_samp.cyc. for every n'",
        partial(_on_settings, partial(_printed_counts, rounding=1)),
        Mutant("c_init one less", partial(_on_settings, partial(_printed_counts, rounding=0))),
        assumptions=(_TESTABLE,),
    ),
    PERIOD.exhausted(
        "A05.times",
        "538",
        "All samples of all period tests are taken from step t̂_mix to step c_init − |â| of a call",
        partial(_on_settings, partial(_within_rollout, spare=1)),
        Mutant("2|â| steps to spare", partial(_on_settings, partial(_within_rollout, spare=2))),
        assumptions=(_TESTABLE,),
    ),
    PERIOD.exhausted(
        "A07",
        "546",
        "From the first repetition of a state in s_per on, everything repeats with that delay",
        partial(_on_one_map, partial(_first_repetition_rules, early=0)),
        Mutant(
            "from one element earlier",
            partial(_on_one_map, partial(_first_repetition_rules, early=1)),
        ),
        assumptions=("deterministic latent dynamics: a looped word is one map",),
    ),
    PERIOD.proved(
        "A08",
        "548",
        "n_trn ≤ N − 1, as n_trn + n_cyc ≤ |S| ≤ N and n_cyc ≥ 1",
        partial(at_most, transient, N - 1, {N: S, S: transient + cyc, cyc: 1, transient: 0}),
        Mutant(
            "an empty cycle is allowed",
            partial(at_most, transient, N - 1, {N: S, S: transient + cyc, cyc: 0, transient: 0}),
        ),
        assumptions=("n_trn + n_cyc ≤ |S| (A09)",),
    ),
    PERIOD.exhausted(
        "A09",
        "550",
        "n_trn + n_cyc ≤ |S| ≤ N; the transient states of s_per occur once, and the n_cyc states "
        "of its cycle are all different",
        partial(_on_one_map, partial(_fits, room=0)),
        Mutant("n_trn + n_cyc ≤ |S| − 1", partial(_on_one_map, partial(_fits, room=-1))),
        assumptions=(_AFTER_TRANSIENT,),
    ),
    PERIOD.exhausted(
        "A10",
        "552",
        "s_{m+i'} = s_{m+i'+n_cyc|â|} for all i' ≥ n_trn|â|, where n_trn and n_cyc belong to the "
        "phase m, whatever m is",
        partial(_on_words, partial(_periodic_from, early=0)),
        Mutant("from one step earlier", partial(_on_words, partial(_periodic_from, early=1))),
        assumptions=(_AFTER_TRANSIENT,),
    ),
    PERIOD.proved(
        "A11",
        "554",
        "i|â| + max((N−1)|â|, t̂) = m + (N−1+i)|â| for m = max(0, t̂ − (N−1)|â|): s̄ is s_per "
        "without its first N − 1 ≥ n_trn elements",
        partial(_skipped, 0),
        Mutant("one step later", partial(_skipped, 1)),
        assumptions=("n_trn ≤ N − 1 (A08), in the phase m",),
    ),
    PERIOD.exhausted(
        "A12",
        "558",
        "After N − 1 elements of s_per: s̄_i = s̄_j exactly if i ≡ j (mod n_cyc)",
        partial(_on_one_map, partial(_residues_decide, skipped=1)),
        Mutant("after N − 2 elements", partial(_on_one_map, partial(_residues_decide, skipped=2))),
        assumptions=(_AFTER_TRANSIENT,),
    ),
    PERIOD.exhausted(
        "A13",
        "561",
        "If the test of n_cyc passes, the loop over n' = N, …, 2 reports a period ≥ n_cyc, and "
        "n_cyc itself exactly if no test of an n' > n_cyc passes",
        partial(_loop_over_hypotheses, false_negatives=False),
        Mutant("the test of n_cyc may fail", partial(_loop_over_hypotheses, false_negatives=True)),
        assumptions=(
            "realizability, and an oracle that finds a perfect classifier where there is one",
        ),
    ),
    PERIOD.exhausted(
        "A13.test",
        "388, 561",
        "A test passes exactly if f makes no error on D_0 and D_1: f = 0 on D_0 and f = 1 on D_1",
        partial(_accepts_only_perfect, _accepts),
        Mutant(
            "as printed: f = 0 on D_0 and f = 1 on D_0",
            partial(_accepts_only_perfect, lambda zeros, _: _accepts_as_printed(zeros)),
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
    PERIOD.exhausted(
        "A16",
        "581",
        "If n' = n_cyc, D_1 holds one latent state and D_0 does not hold it",
        partial(_on_worlds, equal=True, shift=0),
        Mutant("D_0 one word earlier", partial(_on_worlds, equal=True, shift=-1)),
        assumptions=(_AFTER_TRANSIENT,),
    ),
    PERIOD.proved(
        "A17",
        "586",
        "1 ≤ j' = (−r−1) % n_cyc + 1 ≤ n_cyc ≤ n' − 1 if n_cyc < n'",
        partial(_row_range, 1),
        Mutant("n_cyc ≤ n'", partial(_row_range, 0)),
    ),
    PERIOD.proved(
        "A18.residue",
        "588-592",
        "r + (2r + n')i + j' and (2r + n')i differ by a multiple of n_cyc",
        partial(_same_residue, 0),
        Mutant("j' = (−r−1) % n_cyc", partial(_same_residue, -1)),
    ),
    PERIOD.exhausted(
        "A18.state",
        "588-592",
        "If n_cyc < n', the i-th samples of D_1 and of D_0^(j') show the same latent state, for "
        "every i (different i may show different states)",
        partial(_on_worlds, equal=False, shift=0),
        Mutant("D_0^(j') one word earlier", partial(_on_worlds, equal=False, shift=-1)),
        assumptions=(_AFTER_TRANSIENT,),
    ),
    PERIOD.proved(
        "A19.index",
        "596",
        "The i-th sample of D_0^(j') is the one of D_0 at (i, j'): j' is one of 1, …, n' − 1, and "
        "the code's D_0, which begins a word after r, reaches it in j' − 1 words",
        partial(_row_of_zeros, 1),
        Mutant("j' words", partial(_row_of_zeros, 0)),
    ),
    PERIOD.exhausted(
        "A19.code",
        "596",
        "D_0^(j') ⊆ D_0 for every n_cyc < n', at the times that the code computes",
        partial(_on_settings, partial(_row_in_zeros, largest_period=0)),
        Mutant("n_cyc = n' too", partial(_on_settings, partial(_row_in_zeros, largest_period=1))),
        assumptions=(_TESTABLE,),
    ),
    PERIOD.proved(
        "A20",
        "601",
        "(r + j')|â| ≥ t̂_mix and (r + n' − j')|â| ≥ t̂_mix, as r|â| ≥ t̂_mix and 1 ≤ j' < n'",
        partial(_gaps, 0, least_wait=t, least_row=1),
        Mutant("r|â| ≥ t̂_mix − |â| − 1 only", partial(_gaps, 0, least_wait=t - a - 1, least_row=1)),
    ),
    PERIOD.proved(
        "S.A20.wider",
        "601",
        "Any two samples of D_1 ⊎ D_0^(j') are at least t̂_mix + |â| apart: |â| more than needed",
        partial(_gaps, a, least_wait=t, least_row=1),
        Mutant("j' = 0 is allowed", partial(_gaps, a, least_wait=t, least_row=0)),
    ),
    PERIOD.exhausted(
        "S.A20.code",
        "601",
        "The same for every row of D_0, at the times that the code computes",
        partial(_on_settings, partial(_pooled_gap, beyond=1)),
        Mutant("2|â| more than needed", partial(_on_settings, partial(_pooled_gap, beyond=2))),
        assumptions=(_TESTABLE,),
    ),
    PERIOD.proved(
        "S.A20.shorter",
        "564, 601",
        "r|â| ≥ t̂_mix − |â| is enough for both gaps: q = ⌈max(t̂_mix − |â|, 0)/(n'|â|)⌉ would do",
        partial(_gaps, 0, least_wait=t - a, least_row=1),
        Mutant("j' = 0 is allowed", partial(_gaps, 0, least_wait=t - a, least_row=0)),
    ),
    PERIOD.proved(
        "S.A26",
        "538, 643-648",
        "With that q, if t̂_mix > |â|, n_samp.cyc. repetitions of every test fit into "
        "c_init − (2n_samp.cyc. − 1)|â| − |â| = c_init − 2n_samp.cyc.|â| steps",
        partial(_shorter_rollout, 2 * n * a),
        Mutant("2 steps fewer still", partial(_shorter_rollout, 2 * n * a + 2)),
        assumptions=(_TESTABLE,),
    ),
    PERIOD.proved(
        "A21.times",
        "606",
        "x̄_0 is taken at least t̂_mix steps after the call begins, and (A20) every later sample of "
        "D_1 ⊎ D_0^(j') at least t̂_mix after the one before: Lemma 1 applies to each in turn",
        partial(_first_sample, t),
        Mutant("t̂_mix + 1 steps", partial(_first_sample, t + 1)),
        assumptions=("the times are fixed by s_0, T and the parameters (A01)",),
    ),
    PERIOD.exact(
        "A21.chance",
        "606-613",
        "Given all that was seen t_mix before, Pr(f' = 1) is within 1/4 of p_s; so f' fits two "
        "pairs of samples with chance at most the product of the p_s + 1/4 and 1 − (p_s − 1/4)",
        partial(_noise, Fraction(1, 4)),
        Mutant("within 1/5", partial(_noise, Fraction(1, 5))),
    ),
    PERIOD.equation(
        "A23",
        "615-623",
        "(p + 1/4)(1 − (p − 1/4)) = −p² + p + 5/16",
        _factor,
        _expanded,
        Slip("3/16 for 5/16", right=_expanded - Rational(1, 8)),
    ),
    PERIOD.proved(
        "A24.top",
        "625-627",
        "9/16 − (−p² + p + 5/16) = (p − 1/2)² ≥ 0 for every p, and 0 at p = 1/2 only",
        partial(_square, Rational(9, 16)),
        Mutant("1/2 for 9/16", partial(_square, Rational(1, 2))),
    ),
    PERIOD.proved(
        "A24.power",
        "625-627",
        "The factors lie in [0, 9/16] for p in [0, 1], so that k of them multiply to at most "
        "(9/16)^k: X ≤ B and 0 ≤ x ≤ 9/16 give X·x ≤ B·9/16",
        partial(_products, Rational(9, 16)),
        Mutant("rate 1/2", partial(_products, Rational(1, 2))),
    ),
    PERIOD.bound(
        "A24.class",
        "631",
        "The chance that some f' in F fits by accident is at most |F|·max FPR(f')",
        F * so_far,
        F * bound,
        {bound: so_far, so_far: 0, F: 1},
        Slip("one classifier is not counted", right=(F - 1) * bound),
        assumptions=("the union bound",),
    ),
    PERIOD.proved(
        "A27.tests",
        "653",
        "Only the tests of n' in {n_cyc + 1, …, N} can be false positives: N − n_cyc ≤ N − 1 "
        "tests, each with chance at most |F|(9/16)^k ≤ |F|(9/16)^n_samp.cyc.",
        partial(_tests_at_most, N - 1),
        Mutant("N − 2 tests", partial(_tests_at_most, N - 2)),
        assumptions=("k ≥ n_samp.cyc. (A26)",),
    ),
    PERIOD.proved(
        "A27.share",
        "653",
        "(N−1)|F|(9/16)ⁿ ≤ (N−1)|F|·δ/(4|A|N(N−1)|F|) = δ/(4|A|N) for n = n_samp.cyc.",
        partial(_share, 4),
        Mutant("δ/(8|A|N)", partial(_share, 8)),
        assumptions=(_TESTABLE, "(9/16)ⁿ ≤ δ/(4|A|N(N−1)|F|): the definition of n_samp.cyc."),
    ),
    PERIOD.exhausted(
        "A27.code",
        "653",
        "(N−1)|F|(9/16)^n_samp.cyc. ≤ δ/(4|A|N), as the code charges it",
        partial(_on_settings, partial(_charge_within, fewer=0)),
        Mutant("one sample fewer", partial(_on_settings, partial(_charge_within, fewer=1))),
        assumptions=(_TESTABLE,),
    ),
)
