"""The paper's symbols: what each means, its formula, and the lines of the paper's source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol, by the key under which programs find its value."""

    key: str
    symbol: str
    meaning: str
    formula: str
    place: str


_GIVEN = (
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

_SAMPLES = (
    Symbol(
        "n_samp_cyc",
        "n_samp.cyc.",
        "samples of a state in each period test",
        "⌈ln(δ / 4|A|N(N−1)|F|) / ln(9/16)⌉",
        "l. 369, 542",
    ),
    Symbol(
        "n_samp",
        "n_samp.",
        "samples in each half of a cycle position",
        "⌈ln(δ / 4|A|N⁴(D̂+1)|F|) / ln(9/16)⌉",
        "l. 395, 478",
    ),
    Symbol(
        "d",
        "d",
        "samples of each state for the encoder",
        "⌈3|S| ln(16|S|²|F|/δ) / ε⌉",
        "l. 328, 931",
    ),
)

_ONE_CALL = (
    Symbol("word_length", "|â|", "length of the looped word", "≤ |S|(D+1)", "l. 190, 921"),
    Symbol("period", "n_cyc", "period of the loop, in words", "≤ |S|", "l. 188, 550"),
    Symbol(
        "offs",
        "offs.",
        "steps skipped before the period tests",
        "max((N−1)|â|, t̂_mix)",
        "l. 219, 554",
    ),
    Symbol(
        "c_init",
        "c_init",
        "steps taken to find the period",
        "(2t̂_mix + 3N|â| − 2) n_samp.cyc. − t̂_mix − N|â| + 1 + offs.",
        "l. 371, 538",
    ),
    Symbol(
        "k",
        "k(N)",
        "repetitions in the test for period n' = N",
        "⌊(c_init + r|â| − offs.) / (2r+n')|â|⌋, r = ⌈t̂_mix / n'|â|⌉ n'",
        "l. 380",
    ),
    Symbol("n_0", "n_0", "steps skipped before D^A", "max((N−n_cyc)|â|, t̂_mix)", "l. 401, 685"),
    Symbol(
        "stride",
        "stride",
        "steps between samples of a position",
        "⌈t̂_mix / n_cyc|â|⌉ n_cyc|â|",
        "l. 680, 691",
    ),
    Symbol(
        "n_0_late",
        "n_0'",
        "steps skipped before D^B",
        "n_0 + (n_samp.−1) stride + n_cyc|â| + t̂_mix",
        "l. 401, 696",
    ),
    Symbol(
        "c",
        "c",
        "steps that hold every sample of the cycle",
        "2 ((n_samp.−1) stride + n_cyc|â|) + t̂_mix + n_0",
        "l. 397, 663",
    ),
    Symbol("call_steps", "steps", "steps of the call", "max(c, c_init)", "l. 399, 440"),
)

_WHOLE_RUN = (
    Symbol("calls", "calls", "calls of CycleFind", "≤ |S||A|", "l. 188, 921"),
    Symbol(
        "cover_length",
        "|ā|",
        "length of the cycle through all states",
        "≤ max(|S|D, t̂_mix + D)",
        "l. 939",
    ),
    Symbol(
        "passes",
        "passes",
        "times ā is run: once in silence, then sampling",
        "d − 2 n_samp. + 1",
        "l. 337–345",
    ),
)

SECTIONS: Final[dict[str, tuple[Symbol, ...]]] = {
    "What STEEL is given, and the truth it must find": _GIVEN,
    "Samples": _SAMPLES,
    "One call of CycleFind: longest word, most expensive period": _ONE_CALL,
    "The whole run": _WHOLE_RUN,
}
