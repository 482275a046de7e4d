"""Worlds to learn, the driver that runs a learner on one, and what a run on it must be like.

The names listed are public. Gymnasium environments are in `worlds/gymnasium_world.py` and
`worlds/gymnasium_envs.py` (extra `gymnasium`).
"""

from steel_verified.evidence.plans import Plan, Trajectory, World
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.recorded import (
    RecordedWorld,
    Recording,
    read_recording,
    write_recording,
)
from steel_verified.worlds.simulated import SimulatedWorld
from steel_verified.worlds.tabular import ExBmdp, tabular_world

__all__ = [
    "Chain",
    "Dynamics",
    "ExBmdp",
    "Plan",
    "RecordedWorld",
    "Recording",
    "SimulatedWorld",
    "Trajectory",
    "World",
    "ideal_run",
    "read_recording",
    "tabular_world",
    "write_recording",
]
