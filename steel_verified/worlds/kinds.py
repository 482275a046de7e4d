"""The type of a catalogue entry: what is known of each kind of world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from steel_verified.errors import InvalidArgument
from steel_verified.worlds.instances import RunnableInstance, Simulation

if TYPE_CHECKING:
    from steel_verified.theory.parameters import Extent, Parameters

Number = TypeVar("Number", int, float)

Sizes: TypeAlias = Mapping[str, float]
"""Chosen sizes by name. A size that is left out has its default."""


@dataclass(frozen=True, slots=True)
class Size(Generic[Number]):
    """A number that a user can choose for a kind of world.

    Limits are checked when the world is drawn, because some of them depend on several sizes.
    """

    name: str
    number: type[Number]
    default: Number
    help: str

    def of(self, sizes: Sizes) -> Number:
        """The chosen number or the default; raises `InvalidArgument` if it is not finite, or is
        a fraction where an integer is needed.
        """
        if self.name not in sizes:
            return self.default
        value = sizes[self.name]
        if not isfinite(value):
            raise InvalidArgument(self.name, value, "a finite number")
        number = self.number(value)
        if number != value:
            raise InvalidArgument(self.name, value, "an integer")
        return number


AnySize: TypeAlias = Size[int] | Size[float]


@dataclass(frozen=True, slots=True)
class Setting:
    """The parameters that a learner is given, the true extent, and the place in the paper."""

    name: str
    parameters: Parameters
    extent: Extent
    place: str


@dataclass(frozen=True, slots=True)
class Bits:
    """Observations are vectors of this many bits."""

    count: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """Observations are numbers from 0 to count − 1."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of world: everything that commands, experiments, figures and Gymnasium use."""

    name: str
    sizes: tuple[AnySize, ...]
    setting: Callable[[Sizes], Setting]
    draw: Callable[[int, Sizes], Simulation]
    """Draws a world from a seed; raises `InvalidArgument` for sizes outside their limits."""
    observations: Callable[[Sizes], Bits | Numbers]
    letters: str = ""
    """A letter for each action, if the paper uses letters."""

    @property
    def gymnasium_id(self) -> str:
        """The name of the registered Gymnasium environment."""
        title = "".join(word.capitalize() for word in self.name.split("-"))
        return f"steel_verified/{title}-v0"

    def instance(self, env_seed: int, sizes: Sizes) -> RunnableInstance:
        """Draw a world from a seed, with the paper's parameters for its sizes."""
        if env_seed < 0:
            raise InvalidArgument("env_seed", env_seed, "at least 0")
        simulation = self.draw(env_seed, sizes)
        drawn = simulation.drawn
        setting = self.setting(sizes)
        return RunnableInstance(
            name=setting.name,
            parameters=setting.parameters,
            dynamics=drawn.dynamics(),
            start=drawn.start,
            first_action=drawn.first_action,
            layout=drawn.layout(),
            letters=self.letters,
            env_seed=env_seed,
            simulation=simulation,
            width=self.observations(sizes).count,
        )
