"""A validation takes the loop that was run after it; datasets from exploring are something else."""

from steel_verified.evidence.ledger import Ledger
from steel_verified.evidence.oracle import Class
from steel_verified.evidence.observed import check_pass
from steel_verified.evidence.sealed import Pool, Sample, Validation


def with_a_sample(ledger: Ledger, seen: Sample, oracle: Class[str], fixed: Validation) -> object:
    return check_pass(ledger, seen, oracle, fixed)  # expect: arg-type, expected "Loop[str]"


def with_a_dataset(ledger: Ledger, seen: Pool, oracle: Class[str], fixed: Validation) -> object:
    return check_pass(ledger, seen, oracle, fixed)  # expect: arg-type, expected "Loop[str]"
