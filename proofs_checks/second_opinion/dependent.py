"""Values that some proofs about sums ask for, and that depend on others which are computed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.second_opinion.scenes import NONE, number, sequence, table, vector
from proofs_checks.second_opinion.whole_runs import (
    counted,
    encoder,
    encoder_training,
    located_rounds,
    located_steps,
    many_tests,
    one_test,
    tests,
    two_algorithms,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from proofs_checks.second_opinion.evaluating import Instance, Values
    from proofs_checks.second_opinion.scenes import Scene


def _conditional(_: Scene, instance: Instance) -> Values:
    """w(j, x)/a(j), and anything where a(j) is 0."""

    def value(j: int, x: int) -> Fraction:
        mass = instance.value("a", (j,))
        return instance.value("w", (j, x)) / mass if mass else Fraction(x)

    return {"r": table(value)}


def _forecaster(scene: Scene, instance: Instance) -> Values:
    """Chances of a forecaster by the past, and what is shown and seen after each sample."""

    @cache
    def forecast(h: int) -> tuple[Fraction, ...]:
        least = 1 - scene.slack("F", h)
        return tuple(least * chance for chance in scene.at("F", h).law(2))

    @cache
    def seen(place: tuple[int, ...]) -> tuple[Fraction, ...]:
        return scene.at("G", place).law(2 * scene.size)

    def after(at: tuple[int, ...]) -> Fraction:
        *before, past, z = at
        j, _, x, s = before
        shows = instance.value("g", (instance.place("at", (j,)), x, s))
        return shows * seen(tuple(before))[past * scene.size + z]

    return {
        "η": lambda _: instance.value("half", (instance.fixed["times"],)) / 2,
        "t": table(lambda label, s: scene.share("t", label, s)),
        "v": lambda at: 1 / instance.value("u", at),
        "F": table(lambda h, s: forecast(h)[s]),
        "G": after,
        "part": table(lambda j, h: scene.share("part", j, h)),
    }


def _counts(scene: Scene, instance: Instance) -> Values:
    """How often each symbol was seen."""
    seen = [Fraction(scene.draws.r.randrange(4)) for _ in range(2)]

    def inverse(_: tuple[int, ...]) -> Fraction:
        return 1 / (instance.value("m", ()) + instance.value("κ", ()))

    return {"a": vector(seen), "R": inverse}


def _likely(scene: Scene, instance: Instance) -> Values:
    """A sequence of n symbols, all of which are seen, the most likely w for it, and another u'."""
    r, n, kinds = scene.draws.r, instance.fixed["n"], instance.sizes["seen"]
    symbols = [*range(kinds), *(r.randrange(kinds) for _ in range(n - kinds))]
    r.shuffle(symbols)
    multiplier = Fraction(r.choice((1, 2, 3, 4, 6)), 2)
    counts = [Fraction(symbols.count(s)) for s in range(kinds)]
    most = [min(Fraction(1), count / multiplier) for count in counts]
    other = scene.draws.shares(kinds)
    factor = min(Fraction(1), sum(most, NONE) / sum(other, NONE)) if any(other) else NONE
    ratios = [factor * other[s] / most[s] for s in symbols]
    return {
        "λ": number(multiplier),
        "e": vector([max(NONE, count - multiplier) for count in counts]),
        "w": vector(most),
        "u'": vector([factor * each for each in other]),
        "r": sequence(lambda j: ratios[j] if j < n else 2 * scene.share("r", j)),
    }


def _bets(scene: Scene, instance: Instance) -> Values:
    """Two kinds of two bets, each of which pays 1 or less on average."""
    shares = [scene.share("share", k) for k in range(2)]
    counts = [[scene.at("in", k, b).r.randrange(2) for b in range(2)] for k in range(2)]
    budget = max(shares[k] * sum(counts[k]) for k in range(2)) + scene.slack("β")

    def won(at: tuple[int, ...]) -> Fraction:
        return shares[at[0]] * instance.value("paid", at) - scene.slack("won", at)

    def some(at: tuple[int, ...]) -> Fraction:
        won_there = [
            counts[k][b] * instance.value("won", (k, b, *at)) for k in range(2) for b in range(2)
        ]
        return sum(won_there, NONE) - scene.slack("some", at)

    return {
        "Pr": vector(scene.outcomes),
        "paid": lambda at: (
            scene.paid("paid", *at[:-1])[at[-1]] * (1 - scene.slack("mean", at[:-1]))
        ),
        "in": table(lambda k, b: Fraction(counts[k][b])),
        "won": won,
        "some": some,
        "share": vector(shares),
        "β": number(budget),
        "α": number(2 * budget + scene.slack("α")),
    }


DEPENDENT: Final[Mapping[str, Callable[[Scene, Instance], Values]]] = {
    "samples.passing_and_arriving": _conditional,
    "bets.no_gain": _forecaster,
    "bets.chances_sum_to_1": _counts,
    "bets.nothing_is_more_likely": _likely,
    "bets.rarely_won": _bets,
    "theorem.counted_events": counted,
    "theorem.one_test": one_test,
    "theorem.period_test_chance": tests,
    "theorem.position_test_chance": tests,
    "theorem.a_period_test_errs": tests,
    "theorem.a_position_test_errs": tests,
    "theorem.poor_classifier_chance": encoder_training,
    "theorem.steel_fails": many_tests,
    "theorem.encoder_errs": encoder,
    "checking.far_apart": located_steps,
    "located.bad_label_misses": located_steps,
    "located.bad_label_passes": located_steps,
    "located.located_fails": located_rounds,
    "fallback.with_a_fallback": two_algorithms,
}
"""By the name of the proof"""
