"""Checks beside `proposition.toml`: runs that go astray, and the steps that a call takes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from proofs_checks.kernels.finite import exhausted
from proofs_checks.small_cases.period_settings import on_settings
from steel_verified.theory.bounds import cycle_find_bound
from steel_verified.theory.counts import cycle_find_steps

if TYPE_CHECKING:
    from proofs_checks.kernels.evidence import Evidence
    from proofs_checks.small_cases.period_settings import Setting

_Bits = tuple[int, ...]


def determined_rounds_err(first: int = 0, last: int = 0) -> Evidence:
    """Check that a run strays exactly if a round errs after the determined decisions before it.

    At one outcome of the noise a decision is a function of the decisions before it. The first and
    the last rounds that are named here are not counted.
    """

    def holds(case: tuple[_Bits, _Bits]) -> bool:
        decisions, ideal = case

        def decide(history: _Bits) -> int:
            return decisions[int("1" + "".join(map(str, history)), 2) - 1]

        history: _Bits = ()
        for _ in ideal:
            history += (decide(history),)
        rounds = range(first, len(ideal) - last)
        return (history != ideal) == any(decide(ideal[:k]) != ideal[k] for k in rounds)

    cases = product(product((0, 1), repeat=7), product((0, 1), repeat=3))
    return exhausted(cases, holds, "three rounds of two decisions, at every outcome of the noise")


def steps_are_within(period: str = "true") -> Evidence:
    """Check max(c, c_init) ≤ the bound for every period up to |S|, or for `any` up to N."""

    def holds(setting: Setting) -> bool:
        return all(
            cycle_find_steps(setting.recipe, setting.length, found)
            <= cycle_find_bound(setting.recipe, states, setting.length)
            for states in range(1, setting.most + 1)
            for found in range(1, (states if period == "true" else setting.most) + 1)
        )

    return on_settings(holds)
