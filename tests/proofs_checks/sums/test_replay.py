"""A proof is accepted if every step follows; each kind of wrong step is refused."""

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.kernels.sums.building import Function, number
from proofs_checks.kernels.sums.expressions import total
from proofs_checks.kernels.sums.indices import TIME, Index, numeral
from proofs_checks.kernels.sums.replaying import replay
from proofs_checks.kernels.sums.statements import (
    Between,
    Cases,
    Cited,
    Counted,
    Excess,
    Induction,
    Known,
    Lambda,
    Others,
    Part,
    Square,
    Statement,
    Step,
    Triangle,
    Unsigned,
)
from tests.proofs_checks.sums.writing import (
    accepted,
    at_most,
    combined,
    equals,
    part,
    proof,
    refused,
    symbol,
)

x, y = Index("state", "x"), Index("state", "y")
j, here = Index(TIME, "j"), Index(TIME, "j", fixed=True)
zero = numeral(0)
f, g, h, q = (Function(name) for name in "fghq")
a, b, c, e = (symbol(name) for name in "abce")


A_LE_B, B_LE_C = at_most(a, b), at_most(b, c)
SMALL = {"one": A_LE_B, "two": B_LE_C}
CHAIN = proof(SMALL, combined("chain", at_most(a, c), part(Known("one")), part(Known("two"))))


def test_inequalities_add_up() -> None:
    found = replay(CHAIN)
    assert found.strength is Strength.PROVED
    assert "chain: a ≤ c, by one, two" in found.how


def test_wrong_sum_of_parts_is_refused() -> None:
    short = combined("chain", at_most(a, c), part(Known("one")))
    refused(proof({"one": A_LE_B}, short), "is left over")
    wrong_way = combined("chain", at_most(c, a), part(Known("one")), part(Known("two")))
    refused(proof(SMALL, wrong_way), "is left over")
    negative = combined("chain", at_most(b, a), part(Known("one"), times=-1))
    refused(proof({"one": A_LE_B}, negative), "expected a nonnegative constant")
    by_a_sign = combined("scaled", at_most(a * c, b * c), part(Known("one"), times=c))
    refused(proof({"one": A_LE_B}, by_a_sign), "expected a nonnegative constant")
    equal = combined("equal", equals(a, b), part(Known("one")))
    refused(proof({"one": A_LE_B}, equal), "needs equations only")
    constant_gap = combined("more", equals(a, a - 2), part(times=2))
    refused(proof({}, constant_gap), "needs equations only")


def test_products_of_nonnegative_parts_are_accepted() -> None:
    given = {"one": A_LE_B, "sign": at_most(0, c)}
    scaled = combined("scaled", at_most(a * c, b * c), part(Known("one"), Known("sign")))
    accepted(proof(given, scaled))
    square = combined("square", at_most(a * b * 2, a * a + b * b), part(Square(a - b)))
    accepted(proof({}, square))


def test_facts_must_be_known() -> None:
    refused(proof({}, combined("chain", A_LE_B, part(Known("nothing")))), "is not known here")
    later = combined("early", A_LE_B, part(Known("late")))
    refused(
        proof({"one": A_LE_B}, later, combined("late", A_LE_B, part(Known("one")))), "not known"
    )


def test_unused_step_or_hypothesis_is_refused() -> None:
    refused(
        replace(CHAIN, hypotheses={**SMALL, "three": at_most(0, a)}), r"not needed: \['three'\]"
    )
    idle = combined("idle", A_LE_B, part(Known("one")))
    refused(replace(CHAIN, lines=(idle, *CHAIN.lines)), r"not needed: \['idle'\]")


def test_proof_must_show_its_stated_goal() -> None:
    refused(replace(CHAIN, goals=(at_most(a, b - c),)), "the goal is not shown")
    refused(replace(CHAIN, goals=(equals(a, c),)), "the goal is not shown")
    refused(replace(CHAIN, goals=()), "there is no goal")


def test_names_are_used_once() -> None:
    refused(replace(CHAIN, lines=CHAIN.lines * 2), "already known")


