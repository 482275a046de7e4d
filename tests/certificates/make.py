"""Makes the corpus again: `python tests/certificates/make.py`. File names tell the attack.

Every rejected file is a real certificate with one change, and a digest made to match it.
"""

from __future__ import annotations

import json
from pathlib import Path

from proofs_checks.checker.reading import canonical, digest_of
from steel_verified.evidence.certificate import certificate
from steel_verified.evidence.codec import sealed
from steel_verified.theory.recipe import paper
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import run

HERE = Path(__file__).parent

# What is done to the certificate `c` of a lock with four states.
ATTACKS = {
    "gap_one_short": "c['calls'][1]['positions'][0]['B'][2] -= 1",
    "sample_before_the_transient": "c['calls'][2]['positions'][0]['A'][0] = 0",
    "sample_after_the_end": "c['calls'][1]['positions'][0]['B'][1] += 40",
    "one_sample_too_few": "c['calls'][0]['positions'][0]['A'][1] -= 1",
    "sample_of_another_position": "c['calls'][2]['positions'][0]['A'][0] += 1",
    # What the published code does: a second position of the same state is merged into it, though
    # the two are less than the mixing time apart.
    "merged_into_a_state_of_the_same_call": (
        "a = c['calls'][2]['positions'][0]['A']; a[1], a[2] = 2 * a[1], 2"
    ),
    "label_swapped": "c['calls'][1]['positions'][0]['label'] += 1",
    "period_verdict_flipped": (
        "c['calls'][0]['period_verdicts'] = '1' + c['calls'][0]['period_verdicts'][1:]"
    ),
    "period_overstated": "c['calls'][0]['period'] += 1",
    "position_verdict_flipped": (
        "p = c['calls'][-1]['positions'][0]; p['verdicts'] = '1' + p['verdicts']"
    ),
    "charge_lowered": "c['encoder']['tests']['charge'] = '1/1000'",
    "charge_forgotten": "c['calls'][0]['position_tests']['charge'] = '0'",
    "budget_understated": "c['spent'] = '1/1000'",
    "plan_dropped": "del c['calls'][1]",
    "rollout_one_short": "c['calls'][0]['steps'] -= 1",
    "tour_one_pass_short": "c['tour']['passes'] -= 1",
    "tour_another_way_round": "c['tour']['cycle'].reverse()",
    "word_that_stays_inside": "c['calls'][2]['word'] = c['calls'][0]['word']",
    "word_chosen_freely": "c['calls'][-1]['word'].append(0)",
    "model_with_another_transition": "c['table'][0][0] = (c['table'][0][0] + 1) % 2",
    "current_state_forgotten": "c['current'] = (c['current'] + 1) % 4",
    "two_states_one_classifier": (
        "c['encoder']['classifiers'][0] = c['encoder']['classifiers'][1]"
    ),
    "classifier_outside_the_class": "c['encoder']['classifiers'][0] = 10**6",
    "verdict_that_depends_on_a_later_one": "c['calls'][0]['position_tests']['after'] += 5",
    "steps_understated": "c['steps'] -= 1000",
    "mixing_time_lowered_afterwards": "c['parameters']['mixing_time'] -= 1",
    "stopped_before_the_model_was_total": "del c['calls'][-1]; c['tour'] = c['encoder'] = None",
    "unknown_recipe": "c['recipe'] = 'hasty'",
}

MALFORMED = {
    "empty": "data = b''",
    "not_json": "data = data[:-20]",
    "deeply_nested": "data = b'[' * 100000",
    "number_too_long": "data = data.replace(b'\"version\":1', b'\"version\":' + b'1' * 2000)",
    "float_instead_of_fraction": "data = data.replace(b'\"1/20\"', b'0.05')",
    "key_twice": 'data = data.replace(b\'"version":1\', b\'"version":1,"version":1\')',
    "key_missing": "data = data.replace(b'\"steps\"', b'\"stepz\"')",
    "negative_time": "data = data.replace(b'\"start\":0', b'\"start\":-1')",
    "fraction_not_in_lowest_terms": "data = data.replace(b'\"1/20\"', b'\"2/40\"')",
    "another_version": "data = data.replace(b'\"version\":1', b'\"version\":2')",
}


def real(world: str, *, with_encoder: bool = True, **sizes: float) -> bytes:
    """The certificate of a real run."""
    chosen = instance(world, 0, **sizes)
    went = run(chosen, 1, with_encoder=with_encoder)
    return sealed(certificate(went.learned, paper(chosen.parameters), {"world": chosen.name}))


def attacked(data: bytes, attack: str) -> bytes:
    """Tampered with, the digest made to match."""
    value = json.loads(data)
    exec(attack, {"c": value})
    value.pop("digest")
    return canonical({**value, "digest": digest_of(value)}) + b"\n"


def damaged(data: bytes, damage: str) -> bytes:
    names = {"data": data}
    exec(damage, names)
    return names["data"]


def main() -> None:
    lock = real("combination-lock", states=4, components=30)
    files = {
        "accepted/combination_lock.json": lock,
        "accepted/grid.json": real("grid"),
        "accepted/dynamics_only.json": real("double-prime", p=2, q=3, with_encoder=False),
        "accepted/single_prime.json": real("single-prime", p=2, q=3),
        **{f"rejected/{name}.json": attacked(lock, attack) for name, attack in ATTACKS.items()},
        **{f"malformed/{name}.json": damaged(lock, how) for name, how in MALFORMED.items()},
    }
    for name, data in files.items():
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_bytes(data)


if __name__ == "__main__":
    main()
