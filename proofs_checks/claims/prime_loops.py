"""Prime loops, and what multistep-inverse methods can and cannot learn of them.

In the limit of infinite data the loss of an encoder is the entropy of the action given what the
encoder keeps of the two observations, averaged over k. Merging observations never lowers it, and
leaves it as it is exactly if all pairs that are merged (and occur) agree on the chance of the
action. So losses are compared through these chances, which are quotients of numbers of paths:
exactly, with no logarithm.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, Final

from sympy import Integer, Rational, Symbol

from proofs_checks.claim import Erratum, Evidence, Mutant
from proofs_checks.entries import Slip
from proofs_checks.methods.finite import equal, exhausted
from proofs_checks.methods.slack import at_most
from proofs_checks.sections import AC_STATE, EXPLORATION, PRIME_LOOPS
from steel_verified.worlds.prime_loops import PrimeLoops, are_primes_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sympy import Expr

    from proofs_checks.claim import Evidence
    from steel_verified.worlds.dynamics import Dynamics, Table

Pair = tuple[int, int]
Encoder = tuple[int, ...]
Chances = dict[Pair, Fraction]

p, q, m, n, unused = (Symbol(name) for name in ("p", "q", "m", "n", "unused"))

_TESTED: Final = ((3, 5), (5, 7), (11, 13), (17, 19), (29, 31), (41, 43))
_LIMIT: Final = "uniformly random actions, in the limit of infinite data"


def _pairs(largest: int) -> tuple[Pair, ...]:
    numbers = range(2, largest + 1)
    return tuple((a, b) for b in numbers for a in numbers if are_primes_in_order(a, b))


_SMALLEST: Final = _pairs(5)
_SMALLEST_SIZE: Final = "all primes p < q ≤ 5, every K, all encoders"
_SMALL: Final = _pairs(7)
_MEDIUM: Final = _pairs(13)
_MANY: Final = tuple(sorted({*_pairs(23), *_TESTED}))
_MANY_SIZE: Final = "all primes p < q ≤ 23, and the six pairs of the experiments"


@cache
def _loops(copies: int, pair: Pair) -> Dynamics:
    return PrimeLoops(copies, *pair, start=0, first_action=0).dynamics()


def _single(pair: Pair) -> Encoder:
    """φ_SP: forget which copy."""
    return (*range(pair[1]), *range(pair[1]))


def _together(size: int, one: int, other: int) -> Encoder:
    """The encoder that merges two observations and nothing else."""
    return tuple(one if x == other else x for x in range(size))


def _numbers_of_paths(table: Table) -> Iterator[list[list[int]]]:
    """For k = 0, 1, …: how many words of k actions lead from x to y."""
    everywhere = range(len(table))
    paths = [[int(x == y) for y in everywhere] for x in everywhere]
    while True:
        yield paths
        paths = [[a + b for a, b in zip(paths[to[0]], paths[to[1]], strict=True)] for to in table]


@cache
def _chances_in(table: Table, longest: int) -> tuple[Chances, ...]:
    """For k = 1, 2, …: Pr(a_t = 0 | x_t, x_{t+k}), of the pairs that occur."""
    everywhere = range(len(table))
    return tuple(
        {
            (x, y): Fraction(shorter[table[x][0]][y], longer[x][y])
            for x, y in product(everywhere, everywhere)
            if longer[x][y]
        }
        for shorter, longer in pairwise(islice(_numbers_of_paths(table), longest + 1))
    )


def _chances(pair: Pair, longest: int) -> tuple[Chances, ...]:
    return _chances_in(_loops(2, pair).table, longest)


def _agree(chances: Chances, encoder: Encoder) -> bool:
    """Whether the encoder loses nothing about the action."""
    of_codes: dict[Pair, Fraction] = {}
    return all(
        of_codes.setdefault((encoder[x], encoder[y]), chance) == chance
        for (x, y), chance in chances.items()
    )


def _optimal(pair: Pair, longest: int, encoder: Encoder) -> bool:
    """Whether the loss for K = `longest` is that of the identity: the least there is."""
    return all(_agree(chances, encoder) for chances in _chances(pair, longest))


def _first_difference(pair: Pair) -> int:
    """The least K for which φ_SP has a larger loss than φ_DP."""
    longest = pair[0] * pair[1] + 1
    lengths = enumerate(_chances(pair, longest), 1)
    return next(k for k, chances in lengths if not _agree(chances, _single(pair)))


def _same_loss(pair: Pair, beyond: int) -> bool:
    return _optimal(pair, (pair[1] - 1) * pair[0] + beyond, _single(pair))


def _smallest_encoders_in(
    table: Table, longest: int, *, forward: bool = False
) -> tuple[Encoder, ...]:
    """All encoders of least loss with the fewest outputs (each up to renaming its outputs).

    With `forward`, only encoders of forward loss 0.
    """
    size = len(table)
    every = _chances_in(table, longest)
    known = [
        [{xy: c for xy, c in chances.items() if max(xy) < upto} for chances in every]
        for upto in range(size + 1)
    ]

    def extend(codes: Encoder, used: int, most: int) -> Iterator[Encoder]:
        if len(codes) == size:
            if not forward or _deterministic(table, codes):
                yield codes
            return
        for code in range(min(used + 1, most)):
            longer = (*codes, code)
            if all(_agree(chances, longer) for chances in known[len(longer)]):
                yield from extend(longer, max(used, code + 1), most)

    for most in range(1, size + 1):
        if found := tuple(extend((), 0, most)):
            return found
    raise AssertionError("the identity is always optimal")


def _smallest_encoders(pair: Pair, longest: int) -> tuple[Encoder, ...]:
    return _smallest_encoders_in(_loops(2, pair).table, longest)


_FORK: Final = ((1, 2), (3, 3), (3, 3), (0, 0))
"""0 leads to 1 or 2, as one chooses; both lead to 3, and 3 to 0: every way back takes 3 steps."""


def _fork(longest: int) -> tuple[bool, int, int]:
    """Whether all chances repeat from `longest` − 2 on; the outputs needed without a forward loss,
    and with it.
    """
    numbers = tuple(islice(_numbers_of_paths(_FORK), longest + 1))
    repeats = numbers[-1] == [[8 * number for number in row] for row in numbers[-4]]
    without = _smallest_encoders_in(_FORK, longest)[0]
    with_forward = _smallest_encoders_in(_FORK, longest, forward=True)[0]
    return repeats, len(set(without)), len(set(with_forward))


def _few_outputs(pair: Pair, beyond: int) -> bool:
    lengths = range(1, (pair[1] - 1) * pair[0] + beyond + 1)
    return all(len(set(_smallest_encoders(pair, k)[0])) <= pair[1] for k in lengths)


def _needed_for_all(pair: Pair, longest: int) -> bool:
    """Whether every encoder that merges just two observations has a larger loss for this K.

    Then every encoder that merges anything has, as one that merges less never has a larger loss.
    """
    size = 2 * pair[1]
    return not any(
        _optimal(pair, longest, _together(size, one, other))
        for other in range(size)
        for one in range(other)
    )


def _threshold_is(pair: Pair, least: int) -> bool:
    return _needed_for_all(pair, least) and not _needed_for_all(pair, least - 1)


def _all_outputs_need(pair: Pair) -> int:
    return pair[0] * pair[1] + pair[1] - pair[0]


def _printed_table(pair: Pair) -> Table:
    """T of DoublePrime as printed, with i' written as i + q."""
    small, large = pair
    rows = [((i + 1) % large, (i + 1) % large) for i in range(large)]
    there = [(large + a, large + b) for a, b in rows]
    rows[0] = (1, large + large - small + 1)
    there[0] = (large + 1, large - small + 1)
    return (*rows, *there)


