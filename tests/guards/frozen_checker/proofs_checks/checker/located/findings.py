"""The rules for a located run, and what acceptance means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.findings import counted

if TYPE_CHECKING:
    from proofs_checks.checker.located.entries import Certificate

RULES = {
    "digest": "the stated digest is the digest of the file's content",
    "recipe": "the method is 'located', and so is the recipe for the constants",
    "order": "the record has exactly the entries of the algorithm, in their order",
    "plans": "each action, loop and pass is the one that the earlier rows determine",
    "rows": "rows are numbered in order, and one is read at each time of the algorithm",
    "periods": "the remaining periods of a loop are those that its rows do not refute",
    "same": "labels are merged if and only if their rows prove that they are one state",
    "proofs": "for half-spaces, a separator or a common point of the hulls proves each verdict",
    "walk": "each walk, fixed before its passes, follows the table, visits all states and returns",
    "passes": "each round has the number of passes that its share of δ requires",
    "encoder": "each classifier is one the oracle may choose: 1 on its state's rows, 0 on others",
    "checks": "in each pass, the encoder fails on exactly the states that the record states",
    "charges": "round k is charged δ/(k(k+1)), even if it failed",
    "bounds": "the table has at most N states, and at least two if N ≥ 2",
    "table": "the table is the closed strongly connected component that the run found",
    "current": "the current state is the one in which the last pass ended",
    "budget": "the charges sum to the stated total, which is at most δ",
    "steps": "the steps of the plans sum to the stated total",
}

EXPLANATION = """\
Acceptance means that the whole run was recomputed from the recorded rows: every action, label,
merge, refuted period, walk, classifier and check is what located STEEL does when it sees these
rows, every round of validation is in the record, and the last one passed. If the rows are what the
world showed, in one unbroken trajectory that is the only one that was run, and the assumptions
hold, then with probability at least 1 − δ the table is the true one up to the names of the states,
and the encoder errs on each state with probability at most ε. Acceptance does not show that the
assumptions hold, that the rows were observed, that no other run was made and thrown away, or who
wrote the file: the digest is not a signature."""


def assumptions(c: Certificate) -> tuple[str, ...]:
    """Return the assumptions that remain: no certificate can show them."""
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
