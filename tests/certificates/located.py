"""The part of the corpus that is about located runs; `make` writes it.

File names tell the attack, after `located_`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from steel_verified.evidence.certificate import Provenance, certificate
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, accepted
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import method_named, run

from ..learning.scenes import HASTY, PERIODIC, Scene, parameters
from .attacks import Attacks

if TYPE_CHECKING:
    from steel_verified.evidence.oracle import Declared
    from steel_verified.worlds.instances import RunnableInstance

FAILED = "located_first_round_failed"
LOOPED = "located_loop_that_goes_on"

# For each attack: the rule that detects it, and the change to the record `r` of the certificate
# `c`. In FAILED the first loop is r[0:3], the first round r[31:48] (fixed, one pass without rows,
# five passes of three entries, the last of which fails), and the second round r[60:]. In LOOPED the
# first loop is r[0:6], with two entries of its periods; labels merge in r[10] and r[13]; the only
# round is r[42:].
IN_FAILED = {
    "first_action_that_is_none": ("plans", "for e in r[0], r[3]: e['word'] = [1]"),
    "pass_that_goes_on_elsewhere": ("plans", "r[33]['done'] += 2"),
    "step_with_a_gap_before_it": ("plans", "r[3]['start'] += 1"),
    "row_read_at_another_time": ("rows", "r[33 + 1]['times'][0] += 1"),
    "rows_numbered_again": ("rows", "r[4]['first'] = 0"),
    "rows_exchanged": ("order", "a, b = r[4], r[6]; a['rows'], b['rows'] = 'Aw==', 'BA=='"),
    "round_begun_early": ("order", "del r[29:31]"),
    "one_pass_too_few": ("passes", "r[60]['passes'] -= 1; del r[-3:]; c['steps'] -= 2"),
    "last_pass_left_out": ("order", "del r[-3:]; c['steps'] -= 2"),
    "charge_of_a_first_round_twice": ("charges", "r[60]['charge'] = '1/40'"),
    "failed_round_not_charged": ("charges", "r[31]['charge'] = '0'"),
    "failed_round_left_out_of_the_sum": ("budget", "c['spent'] = '1/120'"),
    "failed_round_left_out": ("order", "del r[31:48]"),
    "failed_check_reported_as_passed": ("checks", "r[47]['failed'] = []"),
    "pass_numbered_again": ("checks", "r[38]['number'] = 1"),
    "classifier_too_many": ("encoder", "for e in c, r[60]: e['classifiers'] += [0]"),
    "encoder_picked_afterwards": ("encoder", "r[31]['classifiers'] = c['classifiers']"),
    "encoder_not_validated": ("encoder", "c['classifiers'] = r[31]['classifiers']"),
    "current_state_forgotten": ("current", "c['current'] = 0"),
    "steps_understated": ("steps", "c['steps'] -= 1"),
    "something_after_the_end": ("order", "r.append(r[0])"),
    "delta_lowered_afterwards": ("passes", "c['parameters']['delta'] = '1/80'"),
    "unknown_method": ("method", "c['method'] = 'guessed'"),
}
IN_LOOPED = {
    "another_action": ("plans", "r[6]['word'] = [0]"),
    "loop_one_step_short": ("plans", "r[0]['steps'] -= 1"),
    "row_altered": ("same", "r[9]['rows'] = 'JQ=='"),
    "period_struck_out": ("periods", "r[2]['left'] = [1, 3]"),
    "period_that_was_refuted": ("periods", "r[5]['left'] = [1, 2]"),
    "loop_ended_while_periods_were_left": ("plans", "del r[3:6]"),
    "merge_without_proof": ("order", "r.insert(8, dict(kind='same', one=1, other=0))"),
    "merge_left_out": ("order", "del r[10]"),
    "merged_with_another_label": ("same", "r[10]['other'] = 0"),
    "walk_another_way_round": ("walk", "r[42]['walk'] = [0, 1, 1]"),
    "walk_fixed_after_its_first_pass": ("walk", "r[42]['at'] += 2"),
    "visits_exchanged": ("walk", "r[42]['visits'].reverse()"),
    "silent_pass_left_out": ("plans", "del r[43]"),
    "another_transition": ("table", "c['table'][0][0] = 1"),
    "state_left_out_of_the_table": ("table", "c['table'].pop()"),
    "mixing_time_raised_afterwards": ("plans", "c['parameters']['mixing_time'] = 4"),
}

MALFORMED = {
    "row_that_is_not_written": "data = data.replace(b'\"rows\":[0,1,0,1]', b'\"rows\":[0,1,0,9]')",
    "row_too_many": "data = data.replace(b'\"rows\":[0,1,0,1]', b'\"rows\":[0,1,0,1,1]')",
    "row_twice": "data = data.replace(b'\\x04\\x03', b'\\x04\\x04', 1)",
    "rows_that_end_early": "data = data.replace(b'{\"count\":3,', b'{\"count\":4,')",
    "bits_after_the_last": "data = data.replace(b'\\x04\\x03', b'\\x04\\x83', 1)",
    "nothing_but_rows": "data = data[: data.index(b'\\x04\\x03')]",
    "no_claim": 'data = data.replace(b\'"kind":"claim"\', b\'"kind":"clam"\')',
    "lines_after_the_end": "data += b'{}\\n'",
    "bytes_after_the_end": "data += b'\\0'",
    "unknown_rule": "data = data.replace(b'lowest number', b'luckiest number')",
    "classifier_out_of_range": "data = data.replace(b'[2,1]', b'[2,3]')",
    "unknown_class": "data = data.replace(b'\"finite\"', b'\"infinite\"')",
    "entry_of_a_looped_run": 'data = data.replace(b\'"kind":"periods"\', b\'"kind":"period"\')',
}


def first_round_failed() -> bytes:
    return _run_of(replace(HASTY, parameters=parameters(1, 2, 2, 2)))


def loop_that_goes_on() -> bytes:
    return _run_of(PERIODIC)


def _located_run(chosen: RunnableInstance) -> bytes:
    result, _ = run(chosen, method_named("located", chosen), 1)
    return _written(accepted(result), chosen.simulation.declared())


def _run_of(scene: Scene) -> bytes:
    result = checked_run(scene.world(), scene.oracle, Located(scene.parameters))
    return _written(accepted(result), scene.oracle.declared)


def _written(learned: Accepted, functions: Declared) -> bytes:
    origin = Provenance("located", 0, 1, "3.11.0", {"steel_verified": "0.1.0"})
    return certificate(
        learned.ledger, functions, learned.model.table, learned.current, learned.classifiers, origin
    )


ATTACKS = (
    Attacks("located_", first_round_failed, IN_FAILED, damaged=MALFORMED),
    Attacks("located_", loop_that_goes_on, IN_LOOPED),
)
ACCEPTED = {
    FAILED: first_round_failed,
    LOOPED: loop_that_goes_on,
    "located_single_prime": lambda: _located_run(instance("single-prime", 0, p=2, q=3)),
    "located_grid": lambda: _located_run(instance("grid", 0)),
}
