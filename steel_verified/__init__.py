"""STEEL for exogenous block MDPs: exact numbers, and evidence that anyone can recheck.

A name is loaded from its module when it is first used, so that `import steel_verified` is quick.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from steel_verified.classes.boxes import Boxes
    from steel_verified.classes.conjunctions import Conjunctions
    from steel_verified.classes.features import Featured, Monomials
    from steel_verified.classes.finite import Components, predicates, tables
    from steel_verified.classes.half_spaces import HalfSpaces
    from steel_verified.classes.numbers import Integers
    from steel_verified.classes.searching import Fitted
    from steel_verified.classes.thresholds import Thresholds
    from steel_verified.classes.witnessed import Witnessed
    from steel_verified.errors import (
        AssumptionViolated,
        BrokenOracle,
        BrokenWorld,
        InvalidArgument,
        SteelError,
    )
    from steel_verified.evidence.oracle import Oracle, Searched
    from steel_verified.evidence.plans import Plan, Trajectory, World
    from steel_verified.learning.certifying import certificate_of_run
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import (
        Accepted,
        Contradicted,
        NotAccepted,
        Result,
        accepted,
        encode,
    )
    from steel_verified.theory.exact import exactly
    from steel_verified.theory.parameters import Extent, Parameters
    from steel_verified.theory.recipe import Recipe, located, paper
    from steel_verified.worlds.doubling import learn_with_doubling
    from steel_verified.worlds.driver import learn
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.forecast import predict
    from steel_verified.worlds.ideal import ideal_run
    from steel_verified.worlds.preflight import preflight
    from steel_verified.worlds.recorded import RecordedWorld, Recording
    from steel_verified.worlds.stepped import SteppedWorld
    from steel_verified.worlds.tabular import ExBmdp, tabular_world

__all__ = [
    "Accepted",
    "AssumptionViolated",
    "Boxes",
    "BrokenOracle",
    "BrokenWorld",
    "Components",
    "Conjunctions",
    "Contradicted",
    "Dynamics",
    "ExBmdp",
    "Extent",
    "Featured",
    "Fitted",
    "HalfSpaces",
    "Integers",
    "InvalidArgument",
    "Model",
    "Monomials",
    "NotAccepted",
    "Oracle",
    "Parameters",
    "Plan",
    "Recipe",
    "RecordedWorld",
    "Recording",
    "Result",
    "Searched",
    "SteelError",
    "SteppedWorld",
    "Thresholds",
    "Trajectory",
    "Witnessed",
    "World",
    "accepted",
    "certificate_of_run",
    "encode",
    "exactly",
    "ideal_run",
    "learn",
    "learn_with_doubling",
    "located",
    "paper",
    "predicates",
    "predict",
    "preflight",
    "tables",
    "tabular_world",
]

_MODULES: typing.Final = {
    "Accepted": "steel_verified.learning.results",
    "AssumptionViolated": "steel_verified.errors",
    "Boxes": "steel_verified.classes.boxes",
    "BrokenOracle": "steel_verified.errors",
    "BrokenWorld": "steel_verified.errors",
    "Components": "steel_verified.classes.finite",
    "Conjunctions": "steel_verified.classes.conjunctions",
    "Contradicted": "steel_verified.learning.results",
    "Dynamics": "steel_verified.worlds.dynamics",
    "ExBmdp": "steel_verified.worlds.tabular",
    "Extent": "steel_verified.theory.parameters",
    "Featured": "steel_verified.classes.features",
    "Fitted": "steel_verified.classes.searching",
    "HalfSpaces": "steel_verified.classes.half_spaces",
    "Integers": "steel_verified.classes.numbers",
    "InvalidArgument": "steel_verified.errors",
    "Model": "steel_verified.learning.model",
    "Monomials": "steel_verified.classes.features",
    "NotAccepted": "steel_verified.learning.results",
    "Oracle": "steel_verified.evidence.oracle",
    "Parameters": "steel_verified.theory.parameters",
    "Plan": "steel_verified.evidence.plans",
    "Recipe": "steel_verified.theory.recipe",
    "RecordedWorld": "steel_verified.worlds.recorded",
    "Recording": "steel_verified.worlds.recorded",
    "Result": "steel_verified.learning.results",
    "Searched": "steel_verified.evidence.oracle",
    "SteelError": "steel_verified.errors",
    "SteppedWorld": "steel_verified.worlds.stepped",
    "Thresholds": "steel_verified.classes.thresholds",
    "Trajectory": "steel_verified.evidence.plans",
    "Witnessed": "steel_verified.classes.witnessed",
    "World": "steel_verified.evidence.plans",
    "accepted": "steel_verified.learning.results",
    "certificate_of_run": "steel_verified.learning.certifying",
    "encode": "steel_verified.learning.results",
    "exactly": "steel_verified.theory.exact",
    "ideal_run": "steel_verified.worlds.ideal",
    "learn": "steel_verified.worlds.driver",
    "learn_with_doubling": "steel_verified.worlds.doubling",
    "located": "steel_verified.theory.recipe",
    "paper": "steel_verified.theory.recipe",
    "predicates": "steel_verified.classes.finite",
    "predict": "steel_verified.worlds.forecast",
    "preflight": "steel_verified.worlds.preflight",
    "tables": "steel_verified.classes.finite",
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
