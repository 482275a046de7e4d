"""The runs of Table 1 as jobs: a row for each method and column, or for each block of seeds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.baselines import ppe
from steel_verified.baselines.ac_state.encoders import select
from steel_verified.baselines.episodes import Episodes, RestartingLock
from steel_verified.baselines.exorl import Sampled, Setting
from steel_verified.experiments.table1 import methods
from steel_verified.experiments.table1.worlds import SMALL_WORLDS, Method, Property, coded_lock
from steel_verified.sweeps.study import Job, Row, Study, at_once
from steel_verified.theory.bounds import total_bound
from steel_verified.theory.parameters import largest_extent
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import CombinationLock, combination_lock
from steel_verified.worlds.runs import method_named, run

if TYPE_CHECKING:
    from collections.abc import Iterable


STATES: Final = 20
COMPONENTS: Final = 512
HORIZON: Final = 20
"""Layers of PPE: after 19 steps every state can be reached."""
TRUE_WIDTHS: Final = tuple(2 * h for h in range(1, HORIZON + 1))
"""The paths of each layer from state 0: h − 1 steps reach h states, and there are 2 actions."""
GAP_RUNS: Final = 20
"""Episodes of each path in PPE's gap form: far fewer than its formula requires."""
RANDOM_ACTIONS: Final = 100_000
"""The actions of AC-State and ACDF; they reach the last state with probability about 1/10."""
LAGS: Final = STATES
EXORL_LAYERS: Final = 9
"""All 8 states of the coded lock are reached in layer 8; one more step leaves them."""
EXORL_EPISODES: Final = 160_000
"""Episodes for each step. Like the tolerance, it was chosen by trial, on seeds 0 to 2."""
EXORL_TOLERANCE: Final = Fraction(1, 60)


@dataclass(frozen=True, slots=True)
class PpeRuns:
    """PPE on the lock, with `each` episodes of each path."""

    by_pairs: bool
    each: int

    @property
    def key(self) -> str:
        return f"ppe-{'pairs' if self.by_pairs else 'gaps'} n={self.each}"


PPE_STATED: Final = PpeRuns(
    by_pairs=True, each=ppe.pair_form(ppe.widths(2, STATES, HORIZON), COMPONENTS, methods.DELTA)[0]
)
"""Enough for δ if only the number of states is known."""
PPE_LEAST: Final = PpeRuns(
    by_pairs=True, each=ppe.pair_form(TRUE_WIDTHS, COMPONENTS, methods.DELTA)[0]
)
"""Enough for δ with the true number of paths in each layer."""
PPE_FEW_GAPS: Final = PpeRuns(by_pairs=False, each=PPE_LEAST.each)
PPE_GAPS: Final = PpeRuns(by_pairs=False, each=GAP_RUNS)


def stated_steps(method: Method) -> int | None:
    """The steps after which a method guarantees success, known beforehand; None if it has none."""
    match method:
        case Method.LOOPED:
            parameters = instance("combination-lock", 0, states=STATES).parameters
            return total_bound(parameters, largest_extent(parameters))
        case Method.PPE_PAIRS:
            paths = ppe.widths(2, STATES, HORIZON)
            return ppe.effort([n * PPE_STATED.each for n in paths]).steps
        case _:
            return None


def run_on_lock(method: Method, seed: int) -> methods.Ended:
    """Run a method on the lock of environment seed 0, or ExoRL on the coded lock."""
    match method:
        case Method.LOOPED | Method.LOCATED | Method.CERTAIN:
            chosen = instance("combination-lock", 0, states=STATES)
            result, info = run(chosen, method_named(method.key, chosen), seed)
            if info.findings is None:
                return methods.Ended(methods.Fate.NOTICED, result.ledger.steps)
            fate = methods.Fate.RIGHT if info.findings.all_right else methods.Fate.WRONG
            return methods.Ended(fate, result.ledger.steps)
        case Method.PPE_PAIRS:
            return run_ppe(PPE_STATED, seed)
        case Method.PPE_GAPS:
            return run_ppe(PPE_GAPS, seed)
        case Method.AC_STATE | Method.ACDF:
            right = inverse_is_right(seed, STATES, with_forward=method is Method.ACDF)
            return methods.Ended(
                methods.Fate.RIGHT if right else methods.Fate.WRONG, RANDOM_ACTIONS
            )
        case Method.EXORL:
            world = coded_lock()
            episodes = Episodes(world.model, seed)
            chooser = np.random.default_rng((seed, 1))
            source = Sampled(episodes, world.factors, EXORL_EPISODES, chooser)
            return methods.run_exorl(
                source, Setting(world.factors, 3, EXORL_TOLERANCE), world, EXORL_LAYERS
            )


