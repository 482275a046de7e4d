"""Learners that find a wrong period of a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.evidence.oracle import Searched
from steel_verified.learning import located
from steel_verified.learning.located import Located, positioned, stepped

from ..broken import Broken, listed_in
from .scenes import PERIODIC, RICH, random_scene

if TYPE_CHECKING:
    from .attempts import Attempt

BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


@broken("periods")
def periods_refuted_without_proof(at: Attempt) -> None:
    at.scene = PERIODIC
    at.patch.setattr(located, "Searched", Searched, raising=False)
    at.edit(positioned, "oracle, rows, bound)", "Searched(oracle, lambda *_: None), rows, bound)")


@broken("periods")
def a_period_not_refuted(at: Attempt) -> None:
    """The last rows are ignored, so periods that they refute are kept."""
    at.edit(positioned, "oracle, rows, bound)", "oracle, rows[: 1 + len(rows) // 2], bound)")


@broken("periods")
def the_largest_period_not_considered(at: Attempt) -> None:
    at.scene = PERIODIC
    at.edit(positioned, "oracle, rows, bound)", "oracle, rows, bound - 1)")


@broken("plans")
def the_largest_period_instead_of_the_least_common_multiple(at: Attempt) -> None:
    at.scene = PERIODIC
    at.edit(positioned, "found.period", "max(found.left)")


@broken("plans")
def the_smallest_period_that_is_left(at: Attempt) -> None:
    at.scene = PERIODIC
    at.edit(positioned, "found.period", "min(found.left)")


@broken("plans")
def positions_taken_before_the_loop_has_settled(at: Attempt) -> None:
    at.edit(positioned, "settled = max(0, bound - 2)", "settled = 0")


@broken("not accepted")
def the_current_position_off_by_one(at: Attempt) -> None:
    at.scene = RICH
    at.edit(positioned, "(len(rows) - 1 - settled) % period", "(len(rows) - settled) % period")


@broken("plans")
def a_first_loop_half_as_long(at: Attempt) -> None:
    at.edit(Located.begin, "until=2 * p.max_states", "until=p.max_states")


@broken("plans")
def a_loop_that_goes_on_by_one_word(at: Attempt) -> None:
    at.scene = PERIODIC
    at.edit(positioned, "max(2 * len(rows)", "max(1 + len(rows)")


@broken("plans")
def looping_late_when_lost(at: Attempt) -> None:
    at.scene = random_scene(353)
    at.edit(stepped, "lost + 1 >= state.bound", "lost >= state.bound")
