"""What was learned, ready for use."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, SupportsIndex, TypeGuard, TypeVar

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import provenance
from steel_verified.evidence.files import write_atomically
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.guarantee import Guarantee, guarantee_of
from steel_verified.learning.results import accepted
from steel_verified.learning.saved_models import model_as_bytes, read_model
from steel_verified.theory.wording import counted
from steel_verified.using import comparing, exports, following
from steel_verified.using.checking import Verdict, check_certificate
from steel_verified.using.encoding import Encoder
from steel_verified.using.planning import Policy, first_actions, route
from steel_verified.using.storing import encoder_of, saved_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import gymnasium
    import networkx as nx
    from numpy.typing import NDArray

    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.oracle import ClassifierClass, Oracle
    from steel_verified.evidence.plans import World
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Result
    from steel_verified.using.encoding import Reads
    from steel_verified.using.following import Followed
    from steel_verified.worlds.dynamics import Dynamics

Batch = TypeVar("Batch")
Summary = TypeVar("Summary")
Classifier = TypeVar("Classifier")
Observation = TypeVar("Observation")


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A learned world: its dynamics, where the run ended in it, and how to read its observations.

    Made by `Learned.of(learn(world, oracle, recipe), oracle)` or by `Learned.load(file)`. States
    are labels 0, 1, …, and actions are numbers 0, 1, …. Where a state is asked for, an integer is a
    label (numpy's integers, too), and anything else is an observation, which the encoder reads. If
    observations are integers themselves, ask `state_of` for the label.
    """

    model: Model
    current: int
    """The state in which the run ended: where to go on from in the same world."""
    steps: int
    """How many steps the run took."""
    guarantee: Guarantee | None
    """What the run promised; None in files of older versions, which do not say."""
    encoder: Reads | None
    """None if the run was for the dynamics only."""
    _evidence: Callable[[Provenance], bytes] | None = None

    @staticmethod
    def of(result: Result[Classifier], oracle: Oracle[Batch, Summary, Classifier]) -> Learned:
        """What a run learned; `oracle` is the one that it was learned with.

        Raises `AssumptionViolated` with the reason if the run was not accepted.
        """
        run = accepted(result)
        chosen = run.classifiers
        reader = None if chosen is None else Encoder(oracle, chosen)
        return Learned(
            run.model,
            run.current,
            run.ledger.steps,
            guarantee_of(run),
            reader,
            lambda origin: certificate_of_run(run, oracle, origin),
        )

    def __str__(self) -> str:
        """What was learned and what is promised of it, in lines of at most 80 columns."""
        states, actions = self.model.states, self.model.actions
        told = f"{counted(states, 'state')} and {counted(actions, 'action')}"
        promise = self.guarantee
        if promise is None:
            return f"{told}, learned in {counted(self.steps, 'step')}."
        errs = f" and the encoder errs on each state with chance at most {promise.epsilon}"
        return fill(
            f"{told}, learned in {counted(self.steps, 'step')} by {promise.method} STEEL. If the "
            f"assumptions hold, then with probability at least {1 - promise.delta} the dynamics "
            f"are right up to relabelling{',' + errs if self.encoder else ''}.",
            80,
        )

    # --- reading observations ---------------------------------------------------------------------

    def encode(self, observations: object) -> NDArray[np.int64]:
        """The label of each observation, in an array with a row for each.

        Takes what the class of classifiers takes: arrays or lists of booleans (or of 0 and 1) or of
        numbers. Images are flattened, as worlds do it, so an observation may have any shape. Of a
        single observation, the result is an array without dimensions. Raises
        `InvalidArgument` for rows that the class has no values on.
        """
        return self._reader().encode(observations)

    def state_of(self, observation: object) -> int:
        """The label of one observation. On each state it is wrong with chance at most ε."""
        return self._reader().state_of(observation)

    def renaming(self, truth: Dynamics, observations: Sequence[object]) -> tuple[int, ...] | None:
        """The label of each true state, if all of this is right up to the names of states.

        For worlds whose dynamics are known. `observations[s]` is a batch of observations of the
        true state s, with a row for each. None if the model differs from the truth whatever its
        states are called, or if the encoder misreads any of the observations.
        """
        return comparing.renaming(self.model, self.encode, truth, observations)

    def _reader(self) -> Reads:
        if self.encoder is None:
            expected = "a run with an encoder, not one for the dynamics only"
            raise InvalidArgument("classifiers", None, expected)
        return self.encoder

    def _label(self, argument: str, state: object) -> int:
        """A state that is given by its label, or by an observation of it."""
        label = index(state) if _is_integer(state) else self.state_of(state)
        if not 0 <= label < self.model.states:
            raise InvalidArgument(
                argument, label, f"a state from 0 to {self.model.states - 1}, or an observation"
            )
        return label

    # --- planning and acting ----------------------------------------------------------------------

    def plan(self, to: object, *, start: object = None) -> tuple[int, ...]:
        """The actions of a shortest way to a state; `start` is where the run ended unless given.

        If there are several, the one whose actions come first. Empty if that is the state already.
        """
        return self._route(to, start).word

    def _route(self, to: object, start: object) -> following.Route:
        begin = self.current if start is None else self._label("start", start)
        return route(self.model, begin, self._label("to", to))

    def policy(self, goal: object) -> Policy:
        """The best action in every state, for going to a goal from wherever one is."""
        label = self._label("goal", goal)
        return Policy(label, first_actions(self.model, label), self.state_of)

    def follow(
        self,
        where: World[Batch] | gymnasium.Env[Observation, np.int64],
        to: object,
        *,
        start: object = None,
        features: Callable[[Observation], object] | None = None,
    ) -> Followed:
        """Go to a state, step by step, and compare what the encoder sees with what is expected.

        `where` is the world or the environment that was learned. `start` is the state it is in: the
        one in which the run ended, unless it has moved since. `features` maps an observation of an
        environment to what the encoder reads, as when it was learned. What is expected comes from
        the model alone, so a misread observation does not change the way.
        """
        return following.follow(
            self._route(to, start),
            where,
            in_batch=lambda batch: int(self.encode(batch)[0]),
            state_of=lambda seen: self.state_of(seen if features is None else features(seen)),
            epsilon=None if self.guarantee is None else self.guarantee.epsilon,
        )

    # --- files ------------------------------------------------------------------------------------

    def save(self, file: Path | str) -> None:
        """Write all of this as JSON (format steel-model); the certificate is a file of its own.

        Raises `InvalidArgument` if the classifiers are functions, which no file can hold.
        """
        held = saved_model(self.model, self.current, self.steps, self.guarantee, self.encoder)
        write_atomically(Path(file), model_as_bytes(held))

    @staticmethod
    def load(
        file: Path | str, functions: ClassifierClass[Batch, Summary, Classifier] | None = None
    ) -> Learned:
        """Read back what was saved. Raises `Unreadable` for any other file.

        `functions` is the class of classifiers, if it rests on functions of your own (`predicates`,
        `Featured`): a file cannot hold these.
        """
        held = read_model(Path(file))
        reader = encoder_of(held, functions)
        return Learned(held.model, held.current, held.steps, held.guarantee, reader)

    # --- other programs ---------------------------------------------------------------------------

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """A directed graph with an edge for each transition: its key is the action."""
        return exports.as_networkx(self.model, self.current)

    def to_gymnasium(
        self, *, start: object = None, goal: object = None
    ) -> gymnasium.Env[np.int64, np.int64]:
        """The model as an environment whose observations are labels (extra `gymnasium`).

        It starts where the run ended, unless told otherwise. With a goal, an episode ends there
        with a reward of 1; without one, it never ends.
        """
        from steel_verified.using.model_env import ModelEnv  # noqa: PLC0415 (an extra)

        begin = self.current if start is None else self._label("start", start)
        return ModelEnv(self.model, begin, None if goal is None else self._label("goal", goal))

    def to_dot(self) -> str:
        """The dynamics as a Graphviz graph; an edge lists the actions that lead along it."""
        return exports.as_dot(self.model, self.current)

    def to_graphml(self) -> bytes:
        """The dynamics as GraphML; an edge has the `actions` that lead along it, as "0,3"."""
        return exports.as_graphml(self.model)

    def to_automaton(self) -> str:
        """The dynamics as a Moore machine in the DOT dialect that AALpy loads, type `moore`."""
        return exports.as_automaton(self.model, self.current)

    # --- evidence ---------------------------------------------------------------------------------

    def certificate(
        self, world: str = "a world of one's own", *, env_seed: int = 0, noise_seed: int = 0
    ) -> bytes:
        """The evidence of the run, for `steel check`; the arguments are kept as remarks in it.

        Raises `InvalidArgument` if there is none: the oracle searched without proof, or this was
        loaded from a file.
        """
        if self._evidence is None:
            expected = "what `learn` returned: a saved model does not hold the record of its run"
            raise InvalidArgument("certificate", "a model from a file", expected)
        return self._evidence(provenance(world, env_seed, noise_seed))

    def check(self) -> Verdict:
        """What the independent checker says of the certificate."""
        return check_certificate(self.certificate())


def _is_integer(state: object) -> TypeGuard[SupportsIndex]:
    """Whether this is an integer of Python or numpy, or an array of one without dimensions.

    A boolean is none: True is not label 1.
    """
    if isinstance(state, np.ndarray):
        return state.ndim == 0 and state.dtype.kind in "iu"
    return isinstance(state, int | np.integer) and not isinstance(state, bool)
