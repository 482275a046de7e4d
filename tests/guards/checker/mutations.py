"""Certificates with one random change, the same ones in every run."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | None"


def mutations(files: Mapping[str, bytes], count: int) -> Iterator[tuple[str, bytes]]:
    """Changed files, with the name of each: which file, and where it was changed.

    The digest is made to match, but for every twentieth.
    """
    rng = random.Random(0)
    contents: dict[str, dict[str, Value]] = {name: json.loads(data) for name, data in files.items()}
    for number in range(count):
        name = rng.choice(sorted(contents))
        content = {k: v for k, v in contents[name].items() if k != "digest"}
        often = ["proofs"] * 15 if content.get("proofs") else ["record"] * 12 + ["parameters"] * 3
        key = rng.choice(sorted(content) + often)
        changed, place = _changed(content[key], rng, key)
        digest = None if number % 20 else contents[name]["digest"]
        yield f"{number}: {name}, {place}", sealed({**content, key: changed}, digest)


def sealed(content: Mapping[str, Value], digest: Value = None) -> bytes:
    """A certificate with a digest, its own if none is given, as version 2 is written."""
    digest = hashlib.sha256(_canonical(content)).hexdigest() if digest is None else digest
    return _canonical({**content, "digest": digest}) + b"\n"


def _canonical(content: Mapping[str, Value]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")


def _changed(value: Value, rng: random.Random, place: str) -> tuple[Value, str]:
    """The value with one change somewhere inside, and its place."""
    if isinstance(value, dict) and value and rng.random() < 0.97:
        key = rng.choice(sorted(value))
        inner, place = _changed(value[key], rng, f"{place}.{key}")
        return {**value, key: inner}, place
    if isinstance(value, list) and value and rng.random() < 0.85:
        i = rng.randrange(len(value))
        inner, place = _changed(value[i], rng, f"{place}[{i}]")
        return [*value[:i], inner, *value[i + 1 :]], place
    return _other(value, rng), place


def _other(value: Value, rng: random.Random) -> Value:
    match value:
        case None:
            return 0
        case int():
            return rng.choice([value + 1, value - 1, value + 1, 2 * value + 3, 0, 10**6])
        case str():
            return _other_text(value, rng)
        case dict():
            return {k: v for k, v in value.items() if k != min(value, default="")}
        case list():
            return _other_list(value, rng)


def _other_text(text: str, rng: random.Random) -> str:
    if text and not text.strip("01"):
        i = rng.randrange(len(text))
        return text[:i] + "10"[int(text[i])] + text[i + 1 :]
    if "/" in text and text.replace("/", "").isdigit():
        above, _, below = text.partition("/")
        return rng.choice([f"{above}/{int(below) + 2}", f"{int(above) + 2}/{below}", f"1/{below}"])
    try:
        data = bytearray(base64.b64decode(text, validate=True))
    except ValueError:
        return text + "x"
    if not data:
        return text + "x"
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return base64.b64encode(data).decode()


def _other_list(items: list[Value], rng: random.Random) -> list[Value]:
    if not items:
        return [0]
    i, j = rng.randrange(len(items)), rng.randrange(len(items))
    match rng.randrange(4):
        case 0:
            return [*items[:i], *items[i + 1 :]]
        case 1:
            return [*items[:i], items[j], *items[i:]]
        case 2:
            return items[:i]
        case _:
            new = list(items)
            new[i], new[j] = items[j], items[i]
            return new
