"""Table 1 as printed (l. 110–131): its columns, its rows and its marks."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.table1 import worlds

if TYPE_CHECKING:
    from collections.abc import Callable

    from steel_verified.experiments.table1.worlds import SmallWorld


class Property(Enum):
    """A column of Table 1."""

    NO_RESET = "no reset"
    GUARANTEE = "guarantee"
    FUNCTIONS = "functions"
    RANDOM_START = "any start"
    HIDDEN_NOISE = "hidden e"
    RANDOM_MOVES = "random T"

    @property
    def printed(self) -> str:
        """The heading of the column in the paper."""
        return _HEADINGS[self]

    @property
    def measured(self) -> str:
        """The world on which methods are run for this column."""
        return _MEASURED[self]


class Method(Enum):
    """A row of our table; a row of Table 1 may correspond to two of them."""

    LOOPED = "STEEL"
    LOCATED = "STEEL located"
    PPE_GAPS = "PPE"
    PPE_PAIRS = "PPE by pairs"
    AC_STATE = "AC-State"
    ACDF = "ACDF"
    EXORL = "ExoRL"

    @property
    def key(self) -> str:
        """The name of the method in the keys of rows."""
        return self.name.lower().replace("_", "-")

    @property
    def needs_resets(self) -> bool:
        return self in (Method.PPE_GAPS, Method.PPE_PAIRS, Method.EXORL)

    def mark(self, column: Property) -> str:
        """The printed mark: ✓, ✗ or ?."""
        return _MARKS[self][list(Property).index(column)]


_HEADINGS: Final = {
    Property.NO_RESET: "No-Reset Setting",
    Property.GUARANTEE: "Sample-Complexity Guarantees",
    Property.FUNCTIONS: "Function Approximation",
    Property.RANDOM_START: "Nondeterministic Reset State",
    Property.HIDDEN_NOISE: "Partially-Observed Exogenous State",
    Property.RANDOM_MOVES: "Nondeterministic Latent Transitions",
}
_MEASURED: Final = {
    Property.NO_RESET: (
        "A switch with two states, x = (s, e), in one trajectory. A method that needs resets "
        "cannot be run directly: it gets pieces of the trajectory as pseudo-episodes."
    ),
    Property.GUARANTEE: (
        "The combination lock with 20 states. AC-State and ACDF, which state no number of steps "
        "beforehand, get 100,000 uniformly random actions, which reach the last state with "
        "probability about 1/10. ExoRL gets a lock with 8 states, coded in three bits."
    ),
    Property.FUNCTIONS: (
        "The switch, x = (s ⊕ e, e): only a function of both bits shows the state. ExoRL is given "
        "one controllable bit; with two, it returns both, even for known distributions."
    ),
    Property.RANDOM_START: "The switch; each episode, or the one run, begins in either state.",
    Property.HIDDEN_NOISE: "The switch, x = (s, e ⊕ a fresh coin): e cannot be inferred from x.",
    Property.RANDOM_MOVES: "The switch, whose action 1 flips the state with probability 1/2.",
}
_STEEL: Final = "✓✓✓✓✓✗"
_PPE: Final = "✗✓✓✗?✗"
_INVERSE: Final = "✓✗✓✓?✗"
_MARKS: Final = {
    Method.LOOPED: _STEEL,
    Method.LOCATED: _STEEL,
    Method.PPE_GAPS: _PPE,
    Method.PPE_PAIRS: _PPE,
    Method.AC_STATE: _INVERSE,
    Method.ACDF: _INVERSE,
    Method.EXORL: "✗✓✗✓✗✓",
}
"""In the order of the columns."""

SMALL_WORLDS: Final[dict[Property, Callable[[], SmallWorld]]] = {
    Property.NO_RESET: worlds.toggle,
    Property.FUNCTIONS: worlds.masked,
    Property.RANDOM_START: worlds.random_start,
    Property.HIDDEN_NOISE: worlds.hidden_noise,
    Property.RANDOM_MOVES: worlds.random_moves,
}
"""The world of each column, except the column of guarantees, which uses locks."""
