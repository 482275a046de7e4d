"""Entries are written by what asks the oracle, which charges for them."""

from dataclasses import replace

from steel_verified.evidence.observed import find_period, train
from steel_verified.evidence.entries import Ran, Trained
from steel_verified.evidence.ledger import Ledger, appended
from steel_verified.evidence.sealed import Observed, Sample
from steel_verified.classes.finite import Marks, Tables
from steel_verified.theory.budget import Charge

Tests = list[tuple[int, Sample, Sample]]


def slip_in(ledger: Ledger, charge: Charge) -> object:
    entry = Trained(number=0, datasets=((0,),), charge=charge.amount)
    return appended(ledger, entry)  # expect: call-arg, argument "key"


def pretend(ledger: Ledger, word: tuple[int, ...]) -> object:
    return replace(  # expect: call-arg, argument "key"
        ledger, written=(Ran(start=0, word=word, done=0, steps=7), None)
    )


def for_free(ledger: Ledger, oracle: Tables, tests: Tests) -> object:
    return find_period(ledger, oracle, tests)  # expect: call-arg, argument "charge"


def unread(ledger: Ledger, oracle: Tables, seen: Observed[Marks], charge: Charge) -> object:
    return train(ledger, oracle, [[seen]], charge)  # expect: list-item, expected "Sample"
