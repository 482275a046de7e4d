"""Makes the corpus and `certificate.schema.json` again: `python -m tests.certificates.make`.

File names tell the attack. A rejected file is a real certificate with one change, and a digest that
is made to match it.
"""

from __future__ import annotations

import inspect
import json
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from steel_verified.evidence.certificate import Provenance, certificate, schema
from steel_verified.learning import looped
from steel_verified.learning.drive import checked_run
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import accepted
from steel_verified.theory.parameters import Parameters
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.dynamics import Dynamics
from steel_verified.worlds.ideal import PerfectOracle, ideal_run
from steel_verified.worlds.runs import method_named, run
from tests.toys import Jumping

from ..bounds import bounds, with_class
from . import coins, factored, joins, located, slipping
from .attacks import Attacks, attacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from steel_verified.learning.results import Accepted

HERE = Path(__file__).parent
SCHEMA = HERE.parents[1] / "docs" / "reference" / "certificate.schema.json"

# For each attack: the rule that detects it, and the change to the record `r` of a certificate `c`
# of a lock with four states. Calls are r[0:6], r[6:12], r[12:17] (with one plan), r[17:22] and
# r[22:27]; r[27:29] is the tour, r[29] is the encoder.
REJECTED = {
    # Plans.
    "plan_dropped": ("order", "del r[3]"),
    "plan_run_twice": ("order", "r.insert(3, dict(r[3]))"),
    "plan_one_step_short": ("plans", "r[0]['steps'] -= 1"),
    "plan_with_a_gap_before_it": ("plans", "r[6]['start'] += 1"),
    "plan_that_goes_on_elsewhere": ("plans", "r[3]['done'] -= 1"),
    "word_that_stays_inside": ("words", "r[12]['word'] = [0]"),
    "word_chosen_freely": ("words", "r[22]['word'].append(0)"),
    "word_changed_within_a_loop": ("words", "r[3]['word'] = [1]"),
    "word_of_no_action": ("words", "r[0]['word'] = r[3]['word'] = [7]"),
    "call_dropped": ("words", "del r[6:12]"),
    "call_doubled": ("words", "r[12:12] = r[6:12]"),
    "two_calls_exchanged": ("words", "r[6:17] = r[12:17] + r[6:12]"),
    # Datasets.
    "gap_one_short": ("separation", "r[4]['samples'][0][1][1][2] -= 1"),
    "period_test_gap_one_short": ("separation", "r[1]['samples'][0][1][0][0] = 79"),
    "halves_too_close": ("separation", "r[4]['samples'][0][1][1][0] = 1521"),
    "too_close_to_an_earlier_call": ("separation", "r[10]['samples'][0][1][0][0] = 38"),
    "sample_before_the_transient": ("samples", "r[15]['samples'][0][1][0][0] = 0"),
    "sample_after_the_end": ("samples", "r[4]['samples'][0][1][1][1] += 40"),
    "one_sample_too_few": ("samples", "s = r[4]['samples'][0]; s[0] -= 1; s[1][0][1] -= 1"),
    "one_row_too_few_for_its_times": ("times", "r[4]['samples'][0][0] -= 1"),
    "sample_of_another_position": ("times", "r[15]['samples'][0][1][0][0] += 1"),
    "period_test_dropped": ("times", "del r[1]['samples'][:2]"),
    "dataset_read_twice": ("times", "r[4]['samples'].append(r[4]['samples'][0])"),
    "datasets_exchanged": ("times", "s = r[4]['samples']; s[0], s[1] = s[1], s[0]"),
    "read_again_after_the_labels": ("order", "r.insert(6, dict(r[4], after=2, first=28))"),
    # What the published code does: a second position of the same state is merged into it, though
    # the two are less than the mixing time apart.
    "merged_into_a_state_of_the_same_call": (
        "separation",
        "s = r[20]['samples'][1]; a = s[1][0]; s[0] += a[1]; a[1], a[2] = 2 * a[1], 1",
    ),
    "read_from_another_loop": ("numbers", "r[7]['loop'] = 0"),
    "times_that_depend_on_a_later_verdict": ("numbers", "r[4]['after'] += 5"),
    "times_that_were_fixed_too_early": ("numbers", "r[10]['after'] -= 1"),
    "datasets_numbered_again": ("numbers", "r[4]['first'] = 0"),
    "decision_numbered_again": ("numbers", "r[5]['number'] = 0"),
    # Decisions.
    "period_verdict_flipped": ("period", "r[2]['tests'][0][3] = 1"),
    "period_overstated": ("period", "r[2]['period'] += 1"),
    "period_test_left_out": ("period", "del r[2]['tests'][3]"),
    "period_tests_ended_early": ("period", "r[8]['tests'].pop(); repay(r[8], 12, 13)"),
    "period_tests_in_another_order": ("period", "t = r[2]['tests']; t[0], t[1] = t[1], t[0]"),
    "period_of_other_datasets": ("comparisons", "r[8]['tests'][0][1:3] = [0, 1]"),
    "label_swapped": ("labels", "r[5]['positions'][0][2] += 1"),
    "position_verdict_flipped": ("labels", "r[21]['positions'][4][1] = '1110'"),
    "position_not_compared_with_all": ("labels", "r[16]['positions'][0][1] = '1'"),
    "position_left_out": ("labels", "r[26]['positions'].pop(); repay(r[26], 7, 11)"),
    "two_labels_exchanged": (
        "transitions",
        "p = r[26]['positions']; p[2][1:], p[3][1:] = p[3][1:], p[2][1:]",
    ),
    "compared_with_a_later_dataset": ("comparisons", "r[21]['known'][0] = 82"),
    "state_forgotten_in_comparisons": ("comparisons", "r[21]['known'].pop()"),
    "position_of_another_dataset": ("comparisons", "r[16]['positions'][1][0] = 81"),
    "encoder_trained_on_other_datasets": ("comparisons", "r[29]['datasets'][0] = [26]"),
    # δ and sums.
    "charge_lowered": ("charges", "r[29]['charge'] = '1/1000'"),
    "charge_forgotten": ("charges", "r[5]['charge'] = '0'"),
    "budget_understated": ("budget", "c['spent'] = '1/1000'"),
    "steps_understated": ("steps", "c['steps'] -= 1000"),
    # The end.
    "tour_one_pass_short": ("plans", "r[27]['steps'] -= 40"),
    "tour_another_way_round": ("tour", "r[27]['word'].reverse()"),
    "tour_left_out": ("order", "del r[27:29]"),
    "tour_with_a_gap_one_short": ("separation", "r[28]['samples'][0][1][0][2] = 39"),
    "second_visit_of_a_pass_kept": ("times", "r[28]['samples'][0][1][0][0] += 1"),
    "model_with_another_transition": ("table", "c['table'][0][0] = 2"),
    "state_left_out_of_the_table": ("table", "c['table'].pop()"),
    "table_with_an_unknown_transition": ("table", "c['table'][3][1] = -1"),
    "stopped_before_the_model_was_total": ("order", "del r[22:]; c['classifiers'] = None"),
    "current_state_forgotten": ("current", "c['current'] = 3"),
    "two_states_one_classifier": ("encoder", "c['classifiers'][0] = c['classifiers'][1]"),
    "classifier_outside_the_class": ("encoder", "c['classifiers'][0] = 10**6"),
    "classifiers_of_a_run_without_encoder": ("order", "del r[27:]"),
    "encoder_that_is_not_stated": ("order", "c['classifiers'] = None"),
    "something_after_the_end": ("order", "r.append(r[0])"),
    # Parameters.
    "mixing_time_lowered_afterwards": ("plans", "c['parameters']['mixing_time'] -= 1"),
    "delta_below_what_was_spent": ("plans", "c['parameters']['delta'] = '1/40'"),
    "unknown_method": ("method", "c['method'] = 'guessed'"),
}

