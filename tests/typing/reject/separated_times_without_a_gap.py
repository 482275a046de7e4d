"""Times that must be separated come with the gap."""

from steel_verified.theory.progressions import Progression
from steel_verified.theory.schedules import SeparatedTimes

TIMES = (Progression(7),)

SeparatedTimes(pieces=TIMES)  # expect: call-arg, argument "apart"
SeparatedTimes(pieces=[7, 50], apart=40)  # expect: arg-type, expected "tuple[Progression, ...]"
