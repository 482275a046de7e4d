"""Every number of the audits as a formula: one line of text that a person and sympy can read.

A formula is written with Python's operators over the keys of symbols. `as_text` shows it in a
terminal; `audit_page/typeset.py` parses it with sympy, for MathML and for the arithmetic of the
page. `tests/reports/test_audit.py` evaluates each one, and compares it with `theory/`.

Functions: ln, exp, max, min, floor, ⌈…⌉ as usual, and
- `least_power(rate, target)`: the least n ≥ 0 with rateⁿ ≤ target; 0 if the target is infinite,
- `worst_period()`: the largest n_cyc ≤ |S| at which a call of CycleFind takes the most steps,
- `upwards(chance, δ)`: the chance, rounded up to a multiple of 2^(−64−k) with 2^k just above 1/δ,
- `checks(ε, η, share)`: the least n with b_n + η·a_n ≤ share; see `theory/validation.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROUNDS: Final = 3
"""How many rounds of located STEEL the audit shows."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol. Programs find its value under its key. Without a formula it is given."""

    key: str
    symbol: str
    meaning: str
    place: str
    formula: str = ""
    claims: tuple[str, ...] = ()
    """The claims that justify the formula, by their ids."""
    given: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """A part of δ: how many tests it pays, what the proof allots to them, and what they spend."""

    key: str
    tests: str
    allotted: str
    spent: str
    place: str
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """A count of steps, and the paper's bound on it."""

    key: str
    name: str
    exact: str
    bound: str
    place: str
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A term of Theorem 1 with its constants, as a part of the bounds on steps."""

    key: str
    name: str
    order: str
    formula: str


GIVEN: Final = (
    Symbol("actions", "|A|", "actions", "l. 141", given="given"),
    Symbol("max_states", "N", "no more latent states than this", "l. 147", given="given, N ≥ |S|"),
    Symbol("max_diameter", "D̂", "bound on the diameter", "l. 148", given="given, D̂ ≥ D"),
    Symbol("mixing_time", "t̂_mix", "the noise has mixed by then", "l. 142", given="given, ≥ t_mix"),
    Symbol("class_size", "|F|", "classifiers to choose from", "l. 149", given="given"),
    Symbol("delta", "δ", "chance of failing allowed", "l. 161", given="given"),
    Symbol("epsilon", "ε", "encoder error allowed on each state", "l. 161", given="given"),
    Symbol("states", "|S|", "latent states there are", "l. 141", given="the truth"),
    Symbol("diameter", "D", "steps from any state to any other", "l. 147", given="the truth"),
)


def _entries(text: str) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Read entries with a blank line between them: fields with ";" between, then formulas by name.

    A line without a name at its beginning continues the formula above it.
    """
    for entry in text.strip().split("\n\n"):
        head, *lines = entry.split("\n")
        formulas: dict[str, str] = {}
        for line in lines:
            name, _, formula = line.strip().partition("= ")
            if formula and (not name or name.strip().isidentifier()):
                formulas[name.strip()] = formula
            else:
                last = next(reversed(formulas))
                formulas[last] += " " + line.strip()
        yield head.split(" ; "), formulas


def _glossary(text: str) -> tuple[Symbol, ...]:
    """Read symbols: key ; symbol ; meaning ; place ; claims, and the formula below."""
    return tuple(
        Symbol(key, symbol, meaning, place, formulas[""], tuple(claims.split()))
        for (key, symbol, meaning, place, claims), formulas in _entries(text)
    )


_SAMPLES: Final = _glossary("""
n_samp_cyc ; n_samp.cyc. ; samples of a state in each period test ; l. 369, 542 ; P11 A27
    = least_power(9/16, delta/(4*actions*max_states*(max_states - 1)*class_size))

n_samp ; n_samp. ; samples in each half of a cycle position ; l. 395, 478 ; P11 B22
    = least_power(9/16, delta/(4*actions*max_states**4*(max_diameter + 1)*class_size))

d ; d ; samples of each state for the encoder ; l. 328, 931 ; P05 E12
    = ⌈3*states*ln(16*states**2*class_size/delta)/epsilon⌉
""")

