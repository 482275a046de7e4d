from typing import NamedTuple

class Settings(NamedTuple):
    timeout: float
    method: str
    func_only: bool
    disable_debugger_detection: bool
