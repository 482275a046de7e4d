"""Numbers of the authors: printed in Tables 2, 3 and 4, and logged by their released code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

Pair = tuple[int, int]

_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed number: its value, and the size of one unit in its last digit."""

    text: str
    value: Fraction
    unit: Fraction

    def __str__(self) -> str:
        """The number in the paper's notation: 2.00·10⁶."""
        mantissa, _, exponent = self.text.partition("e")
        return f"{mantissa}·10{exponent.translate(_RAISED)}" if exponent else mantissa

    def agrees_with(self, number: Fraction | int) -> bool:
        """Whether a number, rounded like the printed one, is equal to the printed one."""
        return abs(number - self.value) <= self.unit / 2


def printed(text: str) -> Printed:
    """Parse a number in printed form: "1886582", "2.00e6", "0.07"."""
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return Printed(text, Fraction(text), Fraction(10) ** (int(exponent or 0) - decimals))


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """A column of Table 2, and the logs of the same runs."""

    fixed_steps: Printed
    """Printed with ± 0."""
    mean_steps: Printed
    spread_of_steps: Printed
    logged_fixed: int
    """Equal in each of 20 runs with environment seed 0 and noise seeds 0 … 19."""
    logged: tuple[int, ...]
    """With environment and noise seeds 20 … 39."""


SUCCESSES: Final = "20/20"
"""The same in every column of Table 2, printed and logged, in both kinds of environment."""

# fmt: off
SIMULATED: Final = {
    "combination-lock-20": Simulated(
        fixed_steps=printed("1886582"), mean_steps=printed("2.00e6"),
        spread_of_steps=printed("1.28e5"), logged_fixed=1_886_582,
        logged=(
            1_931_357, 1_970_678, 1_787_676, 1_982_579, 1_886_582,
            2_245_116, 1_958_216, 1_976_761, 1_946_580, 2_080_807,
            2_058_213, 1_808_452, 2_083_676, 2_209_481, 2_002_942,
            1_837_129, 2_065_809, 1_953_489, 1_944_762, 2_212_390,
        ),
    ),
    "combination-lock-30": Simulated(
        fixed_steps=printed("4286241"), mean_steps=printed("4.78e6"),
        spread_of_steps=printed("4.36e5"), logged_fixed=4_282_081,
        logged=(
            5_821_656, 4_226_256, 4_262_247, 5_241_801, 5_593_713,
            4_229_580, 4_467_663, 4_918_911, 4_719_303, 4_909_546,
            4_562_760, 4_834_340, 4_370_220, 4_954_971, 4_658_148,
            4_671_570, 4_371_279, 4_289_101, 4_768_931, 4_411_635,
        ),
    ),
    "combination-lock-40": Simulated(
        fixed_steps=printed("7914856"), mean_steps=printed("9.59e6"),
        spread_of_steps=printed("1.13e6"), logged_fixed=7_914_856,
        logged=(
            8_609_971, 8_767_151, 8_275_286, 8_690_428, 9_217_323,
            8_559_492, 9_998_183, 7_935_252, 9_666_196, 8_372_506,
            9_325_487, 9_904_672, 8_477_892, 11_182_608, 9_175_869,
            8_723_249, 8_644_655, 9_165_687, 9_835_238, 9_117_030,
        ),
    ),
    "multi-maze": Simulated(
        fixed_steps=printed("41003875"), mean_steps=printed("4.13e7"),
        spread_of_steps=printed("1.11e6"), logged_fixed=40_899_175,
        logged=(
            41_270_705, 42_323_823, 39_881_967, 42_323_823, 41_809_784,
            42_713_219, 42_609_632, 41_355_893, 40_606_112, 40_383_734,
            42_101_963, 38_701_665, 41_232_033, 40_291_636, 40_193_290,
            41_809_784, 42_609_632, 41_377_030, 40_291_636, 40_383_734,
        ),
    ),
}
# fmt: on


@dataclass(frozen=True, slots=True)
class PrimeLoopSteps:
    """A column of Table 3: the maximum of the steps, and the median on DoublePrime."""

    steel: Printed
    ac_state: Printed
    ratio: Printed
    steel_median: Printed
    ac_state_median: Printed
    ratio_of_medians: Printed


def _column(*texts: str) -> PrimeLoopSteps:
    return PrimeLoopSteps(*map(printed, texts))


# Ratios have the number of digits that is meant: 50 has one, 150 has two.
PRIME_LOOPS: Final[dict[Pair, PrimeLoopSteps]] = {
    (3, 5): _column("5.97e4", "4e3", "0.07", "2.50e4", "3e3", "0.1"),
    (5, 7): _column("1.49e5", "4e4", "0.3", "7.48e4", "3e4", "0.4"),
    (11, 13): _column("9.07e5", "1e6", "1", "5.23e5", "8e5", "1.5"),
    (17, 19): _column("2.60e6", "8e6", "3", "1.08e6", "7e6", "6"),
    (29, 31): _column("1.10e7", "1e8", "9", "1.74e6", "9e7", "5e1"),
    (41, 43): _column("2.83e7", "5e8", "18", "3.29e6", "5e8", "15e1"),
}


@dataclass(frozen=True, slots=True)
class ExplorationSteps:
    """A column of Table 4: maximum and median of AC-State's steps on DoublePrime, two policies."""

    uniform: Printed
    exploring: Printed
    uniform_median: Printed
    exploring_median: Printed


EXPLORATION: Final[dict[Pair, ExplorationSteps]] = {
    pair: ExplorationSteps(*map(printed, texts))
    for pair, texts in {
        (3, 5): ("4e3", "8e3", "3e3", "6e3"),
        (5, 7): ("4e4", "6e4", "3e4", "4e4"),
        (11, 13): ("1e6", "2e6", "8e5", "2e6"),
        (17, 19): ("8e6", "2e7", "7e6", "2e7"),
        (29, 31): ("1e8", "2e8", "9e7", "2e8"),
    }.items()
}
