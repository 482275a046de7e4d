"""The rules for a looped run, and what acceptance means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.findings import counted

if TYPE_CHECKING:
    from proofs_checks.checker.looped.entries import Certificate

RULES = {
    "digest": "the file is as it was written",
    "recipe": "the method is looped, and the constants are the paper's",
    "order": "the entries are those of Algorithms 1 and 2, in their order: none missing, none more",
    "words": "each word is the one that follows from the model so far",
    "plans": "each plan starts where the last one ended, and is as long as the formulas say",
    "numbers": "loops, datasets and decisions are numbered in order; times rest on earlier ones",
    "times": "each dataset was read at exactly the times of the schedule, one row for each time",
    "samples": "each dataset has as many rows as its test needs, after settling, inside the plan",
    "separation": "rows at least t̂_mix apart, in each dataset and wherever two are compared",
    "comparisons": "each test compared the datasets that the algorithm compares",
    "period": "tests go from N down to the first that separated, and the period is what they say",
    "labels": "verdicts go from state 0 on to the first 0, and labels are what they say",
    "transitions": "they are those of the cycles that were found, and none contradicts another",
    "table": "the table is total, strongly connected, and what the calls add up to",
    "bounds": "the table has at most N states, and at most |F|, and a diameter of at most D̂",
    "tracking": "the table, followed through all plans, leads to every position that was found",
    "tour": "ā follows from the table, covers it, returns, and is run as often as d asks",
    "encoder": "one classifier of the class for each state, all different",
    "charges": "each charge is what its tests cost",
    "budget": "the charges sum to what is stated, and to no more than δ",
    "steps": "the steps of the plans sum to what is stated",
    "current": "the current state is the one in which the last plan ended",
}

EXPLANATION = """\
Acceptance means that the record is complete and agrees with itself: every plan, every time at
which a row was read, every comparison, label, charge and transition is what Algorithms 1 and 2
prescribe for the stated parameters and verdicts, and the stated table agrees with all of them. If
the run took place as recorded and the assumptions hold, then with probability at least 1 − δ the
table is the true one up to the names of the states, and each classifier errs on each state with
probability at most ε. Acceptance does not show that a run took place: a certificate can be
written without one. It does not show that the assumptions hold, that verdicts and classifiers are
those that the oracle gave, or who wrote the file: observations are not in it, and the digest is
not a signature."""


def assumptions(c: Certificate) -> tuple[str, ...]:
    """What remains to be believed: no certificate can show it."""
    p = c.parameters
    classifiers, states = counted(p.class_size, "classifier"), counted(p.max_states, "state")
    return (
        "the run took place: every row was read at its time from one unbroken trajectory",
        "F has a one-versus-rest classifier for each latent state (realizability)",
        f"F has at most {classifiers}, and the oracle returns a separating one if any",
        f"there are at most {states}, at most {counted(p.max_diameter, 'step')} apart",
        f"the noise ignores actions and mixes within {counted(p.mixing_time, 'step')}",
        "the latent dynamics are deterministic, and every state reaches every other",
        "verdicts and classifiers are those that the oracle gave",
    )
