"""The rules for a located run, and what acceptance means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.findings import counted

if TYPE_CHECKING:
    from proofs_checks.checker.located.entries import Certificate

RULES = {
    "digest": "the file is as it was written",
    "recipe": "the method is located, and so are the constants",
    "order": "the entries are those of the algorithm, in their order: none missing, none more",
    "plans": "each action, loop and pass is the one that follows from what was seen before",
    "rows": "rows are numbered in order, and read at the times that are due, one for each",
    "periods": "the periods of a loop that are left are those that the rows do not refute",
    "same": "labels are merged when, and only when, their rows show that they are one state",
    "proofs": "for half-spaces, each verdict has a proof: a separator, or a common point of hulls",
    "walk": "a walk follows from the table, covers it and returns, and is fixed before it is run",
    "passes": "a round has as many passes as its share of δ asks for",
    "encoder": "each classifier is what the oracle chooses: 1 on its state, 0 on all others",
    "checks": "on each pass, the encoder names the states that the record says",
    "charges": "round k costs δ/(k(k+1)), also if it failed",
    "bounds": "the table has at most N states, and more than one where N allows more",
    "table": "the table is a part that cannot be left, as the run has found it",
    "current": "the current state is the one in which the last pass ended",
    "budget": "the charges sum to what is stated, and to no more than δ",
    "steps": "the steps of the plans sum to what is stated",
}

EXPLANATION = """\
Acceptance means that the whole run was computed again from the recorded rows: every action, label,
merge, refuted period, walk, classifier and check is what located STEEL does when it sees these
rows, every round of validation is in the record, and the last one passed. If the rows are what the
world showed, in one unbroken trajectory that is the only one that was run, and the assumptions
hold, then with probability at least 1 − δ the table is the true one up to the names of the states,
and the encoder errs on each state with probability at most ε. Acceptance does not show that the
assumptions hold, that the rows were observed, that no other run was made and thrown away, or who
wrote the file: the digest is not a signature."""


def assumptions(c: Certificate) -> tuple[str, ...]:
    """What remains to be believed: no certificate can show it."""
    p = c.parameters
    return (
        "the rows are what the world showed, in one unbroken trajectory",
        "this run is the only one: none was made before it and thrown away",
        "F has a one-versus-rest classifier for each latent state (realizability)",
        c.functions.trusted,
        f"there are at most {counted(p.max_states, 'state')}",
        f"the noise ignores actions and mixes within {counted(p.mixing_time, 'step')}",
        "the latent dynamics are deterministic, and every state reaches every other",
    )
