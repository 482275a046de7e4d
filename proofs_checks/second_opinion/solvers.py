"""Asks z3 and cvc5 about a text in SMT-LIB 2.

Each question has a limit on the solver's own count of its work, so that an answer does not depend
on how fast the machine is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Limit:
    """The work limit of each solver, in its own units."""

    z3: int
    cvc5: int


OBLIGATION: Final = Limit(z3=20_000_000, cvc5=200_000)
"""A few seconds at most; almost all obligations take a hundredth of one."""
MODEL: Final = Limit(z3=1_000_000, cvc5=10_000)
"""Models not found within some tenths of a second were not found in five times as long."""


class Answer(StrEnum):
    """Whether a text has a solution."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


def ask_z3(text: str, limit: Limit = OBLIGATION) -> Answer:
    """What z3 says."""
    try:
        from z3 import Solver  # noqa: PLC0415 (an extra)
    except ImportError as missing:
        raise SteelError(_MISSING) from missing
    solver = Solver()
    solver.set("rlimit", limit.z3)
    solver.from_string(text)
    return Answer(str(solver.check()))


def ask_cvc5(text: str, limit: Limit = OBLIGATION, *options: tuple[str, str]) -> Answer:
    """What cvc5 says, with these options of its own."""
    try:
        from cvc5 import InputLanguage, InputParser, Solver, TermManager  # noqa: PLC0415 (an extra)
    except ImportError as missing:
        raise SteelError(_MISSING) from missing
    solver = Solver(TermManager())
    for name, value in (("rlimit-per", str(limit.cvc5)), *options):
        solver.setOption(name, value)
    parser = InputParser(solver)
    parser.setStringInput(InputLanguage.SMT_LIB_2_6, text, "text")
    symbols = parser.getSymbolManager()
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, symbols)
    return Answer(said.split()[0])  # "unknown" comes with a reason


SOLVERS: Final[Mapping[str, Callable[[str], Answer]]] = {"z3": ask_z3, "cvc5": ask_cvc5}

_MISSING: Final = "a second opinion needs pip install steel_verified[second-opinion]"
