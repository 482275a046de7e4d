"""STEEL for exogenous block MDPs: exact numbers, and evidence that anyone can recheck.

The names in `__all__` are public, and so are those of `steel_verified.classes` (all classes of
classifiers), `worlds` (worlds to learn), `gymnasium`, `findings` (why a run failed), `plots`,
`progress`, `strategies` (Hypothesis strategies and laws) and `errors`. docs/use/tutorial.md shows
them at work. Every other module is internal: it may change from one version to the next.

A name is loaded from its module when it is first used, so that `import steel_verified` is quick.
"""

import importlib
import typing

from steel_verified.lazy_names import lazy_names

if typing.TYPE_CHECKING:
    from steel_verified.classes.conjunctions import Conjunctions
    from steel_verified.classes.finite import Components
    from steel_verified.classes.half_spaces import HalfSpaces
    from steel_verified.classes.intervals import Boxes, Thresholds
    from steel_verified.errors import InvalidArgument, SteelError
    from steel_verified.learning.certain import Certain
    from steel_verified.learning.factored import Factored
    from steel_verified.learning.located import Located
    from steel_verified.learning.looped import Looped
    from steel_verified.learning.results import (
        Accepted,
        Contradicted,
        NotAccepted,
        Result,
        accepted,
    )
    from steel_verified.learning.slipping import Slipping
    from steel_verified.theory.conditions import AssumptionViolated
    from steel_verified.theory.exact import exactly
    from steel_verified.theory.parameters import LocatedParameters, Parameters
    from steel_verified.theory.self_check import SelfCheck
    from steel_verified.using.attempt import NotLearned, attempt
    from steel_verified.using.episodes import learn_episodes
    from steel_verified.using.factors import LearnedFactors
    from steel_verified.using.learn import learn
    from steel_verified.using.learned import Learned
    from steel_verified.using.logs import learn_from
    from steel_verified.using.suggest import suggest_class
    from steel_verified.worlds.estimates import predict
    from steel_verified.worlds.log_files import Episode
    from steel_verified.worlds.preflights import preflight
    from steel_verified.worlds.stepped import SteppedWorld

    __version__: str

__all__ = [
    "Accepted",
    "AssumptionViolated",
    "Boxes",
    "Certain",
    "Components",
    "Conjunctions",
    "Contradicted",
    "Episode",
    "Factored",
    "HalfSpaces",
    "InvalidArgument",
    "Learned",
    "LearnedFactors",
    "Located",
    "LocatedParameters",
    "Looped",
    "NotAccepted",
    "NotLearned",
    "Parameters",
    "Result",
    "SelfCheck",
    "Slipping",
    "SteelError",
    "SteppedWorld",
    "Thresholds",
    "accepted",
    "attempt",
    "exactly",
    "learn",
    "learn_episodes",
    "learn_from",
    "predict",
    "preflight",
    "suggest_class",
]

if not typing.TYPE_CHECKING:
    _load = lazy_names(__name__)

    def __getattr__(name: str) -> object:
        """Load a public name from its module, or the version as installed."""
        if name == "__version__":
            return importlib.import_module("importlib.metadata").version(__name__)
        return _load(name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
