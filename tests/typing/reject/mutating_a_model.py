"""What has been learned does not change; learning more gives a new model."""

from steel_verified.evidence.ledger import Ledger
from steel_verified.learning.model import Model
from steel_verified.theory.budget import Budget


def overwrite(model: Model) -> None:
    model.table[0][0] = 1  # expect: index
    model.table = ()  # expect: misc


def forget(ledger: Ledger, budget: Budget) -> None:
    ledger.entries = ()  # expect: misc
    ledger.entries.append(None)  # expect: attr-defined
    ledger.steps = 0  # expect: misc
    budget.spent = budget.allowed  # expect: misc
