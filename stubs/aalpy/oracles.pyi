from collections.abc import Sequence

from aalpy.base import SUL

class StatePrefixEqOracle:
    def __init__(
        self, alphabet: Sequence[int], sul: SUL, walks_per_state: int = ..., walk_len: int = ...
    ) -> None: ...
