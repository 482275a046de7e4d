"""Statements that are put together from other claims, as a proof puts its steps together."""

from __future__ import annotations

from proofs_checks.claim import Evidence, NotEarned, evidence_for


def derived(*steps: str) -> Evidence:
    """Show every step; the whole is as strong as the weakest of them.

    That the steps make up the proof is for a reader to see: the claim lists them in order.
    """
    # Late, because the registry imports the claims, and these import their methods.
    from proofs_checks.registry import all_claims  # noqa: PLC0415

    by_id = {claim.id: claim for claim in all_claims()}
    if not steps or (unknown := [step for step in steps if step not in by_id]):
        raise NotEarned(f"no such steps: {unknown if steps else 'none'}")
    found = [evidence_for(by_id[step]) for step in steps]
    return Evidence(max(part.strength for part in found), "from " + ", ".join(steps))
