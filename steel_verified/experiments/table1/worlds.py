"""Table 1 as printed (l. 110–131), and a small world for each of its columns.

A world has two states, one bit of noise, stationary from the first step on, and exact
probabilities. Action 0 keeps the state and action 1 flips it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from steel_verified.classes.finite import Tables, tables
from steel_verified.worlds.chains import Chain, mixing_time, stationary
from steel_verified.worlds.tabular import HiddenModel, Law, certain, law

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_HALF: Final = Fraction(1, 2)
_FIRST: Final = certain(0)
_COIN: Final = Fraction(3, 10)
"""The probability that the hidden noise is shown wrongly."""
KEEP_OR_FLIP: Final = ((certain(0), certain(1)), (certain(1), certain(0)))
"""The distributions of the next state, for each state and action."""


@dataclass(frozen=True)
class SmallWorld:
    """A finite world, and the truth about it, which no method sees."""

    model: HiddenModel
    """Its hidden state s·|E| + e consists of the latent state s and the noise state e."""
    noise: Chain
    encoder: tuple[int, ...]
    """φ*: the latent state of each observation."""
    transitions: tuple[tuple[Law, ...], ...]
    """The distribution of the next latent state, for each latent state and action."""
    functions: Tables
    """F, for methods that learn classifiers."""
    factors: int
    """The number of bits of an observation, for methods that select bits."""

    @property
    def states(self) -> int:
        return len(self.transitions)

    @property
    def observations(self) -> int:
        return len(self.encoder)

    @property
    def mixing_time(self) -> int:
        return mixing_time(self.noise)


def small_world(
    transitions: Sequence[Sequence[Law]],
    shows: Callable[[int, int], Law],
    functions: Tables,
    *,
    start: Law = _FIRST,
    factors: int = 2,
) -> SmallWorld:
    """A world with these distributions and slow noise; `shows(s, e)` gives the observation's."""
    noise = _slow_noise()
    pairs = [(s, e) for s in range(len(transitions)) for e in range(len(noise))]
    first = enumerate(stationary(noise))
    begins = {s * len(noise) + e: p * q for e, q in list(first) for s, p in start}

    def moved(s: int, e: int, action: int) -> Law:
        steps = enumerate(noise.rows[e])
        return law(
            {to * len(noise) + f: p * q for f, q in steps for to, p in transitions[s][action]}
        )

    owner = {x: s for s, e in pairs for x, _ in shows(s, e)}
    return SmallWorld(
        model=HiddenModel(
            start=law(begins),
            moves=tuple(
                tuple(moved(s, e, action) for action in range(len(transitions[s])))
                for s, e in pairs
            ),
            shows=tuple(shows(s, e) for s, e in pairs),
        ),
        noise=noise,
        encoder=tuple(owner[x] for x in range(1 << factors)),
        transitions=tuple(map(tuple, transitions)),
        functions=functions,
        factors=factors,
    )


@cache
def _slow_noise() -> Chain:
    """A bit that stays unchanged with probability 3/4."""
    stays, turns = Fraction(3, 4), Fraction(1, 4)
    return Chain(((stays, turns), (turns, stays)))


def bits_and_negations() -> Tables:
    """The two bits of an observation, and their negations."""
    bits = [[bool(x >> i & 1) for x in range(4)] for i in range(2)]
    return tables([*bits, *([not bit for bit in row] for row in bits)])


def parities() -> Tables:
    """The parity of every set of two bits, and its negation; this includes both constants."""
    odd = [[bool((x & mask).bit_count() & 1) for x in range(4)] for mask in range(4)]
    return tables([*odd, *([not bit for bit in row] for row in odd)])


def _state_and_noise(s: int, e: int) -> Law:
    return certain(s + 2 * e)


def _masked_state(s: int, e: int) -> Law:
    return certain((s ^ e) + 2 * e)


def _blurred_noise(s: int, e: int) -> Law:
    return law({s + 2 * e: 1 - _COIN, s + 2 * (1 - e): _COIN})


def toggle() -> SmallWorld:
    """x = (s, e): the whole hidden state can be observed."""
    return small_world(KEEP_OR_FLIP, _state_and_noise, bits_and_negations())


def masked() -> SmallWorld:
    """x = (s ⊕ e, e): no single bit shows the state, but the parity of both does."""
    return small_world(KEEP_OR_FLIP, _masked_state, parities())


def random_start() -> SmallWorld:
    """Each episode, and each single run, begins in either state with probability 1/2."""
    either = law({0: _HALF, 1: _HALF})
    return small_world(KEEP_OR_FLIP, _state_and_noise, bits_and_negations(), start=either)


