"""The audit: every number behind STEEL's guarantee, so that a reader can verify each one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.reports.formulas.bounds import ALL_NAMES, SHARES
from steel_verified.reports.formulas.looped import NAMES, SECTIONS
from steel_verified.reports.formulas.symbols import formula_text
from steel_verified.reports.formulas.text import as_text
from steel_verified.theory import bounds, counts
from steel_verified.theory.budget import Budget, Charge, worst_case_charges
from steel_verified.theory.exact import decimal_above
from steel_verified.theory.parameters import Extent, Parameters, require_within

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from steel_verified.evidence.codec import Json


@dataclass(frozen=True, slots=True)
class Share:
    """A part of δ: what the proof allots to one kind of test, and what these tests can spend."""

    reason: str
    formula: str
    tests: int
    samples: int
    allotted: Fraction
    spent: Fraction
    place: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on steps stated in the paper, and the exact count that it bounds."""

    key: str
    name: str
    exact: int
    bound: int
    place: str

    @property
    def below(self) -> Fraction:
        """The difference between bound and count, as a fraction of the bound."""
        return Fraction(self.bound - self.exact, self.bound)


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the theorem's complexity with its constants, as a part of the bounds on steps."""

    name: str
    order: str
    steps: int


@dataclass(frozen=True, slots=True)
class Audit:
    """All numbers of the audit. The text and the JSON form show the same numbers."""

    values: Mapping[str, int | Fraction]
    shares: tuple[Share, ...]
    budget: Budget
    steps: tuple[Bound, ...]
    terms: tuple[Term, ...]

    @property
    def dominant(self) -> Term:
        return max(self.terms, key=lambda term: term.steps)


def audit(parameters: Parameters, extent: Extent) -> Audit:
    """Compute every number for these parameters and dynamics of this extent (|S| and D)."""
    require_within(extent, parameters)
    charges = worst_case_charges(parameters, extent)
    return Audit(
        values=_values(parameters, extent),
        shares=tuple(_shares(parameters.delta, charges)),
        budget=Budget(parameters.delta).charge(*charges),
        steps=tuple(_steps(parameters, extent)),
        terms=tuple(_terms(parameters, extent)),
    )


def _values(parameters: Parameters, extent: Extent) -> dict[str, int | Fraction]:
    """The value of every symbol of the glossary."""
    p = parameters
    word = bounds.longest_word(extent)
    period = bounds.worst_period(parameters, extent.states, word)
    return {
        **asdict(p),
        **asdict(extent),
        "n_samp_cyc": counts.period_test_samples(parameters),
        "n_samp": counts.position_samples(parameters),
        "d": counts.encoder_samples(parameters, extent.states),
        "word_length": word,
        "period": period,
        "offs": counts.settling_time(parameters, word),
        "c_init": counts.initial_rollout(parameters, word),
        "r": counts.whole_cycles(parameters, p.max_states * word) // word,
        "k": counts.period_test_repetitions(parameters, word, p.max_states)
        if p.max_states > 1
        else 0,
        "n_0": counts.settling_time_of_period(parameters, word, period),
        "stride": counts.whole_cycles(parameters, period * word),
        "n_0_late": counts.late_start(parameters, word, period),
        "c": counts.full_rollout(parameters, word, period),
        "call_steps": counts.cycle_find_steps(parameters, word, period),
        "calls": bounds.most_calls(parameters, extent),
        "cover_length": bounds.longest_covering_cycle(parameters, extent),
        "passes": counts.sampling_passes(parameters, extent.states),
    }


def _shares(delta: Fraction, charges: tuple[Charge, ...]) -> Iterator[Share]:
    """What the proof allots (a quarter, a quarter and a half of δ), and what the tests spend."""
    allotments = (
        (Fraction(1, 4), "l. 653, 797, 995"),
        (Fraction(1, 4), "l. 777, 797, 995"),
        (Fraction(1, 2), "l. 990, 1019"),
    )
    for charge, formulas, (part, place) in zip(charges, SHARES, allotments, strict=True):
        yield Share(
            reason=charge.reason,
            formula=as_text(formulas.spent, ALL_NAMES),
            tests=charge.tests,
            samples=charge.samples,
            allotted=part * delta,
            spent=charge.amount,
            place=place,
        )


