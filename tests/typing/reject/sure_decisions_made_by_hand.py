"""That two labels show one state is written by the function that proves it, and by no other."""

from steel_verified.evidence.entries import Checked, SameState
from steel_verified.evidence.ledger import Ledger, appended
from steel_verified.evidence.sealed import Observed, Pool, Sample
from steel_verified.learning.graph import Labels


def believe_me(ledger: Ledger) -> Ledger:
    return appended(ledger, SameState(one=0, other=1))  # expect: call-arg, argument "key"


def all_passed(ledger: Ledger) -> Ledger:
    return appended(ledger, Checked(number=1, failed=()))  # expect: call-arg, argument "key"


def pure(sample: Sample) -> Pool:
    return Pool(1, sample.ledger, sample.summary)  # expect: call-arg, argument "key"


def merge_where_it_looks_alike(labels: Labels, alike: Observed[int]) -> Labels:
    return labels.merged(0, alike)  # expect: arg-type, expected "int"
