"""The one place where this guard touches the live checker, and where old files are translated.

The corpus has certificates of version 2 for good. When the live checker reads another version,
`translated` turns each file into one of that version, and nothing else here changes.
"""

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed


def translated(data: bytes) -> bytes:
    """A certificate of version 2 as the live checker reads it: today, as it is.

    A file that is no certificate of version 2 stays as it is, too.
    """
    return data


def live_verdict(data: bytes) -> str:
    """`accepted`, `malformed`, or `rejected: RULES` with the rules that are broken."""
    try:
        findings = judged(translated(data)).findings
    except Malformed:
        return "malformed"
    rules = sorted({finding.rule for finding in findings})
    return f"rejected: {' '.join(rules)}" if rules else "accepted"