# --- sums -----------------------------------------------------------------------------------------


def test_the_triangle_inequality_follows_from_excesses() -> None:
    """What `Triangle` gives can be had from |P| − P ≥ 0 alone: it adds no assumption."""
    whole, sizes = total(x, f(x) + g(x)), total(x, abs(f(x)) + abs(g(x)))

    def side(name: str, sign: int) -> Step:
        return combined(
            name,
            at_most(whole * sign, sizes),
            part(Excess(f(x) * sign), over=(x,)),
            part(Excess(g(x) * sign), over=(x,)),
        )

    goal = at_most(abs(whole), sizes)
    derived = Step("triangle", goal, Between("above", "below"))
    accepted(proof({}, side("above", 1), side("below", -1), derived))
    at_once = combined("triangle", goal, part(Triangle((x,), (f(x), g(x)))))
    accepted(proof({}, at_once))
    refused(proof({}, side("above", 1), replace(derived, because=Between("above", "above"))), "not")


def test_nonnegative_term_is_at_most_its_sum() -> None:
    given = {"sign": at_most(0, f(x))}
    one = combined("one", at_most(f(x), total(y, f(y))), part(Others("sign", x)))
    accepted(proof(given, one))
    refused(proof({"sign": at_most(-1, f(x))}, one), "does not begin with 0 ≤")
    refused(proof({"sign": equals(0, f(x))}, one), "does not begin with 0 ≤")


def test_unsigned_needs_a_sign() -> None:
    goal = equals(abs(f(x)), f(x))
    accepted(proof({"sign": at_most(0, f(x))}, combined("=", goal, part(Unsigned("sign")))))
    refused(
        proof({"sign": at_most(f(x), 0)}, combined("=", goal, part(Unsigned("sign")))),
        "does not begin with 0 ≤",
    )


def test_inequality_cannot_rewrite() -> None:
    refused(proof({"one": A_LE_B}, combined("=", A_LE_B, using=("one",))), "expected an equation")


# --- induction and cases --------------------------------------------------------------------------

DOUBLING = {"first": equals(f(zero), 1), "next": equals(f(j + 1), f(j) * 2)}


def positive(onward: Statement, *parts: Part) -> Induction:
    return Induction(
        j,
        {"positive": at_most(1, f(j))},
        start=(combined("at 0", at_most(1, f(zero)), using=("first",)),),
        onward=(combined("after", onward, *parts, using=("next",)),),
    )


def test_induction_over_doubling_is_accepted() -> None:
    step = positive(at_most(1, f(here + 1)), part(Known("positive"), times=2), part(times=1))
    accepted(proof(DOUBLING, step, goal=at_most(1, f(j))))


def test_induction_needs_its_start_and_its_step() -> None:
    step = positive(at_most(1, f(here + 1)), part(Known("positive"), times=2), part(times=1))
    refused(proof(DOUBLING, replace(step, start=()), goal=at_most(1, f(j))), "at 0 is not shown")
    refused(proof(DOUBLING, replace(step, onward=()), goal=at_most(1, f(j))), r"at j \+ 1 is not")


def test_the_induction_hypothesis_is_about_one_number() -> None:
    """It may not be used at j + 1, which is what is to be shown."""
    circular = positive(at_most(1, f(here + 1)), part(Known("positive", {j: here + 1})))
    with pytest.raises(NotEarned, match="is left over"):
        replay(proof(DOUBLING, circular, goal=at_most(1, f(j))))


def test_no_induction_over_states_or_what_is_fixed() -> None:
    over_states = Induction(x, {"all": at_most(0, f(x))}, start=(), onward=())
    refused(proof({}, over_states, goal=at_most(0, f(x))), "no induction over x")
    inner = Induction(j, {"inner": at_most(0, g(j))}, start=(), onward=())
    outer = Induction(j, {"outer": at_most(0, f(j))}, start=(), onward=(inner,))
    refused(proof({"f(0)": at_most(0, f(zero))}, outer, goal=at_most(0, f(j))), "already fixed")


