"""Bets of the self-check: their probes, counts, winnings, and what a bet that was won says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.evidence.observed import kept_of
from steel_verified.evidence.oracle import Declared
from steel_verified.learning.self_check import probes
from steel_verified.learning.self_check.bets import (
    NEXT_ROW,
    OF_RUN,
    Bets,
    Kind,
    Samples,
    bets_on,
    bets_on_all,
    grouped,
    values_of,
)
from steel_verified.learning.self_check.probes import (
    blocks,
    changing,
    number_of_probes,
    probe_name,
    probed,
)
from steel_verified.learning.self_check.rows import LoopRows, Terms
from steel_verified.learning.self_check.won import Won, check
from steel_verified.theory.self_check import winnings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from steel_verified.learning.self_check.won import SelfChecked


SEEDS = st.integers(0, 10**6)


@given(
    seed=SEEDS,
    many=st.sampled_from([1, 9, 255, 256, 700]),
    different=st.integers(1, 3),
    probes=st.sampled_from([1, 3, 8, 9]),
)
def test_grouped_counts_equal_counting_one_by_one(
    seed: int, many: int, different: int, probes: int
) -> None:
    draw = np.random.default_rng(seed)
    contexts = draw.integers(0, different, many)
    one, other = draw.random((2, many, probes)) < draw.random((2, 1, probes))
    groups, values = grouped(contexts), values_of(one)
    single, same = groups.ones(values), groups.same(values, values_of(other))
    joint, (first, second) = groups.joint(values, values_of(other))
    within, (lower, upper) = groups.joint(values, values)
    for place, context in enumerate(np.unique(contexts).tolist()):
        here = np.flatnonzero(contexts == context).tolist()
        for probe in range(probes):
            assert single[place, probe] == sum(bool(one[n, probe]) for n in here)
            both = Counter(2 * one[n, probe] + other[n, probe] for n in here)
            assert same[place, :, probe].tolist() == [both[k] for k in range(4)]
        for number, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            both = Counter(2 * one[n, a] + other[n, b] for n in here)
            assert joint[place, :, number].tolist() == [both[k] for k in range(4)]
        for number, (a, b) in enumerate(zip(lower.tolist(), upper.tolist(), strict=True)):
            both = Counter(2 * one[n, a] + one[n, b] for n in here)
            assert within[place, :, number].tolist() == [both[k] for k in range(4)]


def samples(seed: int, probes: int) -> Samples:
    """Return samples of one label in three loops; every third probe never changes."""
    draw, many = np.random.default_rng(seed), 60
    values = draw.random((2, many, probes)) < 0.5
    values[:, :, ::3] = np.arange(probes)[::3] % 2
    columns = changing(values.reshape(-1, probes)) if probes > 24 else np.arange(probes)
    return Samples(
        label=0,
        times=np.arange(1, many + 1) * 10,
        loops=np.arange(many) // 20,
        within=np.arange(1, many + 1) * 10,
        lengths=np.full(many, 3),
        ways=draw.integers(0, 2, many),
        after=draw.integers(0, 2, many),
        at=np.arange(many),
        now=values_of(values[0][:, columns]),
        later=values_of(values[1][:, columns]),
        columns=columns,
        probes=probes,
    )


@pytest.mark.parametrize("probes", [1, 5, 24, 25, 40])
def test_floating_point_winnings_equal_exact_winnings(probes: int) -> None:
    for bets in bets_on(samples(probes, probes), mixing_time=3, max_states=2):
        found = bets.log_winnings()
        for number in range(0, len(found), 17):
            exact = winnings(bets.counts[:, :, number].tolist(), bets.mixing_times)
            assert found[number] == pytest.approx(log(exact.numerator) - log(exact.denominator))


def test_bets_that_cannot_be_won_are_counted() -> None:
    """The number of bets depends only on the times, and the omitted bets pay at most 1."""
    every = list(bets_on(samples(1, 40), mixing_time=3, max_states=2))
    assert {bets.kind for bets in every} == set(Kind) - {Kind.ANY}
    for bets in every:
        assert bets.made == 40
        assert [each.tolist() for each in bets.probes] == [
            [probe for probe in range(40) if probe % 3]
        ] * len(bets.probes)
        sizes = bets.counts[:, :, 0].sum(axis=1).tolist()
        if bets.kind is not Kind.EARLIER:
            unchanging = [[size, *[0] * (bets.counts.shape[1] - 1)] for size in sizes]
            assert winnings(unchanging, bets.mixing_times) <= 1


def of_two_labels(slow: int) -> tuple[Samples, Samples]:
    """Return samples of two alternating labels; probe 0 changes after `slow` samples."""
    draw = np.random.default_rng(slow)
    values = draw.random((120, 5)) < 0.5
    values[:, 0] = np.arange(120) // slow % 2
    times = 2 * np.arange(1, 121)

    def of(label: int) -> Samples:
        own = slice(label, None, 2)
        one = np.ones(60, dtype=np.int64)
        return Samples(
            label=label,
            times=times[own],
            loops=one,
            within=times[own],
            lengths=one,
            ways=one,
            after=one,
            at=np.arange(60),
            now=values_of(values[own]),
            later=values_of(values[own]),
            columns=np.arange(5),
            probes=5,
        )

    return of(0), of(1)


def test_bets_on_all_labels_equal_counting_one_by_one() -> None:
    one, other = of_two_labels(1)
    every = sorted(
        (time, label, row.tolist())
        for label, of in enumerate((one, other))
        for time, row in zip(of.times.tolist(), of.now.bits, strict=True)
    )
    found = list(bets_on_all((one, other), mixing_time=2))
    assert [bets.mixing_times for bets in found] == [1, 2, 4, 8]
    for bets in found:
        chosen = [each for each in every if each[0] % (2 * bets.mixing_times) == 0]
        after = list(pairwise(chosen))
        for probe in range(5):
            pairs = Counter((a[2][probe], b[2][probe]) for a, b in after)
            shown = Counter((b[1], b[2][probe]) for _, b in after)
            own = [[pairs[was, now] for now in (False, True)] for was in (False, True)]
            labels = sorted({b[1] for _, b in after})
            of_labels = [[shown[label, now] for now in (False, True)] for label in labels]
            assert bets.counts[:, :, probe].tolist() == own
            assert bets.totals[:, :, probe].tolist() == of_labels
            exact = winnings(own, bets.mixing_times, of_labels)
            logarithm = log(exact.numerator) - log(exact.denominator)
            assert bets.log_winnings()[probe] == pytest.approx(logarithm)


def test_bet_on_all_labels_detects_slow_noise_best() -> None:
    """A bet on both labels pays more than any bet on one of them."""
    samples_of_both = of_two_labels(40)
    together = max(bets.log_winnings()[0] for bets in bets_on_all(samples_of_both, 2))
    alone = max(
        bets.log_winnings()[0]
        for each in samples_of_both
        for bets in bets_on(each, 2, 2)
        if not bets.joint
    )
    assert together > max(alone, log(10**5))
    assert not list(bets_on_all(samples_of_both[:1], 2))


def test_samples_that_are_too_close_get_no_bets() -> None:
    found: list[Bets] = list(bets_on(samples(0, 5), mixing_time=11, max_states=2))
    assert found
    assert min(bets.mixing_times for bets in found) >= 1


BITS = Declared("components", "bits", 61)
NUMBERS = Declared("boxes", "int64", 20)
TIMES = tuple(range(20, 6020, 20))


def drawn(declared: Declared, seed: int) -> NDArray[np.int64]:
    """Return two rows for each time; most entries are noise, and some never change."""
    draw = np.random.default_rng(seed)
    values = draw.integers(0, 2 if declared is BITS else 100, (2 * len(TIMES), declared.width))
    values[:, ::5] = 1
    return values


def loop(declared: Declared, values: NDArray[np.int64], start: int) -> LoopRows:
    packed = (
        np.packbits(values.astype(np.bool_), axis=1, bitorder="little")
        if declared is BITS
        else values.astype("<i8")
    )
    return LoopRows((0,), (0,), start, TIMES, kept_of(declared, [packed.tobytes()]))


def loops(declared: Declared) -> tuple[LoopRows, ...]:
    """Return three loops; entries 17 and 52 (or 13) are larger in the last one."""
    values = [drawn(declared, seed) for seed in range(3)]
    for entry in (17, 52) if declared is BITS else (13, 17):
        values[2][:, entry] = 1 if declared is BITS else 90
    return tuple(loop(declared, each, 7000 * number) for number, each in enumerate(values))


def checked_rows(declared: Declared) -> SelfChecked:
    tested = Terms(fixed_at=0, level=Fraction(1, 1000))
    return check(loops(declared), tested, mixing_time=5, max_states=2)


@pytest.mark.parametrize("declared", [BITS, NUMBERS])
def test_check_in_blocks_equals_check_in_one_block(
    declared: Declared, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [each.rows for each in loops(declared)]
    whole, seen, many = checked_rows(declared), probed(kept), len(list(blocks(kept)))
    assert {won.measured[0] for won in whole.won}
    monkeypatch.setattr(probes, "_MOST_VALUES", 1)
    assert many == 1
    assert len(list(blocks(kept))) == 3
    assert (probed(kept) == seen).all()
    assert checked_rows(declared) == whole


@pytest.mark.parametrize("declared", [BITS, NUMBERS])
def test_probes_have_the_values_of_their_definition(declared: Declared) -> None:
    """A bit is a probe. A number is above a quartile of the first kept rows, or it is not."""
    values = [drawn(declared, seed) for seed in range(2)]
    seen = probed([loop(declared, each, 0).rows for each in values])
    assert seen.shape == (4 * len(TIMES), number_of_probes(declared))
    if declared is BITS:
        assert (seen == np.concatenate(values).astype(np.bool_)).all()
        return
    for part in range(3):
        quartile = np.sort(values[0], axis=0)[(part + 1) * (2 * len(TIMES) - 1) // 4]
        own = seen[:, part * declared.width : (part + 1) * declared.width]
        assert (own == (np.concatenate(values) > quartile)).all()


@pytest.mark.parametrize("declared", [BITS, NUMBERS])
def test_changing_probes_are_found_without_unpacking(declared: Declared) -> None:
    kept = [loop(declared, drawn(declared, 0), 0).rows]
    (block,) = blocks(kept)
    for rows in (np.arange(3), np.arange(40, 80), np.array([5])):
        assert block.changing(rows).tolist() == changing(block.read(rows)).tolist()


ONE, SAME, TWO = ("bit 4",), ("bit 4", "bit 4"), ("bit 2", "bit 4")


def won(
    kind: Kind, measured: tuple[str, ...], text: str, *counts: tuple[int, ...], paid: int = 10**7
) -> Won:
    return Won(kind, 3, measured, text, counts, 1, Fraction(paid), Fraction(20_000))


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
        f"{seen} (samples at least t̂_mix apart); if all conditions hold, the e-value of such a "
        "difference reaches 20,000 with chance at most 1/20,000, and here it is 10^7"
    )


def test_frequencies_are_not_rounded_to_never_or_always() -> None:
    rare = won(Kind.LOOP, ONE, "", (999, 1), (1, 999))
    assert "in less than 1 % of 1,000 samples in one loop, and in more than 99 % of" in rare.seen


def test_huge_winnings_are_written_in_the_sentence() -> None:
    huge = won(Kind.LOOP, ONE, "", (9, 0), (0, 9), paid=10**5000)
    assert "and here it is 10^5000" in huge.sentence


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
