"""That two labels show one state is written by the function that proves it, and by no other."""

from steel_verified.evidence.entries import Checked, SameState
from steel_verified.evidence.observed import Observed
from steel_verified.evidence.observed import Sample
from steel_verified.evidence.observed import Pool
from steel_verified.learning.graph import Labels
from steel_verified.evidence.observed import Observed
from steel_verified.evidence.observed import Sample
from steel_verified.evidence.observed import Pool
from steel_verified.learning.graph import Labels


def believe_me() -> SameState:
    return SameState(one=0, other=1, rule="not apart")  # expect: call-arg


def all_passed() -> Checked:
    return Checked(number=1, failed=())  # expect: call-arg


def pure(sample: Sample) -> Pool:
    return Pool(1, sample.ledger, sample.summary)  # expect: call-arg


def merge_where_it_looks_alike(labels: Labels, alike: Observed[int]) -> Labels:
    return labels.merged(0, alike)  # expect: arg-type
