"""Worlds to learn, the driver that runs a learner on one, and predictions of its runs.

The names listed are public. Gymnasium environments are in `steel_verified.gymnasium`.
"""

import typing

from steel_verified.lazy_names import lazy_names

if typing.TYPE_CHECKING:
    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.learning.drive import Fallback
    from steel_verified.worlds.chains import Chain, mixing_time
    from steel_verified.worlds.doubling import Doubled, learn_with_doubling
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.estimates import Forecast, predict, speed_of
    from steel_verified.worlds.ideal import ideal_run
    from steel_verified.worlds.locks import Locks
    from steel_verified.worlds.preflights import Preflight, preflight
    from steel_verified.worlds.simulated import SimulatedWorld
    from steel_verified.worlds.stepped import SteppedWorld
    from steel_verified.worlds.tabular import ExBmdp, tabular_world

__all__ = [
    "Chain",
    "Doubled",
    "Dynamics",
    "ExBmdp",
    "Fallback",
    "Forecast",
    "Locks",
    "Plan",
    "Preflight",
    "SimulatedWorld",
    "SteppedWorld",
    "Trajectory",
    "World",
    "ideal_run",
    "learn_with_doubling",
    "mixing_time",
    "predict",
    "preflight",
    "speed_of",
    "tabular_world",
]

if not typing.TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
