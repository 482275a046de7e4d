"""The facts of others, what follows from them, and the experiments known by name."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from steel_verified.experiments.published import EXPLORATION, PRIME_LOOPS, SIMULATED, printed
from steel_verified.experiments.registry import NAMES, TABLE2, TABLE3, preset
from steel_verified.experiments.seeded_runs import longer_initial_rollout, released_steps
from steel_verified.theory.counts import period_test_samples
from steel_verified.worlds.catalogue import instance, setting
from steel_verified.worlds.runs import predict
from tests.bounds import bounds, with_class


def test_agreement_compares_up_to_the_last_printed_digit() -> None:
    number = printed("2.00e6")
    assert number.agrees_with(2_004_999)
    assert number.agrees_with(1_995_001)
    assert not number.agrees_with(2_005_001)
    assert not number.agrees_with(1_994_999)


def test_every_column_has_its_printed_numbers() -> None:
    assert [column.name for column in TABLE2] == list(SIMULATED)
    assert [column.pair for column in TABLE3] == list(PRIME_LOOPS)
    for column in TABLE2:
        assert len(SIMULATED[column.name].logged) == len(column.variable.seeds) == 20
        assert {seeds.env for seeds in column.fixed.seeds} == {0}
        assert len({seeds.noise for seeds in column.fixed.seeds}) == 20
    keys = [
        key
        for column in TABLE2
        for runs in (column.fixed, column.variable)
        for key in runs.keys("looped")
    ]
    keys += [
        key
        for column in TABLE3
        for runs in (column.double, column.single)
        for key in runs.keys("looped")
    ]
    assert len(set(keys)) == 400


def test_the_printed_tables_agree_with_each_other() -> None:
    """Ratios are quotients of the printed steps, and the second table repeats rows of the first."""
    for column in PRIME_LOOPS.values():
        assert column.ratio.agrees_with(column.ac_state.value / column.steel.value)
        medians = column.ac_state_median.value / column.steel_median.value
        assert column.ratio_of_medians.agrees_with(medians)
    for pair, other in EXPLORATION.items():
        first = PRIME_LOOPS[pair]
        assert (other.uniform, other.uniform_median) == (first.ac_state, first.ac_state_median)


@given(st.integers(1, 50), st.integers(2, 60), st.integers(1, 300), st.integers(1, 1000))
def test_longer_roll_out_of_the_released_code_drops_two_terms(
    length: int, states: int, mixing_time: int, size: int
) -> None:
    given = with_class(bounds(2, states, mixing_time), size, states)
    samples = period_test_samples(given)
    assert longer_initial_rollout(given, length) == (
        (2 * mixing_time + 3 * states * length - 2) * samples
        + max((states - 1) * length, mixing_time)
    )


def test_the_released_code_is_recomputed_to_the_digit() -> None:
    """Of 21 logged counts, 16 are met; the others took other words of the same length.

    There, the difference is a multiple of what one more action in a word costs, 3N·n + N − 1.
    """
    logged = SIMULATED["combination-lock-20"]
    differences = []
    for seed, log in [(0, logged.logged_fixed), *zip(range(20, 40), logged.logged, strict=True)]:
        chosen = instance("combination-lock", seed, states=20)
        differences.append(log - released_steps(predict(chosen), chosen.parameters))
    assert differences.count(0) == 16
    assert all(difference % (90 * 32 + 29) == 0 for difference in differences)


def test_presets_are_the_columns_of_the_tables() -> None:
    assert NAMES[:-1] == (
        "combination-lock-20",
        "combination-lock-30",
        "combination-lock-40",
        "multi-maze",
    )
    for name in (*NAMES[:-1], "double-prime-11-13"):
        assert preset(name).name == name
    assert preset("combination-lock-30") == setting("combination-lock", states=30)
    assert preset("double-prime-3-5") == setting("double-prime", p=3, q=5)


def test_presets_have_the_printed_parameters() -> None:
    """N, D̂, t̂_mix, |F| (L components; nine mazes of 11 × 11 cells), ε and δ (l. 270)."""
    found = [
        (p.max_states, p.max_diameter, p.mixing_time, p.class_size, p.epsilon, p.delta)
        for p in (preset(name).parameters for name in NAMES[:-1])
    ]
    chances = (Fraction(1, 20), Fraction(1, 20))
    locks = [(states + 10, states + 10, 40, 512, *chances) for states in (20, 30, 40)]
    assert found == [*locks, (80, 80, 300, 9 * 121, *chances)]
