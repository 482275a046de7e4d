"""The command `python -m proofs_checks.checker FILE`."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import textwrap
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from proofs_checks.checker import certain, coins, factored, located, looped, slipping
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import (
    LABELS_PER_SHARE,
    LARGEST_FILE,
    LEAST_STEPS,
    MOST_SHARES,
    STEPS_PER_BYTE,
    Malformed,
    NoFile,
    counted,
    read_bytes,
    read_table,
)
from proofs_checks.checker.verified import NotVerified

if TYPE_CHECKING:
    from proofs_checks.checker.judging import Verdict
    from proofs_checks.checker.reading import Finding

ACCEPTED, FAULT, USAGE, MALFORMED, REJECTED = 0, 1, 2, 3, 4
FAILURES = {
    NoFile: ("unreadable", USAGE),
    NotVerified: ("not verified", USAGE),
    Malformed: ("malformed", MALFORMED),
}

EPILOG = f"""exit codes:
  0  accepted: every rule holds (the printed assumptions are not checked)
  4  rejected: a rule is broken, or (with --dynamics) a verdict was wrong
  3  malformed: the file is not a certificate, or is too large or too costly to check
  2  usage error, or the file does not exist or cannot be read, or (with --verified) the
     verified checker is not built or does not read such files
  1  internal error of the checker

limits:
  FILE must be a regular file (not a pipe or a device) of at most {LARGEST_FILE >> 20} MB
  checking takes at most {LEAST_STEPS:,} steps of work and {STEPS_PER_BYTE} for each byte, some
  seconds for each MB; a located run as many again for each {LABELS_PER_SHARE} labels that its rows
  tell apart, up to {MOST_SHARES} times that
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m proofs_checks.checker",
        description="Check the certificate of a STEEL run: recompute the record from the formulas "
        "and the recorded verdicts or rows alone, and compare. The checker uses only the standard "
        "library and imports nothing of the learner.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the certificate")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument("--explain", action="store_true", help="explain what acceptance means")
    parser.add_argument(
        "--dynamics", type=Path, metavar="FILE", help="true transition table, JSON [[T(0,0), …], …]"
    )
    parser.add_argument("--start", type=int, default=0, help="true start state for --dynamics [0]")
    parser.add_argument(
        "--verified",
        action="store_true",
        help="also run the checker that is extracted from the Coq proofs (certain and "
        "located runs; see proofs_checks/coq)",
    )
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        # A file name or character that the terminal cannot encode must not stop the checker.
        sys.stdout.reconfigure(errors="replace")
    if options.file is None:
        if not options.explain:
            parser.error("expected the FILE of a certificate")
        for method in (looped, located, certain, coins, factored, slipping):
            _say(f"Method {method.__name__.rpartition('.')[2]}. {method.EXPLANATION}")
        return ACCEPTED
    try:
        verdict = judged(read_bytes(options.file))
        findings = verdict.findings
        if options.verified and not findings:
            findings = verdict.verified()
        if options.dynamics is not None and not findings:
            table = read_table(read_bytes(options.dynamics), verdict.actions)
            if not 0 <= options.start < len(table):
                parser.error(f"--start: expected a state from 0 to {len(table) - 1}")
            findings = list(verdict.against(table, options.start))
    except (NoFile, NotVerified, Malformed) as why:
        said, code = FAILURES[type(why)]
        if options.json:
            print(json.dumps({"verdict": said, "message": str(why)}, indent=2))
        else:
            print(_printable(f"{options.file}: {said}: {why}"))
        return code
    if options.json:
        print(json.dumps(_report(verdict, findings), indent=2, ensure_ascii=False))
    elif findings:
        for finding in findings:
            print(_printable(f"{options.file}: {finding}"))
        print(f"Rejected: {len(findings)} finding{'s' if len(findings) > 1 else ''}.")
    else:
        _print_acceptance(verdict)
        if options.verified:
            _say(verdict.verified_means)
    if options.explain and not options.json:
        _say(verdict.meaning)
    return REJECTED if findings else ACCEPTED


def _printable(text: str) -> str:
    """Return a text with escapes for its control characters, which could steer the terminal."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def _report(verdict: Verdict, findings: list[Finding]) -> dict[str, object]:
    """The verdict for a program."""
    return {
        "verdict": "rejected" if findings else "accepted",
        "method": verdict.method,
        "rules": verdict.rules,
        "findings": [{"rule": f.rule, "place": f.place, "message": f.message} for f in findings],
        "assumptions": verdict.assumptions,
        "meaning": " ".join(verdict.meaning.split()),
        "steps": verdict.steps,
        "digest": verdict.digest,
    }


def _print_acceptance(verdict: Verdict) -> None:
    learned = counted(verdict.learned, verdict.what)
    steps = counted(verdict.steps, "step")
    if verdict.delta is None:
        print(f"Accepted: {learned} decided by {steps}, for every noise.")
    else:
        print(f"Accepted: {learned} learned in {steps}, δ = {verdict.delta}.")
    print("Rules that hold:")
    for name, meaning in verdict.rules.items():
        _say(f"  ✓ {name}: {meaning}")
    print("Assumptions that remain:")
    for assumption in verdict.assumptions:
        _say(f"  • {assumption}")


def _say(line: str) -> None:
    """Print a line; on a terminal, wrap it at spaces to the terminal's width."""
    if sys.stdout.isatty():
        line = textwrap.fill(
            line,
            shutil.get_terminal_size().columns,
            subsequent_indent="    " if line.startswith(" ") else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
    print(line)


def _run() -> int:
    """Run the command and return its exit code; a closed output pipe causes no traceback."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAULT
    return code


if __name__ == "__main__":
    sys.exit(_run())
