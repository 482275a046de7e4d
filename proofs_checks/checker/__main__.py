"""python -m proofs_checks.checker FILE"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import textwrap
from io import TextIOWrapper
from pathlib import Path

from proofs_checks.checker.findings import RULES, Finding, assumptions
from proofs_checks.checker.reading import LARGEST_FILE, Certificate, Malformed, read
from proofs_checks.checker.rules import check
from proofs_checks.checker.truth import read_table, wrong_verdicts

ACCEPTED, FAULT, USAGE, MALFORMED, REJECTED = 0, 1, 2, 3, 4

EPILOG = """exit codes:
  0  accepted: every rule holds (the assumptions printed remain)
  4  rejected: a rule is broken, or (with --dynamics) a verdict was wrong
  3  malformed: this is no certificate, or one too large to check
  2  usage
  1  a fault of the checker itself
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m proofs_checks.checker",
        description="Check the certificate of a STEEL run, from the paper's formulas and the "
        "stated verdicts alone. Standard library only; nothing of the learner is imported.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the certificate")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument(
        "--dynamics", type=Path, metavar="FILE", help="the true table, to replay: [[T(0,0), …], …]"
    )
    parser.add_argument("--start", type=int, default=0, help="the true start, for --dynamics [0]")
    options = parser.parse_args(arguments)
    try:
        certificate = read(_bytes(options.file))
        findings = check(certificate)
        if options.dynamics is not None and not findings:
            table = read_table(_bytes(options.dynamics), certificate.parameters.actions)
            wrong = wrong_verdicts(certificate, table, options.start)
            findings = [Finding("truth", *line.split(": ", 1)) for line in wrong]
    except Malformed as malformed:
        if options.json:
            print(json.dumps({"verdict": "malformed", "message": str(malformed)}, indent=2))
        else:
            print(f"{options.file}: malformed: {malformed}")
        return MALFORMED
    _print(options.file, certificate, findings, for_program=options.json)
    return REJECTED if findings else ACCEPTED


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise Malformed("", f"more than {LARGEST_FILE:,} bytes")
        return path.read_bytes()
    except OSError as error:
        raise Malformed("", str(error)) from None


def _print(
    path: Path, certificate: Certificate, findings: list[Finding], *, for_program: bool
) -> None:
    verdict = "rejected" if findings else "accepted"
    if for_program:
        report = {
            "verdict": verdict,
            "rules": RULES,
            "findings": [
                {"rule": f.rule, "place": f.place, "message": f.message} for f in findings
            ],
            "assumptions": assumptions(certificate),
            "steps": certificate.steps,
            "digest": certificate.digest,
        }
        print(json.dumps(report, indent=2, ensure_ascii=False))
        return
    if findings:
        for finding in findings:
            print(f"{path}: {finding}")
        print(f"Rejected: {len(findings)} finding{'s' if len(findings) > 1 else ''}.")
        return
    p, states = certificate.parameters, len(certificate.table)
    print(f"Accepted: {states} states learned in {certificate.steps:,} steps, δ = {p.delta}.")
    print("Rules that hold:")
    for name, meaning in RULES.items():
        _say(f"  ✓ {name}: {meaning}")
    print("Assumptions that remain:")
    for assumption in assumptions(certificate):
        _say(f"  • {assumption}")


def _say(line: str) -> None:
    """Print a line, broken at spaces where a terminal is narrower."""
    if sys.stdout.isatty():
        line = textwrap.fill(
            line,
            shutil.get_terminal_size().columns,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    print(line)


def _run() -> int:
    """The command. A terminal that cannot show a sign, or a reader that has gone, is no fault."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAULT
    return code


if __name__ == "__main__":
    sys.exit(_run())
