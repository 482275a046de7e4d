"""Broken learners as data: the changes that break each one, and how its run ends.

A change edits a function of the learner or of the theory, wraps its world or oracle, or rewrites
what it reports. It never changes the evidence room. A run ends with the error that refuses it, the
assumption that is contradicted, or the rule by which the independent checker rejects the
certificate.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Malformed
from steel_verified.errors import SteelError
from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.evidence.oracle import Searched
from steel_verified.learning import looped
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import accepted
from steel_verified.theory import budget, counts, schedules
from steel_verified.theory.conditions import AssumptionViolated
from steel_verified.theory.progressions import Level, Progression

from ..certificates.attacks import attacked

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from types import ModuleType

    import pytest

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.oracle import Class
    from steel_verified.evidence.plans import World
    from steel_verified.learning.looped import Looped
    from steel_verified.learning.model import Model
    from steel_verified.learning.results import Accepted

    from .scenes import Scene

    Change = Callable[["Attempt"], None]

LEARNING: Final = "steel_verified.learning."


def shortened(times: Progression) -> Progression:
    """Return the progression with one sample fewer."""
    first, *inner = times.levels
    return Progression(times.first, (Level(first.count - 1, first.stride), *inner))


def missing_one(model: Model, home: int, at_least: int) -> tuple[int, ...]:
    """Return a walk that uses only action 0."""
    length, here = 0, home
    while length < at_least or here != home:
        length += 1
        here = model.table[here][0] or 0
    return (0,) * length


FOR_EDITS: Final = {"Searched": Searched, "shortened": shortened, "missing_one": missing_one}
"""What edits of a learner may use besides the names of its module."""


@dataclass
class Attempt:
    """A run that has not started yet, for a broken learner to change."""

    patch: pytest.MonkeyPatch
    world: World[BitRows]
    oracle: Class[BitRows]
    method: Looped | Located
    reported: Callable[[Accepted], Accepted] = lambda learned: learned
    rewrites: list[str] = field(default_factory=list)
    """Changes to the record `r` of the certificate `c`, before it is sealed again."""

    def certificate(self) -> bytes:
        """Run it, and return the certificate of what it reports."""
        is_located = isinstance(self.method, Located)
        most = 20_000 if is_located else None
        result = checked_run(self.world, self.oracle, self.method, max_steps=most)
        learned = self.reported(accepted(result))
        data = certificate(
            learned.ledger,
            self.oracle.declared if is_located else None,
            learned.model.table,
            learned.current,
            # A located learner may lie here: the checker has to find it.
            learned.ledger.encoder if is_located else learned.classifiers,
            provenance("broken", 7, 5),
        )
        for rewrite in self.rewrites:
            data = attacked(data, f"from base64 import b64decode, b64encode\n{rewrite}")
        return data

    def ending(self) -> set[str]:
        """Return how it ends: an error, contradicted assumptions, or violated rules, if any."""
        try:
            findings = judged(self.certificate()).findings
        except AssumptionViolated as violated:
            return {"not accepted", *(each.name for each in violated.conditions)}
        except SteelError as refused:
            return {type(refused).__name__}
        except Malformed:
            return {"malformed"}
        return {finding.rule for finding in findings} or {"accepted"}


def begun(patch: pytest.MonkeyPatch, scene: Scene) -> Attempt:
    """Return an attempt of located STEEL that is right so far."""
    method = Located(scene.parameters, first_action=scene.first_action)
    return Attempt(patch, scene.world(), scene.oracle, method)


@dataclass(frozen=True)
class Broken:
    """A broken learner: how its run ends, what changes it, and where (looped has one scene)."""

    ends: str
    changes: tuple[Change, ...]
    scene: Scene | None = None

    def apply(self, at: Attempt) -> Attempt:
        for change in self.changes:
            change(at)
        return at


def broken(ends: str, *changes: Change, scene: Scene | None = None) -> Broken:
    return Broken(ends, changes, scene)


def edit(function: object, *texts: str) -> Change:
    """Change the source of a function or method, wherever the learner uses it.

    The texts are pairs of what is there, exactly once, and what takes its place.
    """
    assert inspect.isfunction(function)
    module, name = sys.modules[function.__module__], function.__name__

    def change(at: Attempt) -> None:
        source = textwrap.dedent(inspect.getsource(function))
        for before, after in zip(texts[::2], texts[1::2], strict=True):
            assert source.count(before) == 1, f"{before!r} is not once in {function.__qualname__}"
            source = source.replace(before, after)
        for helper, value in FOR_EDITS.items():
            at.patch.setattr(module, helper, value, raising=False)
        made: dict[str, object] = {}
        exec(f"from __future__ import annotations\n{source}", module.__dict__, made)
        if "." in function.__qualname__:
            owner = module.__dict__[function.__qualname__.split(".")[0]]
            at.patch.setattr(owner, name, made[name])
            return
        for other in [each for key, each in sys.modules.items() if key.startswith(LEARNING)]:
            if other.__dict__.get(name) is function:
                at.patch.setattr(other, name, made[name])

    return change


def put(module: ModuleType, **values: object) -> Change:
    """Replace functions of a module."""

    def change(at: Attempt) -> None:
        for name, value in values.items():
            at.patch.setattr(module, name, value)

    return change


def rewrite(text: str) -> Change:
    """Change the certificate."""
    return lambda at: at.rewrites.append(text)


def reports(change: Callable[[Accepted], Accepted]) -> Change:
    """Report something else than what was learned."""

    def changed(at: Attempt) -> None:
        at.reported = change

    return changed


def with_table(
    change: Callable[[list[list[int | None]]], list[list[int | None]]],
) -> Callable[[Accepted], Accepted]:
    def changed(learned: Accepted) -> Accepted:
        table = change([list(row) for row in learned.model.table])
        return replace(learned, model=replace(learned.model, table=tuple(map(tuple, table))))

    return changed


def other_constants(**constants: int | Fraction) -> Change:
    return lambda at: with_other_constants(at.patch, **constants)


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


def without_own_checks(patch: pytest.MonkeyPatch) -> None:
    """Let a looped learner not compare its model with what it did."""
    patch.setattr(looped, "require_whole_run", lambda *_: None)
    patch.setattr(looped, "require_consistent", lambda *_, **__: None)
