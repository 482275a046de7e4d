"""The JSON Schema of certificates of both methods, header and digest included."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from steel_verified.evidence.certificate import SteelCertificate
from steel_verified.evidence.located_certificate import SteelLocatedCertificate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.evidence.codec import Json


def schema() -> Mapping[str, Json]:
    """Return the schema: a certificate is that of a looped run or that of a located run."""
    either, parts = msgspec.json.schema_components(
        (SteelCertificate, SteelLocatedCertificate), ref_template="#/$defs/{name}"
    )
    written: Json = list(either)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "anyOf": written,
        "$defs": parts,
    }