DAMAGED = {
    "empty": "data = b''",
    "not_json": "data = data[:-20]",
    "deeply_nested": "data = b'[' * 100000",
    "number_too_long": "data = data.replace(b'\"version\":3', b'\"version\":' + b'1' * 2000)",
    "float_instead_of_fraction": "data = data.replace(b'\"1/20\"', b'0.05')",
    "key_twice": 'data = data.replace(b\'"version":3\', b\'"version":3,"version":3\')',
    "key_missing": "data = data.replace(b'\"steps\"', b'\"stepz\"')",
    "negative_time": "data = data.replace(b'\"start\":0', b'\"start\":-1')",
    "fraction_not_in_lowest_terms": "data = data.replace(b'\"1/20\"', b'\"2/40\"')",
    "version_1": "data = data.replace(b'\"version\":3', b'\"version\":1')",
    "another_version": "data = data.replace(b'\"version\":3', b'\"version\":4')",
    "version_true": "data = data.replace(b'\"version\":3', b'\"version\":true')",
    "true_for_a_number": "data = data.replace(b'\"number\":1,', b'\"number\":true,')",
    "full_width_digits_escaped": "data = data.replace(b'\"1/20\"', b'\"\\\\uff11/20\"')",
    "full_width_digits": "data = data.replace(b'\"1/20\"', '\"１/20\"'.encode())",
    "spaces": "data = data.replace(b':', b': ')",
    "no_newline_at_the_end": "data = data[:-1]",
    "keys_in_another_order": (
        'data = data.replace(b\'"done":0,"kind":"ran"\', b\'"kind":"ran","done":0\')'
    ),
    "minus_zero": "data = data.replace(b'\"start\":0', b'\"start\":-0')",
    "unknown_kind_of_entry": 'data = data.replace(b\'"kind":"ran"\', b\'"kind":"fan"\', 1)',
    "verdict_of_two": "data = data.replace(b'[14,0,1,0]', b'[14,0,1,2]')",
    "count_of_zero": "data = data.replace(b'[40,38,40]', b'[40,0,40]')",
}


