"""Soundness of the deduction kernel: accepted random theories are evaluated in random models.

If a replay accepts a theory, and its hypotheses hold in a model, then all of it must hold there.
Hypotheses bound their variables, so that a model decides them. Names are chosen to clash.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.kernels.deduction import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Proof,
    Recursion,
    Theory,
    replay,
)
from proofs_checks.kernels.deduction.dependencies import needed
from proofs_checks.kernels.deduction.notation import read_head
from proofs_checks.kernels.deduction.rules import Rule, rules_of
from proofs_checks.kernels.deduction.statements import Definition, Step
from proofs_checks.kernels.evidence import NotEarned
from tests.proofs_checks.models import Model, broken

VARIABLES = ("n", "m", "here", "a", "k")
CLASHES = ("c", "e", "f", "n", "b", "there")


class Author:
    """Writes random theories about c, e and what it defines: mostly well formed, not always."""

    def __init__(self, r: Random) -> None:
        self.r = r
        self.functions = ["e"]
        self.steps: list[Step] = []

    def variables(self) -> tuple[str, ...]:
        return tuple(self.r.sample(VARIABLES, self.r.choice((0, 1, 1, 1, 2, 2, 3))))

    def name(self, names: tuple[str, ...]) -> str:
        return self.r.choice(CLASHES if self.r.random() < 0.02 else (*names, *names, "c"))

    def term(self, names: tuple[str, ...], depth: int = 2) -> str:
        r, one = self.r, self.name(names)
        shapes = [one, one, f"{one} + 1", f"{one} - 1", str(r.randrange(3)), f"{one} % 2"]
        if depth:
            inner = self.term(names, depth - 1)
            shapes += [f"{r.choice(self.functions)}({inner})"] * 4
            shapes += [f"({inner}) * {one}", f"{one} - ({inner})", f"({inner}) // 2"]
        return r.choice(shapes)

    def formula(self, names: tuple[str, ...]) -> str:
        sides = [
            f"{self.term(names)} {self.r.choice(('==', '!=', '<', '<=', '>='))} {self.term(names)}"
            for _ in range(2)
        ]
        shapes = ("{}", "{}", "{} or {}", "{}, {}", "implies({}, {})", "not ({})", "{} and {}")
        return self.r.choice(shapes).format(*sides)

    def uses(self, names: tuple[str, ...]) -> str:
        rules = {name: len(rule.each) for s in self.steps for name, rule in readable(s).items()}
        rules |= {"product": 2, "division": 2}
        found = []
        for _ in range(self.r.randrange(4)):
            name = self.r.choice(list(rules))
            count = rules[name] if self.r.random() < 0.97 else self.r.randrange(4)
            found.append(f"{name}({', '.join(self.term(names, 1) for _ in range(count))})")
        return ", ".join(found)

    def assume(self, name: str) -> Assume:
        each = self.variables()
        bounded = ", ".join(f"0 <= {variable} < 3" for variable in each)
        return Assume(name, ", ".join(each), bounded, self.formula(each))

    def define(self, name: str) -> Step:
        r = self.r
        each = ("n",) if r.random() < 0.8 else self.variables()
        head = f"{name}({', '.join(each)})" if each else name
        if r.random() < 0.1:
            head = r.choice((f"2 * {head}", f"{head} + 1", f"{name}(n, n)", f"{name}(0)", "e(n)"))
        at_n = r.choice((head, head, "0", f"{name}({', '.join((*each[1:], *each[:1]))})"))
        following = f"{at_n} + {r.choice(('0', '1', '2', self.term(each)))}"
        k = r.choice(("k", "k", "k", "n", name))
        property_of_k = r.choice((f"{k} >= {self.term(each)}", self.formula((*each, k))))
        steps = (
            Let(head, self.term(each)),
            Indicator(head, self.formula(each)),
            Recursion(head, r.choice(("0", "1", self.term(each[1:]))), following),
            Least(head, "", k, property_of_k, self.term(each), self.uses(each)),
        )
        return r.choice(steps)

    def lemma(self, name: str) -> Lemma:
        """Something at random, or what is known already with a change."""
        r, each = self.r, self.variables()
        known = [step for step in self.steps if isinstance(step, Assume | Lemma)]
        if known and r.random() < 0.5:
            old = r.choice(known)
            names = tuple(old.each.replace(",", " ").split())
            then = r.choice((old.then, self.formula(names)))
            by = f"{old.name}({old.each}), {self.uses(names)}".rstrip(", ")
            return Lemma(name, old.each, r.choice((old.given, old.given, "")), then, by)
        given, then = self.formula(each), self.formula(each)
        return Lemma(name, ", ".join(each), given, r.choice((then, given)), self.uses(each))

    def induct(self, name: str, f: str) -> Lemma:
        """What a recursive function is at most, at least or equal to."""
        r, n = self.r, self.r.choice(VARIABLES)
        back = r.choice((f"{n} - 1",) * 3 + (f"{n} - 2", n, f"{n} + 1"))
        guard = r.choice((f"{n} >= 0",) * 3 + (f"{n} >= -1", ""))
        then = f"{f}({n}) {r.choice(('>=', '<=', '=='))} {r.choice(('0', '0', '1', n, 'c'))}"
        by = f"{f}_start(), {f}_next({n} - 1), {name}({back})"
        return Lemma(name, n, guard, then, by, r.choice((n, n, f"{n} + 1", f"0 - {n}", "c")))

    def apply(self, name: str) -> Apply:
        """A theory about c and e, with something else in their place."""
        inner, each = Author(self.r), tuple(v for v in self.variables() if self.r.random() < 0.7)
        known = [step for step in self.steps if isinstance(step, Assume) and "f(" not in step.then]
        old = self.r.choice([inner.assume("given"), *known])
        inner.steps = [old]
        inner.steps += [inner.lemma("shown")]
        x = self.r.choice((*VARIABLES, "x", "x", "x"))
        c = self.r.choice(("c", "c", self.term(each)))
        e = self.r.choice((f"e({x})", f"e({x})", self.term((*each, x))))
        meaning = f"c := {c}; e({x}) := {e}"
        inside = tuple(v.strip() for v in old.each.split(",") if v)
        reason = f"{old.name}({old.each})" if known and self.r.random() < 0.8 else ""
        by = ((old.name, reason or self.uses((*each, *inside))),)
        other = Theory("Other", "c, e(n)", tuple(inner.steps))
        return Apply(name, ", ".join(each), "", other, "shown", meaning, by)

    def theory(self) -> Theory:
        for place in range(self.r.randrange(2, 6)):
            kind = self.r.randrange(8)
            if kind < 2:
                self.steps.append(self.assume(f"given{place}"))
            elif kind < 5:
                name = self.r.choice(("e", "f", *[f"f{place}"] * 18))
                step = self.define(name)
                self.steps.append(step)
                if isinstance(step, Recursion):
                    self.steps.append(self.induct(f"lemma{place}", name))
                self.functions.append(name)
            elif kind < 6:
                self.steps.append(self.apply(f"applied{place}"))
            else:
                self.steps.append(self.lemma(f"lemma{place}"))
        symbols = "c, e(n)" if self.r.random() < 0.9 else "c, e(n), f(n)"
        return Theory("Random", symbols, tuple(self.steps))


def readable(step: Step) -> Mapping[str, Rule]:
    try:
        return rules_of(step)
    except NotEarned:
        return {}


def model(r: Random) -> Model:
    e, f = ([r.randrange(-2, 4) for _ in range(5)] for _ in range(2))
    functions = {"e": lambda n: e[n % 5], "f": lambda n: f[n % 5]}
    return Model({}, {"c": r.randrange(-1, 4)}, functions, otherwise=range(-2, 4))


def accepted(whole: Theory) -> list[Theory]:
    """For each lemma that the kernel accepts, the steps that it rests on."""
    found = []
    for step in whole.steps:
        if isinstance(step, Lemma | Apply):
            proof = Proof(whole, (step.name,))
            try:
                replay(proof)
            except NotEarned:
                continue
            found.append(replace(whole, steps=tuple(whole.steps[i] for i in needed(proof))))
    return found


def false_in(part: Theory, world: Model) -> list[str]:
    """Return the lemmas that are false in a model in which all hypotheses are true."""
    defined = {read_head(s.symbol)[0] for s in part.steps if isinstance(s, Definition)}
    own = {name: value for name, value in world.unary.items() if name not in defined}
    wrong = broken(part, replace(world, unary=own))
    hypotheses = {step.name for step in part.steps if isinstance(step, Assume)}
    return [] if hypotheses & set(wrong) else wrong


@pytest.mark.properties
@given(st.randoms(use_true_random=False))
def test_accepted_lemma_holds_in_every_model_of_the_hypotheses(r: Random) -> None:
    parts = accepted(Author(r).theory())
    for part in parts:
        for _ in range(4):
            assert not false_in(part, model(r)), part


def test_random_theories_use_every_way_to_prove() -> None:
    """The random theories use every rule; otherwise the test above would show little."""
    kinds = Counter[str]()
    for seed in range(150):
        for part in accepted(Author(Random(seed)).theory()):
            goal = part.steps[-1]
            kinds["induction"] += isinstance(goal, Lemma) and f"{goal.name}(" in goal.by
            kinds["definition"] += any(isinstance(step, Definition) for step in part.steps)
            kinds["hypothesis"] += any(isinstance(step, Assume) for step in part.steps)
            kinds["application"] += isinstance(goal, Apply)
    assert min(kinds.values()) > 0, kinds
