"""The figures of the paper by name, each with its caption."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from steel_verified.reports.figures import measured
from steel_verified.reports.figures.discovery import caption, discovery, discovery_figure
from steel_verified.reports.figures.schedules import period_figure, position_figure
from steel_verified.reports.figures.worlds import factors_figure, world_figure
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import least_walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from steel_verified.learning.results import Accepted
    from steel_verified.using.factors import LearnedFactors
    from steel_verified.worlds.progress import Growth


class Exhibit(NamedTuple):
    """A caption, and the function that makes its figure."""

    caption: str
    make: Callable[[], Figure]


class RunsShown(NamedTuple):
    """The runs that figures show."""

    grid: Accepted
    """The predicted run on the grid, environment seed 0."""
    exploration: tuple[Growth, ...]
    """How located STEEL explored the lock with 20 states, environment and noise seed 0."""
    until: int
    """The step at which its first validation was fixed."""
    deciding: tuple[measured.Deciding, ...]
    """How certain STEEL explored the same lock, until the rows decided."""
    locks: LearnedFactors
    """Six locks with ten values each, learned side by side."""


def all_figures(
    runs: RunsShown,
    *,
    searches: Sequence[measured.Search] = (),
    exploring: Sequence[measured.Search] = (),
    by_size: Sequence[measured.Panel] = (),
) -> dict[str, Exhibit]:
    """The paper's figures and some of our own, by a name that can be a file's.

    Figures of the search for K, with either policy, and of steps by size are left out without data.
    """
    grid = instance("grid", 0)
    panes = discovery(grid, runs.grid)
    exhibits = {
        "figure-1-discovery": Exhibit(caption(grid, panes), partial(discovery_figure, grid, panes)),
        "figure-2-period-test": Exhibit(_PERIOD, period_figure),
        "figure-3-combination-lock": _world("combination-lock"),
        "figure-3-multi-maze": _world("multi-maze"),
        "figure-4-positions": Exhibit(_POSITIONS, position_figure),
        "figure-5-double-prime": _world("double-prime"),
        "figure-6-single-prime": _world("single-prime"),
    }
    if searches:
        text = _K_SEARCH.format(policy="uniformly random actions")
        exhibits["figure-7-k-search"] = Exhibit(text, partial(measured.k_search_figure, searches))
    if exploring:
        text = _K_SEARCH.format(policy="the exploring policy")
        exhibits["figure-8-k-search-exploring"] = Exhibit(
            text, partial(measured.k_search_figure, exploring)
        )
    exhibits["located-exploration"] = Exhibit(
        _GROWTH, partial(measured.growth_figure, runs.exploration, runs.until)
    )
    lock = instance("combination-lock", 0)
    states, actions = lock.extent.states, lock.parameters.actions
    least = least_walk(lock.dynamics.table, lock.start)
    exhibits["certain-exploration"] = Exhibit(
        _DECIDING, partial(measured.deciding_figure, runs.deciding, states, actions, least)
    )
    exhibits["learned-factors"] = Exhibit(_FACTORS, partial(factors_figure, runs.locks))
    if by_size:
        exhibits["steps"] = Exhibit(_BY_SIZE, partial(measured.steps_figure, by_size))
    return exhibits


def _world(name: str) -> Exhibit:
    chosen = instance(name, 0)
    return Exhibit(
        f"The latent dynamics of {chosen.name}, environment seed 0 (filled: the state at time 0), "
        "and what is observed before and after the first action.",
        partial(world_figure, chosen, 0),
    )


_PERIOD = (
    "How CycleFind finds the period of a loop: it tests n' = N, N − 1, … until D_0 and D_1 can be "
    "told apart. The strip shows every |â|-th latent state, shaded spans are runs of the word â, "
    "and dots are the samples that are kept, in the colours of their states. While n' is too "
    "large, some row of D_0 (red) goes through the states of D_1, sample by sample. Brackets: D_1 "
    "and any row of D_0 are at least t̂_mix apart. Real schedules, up to step 72."
)
_POSITIONS = (
    "How CycleFind samples the positions of a cycle, once its period is known. All positions are "
    "sampled together every t̂_mix steps, rounded up to whole cycles; after n_samp. samples of each "
    "it waits t̂_mix steps, and samples as many again. So the samples of one position are at least "
    "t̂_mix apart, and so are the early half of any position and the late half of any other. A real "
    "schedule; what lies between its beginning, middle and end is left out."
)
_K_SEARCH = (
    "The search for K with {policy}: the share of trajectories of DoublePrime(p, q) on which the "
    "multistep-inverse method learns the right encoder, by K and by the length T of a trajectory. "
    "Red: the shortest T at which some K is right on all of them; the circle is the chosen K. For "
    "T above 10⁷ only values of K that can still be right were judged, so there is no curve. Pale "
    "curves lie between two powers of ten. At T = 10² the encoder is often right by accident. A "
    "context (two outputs of the encoder and a lag) then occurs only a few times in the fitting "
    "half, and an estimate from one or two samples of a fair action predicts worse than no "
    "estimate. The right encoder splits each context of the wrong one into four, so more of its "
    "contexts have no sample. On 400 trajectories of each pair up to (17, 19) it was right at "
    "least as often when the actions were replaced by coin tosses, which carry no information."
)
_GROWTH = (
    "How located STEEL explores the combination lock with 20 states, environment and noise seed 0, "
    "until its first validation is fixed. Every unknown transition makes a new label, which is "
    "merged as soon as it provably shows a known state. Known transitions are counted between the "
    "labels that are left."
)
_DECIDING = (
    "How certain STEEL explores the combination lock with 20 states and 512 bits, environment and "
    "noise seed 0, until the rows decide. Counted are the bits that were 1 and may still show a "
    "state. Noise contradicts itself within some twenty steps; then only transitions are missing. "
    "The dotted line is the length of the shortest walk that takes all 40 of them."
)
_FACTORS = (
    "What factored STEEL learned of six locks with ten values each and two actions for each lock, "
    "environment and noise seed 0: six graphs that stand for a million joint states. Of each "
    "factor, the actions that move it are drawn."
)
_BY_SIZE = (
    "Steps by the number of states, on logarithmic scales. Prime loops: the most steps over 20 "
    "trajectories on DoublePrime and 20 on SinglePrime; AC-State as printed in Table 3; certain "
    "STEEL does not decide DoublePrime. Locks: the mean over 20 environments, of certain STEEL "
    "until the rows decide. Looped is the paper's algorithm."
)