def _returns(pair: Pair, action: int) -> tuple[int, int]:
    """After how many steps 0 or 0' is met again if 0 is left by an action, and which copy it is."""
    large = pair[1]
    here, steps = _loops(2, pair).table[0][action], 1
    while here % large:
        here, steps = _loops(2, pair).table[here][0], steps + 1
    return steps, here // large


def _forgetting_gives_single(pair: Pair) -> bool:
    code, single = _single(pair), _loops(1, pair).table
    rows = enumerate(_loops(2, pair).table)
    return all(tuple(code[to] for to in row) == single[code[x]] for x, row in rows)


def _deterministic(table: Table, encoder: Encoder) -> bool:
    """Whether the next code is a function of the code and the action: forward loss 0."""
    after: dict[Pair, int] = {}
    return all(
        after.setdefault((encoder[x], action), encoder[to]) == encoder[to]
        for x, row in enumerate(table)
        for action, to in enumerate(row)
    )


def _both_copies(pair: Pair, position: int) -> int:
    """The fewest steps after which, from one state, either copy of a position can be reached."""
    table, large = _loops(2, pair).table, pair[1]
    reached, steps = [{x} for x in range(2 * large)], 0
    while not any({position, position + large} <= states for states in reached):
        reached = [{to for state in states for to in table[state]} for states in reached]
        steps += 1
    return steps