def hidden_noise() -> SmallWorld:
    """x = (s, e ⊕ a fresh coin): the noise cannot be inferred from observations."""
    return small_world(KEEP_OR_FLIP, _blurred_noise, bits_and_negations())


def random_moves(flips: Fraction = _HALF) -> SmallWorld:
    """Action 1 flips the state with this probability."""
    moves = tuple((certain(s), law({s: 1 - flips, 1 - s: flips})) for s in range(2))
    return small_world(moves, _state_and_noise, bits_and_negations())


RIGHT_ACTIONS: Final = (0, 1, 1, 0, 1, 0, 0, 1)
"""The right actions of the coded lock; any others would do."""


def coded_lock() -> SmallWorld:
    """A combination lock with 8 states, coded as three bits, and a fourth bit of noise.

    The paper's lock has one bit for each state: too many factors to examine all sets of them.
    """
    states = len(RIGHT_ACTIONS)
    transitions = tuple(
        tuple(certain((s + 1) % states if action == right else 0) for action in range(2))
        for s, right in enumerate(RIGHT_ACTIONS)
    )
    return small_world(
        transitions,
        lambda s, e: certain(s + states * e),
        tables([[x % states == s for x in range(2 * states)] for s in range(states)]),
        factors=4,
    )


class Property(Enum):
    """A column of Table 1: a short heading, the printed one, and the world of its runs."""

    NO_RESET = (
        "no reset",
        "No-Reset Setting",
        (
            "A switch with two states, x = (s, e), in one trajectory. A method that needs resets "
            "cannot be run directly: it gets pieces of the trajectory as pseudo-episodes."
        ),
    )
    GUARANTEE = (
        "guarantee",
        "Sample-Complexity Guarantees",
        (
            "The combination lock with 20 states. AC-State and ACDF, which state no number of "
            "steps beforehand, get 100,000 uniformly random actions, which reach the last state "
            "with probability about 1/10. ExoRL gets a lock with 8 states, coded in three bits."
        ),
    )
    FUNCTIONS = (
        "functions",
        "Function Approximation",
        (
            "The switch, x = (s ⊕ e, e): only a function of both bits shows the state. ExoRL is "
            "given one controllable bit; with two, it returns both, even for known distributions."
        ),
    )
    RANDOM_START = (
        "any start",
        "Nondeterministic Reset State",
        "The switch; each episode, or the one run, begins in either state.",
    )
    HIDDEN_NOISE = (
        "hidden e",
        "Partially-Observed Exogenous State",
        "The switch, x = (s, e ⊕ a fresh coin): e cannot be inferred from x.",
    )
    RANDOM_MOVES = (
        "random T",
        "Nondeterministic Latent Transitions",
        "The switch, whose action 1 flips the state with probability 1/2.",
    )

    def __init__(self, heading: str, printed: str, measured: str) -> None:
        self.heading, self.printed, self.measured = heading, printed, measured


class Method(Enum):
    """A row of our table, with the printed marks: ✓, ✗ or ? for each column.

    A row of Table 1 may correspond to two of them.
    """

    LOOPED = "STEEL", "✓✓✓✓✓✗"
    LOCATED = "STEEL located", "✓✓✓✓✓✗"
    CERTAIN = "STEEL certain", "✓✓✓✓✓✗"
    PPE_GAPS = "PPE", "✗✓✓✗?✗"
    PPE_PAIRS = "PPE by pairs", "✗✓✓✗?✗"
    AC_STATE = "AC-State", "✓✗✓✓?✗"
    ACDF = "ACDF", "✓✗✓✓?✗"
    EXORL = "ExoRL", "✗✓✗✓✗✓"

    def __init__(self, title: str, marks: str) -> None:
        self.title, self.marks = title, marks

    @property
    def key(self) -> str:
        return self.name.lower().replace("_", "-")

    @property
    def needs_resets(self) -> bool:
        return self in (Method.PPE_GAPS, Method.PPE_PAIRS, Method.EXORL)

    def mark(self, column: Property) -> str:
        return self.marks[list(Property).index(column)]


SMALL_WORLDS: Final[dict[Property, Callable[[], SmallWorld]]] = {
    Property.NO_RESET: toggle,
    Property.FUNCTIONS: masked,
    Property.RANDOM_START: random_start,
    Property.HIDDEN_NOISE: hidden_noise,
    Property.RANDOM_MOVES: random_moves,
}
"""The world of each column, except the column of guarantees, which uses locks."""
