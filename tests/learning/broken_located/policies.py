"""Learners with another policy, so that a round could begin at a favourable time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.learning.graph import Labels
from steel_verified.learning.located import _closed, go_on, next_action, revisited

from ..broken import Broken, listed_in
from .scenes import HASTY, random_scene

if TYPE_CHECKING:
    from .attempts import Attempt

BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


@broken("plans")
def unknown_actions_tried_after_fewer_visits(at: Attempt) -> None:
    at.edit(next_action, ">= ENOUGH", ">= 4")


@broken("order")
def a_round_after_fewer_visits(at: Attempt) -> None:
    at.edit(_closed, "ENOUGH <<", "4 <<")


@broken("order")
def a_round_after_more_visits(at: Attempt) -> None:
    at.scene = HASTY
    at.edit(_closed, "ENOUGH <<", "9 <<")


@broken("order")
def a_round_when_the_clock_suits(at: Attempt) -> None:
    at.edit(_closed, "or not enough:", "or not enough or state.ledger.steps % 3:")


@broken("order")
def a_round_when_the_rows_suit(at: Attempt) -> None:
    """The round begins while the noise is as in training: few rows give few classifiers."""
    at.edit(_closed, "or not enough:", "or sum(pool.rows for pool in pools) % 2:")


@broken("order")
def a_round_as_soon_as_it_can_be_trained(at: Attempt) -> None:
    at.edit(_closed, "or not enough:", "or False:")


@broken("order")
def a_second_round_without_a_second_look(at: Attempt) -> None:
    at.scene = HASTY
    at.edit(_closed, "ENOUGH << state.ledger.decisions", "ENOUGH")


@broken("InvalidArgument")
def a_table_closed_before_it_is(at: Attempt) -> None:
    """The table is called closed when all actions of the current label are known."""
    at.edit(
        go_on,
        "any(None in labels.rows[label] for label in labels.reached(current))",
        "None in labels.rows[current]",
    )


@broken("plans")
def the_last_unknown_action_first(at: Attempt) -> None:
    at.edit(
        next_action,
        "labels.rows[current].index(None)",
        "max(a for a, to in enumerate(labels.rows[current]) if to is None)",
    )


@broken("plans")
def another_way_of_the_same_length(at: Attempt) -> None:
    at.scene = random_scene(2821)
    at.edit(
        Labels.shortest_way,
        "first_visits(self.rows, (label,))",
        "((b, self.actions - 1 - a, to) for b, a, to in "
        "first_visits({each: row[::-1] for each, row in self.rows.items()}, (label,)))",
    )


@broken("plans")
def labels_seen_rarely_not_visited_again(at: Attempt) -> None:
    at.edit(next_action, "label != current and", "False and")


@broken("order")
def longer_revisits(at: Attempt) -> None:
    at.edit(revisited, "2 * revisiting.passes", "3 * revisiting.passes")