def _classifiers(indices: range, large: int) -> set[frozenset[int]]:
    """The sets of observations told from all others, for these i."""
    own = {frozenset({i + shift}) for i in indices for shift in (0, large)}
    return own | {frozenset({i, i + large}) for i in indices}


def _needed_classifiers(pair: Pair) -> set[frozenset[int]]:
    """The sets of observations of each latent state of either world: every one is forced."""
    large = pair[1]
    doubled = {frozenset({x}) for x in range(_loops(2, pair).states)}
    return doubled | {frozenset({i, i + large}) for i in range(_loops(1, pair).states)}


def _next_seen(pair: Pair, encoder: Encoder) -> set[Fraction]:
    """All chances Pr(code of x_{t+1} | code of x_t, a_t) on SinglePrime.

    i and i' are equally likely, whatever was seen before, so the code of x_t adds nothing to i.
    """
    large, chances = pair[1], set()
    for row in _loops(1, pair).table:
        for to in row:
            law: dict[int, Fraction] = {}
            for seen in (to, to + large):
                law[encoder[seen]] = law.get(encoder[seen], Fraction(0)) + Fraction(1, 2)
            chances |= set(law.values())
    return chances


def _accuracies(emission: tuple[Fraction, ...]) -> set[Fraction]:
    """Every chance to be right on a latent state that emits observations with these chances."""
    rights = product((0, 1), repeat=len(emission))
    return {
        sum((c for c, right in zip(emission, chosen, strict=True) if right), Fraction(0))
        for chosen in rights
    }


_HALVES: Final = (Fraction(1, 2), Fraction(1, 2))


def _imperfect_but_accepted(epsilon: Fraction) -> list[Fraction]:
    values = _accuracies(_HALVES) | _accuracies((Fraction(1),))
    return sorted(value for value in values if 1 - epsilon <= value < 1)


def _visits(pair: Pair) -> tuple[Fraction, ...]:
    """The stationary law under uniformly random actions, up to a factor."""
    small, large = pair
    one_loop = [Fraction(1, 2) if 1 <= i <= large - small else Fraction(1) for i in range(large)]
    return (*one_loop, *one_loop)


def _visit_ratio(pair: Pair) -> Fraction | None:
    """Most- to least-visited state; None if the law is not stationary after all."""
    law, table = _visits(pair), _loops(2, pair).table
    after = [Fraction(0)] * len(law)
    for x, row in enumerate(table):
        for to in row:
            after[to] += law[x] / 2
    return max(law) / min(law) if tuple(after) == law else None


def _likelihood(zeros: int, ones: int) -> Fraction:
    """Of these actions, if predicted by their own frequencies."""
    total = zeros + ones
    return Fraction(zeros**zeros * ones**ones, total**total)


def _merging_is_no_gain(counts: tuple[int, int, int, int], factor: Fraction) -> bool:
    a, b, c, d = counts
    return _likelihood(a + c, b + d) * factor <= _likelihood(a, b) * _likelihood(c, d)


def _no_gain(factor: Fraction) -> Evidence:
    cases = product(range(7), repeat=4)
    return exhausted(cases, partial(_merging_is_no_gain, factor=factor), "two cells, counts ≤ 6")


def _for(
    pairs: tuple[Pair, ...], holds: Callable[[Pair], bool], size: str = _MANY_SIZE
) -> Evidence:
    return exhausted(pairs, holds, size)


class _Equal:
    """That a computed value is the stated function of p and q."""

    def __init__(
        self, value: Callable[[Pair], object], stated: Callable[[int, int], object]
    ) -> None:
        self._value = value
        self._stated = stated

    def __call__(self, pair: Pair) -> bool:
        return self._value(pair) == self._stated(*pair)


def _smaller_encoder_at_3() -> bool:
    """On DoublePrime(3, 5) with K = 3 ≤ 12, three outputs are enough for the least loss."""
    merged = (0, 1, 1, 2, 2) * 2
    return _optimal((3, 5), 3, merged) and len(set(merged)) < 5


