"""Small changes to the learner, each of which breaks the guarantee.

A change replaces functions of the learner or of the theory, or wraps its world or oracle. It never
changes the evidence room. Its name says what it does wrong. It also says how the run ends: the
error that refuses it, the assumption that is contradicted, or the rule by which the independent
checker rejects the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.learning.drive import checked_run
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import accepted
from steel_verified.theory import budget, counts, schedules
from steel_verified.worlds.catalogue import setting
from steel_verified.worlds.combination_lock import combination_lock

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    import pytest

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.results import Accepted


LOCK: Final = combination_lock(7, states=3, components=12, least_noise=0.1)
PARAMETERS: Final = replace(
    setting("combination-lock", states=3, components=12).parameters,
    max_states=4,
    max_diameter=3,
    mixing_time=25,
)


@dataclass
class Attempt:
    """A run that has not started yet, for a broken learner to change."""

    patch: pytest.MonkeyPatch
    world: World[BitRows] = field(default_factory=lambda: LOCK.world(5))
    oracle: Class[BitRows] = field(default_factory=LOCK.oracle)
    method: Looped = field(default_factory=lambda: Looped(PARAMETERS))
    first_action: int = LOCK.first_action
    with_encoder: bool = True
    reported: Callable[[Accepted], Accepted] = lambda learned: learned

    def certificate(self) -> bytes:
        """Run it, and return the certificate of what it reports."""
        result = checked_run(
            self.world,
            self.oracle,
            replace(self.method, first_action=self.first_action, with_encoder=self.with_encoder),
        )
        learned = self.reported(accepted(result))
        claimed = learned.model.table, learned.current, learned.classifiers
        return certificate(learned.ledger, None, *claimed, provenance("broken", 7, 5))


def with_other_constants(patch: pytest.MonkeyPatch, **constants: int | Fraction) -> None:
    """Let the learner compute all counts and charges with other constants than the paper's."""
    for module in (counts, budget):
        for name, value in constants.items():
            if hasattr(module, name):
                patch.setattr(module, name, value)
    for name in ("period_test_samples", "position_samples"):
        uncached = getattr(counts, name).__wrapped__
        for module in (counts, budget, schedules):
            if hasattr(module, name):
                patch.setattr(module, name, uncached)