_ONE_CALL: Final = _glossary("""
word_length ; |â| ; length of the looped word, at most ; l. 190, 921 ; C03
    = states*(diameter + 1)

offs ; offs. ; steps skipped before the period tests ; l. 219, 554 ; A11
    = max((max_states - 1)*word_length, mixing_time)

c_init ; c_init ; steps taken to find the period ; l. 371, 538 ; A05
    = (2*mixing_time + 3*max_states*word_length - 2)*n_samp_cyc - mixing_time -
      max_states*word_length + 1 + offs if max_states >= 2 else 0

r ; r ; words between the samples of that test ; l. 380 ; P13
    = ⌈mixing_time/(max_states*word_length)⌉*max_states

k ; k(N) ; repetitions in the test for period n' = N ; l. 380 ; P13 A26
    = floor((c_init + r*word_length - offs)/((2*r + max_states)*word_length))

period ; n_cyc ; period of the loop, in words ; l. 188, 550 ; A09
    = worst_period()

n_0 ; n_0 ; steps skipped before D^A ; l. 401, 685 ; B03
    = max((max_states - period)*word_length, mixing_time)

stride ; stride ; steps between samples of a position ; l. 680, 691 ; B05
    = ⌈mixing_time/(period*word_length)⌉*period*word_length

n_0_late ; n_0' ; steps skipped before D^B ; l. 401, 696 ; B04
    = n_0 + (n_samp - 1)*stride + period*word_length + mixing_time

c ; c ; steps that hold every sample of the cycle ; l. 397, 663 ; P16 B01
    = 2*((n_samp - 1)*stride + period*word_length) + mixing_time + n_0

call_steps ; steps ; steps of the call ; l. 399, 440 ; P23
    = max(c, c_init)
""")

_WHOLE_RUN: Final = _glossary("""
calls ; calls ; calls of CycleFind, at most ; l. 188, 921 ; C08
    = states*actions

cover_length ; |ā| ; length of the cycle through all states, at most ; l. 939 ; D01
    = max(states*diameter, mixing_time + diameter)

passes ; passes ; times ā is run; the first pass keeps no samples ; l. 337–345 ; P06 P08 D08
    = d - 2*n_samp + 1 if d >= 2*n_samp + 1 else 0
""")

LOOPED: Final[dict[str, tuple[Symbol, ...]]] = {
    "What STEEL is given, and the truth it must find": GIVEN,
    "Samples": _SAMPLES,
    "One call of CycleFind: longest word, most expensive period": _ONE_CALL,
    "The whole run": _WHOLE_RUN,
}

LOCATED: Final = _glossary("""
shortest ; |ā| ; actions of the walk, at least ; – ; L1.checks
    = max(states, mixing_time)

longest ; |ā| ; actions of the walk, at most ; l. 939 ; D01
    = max(states*diameter, mixing_time + diameter)

gap ; j ; mixing times between samples, at least ; – ; L1.checks
    = min(floor(shortest/mixing_time), 64)

distance ; η ; distance from stationarity then ; – ; S.T06
    = (1/2)**(gap + 1)
""")

SHARES: Final = tuple(
    Share(key, place=place, claims=tuple(claims.split()), **formulas)
    for (key, place, claims), formulas in _entries("""
period ; l. 653, 797, 995 ; A24 A27 E08
    tests = calls*(max_states - 1)
    allotted = delta/4
    spent = tests_period*class_size*(9/16)**n_samp_cyc

position ; l. 777, 797, 995 ; B17 B18 E08
    tests = calls*states**2*word_length
    allotted = delta/4
    spent = tests_position*class_size*(9/16)**n_samp

encoder ; l. 990, 1019 ; E04 E07 E12
    tests = states**2
    allotted = delta/2
    spent = upwards(8*tests_encoder*class_size*exp(-epsilon*d/(3*states)), delta)
""")
)

_PERIOD_SAMPLE: Final = "(2*mixing_time + 3*max_states*word_length - 2)"
_POSITION_SAMPLE: Final = "2*(mixing_time + states*word_length - 1)"
_TRANSIENT: Final = "max((max_states - 1)*word_length - mixing_time, 0)"
_BY_PERIOD: Final = f"{_PERIOD_SAMPLE}*n_samp_cyc"
_BY_POSITION: Final = f"{_POSITION_SAMPLE}*n_samp + 2 + {_TRANSIENT}"
_POSITION_TESTS: Final = "4*actions*max_states**4*(max_diameter + 1)*class_size/delta"
_PERIOD_TESTS: Final = "4*actions*max_states*(max_states - 1)*class_size/delta"
BOUNDS: Final = tuple(
    Bound(key, name, place=place, claims=tuple(claims.split()), **formulas)
    for (key, name, place, claims), formulas in _entries(f"""
call ; one call (Proposition 1) ; l. 525, 670 ; T1.proposition A04 B02
    exact = call_steps
    bound = max({_BY_PERIOD} - max_states*word_length, {_POSITION_SAMPLE}*n_samp + 1)
      + {_TRANSIENT} + 1

phase1 ; phase 1: all calls (Proposition 1) ; l. 1002 ; C08 E09
    exact = calls*call_steps
    bound = calls*bound_call

phase1_simplified ; phase 1: all calls, simplified ; l. 1011 ; E10
    exact = calls*call_steps
    bound = calls*max({_BY_PERIOD}, {_BY_POSITION})

phase2 ; phase 2 ; l. 953, 1031 ; D10 E13
    exact = passes*cover_length
    bound = (d - 1 + states)*cover_length

total ; total: closed form of Theorem 1's proof ; l. 1036 ; T1 E14
    exact = calls*call_steps + passes*cover_length
    bound = floor(cover_length*(3*states*ln(16*states**2*class_size/delta)/epsilon + states)
      + calls*max({_POSITION_SAMPLE}*(ln({_POSITION_TESTS})/ln(16/9) + 1) + 2 + {_TRANSIENT},
      ({_PERIOD_SAMPLE}*(ln(max({_PERIOD_TESTS}, 1))/ln(16/9) + 1) if max_states >= 2 else 0)))
""")
)

