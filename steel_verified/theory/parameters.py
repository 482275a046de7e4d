"""The inputs of the learner, and the true |S| and D, which it does not know."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from steel_verified.errors import InvalidArgument
from steel_verified.theory.validation import LEAST_DELTA

ONE_IN_20: Final = Fraction(1, 20)
"""The default of δ and ε: the value in the paper's experiments (l. 270)."""


class HasActions(Protocol):
    """The part of a world that the bounds depend on: its number of actions."""

    @property
    def actions(self) -> int: ...


def require_world(world: object) -> None:
    """Raise `InvalidArgument` unless this is a world; say how to convert a Gymnasium env."""
    require_object("world", world)
    if not hasattr(world, "actions"):
        expected = (
            "a world: convert the environment by from_gymnasium(env, seed=…)"
            if hasattr(world, "action_space")
            else "a world that says how many `actions` it has, such as a SteppedWorld"
        )
        raise InvalidArgument("world", type(world).__name__, expected)
    require_integer("world.actions", world.actions, at_least=1)


def require_first_action(first_action: int, actions: int) -> None:
    """Raise `InvalidArgument` unless this is an action."""
    require_integer("first_action", first_action, at_least=0)
    if first_action >= actions:
        raise InvalidArgument("first_action", first_action, f"0 to {actions - 1}")


def require_actions(parameters: Parameters | LocatedParameters, actions: int) -> None:
    """Raise `InvalidArgument` unless these are parameters for a world with this many actions."""
    if parameters.actions != actions:
        expected = f"{actions}, the number of actions of the world"
        raise InvalidArgument("actions", parameters.actions, expected)


class HasSize(Protocol):
    """The part of a class of classifiers that the bounds depend on: its size."""

    @property
    def class_size(self) -> int | None: ...


def require_oracle(oracle: object) -> None:
    """Raise `InvalidArgument` unless this is a class of classifiers with a search in it."""
    require_object("F", oracle)
    if not hasattr(oracle, "class_size"):
        expected = "a class of classifiers, such as Components(8)"
        raise InvalidArgument("F", type(oracle).__name__, expected)


def require_parameters(parameters: object, *, of_paper: bool = False) -> None:
    """Raise `InvalidArgument` unless these are parameters; the paper's algorithm needs all."""
    if not isinstance(parameters, Parameters if of_paper else Parameters | LocatedParameters):
        expected = (
            "Parameters: |F| and D̂ are needed, too; Parameters.of(world, oracle, …) has them"
            if of_paper
            else "Parameters(…) or LocatedParameters(…)"
        )
        raise InvalidArgument("parameters", type(parameters).__name__, expected)


def require_integer(argument: str, value: object, *, at_least: int) -> None:
    """Raise `InvalidArgument` unless this is an integer, and large enough."""
    if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
        raise InvalidArgument(argument, repr(value), f"an integer, at least {at_least}")