def test_claims_do_not_mention_what_induction_fixes() -> None:
    """j ≤ the fixed one is true of the fixed one itself, and not of all."""
    claim = at_most(number(j), number(here))
    start = combined("at 0", at_most(0, number(here)), part(Counted(here)))
    line = Induction(j, {"small": claim}, start=(start,), onward=())
    refused(proof({}, line, goal=claim), "already fixed in small")


def test_proof_by_two_cases_is_accepted() -> None:
    step = combined("sign", at_most(0, abs(a)), part(Excess(a)), part(Known("case")))
    other = combined("sign", at_most(0, abs(a)), part(Excess(-a)), part(Known("case")))
    line = Cases("any", at_most(0, abs(a)), a, Fraction(0), below=(other,), above=(step,))
    accepted(proof({}, line, goal=at_most(0, abs(a))))
    refused(proof({}, replace(line, below=()), goal=at_most(0, abs(a))), "is not shown")
    refused(proof({}, replace(line, below=(step,)), goal=at_most(0, abs(a))), "left over")


def test_cases_are_about_one_number() -> None:
    line = Cases("any", at_most(0, f(x)), f(x), Fraction(0), below=(), above=())
    refused(proof({}, line, goal=at_most(0, f(x))), "more than two cases")


# --- citing ---------------------------------------------------------------------------------------

MEAN = proof(
    {"sign": at_most(0, f(x)), "most": at_most(g(x), a)},
    combined(
        "mean",
        at_most(total(x, f(x) * g(x)), total(x, f(x)) * a),
        part(Known("sign"), Known("most"), over=(x,)),
    ),
)


def test_citation_with_replaced_functions_is_accepted() -> None:
    goal = at_most(total(x, f(x) * h(x, y)), total(x, f(x)) * b)
    given = {"sign": at_most(0, f(x)), "most": at_most(h(x, y), b)}
    functions = {"g": Lambda((x,), h(x, y)), "a": Lambda((), b)}
    accepted(proof(given, Step("mean", goal, Cited(MEAN, functions))))
    stronger = at_most(total(x, f(x) * h(x, y)), total(x, f(x)) * b - 1)
    refused(proof(given, Step("mean", stronger, Cited(MEAN, functions))), "does not show")
    weaker = {**given, "most": at_most(h(x, y), b + 1)}
    refused(proof(weaker, Step("mean", goal, Cited(MEAN, functions))), "needs")


def test_hypotheses_of_what_is_cited_must_be_known() -> None:
    goal = at_most(total(x, f(x) * g(x)), total(x, f(x)) * a)
    refused(proof({"most": at_most(g(x), a)}, Step("mean", goal, Cited(MEAN))), "is not known here")


def test_citation_that_captures_an_index_is_refused() -> None:
    """h(x, x) ≤ b does not give Σ_x f(x)·h(x, y) ≤ …: the x in the function is not that of f."""
    cited = Cited(MEAN, {"g": Lambda((y,), h(y, x)), "a": Lambda((), b)})
    given = {"sign": at_most(0, f(x)), "most": at_most(h(x, x), b)}
    goal = at_most(total(y, f(y) * h(y, x)), total(y, f(y)) * b)
    refused(proof(given, Step("mean", goal, cited)), "confused")


def test_a_wrong_proof_cannot_be_cited() -> None:
    wrong = replace(MEAN, goals=(at_most(total(x, f(x) * g(x)), a),))
    step = Step("mean", at_most(total(x, f(x) * g(x)), a), Cited(wrong))
    refused(proof(MEAN.hypotheses, step), "the goal is not shown")
    idle = Cited(MEAN, {"nothing": Lambda((), a)})
    goal = at_most(total(x, f(x) * g(x)), total(x, f(x)) * a)
    refused(proof(MEAN.hypotheses, Step("mean", goal, idle)), "does not mention")
    arity = Cited(MEAN, {"g": Lambda((), a)})
    refused(proof(MEAN.hypotheses, Step("mean", goal, arity)), "arguments")