_diameter = 2 * q - 1
_PRIMES: Final[Mapping[Symbol, Expr | int]] = {q: p + 1, p: 2}
_ODD_PRIMES: Final[Mapping[Symbol, Expr | int]] = {q: p + 1, p: 3}
_g, _f = Symbol("g"), Symbol("f")

CLAIMS: Final = (
    AC_STATE.equation(
        "J01.gibbs",
        "1716",
        "Σ_a f_a (g_a/f_a − 1) = 0 for two distributions f and g of two actions: as "
        "ln z ≤ z − 1, no prediction has a smaller expected loss than the true chances f",
        _f * (_g / _f - 1) + (1 - _f) * ((1 - _g) / (1 - _f) - 1),
        Integer(0),
        Slip("g need not sum to 1", left=_f * (_g / _f - 1) + (1 - _f) * ((2 - _g) / (1 - _f) - 1)),
        assumptions=("ln z ≤ z − 1 for z > 0",),
    ),
    AC_STATE.exhausted(
        "J01.merging",
        "1716",
        "merging two cells of observations never lowers the least loss, so that the "
        "identity encoder, which merges nothing, attains the minimum",
        partial(_no_gain, Fraction(1)),
        Mutant("a strict loss, by 1%", partial(_no_gain, Fraction(101, 100))),
        assumptions=("𝒳 is countable",),
    ),
    AC_STATE.proved(
        "J02.diameter",
        "1718-1722",
        "K ≥ D does not suffice: on DoublePrime(3, 5), D = 9, φ_SP has the least loss "
        "for K = 9, …, 12",
        lambda: equal(
            (_loops(2, (3, 5)).diameter, _first_difference((3, 5))),
            (9, 13),
        ),
        Mutant(
            "K = D suffices",
            lambda: equal((_loops(2, (3, 5)).diameter, _first_difference((3, 5))), (9, 9)),
        ),
        assumptions=(_LIMIT,),
    ),
    AC_STATE.bound(
        "J02.sufficient",
        "1722",
        "on prime loops the cited sufficient length 2D² + D, with D = 2q − 1, is at "
        "least what is needed there, pq + q − p",
        p * q + q - p,
        2 * _diameter**2 + _diameter,
        _PRIMES,
        Slip(
            "D²/8 + D suffices, times 8",
            left=8 * (p * q + q - p),
            right=_diameter**2 + 8 * _diameter,
        ),
    ),
    AC_STATE.proved(
        "J02.periodic",
        "1723-1729",
        "no K suffices for all periodic dynamics: where 0 leads to 1 or 2 by choice, "
        "both to 3 and 3 to 0, three outputs are enough for the least loss, whatever K; with a "
        "forward loss of 0 as well, all four are needed",
        lambda: equal(_fork(8), (True, 3, 4)),
        Mutant("some K suffices alone", lambda: equal(_fork(8), (True, 4, 4))),
        Mutant("three K show all of them", lambda: equal(_fork(3), (True, 3, 4))),
        assumptions=(_LIMIT,),
    ),
    AC_STATE.hypothesis(
        "J02.cited",
        "1718-1729",
        "cited: segments of 2D² + D steps suffice for aperiodic dynamics, and with a "
        "forward loss for all",
    ),
    PRIME_LOOPS.equation(
        "J03.length",
        "1743-1755",
        "leaving 0 by action 1 to q − p + 1, the next 0-position comes after "
        "1 + q − (q − p + 1) = p steps",
        1 + q - (q - p + 1),
        p,
        Slip("lands at q − p", left=1 + q - (q - p)),
    ),
    PRIME_LOOPS.exhausted(
        "J03.loops",
        "1743-1755",
        "action 0 in 0 returns to 0 after q steps, action 1 leads to 0' after p steps, "
        "and the dynamics are those printed",
        partial(
            _for,
            _MANY,
            _Equal(
                lambda pair: (_returns(pair, 0), _returns(pair, 1), _loops(2, pair).table),
                lambda a, b: ((b, 0), (a, 1), _printed_table((a, b))),
            ),
        ),
        Mutant(
            "the short loop stays in its copy",
            partial(_for, _MANY, _Equal(lambda pair: _returns(pair, 1), lambda a, _: (a, 0))),
        ),
    ),
    PRIME_LOOPS.proved(
        "J04",
        "1759-1815, 1838-1869",
        "for (11, 13) action 1 leads 0 → 3', 0' → 3 and 0* → 3*",
        lambda: equal(
            (
                _loops(2, (11, 13)).table[0][1],
                _loops(2, (11, 13)).table[13][1],
                _loops(1, (11, 13)).table[0][1],
            ),
            (13 + 3, 3, 3),
        ),
        Mutant(
            "0 → 2', as for the loop of 12", lambda: equal(_loops(2, (11, 13)).table[0][1], 13 + 2)
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J05",
        "1835",
        "DoublePrime with i and i' taken as one is SinglePrime",
        partial(_for, _MANY, _forgetting_gives_single),
        Mutant(
            "taking i and (i+1)' as one",
            partial(
                _for,
                _MANY,
                lambda pair: _deterministic(
                    _loops(2, pair).table,
                    (*range(pair[1]), *((i + 1) % pair[1] for i in range(pair[1]))),
                ),
            ),
        ),
    ),
    PRIME_LOOPS.bound(
        "J06.proof",
        "1879",
        "k steps after 0, the position r ≤ p − 1 steps before 0 is met in both copies "
        "only if k + r = qm + p(n + q) with m, n ≥ 0, as the numbers of short loops then differ by "
        "an odd multiple of q (and one of 1, …, q − p even later); hence k ≥ (q − 1)p + 1",
        (q - 1) * p + 1,
        q * m + p * (n + q) - (p - 1 - unused),
        {**_PRIMES, m: 0, n: 0, unused: 0},
        Slip("k ≥ (q − 1)p + 2", left=(q - 1) * p + 2),
        assumptions=("p < q are primes, so that q is odd and prime to p",),
    ),
    PRIME_LOOPS.exhausted(
        "J06",
        "1879",
        "φ_SP and φ_DP have the same multistep-inverse loss for every K ≤ (q − 1)p",
        partial(_for, _MEDIUM, partial(_same_loss, beyond=0), "all primes p < q ≤ 13"),
        Mutant(
            "K ≤ (q − 1)p + 1",
            partial(_for, _SMALL, partial(_same_loss, beyond=1), "all primes p < q ≤ 7"),
        ),
        assumptions=(_LIMIT,),
    ),
    PRIME_LOOPS.equation(
        "S.J06.proof",
        "1879",
        "(q − 1)p is sharp: (q − 1)p + 1 = pq − (p − 1), so that k = (q − 1)p + 1 steps "
        "after 0 the position p − 1 steps before 0 is met in one copy after long loops only (first "
        "action 0), in the other after short loops only (first action 1)",
        (q - 1) * p + 1,
        p * q - (p - 1),
        Slip("at K = (q − 1)p", left=(q - 1) * p),
        assumptions=("pq = qm + pn with m, n ≥ 0 only for (m, n) = (p, 0) and (0, q)",),
    ),
    PRIME_LOOPS.exhausted(
        "S.J06",
        "1879",
        "(q − 1)p is sharp: at K = (q − 1)p + 1 the loss of φ_SP is larger for the first time",
        partial(
            _for,
            _MEDIUM,
            _Equal(_first_difference, lambda a, b: (b - 1) * a + 1),
            "all primes p < q ≤ 13",
        ),
        Mutant(
            "at K = pq",
            partial(_for, _SMALL, _Equal(_first_difference, lambda a, b: a * b), "q ≤ 7"),
        ),
        assumptions=(_LIMIT,),
    ),
    PRIME_LOOPS.equation(
        "J07",
        "1879",
        "with D = 2q − 1, D²/4 − (q − 1)p = (q − 1)(q − p) + 1/4: for a bounded gap "
        "q − p the ratio of (q − 1)p to D²/4 tends to 1",
        _diameter**2 / 4 - (q - 1) * p,
        (q - 1) * (q - p) + Rational(1, 4),
        Slip("D = 2q", left=(2 * q) ** 2 / 4 - (q - 1) * p),
    ),
    PRIME_LOOPS.exhausted(
        "J08",
        "1879",
        "for K ≤ (q − 1)p AC-State returns an encoder with at most q outputs, never φ_DP",
        partial(_for, _SMALLEST, partial(_few_outputs, beyond=0), _SMALLEST_SIZE),
        Mutant(
            "for one K more",
            partial(_for, _SMALLEST, partial(_few_outputs, beyond=1), _SMALLEST_SIZE),
        ),
        assumptions=(_LIMIT, "all encoders are candidates"),
        erratum=Erratum(
            printed="for every K ≤ (q − 1)p AC-State returns φ_SP",
            counterexample="DoublePrime(3, 5), K = 3: the encoder with the classes {0, 0'}, "
            "{1, 2, 1', 2'}, {3, 4, 3', 4'} has the least loss too, and only 3 < 5 outputs",
            refuted=_smaller_encoder_at_3,
            corrected="for every K ≤ (q − 1)p AC-State returns some encoder with at most q "
            "outputs; φ_SP if only φ_SP and φ_DP are candidates",
            consequence="none for the argument or the experiments, which compare just these two "
            "encoders: what is returned is wrong either way",
        ),
    ),
    PRIME_LOOPS.proved(
        "S.J08",
        "1879",
        "on DoublePrime(3, 5) the encoder that AC-State returns is φ_SP, and no other of "
        "its size, exactly for K = 7, …, 12",
        lambda: equal(
            [k for k in range(1, 14) if _smallest_encoders((3, 5), k) == (_single((3, 5)),)],
            list(range(7, 13)),
        ),
        Mutant(
            "for K = 1, …, 12",
            lambda: equal(
                [k for k in range(1, 14) if _single((3, 5)) in _smallest_encoders((3, 5), k)],
                list(range(1, 13)),
            ),
        ),
        assumptions=(_LIMIT, "all encoders are candidates"),
    ),
    PRIME_LOOPS.exhausted(
        "J09",
        "1879, 1906",
        "on any data of DoublePrime the forward loss of φ_SP and of φ_DP is 0: the next "
        "code is a function of code and action",
        partial(
            _for,
            _MANY,
            lambda pair: all(
                _deterministic(_loops(2, pair).table, encoder)
                for encoder in (_single(pair), tuple(range(2 * pair[1])))
            ),
        ),
        Mutant(
            "for the encoder that merges only 0 and 0', too",
            partial(
                _for,
                _MANY,
                lambda pair: _deterministic(
                    _loops(2, pair).table, _together(2 * pair[1], 0, pair[1])
                ),
            ),
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J10",
        "1881",
        "on DoublePrime an agent can choose between 1 and 1' at the same future time; "
        "the shortest lead time is pq + 1",
        partial(
            _for,
            _MEDIUM,
            _Equal(lambda pair: _both_copies(pair, 1), lambda a, b: a * b + 1),
            "all primes p < q ≤ 13",
        ),
        Mutant(
            "(q − 1)p + 1 steps ahead",
            partial(
                _for,
                _SMALL,
                _Equal(lambda pair: _both_copies(pair, 1), lambda a, b: (b - 1) * a + 1),
                "all primes p < q ≤ 7",
            ),
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J11",
        "1901",
        "the 3q classifiers of i, of i' and of {i, i'} for i = 0, …, q − 1 are exactly "
        "those that realizability of both worlds forces",
        partial(
            _for,
            _MANY,
            lambda pair: (
                _classifiers(range(pair[1]), pair[1]) == _needed_classifiers(pair)
                and len(_needed_classifiers(pair)) == 3 * pair[1]
            ),
        ),
        Mutant(
            "2q are enough",
            partial(
                _for,
                _MANY,
                _Equal(lambda pair: len(_needed_classifiers(pair)), lambda _, b: 2 * b),
            ),
        ),
        erratum=Erratum(
            printed="i ranges over {0, …, 1 − q}",
            counterexample="q = 5: no i ≥ 1 lies between 0 and 1 − q = −4, and the state 1 has no "
            "classifier",
            refuted=lambda: frozenset({1}) not in _classifiers(range(max(0, 1 - 5), 1), 5),
            corrected="i ranges over {0, …, q − 1}",
            consequence="none: a misprint; the count 3q is right",
        ),
    ),
    PRIME_LOOPS.exhausted(
        "J15",
        "1906",
        "on SinglePrime the forward loss is 0 for φ_SP and ln 2 for φ_DP: the next code "
        "has chance 1 for the first and 1/2 for the second, always",
        partial(
            _for,
            _MANY,
            _Equal(
                lambda pair: (
                    _next_seen(pair, _single(pair)),
                    _next_seen(pair, tuple(range(2 * pair[1]))),
                ),
                lambda _a, _b: ({Fraction(1)}, {Fraction(1, 2)}),
            ),
        ),
        Mutant(
            "0 for φ_DP",
            partial(
                _for,
                _MANY,
                _Equal(
                    lambda pair: _next_seen(pair, tuple(range(2 * pair[1]))),
                    lambda _a, _b: {Fraction(1)},
                ),
            ),
        ),
    ),
    PRIME_LOOPS.equation(
        "J16.path",
        "1915",
        "1 → … → 0 → (q − p + 1)' → … → 0' → … → (q − p)' takes "
        "(q − 1) + 1 + (p − 1) + (q − p) = 2q − 1 steps",
        (q - 1) + 1 + (p - 1) + (q - p),
        _diameter,
        Slip("2q steps", right=2 * q),
    ),
    PRIME_LOOPS.exhausted(
        "J16",
        "1915",
        "N = D̂ = 2q are upper bounds for both worlds: DoublePrime has 2q states and "
        "diameter 2q − 1, SinglePrime q and q − 1",
        partial(
            _for,
            _MANY,
            _Equal(
                lambda pair: [
                    (world.states, world.diameter) for world in (_loops(2, pair), _loops(1, pair))
                ],
                lambda _, b: [(2 * b, 2 * b - 1), (b, b - 1)],
            ),
        ),
        Mutant(
            "diameter at most q + p − 1",
            partial(_for, _MANY, lambda pair: _loops(2, pair).diameter <= sum(pair) - 1),
        ),
        assumptions=("t̂_mix = 1: the exogenous chain has a single state and is always mixed",),
    ),
    PRIME_LOOPS.proved(
        "J17",
        "1915",
        "as observations have chance 1 or 1/2 given the latent state, the accuracy on it "
        "is 0, 1/2 or 1, and one of at least 1 − ε = 0.51 is 1",
        lambda: equal(_imperfect_but_accepted(Fraction("0.49")), []),
        Mutant("ε = 1/2", lambda: equal(_imperfect_but_accepted(Fraction(1, 2)), [])),
    ),
    EXPLORATION.proved(
        "J18",
        "1974",
        "on DoublePrime(41, 43) the long-run visits of the most- and least-visited state "
        "under uniformly random actions have the ratio 2 exactly",
        lambda: equal(_visit_ratio((41, 43)), Fraction(2)),
        Mutant("43/41", lambda: equal(_visit_ratio((41, 43)), Fraction(43, 41))),
        assumptions=("visits in the long run, not of one trajectory of 10⁶ steps",),
    ),
    EXPLORATION.exhausted(
        "S.J18",
        "1974",
        "the ratio is 2 for all p < q: 1, …, q − p and their copies are visited half as "
        "often as each other state",
        partial(_for, _MANY, _Equal(_visit_ratio, lambda _a, _b: Fraction(2))),
        Mutant("all alike", partial(_for, _MANY, _Equal(_visit_ratio, lambda _a, _b: Fraction(1)))),
    ),
    EXPLORATION.proved(
        "J19.two",
        "1984",
        "with p ≥ 3, telling φ_DP from φ_SP takes segments longer than the diameter: "
        "(q − 1)p + 1 ≥ D + 1",
        partial(at_most, _diameter + 1, (q - 1) * p + 1, _ODD_PRIMES),
        Mutant("p = 2 too", partial(at_most, _diameter + 1, (q - 1) * p + 1, _PRIMES)),
        assumptions=("p ≥ 3, as in every experiment; for p = 2 it takes exactly D",),
    ),
    EXPLORATION.bound(
        "J19.all",
        "1984",
        "if all encoders are candidates, segments longer than the diameter are required "
        "for every p < q: pq + q − p ≥ D + 1",
        _diameter + 1,
        p * q + q - p,
        _PRIMES,
        Slip("D + 3 at least", left=_diameter + 3),
    ),
    PRIME_LOOPS.exhausted(
        "S.J19",
        "1879, 1984",
        "if all encoders are candidates, AC-State returns φ_DP exactly from "
        "K = pq + q − p on: until then q − p and (q − p)' can be merged at no loss",
        partial(
            _for,
            _SMALL,
            lambda pair: _threshold_is(pair, _all_outputs_need(pair)),
            "all primes p < q ≤ 7, all encoders",
        ),
        Mutant(
            "from K = (q − 1)p + 1 on",
            partial(
                _for,
                _SMALL,
                lambda pair: _threshold_is(pair, (pair[1] - 1) * pair[0] + 1),
                "all primes p < q ≤ 7, all encoders",
            ),
        ),
        assumptions=(_LIMIT,),
    ),
)
