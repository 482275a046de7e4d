"""Random small worlds for classes that are not finite, and located runs in them.

Each state has its own classifier. The other features, and the place within a state, are noise that
is drawn anew in each step. Numbers are often equal, so that a rule has to choose among equals; they
are scaled to be integers, floats of any size, or floats that are rounded. Worlds for half-spaces
are drawn elsewhere.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from steel_verified.classes.conjunctions import Conjunctions
from steel_verified.classes.intervals import Boxes, Thresholds
from steel_verified.classes.rows import FLOAT64, Integers
from steel_verified.evidence.certificate import provenance
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted
from steel_verified.theory.parameters import LocatedParameters
from steel_verified.worlds.simulated import Asked, SimulatedWorld

from ..learning.random_worlds import parameters_for, random_dynamics, random_half_spaces

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from numpy.typing import NDArray

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.oracle import Class

    from ..learning.random_worlds import Rng

Batch = TypeVar("Batch", bound="Sized")
NAMES: Final = ("thresholds", "boxes", "conjunctions", "half-spaces")
_DELTA: Final = Fraction(1, 20)
_MOST_STEPS: Final = 3_000
_MOST_STATES: Final = 5
_GRID: Final = 3


def random_run(name: str, seed: int) -> bytes | None:
    """The certificate of a located run in a random world; None if it was not accepted."""
    rng = np.random.default_rng(seed)
    if name == "half-spaces":
        truth = random_half_spaces(rng, 3, int(rng.integers(2, 5)))
        bounds = parameters_for(rng, truth, _DELTA)
        return _run(truth.world(seed), truth.oracle(), bounds, seed)
    dynamics = random_dynamics(rng, _MOST_STATES)
    features, shown = _shown(name, rng, dynamics.states)

    def observe(asked: Sequence[Asked]) -> list[Numbers]:
        return [shown[each.times, each.states] for each in asked]

    world = SimulatedWorld(dynamics, int(rng.integers(dynamics.states)), observe)
    parameters = LocatedParameters(
        actions=dynamics.actions,
        max_states=dynamics.states + int(rng.integers(0, 3)),
        mixing_time=int(rng.integers(1, 3)),
        delta=_DELTA,
        epsilon=Fraction(1, int(rng.choice([2, 5]))),
    )
    return _run(world, _class(name, features, shown), parameters, seed)


def _run(
    world: SimulatedWorld[Batch], oracle: Class[Batch], parameters: LocatedParameters, seed: int
) -> bytes | None:
    result = checked_run(world, oracle, Located(parameters), max_steps=_MOST_STEPS)
    if not isinstance(result, Accepted):
        return None
    return certificate_of_run(result, oracle, provenance("a random world", 0, seed))


def _class(name: str, features: int, shown: Numbers) -> Class[Numbers]:
    if name == "conjunctions":
        return Conjunctions(features)
    is_whole = shown.dtype == np.int64
    domain = Integers(int(shown.min()), int(shown.max()) + 1) if is_whole else FLOAT64
    return Thresholds(features, domain) if name == "thresholds" else Boxes(features, domain)


def _shown(name: str, rng: Rng, states: int) -> tuple[int, Numbers]:
    """Return the number of features, and what each state shows at each time."""
    others = int(rng.integers(0, 4))
    if name == "conjunctions":
        codes = rng.permutation(8)[:states]
        telling = codes[:, None] >> np.arange(3) & 1
        noise = rng.random((_MOST_STEPS + 1, states, others)) < rng.choice([0.1, 0.5])
        whole = np.concatenate(
            [np.broadcast_to(telling, (_MOST_STEPS + 1, states, 3)), noise], axis=2
        )
        features = 3 + others
        return features, whole[:, :, rng.permutation(features)].astype(np.bool_)
    values = int(rng.choice([1, 2, 3, 10]))
    telling = _own(rng, states) if name == "thresholds" else _cells(rng, states)
    features = telling.shape[1] + others
    places = np.concatenate([values * telling, np.zeros((states, others), dtype=np.int64)], axis=1)
    noise = rng.integers(0, values, size=(_MOST_STEPS + 1, states, features))
    signs = rng.choice([-1, 1], size=features)
    whole = (signs * (places + noise))[:, :, rng.permutation(features)]
    return features, _scaled(rng, whole)


def _own(rng: Rng, states: int) -> NDArray[np.int64]:
    """Each state is the first in a feature of its own, and perhaps in another one."""
    own = np.eye(states, dtype=np.int64)
    return np.concatenate([own, 2 * own[:, : int(rng.integers(0, states + 1))]], axis=1)


def _cells(rng: Rng, states: int) -> NDArray[np.int64]:
    """Each state has a cell of a small grid."""
    cells = rng.permutation(_GRID**2)[:states]
    return np.column_stack(np.divmod(cells, _GRID)).astype(np.int64)


def _scaled(rng: Rng, whole: NDArray[np.int64]) -> Numbers:
    match int(rng.integers(5)):
        case 0:
            return whole
        case 1:
            return whole * 2**57 + int(rng.integers(-2, 3))
        case 2:
            return np.ldexp(whole.astype(np.float64), int(rng.choice([-1074, -1030, 0, 1000])))
        case 3:
            return 0.1 * whole
        case _:
            return np.nextafter(whole / 3, np.inf)
