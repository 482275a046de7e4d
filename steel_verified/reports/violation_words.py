"""What the page about violated conditions says around its tables."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from steel_verified.experiments.violations import FIRST_SEED

FAILS: Final = Fraction(2, 1000)
"""A run on an honest world is not right with chance at most α + δ, each 1/1000."""
FALSE_ALARM: Final = Fraction(1, 1000)
"""The chance that more runs than allowed are not right if this holds: that of a false alarm of the
test itself."""
HEAD: Final = f"""\
# When a condition does not hold

The guarantee holds under conditions. Here each of them is broken in small random worlds, one at a
time, and it is counted how runs end: is what was learned right, is the violation noticed, is the
right cause named, or is a wrong model accepted in silence?

The worlds are drawn by `steel_verified/worlds/violated/`: 3 to 8 states, 2 or 3 actions, noise that
classifiers of F can read, and a class F that contains both constants, as every linear class does.
Their seeds begin at {FIRST_SEED:,}. The self-check and the ranking of causes were tuned on worlds
with seeds below 6,000, so no world of this page was used for that.

Each run is made once, with the self-check, and ends in one of these ways:

- **right**: accepted, and what is promised is true: the dynamics up to relabelling, and an encoder
  that errs with chance at most ε.
- **noticed**: not accepted. The broken condition is named as the most likely cause (*cause first*),
  it is named after another one (*cause named*), or it is not named (*other cause*).
- **twin**: accepted, and what is promised is not true of this world, but of another one, which
  satisfies all conditions, and in which all that the run saw is at least as likely. So there was
  nothing to notice.
- **too little**: the same, but what was seen is less likely in the other world, at most 100 times.
- **silent**: accepted, and what is promised is not true; no such other world is known.

**Why no check can notice many of the twins.** Take one world that satisfies all conditions, and all
runs that are at most k times as likely in the true world as there. In the true world such a run
comes and is noticed with a chance that is at most k times as large as in the other world. There it
would be a false alarm, which has chance α at most. So no check, whatever it does, notices such runs
with a chance of more than kα (this is the lemma of Neyman and Pearson). With α = 1/1000 that is
1/1000 for twins (k = 1), and 1/10 for *too little* (k = 100).

**How to reproduce it.** `steel reproduce violations --recorded` shows the tables, and
`steel reproduce violations --page` writes this page, from the rows that are shipped.
`steel reproduce violations --results FOLDER` makes them anew, in about an hour of CPU time; it goes
on where it was stopped. The tests repeat 30 worlds of each kind (3 where a looped run takes long),
and `make deep` repeats all that are recorded.

**What counts as true.** Where dynamics slip, the most likely transitions. Where a part of the world
has no way back, what can still be reached. Where a transition changes during the run, the dynamics
at the end; if it was not taken since, the world without the change is a twin. Where the action
decides the noise, state and noise together may be the state of a twin. Where all conditions hold,
a run that is not right is a false alarm, or a failure that δ = 1/1000 allows.

An |F| that is smaller than the class is refused before a run. Oracles that miss classifiers, and
trajectories with resets, are not among these worlds.
"""
FALSE_ALARMS_NOTE: Final = (
    "If α = 1/1000 and δ = 1/1000 hold, more runs than allowed are not right with chance at most "
    "1/1000 in each row. Slow noise here has t̂_mix = t_mix, up to some 100 steps."
)
EVIDENCE_NOTE: Final = (
    "Here are all runs that learned a wrong model without a twin: how many of them the self-check "
    "noticed. They are grouped by what speaks against the model: log10 of how many times more "
    "likely the true world shows what was seen than the best world that satisfies all conditions "
    "and has the learned dynamics. Only rows count at times that were fixed beforehand: all rows "
    "of a looped run, but of a located run only those of its last validation. The rows of "
    "exploring were chosen by the learner with regard to what it saw, so no bet is made on them; "
    "they are used only to contradict a model surely. A test checks that every silent world is "
    "below the stated size, and that looped runs from that size on are noticed with a power of "
    "90 %. Located runs have few samples and hardly reach it: what a validation accepts, its rows "
    "seldom contradict."
)
SILENT_NOTE: Final = (
    "In parentheses: what speaks against the model, as in the table above. At 0 decades the rows "
    "on which bets may be made speak for the learned model as much as for the truth: what is wrong "
    "showed while the learner explored, or not at all."
)


def most_failures(runs: int, chance: Fraction, alarm: Fraction) -> int:
    """The least number that is exceeded with at most this chance; each run fails independently."""
    odds = float(chance / (1 - chance))
    left, term, failures = 1.0, float(1 - chance) ** runs, 0
    while (left := left - term) > alarm:
        failures += 1
        term *= odds * (runs - failures + 1) / failures
    return failures
