# The form that also returns what was spent.

from collections.abc import Mapping, Sequence
from typing import Literal

from aalpy.base import SUL
from aalpy.oracles import StatePrefixEqOracle
from aalpy.utils import MooreMachine

def run_Lstar(
    alphabet: Sequence[int],
    sul: SUL,
    eq_oracle: StatePrefixEqOracle,
    automaton_type: Literal["moore"],
    *,
    return_data: Literal[True],
    print_level: int,
) -> tuple[MooreMachine, Mapping[str, int]]: ...
