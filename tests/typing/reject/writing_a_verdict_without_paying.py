"""A certified row is written by `certify`, which charges for it."""

from steel_verified.evidence.ledger import Certified, Ledger
from steel_verified.evidence.omega import Observed, certify
from steel_verified.theory.budget import Charge
from steel_verified.theory.schedules import FixedByParameters


def slip_in(ledger: Ledger, row: Certified) -> Ledger:
    return ledger.write(row)  # expect: arg-type


def for_free(ledger: Ledger, verdict: Observed[tuple[int, ...]]) -> object:
    because = FixedByParameters()
    return certify(ledger, verdict, question="period", because=because)  # expect: call-arg


def not_an_oracle_s_verdict(ledger: Ledger, charge: Charge) -> object:
    return certify(
        ledger,
        (1,),  # expect: arg-type
        question="period",
        charge=lambda _: charge,
        because=FixedByParameters(),
    )
