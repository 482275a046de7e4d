"""Small changes to the located learner that break the guarantee or the fixed order.

Names say how. The unchanged learner is accepted in each scene, so each change has an effect.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from steel_verified.classes.finite import Marks
from steel_verified.evidence import observed
from steel_verified.evidence.oracle import Searched, of_kind
from steel_verified.learning import located
from steel_verified.learning.graph import Labels
from steel_verified.learning.located import (
    Located,
    checked,
    go_on,
    merged,
    next_action,
    positioned,
    revisited,
    stepped,
    with_samples,
)
from steel_verified.theory.validation import round_share, validation_samples

from ..certificates.content import as_json
from .broken import begun, broken, edit, put, reports, rewrite, with_table
from .scenes import ALONE, CROWDED, HASTY, PERIODIC, RICH, random_scene

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Classifier, Summary

    from .broken import Attempt, Broken, Change

CLOSED: Final = located._closed  # noqa: SLF001 (it is the learner's)


# --- recognising too much or too little, or losing the position -----------------------------------


def blind_to_single_rows(at: Attempt) -> None:
    """Labels are merged without proof, with an entry for each merge."""
    honest = at.oracle

    def search(zeros: Summary, ones: Summary) -> Classifier | None:
        (marks,) = of_kind(Marks, ones)
        return None if marks.every == marks.some else honest.separating(zeros, ones)

    at.oracle = Searched(honest, search)


RECOGNISING: dict[str, Broken] = {
    "an oracle that finds nothing for single rows": broken(
        "periods", blind_to_single_rows, scene=RICH
    ),
    "states with one row recognised without proof": broken(
        "order",
        edit(
            merged,
            "first_same(state.ledger, oracle,",
            "first_same(state.ledger, Searched(oracle, lambda *_: None) "
            "if state.pools.held[label].rows == 1 else oracle,",
        ),
        scene=random_scene(353),
    ),
    "every new label is the first one, without an entry in the ledger": broken(
        "same",
        edit(
            stepped,
            "labels.with_transition(current, action, new)",
            "labels.with_transition(current, action, new).merged(0, new)",
        ),
        scene=RICH,
    ),
    "a label more where the state was recognised": broken(
        "order",
        edit(stepped, "merged(replace(state,", "(lambda first, *_: first)(replace(state,"),
        edit(positioned, "state = merged(state, label, oracle)", "pass"),
        scene=random_scene(381),
    ),
    "merges forgotten when rows are added": broken(
        "order",
        edit(
            with_samples,
            "merged(State(state.method, state.labels, pools, ledger, state.stage), label, oracle)",
            "State(state.method, state.labels, pools, ledger, state.stage)",
        ),
        scene=random_scene(353),
    ),
    "only the first of several merged": broken(
        "plans",
        edit(
            merged,
            "if same is None:",
            "if same is None or (state := replace(state, ledger=ledger)) and same.other:",
        ),
        scene=random_scene(527),
    ),
    "congruence forgotten": broken(
        "order", edit(Labels.merged, "pairs.append((known, to))", "pass"), scene=random_scene(2821)
    ),
    "transitions of the merged label forgotten": broken(
        "plans", edit(Labels.merged, "rows[low][action] = to", "pass"), scene=random_scene(353)
    ),
    "the wrong label after a known transition": broken(
        "not accepted",
        edit(
            stepped,
            "go_on(state, to, lost, oracle)",
            "go_on(state, min(state.labels.rows), lost, oracle)",
        ),
        scene=RICH,
    ),
    "rows added to the label that was left": broken(
        "not accepted",
        edit(stepped, "ledger, to, (sample,), oracle)", "ledger, current, (sample,), oracle)"),
        scene=RICH,
    ),
    "rows of known transitions thrown away": broken(
        "not accepted",
        edit(
            stepped,
            "with_samples(state, ledger, to, (sample,), oracle)",
            "replace(state, ledger=ledger)",
        ),
    ),
    "rows of a revisit added twice, so that half as many visits are enough": broken(
        "order",
        edit(revisited, "to, (sample,), oracle", "to, (sample, sample), oracle"),
        scene=HASTY,
    ),
}


# --- a wrong period of a loop ---------------------------------------------------------------------

LOOPING: dict[str, Broken] = {
    "periods refuted without proof": broken(
        "periods",
        edit(positioned, "oracle, rows, bound)", "Searched(oracle, lambda *_: None), rows, bound)"),
        scene=PERIODIC,
    ),
    "a period not refuted, as the last rows are ignored": broken(
        "periods",
        edit(positioned, "oracle, rows, bound)", "oracle, rows[: 1 + len(rows) // 2], bound)"),
    ),
    "the largest period not considered": broken(
        "periods",
        edit(positioned, "oracle, rows, bound)", "oracle, rows, bound - 1)"),
        scene=PERIODIC,
    ),
    "the largest period instead of the least common multiple": broken(
        "order", edit(positioned, "found.period", "max(found.left)"), scene=PERIODIC
    ),
    "the smallest period that is left": broken(
        "order", edit(positioned, "found.period", "min(found.left)"), scene=PERIODIC
    ),
    "positions taken before the loop has settled": broken(
        "plans", edit(positioned, "settled = max(0, bound - 2)", "settled = 0")
    ),
    "the current position off by one": broken(
        "not accepted",
        edit(positioned, "(len(rows) - 1 - settled) % period", "(len(rows) - settled) % period"),
        scene=RICH,
    ),
    "a first loop half as long": broken(
        "plans", edit(Located.begin, "until=2 * p.max_states", "until=p.max_states")
    ),
    "a loop that goes on by one word": broken(
        "plans", edit(positioned, "max(2 * len(rows)", "max(1 + len(rows)"), scene=PERIODIC
    ),
    "looping late when lost": broken(
        "order",
        edit(stepped, "lost + 1 >= state.bound", "lost >= state.bound"),
        scene=random_scene(353),
    ),
}


# --- another policy, so that a round could begin at a favourable time -----------------------------

POLICIES: dict[str, Broken] = {
    "unknown actions tried after fewer visits": broken(
        "plans", edit(next_action, ">= ENOUGH", ">= 4")
    ),
    "a round after fewer visits": broken("order", edit(CLOSED, "ENOUGH <<", "4 <<")),
    "a round after more visits": broken("order", edit(CLOSED, "ENOUGH <<", "9 <<"), scene=HASTY),
    "a round when the clock suits": broken(
        "order", edit(CLOSED, "or not enough:", "or not enough or state.ledger.steps % 3:")
    ),
    "a round when the rows suit: few rows give few classifiers": broken(
        "order", edit(CLOSED, "or not enough:", "or sum(pool.rows for pool in pools) % 2:")
    ),
    "a round as soon as it can be trained": broken(
        "order", edit(CLOSED, "or not enough:", "or False:")
    ),
    "a second round without a second look": broken(
        "order", edit(CLOSED, "ENOUGH << state.ledger.decisions", "ENOUGH"), scene=HASTY
    ),
    "a table called closed when all actions of the current label are known": broken(
        "InvalidArgument",
        edit(
            go_on,
            "ways.lead_on(current)",
            "None in state.labels.rows[current]",
        ),
    ),
    "the last unknown action first": broken(
        "plans",
        edit(
            Labels.first_action,
            "row.index(None)",
            "max(a for a, to in enumerate(row) if to is None)",
        ),
    ),
    "another way of the same length": broken(
        "plans",
        edit(Labels.first_action, "in enumerate(row)", "in [*enumerate(row)][::-1]"),
        scene=random_scene(2821),
    ),
    "labels seen rarely not visited again": broken(
        "plans", edit(next_action, "if returning else None", "if False else None")
    ),
    "longer revisits": broken(
        "order", edit(revisited, "2 * revisiting.passes", "3 * revisiting.passes")
    ),
}


# --- a validation that differs from what was fixed, or from what δ covers -------------------------


def judged_by_training_rows(at: Attempt) -> None:
    """The pass is read from the plan that was run before the validation was fixed."""
    held: list[object] = []

    def first_of(loop: object) -> object:
        held.append(loop)
        return held[0] if len(held) > 1 else loop

    at.patch.setattr(located, "first_of", first_of, raising=False)
    edit(checked, "check_pass(loop.ledger, loop,", "check_pass(loop.ledger, first_of(loop),")(at)


ROUNDS: dict[str, Broken] = {
    "a walk that misses a state, which is checked where another one is visited": broken(
        "walk",
        edit(
            CLOSED,
            "covering_cycle(model, states[current], at_least=apart)",
            "missing_one(model, states[current], apart)",
            "visited.index(label) + 1",
            "(visited.index(label) if label in visited else 0) + 1",
        ),
        scene=random_scene(381),
    ),
    "a walk shorter than the mixing time": broken(
        "InvalidArgument", edit(CLOSED, "at_least=apart", "at_least=1")
    ),
    "a walk twice as long, since samples that are farther apart need fewer passes": broken(
        "walk", edit(CLOSED, "at_least=apart", "at_least=2 * apart"), scene=random_scene(261)
    ),
    "the last visit of each state": broken(
        "walk",
        edit(CLOSED, "visited.index(label) + 1", "len(visited) - visited[::-1].index(label)"),
    ),
    "visits changed after looking: the last ones from the second pass on": broken(
        "rows",
        edit(
            checked,
            "    validation, done =",
            "    walk = visits(validating.model, validating.home, validating.validation.walk)\n"
            "    last = tuple(len(walk) - walk[::-1].index(s) for s in range(len(set(walk))))\n"
            "    if validating.done == 1:\n"
            "        validation, done = validating.validation, 2\n"
            "        failed, samples, ledger = check_pass(loop.ledger, loop, oracle, validation)\n"
            "        object.__setattr__(validation, 'visits', last)\n"
            "        stage = replace(validating, done=2, seen=(samples,))\n"
            "        return replace(state, ledger=ledger, stage=stage)\n"
            "    validation, done =",
        ),
    ),
    "the walk fixed after its first pass": broken(
        "InvalidArgument", edit(CLOSED, "kept, states[current])", "kept, states[current], done=1)")
    ),
    "the first pass counted": broken(
        "InvalidArgument", edit(checked, "if validating.done == 0:", "if validating.done < 0:")
    ),
    "rows of training used for judging": broken("InvalidArgument", judged_by_training_rows),
    "classifiers that would fail replaced in time by others": broken(
        "checks",
        edit(
            checked,
            "failed, samples, ledger =",
            "better = tuple(f or 1 for f in validation.classifiers)\n"
            "    object.__setattr__(validation, 'classifiers', better)\n"
            "    failed, samples, ledger =",
        ),
        scene=HASTY,
    ),
    "a failure overlooked": broken(
        "plans",
        edit(
            checked,
            "state = replace(state, ledger=ledger)",
            "state, failed = replace(state, ledger=ledger), ()",
        ),
        scene=HASTY,
    ),
    "one failure forgiven": broken(
        "plans", edit(checked, "if not failed and done <=", "if done <"), scene=HASTY
    ),
    "rows of a failed round thrown away": broken(
        "order",
        edit(
            checked,
            "state = with_samples(state, state.ledger, label,",
            "with_samples(state, state.ledger, label,",
        ),
        scene=HASTY,
    ),
    "one pass fewer": broken(
        "passes", put(observed, validation_samples=lambda *given: validation_samples(*given) - 1)
    ),
    "the last pass left out": broken(
        "order", edit(checked, "done <= validation.passes", "done < validation.passes")
    ),
    "all of δ for the first round": broken(
        "passes", put(observed, round_share=lambda delta, number: delta / number)
    ),
    "a charge below the share that fits the number of passes": broken(
        "charges",
        put(
            observed,
            validation_samples=lambda epsilon, gap, share: validation_samples(
                epsilon, gap, 2 * share
            ),
            round_share=lambda delta, k: round_share(delta, k) / 2,
        ),
    ),
    "a second round as cheap as the first": broken(
        "passes", put(observed, round_share=lambda delta, _: round_share(delta, 1)), scene=HASTY
    ),
    "one state accepted": broken(
        "bounds", edit(CLOSED, "len(kept) == 1 < state.bound", "False"), scene=ALONE
    ),
    "more states than allowed accepted": broken(
        "order", edit(CLOSED, "len(kept) > state.bound or ", ""), scene=CROWDED
    ),
    "a plan of two passes": broken(
        "InvalidArgument",
        edit(
            Located.next_plan,
            "Plan(validation.walk, length, done",
            "Plan(validation.walk, 2 * length, done",
        ),
    ),
    "labels kept from which there is no way back": broken(
        "InvalidArgument",
        edit(CLOSED, "labels.terminal(current)", "frozenset(labels.rows)"),
        scene=random_scene(527),
    ),
}


# --- a record that differs from what was done -----------------------------------------------------

RENUMBERED: Final = """
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


