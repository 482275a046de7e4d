"""STEEL for exogenous block MDPs: exact numbers, and evidence that anyone can recheck."""

from steel_verified.errors import AssumptionViolated, InvalidArgument, SteelError
from steel_verified.learning.classes import Components, predicates, tables
from steel_verified.learning.model import Model
from steel_verified.learning.omega import Observed
from steel_verified.learning.oracle import Oracle, encode
from steel_verified.learning.plans import Plan, Trajectory
from steel_verified.learning.steel import Learned
from steel_verified.theory.exact import exactly
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.theory.recipe import Recipe, paper
from steel_verified.worlds.driver import World, learn
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.tabular import ExBmdp, tabular_world

__all__ = [
    "AssumptionViolated",
    "Components",
    "Dynamics",
    "ExBmdp",
    "Extent",
    "InvalidArgument",
    "Learned",
    "Model",
    "Observed",
    "Oracle",
    "Parameters",
    "Plan",
    "Recipe",
    "SteelError",
    "Trajectory",
    "World",
    "encode",
    "exactly",
    "ideal_run",
    "learn",
    "paper",
    "predicates",
    "tables",
    "tabular_world",
]
