"""The guarantee of a run is stored with the model."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.learning.drive import Fallback, checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.looped import Looped
from steel_verified.learning.results import Guarantee, accepted, guarantee_of
from steel_verified.using.learn import attempt
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.combination_lock import combination_lock

LOCK = combination_lock(0, states=3, components=9, least_noise=0.1)
PARAMETERS = replace(
    instance("combination-lock", 0, states=3, components=9).parameters, epsilon=Fraction(1, 7)
)


def test_guarantee_has_the_method_delta_and_epsilon() -> None:
    for recipe, method in ((Looped(PARAMETERS), "looped"), (Located(PARAMETERS), "located")):
        promised = guarantee_of(accepted(attempt(LOCK.world(1), LOCK.oracle(), recipe)))
        assert (promised.method, promised.delta) == (method, PARAMETERS.delta)
        assert (promised.epsilon, promised.certified) == (Fraction(1, 7), True)


def test_guarantee_after_a_fallback_has_the_whole_delta() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fallback, "after", property(lambda _: 70))
        found = accepted(checked_run(LOCK.world(1), LOCK.oracle(), Fallback(PARAMETERS)))
    assert isinstance(found.method, Looped)
    assert guarantee_of(found).delta == PARAMETERS.delta


@pytest.mark.parametrize("chance", [Fraction(0), Fraction(1), Fraction(-1, 2)])
def test_delta_and_epsilon_outside_zero_to_one_are_refused(chance: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="expected a fraction between 0 and 1"):
        Guarantee("looped", chance, Fraction(1, 2), certified=True)