def hasty(ends: str, change: str) -> Broken:
    """Rewrite the record of HASTY.

    Its first round is r[31:48]: it is fixed, its first pass keeps no samples (r[32]), and five
    passes of three entries each follow, the last of which fails.
    """
    return broken(ends, rewrite(f"{change}\n{RENUMBERED}"), scene=HASTY)


def with_rows_of(other: int) -> Change:
    """Replace the rows of the record by those of a run with other noise, one after the other."""

    def change(at: Attempt) -> None:
        record = json.loads(as_json(begun(at.patch, random_scene(381, other)).certificate()))
        rows = [e["rows"] for e in record["record"] if e["kind"] == "seen" and e["times"] == [1]]
        rewrite(
            f"rows = iter({rows})\n"
            "for e in r:\n"
            "    if e['kind'] == 'seen' and e['times'] == [1]: e['rows'] = next(rows)"
        )(at)

    return change


REPORTS: dict[str, Broken] = {
    "a failed round left out, and the second one presented as the first": hasty(
        "order", "r[31:48] = []; r[43]['charge'] = c['spent'] = '1/40'; r[43]['passes'] = 120"
    ),
    "a failed round presented as revisiting": hasty(
        # Its passes become single steps with one row each; the first pass gets rows of others.
        "order",
        "steps = []\n"
        "for e in r[33:48]:\n"
        "    if e['kind'] == 'seen':\n"
        "        for i in range(2):\n"
        "            rows = b64encode(b64decode(e['rows'])[i:i + 1]).decode()\n"
        "            steps.append(dict(kind='ran', word=[0], done=0, steps=1, start=0))\n"
        "            steps.append(dict(kind='seen', first=0, times=[1], rows=rows))\n"
        "r[31:48] = steps[:4] + steps",
    ),
    "a failed round presented as a longer first loop": hasty(
        "plans", "r[31:48] = []; r[3:3] = r[:3]"
    ),
    "a failed check reported as passed": hasty("checks", "r[47]['failed'] = []"),
    "another state reported as failed": hasty("checks", "r[47]['failed'] = [0, 1]"),
    "a failed row exchanged for a better one, so that the first round seems to continue": hasty(
        "plans", "r[46]['rows'] = r[43]['rows']; r[47]['failed'] = []"
    ),
    "a failed round not charged": hasty("charges", "r[31]['charge'] = '0'; c['spent'] = '1/120'"),
    "a failed round left out of the sum": hasty("budget", "c['spent'] = '1/120'"),
    "the encoder of the failed round": hasty("encoder", "c['classifiers'] = r[31]['classifiers']"),
    "an encoder that passes, but that the oracle does not choose": hasty(
        "encoder", "r[31]['classifiers'] = c['classifiers']"
    ),
    "a run given up and begun anew after the failed round": hasty(
        "plans", "r[48:] = [dict(e) for e in r]"
    ),
    "another table": broken("table", reports(with_table(lambda table: table[::-1]))),
    "the current state forgotten": broken(
        "current", reports(lambda learned: replace(learned, current=(learned.current + 1) % 4))
    ),
    "fewer steps stated": broken("steps", rewrite("c['steps'] -= 40")),
    "two runs joined, as if both were one": broken(
        "order", rewrite(f"r += [dict(e) for e in r]\n{RENUMBERED}")
    ),
    "rows of another run": broken("encoder", with_rows_of(1), scene=random_scene(381)),
    "two rows exchanged": broken(
        "order", rewrite("r[30]['rows'], r[32]['rows'] = r[32]['rows'], r[30]['rows']")
    ),
    "the rows of the first loop in another order": broken(
        # Rows have two bytes each.
        "periods",
        rewrite(
            "d = b64decode(r[1]['rows']); d = d[:-4] + d[-2:] + d[-4:-2]\n"
            "r[1]['rows'] = b64encode(d).decode()"
        ),
    ),
    "a row read twice": broken(
        "rows",
        rewrite(
            "e = r[4]; e['times'] *= 2; e['rows'] = b64encode(2 * b64decode(e['rows'])).decode()"
        ),
    ),
    "a merge too many written down": broken(
        "order", rewrite("r.insert(5, dict(kind='same', one=2, other=1))")
    ),
    "a merge left out": broken("order", rewrite("del r[33]")),
    "labels merged with another one": broken("same", rewrite("r[33]['other'] = 1")),
    "a period struck out": broken("periods", rewrite("r[2]['left'] = [1]")),
    "a period that was refuted": broken("periods", rewrite("r[2]['left'] = [1, 2, 3]")),
}

LEARNERS: Final = RECOGNISING | LOOPING | POLICIES | ROUNDS
"""Learners that work differently, and not only report something else."""
LOCATED: Final = LEARNERS | REPORTS