def _steps(parameters: Parameters, extent: Extent) -> Iterator[Bound]:
    """Each bound of the paper, and the exact count for the same arguments."""
    word = bounds.longest_word(extent)
    period = bounds.worst_period(parameters, extent.states, word)
    call = counts.cycle_find_steps(parameters, word, period)
    phase1 = bounds.exploration_steps(parameters, extent)
    phase2 = bounds.sampling_steps(parameters, extent)
    yield Bound(
        "call",
        "one call (Proposition 1)",
        call,
        bounds.cycle_find_bound(parameters, extent.states, word),
        "l. 525, 670",
    )
    yield Bound(
        "phase1",
        "phase 1: all calls (Proposition 1)",
        phase1,
        bounds.exploration_bound(parameters, extent),
        "l. 1002",
    )
    yield Bound(
        "phase1_simplified",
        "phase 1: all calls, simplified",
        phase1,
        bounds.simplified_exploration_bound(parameters, extent),
        "l. 1011",
    )
    yield Bound(
        "phase2", "phase 2", phase2, bounds.sampling_bound(parameters, extent), "l. 953, 1031"
    )
    yield Bound(
        "total",
        "total: closed form of Theorem 1's proof",
        phase1 + phase2,
        bounds.total_bound(parameters, extent),
        "l. 1036",
    )


def _terms(parameters: Parameters, extent: Extent) -> Iterator[Term]:
    """The terms of Theorem 1, which add up to phase 1's simplified bound plus phase 2's bound."""
    exploration = bounds.simplified_exploration_bound(parameters, extent)
    sampling = bounds.sampling_bound(parameters, extent)
    mixing_in_phase1 = bounds.exploration_bound_from_mixing(parameters, extent)
    mixing_in_phase2 = bounds.sampling_bound_from_mixing(parameters, extent)
    yield Term("looping words", "N D |S|² |A| log(|F|/δ)", exploration - mixing_in_phase1)
    yield Term("mixing in phase 1", "|S| |A| t̂_mix log(N|F|/δ)", mixing_in_phase1)
    yield Term("touring the states", "|S|² D / ε log(|F|/δ)", sampling - mixing_in_phase2)
    yield Term("mixing in phase 2", "|S| t̂_mix / ε log(|F|/δ)", mixing_in_phase2)


def as_json(audit: Audit) -> Json:
    """The audit as JSON. Fractions are exact strings; `about` is rounded upwards."""
    return {
        **{key: _plain(audit.values[key]) for key in ("n_samp_cyc", "n_samp", "d")},
        "symbols": {
            symbol.key: {
                "symbol": symbol.symbol,
                "meaning": symbol.meaning,
                "formula": formula_text(symbol, NAMES),
                "value": _plain(audit.values[symbol.key]),
                "place": symbol.place,
            }
            for symbols in SECTIONS.values()
            for symbol in symbols
        },
        "budget": {
            "allowed": _amount(audit.budget.allowed),
            "spent": _amount(audit.budget.spent),
            "left": _amount(audit.budget.left),
            "charges": [
                {
                    "reason": share.reason,
                    "formula": share.formula,
                    "tests": share.tests,
                    "samples": share.samples,
                    "allotted": _amount(share.allotted),
                    "spent": _amount(share.spent),
                    "place": share.place,
                }
                for share in audit.shares
            ],
        },
        "steps": {
            **{
                bound.key: {
                    "name": bound.name,
                    "exact": bound.exact,
                    "bound": bound.bound,
                    "place": bound.place,
                }
                for bound in audit.steps
            },
            "terms": [
                {"name": term.name, "order": term.order, "steps": term.steps}
                for term in audit.terms
            ],
            "dominant": audit.dominant.name,
        },
    }


def _plain(value: int | Fraction) -> str | int:
    return value if isinstance(value, int) else str(value)


def _amount(amount: Fraction) -> Json:
    return {"exact": str(amount), "about": decimal_above(amount)}
