"""z3 and cvc5 agree with the deduction kernel, and disagree with one that is broken.

Needs the extra `second-opinion`; `make second-opinion` installs it and runs this.
"""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from proofs_checks.kernels.deduction import Proof, replay, without
from proofs_checks.kernels.deduction.dependencies import known_before
from proofs_checks.kernels.deduction.formulas import Formula, Term, substituted
from proofs_checks.kernels.deduction.notation import read_head
from proofs_checks.kernels.deduction.rules import Rule, rules_of
from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Definition,
    Lemma,
    Step,
    Theory,
)
from proofs_checks.kernels.evidence import NotEarned
from proofs_checks.proofs import theories, theory
from proofs_checks.second_opinion.agreement import asked, of_theory
from proofs_checks.second_opinion.assumptions import models
from proofs_checks.second_opinion.obligations import arithmetic, obligations
from proofs_checks.second_opinion.solvers import SOLVERS, Answer, ask_cvc5, ask_z3
from tests.proofs_checks.test_soundness_of_deduction import Author, accepted, readable

pytestmark = pytest.mark.second_opinion


@pytest.mark.parametrize("name", theories())
def test_both_solvers_agree_with_every_step_and_reading(name: str) -> None:
    """No solver may find the assumptions contradictory either; "unknown" is an answer there."""
    found = of_theory(name, theory(name))
    assert found.against == (), "\n".join(map(str, found.against))


def test_the_rules_of_arithmetic_hold() -> None:
    assert asked("arithmetic", arithmetic()) == ()


def test_solvers_agree_with_accepted_parts_of_random_theories() -> None:
    wholes = [Author(Random(seed)).theory() for seed in range(150)]
    parts = [with_all_symbols(part, whole) for whole in wholes for part in accepted(whole)]
    assert len(parts) >= 20
    for part in parts:
        against = asked("random", obligations(part))
        assert against == (), "\n".join(map(str, against))


def with_all_symbols(part: Theory, whole: Theory) -> Theory:
    """Declare what the whole theory defines and the part does not.

    Steps may apply rules to such symbols without using what defines them.
    """
    known, _ = known_before(part, len(part.steps))
    defined = [
        step.symbol for step in whole.steps if isinstance(step, Definition) and readable(step)
    ]
    missing = [symbol for symbol in defined if read_head(symbol)[0] not in known]
    return replace(part, symbols=", ".join([part.symbols, *missing]))


UNDECIDED = {
    ("STEEL", "bounds"),
    ("STEEL", "rests"),
    ("FALLBACK", "known_bound"),
    ("ROUNDS", "repeats"),
}
"""The hypotheses without which cvc5 answers unknown; z3 solves a step. There are no others."""


@pytest.mark.parametrize("name", theories())
def test_the_solvers_need_the_hypotheses_that_the_kernel_needs(name: str) -> None:
    """Without a hypothesis, the kernel refuses a step if and only if each solver solves one."""
    whole = theory(name)
    lemmas = tuple(step.name for step in whole.steps if isinstance(step, Lemma | Apply))
    unchanged = set(obligations(whole))
    for hypothesis in (step.name for step in whole.steps if isinstance(step, Assume)):
        less = without(Proof(whole, lemmas), hypothesis)
        changed = [o for o in obligations(less.theory) if o.kind == "step" and o not in unchanged]
        wanted = dict.fromkeys(SOLVERS, Answer.UNSAT if accepts(less) else Answer.SAT)
        if (name, hypothesis) in UNDECIDED:
            wanted["cvc5"] = Answer.UNKNOWN
        found = {
            solver: solved(ask(each.text) for each in changed) for solver, ask in SOLVERS.items()
        }
        assert found == wanted, hypothesis


def solved(answers: Iterable[Answer]) -> Answer:
    """Sat if a step has a solution; unknown if this is open for one, and none has a solution."""
    found = {Answer.UNSAT, *answers}
    return next(a for a in (Answer.SAT, Answer.UNKNOWN, Answer.UNSAT) if a in found)


def accepts(proof: Proof) -> bool:
    try:
        replay(proof)
    except NotEarned:
        return False
    return True


# --- mistakes that must be seen -------------------------------------------------------------------

FALSE = Theory(
    "False",
    "f(i), c",
    (
        Assume("small", "i", "i >= c", "f(i) <= i"),
        Lemma("everywhere", "i", "", "f(i) <= i", "small(i)"),
    ),
)
"""Its lemma forgets the condition of the hypothesis."""


def says(of: Theory) -> list[str]:
    return [each.said for each in asked("False", obligations(of))]


def test_kernel_that_skips_conditions_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(rule: Rule, values: tuple[Term, ...]) -> Formula:
        return substituted(rule.then, rule.meanings(values))

    monkeypatch.setattr(Rule, "instance", careless)
    assert accepts(Proof(FALSE, ("everywhere",)))
    assert says(FALSE) == ["z3 says sat", "cvc5 says sat"]


def test_kernel_that_reads_less_as_at_most_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    strict = replace(FALSE, steps=(Assume("small", "i", "i >= c", "f(i) < i"),))
    assert says(strict) == []

    def careless(_: Step) -> dict[str, Rule]:
        return {"small": rules_of(FALSE.steps[0])["small"]}

    monkeypatch.setattr("proofs_checks.kernels.deduction.rules.rules_of", careless)
    assert says(strict) == ["z3 says sat", "cvc5 says sat"]


@pytest.mark.parametrize("name", ["TOURING", "LOOPED_WORDS", "SHRINKING"])
def test_an_obligation_without_its_negation_is_no_agreement(name: str) -> None:
    """Without it only the instances are left, which have a solution in almost all steps."""
    solved = []
    for each in (each for each in obligations(theory(name)) if each.kind == "step"):
        lines = each.text.splitlines()
        kept = [line for line in lines if not line.startswith("(assert (not ")]
        assert len(kept) == len(lines) - 1
        text = "\n".join(kept)
        solved.append(Answer.UNSAT not in (ask_z3(text), ask_cvc5(text)))
    assert sum(solved) >= 0.9 * len(solved)


def test_a_contradiction_has_no_model() -> None:
    less, more = Assume("less", "i", "", "f(i) <= i"), Assume("more", "", "", "f(c) >= c + 1")
    assert set(models(replace(FALSE, steps=(less, more))).values()) == {Answer.UNSAT}
    for alone in (less, more):
        assert Answer.UNSAT not in models(replace(FALSE, steps=(alone,))).values()
