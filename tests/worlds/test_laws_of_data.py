"""The exact comparison of laws against summing over all histories, and simulated worlds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.tabular import HiddenModel, HiddenWorld, certain, law

from .counts_against_laws import too_far
from .laws_of_data import chance, difference

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from steel_verified.worlds.tabular import Law

HALF = Fraction(1, 2)


def laws(size: int) -> SearchStrategy[Law]:
    """Certain outcomes and fair coins: few laws, so that equal models are often drawn."""
    outcome = st.integers(0, size - 1)
    return st.builds(
        lambda one, other: law({one: HALF, other: HALF}) if one != other else certain(one),
        outcome,
        outcome,
    )


@st.composite
def models(draw: st.DrawFn) -> HiddenModel:
    size = draw(st.integers(1, 3))
    return HiddenModel(
        draw(laws(size)),
        tuple((draw(laws(size)), draw(laws(size))) for _ in range(size)),
        tuple(draw(laws(2)) for _ in range(size)),
    )


@given(one=models(), other=models())
def test_exact_difference_agrees_with_summing_over_all_histories(
    one: HiddenModel, other: HiddenModel
) -> None:
    """Two models with n hidden states in all differ within n steps, if they differ at all."""
    found = difference(one, other, first_action=0)
    longest = min(4, len(one) + len(other)) if found is None else len(found.history)
    for steps in range(1, min(longest, 5) + 1):
        for taken in product((0, 1), repeat=steps - 1):
            for seen in product((0, 1), repeat=steps):
                history = tuple(zip((0, *taken), seen, strict=True))
                chances = chance(one, history), chance(other, history)
                if found is None or steps < len(found.history):
                    assert chances[0] == chances[1]
                elif history == found.history:
                    assert chances == found.chances
                    assert chances[0] != chances[1]


@given(model=models())
def test_splitting_a_hidden_state_keeps_the_law_of_data(model: HiddenModel) -> None:
    """Each move to the last hidden state goes to one of two copies of it instead."""
    last = len(model) - 1

    def split(each: Law) -> Law:
        weights = dict(each)
        half = weights.get(last, Fraction(0)) / 2
        return law(weights | {last: half, last + 1: half})

    moves = tuple(tuple(split(each) for each in row) for row in model.moves)
    copied = HiddenModel(split(model.start), (*moves, moves[-1]), (*model.shows, model.shows[-1]))
    assert difference(model, copied, first_action=0) is None


def test_simulated_histories_follow_the_exact_law() -> None:
    """False alarm below 10⁻⁶; a law with 1/3 in place of 1/2 is seen with more than 99 %."""
    moves = ((law({0: HALF, 1: HALF}), certain(1)), (certain(0), law({0: HALF, 1: HALF})))
    shows = (certain(0), law({0: Fraction(1, 3), 1: Fraction(2, 3)}))
    model = HiddenModel(certain(0), moves, shows)
    taken = (0, 1, 1)
    times = tuple((Progression(t),) for t in (1, 2, 3))
    counted = Counter(
        tuple(int(row[0]) for row in HiddenWorld(model, seed).run(Plan(taken, 3)).rows(*times))
        for seed in range(2000)
    )
    histories = list(product((0, 1), repeat=3))
    counts = [counted[seen] for seen in histories]
    other = replace(model, start=certain(1))
    for right, of in ((True, model), (False, other)):
        exact = [float(chance(of, tuple(zip(taken, seen, strict=True)))) for seen in histories]
        assert too_far(counts, exact, alarm=1e-6) is not right


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"start": ((0, HALF),)}, "start"),
        ({"start": certain(2)}, "outcomes from 0 to 1"),
        ({"shows": (certain(0),)}, "shows"),
        ({"moves": ((certain(0),), ())}, r"moves\[1\]"),
    ],
)
def test_models_that_do_not_fit_together_are_refused(change: dict[str, object], why: str) -> None:
    model = HiddenModel(certain(0), ((certain(1),), (certain(0),)), (certain(0), certain(1)))
    with pytest.raises(InvalidArgument, match=why):
        replace(model, **change)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="denominator"):
        HiddenWorld(replace(model, start=law({0: HALF, 1: HALF})), 0, denominator=3)
