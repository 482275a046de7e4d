from enum import Enum

class TermManager: ...

class Solver:
    def __init__(self, tm: TermManager) -> None: ...
    def setOption(self, option: str, value: str) -> None: ...  # noqa: N802 (cvc5's own name)

class InputLanguage(Enum):
    SMT_LIB_2_6 = ...

class SymbolManager: ...

class Command:
    def isNull(self) -> bool: ...  # noqa: N802
    def invoke(self, solver: Solver, symbols: SymbolManager) -> str: ...

class InputParser:
    def __init__(self, solver: Solver) -> None: ...
    def setStringInput(  # noqa: N802
        self, language: InputLanguage, text: str, name: str
    ) -> None: ...
    def getSymbolManager(self) -> SymbolManager: ...  # noqa: N802
    def nextCommand(self) -> Command: ...  # noqa: N802
