"""The rules for a looped run, and what acceptance means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.findings import counted

if TYPE_CHECKING:
    from proofs_checks.checker.looped.entries import Certificate

RULES = {
    "digest": "the stated digest is the digest of the file's content",
    "recipe": "the method is 'looped', and the constants are the paper's",
    "order": "the record has exactly the entries of Algorithms 1 and 2, in their order",
    "words": "each word is the one that the algorithm computes from the model so far",
    "plans": "each plan starts where the last one ended, and has the length of the formulas",
    "numbers": "loops, datasets, decisions are numbered in order; times depend on earlier ones",
    "times": "each dataset was read at exactly the times of the schedule, one row for each time",
    "samples": "each dataset has the rows its test needs, all after the transient and in the plan",
    "separation": "rows are at least t̂_mix apart, in each dataset and between compared ones",
    "comparisons": "each test compared the datasets that the algorithm compares",
    "period": "periods N, N−1, … are tested until one is separated: this is the period, else 1",
    "labels": "verdicts are for states 0, 1, … up to the first 0, and determine the labels",
    "transitions": "the transitions are those of the cycles found, without contradiction",
    "table": "the table is total, strongly connected, and holds the transitions of the calls",
    "bounds": "the table has at most N states, and at most |F|, and a diameter of at most D̂",
    "tracking": "following the table through all plans gives the state found at every position",
    "tour": "ā is computed from the table, visits all states, returns, and is run as d requires",
    "encoder": "each state has one classifier of the class, and all are different",
    "charges": "each decision is charged exactly what its tests cost",
    "budget": "the charges sum to the stated total, which is at most δ",
    "steps": "the steps of the plans sum to the stated total",
    "current": "the current state is the one in which the last plan ended",
}

EXPLANATION = """\
Acceptance means that the record is complete and consistent: every plan, every time at
which a row was read, every comparison, label, charge and transition is what Algorithms 1 and 2
prescribe for the stated parameters and verdicts, and the stated table agrees with all of them. If
the run took place as recorded and the assumptions hold, then with probability at least 1 − δ the
table is the true one up to the names of the states, and each classifier errs on each state with
probability at most ε. Acceptance does not show that a run took place: a certificate can be
written without one. It does not show that the assumptions hold, that verdicts and classifiers are
those that the oracle gave, or who wrote the file: observations are not in it, and the digest is
not a signature."""


def assumptions(c: Certificate) -> tuple[str, ...]:
    """Return the assumptions that remain: no certificate can show them."""
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
