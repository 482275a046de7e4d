"""The part of the corpus that is about runs in which steps slipped; `make` writes it.

File names tell the attack, after `slipping_`.
"""

from __future__ import annotations

from fractions import Fraction

from steel_verified.evidence.certificate import Provenance
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import drive
from steel_verified.learning.results import accepted
from steel_verified.learning.slipping import Slipping
from steel_verified.worlds.combination_lock import combination_lock
from steel_verified.worlds.slipping import SlipLaw, slipping

from .attacks import Attacks

# For each attack: the rule that detects it, and the change to the record `r` of the certificate `c`
# of a lock with four states. r[0] is the first row, s[0] all steps.
STEPS = "s = [e for e in r if e['kind'] == 'steps']\n"
REJECTED = {
    "rate_lowered_afterwards": ("only", "c['parameters']['slips'] = '1/100000'"),
    "rate_raised_afterwards": ("ahead", "c['parameters']['slips'] = '1/3'"),
    "delta_lowered_afterwards": ("ahead", "c['parameters']['delta'] = '1/20000000000'"),
    "another_transition": ("claim", "c['table'][0][0] = (c['table'][0][0] + 1) % 4"),
    "label_left_out": (
        "only",
        "c['classifiers'].pop(); c['table'].pop()",
    ),
    "label_twice": ("only", "c['classifiers'][0] = c['classifiers'][1]"),
    "noise_claimed": (
        "only",
        "c['classifiers'][0] = [f for f in range(12) if f not in c['classifiers']][0]",
    ),
    "no_labels": ("cover", "c['classifiers'] = []"),
    "classifier_outside_the_class": ("rows", "c['classifiers'][0] = 12"),
    "current_label_forgotten": ("claim", "c['current'] = (c['current'] + 1) % 4"),
    "steps_understated": ("claim", "c['steps'] -= 1"),
    "slips_not_assumed": ("claim", "c['assumes'].remove('slips')"),
    "called_deterministic": ("claim", "c['assumes'].insert(1, 'deterministic')"),
    "an_action_that_is_none": ("rows", "s[0]['actions'][0] = 7"),
    "stopped_early": (
        "ahead",
        # Rows of two bytes: 80 characters are 30 rows.
        "e = s[0]; e['actions'] = e['actions'][:30]; e['rows'] = e['rows'][:80]; c['steps'] = 30",
    ),
    "called_certain": (
        "cover",
        "c['method'] = 'certain'; del c['parameters']['delta'], c['parameters']['slips']",
    ),
}
MALFORMED = {
    "rate_of_one_half": "c['parameters']['slips'] = '1/2'",
    "rate_of_zero": "c['parameters']['slips'] = '0'",
    "rate_too_fine": "c['parameters']['slips'] = '1/1000000001'",
    "delta_of_one": "c['parameters']['delta'] = '1'",
    "rate_forgotten": "del c['parameters']['slips']",
    "not_connected": "c['parameters']['connected'] = False",
    "two_trajectories": "r.append(dict(r[0]))",
    "with_hints": "r.append({'kind': 'closed', 'classifiers': [0]})",
    "with_an_end": "r.append({'kind': 'terminated'})",
}


def lock(rate: Fraction = Fraction(1, 20)) -> bytes:
    """The certificate of a run on a small lock whose steps slip."""
    world = combination_lock(0, states=4, components=12, least_noise=0.1)
    functions = world.oracle()
    method = Slipping(rate, 12, 2, Fraction(1, 20), world.first_action, check_steps=0)
    result = accepted(drive(method, slipping(world.world(1), SlipLaw(rate, 1)), functions))
    origin = Provenance("slipping", 0, 1, "3.11.0", {"steel_verified": "0.1.0"})
    return certificate_of_run(result, functions, origin)


ATTACKS = Attacks("slipping_", lock, REJECTED, STEPS, MALFORMED)
ACCEPTED = {"slipping_lock": lock}
