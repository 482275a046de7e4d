"""Small changes to the located learner, each of which breaks the guarantee or the fixed order.

A change edits a function of the learner, wraps its world or oracle, or rewrites its certificate. It
never changes the evidence room. Its name says what it does wrong. It also says how the run ends:
the error that refuses it, or the rule by which the checker rejects the certificate.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from steel_verified.evidence.certificate import certificate, provenance
from steel_verified.evidence.oracle import Searched
from steel_verified.learning.drive import checked_run
from steel_verified.learning.located import Located
from steel_verified.learning.results import Accepted, accepted

from ...certificates.make import attacked
from .scenes import LOCKED, Scene

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from steel_verified.classes.rows import BitRows
    from steel_verified.evidence.oracle import Class, Classifier, Summary

LEARNING = "steel_verified.learning."


@dataclass
class Attempt:
    """A run that has not started yet, for a broken learner to change."""

    patch: pytest.MonkeyPatch
    scene: Scene = LOCKED
    search: Callable[[Summary, Summary], Classifier | None] | None = None
    """The oracle that is used in place of the right one."""
    reported: Callable[[Accepted], Accepted] = lambda learned: learned
    rewrites: list[str] = field(default_factory=list)
    """Changes to the record `r` of the certificate `c`, before it is sealed again."""

    def edit(self, function: object, old: str, new: str, *more: str) -> None:
        """Change the source of a function or method, wherever the learner uses it."""
        assert inspect.isfunction(function)
        source = textwrap.dedent(inspect.getsource(function))
        for before, after in zip((old, *more[::2]), (new, *more[1::2]), strict=True):
            assert source.count(before) == 1, f"{before!r} is not once in {function.__qualname__}"
            source = source.replace(before, after)
        module = sys.modules[function.__module__]
        made: dict[str, object] = {}
        exec(f"from __future__ import annotations\n{source}", module.__dict__, made)
        name = function.__name__
        if "." in function.__qualname__:
            owner = module.__dict__[function.__qualname__.split(".")[0]]
            self.patch.setattr(owner, name, made[name])
            return
        for other in [each for key, each in sys.modules.items() if key.startswith(LEARNING)]:
            if other.__dict__.get(name) is function:
                self.patch.setattr(other, name, made[name])

    def certificate(self) -> bytes:
        """Run it, and return the certificate of what it reports."""
        oracle: Class[BitRows] = self.scene.oracle
        if self.search is not None:
            oracle = Searched(oracle, self.search)
        result = checked_run(
            self.scene.world(),
            oracle,
            Located(self.scene.parameters, first_action=self.scene.first_action),
            max_steps=20000,
        )
        learned = self.reported(accepted(result))
        data = certificate(
            learned.ledger,
            oracle.declared,
            learned.model.table,
            learned.current,
            learned.ledger.encoder,  # the learner may lie: the checker has to find it
            provenance("broken", 7, 5),
        )
        for rewrite in self.rewrites:
            data = attacked(data, f"from base64 import b64decode, b64encode\n{rewrite}")
        return data