_MIXING_1: Final = f"calls*2*mixing_time*(n_samp_cyc if {_BY_PERIOD} >= {_BY_POSITION} else n_samp)"
_MIXING_2: Final = (
    "(0 if states*diameter >= mixing_time + diameter else (d - 1 + states)*mixing_time)"
)
TERMS: Final = (
    Term(
        "looping",
        "looping words",
        "N D |S|² |A| log(|F|/δ)",
        f"bound_phase1_simplified - {_MIXING_1}",
    ),
    Term("mixing_1", "mixing in phase 1", "|S| |A| t̂_mix log(N|F|/δ)", _MIXING_1),
    Term("touring", "touring the states", "|S|² D / ε log(|F|/δ)", f"bound_phase2 - {_MIXING_2}"),
    Term("mixing_2", "mixing in phase 2", "|S| t̂_mix / ε log(|F|/δ)", _MIXING_2),
)


def _definitions() -> Iterator[tuple[str, str]]:
    for symbols in (*LOOPED.values(), LOCATED):
        yield from ((symbol.key, symbol.formula) for symbol in symbols if symbol.formula)
    for share in SHARES:
        yield f"tests_{share.key}", share.tests
        yield f"allotted_{share.key}", share.allotted
        yield f"spent_{share.key}", share.spent
    yield "spent", " + ".join(f"spent_{share.key}" for share in SHARES)
    yield "left", "delta - spent"
    for bound in BOUNDS:
        yield f"exact_{bound.key}", bound.exact
        yield f"bound_{bound.key}", bound.bound
    for term in TERMS:
        yield f"term_{term.key}", term.formula
    for k in range(1, ROUNDS + 1):
        # Round k spends δ/(k(k+1)). Claims L1.checks, L1.fails.
        yield f"share_{k}", f"delta/{k * (k + 1)}"
        yield f"samples_{k}", f"checks(epsilon, distance, share_{k})"
        yield f"limit_{k}", f"checks(epsilon, 0, share_{k})"
        yield f"steps_{k}", f"(samples_{k} + 1)*longest"


DEFINITIONS: Final = dict(_definitions())
"""All numbers of the audits by their keys. Each definition follows those that it uses."""

NAMES: Final[Mapping[str, str]] = (
    {symbol.key: symbol.symbol for part in (*LOOPED.values(), LOCATED) for symbol in part}
    | {f"tests_{share.key}": "tests" for share in SHARES}
    | {"bound_call": "B_call", "bound_phase1_simplified": "B_1", "bound_phase2": "B_2"}
    | {f"samples_{k}": f"n_{k}" for k in range(1, ROUNDS + 1)}
)
"""The symbols of all keys that occur in formulas that are shown."""

_SPELLED: Final = (
    (re.compile(r"^least_power\((.*?), (.*)\)$"), r"⌈ln(\2)/ln(\1)⌉"),
    (re.compile(r"^worst_period\(\)$"), "the most expensive of 1, …, |S|"),
    (re.compile(r"^upwards\((.*), delta\)$"), r"\1"),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"\*"), "·"),
    (re.compile(r"(?<!\d)/|/(?!\d)"), " / "),
    (re.compile("-"), "−"),
    (re.compile(">="), "≥"),
    (re.compile(r"[a-z]\w*"), lambda found: NAMES.get(found[0], found[0])),
)


def as_text(formula: str) -> str:
    """A formula on one line, with the symbols of the paper."""
    for pattern, written in _SPELLED:
        formula = pattern.sub(written, formula)
    return formula