def _lock(states: int = STATES) -> CombinationLock:
    return combination_lock(0, states=states, components=COMPONENTS, least_noise=0.1)


def run_ppe(runs: PpeRuns, seed: int) -> methods.Ended:
    """PPE on the lock, which restarts in its first state."""
    lock = _lock()
    world = RestartingLock(lock, seed)
    model = ppe.learn_layers(
        world,
        partial(ppe.ByPairs if runs.by_pairs else ppe.ByGaps, lock.oracle()),
        horizon=HORIZON,
        runs=lambda _: runs.each,
        shuffler=np.random.default_rng((seed, 1)),
    )
    return methods.Ended(_judged(model, lock), world.steps)


def _judged(model: ppe.LayeredModel, lock: CombinationLock) -> methods.Fate:
    """Right if, in every layer, labels are states, each with the component that shows it."""
    table = lock.dynamics().table
    for layer in model.layers:
        if layer.classifiers is None:
            return methods.Fate.NOTICED
        ends = [list(accumulate(word, lambda s, a: table[s][a], initial=0))[-1]
                for word in layer.paths]  # fmt: skip
        pairs = set(zip(layer.label, ends, strict=True))
        shown = all(layer.classifiers[label] == lock.indicators[s] for label, s in pairs)
        if not (shown and len(pairs) == layer.states == len(set(ends))):
            return methods.Fate.WRONG
    return methods.Fate.RIGHT


def inverse_is_right(seed: int, states: int, *, with_forward: bool) -> bool:
    """Whether AC-State or ACDF finds the encoder of a lock whose states are seen without noise.

    The candidates are the true encoder and those that confuse two states; all would be too many.
    """
    table = _lock(states).dynamics().table
    draw = np.random.default_rng((seed, 1))
    actions = draw.integers(2, size=RANDOM_ACTIONS)
    start = int(draw.integers(states))
    seen = np.array(list(accumulate(actions.tolist(), lambda s, a: table[s][a], initial=start)))
    confusing = [
        tuple(s - (s > b) if s != b else a for s in range(states))
        for a, b in combinations(range(states), 2)
    ]
    true = tuple(range(states))
    problem = methods.inverse_problem(seen, actions, states, LAGS, with_forward)
    return select(problem, [*confusing, true]) == true


RUNS: Final = {column: 100 if column in SMALL_WORLDS else 20 for column in Property}
"""The number of runs of each method."""
_BLOCK: Final = {column: 50 if column in SMALL_WORLDS else 5 for column in Property}
OTHER_PPE: Final = (PPE_LEAST, PPE_FEW_GAPS)
"""Further runs of PPE on the lock."""


def cell_keys(method: Method, column: Property) -> list[str]:
    return [_key(f"{column.name.lower()} {method.key}", seeds) for seeds in _blocks(column)]


def ppe_keys(runs: PpeRuns) -> list[str]:
    return [_key(f"lock {runs.key}", seeds) for seeds in _blocks(Property.GUARANTEE)]


def table1_study() -> Study:
    """All runs; those on locks, which take longer, come last."""
    jobs = [
        Job(key, partial(cell_row, method, column, seeds))
        for column in sorted(Property, key=lambda column: column not in SMALL_WORLDS)
        for method in Method
        for key, seeds in zip(cell_keys(method, column), _blocks(column), strict=True)
    ]
    for runs in OTHER_PPE:
        blocks = zip(ppe_keys(runs), _blocks(Property.GUARANTEE), strict=True)
        jobs += [Job(key, partial(ppe_row, runs, seeds)) for key, seeds in blocks]
    return at_once(jobs)


def cell_row(method: Method, column: Property, seeds: Iterable[int]) -> Row:
    if column not in SMALL_WORLDS:
        return _row(run_on_lock(method, seed) for seed in seeds)
    world, resets = SMALL_WORLDS[column](), column is not Property.NO_RESET
    return _row(methods.run_method(method, world, seed, resets=resets) for seed in seeds)


def ppe_row(runs: PpeRuns, seeds: Iterable[int]) -> Row:
    return _row(run_ppe(runs, seed) for seed in seeds)


def _row(ended: Iterable[methods.Ended]) -> Row:
    listed = list(ended)
    return {
        "fates": "".join(one.fate.value for one in listed),
        "steps": [one.steps for one in listed],
    }


def _blocks(column: Property) -> list[range]:
    size = _BLOCK[column]
    return [range(first, first + size) for first in range(0, RUNS[column], size)]


def _key(what: str, seeds: range) -> str:
    return f"table1 {what} seeds={seeds[0]:02d}-{seeds[-1]:02d}"
