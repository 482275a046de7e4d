"""The one place where this guard touches the package: the command, its uses, the public modules."""

from __future__ import annotations

from typing import Final

from steel_verified.cli import main
from tests.public import PUBLIC

COMMAND: Final = main
"""The command `steel`."""

BY_MACHINE: Final = {"jobs"}
"""Parameters whose default is another one on another machine."""

MODULES: Final = ("steel_verified", *(f"steel_verified.{name}" for name in PUBLIC))
"""The modules whose names are public: those in `__all__`."""

SITUATIONS: Final = {
    "learn looped": "learn grid --method looped --certificate {folder}/looped.json --json",
    "learn located": "learn grid --method located --certificate {folder}/located.json --json",
    "learn both": "learn grid --method all --json",
    "learn dynamics only": "learn grid --dynamics-only --json",
    "learn without self-check": "learn grid --method looped --no-self-check --json",
    "learn with fresh steps": "learn grid --method located --self-check-steps 500 --json",
    "learn with fallback": "learn grid --method fallback --json",
    "learn with slips": "learn grid --slips 1/20 --json",
    "learn with a false bound": "learn grid --method looped --max-states 4 "
    "--findings {folder}/found.json --json",
    "learn located with a false bound": "learn grid --method located --max-states 4 --json",
    "learn with a too small mixing time": "learn combination-lock --states 4 --components 40 "
    "--method looped --mixing-time 3 --json",
    "learn looped to a limit": "learn grid --method looped --max-steps 100 "
    "--checkpoint {folder}/run --json",
    "learn located to a limit": "learn grid --method located --max-steps 100 --json",
    "learn from a checkpoint": "learn grid --method looped --resume {folder}/run --json",
    "learn from no checkpoint": "learn grid --resume {folder}/nothing",
    "learn an unknown world": "learn nowhere",
    "learn with an unknown option": "learn grid --nothing",
    "learn with a false number": "learn grid --delta 2",
    "learn into no folder": "learn grid --certificate {folder}/nowhere/out.json",
    "predict looped": "predict grid --json",
    "predict located": "predict grid --method located --noise-seeds 2 --json",
    "predict your own": "predict --actions 4 --max-states 20 --mixing-time 3 --class-size 5 "
    "--steps-per-second 3 --json",
    "predict your own, located": "predict --actions 4 --max-states 20 --mixing-time 3 --json",
    "predict nothing": "predict",
    "audit": "audit --json",
    "audit located": "audit --method located --json",
    "audit a certificate": "audit --certificate {folder}/looped.json --html {folder}/page.html",
    "audit an unknown preset": "audit --preset nothing",
    "check looped": "check {folder}/looped.json --json",
    "check located": "check {folder}/located.json --json",
    "check a rejected file": "check {folder}/rejected.json --json",
    "check a malformed file": "check {folder}/malformed.json --json",
    "check no such file": "check {folder}/nothing --json",
    "check nothing": "check",
    "check and explain": "check --explain",
    "check against the truth": "check {folder}/looped.json --dynamics {folder}/table.json --json",
    "findings": "findings {folder}/found.json --json",
    "findings of a malformed file": "findings {folder}/malformed.json --json",
    "findings of no such file": "findings {folder}/nothing --json",
    "draw": "draw grid --output {folder}/grid.svg",
    "draw into an unknown format": "draw grid --output {folder}/grid.txt",
    "reproduce table1": "reproduce table1 --recorded --json",
    "reproduce table2": "reproduce table2 --recorded --json",
    "reproduce table3": "reproduce table3 --ac-state --recorded --json",
    "reproduce table4": "reproduce table4 --recorded --json",
    "reproduce a column that is not there": "reproduce table4 --pair 41,43",
    "unknown command": "nothing",
    "version": "--version",
}
"""Every use of the command whose exit code is stored, and its output if it is JSON.

They run in this order, in one folder, which has `rejected.json` (a false digest), `malformed.json`
(no JSON) and `table.json` (false dynamics).
"""

CLAIMS: Final = {
    "claims of an id": "claims A26 --json",
    "claims of an unknown id": "claims Z99 --json",
}
"""The same for `steel claims`, which is stored apart."""
