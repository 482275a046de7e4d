"""Runs that are kept in files, and killed."""

from collections.abc import Callable
from pathlib import Path

import pytest

import steel_verified.gymnasium.envs  # noqa: F401 (registers the environments)
from steel_verified.evidence.files import write_atomically
from steel_verified.learning.results import Accepted
from steel_verified.worlds import checkpoints, runs
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.checkpoints import Checkpoints
from steel_verified.worlds.instances import RunnableInstance


class Killed(BaseException):
    """As if the process were gone: nothing catches it, and nothing is written any more."""


WORLDS = {
    "lock": lambda: instance("combination-lock", 0, states=5, components=40),
    "grid": lambda: instance("grid", 0),
    "primes": lambda: instance("double-prime", 0, p=3, q=5),
}
METHODS = ("looped", "located")


def run(
    method: str,
    chosen: RunnableInstance,
    files: Checkpoints,
    look: Callable[[object], None] = lambda _: None,
    noise_seed: int = 1,
) -> bytes | object:
    """The certificate of a run, or the result if it is not accepted."""
    result, _ = runs.run(
        chosen, runs.method_named(method, chosen), noise_seed, files=files, watch=look
    )
    if not isinstance(result, Accepted):
        return result
    return runs.certificate_of_run(chosen, result, noise_seed)


def certified(method: str, chosen: RunnableInstance, noise_seed: int = 1) -> bytes:
    """The certificate of a run that is accepted."""
    return certificate_of(run(method, chosen, Checkpoints(), noise_seed=noise_seed))


def certificate_of(went: object) -> bytes:
    assert isinstance(went, bytes)
    return went


def killed_after(
    method: str, chosen: RunnableInstance, files: Checkpoints, moments: int
) -> object | None:
    """Run until the checkpoint was written so often, and then no longer; None if it was killed."""
    left = moments

    def counted(path: Path, data: bytes) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        write_atomically(path, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "write_atomically", counted)
        patch.setattr(checkpoints, "_SHARE", 0)
        try:
            return run(method, chosen, files)
        except Killed:
            return None
