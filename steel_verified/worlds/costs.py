"""The cost of a prediction or a run, from formulas, before any memory is allocated.

Each `require_…` function raises `InvalidArgument` if the time or memory would be too large, for the
parameter that causes it. Times in seconds were measured on one core; another machine may take half
as long, or twice.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.entries import Read
from steel_verified.learning.located import MOST_STEPS, Located
from steel_verified.theory.counts import encoder_samples, period_test_samples
from steel_verified.theory.validation import independent_samples, round_share
from steel_verified.worlds.simulated import LAST_TIME

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.worlds.instances import Instance, RunnableInstance


MOST_TESTS: Final = 1_500_000
"""|S||A| calls, each with N − 1 period tests and |S||A| known transitions: at most a minute, and a
kilobyte for each test."""
LONGEST_WALK: Final = 1_000_000
"""A covering cycle has at least t̂_mix actions, at some 100 bytes each."""
MOST_ROWS: Final = 40_000_000
"""Rows that are read together take some 50 bytes each: two gigabytes in total."""
MOST_CELLS: Final = 5_000_000
"""One entry for each classifier and each dataset that is read together: 100 bytes each."""
MOST_PASSES: Final = 100_000
"""Each pass of a validation is an entry of the ledger: some 10 kB with its observations."""


def prediction_tests(chosen: Instance) -> int:
    """A bound on the tests and look-ups of a prediction; see `MOST_TESTS`. Claim C08 (l. 188)."""
    transitions = chosen.dynamics.states * chosen.dynamics.actions
    return transitions * (chosen.parameters.max_states - 1 + transitions)


def require_predictable(chosen: Instance) -> None:
    p, states, actions = chosen.parameters, chosen.dynamics.states, chosen.dynamics.actions
    if p.mixing_time > LONGEST_WALK:
        expected = (
            f"at most {LONGEST_WALK:,}: a walk through all states has at least this many actions, "
            "and is held in memory"
        )
        raise InvalidArgument("mixing_time", p.mixing_time, expected)
    if (tests := prediction_tests(chosen)) > MOST_TESTS:
        expected = (
            f"fewer, or a smaller world: with {states:,} states and {actions:,} actions a "
            f"prediction takes up to |S||A|(N − 1 + |S||A|) = {_large(tests)} tests, and "
            f"{MOST_TESTS:,} are allowed"
        )
        raise InvalidArgument("max_states", p.max_states, expected)
    if (samples := encoder_samples(p, states)) > LAST_TIME:
        taken = f"more: the encoder takes {_large(samples)} samples of each state"
        raise InvalidArgument("epsilon", p.epsilon, f"{taken}, and fewer than 2^62 are allowed")


def require_looped(chosen: RunnableInstance, *, with_encoder: bool) -> None:
    """Raise `InvalidArgument` if the paper's algorithm would read too much at once."""
    require_predictable(chosen)
    p, states = chosen.parameters, chosen.dynamics.states
    # The tests of all periods n' are read together: k ≥ n_samp.cyc. repetitions of up to N rows.
    samples = period_test_samples(p)
    if (rows := samples * p.max_states**2) > MOST_ROWS:
        expected = (
            f"at most about {isqrt(MOST_ROWS // samples):,}: finding a period reads about "
            f"{_large(rows)} observations at once, and {MOST_ROWS:,} are allowed"
        )
        raise InvalidArgument("max_states", p.max_states, expected)
    if (cells := 2 * p.max_states * chosen.width) > MOST_CELLS:
        expected = (
            f"a smaller one, or a smaller --max-states: finding a period compares "
            f"{2 * p.max_states:,} datasets of {chosen.width:,} bits, {cells:,} in all, and "
            f"{MOST_CELLS:,} are allowed"
        )
        raise InvalidArgument("WORLD", chosen.name, expected)
    if with_encoder and (rows := encoder_samples(p, states) * states) > MOST_ROWS:
        least = f"about {float(p.epsilon * rows / MOST_ROWS):.2g} or more, or --dynamics-only"
        taken = f"the encoder takes {_large(rows)} samples, and {MOST_ROWS:,} are allowed"
        raise InvalidArgument("epsilon", p.epsilon, f"{least}: {taken}")


