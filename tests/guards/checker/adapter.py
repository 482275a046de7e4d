"""The one place where this guard touches the live checker, and where rules are renamed.

The corpus has certificates of version 2 for good. The live checker translates them into its own
version (`proofs_checks/checker/version2.py`).
"""

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed

RENAMED = {"method": "recipe"}
"""Rules of the live checker that have another name than in the frozen one."""


def live_verdict(data: bytes) -> str:
    """`accepted`, `malformed`, or `rejected: RULES` with the rules that are broken."""
    try:
        findings = judged(data).findings
    except Malformed:
        return "malformed"
    rules = sorted({RENAMED.get(finding.rule, finding.rule) for finding in findings})
    return f"rejected: {' '.join(rules)}" if rules else "accepted"
