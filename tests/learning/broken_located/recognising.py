"""Learners that recognise too much or too little, or lose their position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.classes.finite import Marks
from steel_verified.evidence.oracle import Searched, of_kind
from steel_verified.learning import located
from steel_verified.learning.graph import Labels
from steel_verified.learning.located import merged, positioned, revisited, stepped, with_samples

from ..broken import Broken, listed_in
from .scenes import HASTY, RICH, random_scene

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Classifier, Summary

    from .attempts import Attempt

BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


@broken("periods")
def an_oracle_that_finds_nothing_for_single_rows(at: Attempt) -> None:
    """So labels are merged without proof, with an entry for each merge."""
    at.scene = RICH

    def search(zeros: Summary, ones: Summary) -> Classifier | None:
        (marks,) = of_kind(Marks, ones)
        single = marks.every == marks.some
        return None if single else at.scene.oracle.separating(zeros, ones)

    at.search = search


@broken("order")
def states_recognised_without_proof(at: Attempt) -> None:
    """For a label with one row, the oracle is reported to find no separating classifier."""
    at.scene = random_scene(353)
    at.patch.setattr(located, "Searched", Searched, raising=False)
    at.edit(
        merged,
        "first_same(state.ledger, oracle,",
        "first_same(state.ledger, Searched(oracle, lambda *_: None) "
        "if state.pools[label].rows == 1 else oracle,",
    )


@broken("same")
def every_new_label_is_the_first_one(at: Attempt) -> None:
    """The labels are merged without an entry in the ledger."""
    at.scene = RICH
    at.edit(
        stepped,
        "labels.with_transition(current, action, new)",
        "labels.with_transition(current, action, new).merged(0, new)",
    )


@broken("order")
def a_label_more_where_the_state_was_recognised(at: Attempt) -> None:
    at.scene = random_scene(381)
    at.edit(stepped, "state = merged(state, new, oracle)", "pass")
    at.edit(positioned, "state = merged(state, label, oracle)", "pass")


@broken("order")
def merges_forgotten_when_rows_are_added(at: Attempt) -> None:
    at.scene = random_scene(353)
    at.edit(
        with_samples,
        "return merged(replace(state, pools=pools), label, oracle)",
        "return replace(state, pools=pools)",
    )


@broken("plans")
def only_the_first_of_several_merged(at: Attempt) -> None:
    at.scene = random_scene(527)
    at.edit(merged, "if same is None:", "if same is None or same.other:")


@broken("order")
def congruence_forgotten(at: Attempt) -> None:
    at.scene = random_scene(2821)
    at.edit(Labels.merged, "pairs.append((known, to))", "pass")


@broken("plans")
def transitions_of_the_merged_label_forgotten(at: Attempt) -> None:
    at.scene = random_scene(353)
    at.edit(Labels.merged, "rows[low][action] = to", "pass")


@broken("not accepted")
def the_wrong_label_after_a_known_transition(at: Attempt) -> None:
    at.scene = RICH
    at.edit(
        stepped, "Exploring(state.labels.root(to), lost)", "Exploring(min(state.labels.rows), lost)"
    )


@broken("not accepted")
def rows_added_to_the_label_that_was_left(at: Attempt) -> None:
    at.scene = RICH
    at.edit(
        stepped,
        "with_samples(state, to, (sample,), oracle)",
        "with_samples(state, current, (sample,), oracle)",
    )


@broken("not accepted")
def rows_of_known_transitions_thrown_away(at: Attempt) -> None:
    at.edit(stepped, "with_samples(state, to, (sample,), oracle)", "state")


@broken("order")
def rows_of_a_revisit_added_twice(at: Attempt) -> None:
    """Labels count as seen often enough after half as many visits."""
    at.scene = HASTY
    at.edit(revisited, "to, (sample,), oracle", "to, (sample, sample), oracle")
