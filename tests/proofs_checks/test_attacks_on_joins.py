"""Attacks: joins, applications and citations that would prove something false without a check."""

import pytest

from proofs_checks.kernels.deduction import Proof, replay
from proofs_checks.kernels.deduction.reading import read_blocks
from proofs_checks.kernels.deduction.statements import Theory
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.joining import Join, joined, leaves
from proofs_checks.kernels.sums import Proof as SumsProof
from proofs_checks.kernels.sums import replay as replay_sums
from proofs_checks.kernels.sums.context import Template
from proofs_checks.kernels.sums.lines import instance
from proofs_checks.kernels.sums.reading import read_proofs

THEORY = """
theory COUNTING "Counting"
  symbols n, hit(k, o)
  assume some: n >= 0
  assume hits for k, o: hit(k, o) == 0 or hit(k, o) == 1
  recursion hits_so_far(0, o) = 0, hits_so_far(k + 1, o) = hits_so_far(k, o) + hit(k, o)
  indicator fails(o): hits_so_far(n, o) >= 1
  lemma not_less for k, o, if k >= 0: hits_so_far(k, o) >= 0
    by induction on k, from hits_so_far_start(o), hits_so_far_next(k - 1, o), hits(k - 1, o),
      not_less(k - 1, o)
  lemma union for o: fails(o) <= hits_so_far(n, o)
    from some(), fails_is(o), not_less(n, o)
  lemma only_later for o, if o >= 1: fails(o) <= hits_so_far(n, o)
    from union(o)
  lemma number: n >= 0
    from some()
"""
SUMS = """
index o: outcome
index k: time
fixed n: time
symbols Pr(o), hit(k, o), hits_so_far(k, o), fails(o), c

proof chance(part = 1) "chance"
  given Pr: 0 ≤ Pr(o)
  given union: fails(o) ≤ hits_so_far(n, o)
  given start: hits_so_far(0, o) = 0
  given next: hits_so_far(k + 1, o) = hits_so_far(k, o) + hit(k, o)
  given each: Σ[o] Pr(o)*hit(k, o) ≤ c
  induction on k
    claim so far: Σ[o] Pr(o)*hits_so_far(k, o) ≤ k*c
      first using start
      next by [so far] + [each], using next
  goal fails: Σ[o] Pr(o)*fails(o) ≤ part*n*c
    by Σ[o] [Pr]*[union] + [so far](k := n)
"""
TIES = {
    "union": "union",
    "start": "hits_so_far_start",
    "next": "hits_so_far_next",
    "n ≥ 0": "number",
}
LEAVES = frozenset({"some", "hits", "Pr", "each"})


def theory(text: str = THEORY) -> Theory:
    found = read_blocks("here.proof", text, {})["COUNTING"]
    assert isinstance(found, Theory)
    return found


def chance(text: str = SUMS) -> SumsProof:
    template = read_proofs("here.proof", text, {})["chance"]
    assert isinstance(template, Template)
    return instance(template, tuple(template.parameters.values()))


def join(
    ties: dict[str, str], text: str = THEORY, lemmas: tuple[str, ...] = ("union", "number")
) -> Join:
    return Join(Proof(theory(text), lemmas), (chance(),), ties)


def test_a_theory_and_a_proof_about_sums_are_joined() -> None:
    assert joined(join(TIES), LEAVES).strength is Strength.PROVED
    assert leaves(join(TIES)).keys() == LEAVES


@pytest.mark.parametrize(
    ("ties", "complaint"),
    [
        ({**TIES, "union": "not_less"}, "does not say"),
        ({**TIES, "union": "only_later"}, "does not show only_later"),
        ({**TIES, "union": "hits"}, "does not show hits"),
        ({**TIES, "Pr": "union"}, "does not say"),
        ({**TIES, "each": "union"}, "no sums"),
        ({**TIES, "nothing": "union"}, "no proof about sums is given"),
        ({k: v for k, v in TIES.items() if k != "n ≥ 0"}, "neither shown nor named: n ≥ 0"),
        ({k: v for k, v in TIES.items() if k != "union"}, "neither shown nor named: union"),
    ],
)
def test_ties_that_say_something_else_are_refused(ties: dict[str, str], complaint: str) -> None:
    with pytest.raises(NotEarned, match=complaint):
        joined(join(ties), LEAVES)


def test_a_tie_with_another_condition_is_refused() -> None:
    whole = join({**TIES, "union": "only_later"}, lemmas=("only_later", "number"))
    with pytest.raises(NotEarned, match="does not say"):
        joined(whole, LEAVES)


def test_a_lemma_that_does_not_follow_is_refused() -> None:
    wrong = THEORY.replace(
        "from some(), fails_is(o), not_less(n, o)", "from some(), not_less(n, o)"
    )
    with pytest.raises(NotEarned, match="does not follow"):
        joined(join(TIES, wrong), LEAVES)


APPLIED = """
theory HALVING "Halving"
  symbols x
  assume size: x >= 0
  let double = 2 * x
  lemma even: double == x + x
    from double_is()

theory USING "Using"
  symbols y
  assume size: y >= 0
  let twice = 2 * y
  apply right: even of HALVING
    with x := y; double := twice
    size from size()
    double_is from twice_is()
"""


def applied(text: str) -> Proof:
    found = read_blocks("here.proof", text, {})["USING"]
    assert isinstance(found, Theory)
    return Proof(found, ("right",))


def test_a_definition_may_get_a_meaning_whose_rules_follow() -> None:
    assert replay(applied(APPLIED)).strength is Strength.PROVED


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("let twice = 2 * y", "let twice = 3 * y", "does not follow"),
        ("    double_is from twice_is()\n", "", "does not follow"),
        ("; double := twice", "", "not defined|reasons for"),
        ("double := twice", "double(k) := twice", "another number of parameters"),
        ("double := twice", "triple := twice", "meanings for|reasons for"),
    ],
)
def test_a_meaning_that_breaks_the_definition_is_refused(
    old: str, new: str, complaint: str
) -> None:
    assert old in APPLIED
    with pytest.raises(NotEarned, match=complaint):
        replay(applied(APPLIED.replace(old, new)))


CITED = """
index j, k, ℓ(j), m(k, j), other(j): time
symbols a(j), b(k, j)

proof later "later"
  given small: a(ℓ(j)) ≤ 1
  goal half: 1/2*a(ℓ(j)) ≤ 1/2
    by 1/2*[small]

proof chance "chance"
  given small too: b(k, m(k, j)) ≤ 1
  goal half too: 1/2*b(k, m(k, j)) ≤ 1/2
    from later with a(j) := b(k, j); ℓ(j) := m(k, j); [small] := [small too]
"""


def test_an_index_that_is_a_function_may_be_another() -> None:
    assert replay_sums(chance(CITED)).strength is Strength.PROVED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ℓ(j) := m(k, j)", "ℓ(j) := other(j)"),
        ("; ℓ(j) := m(k, j)", ""),
        ("ℓ(j) := m(k, j)", "ℓ(j) := m(k, k)"),
        ("ℓ(j) := m(k, j)", "ℓ(j) := m(k, j); other(j) := ℓ(j)"),
        ("ℓ(j) := m(k, j)", "ℓ(k) := m(k, j)"),
    ],
)
def test_another_index_than_the_facts_have_is_refused(old: str, new: str) -> None:
    assert old in CITED
    with pytest.raises(NotEarned):
        replay_sums(chance(CITED.replace(old, new)))
