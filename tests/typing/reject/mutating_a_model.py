"""What has been learned does not change; learning more gives a new model."""

from steel_verified.evidence.ledger import Ledger
from steel_verified.learning.model import Model
from steel_verified.theory.budget import Budget


def overwrite(model: Model) -> None:
    model.table[0][0] = 1  # expect: index, indexed assignment
    model.table = ()  # expect: misc, "table" defined in "Model"


def forget(ledger: Ledger, budget: Budget) -> None:
    ledger.entries.append(None)  # expect: attr-defined, no attribute "append"
    ledger.entries = ()  # expect: misc, "entries" defined in "Ledger"
    ledger.steps = 0  # expect: misc, "steps" defined in "Ledger"
    budget.spent = budget.allowed  # expect: misc, "spent" defined in "Budget"