def require_object(argument: str, value: object) -> None:
    """Raise `InvalidArgument` for a class where an object of it is meant."""
    if isinstance(value, type):
        name = value.__name__
        raise InvalidArgument(argument, name, f"an object, not its class: write {name}(…)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The inputs of STEEL(M, F, N, D̂, t̂_mix, δ, ε); the number of actions belongs to M.

    `delta` and `epsilon` are fractions because the float 0.05 is not 1/20: write
    `exactly("0.05")`.
    """

    actions: int
    """|A|: the number of actions."""
    max_states: int
    """N ≥ |S|: an upper bound on the number of latent states."""
    max_diameter: int
    """D̂ ≥ D: every state can be reached from every other in at most this many steps."""
    mixing_time: int
    """t̂_mix ≥ t_mix(1/4): the exogenous noise has mixed after this many steps."""
    class_size: int
    """|F|: the number of classifiers in the class that the oracle searches."""
    delta: Fraction
    """δ: the allowed failure probability."""
    epsilon: Fraction
    """ε: the allowed error probability of the encoder, for each state."""

    def __post_init__(self) -> None:
        require_integer("actions", self.actions, at_least=1)
        require_integer("max_states", self.max_states, at_least=1)
        require_integer("max_diameter", self.max_diameter, at_least=0)
        require_integer("mixing_time", self.mixing_time, at_least=1)
        require_integer("class_size", self.class_size, at_least=1)
        require_probability("delta", self.delta)
        require_probability("epsilon", self.epsilon)

    @staticmethod
    def of(
        world: HasActions,
        oracle: HasSize,
        *,
        max_states: int,
        mixing_time: int,
        max_diameter: int | None = None,
        delta: Fraction = ONE_IN_20,
        epsilon: Fraction = ONE_IN_20,
    ) -> Parameters:
        """Return the parameters for a world and a class; |A| and |F| are taken from them.

        D̂ is N − 1 unless it is given.
        """
        require_world(world)
        require_oracle(oracle)
        if oracle.class_size is None:
            expected = "a class of known size; if it is unknown, use LocatedParameters.of(world, …)"
            raise InvalidArgument("oracle.class_size", None, expected)
        require_integer("max_states", max_states, at_least=1)
        return Parameters(
            actions=world.actions,
            max_states=max_states,
            max_diameter=max_states - 1 if max_diameter is None else max_diameter,
            mixing_time=mixing_time,
            class_size=oracle.class_size,
            delta=delta,
            epsilon=epsilon,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedParameters:
    """The inputs of located STEEL: those of `Parameters` without |F| and D̂."""

    actions: int
    max_states: int
    mixing_time: int
    delta: Fraction
    epsilon: Fraction

    def __post_init__(self) -> None:
        require_integer("actions", self.actions, at_least=1)
        require_integer("max_states", self.max_states, at_least=1)
        require_integer("mixing_time", self.mixing_time, at_least=1)
        require_probability("delta", self.delta)
        require_probability("epsilon", self.epsilon)
        if self.delta < LEAST_DELTA:
            expected = "at least 2^−100, about 1e-30, for located STEEL"
            raise InvalidArgument("delta", self.delta, expected)

    @staticmethod
    def of(
        world: HasActions,
        *,
        max_states: int,
        mixing_time: int,
        delta: Fraction = ONE_IN_20,
        epsilon: Fraction = ONE_IN_20,
    ) -> LocatedParameters:
        """Return the parameters for a world, from which |A| comes."""
        require_world(world)
        return LocatedParameters(
            actions=world.actions,
            max_states=max_states,
            mixing_time=mixing_time,
            delta=delta,
            epsilon=epsilon,
        )


def without_class(parameters: Parameters | LocatedParameters) -> LocatedParameters:
    p = parameters
    return LocatedParameters(
        actions=p.actions,
        max_states=p.max_states,
        mixing_time=p.mixing_time,
        delta=p.delta,
        epsilon=p.epsilon,
    )


@dataclass(frozen=True, slots=True)
class Extent:
    """The true number of states |S| and the true diameter D; the step bounds depend on them."""

    states: int
    diameter: int

    def __post_init__(self) -> None:
        require_integer("states", self.states, at_least=1)
        require_integer("diameter", self.diameter, at_least=0)
        # A shortest path repeats no state; two different states are at least one step apart.
        if not min(1, self.states - 1) <= self.diameter <= self.states - 1:
            allowed = "0 for one state" if self.states == 1 else f"1 to |S|−1 = {self.states - 1}"
            raise InvalidArgument("diameter", self.diameter, allowed)


def largest_extent(parameters: Parameters, *, states: int | None = None) -> Extent:
    """Return the largest |S| and D that the parameters allow; with `states`, |S| is given."""
    if states is None:
        states = 1 if parameters.max_diameter == 0 else _most_states(parameters)
    return Extent(states, min(parameters.max_diameter, states - 1))


def require_within(extent: Extent, parameters: Parameters) -> None:
    """Raise `InvalidArgument` if a true extent contradicts the bounds in the parameters."""
    if extent.states > _most_states(parameters):
        bounds = f"max_states = {parameters.max_states} and class_size = {parameters.class_size}"
        raise InvalidArgument(
            "states",
            extent.states,
            f"at most {_most_states(parameters)}, by {bounds} (one classifier for each state)",
        )
    if extent.diameter > parameters.max_diameter:
        raise InvalidArgument(
            "diameter", extent.diameter, f"at most max_diameter = {parameters.max_diameter}"
        )


def _most_states(parameters: Parameters) -> int:
    """Realizability needs a different classifier for each state, so |S| ≤ |F|."""
    return min(parameters.max_states, parameters.class_size)


def require_probability(argument: str, value: object) -> None:
    """Raise `InvalidArgument` unless this is a fraction, strictly between 0 and 1."""
    if not isinstance(value, Fraction):
        expected = f'an exact fraction, such as exactly("{value}")'
        raise InvalidArgument(argument, repr(value), expected)
    if not 0 < value < 1:
        raise InvalidArgument(argument, value, "a number strictly between 0 and 1")
