"""Counts in a sentence."""

from steel_verified.theory.wording import counted, counted_range


def test_counted_uses_the_singular_only_for_one() -> None:
    assert [counted(n, "state") for n in (0, 1, 2, 1000)] == [
        "0 states",
        "1 state",
        "2 states",
        "1,000 states",
    ]


def test_counted_range_of_one_number_shows_one_number() -> None:
    assert counted_range(1, 1, "step") == "1 step"
    assert counted_range(1, 2, "step") == "1 to 2 steps"
