"""Worlds to learn, the driver that runs a learner on one, and predictions of its runs.

The names listed are public. Gymnasium environments are in `steel_verified.gymnasium`.
"""

import typing

from steel_verified.lazy_names import lazy_names

if typing.TYPE_CHECKING:
    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.learning.drive import Fallback
    from steel_verified.theory.slips import Slips, slips
    from steel_verified.worlds.chains import Chain, mixing_time
    from steel_verified.worlds.doubling import Doubled, learn_with_doubling
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.estimates import Forecast, predict, speed_of
    from steel_verified.worlds.ideal import ideal_run
    from steel_verified.worlds.preflights import Preflight, preflight
    from steel_verified.worlds.simulated import SimulatedWorld
    from steel_verified.worlds.stepped import SteppedWorld
    from steel_verified.worlds.tabular import ExBmdp, tabular_world
    from steel_verified.worlds.voting import Voted, foreseen_slips, learn_with_slips

__all__ = [
    "Chain",
    "Doubled",
    "Dynamics",
    "ExBmdp",
    "Fallback",
    "Forecast",
    "Plan",
    "Preflight",
    "SimulatedWorld",
    "Slips",
    "SteppedWorld",
    "Trajectory",
    "Voted",
    "World",
    "foreseen_slips",
    "ideal_run",
    "learn_with_doubling",
    "learn_with_slips",
    "mixing_time",
    "predict",
    "preflight",
    "slips",
    "speed_of",
    "tabular_world",
]

if not typing.TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
