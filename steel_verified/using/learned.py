"""The learned model with its encoder, ready for use."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Sized
from dataclasses import dataclass, fields, replace
from functools import partial
from html import escape
from io import StringIO
from operator import index
from pathlib import Path
from tempfile import mkstemp
from textwrap import fill
from typing import TYPE_CHECKING, ClassVar, Final, NoReturn, SupportsIndex, TypeGuard, TypeVar, cast

import numpy as np

from steel_verified.errors import InvalidArgument, MissingExtra
from steel_verified.evidence.files import write_atomically
from steel_verified.learning.deciding import slipped
from steel_verified.learning.names import NO_NAMES, names_of
from steel_verified.learning.results import Guarantee, accepted, guarantee_of
from steel_verified.theory.parameters import require_oracle
from steel_verified.theory.wording import counted
from steel_verified.using import exports
from steel_verified.using.encoder import Encoder
from steel_verified.using.rewards import best, discount_of, mean_rewards, rewards_of
from steel_verified.using.routes import Policy, Route, first_actions, follow, route
from steel_verified.using.verdict import HasEvidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    import gymnasium
    import networkx as nx
    from numpy.typing import NDArray

    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.model import Model
    from steel_verified.learning.names import Names
    from steel_verified.learning.results import Accepted, Result
    from steel_verified.using.encoder import Reads
    from steel_verified.using.rewards import Reward
    from steel_verified.using.routes import Followed
    from steel_verified.using.suggest import Suggestion
    from steel_verified.using.unbroken import Stepping
    from steel_verified.worlds.dynamics import Dynamics
    from steel_verified.worlds.log_files import Episode


_MOST_SHOWN: Final = 150
"""A notebook shows pictures of models with at most this many states."""
Batch = TypeVar("Batch")
Rows = TypeVar("Rows", bound=Sized)
Observation = TypeVar("Observation")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Learned(HasEvidence):
    """A learned world: its dynamics, the state in which the run ended, and its encoder.

    Made by `learn(world, F, …)`, by `Learned.of(result, F)` or by `Learned.load(file)`. States
    are labels 0, 1, …, and actions are numbers 0, 1, …. Where a state is expected, give a label (an
    integer of Python or numpy) or an observation, which the encoder reads. If the observations are
    integers themselves, call `state_of` to get the label.
    """

    _saved: ClassVar[str] = "a model"

    model: Model
    current: int
    """The state in which the run ended: the start for further steps in the same world."""
    steps: int
    """The number of steps of the run, or of rows of the log."""
    guarantee: Guarantee | None
    """The guarantee of the run; None for files of older versions, which do not have it."""
    encoder: Reads | None
    """The encoder; None if the run learned only the dynamics."""
    _evidence: Callable[[Provenance], bytes] | None = None
    names: Names = NO_NAMES
    """The names of actions and states, which `named` gives; numbers without it."""
    suggestion: Suggestion | None = None
    """Why this class was chosen, if `learn` got none; it is not written to files."""

    @staticmethod
    def of(
        result: Result,
        oracle: Class[Batch],
        features: Callable[[Observation], object] | None = None,
    ) -> Learned:
        """Return what a run learned; `oracle` is the one with which it was learned.

        `features` computed its rows from observations; with it, the result reads observations.
        Raises `AssumptionViolated` with the reason if the run was not accepted.
        """
        run = accepted(result)
        require_oracle(oracle)
        chosen = run.classifiers
        read = cast("Callable[[object], object] | None", features)  # it refuses what it cannot read
        reader = None if chosen is None else Encoder(oracle, chosen, read)
        return Learned(
            run.model,
            run.current,
            run.ledger.steps,
            guarantee_of(run),
            reader,
            partial(_certificate, run, oracle),
        )

    def __repr__(self) -> str:
        """Return one line for the prompt. `print` also shows the guarantee."""
        sizes = f"{counted(self.model.states, 'state')}, {counted(self.model.actions, 'action')}"
        how = "" if self.guarantee is None else f", method {self.guarantee.method}"
        reads = "no encoder"
        if self.encoder is not None:
            reads = f"encoder of {type(self.encoder.functions).__name__}"
        return f"<Learned: {sizes}, {counted(self.steps, 'step')}{how}, {reads}>"

    def __copy__(self) -> Learned:
        """Return this value itself: nothing in it changes."""
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Learned:
        return self

    def __reduce__(self) -> tuple[type[Learned], tuple[object, ...]]:
        """Pickle all fields, with the certificate instead of the record of the run.

        Functions of your own in the class of classifiers have to be picklable: defined with a name
        at the top level of a module.
        """
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        return Learned, (*{**held, "_evidence": _without_the_run(self._evidence)}.values(),)

    def __str__(self) -> str:
        """Return the sizes and the guarantee, in lines of at most 80 columns."""
        states, actions = self.model.states, self.model.actions
        text = f"{counted(states, 'state')} and {counted(actions, 'action')}"
        promise = self.guarantee
        if promise is None:
            return f"{text}, learned in {counted(self.steps, 'step')}."
        if promise.method == "log":
            how = f"{text}, learned from episodes with {counted(self.steps, 'row')}."
        else:
            names = {"coins": "certain STEEL with coins", "slipping": "STEEL for steps that slip"}
            by = names.get(promise.method, f"{promise.method} STEEL")
            how = f"{text}, learned in {counted(self.steps, 'step')} by {by}."
        given = f" and {promise.given}" if promise.given else ""
        text = fill(f"{how} If the assumptions hold{given}, {self._promised(promise)}.", 80)
        if (chosen := self.suggestion) is None or chosen.best is None:
            return text
        why = f"{chosen.best.name} was chosen on a walk of {counted(chosen.steps, 'step')}"
        return text + "\n" + fill(f"{why}: {chosen.because}.", 80)

    def _promised(self, promise: Guarantee) -> str:
        how = "the dynamics are right for every noise"
        if promise.delta:
            how = f"then with probability at least {1 - promise.delta} the dynamics are right"
        if promise.method == "log":
            how = "the dynamics that its starts lead to are right for every noise"
        errs = f"and the encoder errs on each state with chance at most {promise.epsilon}"
        if promise.method in ("certain", "coins", "slipping", "log"):
            exact = "and the encoder is exact"
            errs = "but other classifiers fit the rows, too" if promise.epsilon else exact
        return f"{how}, up to relabelling{', ' + errs if self.encoder else ''}"

    def named(self, *, actions: Sequence[str] = (), states: Sequence[str] = ()) -> Learned:
        """Return the same model with names, for texts, figures, tables, files and graphs.

        States are named in the order of their labels. Names that are not given stay as they were.
        """
        given = (actions or self.names.actions, states or self.names.states)
        found = names_of(*given, how_many=(self.model.actions, self.model.states))
        return replace(self, names=found)

    @property
    def slips(self) -> tuple[int, int] | None:
        """How many steps were seen to slip, and of how many; None if no step may slip.

        `guarantee.counts` has the number for each state, action and next state.
        """
        if self.guarantee is None or (counts := self.guarantee.counts) is None:
            return None
        every = sum(sum(after) for line in counts for after in line)
        return slipped(counts, self.model.table), every

    # --- reading observations ---------------------------------------------------------------------

    def encode(self, observations: object) -> NDArray[np.int64]:
        """Return the label of each observation, as an array with one entry for each.

        If it was learned with `features`, give a list or an array of observations, as the world
        shows them, and `state_of` a single one. Otherwise this accepts what the class of
        classifiers accepts: arrays or lists of booleans (or of 0 and 1) or of numbers. Images are
        flattened, as worlds do it, so an observation may have any shape. For a single observation,
        the result is an array without dimensions. Raises `InvalidArgument` for rows that the class
        cannot read.
        """
        return self._reader().encode(observations)

    def state_of(self, observation: object) -> int:
        """Return the label of one observation; for each state, the error chance is at most ε."""
        return self._reader().state_of(observation)

    def renaming(self, truth: Dynamics, observations: Sequence[object]) -> tuple[int, ...] | None:
        """Return the label of each true state if the model and encoder are right, otherwise None.

        This is for worlds whose dynamics are known. `observations[s]` is a batch of observations of
        the true state s, one row for each. The result is None if the model differs from the truth
        under every relabelling, or if the encoder is wrong on any of the observations.
        """
        return renaming(self.model, self.encode, truth, observations)

    def _reader(self) -> Reads:
        if self.encoder is None:
            expected = "a run with an encoder, not one for the dynamics only"
            raise InvalidArgument("classifiers", None, expected)
        return self.encoder

    def _label(self, argument: str, state: object) -> int:
        """Return the label of a state that is given by its label or by an observation."""
        label = index(state) if _is_integer(state) else self.state_of(state)
        if not 0 <= label < self.model.states:
            raise InvalidArgument(
                argument, label, f"a state from 0 to {self.model.states - 1}, or an observation"
            )
        return label

    # --- planning and acting ----------------------------------------------------------------------

    def plan(self, to: object, *, start: object = None) -> tuple[int, ...]:
        """Return the actions of a shortest path to a state; `start` is by default `current`.

        Among several shortest paths, it is the lexicographically first. It is empty if the start is
        the goal. Raises `InvalidArgument` if the goal cannot be reached.
        """
        return self._route(to, start).word

    def _route(self, to: object, start: object) -> Route:
        begin = self.current if start is None else self._label("start", start)
        return route(self.model, begin, self._label("to", to))

    def policy(
        self,
        goal: object = None,
        *,
        reward: Reward | None = None,
        discount: Fraction | float | str | None = None,
    ) -> Policy:
        """Return a policy: in every state, the first action of a shortest path to the goal.

        With a reward and a discount below 1, it is instead a policy with the highest discounted sum
        of rewards: in every state, the lowest of the best actions. It is computed with fractions,
        without error, and its `values` are these sums. `reward` is a function of label and action,
        a mapping from (label, action), where missing pairs have reward 0, or an array with a row
        for each label. If there is also a goal, an episode ends there.
        """
        label = None if goal is None else self._label("goal", goal)
        if reward is not None:
            share = discount_of(discount)
            found = best(self.model, rewards_of(self.model, reward), share, label)
            return Policy(label, found.actions, self.state_of, found.values)
        if discount is not None:
            raise InvalidArgument("discount", discount, "None without a reward")
        if label is None:
            raise InvalidArgument("goal", None, "a state, an observation, or else a reward")
        return Policy(label, first_actions(self.model, label), self.state_of)

    def mean_rewards(
        self, log: Episode[Rows] | Iterable[Episode[Rows]]
    ) -> dict[tuple[int, int], Fraction]:
        """Return the average reward in a log for each (label, action) that occurs in it.

        Each episode has `rewards`, one for each action, and its observations are rows of the class.
        The result can be the `reward` of `policy` and of `to_gymnasium`.
        """
        return mean_rewards(log, self._reader().rows)

    def follow(
        self,
        where: World[Batch]
        | gymnasium.Env[Observation, np.int64]
        | Stepping[object]
        | Callable[[int], object],
        to: object,
        *,
        start: object = None,
    ) -> Followed:
        """Take the actions of a plan, and compare the encoder with the model after each step.

        `where` is the world, the environment or the function that was learned. `start` is its
        present state; by default it is the state in which the run ended. The expected states come
        from the model alone, so a wrongly encoded observation does not change the actions.
        """
        return follow(
            self._route(to, start),
            where,
            actions=self.model.actions,
            encoder=self._reader(),
            epsilon=None if self.guarantee is None else self.guarantee.epsilon,
            names=self.names,
        )

    # --- pictures ---------------------------------------------------------------------------------

    def show(self, way: Followed | None = None) -> Path:
        """Open a picture of the model in the browser, and return its file (extra `plots`).

        `way` is what `follow` returned. In a notebook, what was learned shows itself: write its
        name in the last line of a cell. `model_figure` of `steel_verified.plots` has more options.
        """
        handle, name = mkstemp(prefix="steel-", suffix=".svg")
        os.close(handle)
        file = Path(name)
        file.write_text(self._svg(way), encoding="utf-8")
        webbrowser.open(file.as_uri())
        return file

    def _svg(self, way: Followed | None = None) -> str:
        from steel_verified.plots import model_figure  # noqa: PLC0415 (an extra)

        file = StringIO()
        model_figure(self, way=way).savefig(file, format="svg")
        return file.getvalue()

    def _repr_svg_(self) -> str | None:
        """Return the picture for a notebook; None if it is too large, or `plots` is missing."""
        if self.model.states > _MOST_SHOWN:
            return None
        try:
            return self._svg()
        except MissingExtra:
            return None

    def _repr_html_(self) -> str:
        """Return the guarantee and the picture, for a notebook."""
        picture = self._repr_svg_() or ""
        return f"<p>{escape(str(self))}</p>{picture[picture.find('<svg') :] if picture else ''}"

    # --- files ------------------------------------------------------------------------------------

    def save(self, file: Path | str) -> None:
        """Write the model and the encoder as JSON (format steel-model), without the certificate.

        Raises `InvalidArgument` if the classifiers are functions, which cannot be saved.
        """
        from steel_verified.learning.saved_models import model_as_bytes  # noqa: PLC0415 (for files)
        from steel_verified.using.saved import saved_model  # noqa: PLC0415 (for files)

        held = saved_model(
            self.model, self.current, self.steps, self.guarantee, self.encoder, self.names
        )
        write_atomically(Path(file), model_as_bytes(held))

    @staticmethod
    def load(
        file: Path | str,
        functions: Class[Batch] | None = None,
        *,
        features: Callable[[Observation], object] | None = None,
    ) -> Learned:
        """Read a saved model. Raises `Unreadable` for any other file.

        `functions` is the class of classifiers. It is needed if the class contains your own
        functions (`predicates`, `Featured`), because a file cannot contain these. For the same
        reason, give the `features` with which it was learned; without them it reads their rows.
        """
        from steel_verified.learning.saved_models import read_model  # noqa: PLC0415 (for files)
        from steel_verified.using.saved import encoder_of  # noqa: PLC0415 (for files)

        held = read_model(Path(file))
        reader = encoder_of(held, functions, features)
        return Learned(
            held.model, held.current, held.steps, held.guarantee, reader, names=held.names
        )

    # --- other programs ---------------------------------------------------------------------------

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """Return a directed graph with one edge for each transition; its key is the action."""
        return exports.as_networkx(self.model, self.current, self.names)

    def to_gymnasium(
        self, *, start: object = None, goal: object = None, reward: Reward | None = None
    ) -> gymnasium.Env[np.int64, np.int64]:
        """Return the model as an environment whose observations are labels (extra `gymnasium`).

        It starts in the state where the run ended, unless `start` is given. With a goal, an episode
        ends there with a reward of 1; without a goal, it never ends. `reward` is that of `policy`;
        if it is given, arriving gives no other reward.
        """
        from steel_verified.gymnasium.envs import ModelEnv  # noqa: PLC0415 (an extra)

        begin = self.current if start is None else self._label("start", start)
        end = None if goal is None else self._label("goal", goal)
        gain = None if reward is None else rewards_of(self.model, reward)
        return ModelEnv(self.model, begin, end, gain)

    def to_dot(self) -> str:
        """Return the dynamics as a Graphviz graph; each edge lists its actions."""
        return exports.as_dot(self.model, self.current, self.names)

    def to_graphml(self) -> bytes:
        """Return the dynamics as GraphML; the `actions` of an edge are a text such as "0,3"."""
        return exports.as_graphml(self.model, self.names)

    def to_automaton(self) -> str:
        """Return the dynamics as a Moore machine in the DOT dialect of AALpy (type `moore`)."""
        return exports.as_automaton(self.model, self.current)


def _certificate(run: Accepted, oracle: Class[Batch], origin: Provenance) -> bytes:
    from steel_verified.learning.certifying import certificate_of_run  # noqa: PLC0415 (seldom used)

    return certificate_of_run(run, oracle, origin)


def _without_the_run(
    evidence: Callable[[Provenance], bytes] | None,
) -> Callable[[Provenance], bytes] | None:
    """Return evidence that can be pickled: it has the certificate, or the reason why it has none.

    Only a run can make a ledger, so a ledger is not read from a file.
    """
    if evidence is None:
        return None
    from steel_verified.evidence.certificate import (  # noqa: PLC0415 (seldom used)
        provenance,
        with_provenance,
    )

    try:
        return partial(with_provenance, evidence(provenance("", 0, 0)))
    except InvalidArgument as error:
        return partial(_refused, error.argument, str(error.value), error.expected)


def _refused(argument: str, value: str, expected: str, origin: Provenance) -> NoReturn:
    """Say again why this run has no certificate, of whatever origin."""
    del origin
    raise InvalidArgument(argument, value, expected)


def _is_integer(state: object) -> TypeGuard[SupportsIndex]:
    """Return whether this is an integer of Python or numpy, or an integer array of no dimensions.

    A boolean is not an integer here: True is not label 1.
    """
    if isinstance(state, np.ndarray):
        return state.ndim == 0 and state.dtype.kind in "iu"
    return isinstance(state, int | np.integer) and not isinstance(state, bool)


def renaming(
    model: Model,
    encode: Callable[[object], NDArray[np.int64]],
    truth: Dynamics,
    observations: Sequence[object],
) -> tuple[int, ...] | None:
    """Return the label of each true state, or None if no assignment of labels is correct.

    An assignment is correct if all observations of a state get its label, different states have
    different labels, every label is used, and each action leads from label to label as in `truth`.
    Raises `InvalidArgument` unless there is one dataset for each true state.
    """
    if len(observations) != truth.states:
        expected = f"{counted(truth.states, 'dataset')}, one for each true state"
        raise InvalidArgument("observations", f"{len(observations)} of them", expected)
    read = [{int(label) for label in encode(batch)} for batch in observations]
    if any(len(labels) != 1 for labels in read):
        return None
    label_of = tuple(labels.pop() for labels in read)
    if set(label_of) != set(range(model.states)) or model.states != truth.states:
        return None
    agree = all(
        model.table[label_of[state]] == tuple(label_of[to] for to in row)
        for state, row in enumerate(truth.table)
    )
    return label_of if agree else None
