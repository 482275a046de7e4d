"""Formulas for the parts of δ, the bounds on steps and their terms, and located STEEL's rounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.reports.formulas.expressions import (
    Checks,
    Choice,
    Number,
    Upwards,
    Value,
    exp,
    expression,
    floor,
    largest,
    ln,
    smallest,
)
from steel_verified.reports.formulas.looped import (
    D_HAT,
    DELTA,
    ENCODER,
    EPSILON,
    N_CYC,
    N_SAMP,
    NAMES,
    RATE,
    WORD,
    A,
    D,
    F,
    N,
    S,
    T,
)
from steel_verified.reports.formulas.symbols import Symbol

if TYPE_CHECKING:
    from steel_verified.reports.formulas.expressions import Expression

_CALLS, _COVER, _PASSES = Value("calls"), Value("cover_length"), Value("passes")
_LOG_RATE: Final = ln(Fraction(16, 9))


@dataclass(frozen=True, slots=True)
class ShareFormulas:
    """A part of δ: the number of tests, what the proof allots to them, and what they spend."""

    key: str
    tests: Expression
    samples: Expression
    allotted: Expression
    spent: Expression
    claims: tuple[str, ...]


SHARES: Final = (
    ShareFormulas(
        "period",
        _CALLS * (N - 1),
        N_CYC,
        DELTA / 4,
        Value("tests_period") * F * RATE**N_CYC,
        ("A24", "A27", "E08"),
    ),
    ShareFormulas(
        "position",
        _CALLS * S**2 * WORD,
        N_SAMP,
        DELTA / 4,
        Value("tests_position") * F * RATE**N_SAMP,
        ("B17", "B18", "E08"),
    ),
    ShareFormulas(
        "encoder",
        expression(S**2),
        ENCODER,
        DELTA / 2,
        Upwards(
            8 * Value("tests_encoder") * F * exp(Number(Fraction(-1, 3)) * EPSILON * ENCODER / S),
            DELTA,
        ),
        ("E04", "E07", "E12"),
    ),
)

_PERIOD_SAMPLE: Final = 2 * T + 3 * N * WORD - 2
_POSITION_SAMPLE: Final = 2 * (T + S * WORD - 1)
_TRANSIENT: Final = 2 + largest((N - 1) * WORD - T, 0)
_BY_PERIOD: Final = _PERIOD_SAMPLE * N_CYC
_BY_POSITION: Final = _POSITION_SAMPLE * N_SAMP + _TRANSIENT
_TESTS: Final = 4 * A * N * F / DELTA
_SAMPLING: Final = (ENCODER - 1 + S) * _COVER


def _rounded_up(tests: Expression) -> Expression:
    """An upper bound of ⌈ln(tests)/ln(16/9)⌉."""
    return ln(tests) / _LOG_RATE + 1


@dataclass(frozen=True, slots=True)
class BoundFormulas:
    """A count of steps, and the paper's bound on it."""

    key: str
    exact: Expression
    bound: Expression
    claims: tuple[str, ...]


BOUNDS: Final = (
    BoundFormulas(
        "call",
        Value("call_steps"),
        largest(_PERIOD_SAMPLE * N_CYC - N * WORD, _POSITION_SAMPLE * N_SAMP + 1)
        + largest((N - 1) * WORD - T, 0)
        + 1,
        ("A04", "B02"),
    ),
    BoundFormulas(
        "phase1", _CALLS * Value("call_steps"), _CALLS * Value("bound_call"), ("C08", "E09")
    ),
    BoundFormulas(
        "phase1_simplified",
        _CALLS * Value("call_steps"),
        _CALLS * largest(_BY_PERIOD, _BY_POSITION),
        ("E10",),
    ),
    BoundFormulas("phase2", _PASSES * _COVER, _SAMPLING, ("D10", "E13")),
    BoundFormulas(
        "total",
        _CALLS * Value("call_steps") + _PASSES * _COVER,
        floor(
            _COVER * (3 * S * ln(16 * S**2 * F / DELTA) / EPSILON + S)
            + _CALLS
            * largest(
                _POSITION_SAMPLE * _rounded_up(_TESTS * N**3 * (D_HAT + 1)) + _TRANSIENT,
                Choice(
                    N,
                    expression(2),
                    _PERIOD_SAMPLE * _rounded_up(largest(_TESTS * (N - 1), 1)),
                    expression(0),
                ),
            )
        ),
        ("E14",),
    ),
)

_MIXING_1: Final = _CALLS * 2 * T * Choice(_BY_PERIOD, _BY_POSITION, N_CYC, N_SAMP)
_MIXING_2: Final = Choice(S * D, T + D, expression(0), (ENCODER - 1 + S) * T)
TERMS: Final[tuple[tuple[str, Expression], ...]] = (
    ("looping", Value("bound_phase1_simplified") - _MIXING_1),
    ("mixing_1", _MIXING_1),
    ("touring", Value("bound_phase2") - _MIXING_2),
    ("mixing_2", _MIXING_2),
)
"""The terms of Theorem 1, in the order of the audit."""


LOCATED: Final = (
    Symbol(
        "shortest",
        "|ā|",
        "actions of the walk, at least",
        largest(S, T),
        "",
        ("L1.checks",),
    ),
    Symbol(
        "longest", "|ā|", "actions of the walk, at most", largest(S * D, T + D), "l. 939", ("D01",)
    ),
    Symbol(
        "gap",
        "j",
        "mixing times between samples, at least",
        smallest(floor(Value("shortest") / T), 64),
        "",
        ("L1.checks",),
    ),
    Symbol(
        "distance",
        "η",
        "distance from stationarity then",
        Number(Fraction(1, 2)) ** (Value("gap") + 1),
        "",
        ("S.T06",),
    ),
)
ALL_NAMES: Final = (
    NAMES
    | {symbol.key: symbol.symbol for symbol in LOCATED}
    | {f"tests_{share.key}": "tests" for share in SHARES}
)
"""The symbols of both algorithms, by their keys."""


@dataclass(frozen=True, slots=True)
class RoundFormulas:
    """One round of validation."""

    number: int
    share: Expression
    samples: Expression
    limit: Expression
    steps: Expression


def round_formulas(number: int) -> RoundFormulas:
    """Round k spends δ/(k(k+1)). Claims L1.checks, L1.fails."""
    share = DELTA / Number(Fraction(number * (number + 1)))
    return RoundFormulas(
        number,
        share,
        Checks(EPSILON, Value("distance"), share),
        Checks(EPSILON, Number(Fraction(0)), share),
        (Value(f"samples_{number}") + 1) * Value("longest"),
    )
