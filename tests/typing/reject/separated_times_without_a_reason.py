"""Times that must be separated come with the gap and with the reason why they are fixed."""

from steel_verified.theory.progressions import Progression
from steel_verified.theory.schedules import FixedByParameters, SeparatedTimes

TIMES = (Progression(7),)

SeparatedTimes(pieces=TIMES, apart=40)  # expect: call-arg
SeparatedTimes(pieces=TIMES, because=FixedByParameters())  # expect: call-arg
SeparatedTimes(pieces=TIMES, apart=40, because="trust me")  # expect: arg-type
SeparatedTimes(pieces=[7, 50], apart=40, because=FixedByParameters())  # expect: arg-type
