"""A learned model is compared with known dynamics, up to relabelling."""

from __future__ import annotations

import pytest

from steel_verified.classes.finite import Components
from steel_verified.errors import InvalidArgument
from steel_verified.learning.model import Model
from steel_verified.using.encoder import Encoder
from steel_verified.using.learned import Learned
from steel_verified.worlds.dynamics import Dynamics

TRUTH = Dynamics(((1, 0), (2, 0), (0, 0)))
SHOWN = [[[1, 0, 0, 0], [1, 0, 0, 1]], [[0, 1, 0, 0]], [[0, 0, 1, 1]]]
"""Bit s shows state s; the last bit is noise."""
RENAMED = ((1, 1), (2, 1), (0, 1))
"""The true dynamics if the states 0, 1, 2 have the labels 1, 2, 0."""


def learned(table: tuple[tuple[int, ...], ...], bits: tuple[int, ...]) -> Learned:
    encoder = Encoder(Components(4), bits)
    return Learned(Model(2, table), 0, 1, None, encoder)


def test_renaming_returns_the_label_of_each_true_state() -> None:
    assert learned(TRUTH.table, (0, 1, 2)).renaming(TRUTH, SHOWN) == (0, 1, 2)
    assert learned(RENAMED, (2, 0, 1)).renaming(TRUTH, SHOWN) == (1, 2, 0)


@pytest.mark.parametrize(
    ("table", "bits"),
    [
        pytest.param(((1, 1), (2, 0), (0, 1)), (2, 0, 1), id="a wrong transition"),
        pytest.param(RENAMED, (2, 1, 0), id="two states exchanged by the encoder"),
        pytest.param(RENAMED, (3, 0, 1), id="an encoder that reads the noise"),
        pytest.param(((1, 0), (0, 0)), (0, 1), id="a state is missing"),
        pytest.param((*TRUTH.table, (0, 0)), (0, 1, 2, 3), id="a state too many"),
    ],
)
def test_renaming_of_a_wrong_model_is_none(
    table: tuple[tuple[int, ...], ...], bits: tuple[int, ...]
) -> None:
    assert learned(table, bits).renaming(TRUTH, SHOWN) is None


def test_renaming_is_none_after_one_wrongly_encoded_observation() -> None:
    misread = [[*SHOWN[0], [0, 1, 0, 1]], *SHOWN[1:]]
    assert learned(TRUTH.table, (0, 1, 2)).renaming(TRUTH, misread) is None


def test_renaming_is_none_if_two_states_share_a_label() -> None:
    """With one label for both states, each action leads from label to label as in the truth."""
    switch = Dynamics(((1, 0), (0, 1)))
    shown = [[[1, 0, 0, 1]], [[0, 1, 0, 1]]]
    assert learned(switch.table, (0, 1)).renaming(switch, shown) == (0, 1)
    assert learned(((0, 0),), (3,)).renaming(switch, shown) is None
    with_a_label_left_over = ((0, 0), (0, 0))
    assert learned(with_a_label_left_over, (3, 2)).renaming(switch, shown) is None


def test_renaming_without_observations_of_a_state_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="2 of them: expected 3 datasets, one for each"):
        learned(TRUTH.table, (0, 1, 2)).renaming(TRUTH, SHOWN[:2])
