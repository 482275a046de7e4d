"""Why a run was not accepted: the likely causes, and its findings as a file.

save_findings(result, "failed.json", world="a lamp")
print(load_findings("failed.json").derived_again().because)
"""

from steel_verified.learning.self_check.findings import Findings, load_findings, save_findings
from steel_verified.theory.conditions import Cause, Condition

__all__ = ["Cause", "Condition", "Findings", "load_findings", "save_findings"]
