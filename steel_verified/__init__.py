"""STEEL for exogenous block MDPs: exact numbers, and evidence that anyone can recheck.

A name is loaded from its module when it is first used, so that `import steel_verified` is quick.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
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

_MODULES: typing.Final = {
    "AssumptionViolated": "steel_verified.errors",
    "Components": "steel_verified.learning.classes",
    "Dynamics": "steel_verified.worlds.dynamics",
    "ExBmdp": "steel_verified.worlds.tabular",
    "Extent": "steel_verified.theory.parameters",
    "InvalidArgument": "steel_verified.errors",
    "Learned": "steel_verified.learning.steel",
    "Model": "steel_verified.learning.model",
    "Observed": "steel_verified.learning.omega",
    "Oracle": "steel_verified.learning.oracle",
    "Parameters": "steel_verified.theory.parameters",
    "Plan": "steel_verified.learning.plans",
    "Recipe": "steel_verified.theory.recipe",
    "SteelError": "steel_verified.errors",
    "Trajectory": "steel_verified.learning.plans",
    "World": "steel_verified.worlds.driver",
    "encode": "steel_verified.learning.oracle",
    "exactly": "steel_verified.theory.exact",
    "ideal_run": "steel_verified.worlds.ideal",
    "learn": "steel_verified.worlds.driver",
    "paper": "steel_verified.theory.recipe",
    "predicates": "steel_verified.learning.classes",
    "tables": "steel_verified.learning.classes",
    "tabular_world": "steel_verified.worlds.tabular",
}
"""The module that defines each public name."""

if not typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a public name from its module, and keep it."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(_MODULES[name]), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
