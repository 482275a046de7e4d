"""Hypothesis strategies for worlds, dynamics and parameters of STEEL (extra `strategies`).

They shrink to small and simple values. After this import, `st.from_type` knows the types too.
"""

from steel_verified.errors import missing_extra

try:
    from hypothesis import strategies as st
except ImportError as _missing:
    raise missing_extra("strategies", _missing) from _missing

from steel_verified.learning.looped import Looped
from steel_verified.strategies.laws import check_oracle_laws, check_world_laws
from steel_verified.strategies.worlds import (
    Problem,
    chains,
    cycles,
    distributions,
    dynamics,
    ex_bmdps,
    extents,
    parameters,
    probabilities,
    problems,
    realising_classes,
    tangles,
)
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.chains import Chain
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.tabular import ExBmdp

__all__ = [
    "Problem",
    "chains",
    "check_oracle_laws",
    "check_world_laws",
    "cycles",
    "distributions",
    "dynamics",
    "ex_bmdps",
    "extents",
    "parameters",
    "probabilities",
    "problems",
    "realising_classes",
    "tangles",
]

st.register_type_strategy(Parameters, parameters())
st.register_type_strategy(Looped, parameters().map(Looped))
st.register_type_strategy(Dynamics, dynamics())
st.register_type_strategy(Chain, chains())
st.register_type_strategy(ExBmdp, ex_bmdps())
st.register_type_strategy(Problem, problems())
