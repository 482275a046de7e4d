"""The part of the corpus that is about runs in which coins decided; `make` writes it.

File names tell the attack, after `coins_`.
"""

from __future__ import annotations

from fractions import Fraction

from steel_verified.evidence.certificate import Provenance
from steel_verified.learning.certain import Certain
from steel_verified.learning.certifying import certificate_of_run
from steel_verified.learning.drive import drive
from steel_verified.learning.results import accepted
from steel_verified.worlds.prime_loops import prime_loops

from .attacks import Attacks

# For each attack: the rule that detects it, and the change to the record `r` of the certificate `c`
# of DoublePrime(3, 5), a loop of labels 0 … 4 and one of labels 5 … 9. `t` are the numbers of the
# trial and of its five coins in `r`; each coin is followed by the steps of its word.
NAMES = "t = [i for i, e in enumerate(r) if e['kind'] in ('trial', 'coin')]\n"
QUOTIENT = [10, 11, 12, 13, 14]
CERTAIN = (
    "c['method'] = 'certain'; c['assumes'] = c['assumes'][:4]; "
    "del c['parameters']['delta'], c['spent']"
)
REJECTED = {
    "delta_lowered_afterwards": ("trials", "c['parameters']['delta'] = '1/80'"),
    "charge_lowered": ("trials", "r[t[0]]['charge'] = '1/64'"),
    "failed_trial_left_out_of_the_sum": ("trials", "c['spent'] = '0'"),
    "classifiers_fixed_for_another_model": ("trials", "r[t[0]]['classifiers'][0] = 10"),
    "no_trial": ("trials", "del r[t[0]]"),
    "trial_after_the_first_coin": ("atoms", "r.insert(t[1], r.pop(t[0]))"),
    "trial_after_the_coins": ("atoms", "r.insert(t[5], r.pop(t[0]))"),
    "one_coin_too_few": ("atoms", "del r[t[5]]"),
    "no_coins": ("atoms", "[r.pop(i) for i in t[:0:-1]]"),
    "coin_counted_twice": ("coins", "del r[t[5]]; r.insert(t[2], dict(r[t[2]]))"),
    "coin_on_the_other_side": ("coins", "r[t[3]]['side'] ^= 1"),
    "coin_tossed_after_its_word": ("coins", "r.insert(t[2], r.pop(t[1]))"),
    "words_of_unequal_length": ("coins", "r[t[4]]['words'][1] += [0] * 5"),
    "words_that_lead_to_one_label": ("coins", "w = r[t[1]]['words']; w[0] = w[1]"),
    "word_of_no_action": ("coins", "r[t[1]]['words'][r[t[1]]['side'] ^ 1][0] = 7"),
    "labels_exchanged": ("coins", "r[t[1]]['labels'].reverse()"),
    "label_aimed_at_afterwards": ("coins", "r[t[1]]['labels'][r[t[1]]['side']] ^= 1"),
    "coin_about_one_label": (
        "coins",
        "for k in ('words', 'labels'): r[t[1]][k] = [r[t[1]][k][r[t[1]]['side']]] * 2",
    ),
    "another_transition": ("claim", "c['table'][0][0] = 2"),
    "current_label_forgotten": ("claim", "c['current'] = (c['current'] + 1) % 10"),
    "steps_understated": ("claim", "c['steps'] -= 1"),
    "exogenous_noise_not_assumed": ("claim", "c['assumes'].remove('exogenous')"),
    "quotient_claimed": ("only", f"c['classifiers'] = r[t[0]]['classifiers'] = {QUOTIENT}"),
    "not_connected": ("rows", "c['parameters']['connected'] = False"),
    "called_certain": ("only", f"{CERTAIN}; [r.pop(i) for i in t[::-1]]"),
}


def double_prime(p: int, q: int) -> bytes:
    """The certificate of a run in a world of which F classifies a quotient."""
    loops = prime_loops(0, 2, p=p, q=q)
    functions = loops.oracle()
    method = Certain(3 * q, 2, loops.first_action, check_steps=0, delta=Fraction(1, 20))
    result = accepted(drive(method, loops.world(1), functions))
    origin = Provenance("coins", 0, 1, "3.11.0", {"steel_verified": "0.1.0"})
    return certificate_of_run(result, functions, origin)


ATTACKS = Attacks("coins_", lambda: double_prime(3, 5), REJECTED, NAMES)
ACCEPTED = {"coins_double_prime": ATTACKS.honest}
