"""The table of simulations: against the bounds, predicted runs, and a second run (l. 260-270).

A step count depends on the drawn world, on where it starts, and on choices that the algorithm
leaves open; the paper records none of them. A second run of the authors' released code does record
the seeds: with two changes to the printed algorithm, most of its counts are met to the digit.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Final, TypeVar

from proofs_checks.claim import Erratum, Mutant
from proofs_checks.kernels.finite import equal, exact
from proofs_checks.sections import SIMULATIONS
from steel_verified.experiments.presets import preset
from steel_verified.experiments.published import SIMULATED
from steel_verified.experiments.registry import TABLE2
from steel_verified.experiments.released import released_steps
from steel_verified.reports.reproducibility import recorded
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.recipe import paper
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import predict, run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proofs_checks.kernels.evidence import Evidence
    from steel_verified.experiments.published import Simulated
    from steel_verified.worlds.kinds import Setting


Column = TypeVar("Column")
_Column = tuple["Setting", "Simulated"]


_COLUMNS: Final = tuple((preset(name), column) for name, column in SIMULATED.items())
"""The parameters of each column, and what is printed and logged of it."""


def in_all(columns: Sequence[Column], holds: Callable[[Column], bool]) -> Evidence:
    """A statement about the printed columns is about these and no others: all of them prove it."""
    return equal(f"{sum(map(holds, columns))} columns", f"{len(columns)} columns")


@cache
def theorem_bound(setting: Setting) -> int:
    """The steps that the theorem allows in a setting."""
    return total_bound(paper(setting.parameters), setting.extent)


def _simulated_within(column: _Column, share: Fraction) -> bool:
    setting, published = column
    return published.fixed_steps.value <= theorem_bound(setting) * share


@cache
def _predicted(name: str, seed: int) -> tuple[int, int]:
    """The steps of the printed algorithm, and with what the released code does differently."""
    (column,) = (column for column in TABLE2 if column.name == name)
    drawn = instance(column.fixed.world, seed, **column.fixed.sizes)
    ideal = predict(drawn)
    return ideal.ledger.steps, released_steps(ideal, paper(drawn.parameters))


def _near_prediction(case: tuple[str, int], factor: Fraction) -> bool:
    name, seed = case
    steps, printed = _predicted(name, seed)[0], SIMULATED[name].fixed_steps.value
    return steps <= printed * factor and printed <= steps * factor


def _near_predictions(factor: Fraction) -> Evidence:
    cases = [(name, seed) for name in SIMULATED for seed in (0, 1)]
    holds = partial(_near_prediction, factor=factor)
    return exact(cases, holds, "the worlds drawn from the seeds 0 and 1")


def _logged(name: str) -> dict[int, int]:
    """The counts that the released code logged, by environment seed."""
    published = SIMULATED[name]
    return {0: published.logged_fixed} | dict(zip(range(20, 40), published.logged, strict=True))


def _met(which: int) -> int:
    """How many logged counts of the locks are met to the digit, as printed (0) or released (1)."""
    return sum(
        _predicted(name, seed)[which] == steps
        for name in SIMULATED
        if name != "multi-maze"
        for seed, steps in _logged(name).items()
    )


def _steps_with_noise(env_seed: int, noise_seed: int) -> int:
    small = instance("combination-lock", env_seed, states=4, components=16)
    return run(small, noise_seed).learned.ledger.steps


def _counts_under_noise(env_seeds: tuple[int, ...]) -> int:
    """How many different counts there are, in small locks, over noise seeds 0 … 3."""
    return len({_steps_with_noise(env, noise) for env in env_seeds for noise in range(4)})


def _predicted_fixed(which: int) -> list[int]:
    """The counts for K = 20 and 40 in the environment of seed 0."""
    return [_predicted(f"combination-lock-{states}", 0)[which] for states in (20, 40)]


def _recorded_successes() -> list[int]:
    rows = recorded("table2")
    return [
        sum(bool(rows[key]["dynamics_right"] and rows[key]["encoder_right"]) for key in runs.keys)
        for column in TABLE2
        for runs in (column.fixed, column.variable)
    ]


def _mean_agrees(published: Simulated, spreads: Fraction) -> bool:
    mean = Fraction(sum(published.logged), len(published.logged))
    printed, spread = published.mean_steps.value, published.spread_of_steps.value
    return abs(mean - printed) <= spreads * spread


def _fewer_steps_again() -> list[Fraction]:
    """By how many mixing times the logged counts are below the printed ones."""
    return [
        (published.fixed_steps.value - published.logged_fixed) / setting.parameters.mixing_time
        for setting, published in _COLUMNS
    ]


def _parameters(setting: Setting) -> tuple[int, int, int, int, Fraction, Fraction]:
    given = setting.parameters
    return (
        given.max_states,
        given.max_diameter,
        given.mixing_time,
        given.class_size,
        given.epsilon,
        given.delta,
    )


def _printed_parameters(delta: str) -> Evidence:
    """N, D̂, t̂_mix, |F| (L components; nine mazes of 11 × 11 cells), ε, δ."""
    chances = (Fraction("0.05"), Fraction(delta))
    locks = [(states + 10, states + 10, 40, 512, *chances) for states in (20, 30, 40)]
    return equal(
        [_parameters(setting) for setting, _ in _COLUMNS],
        [*locks, (80, 80, 300, 9 * 121, *chances)],
    )


def _valid(column: _Column) -> bool:
    given, true = column[0].parameters, column[0].extent
    return given.max_states > true.states and given.max_diameter > true.diameter


def _doubly_valid(column: _Column) -> bool:
    return column[0].parameters.max_states >= 2 * column[0].extent.states


_AGAIN: Final = "a second run of the authors' released code, 20 runs in each cell"
OTHER_DRAWS: Final = "the drawn worlds and the open choices of the paper's runs are not recorded"

CLAIMS: Final = (
    SIMULATIONS.proved(
        "K01.bound",
        "262",
        "each fixed-environment count is within the theorem's bound, by a factor of at least 25",
        lambda: in_all(_COLUMNS, partial(_simulated_within, share=Fraction(1, 25))),
        Mutant(
            "a factor of 30",
            lambda: in_all(_COLUMNS, partial(_simulated_within, share=Fraction(1, 30))),
        ),
    ),
    SIMULATIONS.exact(
        "K01.noise",
        "262",
        "in a fixed environment the count does not depend on the noise (the ± 0): shown "
        "for a lock of 4 states and 16 components with four noise seeds",
        lambda: exact([(0,), (1,)], lambda env: _counts_under_noise(env) == 1, "two locks"),
        Mutant(
            "nor on the environment",
            lambda: exact([(0, 1, 2)], lambda env: _counts_under_noise(env) == 1, "locks"),
        ),
    ),
    SIMULATIONS.exact(
        "K01.predicted",
        "262",
        "the printed algorithm needs, in other environments of the same kind, as many "
        "steps as the fixed-environment counts up to a factor 3/2",
        partial(_near_predictions, Fraction(3, 2)),
        Mutant("to within 0.1%", partial(_near_predictions, Fraction(1001, 1000))),
        assumptions=(OTHER_DRAWS,),
    ),
    SIMULATIONS.exact(
        "K01.again",
        "262",
        "a second run of the released code gives the printed counts for K = 20 and "
        "K = 40, and 104 t̂_mix (K = 30) and 349 t̂_mix (multi-maze) fewer steps in the others",
        lambda: equal(_fewer_steps_again(), [0, 104, 0, 349]),
        Mutant("the same in all columns", lambda: equal(_fewer_steps_again(), [0] * 4)),
        assumptions=(_AGAIN,),
    ),
    SIMULATIONS.exact(
        "K02",
        "266-267",
        "the mean over 20 environments in a second run lies within half of the printed ± "
        "of the printed mean, in every column",
        lambda: exact(
            SIMULATED.values(),
            partial(_mean_agrees, spreads=Fraction(1, 2)),
            "20 counts in each column",
        ),
        Mutant(
            "within a tenth of it",
            lambda: exact(
                SIMULATED.values(),
                partial(_mean_agrees, spreads=Fraction(1, 10)),
                "20 counts in each",
            ),
        ),
        assumptions=(_AGAIN, "what ± stands for is not said; it is close to a standard deviation"),
    ),
    SIMULATIONS.exact(
        "K01",
        "262, 371, 538",
        "the counts of the table are met best by the printed algorithm with two changes: a first "
        "roll-out that is longer by t̂_mix + N|â| − 1 in each call, and samples that are merged "
        "whenever a state is met again; of 63 logged counts of locks this meets 48 to the digit, "
        "the printed ones for K = 20 and 40 among them (found on these, tested on no others)",
        lambda: equal((_met(1), _predicted_fixed(1)), (48, [1_886_582, 7_914_856])),
        Mutant("without the changes", lambda: equal(_met(0), 48)),
        assumptions=(_AGAIN,),
        erratum=Erratum(
            printed="the simulations are runs of the algorithm (l. 272-277)",
            counterexample="the lock with K = 20 of environment seed 0: the printed algorithm "
            "takes 1,878,923 steps, 1,886,582 are printed",
            refuted=lambda: _predicted("combination-lock-20", 0)[0] != 1_886_582,
            corrected="they are runs of some variant; one with a longer c_init, in which D'_i is "
            "always merged into D(s), fits most logged counts",
            consequence="None for the theorem, which is about the printed algorithm; that takes "
            "about as many steps. Merging as in the variant puts samples less than t̂_mix apart "
            "into one dataset, which the proof of Proposition 1 does not allow for.",
        ),
    ),
    SIMULATIONS.exact(
        "K03",
        "260, 264",
        "20/20 in each of eight cells: so it is in the 160 runs recorded here, each of which "
        "learns the dynamics and the encoder exactly",
        lambda: equal(_recorded_successes(), [20] * 8),
        Mutant("19/20, as δ would allow", lambda: equal(_recorded_successes(), [19] * 8)),
    ),
    SIMULATIONS.proved(
        "K04",
        "270",
        "N = D̂ = K + 10, t̂_mix = 40, |F| = 512 for the locks, N = D̂ = 80, t̂_mix = 300 "
        "for the multi-maze, ε = δ = 0.05: these are the settings used here",
        partial(_printed_parameters, "0.05"),
        Mutant("δ = 0.01", partial(_printed_parameters, "0.01")),
    ),
    SIMULATIONS.proved(
        "K04.valid",
        "270",
        "N and D̂ exceed |S| and D in every column",
        lambda: in_all(_COLUMNS, _valid),
        Mutant("by a factor 2", lambda: in_all(_COLUMNS, _doubly_valid)),
    ),
)
