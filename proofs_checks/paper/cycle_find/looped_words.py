"""A looped word as a map of the states: transient, cycle and residues (l. 484-493, 546-558).

A looped word applies one map of the latent states over and over. Here a word is any tuple of maps,
one for each of its letters: this covers every dynamics and every word of that length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from proofs_checks.claim import Mutant
from proofs_checks.kernels.finite import exhausted
from proofs_checks.kernels.slack import at_most
from proofs_checks.kernels.symbolic import identity
from proofs_checks.kernels.together import beside, together
from proofs_checks.proofs.looped_words import LOOPED_WORDS
from proofs_checks.replays import proof
from proofs_checks.sections import PERIOD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.small_cases.maps import Map


AFTER_TRANSIENT: Final = "N ≥ |S|, deterministic latent dynamics"


@dataclass(frozen=True, slots=True)
class Loop:
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


def all_loops(*sizes: tuple[int, int]) -> Iterator[Loop]:
    """Every loop with so many states and letters, from every start."""
    for states, length in sizes:
        maps = tuple(product(range(states), repeat=states))
        for letters in product(maps, repeat=length):
            for start in range(states):
                yield Loop(letters, start)


_ONE_MAP: Final = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1))
_ONE_MAP_SIZE: Final = "maps of up to 5 states, all starts"
_WORDS: Final = ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (2, 3))
_WORDS_SIZE: Final = "words of up to 2 maps of up to 3 states, or 3 maps of 2 states, all starts"


def _on_one_map(holds: Callable[[Loop], bool]) -> Evidence:
    return exhausted(all_loops(*_ONE_MAP), holds, _ONE_MAP_SIZE)


def _on_words(holds: Callable[[Loop], bool]) -> Evidence:
    return exhausted(all_loops(*_WORDS), holds, _WORDS_SIZE)


def _has_cycle(loop: Loop, fewer: int) -> bool:
    """The states from where the transient ends close up to a cycle, and n_cyc ≤ |S| − fewer."""
    transient, period = loop.shape(0)
    around = period * loop.length
    path = loop.visits((transient + period) * loop.length)[transient * loop.length :][:around]
    closes = all(
        loop.letters[i % loop.length][path[i]] == path[(i + 1) % around] for i in range(around)
    )
    return closes and period <= loop.states - fewer


def _first_repetition_rules(loop: Loop, early: int) -> bool:
    """After the first repetition, everything repeats with the same delay."""
    transient, period = loop.shape(0)
    path = loop.visits(4 * loop.states)
    first = transient - early
    return first < 0 or all(
        path[i] == path[i + period] for i in range(first, 4 * loop.states - period)
    )


def _fits(loop: Loop, room: int) -> bool:
    """n_trn + n_cyc ≤ |S|, what is transient occurs once, and the cycle repeats no state."""
    transient, period = loop.shape(0)
    path = loop.visits(3 * loop.states)
    once = all(path.count(state) == 1 for state in path[:transient])
    distinct = len(set(path[transient : transient + period])) == period
    return once and distinct and transient + period <= loop.states + room


def _periodic_from(loop: Loop, early: int) -> bool:
    """s_{m+i'} = s_{m+i'+n_cyc|â|} for i' ≥ n_trn|â|, whatever the offset m is."""
    for offset in range(2 * loop.length + 1):
        transient, period = loop.shape(offset)
        delay = period * loop.length
        path = loop.visits(offset + 3 * loop.states * loop.length)
        first = max(offset + transient * loop.length - early, 0)
        if any(path[i] != path[i + delay] for i in range(first, len(path) - delay)):
            return False
    return True


def _residues_decide(loop: Loop, skipped: int) -> bool:
    """s̄_i = s̄_j exactly if i ≡ j (mod n_cyc), for N = |S|, the smallest N, and |â| = 1."""
    _, period = loop.shape(0)
    first = max(loop.states - skipped, 0)
    later = loop.visits(first + 2 * loop.states + 2)[first:]
    return all(
        (later[i] == later[j]) == ((i - j) % period == 0)
        for i in range(len(later))
        for j in range(i)
    )


