"""The study of slips: located STEEL if each step leads to a wrong state with a small probability.

Each job runs one kind of world with one slip probability, for a block of seeds, with and without
the self-check. Other jobs learn with several attempts that vote.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from steel_verified.experiments.slipping_runs import How, catalogue_run, random_run
from steel_verified.sweeps.study import Job, at_once
from steel_verified.theory.slips import MOST_SLIPPED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from steel_verified.experiments.slipping_runs import Went
    from steel_verified.sweeps.study import Row, Study

RATES: Final = tuple(
    Fraction(digit, 10**exponent)
    for digit, exponent in ((1, 5), (2, 5), (5, 5), (1, 4), (3, 4), (1, 3), (3, 3), (1, 2))
)
"""p: the probability of a slip at each step."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Worlds of one kind, and the limits of their runs."""

    name: str
    title: str
    run: Callable[[How, int], Went]
    most_steps: int
    """A run ends as not accepted after this many steps."""
    attempt_steps: int
    """T for attempts that vote; slightly more than a run without slips takes."""
    runs: int
    voted: int
    block: int
    """The number of runs of one job."""
    delta: Fraction
    """δ of these worlds."""


SETTINGS: Final = (
    Setting(
        "random", "small random worlds", random_run, 1_500, 1_500, 400, 100, 20, Fraction(1, 1000)
    ),
    Setting(
        "loop",
        "DoublePrime (11, 13)",
        partial(catalogue_run, "double-prime", {"p": 11, "q": 13}),
        2_000,
        2_000,
        100,
        40,
        10,
        Fraction(1, 20),
    ),
    Setting(
        "lock",
        "lock, K = 20",
        partial(catalogue_run, "combination-lock", {"states": 20}),
        9_000,
        9_000,
        60,
        20,
        5,
        Fraction(1, 20),
    ),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """Runs on worlds of one kind with one slip probability."""

    setting: Setting
    rate: Fraction
    voted: bool

    @property
    def runs(self) -> int:
        return self.setting.voted if self.voted else self.setting.runs

    @property
    def keys(self) -> list[str]:
        """The keys of the rows of these runs."""
        return [self._key(seeds) for seeds in self._blocks()]

    def jobs(self) -> list[Job]:
        return [
            Job(self._key(seeds), partial(fates, self._plain, seeds)) for seeds in self._blocks()
        ]

    @property
    def _plain(self) -> tuple[str, Fraction, bool]:
        return self.setting.name, self.rate, self.voted

    def _blocks(self) -> list[range]:
        block = self.setting.block
        return [range(at, min(at + block, self.runs)) for at in range(0, self.runs, block)]

    def _key(self, seeds: range) -> str:
        how = "voted" if self.voted else "once"
        return (
            f"slips {self.setting.name} {how} p={float(self.rate):.0e} "
            f"seeds={seeds[0]:03d}-{seeds[-1]:03d}"
        )


CELLS: Final = tuple(
    Cell(setting, rate, voted)
    for voted in (False, True)
    for setting in SETTINGS
    for rate in RATES
    if not voted or rate * setting.attempt_steps <= MOST_SLIPPED
)


def slips_study() -> Study:
    """All runs: the first block of every cell, then the second block of each, and so on."""
    rounds = zip_longest(*(cell.jobs() for cell in CELLS))
    return at_once(job for jobs in rounds for job in jobs if job is not None)


def fates(plain: tuple[str, Fraction, bool], seeds: Sequence[int]) -> Row:
    """How each run ended (as a letter), its number of steps, and its number of slips.

    `ended` is the result without the self-check, and `checked` the result with it.
    """
    name, rate, voted = plain
    (setting,) = (each for each in SETTINGS if each.name == name)
    how = How(rate, setting.attempt_steps if voted else setting.most_steps, voted)
    went = [setting.run(how, seed) for seed in seeds]
    return {
        "ended": "".join(one.ended.value for one in went),
        "checked": "".join(one.checked.value for one in went),
        "steps": [one.steps for one in went],
        "slips": [one.slips for one in went],
        "attempts": [one.attempts for one in went],
    }
