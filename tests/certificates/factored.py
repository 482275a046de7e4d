"""The part of the corpus that is about factored runs; `make` writes it.

File names tell the attack, after `factored_`.
"""

from __future__ import annotations

from fractions import Fraction

from steel_verified.evidence.certificate import Provenance
from steel_verified.learning.certifying import certificate_of_factors
from steel_verified.learning.drive import drive
from steel_verified.learning.factored import Factored, Factors
from steel_verified.worlds.locks import Locks

from .attacks import Attacks

# For each attack: the rule that detects it, and the change to the record `r` of the certificate `c`
# of two locks of three values, the labels 0 … 2 and 3 … 5. `t` are the numbers of the trials in
# `r`, and `k` those of the coins, each of which is followed by the step of its action.
NAMES = (
    "t = [i for i, e in enumerate(r) if e['kind'] == 'trial']\n"
    "k = [i for i, e in enumerate(r) if e['kind'] == 'toss']\n"
)
TWICE = (
    "c['factors'] += [3]; c['classifiers'] += c['classifiers'][3:]; "
    "c['table'] += [[to + 3 for to in line] for line in c['table'][3:]]"
)
SECOND = "c['factors'].pop(); del c['classifiers'][3:], c['table'][3:]"
REJECTED = {
    "factor_left_out": ("only", SECOND),
    "factor_listed_twice": ("cover", TWICE),
    "product_claimed_as_one_factor": ("cover", "c['factors'] = [6]"),
    "label_of_the_other_factor": (
        "cover",
        "f = c['classifiers']; f[0], f[3] = f[3], f[0]",
    ),
    "another_transition": ("claim", "c['table'][0][0] = (c['table'][0][0] + 1) % 3"),
    "present_label_claimed": ("claim", "c['current'] = 0"),
    "steps_understated": ("claim", "c['steps'] -= 1"),
    "sizes_of_other_factors": ("claim", "c['factors'][1] += 1"),
    "classifier_outside_the_class": ("rows", "c['classifiers'][0] = 99"),
    "not_connected": ("rows", "c['parameters']['connected'] = False"),
    "last_steps_left_out": ("only", "r[k[-1]:] = [e for e in r[k[-1]:] if e['kind'] == 'hints']"),
    "delta_lowered_afterwards": ("trials", "c['parameters']['delta'] = '1/80'"),
    "delta_of_zero": ("trials", "c['parameters']['delta'] = '0'; del c['assumes'][5:]"),
    "charge_lowered": ("trials", "r[t[0]]['charge'] = '1/128'"),
    "charge_that_is_no_power": ("trials", "r[t[0]]['charge'] = '1/60'"),
    "charge_left_out_of_the_sum": ("trials", "c['spent'] = '1/64'"),
    "trial_of_another_cover": ("coins", "r[t[0]]['classifiers'][0] ^= 1"),
    "no_trial": ("coins", "del r[t[0]]; c['spent'] = '1/64'"),
    "trial_after_the_first_coin": ("coins", "r.insert(k[0], r.pop(t[0]))"),
    "trial_after_the_coins": ("coins", "r.insert(k[-1], r.pop(t[0]))"),
    "one_coin_too_few": ("coins", "del r[k[0]]"),
    "no_coins": ("coins", "for i in reversed(k): del r[i]"),
    "coin_on_the_other_side": ("coins", "r[k[2]]['side'] ^= 1"),
    "coin_counted_twice": ("coins", "r.insert(k[1], dict(r[k[1]]))"),
    "coin_tossed_after_its_action": ("coins", "r.insert(k[0] + 1, r.pop(k[0]))"),
    "coin_between_equal_actions": (
        "coins",
        "a = r[k[0]]['actions']; a[:] = [a[r[k[0]]['side']]] * 2",
    ),
    "action_that_is_none": ("coins", "r[k[0]]['actions'][r[k[0]]['side'] ^ 1] = 9"),
    "exogenous_noise_not_assumed": ("claim", "c['assumes'].remove('exogenous')"),
}
MALFORMED = {
    "side_of_two": "c['record'] = [{**e, **({'side': 2} if 'side' in e else {})} for e in r]",
    "coin_of_another_method": (
        "c['record'] = [{**e, 'kind': 'coin'} if e['kind'] == 'toss' else e for e in r]"
    ),
    "no_factors_named": "del c['factors']",
    "delta_of_one": "c['parameters']['delta'] = '1'",
}


def two_locks(delta: Fraction = Fraction(1, 20)) -> bytes:
    """The certificate of a run with two locks of three values."""
    world = Locks(2, 3, components=9)
    method = Factored(9, 4, check_steps=0, delta=delta)
    result = drive(method, world, world.functions())
    assert isinstance(result, Factors)
    origin = Provenance("locks", 0, 0, "3.11.0", {"steel_verified": "0.1.0"})
    return certificate_of_factors(result, origin)


ATTACKS = Attacks("factored_", two_locks, REJECTED, NAMES, MALFORMED)
ACCEPTED = {
    "factored_two_locks": two_locks,
    "factored_without_coins": lambda: two_locks(Fraction(0)),
}
