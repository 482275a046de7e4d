"""Texts of proofs about sums, and how tests read them."""

from fractions import Fraction

from proofs_checks.kernels.sums import Proof
from proofs_checks.kernels.sums.context import Template
from proofs_checks.kernels.sums.lines import instance
from proofs_checks.kernels.sums.reading import read_proofs

DECLARED = """\
# The variables, and what they stand for
index x, y: state
index j, ℓ(j): time
fixed n: time
symbols K(y, x), w(x), a(j), t, s
let mean(y) = Σ[x] K(y, x)*w(x)
facts BASE
  fact rows: Σ[x] K(y, x) = 1
  fact w ≥ 0: 0 ≤ w(x)
  fact t ≥ 0: 0 ≤ t
"""
LEMMA = f"""{DECLARED}
proof lemma(most = 1) "A lemma"  # from line 12 on
  given rows of BASE
  given w ≤ 1: w(x) ≤ 1
  given K ≥ 0: 0 ≤ K(y, x)
  step rest: 0 ≤ Σ[x] K(y, x)*(1 - w(x))
    by Σ[x] [K ≥ 0]*[w ≤ 1]
  goal near: mean(y) ≤ most
    by [rest], using rows
"""


def read(text: str, name: str = "lemma", *values: Fraction | int) -> Proof:
    template = read_proofs("some.proof", text, {})[name]
    assert isinstance(template, Template)
    given = tuple(map(Fraction, values)) or tuple(template.parameters.values())
    return instance(template, given)