def written(learned: Accepted, world: str) -> bytes:
    """Return the certificate of a run; its bytes do not depend on the machine."""
    origin = Provenance(world, 0, 1, "3.11.0", {"steel_verified": "0.1.0"})
    return certificate(
        learned.ledger, None, learned.model.table, learned.current, learned.classifiers, origin
    )


def real(world: str, *, with_encoder: bool = True, **sizes: float) -> bytes:
    """Return the certificate of a real run."""
    chosen = instance(world, 0, **sizes)
    result, _ = run(chosen, method_named("looped", chosen, with_encoder=with_encoder), 1)
    return written(accepted(result), chosen.name)


def lock() -> bytes:
    return real("combination-lock", states=4, components=30)


@contextmanager
def trusting() -> Iterator[None]:
    """A learner that does not compare its finished model with the bounds and the whole run."""
    with (
        patch.object(looped, "require_bounds", lambda *_: None),
        patch.object(looped, "require_whole_run", lambda *_: None),
    ):
        yield


def ring(*, states: int, with_encoder: bool = True, **others: int) -> bytes:
    """Return the certificate of a run on a ring with an action that stays, for any bounds."""
    truth = Dynamics(tuple(((state + 1) % states, state) for state in range(states)))
    usual = {"max_states": states, "max_diameter": states - 1, "class_size": states}
    p = Parameters(
        actions=2, mixing_time=2, delta=Fraction(1, 20), epsilon=Fraction(1, 2), **usual | others
    )
    with trusting():
        return written(ideal_run(truth, 0, Looped(p), with_encoder=with_encoder), "ring")


def bounds_refuted() -> dict[str, bytes]:
    """Return certificates of runs that kept every rule and refuted a bound."""
    new_state = "r[-1]['positions'][-1][1:] = ['11', 2]"
    return {
        "more_states_than_max_states": attacked(ring(states=2, with_encoder=False), new_state),
        "diameter_above_max_diameter": ring(states=4, max_diameter=2),
        "more_states_than_classifiers": ring(states=3, class_size=2, with_encoder=False),
    }


def moved() -> bytes:
    """Return the certificate of a run in a world that jumped, which only the table reveals."""
    world = Jumping(Dynamics(((1, 0), (2, 0), (3, 1), (0, 3))), {1: 3}.get)
    p = with_class(bounds(2, 4, epsilon=Fraction(1, 2)), 4)
    with trusting():
        result = checked_run(world, PerfectOracle(), Looped(p))
    return written(accepted(result), "moved")


ATTACKS = (
    Attacks("", lock, REJECTED, damaged=DAMAGED),
    *located.ATTACKS,
    coins.ATTACKS,
    *joins.ATTACKS,
    factored.ATTACKS,
    slipping.ATTACKS,
)
ACCEPTED: dict[str, Callable[[], bytes]] = {
    "combination_lock": lock,
    "grid": lambda: real("grid"),
    "dynamics_only": lambda: real("double-prime", p=2, q=3, with_encoder=False),
    "single_prime": lambda: real("single-prime", p=2, q=3),
    "one_state": lambda: ring(states=1),
    "no_tour": lambda: ring(states=2, max_diameter=10**80),
    **located.ACCEPTED,
    **coins.ACCEPTED,
    **joins.ACCEPTED,
    **factored.ACCEPTED,
    **slipping.ACCEPTED,
}


def rules() -> dict[str, str]:
    """Return a rule that each rejected file breaks, by its path."""
    found = {f"rejected/{name}.json": "bounds" for name in bounds_refuted()}
    found["rejected/world_that_moved_by_itself.json"] = "tracking"
    for attacks in ATTACKS:
        found |= attacks.rules()
    return found


def corpus() -> dict[str, bytes]:
    """Return every file by its path relative to this folder."""
    files = {f"accepted/{name}.json": honest() for name, honest in ACCEPTED.items()}
    for attacks in ATTACKS:
        files |= attacks.files()
    files |= {f"rejected/{name}.json": data for name, data in bounds_refuted().items()}
    return files | {"rejected/world_that_moved_by_itself.json": moved()}


def schema_as_bytes() -> bytes:
    """Return the JSON Schema of certificates, with the same bytes in every Python version."""
    found = json.loads(json.dumps(schema()))
    for definition in found["$defs"].values():
        definition["description"] = inspect.cleandoc(definition["description"])
    return json.dumps(found, indent=2, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def main() -> None:
    SCHEMA.write_bytes(schema_as_bytes())
    for file in HERE.glob("*/*.json"):
        file.unlink()
    for name, data in corpus().items():
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_bytes(data)


if __name__ == "__main__":
    main()
