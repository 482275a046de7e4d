"""Certificates as bytes: canonical JSON with a digest."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Json: TypeAlias = "str | int | float | Sequence[Json] | Mapping[str, Json] | None"


def canonical(value: Json) -> bytes:
    """The one way to write a value: keys sorted, no spaces, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def sealed(certificate: Mapping[str, Json]) -> bytes:
    """The certificate with its digest, ready to be written."""
    digest = hashlib.sha256(canonical(certificate)).hexdigest()
    return canonical({**certificate, "digest": digest}) + b"\n"
