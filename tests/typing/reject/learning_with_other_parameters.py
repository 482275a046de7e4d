"""A run has one method, which holds its parameters: there are no others to give."""

from steel_verified.theory.parameters import Parameters
from steel_verified.learning.looped import Looped
from steel_verified.using.attempt import attempt
from steel_verified.worlds.ideal import IdealWorld, PerfectOracle


def without_a_method(world: IdealWorld, parameters: Parameters) -> object:
    return attempt(world, PerfectOracle(), parameters)  # expect: arg-type


def with_both(world: IdealWorld, checked: Parameters, followed: Looped) -> object:
    return attempt(world, PerfectOracle(), followed, parameters=checked)  # expect: call-arg


def afterwards(method: Looped, parameters: Parameters) -> None:
    method.parameters = parameters  # expect: misc
    Looped(method)  # expect: arg-type