def require_simulable(chosen: RunnableInstance, predicted: Ledger) -> None:
    """Raise `InvalidArgument` if the predicted run is too long, or reads too much at once."""
    most, rows, too_much = chosen.simulation.drawn.longest_run, rows_at_once(predicted), ""
    if predicted.steps > most:
        too_much = f"of at most {most:,} steps, not {predicted.steps:,}"
    elif rows > MOST_ROWS:
        too_much = f"that reads at most {MOST_ROWS:,} observations at once, not {rows:,}"
    if too_much:
        advice = "make the world or the bounds smaller, or choose --method located"
        raise InvalidArgument("WORLD", chosen.name, f"a run {too_much}: {advice}")


def rows_at_once(predicted: Ledger) -> int:
    """The largest number of rows that a run reads together."""
    reads = (entry for entry in predicted.entries if isinstance(entry, Read))
    return max((sum(sample.rows for sample in entry.samples) for entry in reads), default=0)


def require_located(chosen: RunnableInstance, max_steps: int) -> None:
    """Raise `InvalidArgument` if located STEEL cannot be accepted within the limit of steps.

    A small limit is allowed: the run then ends soon, and reports that it was not accepted.
    """
    p, states = Located(chosen.parameters).parameters, chosen.dynamics.states
    limit = max(max_steps, MOST_STEPS)
    if 2 * p.max_states > limit:
        taken = f"the first loop takes 2N steps, and {limit:,} are allowed"
        raise InvalidArgument("max_states", p.max_states, f"at most {limit // 2:,}: {taken}")
    # Dependent samples are never fewer than independent ones; the first pass keeps no samples.
    samples = independent_samples(p.epsilon, round_share(p.delta, 1))
    if samples > MOST_PASSES:
        expected = (
            f"about {float(p.epsilon * samples / MOST_PASSES):.2g} or more: a validation takes at "
            f"least {_large(samples)} checks of each state, and {MOST_PASSES:,} are allowed"
        )
        raise InvalidArgument("epsilon", p.epsilon, expected)
    walk = max(states, p.mixing_time)
    if (steps := (samples + 1) * walk) > limit:
        expected = (
            "another value (or, to learn, a larger --max-steps): a validation takes at least "
            f"{_large(steps)} steps, {samples:,} checks on a walk of {_large(walk)}, and {limit:,} "
            "are allowed"
        )
        is_mixing = walk == p.mixing_time
        argument, value = ("mixing_time", p.mixing_time) if is_mixing else ("epsilon", p.epsilon)
        raise InvalidArgument(argument, value, expected)


def _large(number: int) -> str:
    """A count as readable text; a very large one is given as a power of ten."""
    return f"{number:,}" if number < 10**15 else f"10^{len(str(number)) - 1}"


LOCATED_STEP: Final = 1e-4
"""Seconds that located STEEL itself takes for a step, besides the environment: 0.05 to 0.17 ms."""
_ROW: Final = 2e-7
"""Seconds to draw a row of a simulated world and summarise it, if many are read together: 0.13 to
0.35 µs for 6 to 1,089 bits."""
_CHECK, _CHECK_BIT = 0.2, 0.002
"""Seconds of the self-check of a looped run, and those for each bit of an observation: 0.2 s for 6
bits, 0.9 s for 512 bits, and 2.3 s for 1,089 bits."""


def simulated_seconds(predicted: Ledger, width: int, *, checked: bool) -> float:
    """The seconds of a looped run in a simulated world, whose reads are predicted."""
    reads = (entry for entry in predicted.entries if isinstance(entry, Read))
    rows = sum(sample.rows for entry in reads for sample in entry.samples)
    return _ROW * rows + (_CHECK + _CHECK_BIT * width if checked else 0.0)
