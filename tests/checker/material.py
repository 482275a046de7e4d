"""Certificates to work on."""

from __future__ import annotations

from functools import cache

from proofs_checks.checker.reading import Malformed, canonical, digest_of, read
from proofs_checks.checker.rules import check
from steel_verified.evidence.certificate import certificate
from steel_verified.evidence.codec import sealed
from steel_verified.theory.recipe import paper
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import run

Value = dict[str, "Value"] | list["Value"] | str | int | None


@cache
def lock() -> bytes:
    """A small real run, once."""
    chosen = instance("combination-lock", 0, states=4, components=30)
    return sealed(certificate(run(chosen, 1).learned, paper(chosen.parameters), {"world": "lock"}))


def resealed(value: Value) -> bytes:
    """As written by someone who recomputes the digest after tampering."""
    assert isinstance(value, dict)
    without = {key: part for key, part in value.items() if key != "digest"}
    return canonical({**without, "digest": digest_of(without)})


def verdict(data: bytes) -> str:
    try:
        return "rejected" if check(read(data)) else "accepted"
    except Malformed:
        return "malformed"
