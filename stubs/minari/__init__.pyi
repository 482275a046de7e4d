from collections.abc import Iterator, Sequence

import gymnasium
import numpy as np
from minari.data_collector import EpisodeBuffer
from numpy.typing import NDArray

class EpisodeData:
    observations: Sequence[object]
    actions: Sequence[int]
    rewards: Sequence[float]
    terminations: Sequence[bool]

class MinariDataset:
    @property
    def observation_space(self) -> gymnasium.Space[NDArray[np.generic[object]]]: ...
    @property
    def action_space(self) -> gymnasium.Space[np.int64]: ...
    def iterate_episodes(self) -> Iterator[EpisodeData]: ...

def create_dataset_from_buffers(
    dataset_id: str,
    buffer: list[EpisodeBuffer],
    *,
    env: gymnasium.Env[np.int64, np.int64],
    data_format: str,
) -> MinariDataset: ...
def load_dataset(dataset_id: str) -> MinariDataset: ...
