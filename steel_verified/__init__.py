"""STEEL for exogenous block MDPs: exact numbers, and evidence that anyone can recheck.

The names in `__all__` are public, and so are those of `steel_verified.classes` (all classes of
classifiers), `worlds` (worlds to learn), `gymnasium`, `findings` (why a run failed), `plots`,
`progress`, `strategies` (Hypothesis strategies and laws) and `errors`. docs/reference/API.md shows
them at work. Every other module is internal: it may change from one version to the next.

A name is loaded from its module when it is first used, so that `import steel_verified` is quick.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from steel_verified.classes.conjunctions import Conjunctions
    from steel_verified.classes.finite import Components
    from steel_verified.classes.half_spaces import HalfSpaces
    from steel_verified.classes.intervals import Boxes, Thresholds
    from steel_verified.errors import InvalidArgument, SteelError
    from steel_verified.learning.located import Located
    from steel_verified.learning.looped import Looped
    from steel_verified.learning.results import (
        Accepted,
        Contradicted,
        NotAccepted,
        Result,
        accepted,
    )
    from steel_verified.theory.conditions import AssumptionViolated
    from steel_verified.theory.exact import exactly
    from steel_verified.theory.parameters import LocatedParameters, Parameters
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.using.learn import NotLearned, attempt, learn
    from steel_verified.using.learned import Learned
    from steel_verified.using.logs import learn_from
    from steel_verified.worlds.forecast import predict
    from steel_verified.worlds.log_files import Episode
    from steel_verified.worlds.preflights import preflight
    from steel_verified.worlds.stepped import SteppedWorld

    __version__: str

__all__ = [
    "Accepted",
    "AssumptionViolated",
    "Boxes",
    "Components",
    "Conjunctions",
    "Contradicted",
    "Episode",
    "HalfSpaces",
    "InvalidArgument",
    "Learned",
    "Located",
    "LocatedParameters",
    "Looped",
    "NotAccepted",
    "NotLearned",
    "Parameters",
    "Result",
    "SelfCheck",
    "SteelError",
    "SteppedWorld",
    "Thresholds",
    "accepted",
    "attempt",
    "exactly",
    "learn",
    "learn_from",
    "predict",
    "preflight",
]

_MODULES: typing.Final = {
    "Accepted": "steel_verified.learning.results",
    "AssumptionViolated": "steel_verified.theory.conditions",
    "Boxes": "steel_verified.classes.intervals",
    "Components": "steel_verified.classes.finite",
    "Conjunctions": "steel_verified.classes.conjunctions",
    "Contradicted": "steel_verified.learning.results",
    "HalfSpaces": "steel_verified.classes.half_spaces",
    "InvalidArgument": "steel_verified.errors",
    "Learned": "steel_verified.using.learned",
    "Located": "steel_verified.learning.located",
    "Looped": "steel_verified.learning.looped",
    "LocatedParameters": "steel_verified.theory.parameters",
    "NotAccepted": "steel_verified.learning.results",
    "Parameters": "steel_verified.theory.parameters",
    "Result": "steel_verified.learning.results",
    "SelfCheck": "steel_verified.theory.self_check",
    "SteelError": "steel_verified.errors",
    "SteppedWorld": "steel_verified.worlds.stepped",
    "Thresholds": "steel_verified.classes.intervals",
    "accepted": "steel_verified.learning.results",
    "exactly": "steel_verified.theory.exact",
    "attempt": "steel_verified.using.learn",
    "learn": "steel_verified.using.learn",
    "Episode": "steel_verified.worlds.log_files",
    "learn_from": "steel_verified.using.logs",
    "NotLearned": "steel_verified.using.learn",
    "predict": "steel_verified.worlds.forecast",
    "preflight": "steel_verified.worlds.preflights",
}
"""The module that defines each public name."""

if not typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a public name from its module, or the version as installed, and keep it."""
        if name == "__version__":
            value = importlib.import_module("importlib.metadata").version(__name__)
        elif name in _MODULES:
            value = getattr(importlib.import_module(_MODULES[name]), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
