"""A run has one method, which holds its parameters: there are no others to give."""

from steel_verified.theory.parameters import Parameters
from steel_verified.learning.looped import Looped
from steel_verified.using.attempt import attempt
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle


def without_a_method(world: IdealWorld, parameters: Parameters) -> object:
    return attempt(world, PerfectOracle(), parameters)  # expect: arg-type, expected "Certain


def with_both(world: IdealWorld, checked: Parameters, followed: Looped) -> object:
    return attempt(  # expect: call-arg, argument "parameters"
        world, PerfectOracle(), followed, parameters=checked
    )


def afterwards(method: Looped, parameters: Parameters) -> None:
    method.parameters = parameters  # expect: misc, "parameters" defined in "Looped"
    Looped(method)  # expect: arg-type, expected "Parameters"
