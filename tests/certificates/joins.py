"""The part of the corpus that is about located runs for the dynamics only; `make` writes it.

File names tell the attack, after `joins_`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from steel_verified.evidence.certificate import Provenance, certificate
from steel_verified.learning.results import accepted
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import method_named, run

from .attacks import Attacks

if TYPE_CHECKING:
    from steel_verified.worlds.instances import RunnableInstance

SEEN = "s = [e for e in r if e['kind'] == 'seen']"
FIRST = "j = next(i for i, e in enumerate(r) if e['kind'] == 'joins')\n"

# For each attack: the rule that detects it, and the change to the record `r` of the certificate
# `c`; r[j] is its first entry on joins. In SURE it is the last entry, and excludes both congruences
# of the grid. Those of OPEN exclude none, since F classifies all blocks of one.
IN_SURE = {
    "left_out": ("order", "r.pop()"),
    "excluded_by_another_block": ("joins", "r[j]['excluded'][0] = [2, 3]"),
    "not_all_listed": ("joins", "r[j]['excluded'].pop()"),
    "called_incomplete": ("joins", "r[j]['complete'] = False"),
    "before_the_table_is_closed": ("order", "r.insert(3, r.pop(j))"),
    "with_an_encoder": ("encoder", "c['classifiers'] = [0, 1, 2, 3, 4, 5]"),
    "another_last_row": ("same", f"{SEEN}; s[-1]['rows'] = s[-2]['rows']"),
}
IN_OPEN = {
    "called_complete": ("joins", "r[j]['complete'] = True"),
    "instead_of_a_validation": ("joins", "r[j]['complete'] = True; del r[j + 1:]"),
    "encoder_of_a_validation_of_the_dynamics": (
        "passes",
        "c['classifiers'] = next(e for e in r if e['kind'] == 'fixed')['classifiers']",
    ),
}


def sure() -> bytes:
    """Return the certificate of a run that ends surely."""
    return _dynamics_only(instance("grid", 0))


def validated() -> bytes:
    """Return the certificate of a run that needs a validation."""
    loops = instance("double-prime", 0, p=2, q=3)
    strict = replace(loops.parameters, epsilon=Fraction(1, 20))
    return _dynamics_only(replace(loops, parameters=strict))


def _dynamics_only(chosen: RunnableInstance) -> bytes:
    result, _ = run(chosen, method_named("located", chosen, with_encoder=False), 1)
    learned = accepted(result)
    origin = Provenance("joins", 0, 1, "3.11.0", {"steel_verified": "0.1.0"})
    claimed = learned.model.table, learned.current, learned.classifiers
    return certificate(learned.ledger, chosen.simulation.declared(), *claimed, origin)


ATTACKS = (
    Attacks("joins_", sure, IN_SURE, FIRST),
    Attacks("joins_", validated, IN_OPEN, FIRST),
)
ACCEPTED = {"joins_grid": sure, "joins_double_prime": validated}
