"""Learners whose record differs from what they did."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from steel_verified.learning.model import Model

from ...certificates.content import as_json
from ..broken import Broken, listed_in
from .scenes import HASTY, random_scene

if TYPE_CHECKING:
    from .attempts import Attempt

BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)

RENUMBERED = """
taken = rows = 0
for e in r:
    if e['kind'] == 'ran':
        e['start'] = taken; taken += e['steps']
    elif e['kind'] == 'seen':
        e['first'] = rows; rows += len(e['times'])
    elif e['kind'] == 'fixed':
        e['at'] = taken
c['steps'] = taken
"""
"""Renumbers steps and rows after entries were removed or inserted."""

# In the record of HASTY, the first round is r[31:48]: it is fixed, its first pass keeps no samples
# (r[32]), and five passes of three entries each follow, the last of which fails.


def rewriting(at: Attempt, change: str) -> None:
    at.scene = HASTY
    at.rewrites.append(f"{change}\n{RENUMBERED}")


@broken("order")
def a_failed_round_left_out(at: Attempt) -> None:
    """The second round is presented as the first one, with the charge of a first round."""
    rewriting(at, "r[31:48] = []; r[43]['charge'] = c['spent'] = '1/40'; r[43]['passes'] = 120")


@broken("order")
def a_failed_round_presented_as_revisiting(at: Attempt) -> None:
    """Its passes become single steps with one row each; the first pass gets rows of others."""
    rewriting(
        at,
        "steps = []\n"
        "for e in r[33:48]:\n"
        "    if e['kind'] == 'seen':\n"
        "        for i in range(2):\n"
        "            rows = b64encode(b64decode(e['rows'])[i:i + 1]).decode()\n"
        "            steps.append(dict(kind='ran', word=[0], done=0, steps=1, start=0))\n"
        "            steps.append(dict(kind='seen', first=0, times=[1], rows=rows))\n"
        "r[31:48] = steps[:4] + steps",
    )


@broken("plans")
def a_failed_round_presented_as_a_longer_first_loop(at: Attempt) -> None:
    rewriting(at, "r[31:48] = []; r[3:3] = r[:3]")


@broken("checks")
def a_failed_check_reported_as_passed(at: Attempt) -> None:
    rewriting(at, "r[47]['failed'] = []")


@broken("checks")
def another_state_reported_as_failed(at: Attempt) -> None:
    rewriting(at, "r[47]['failed'] = [0, 1]")


@broken("plans")
def a_failed_row_exchanged_for_a_better_one(at: Attempt) -> None:
    """The run looks better than it was: the first round seems to continue."""
    rewriting(at, "r[46]['rows'] = r[43]['rows']; r[47]['failed'] = []")


@broken("charges")
def a_failed_round_not_charged(at: Attempt) -> None:
    rewriting(at, "r[31]['charge'] = '0'; c['spent'] = '1/120'")


@broken("budget")
def a_failed_round_left_out_of_the_sum(at: Attempt) -> None:
    rewriting(at, "c['spent'] = '1/120'")


@broken("encoder")
def an_encoder_that_was_not_validated(at: Attempt) -> None:
    """The reported encoder is that of the failed round."""
    rewriting(at, "c['classifiers'] = r[31]['classifiers']")


@broken("encoder")
def an_encoder_that_the_oracle_does_not_choose(at: Attempt) -> None:
    """This encoder passes as well, and could have been chosen afterwards."""
    rewriting(at, "r[31]['classifiers'] = c['classifiers']")


@broken("table")
def another_table(at: Attempt) -> None:
    at.reported = lambda learned: replace(
        learned, model=Model(learned.model.actions, learned.model.table[::-1])
    )


@broken("current")
def the_current_state_forgotten(at: Attempt) -> None:
    at.reported = lambda learned: replace(learned, current=(learned.current + 1) % 4)


@broken("steps")
def fewer_steps_stated(at: Attempt) -> None:
    at.rewrites.append("c['steps'] -= 40")


@broken("order")
def two_runs_joined(at: Attempt) -> None:
    """A second run begins where the first one ended, as if both were one run."""
    at.rewrites.append(f"r += [dict(e) for e in r]\n{RENUMBERED}")


@broken("plans")
def a_run_given_up_and_begun_anew(at: Attempt) -> None:
    """After the first round fails, the learner starts again; both runs are in the record."""
    rewriting(at, "r[48:] = [dict(e) for e in r]")


@broken("encoder")
def rows_of_another_run(at: Attempt) -> None:
    """The rows of a run with other noise replace those of this record, one after the other."""
    at.scene = random_scene(381)
    other = json.loads(as_json(replace(at, scene=random_scene(381, 1), rewrites=[]).certificate()))[
        "record"
    ]
    rows = [entry["rows"] for entry in other if entry["kind"] == "seen" and entry["times"] == [1]]
    at.rewrites.append(
        f"rows = iter({rows})\n"
        "for e in r:\n"
        "    if e['kind'] == 'seen' and e['times'] == [1]: e['rows'] = next(rows)"
    )


@broken("order")
def two_rows_exchanged(at: Attempt) -> None:
    at.rewrites.append("r[30]['rows'], r[32]['rows'] = r[32]['rows'], r[30]['rows']")


@broken("periods")
def the_rows_of_the_first_loop_in_another_order(at: Attempt) -> None:
    """Rows have two bytes each."""
    at.rewrites.append(
        "d = b64decode(r[1]['rows']); d = d[:-4] + d[-2:] + d[-4:-2]\n"
        "r[1]['rows'] = b64encode(d).decode()"
    )


@broken("rows")
def a_row_read_twice(at: Attempt) -> None:
    at.rewrites.append(
        "e = r[4]; e['times'] *= 2; e['rows'] = b64encode(2 * b64decode(e['rows'])).decode()"
    )


@broken("order")
def a_merge_too_many_written_down(at: Attempt) -> None:
    at.rewrites.append("r.insert(5, dict(kind='same', one=2, other=1))")


@broken("order")
def a_merge_left_out(at: Attempt) -> None:
    at.rewrites.append("del r[33]")


@broken("same")
def labels_merged_with_another_one(at: Attempt) -> None:
    at.rewrites.append("r[33]['other'] = 1")


@broken("periods")
def a_period_struck_out(at: Attempt) -> None:
    at.rewrites.append("r[2]['left'] = [1]")


@broken("periods")
def a_period_that_was_refuted(at: Attempt) -> None:
    at.rewrites.append("r[2]['left'] = [1, 2, 3]")
