"""The exploration policy of located STEEL: its three rules, in order."""

from __future__ import annotations

from collections import defaultdict

import pytest

from steel_verified.learning.graph import Labels, Row
from steel_verified.learning.located import ENOUGH, next_action


def labels_with(*rows: Row) -> Labels:
    return Labels(2, tuple(range(len(rows))), dict(enumerate(rows)))


@pytest.mark.parametrize(
    ("seen", "action"),
    [
        ({0: ENOUGH, 1: ENOUGH}, 1),  # the unknown action is tried here
        ({0: ENOUGH - 1, 1: ENOUGH}, 0),  # label 0 was seen too rarely: go to label 1
    ],
)
def test_rule_1_goes_to_the_nearest_label_seen_often_enough(
    seen: dict[int, int], action: int
) -> None:
    assert next_action(labels_with((1, None), (0, None)), seen, 0) == action


def test_rule_2_goes_to_a_label_from_which_it_can_return() -> None:
    """Label 1 is as near, but none of its transitions is known; label 2 leads back to 0."""
    nowhere: dict[int, int] = defaultdict(int)
    assert next_action(labels_with((1, 2), (None, None), (0, None)), nowhere, 0) == 1
    assert next_action(labels_with((1, None), (0, None)), nowhere, 0) == 0


def test_rule_3_goes_to_the_nearest_unknown_transition() -> None:
    nowhere: dict[int, int] = defaultdict(int)
    assert next_action(labels_with((1, 1), (None, 1)), nowhere, 0) == 0
    assert next_action(labels_with((1, 1), (1, None)), nowhere, 1) == 1


def test_lexicographically_first_shortest_path_is_taken() -> None:
    labels = labels_with((1, 2), (3, 0), (3, 3), (0, 0))
    assert labels.shortest_way(0, lambda label: label == 3) == (0, 0)
    assert labels.shortest_way(0, lambda label: label == 0) == ()
    assert labels.shortest_way(0, lambda _: False) is None
