"""A bet that was won says what was seen, in which state, how often, and how unlikely that is."""

from __future__ import annotations

from fractions import Fraction

import pytest

from steel_verified.evidence.oracle import Declared
from steel_verified.learning.self_check.bets import NEXT_ROW, OF_RUN, Kind
from steel_verified.learning.self_check.probes import probe_name
from steel_verified.learning.self_check.won import Won

ONE, SAME, TWO = ("bit 4",), ("bit 4", "bit 4"), ("bit 2", "bit 4")


def won(
    kind: Kind, measured: tuple[str, ...], told: str, *counts: tuple[int, ...], paid: int = 10**7
) -> Won:
    return Won(kind, 3, measured, told, counts, 1, Fraction(paid), Fraction(20_000))


@pytest.mark.parametrize(
    ("bet", "seen"),
    [
        (
            won(Kind.LOOP, ONE, "", (50, 50), (90, 10), (1, 1), (20, 80)),
            (
                "in state 3, bit 4 was 1 in 10 % of 100 samples in one loop, and in 80 % of "
                "100 samples in another"
            ),
        ),
        (
            won(Kind.HALF, ONE, OF_RUN, (2, 8), (9, 1)),
            (
                "in state 3, bit 4 was 1 in 10 % of 10 samples in the second half of the run,"
                " and in 80 % of 10 samples in the first half of the run"
            ),
        ),
        (
            won(Kind.ANY, ONE, "in the sample before", (8, 2), (1, 9)),
            (
                "over all states, bit 4 was 1 in 20 % of 10 samples for which it was 0 in the"
                " sample before, and in 90 % of 10 samples for which it was 1 in the sample "
                "before"
            ),
        ),
        (
            won(Kind.EARLIER, SAME, "two samples before", (8, 2), (1, 9)),
            (
                "in state 3, bit 4 was 1 in 20 % of 10 samples for which it was 0 two samples"
                " before, and in 90 % of 10 samples for which it was 1 two samples before"
            ),
        ),
        (
            won(Kind.EARLIER, TWO, "two samples before", (8, 2), (1, 9)),
            (
                "in state 3, bit 4 was 1 in 20 % of 10 samples for which bit 2 was 0 two "
                "samples before, and in 90 % of 10 samples for which bit 2 was 1 two samples "
                "before"
            ),
        ),
        (
            won(Kind.WAY, TWO, "", (5, 0, 5, 0), (5, 5, 0, 0)),
            (
                "in state 3, bit 2 and bit 4 were 1 and 0 together in 0 % of 10 samples after"
                " one pair of state and action, and in 50 % of 10 samples after another"
            ),
        ),
        (
            won(Kind.LOOP, TWO, NEXT_ROW, (0, 0, 0, 10), (5, 0, 0, 5)),
            (
                "in state 3, bit 2 and, one step later, bit 4 were 1 and 1 together in 50 % "
                "of 10 samples in one loop, and in 100 % of 10 samples in another"
            ),
        ),
        (
            won(Kind.PHASE, ONE, "of 2", (10, 0), (0, 10)),
            (
                "in state 3, bit 4 was 1 in 0 % of 10 samples at one phase of a loop, and in "
                "100 % of 10 samples at another"
            ),
        ),
        (
            won(Kind.HALF, ONE, "", (0, 10), (10, 0)),
            (
                "in state 3, bit 4 was 1 in 0 % of 10 samples in one half of a loop, and in "
                "100 % of 10 samples in another"
            ),
        ),
    ],
    ids=lambda value: value.kind.name if isinstance(value, Won) else "",
)
def test_won_bet_names_the_contexts_that_differ_most(bet: Won, seen: str) -> None:
    assert bet.seen == seen
    assert bet.sentence == (
        f"{seen} (samples at least t̂_mix apart); if all conditions hold, a bet on such a "
        "difference pays 20,000 times its stake or more with chance at most 1/20,000, and this "
        "one paid 10^7 times its stake"
    )


def test_frequencies_are_not_rounded_to_never_or_always() -> None:
    rare = won(Kind.LOOP, ONE, "", (999, 1), (1, 999))
    assert "in less than 1 % of 1,000 samples in one loop, and in more than 99 % of" in rare.seen


def test_huge_winnings_are_written_in_the_sentence() -> None:
    huge = won(Kind.LOOP, ONE, "", (9, 0), (0, 9), paid=10**5000)
    assert "this one paid 10^5000 times its stake" in huge.sentence


@pytest.mark.parametrize(
    ("declared", "number", "name"),
    [
        (Declared("finite", "bits", 6), 4, "classifier 4"),
        (Declared("conjunctions", "bits", 6), 4, "bit 4"),
        (Declared("thresholds", "float64", 3), 2, '"number 2 is above its lower quartile"'),
        (Declared("thresholds", "int64", 3), 4, '"number 1 is above its median"'),
        (Declared("thresholds", "int64", 3), 6, '"number 0 is above its upper quartile"'),
    ],
)
def test_measurements_have_names_that_a_user_knows(
    declared: Declared, number: int, name: str
) -> None:
    assert probe_name(declared, number) == name
