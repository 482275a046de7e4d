"""What a prediction or a run would cost, from formulas, before anything of it is in memory.

Each function refuses what would take too much time or memory. The error names the parameter that
asks for it, the size that was predicted, and the size that is allowed.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.ledger import Read
from steel_verified.learning.located import MOST_STEPS
from steel_verified.theory.counts import encoder_samples, period_test_samples
from steel_verified.theory.recipe import located, paper
from steel_verified.theory.validation import independent_samples, round_share
from steel_verified.worlds.random_access import LAST_TIME

if TYPE_CHECKING:
    from steel_verified.evidence.ledger import Ledger
    from steel_verified.worlds.instances import Instance, RunnableInstance

MOST_TESTS: Final = 1_500_000
"""|S||A| calls with N − 1 period tests and |S||A| known transitions each: at most a minute, and a
kilobyte for each test that is made."""
LONGEST_WALK: Final = 1_000_000
"""A covering cycle has at least t̂_mix actions, at some 100 bytes each."""
MOST_ROWS: Final = 40_000_000
"""Rows that are read together take some 50 bytes each: two gigabytes."""
MOST_CELLS: Final = 5_000_000
"""What is known of each classifier on each dataset that is read together: 100 bytes each."""
MOST_PASSES: Final = 100_000
"""Each pass of a validation is an entry of the ledger, at some 10 kB with what it saw."""


def prediction_tests(chosen: Instance) -> int:
    """How many tests and look-ups a prediction may take; see `MOST_TESTS`. Claim C08 (l. 188)."""
    transitions = chosen.dynamics.states * chosen.dynamics.actions
    return transitions * (chosen.parameters.max_states - 1 + transitions)


def require_predictable(chosen: Instance) -> None:
    """Refuse what would take too long to predict, or have numbers that are too large."""
    p, states, actions = chosen.parameters, chosen.dynamics.states, chosen.dynamics.actions
    if p.mixing_time > LONGEST_WALK:
        raise InvalidArgument(
            "mixing_time",
            p.mixing_time,
            f"at most {LONGEST_WALK:,}: a walk through all states has at least so many actions, "
            "and is held in memory",
        )
    if (tests := prediction_tests(chosen)) > MOST_TESTS:
        raise InvalidArgument(
            "max_states",
            p.max_states,
            f"fewer, or a smaller world: with {states:,} states and {actions:,} actions a "
            f"prediction takes up to |S||A|(N − 1 + |S||A|) = {_large(tests)} tests, and "
            f"{MOST_TESTS:,} are allowed",
        )
    samples = encoder_samples(paper(p), states)
    if samples > LAST_TIME:
        raise InvalidArgument(
            "epsilon",
            p.epsilon,
            f"more: the encoder takes {_large(samples)} samples of each state, and fewer than "
            "2^62 are allowed",
        )


def require_looped(chosen: RunnableInstance, *, with_encoder: bool) -> None:
    """Refuse a run of the paper's algorithm that would read too much at once."""
    require_predictable(chosen)
    p, states = chosen.parameters, chosen.dynamics.states
    recipe = paper(p)
    # Tests of all periods n' are read together: k ≥ n_samp.cyc. repetitions of up to N rows each.
    samples = period_test_samples(recipe)
    if (rows := samples * p.max_states**2) > MOST_ROWS:
        raise InvalidArgument(
            "max_states",
            p.max_states,
            f"at most about {isqrt(MOST_ROWS // samples):,}: finding a period reads about "
            f"{_large(rows)} observations at once, and {MOST_ROWS:,} are allowed",
        )
    if (cells := 2 * p.max_states * chosen.width) > MOST_CELLS:
        raise InvalidArgument(
            "WORLD",
            chosen.name,
            f"a smaller one, or a smaller --max-states: finding a period compares "
            f"{2 * p.max_states:,} datasets of {chosen.width:,} bits, {cells:,} in all, and "
            f"{MOST_CELLS:,} are allowed",
        )
    if with_encoder and (rows := encoder_samples(recipe, states) * states) > MOST_ROWS:
        raise InvalidArgument(
            "epsilon",
            p.epsilon,
            f"about {float(p.epsilon * rows / MOST_ROWS):.2g} or more, or --dynamics-only: the "
            f"encoder takes {_large(rows)} samples, and {MOST_ROWS:,} are allowed",
        )


def require_simulable(chosen: RunnableInstance, predicted: Ledger) -> None:
    """Refuse a run that was predicted to take more steps than its world can be simulated for.

    Nor may it read more rows at once than fit into memory.
    """
    if predicted.steps > (most := chosen.simulation.drawn.longest_run):
        raise InvalidArgument(
            "WORLD",
            chosen.name,
            f"a run of at most {most:,} steps, not {predicted.steps:,}: make the world or the "
            "bounds smaller, or choose --method located",
        )
    if (rows := rows_at_once(predicted)) > MOST_ROWS:
        raise InvalidArgument(
            "WORLD",
            chosen.name,
            f"a run that reads at most {MOST_ROWS:,} observations at once, not {rows:,}: make the "
            "world or the bounds smaller, or choose --method located",
        )


def rows_at_once(predicted: Ledger) -> int:
    """The most rows that a run reads together."""
    reads = (entry for entry in predicted.entries if isinstance(entry, Read))
    return max((sum(sample.rows for sample in entry.samples) for entry in reads), default=0)


def require_located(chosen: RunnableInstance, max_steps: int) -> None:
    """Refuse a run of located STEEL that cannot be accepted within a limit of some size.

    With a smaller limit the run ends soon, and says that it was not accepted.
    """
    p, states = located(chosen.parameters).parameters, chosen.dynamics.states
    limit = max(max_steps, MOST_STEPS)
    if 2 * p.max_states > limit:
        raise InvalidArgument(
            "max_states",
            p.max_states,
            f"at most {limit // 2:,}: the first loop takes 2N steps, and {limit:,} are allowed",
        )
    # Dependent samples are never fewer than independent ones; the first pass is not looked at.
    samples = independent_samples(p.epsilon, round_share(p.delta, 1))
    if samples > MOST_PASSES:
        raise InvalidArgument(
            "epsilon",
            p.epsilon,
            f"about {float(p.epsilon * samples / MOST_PASSES):.2g} or more: a validation takes at "
            f"least {_large(samples)} checks of each state, and {MOST_PASSES:,} are allowed",
        )
    walk = max(states, p.mixing_time)
    if (steps := (samples + 1) * walk) > limit:
        argument = "mixing_time" if walk == p.mixing_time else "epsilon"
        raise InvalidArgument(
            argument,
            p.mixing_time if walk == p.mixing_time else p.epsilon,
            "another (or, to learn, a larger --max-steps): a validation takes at least "
            f"{_large(steps)} steps, {samples:,} checks on a walk of {_large(walk)}, and {limit:,} "
            "are allowed",
        )


def _large(number: int) -> str:
    """A count that can be read: of a very large one the power of ten."""
    return f"{number:,}" if number < 10**15 else f"10^{len(str(number)) - 1}"
