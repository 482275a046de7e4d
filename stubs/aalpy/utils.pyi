# The part of AALpy that is used here, for Moore machines of integers, without Any.

from collections.abc import Sequence
from typing import Literal

class MooreState:
    output: int
    transitions: dict[int, MooreState]

class MooreMachine:
    initial_state: MooreState
    states: list[MooreState]
    def execute_sequence(self, origin_state: MooreState, seq: Sequence[int]) -> list[int]: ...

def load_automaton_from_file(path: str, automaton_type: Literal["moore"]) -> MooreMachine: ...
