"""One world drawn from a seed, with everything that a run or a prediction needs.

Worlds have different types of observations, which `simulation` hides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from steel_verified.classes.finite import Components, Tables
from steel_verified.errors import InvalidArgument
from steel_verified.theory.parameters import Extent, Parameters
from steel_verified.theory.wording import counted
from steel_verified.worlds.pictures import Colour, spread_out
from steel_verified.worlds.slipping import SlipLaw, slipping

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class, Declared
    from steel_verified.evidence.plans import World
    from steel_verified.learning.results import Result
    from steel_verified.worlds.dynamics import Dynamics, Truth
    from steel_verified.worlds.simulated import SimulatedWorld

MOST_LOOKS: Final = 10**7
"""The diameter of some 2,200 states with two actions takes a second or two."""

Batch = TypeVar("Batch", bound=Sized)
Seen = TypeVar("Seen")


class Drawn(Protocol):
    """What is known of a world drawn from a seed, whatever its type of observations."""

    @property
    def start(self) -> int: ...

    @property
    def first_action(self) -> int: ...

    def dynamics(self) -> Dynamics: ...

    def truth(self) -> Truth: ...

    def layout(self) -> list[tuple[float, float]]: ...

    @property
    def colours(self) -> Sequence[tuple[Colour, str]]:
        """What the colours of the cells in its pictures mean."""
        ...

    def see(self, noise_seed: int) -> Callable[[int, int], object]:
        """Return a function that returns the observation at a time, in a state."""
        ...

    @property
    def longest_run(self) -> int: ...


class DrawnWorld(Drawn, Protocol[Batch, Seen]):
    """What the module of each world provides once the world is drawn from a seed."""

    def oracle(self) -> Class[Batch]: ...

    def world(self, noise_seed: int) -> SimulatedWorld[Batch]: ...

    def see(self, noise_seed: int) -> Callable[[int, int], Seen]: ...

    def picture(self, seen: Seen) -> NDArray[np.uint8]: ...


class Learner(Protocol):
    """A learning algorithm with its settings. It works for every type of observations."""

    def __call__(self, world: World[Batch], oracle: Class[Batch], /) -> Result: ...


@dataclass(frozen=True, slots=True)
class Simulation:
    """A drawn world whose type of observations is hidden."""

    drawn: Drawn
    declared: Callable[[], Declared]
    """Returns how the class of classifiers is described in a certificate."""
    functions: Callable[[], Components | Tables | None]
    """Returns the class of classifiers, if it is one that can be saved."""
    pictures: Callable[[int], Callable[[int, int], NDArray[np.uint8]]]
    """Returns, for a noise seed, a function from a time and a state to a board of what is observed
    then."""
    learned_by: Callable[[Learner, int, SlipLaw | None], tuple[Result, int]]
    """Runs a learner on the world with a noise seed, whose steps may slip. Returns its result, and
    the true state at the end."""


def simulation(drawn: DrawnWorld[Batch, Seen]) -> Simulation:
    def functions() -> Components | Tables | None:
        oracle: object = drawn.oracle()
        return oracle if isinstance(oracle, Components | Tables) else None

    def pictures(noise_seed: int) -> Callable[[int, int], NDArray[np.uint8]]:
        see = drawn.see(noise_seed)
        return lambda time, state: drawn.picture(see(time, state))

    def learned_by(learner: Learner, noise_seed: int, law: SlipLaw | None) -> tuple[Result, int]:
        steady = drawn.world(noise_seed)
        world = steady if law is None else slipping(steady, law)
        return learner(world, drawn.oracle()), world.state

    return Simulation(
        drawn,
        lambda: drawn.oracle().declared,
        functions,
        pictures,
        learned_by,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """Known dynamics with a start and parameters: enough to predict a run and to draw it."""

    name: str
    parameters: Parameters
    dynamics: Dynamics
    start: int
    first_action: int
    layout: Sequence[tuple[float, float]]
    """Where to draw each state."""
    letters: str = ""
    """A letter for each action, if the paper uses letters."""

    @property
    def extent(self) -> Extent:
        """The true number of states and the true diameter."""
        return Extent(self.dynamics.states, self.dynamics.diameter)

    def action_name(self, action: int) -> str:
        """The letter of an action, or its number if the actions have no letters."""
        return self.letters[action] if self.letters else str(action)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnableInstance(Instance):
    """An instance that can also be run: it has observations, and a truth for comparison."""

    env_seed: int
    simulation: Simulation
    width: int
    """The number of bits of an observation, or the number of different observations."""


def instance_of_table(name: str, dynamics: Dynamics) -> Instance:
    """An instance of the user's own dynamics: the bounds are the truth, δ = ε = 1/20."""
    looks = dynamics.states**2 * dynamics.actions
    if looks > MOST_LOOKS:
        raise InvalidArgument(
            "table",
            f"{counted(dynamics.states, 'state')} and {counted(dynamics.actions, 'action')}",
            f"|S|²|A| of at most {MOST_LOOKS:,}, not {looks:,}: the diameter is found by looking "
            "at every transition from every state",
        )
    return Instance(
        name=name,
        parameters=Parameters(
            actions=dynamics.actions,
            max_states=dynamics.states,
            max_diameter=dynamics.diameter,
            mixing_time=1,
            class_size=dynamics.states,
            delta=Fraction(1, 20),
            epsilon=Fraction(1, 20),
        ),
        dynamics=dynamics,
        start=0,
        first_action=0,
        layout=spread_out(dynamics.table),
    )
