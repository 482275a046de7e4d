"""Gymnasium environments as worlds to learn, and our worlds as environments (extra `gymnasium`).

    env = gymnasium.make("steel_verified/CombinationLock-v0", states=20, env_seed=0)
    world = from_gymnasium(env, seed=7)

To import this registers the environments of the paper.
"""

from steel_verified.worlds.gymnasium_envs import EndlessEnv
from steel_verified.worlds.gymnasium_world import GymnasiumWorld, from_gymnasium

__all__ = ["EndlessEnv", "GymnasiumWorld", "from_gymnasium"]
