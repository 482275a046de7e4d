"""Gymnasium environments as worlds to learn, and our worlds as environments (extra `gymnasium`).

    env = Continuing(gymnasium.make("FrozenLake-v1", is_slippery=False))
    world = from_gymnasium(WithNoise(env, flickering(8, Fraction(1, 3))), seed=7)

Importing this module registers the environments of the paper.
"""

from steel_verified.errors import missing_extra

try:
    import gymnasium as _gymnasium  # noqa: F401 (imported here to explain its absence)
except ImportError as _missing:
    raise missing_extra("gymnasium", _missing) from _missing

from steel_verified.gymnasium.continuing import Continuing, Explored, SomeActions, explored
from steel_verified.gymnasium.envs import EndlessEnv
from steel_verified.gymnasium.noise import Noise, NoiseBits, NoisyPixels, WithNoise, flickering
from steel_verified.gymnasium.recording import (
    RecordEpisodes,
    RecordVectorEpisodes,
    episodes_of,
)
from steel_verified.gymnasium.world import GymnasiumWorld, from_gymnasium

__all__ = [
    "Continuing",
    "EndlessEnv",
    "Explored",
    "GymnasiumWorld",
    "Noise",
    "NoiseBits",
    "NoisyPixels",
    "RecordEpisodes",
    "RecordVectorEpisodes",
    "SomeActions",
    "WithNoise",
    "episodes_of",
    "explored",
    "flickering",
    "from_gymnasium",
]