N, S, t, a = (Symbol(name) for name in ("N", "S", "t", "a"))
"""max_states, |S|, t̂_mix, |â|."""
i = Symbol("i")
cyc = Symbol("cyc")
"""n_cyc."""
transient = Symbol("transient")


def _skipped(extra: int) -> Evidence:
    """x̄_i stands at m + (N − 1 + i)|â|, for either value of m."""
    return together(
        partial(identity, i * a + (N - 1) * a, 0 + (N - 1 + i) * a + extra),
        partial(identity, i * a + t, (t - (N - 1) * a) + (N - 1 + i) * a + extra),
    )


CLAIMS: Final = (
    PERIOD.proved(
        "A02",
        "484, 493",
        "For every word â and start there are n_cyc ≤ |S| ≤ N and states s_0, …, s_{n_cyc|â|−1} on "
        "the loop with T(s_i, â_{i % |â|}) = s_{(i+1) % (n_cyc|â|)}",
        beside(partial(_on_words, partial(_has_cycle, fewer=0)), proof(LOOPED_WORDS, "A02")),
        Mutant("n_cyc ≤ |S| − 1", partial(_on_words, partial(_has_cycle, fewer=1))),
        proof(LOOPED_WORDS, "A02").misstated(
            "n_cyc ≤ |S| − 1 for all words", "A02", then="n_cyc(0) <= S - 1"
        ),
        assumptions=(AFTER_TRANSIENT,),
    ),
    PERIOD.proved(
        "A07",
        "546",
        "From the first repetition of a state in s_per on, everything repeats with that delay",
        beside(
            partial(_on_one_map, partial(_first_repetition_rules, early=0)),
            proof(LOOPED_WORDS, "A07"),
        ),
        Mutant(
            "from one element earlier",
            partial(_on_one_map, partial(_first_repetition_rules, early=1)),
        ),
        proof(LOOPED_WORDS, "A07").misstated(
            "with one word more of delay",
            "A07",
            then="s(m + (j + d) * L) == s(m + (k + d + 1) * L)",
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
    PERIOD.proved(
        "A09",
        "550",
        "n_trn + n_cyc ≤ |S| ≤ N; the transient states of s_per occur once, and the n_cyc states "
        "of its cycle are all different",
        beside(
            partial(_on_one_map, partial(_fits, room=0)),
            proof(LOOPED_WORDS, "A09", "A09_different", "equal_states"),
        ),
        Mutant("n_trn + n_cyc ≤ |S| − 1", partial(_on_one_map, partial(_fits, room=-1))),
        proof(LOOPED_WORDS, "A09", "A09_different", "equal_states").misstated(
            "n_trn + n_cyc ≤ |S| − 1 for all words", "A09", then="n_trn(m) + n_cyc(m) <= S - 1"
        ),
        proof(LOOPED_WORDS, "A09", "A09_different", "equal_states").without(
            "more states than |S|", "numbered"
        ),
        assumptions=(AFTER_TRANSIENT,),
    ),
    PERIOD.proved(
        "A10",
        "552",
        "s_{m+i'} = s_{m+i'+n_cyc|â|} for all i' ≥ n_trn|â|, where n_trn and n_cyc belong to the "
        "phase m, whatever m is",
        beside(partial(_on_words, partial(_periodic_from, early=0)), proof(LOOPED_WORDS, "A10")),
        Mutant("from one step earlier", partial(_on_words, partial(_periodic_from, early=1))),
        proof(LOOPED_WORDS, "A10").misstated(
            "from one step before n_trn|â|", "A10", given="m >= 0, i >= n_trn(m) * L - 1"
        ),
        assumptions=(AFTER_TRANSIENT,),
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
    PERIOD.proved(
        "A12",
        "558",
        "After N − 1 elements of s_per: s̄_i = s̄_j exactly if i ≡ j (mod n_cyc)",
        beside(
            partial(_on_one_map, partial(_residues_decide, skipped=1)), proof(LOOPED_WORDS, "A12")
        ),
        Mutant("after N − 2 elements", partial(_on_one_map, partial(_residues_decide, skipped=2))),
        proof(LOOPED_WORDS, "A12").misstated(
            "N ≥ |S| − 1", "sizes", then="1 <= S <= N + 1, L >= 1"
        ),
        assumptions=(AFTER_TRANSIENT,),
    ),
)
