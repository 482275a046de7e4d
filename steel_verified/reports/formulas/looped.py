"""The paper's symbols: the meaning, formula and place of each, and the claims that justify it."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from steel_verified.reports.formulas.expressions import (
    Choice,
    LeastPower,
    Number,
    Value,
    WorstPeriod,
    ceiling,
    expression,
    floor,
    largest,
    ln,
)
from steel_verified.reports.formulas.symbols import Symbol

A, N, D_HAT, T = (Value(key) for key in ("actions", "max_states", "max_diameter", "mixing_time"))
F, DELTA, EPSILON = (Value(key) for key in ("class_size", "delta", "epsilon"))
S, D = Value("states"), Value("diameter")
N_CYC, N_SAMP, ENCODER = Value("n_samp_cyc"), Value("n_samp"), Value("d")
WORD, PERIOD, OFFSET, C_INIT = (Value(key) for key in ("word_length", "period", "offs", "c_init"))
RATE: Final = Number(Fraction(9, 16))  # Claims A24, B17

GIVEN: Final = (
    Symbol("actions", "|A|", "actions", "given", "l. 141"),
    Symbol("max_states", "N", "no more latent states than this", "given, N ≥ |S|", "l. 147"),
    Symbol("max_diameter", "D̂", "bound on the diameter", "given, D̂ ≥ D", "l. 148"),
    Symbol("mixing_time", "t̂_mix", "the noise has mixed by then", "given, ≥ t_mix", "l. 142"),
    Symbol("class_size", "|F|", "classifiers to choose from", "given", "l. 149"),
    Symbol("delta", "δ", "chance of failing allowed", "given", "l. 161"),
    Symbol("epsilon", "ε", "encoder error allowed on each state", "given", "l. 161"),
    Symbol("states", "|S|", "latent states there are", "the truth", "l. 141"),
    Symbol("diameter", "D", "steps from any state to any other", "the truth", "l. 147"),
)

_SAMPLES: Final = (
    Symbol(
        "n_samp_cyc",
        "n_samp.cyc.",
        "samples of a state in each period test",
        LeastPower(RATE, DELTA / (4 * A * N * (N - 1) * F)),
        "l. 369, 542",
        ("P11", "A27"),
    ),
    Symbol(
        "n_samp",
        "n_samp.",
        "samples in each half of a cycle position",
        LeastPower(RATE, DELTA / (4 * A * N**4 * (D_HAT + 1) * F)),
        "l. 395, 478",
        ("P11", "B22"),
    ),
    Symbol(
        "d",
        "d",
        "samples of each state for the encoder",
        ceiling(3 * S * ln(16 * S**2 * F / DELTA) / EPSILON),
        "l. 328, 931",
        ("P05", "E12"),
    ),
)

_ONE_CALL: Final = (
    Symbol(
        "word_length",
        "|â|",
        "length of the looped word, at most",
        S * (D + 1),
        "l. 190, 921",
        ("C03",),
    ),
    Symbol(
        "offs",
        "offs.",
        "steps skipped before the period tests",
        largest((N - 1) * WORD, T),
        "l. 219, 554",
        ("A11",),
    ),
    Symbol(
        "c_init",
        "c_init",
        "steps taken to find the period",
        Choice(
            N,
            expression(2),
            (2 * T + 3 * N * WORD - 2) * N_CYC - T - N * WORD + 1 + OFFSET,
            expression(0),
        ),
        "l. 371, 538",
        ("A05",),
    ),
    Symbol(
        "r",
        "r",
        "words between the samples of that test",
        ceiling(T / (N * WORD)) * N,
        "l. 380",
        ("P13",),
    ),
    Symbol(
        "k",
        "k(N)",
        "repetitions in the test for period n' = N",
        floor((C_INIT + Value("r") * WORD - OFFSET) / ((2 * Value("r") + N) * WORD)),
        "l. 380",
        ("P13", "A26"),
    ),
    Symbol(
        "period",
        "n_cyc",
        "period of the loop, in words",
        WorstPeriod(),
        "l. 188, 550",
        ("A09",),
    ),
    Symbol(
        "n_0",
        "n_0",
        "steps skipped before D^A",
        largest((N - PERIOD) * WORD, T),
        "l. 401, 685",
        ("B03",),
    ),
    Symbol(
        "stride",
        "stride",
        "steps between samples of a position",
        ceiling(T / (PERIOD * WORD)) * PERIOD * WORD,
        "l. 680, 691",
        ("B05",),
    ),
    Symbol(
        "n_0_late",
        "n_0'",
        "steps skipped before D^B",
        Value("n_0") + (N_SAMP - 1) * Value("stride") + PERIOD * WORD + T,
        "l. 401, 696",
        ("B04",),
    ),
    Symbol(
        "c",
        "c",
        "steps that hold every sample of the cycle",
        2 * ((N_SAMP - 1) * Value("stride") + PERIOD * WORD) + T + Value("n_0"),
        "l. 397, 663",
        ("P16", "B01"),
    ),
    Symbol(
        "call_steps",
        "steps",
        "steps of the call",
        largest(Value("c"), C_INIT),
        "l. 399, 440",
        ("P23",),
    ),
)

_WHOLE_RUN: Final = (
    Symbol("calls", "calls", "calls of CycleFind, at most", S * A, "l. 188, 921", ("C08",)),
    Symbol(
        "cover_length",
        "|ā|",
        "length of the cycle through all states, at most",
        largest(S * D, T + D),
        "l. 939",
        ("D01",),
    ),
    Symbol(
        "passes",
        "passes",
        "times ā is run; the first pass keeps no samples",
        Choice(ENCODER, 2 * N_SAMP + 1, ENCODER - 2 * N_SAMP + 1, expression(0)),
        "l. 337–345",
        ("P06", "P08", "D08"),
    ),
)

SECTIONS: Final[dict[str, tuple[Symbol, ...]]] = {
    "What STEEL is given, and the truth it must find": GIVEN,
    "Samples": _SAMPLES,
    "One call of CycleFind: longest word, most expensive period": _ONE_CALL,
    "The whole run": _WHOLE_RUN,
}
NAMES: Final = {symbol.key: symbol.symbol for part in SECTIONS.values() for symbol in part}
"""The symbol of each key."""
