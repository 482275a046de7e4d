"""The text of VIOLATIONS.md around its tables."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from steel_verified.experiments.violations import FIRST_SEED

FAILS: Final = Fraction(2, 1000)
"""Without a violation, a run is not right with probability at most α + δ, each 1/1000."""
FALSE_ALARM: Final = Fraction(1, 1000)
"""The false-alarm probability of the test: more runs than allowed are not right although
the bound holds."""
HEAD: Final = f"""\
# When a condition does not hold

The guarantee holds under conditions. This study violates each of them in small random worlds, one
at a time, and counts how runs end. Is the result right? Is the violation noticed, and the right
cause named? Or is a wrong model accepted in silence?

`steel_verified/worlds/violated/` draws the worlds: 3 to 8 states, 2 or 3 actions, noise that
classifiers of F can read, and a class F that contains both constants, as every linear class does.
Their seeds begin at {FIRST_SEED:,}. The self-check and the ranking of causes were tuned on worlds
with seeds below 6,000, so no world of this page was used for that.

Each run is made once, with the self-check, and ends in one of these ways:

- **right**: accepted, and the guaranteed statement is true: the dynamics are exact up to
  relabelling, and the encoder errs with probability at most ε.
- **noticed**: not accepted. The violated condition is named as the most likely cause (*cause
  first*), it is named after another one (*cause named*), or it is not named (*other cause*).
- **twin**: accepted, and the guaranteed statement is false in this world. But it is true in another
  world that satisfies all conditions and in which everything the run saw is at least as likely. So
  there was nothing to notice.
- **too little**: as for a twin, but what the run saw is less likely in the other world, by a factor
  of at most 100.
- **silent**: accepted, and the guaranteed statement is false; no such other world is known.

**Why no check can notice many of the twins.** Take one world that satisfies all conditions, and all
runs that are at most k times as likely in the true world as in this world. The probability that
such a run happens and is noticed is at most k times as large in the true world as in this world. In
this world it would be a false alarm, which has probability at most α. So no check can notice such
runs with a probability above kα (this is the Neyman–Pearson lemma). With α = 1/1000 the limit is
1/1000 for twins (k = 1), and 1/10 for *too little* (k = 100).

**How to reproduce it.** `steel reproduce violations --recorded` shows the tables, and
`steel reproduce violations --page` prints this page, both from the recorded rows in the package.
`steel reproduce violations --results FOLDER` records them again, in about an hour of CPU time; if
it is stopped, the same command continues it. The tests repeat 30 worlds of each kind, and `make
deep` repeats all recorded ones.

**What counts as true.** If steps slip: the most likely transitions. If the run cannot return to a
part of the world: what can still be reached. If a transition changes during the run: the dynamics
at the end; if that transition was not taken after the change, the world without the change is a
twin. If the action decides the noise: state and noise together may be the state of a twin. If all
conditions hold: a run that is not right is a false alarm, or a failure that δ = 1/1000 allows.

An |F| smaller than the class is rejected before the run starts. Oracles that miss classifiers, and
trajectories with resets, are not part of this study.
"""
FALSE_ALARMS_NOTE: Final = (
    "If α = 1/1000 and δ = 1/1000 hold, each row exceeds the allowed number of runs that are not "
    "right with probability at most 1/1000. Slow noise here has t̂_mix = t_mix, up to some 100 "
    "steps."
)
EVIDENCE_NOTE: Final = (
    "This table has all runs that learned a wrong model without a twin, and shows how many of them "
    "the self-check noticed. The runs are grouped by the evidence against the model, in decades: "
    "log10 of how many times likelier the observations are in the true world than in the best "
    "world that satisfies all conditions and has the learned dynamics. Only rows at times that "
    "were fixed beforehand count: all rows of a looped run, but only the rows of the last "
    "validation of a located run. The learner chose the rows of exploration depending on what it "
    "saw, so no bet is made on them; they can only show a certain contradiction to a model. A test "
    "checks that every silent world is below the stated size, and that looped runs from that size "
    "on are noticed with a power of 90 %. Located runs have few samples and hardly ever reach it: "
    "the rows of a validation rarely contradict the model that this validation accepted."
)
SILENT_NOTE: Final = (
    "In parentheses is the evidence against the model in decades, as in the table above. "
    "At 0 decades, the rows on which bets are allowed fit the learned model as well as the truth: "
    "the error was visible only during exploration, or not at all."
)

FRESH_NOTE: Final = (
    "The two columns of a pair count the same worlds: without fresh steps, and with them. Fresh "
    "steps take all transitions again, in random order, so they show most violations that a twin "
    "explained before, and the replay of these steps is certain. A run that is silent only with "
    "fresh steps learned one state: without them, it has too few samples for such a model to be "
    "accepted (1,024 are needed). With them it is accepted, with the warning that one state fits "
    "every run."
)


def most_failures(runs: int, chance: Fraction, alarm: Fraction) -> int:
    """The least number that failures exceed with at most this chance; runs are independent."""
    odds = float(chance / (1 - chance))
    left, term, failures = 1.0, float(1 - chance) ** runs, 0
    while (left := left - term) > alarm:
        failures += 1
        term *= odds * (runs - failures + 1) / failures
    return failures
