"""Reads a certificate, or says where it is malformed. Nothing in a file is ever executed.

Reading is strict. The bytes must be the canonical ones (ASCII, keys sorted, no spaces, one line):
there is one file for one certificate. Every object has exactly its keys, numbers are whole and have
at most `LONGEST_NUMBER` digits, and fractions are strings in lowest terms.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from proofs_checks.checker.entries import (
    Certificate,
    LabelsFound,
    Parameters,
    PeriodFound,
    Ran,
    Read,
    Trained,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.checker.entries import Entry, Piece, Sample

FORMAT, VERSION = "steel-certificate", 2
LONGEST_NUMBER = 100
LONGEST_FRACTION = 4000
MOST_LEVELS = 4
"""Of nested progressions; schedules have at most two."""

T = TypeVar("T")


class Malformed(Exception):
    """The file is no certificate. `place` says where."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)


def read(data: bytes) -> Certificate:
    """The certificate in a file's bytes; raises `Malformed`."""
    try:
        value: object = json.loads(
            data.decode("ascii"),
            parse_int=_number,
            parse_float=_refuse,
            parse_constant=_refuse,
            object_pairs_hook=_object,
        )
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed("", f"not JSON of the kind expected ({error})") from None
    certificate = _certificate(value, len(data))
    if data != canonical(value) + b"\n":
        raise Malformed("", "not written in the canonical way (keys sorted, no spaces, one line)")
    return certificate


def canonical(value: object) -> bytes:
    """The one way to write a value: keys sorted, no spaces, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def digest_of(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def _number(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _refuse(text: str) -> object:
    raise ValueError(f"{text[:40]} is not a whole number")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that occurs twice")
    return found


def _keys(value: object, place: str, *keys: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Malformed(place, "expected an object")
    if set(value) != set(keys):
        wrong = [key[:40] for key in sorted(set(value) ^ set(keys))[:5]]
        raise Malformed(place, f"keys {wrong} are missing or too many")
    return value


def _whole(value: object, place: str) -> int:
    # `type`, as True is an int to isinstance.
    if type(value) is not int or value < 0:
        raise Malformed(place, "expected a whole number, not negative")
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise Malformed(place, "expected a string")
    return value


def _fraction(value: object, place: str) -> Fraction:
    text = _text(value, place)
    if len(text) > LONGEST_FRACTION or not re.fullmatch(r"[0-9]+(/[0-9]*[1-9][0-9]*)?", text):
        raise Malformed(place, "expected a fraction such as 1/20")
    found = Fraction(text)
    if str(found) != text:
        raise Malformed(place, "expected a fraction in lowest terms")
    return found


def _list(value: object, place: str, part: Callable[[object, str], T]) -> tuple[T, ...]:
    if not isinstance(value, list):
        raise Malformed(place, "expected a list")
    return tuple([part(item, f"{place}[{i}]") for i, item in enumerate(value)])


def _wholes(value: object, place: str, length: int | None = None) -> tuple[int, ...]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        expected = "a list" if length is None else f"{length} numbers"
        raise Malformed(place, f"expected {expected}")
    for i, item in enumerate(value):
        if type(item) is not int or item < 0:
            raise Malformed(f"{place}[{i}]", "expected a whole number, not negative")
    return tuple(value)


def _piece(value: object, place: str) -> Piece:
    found = _wholes(value, place)
    if len(found) % 2 != 1 or len(found) > 1 + 2 * MOST_LEVELS or 0 in found[1:]:
        message = "expected [first, count, stride, …], each count and stride at least 1"
        raise Malformed(place, message)
    return found


def _sample(value: object, place: str) -> Sample:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed(place, "expected [rows, times]")
    return _whole(value[0], f"{place}[0]"), _list(value[1], f"{place}[1]", _piece)


def _test(value: object, place: str) -> tuple[int, ...]:
    found = _wholes(value, place, 4)
    if found[3] > 1:
        raise Malformed(f"{place}[3]", "expected 0 or 1")
    return found


def _position(value: object, place: str) -> tuple[int, str, int]:
    if not isinstance(value, list) or len(value) != 3:
        raise Malformed(place, "expected [dataset, verdicts, label]")
    verdicts = _text(value[1], f"{place}[1]")
    if verdicts.strip("01"):
        raise Malformed(f"{place}[1]", "expected a string of 0 and 1")
    return _whole(value[0], f"{place}[0]"), verdicts, _whole(value[2], f"{place}[2]")


def _row(value: object, place: str) -> tuple[int, ...]:
    """A row of the table; −1 stands for a transition that is not known."""
    if not isinstance(value, list) or not all(type(to) is int and to >= -1 for to in value):
        raise Malformed(place, "expected states")
    return tuple(value)


def _entry(value: object, place: str) -> Entry:
    kind = value.get("kind") if isinstance(value, dict) else None

    def keys(*names: str) -> dict[str, object]:
        return _keys(value, place, "kind", *names)

    def whole(name: str) -> int:
        return _whole(r[name], f"{place}.{name}")

    def charge() -> Fraction:
        return _fraction(r["charge"], f"{place}.charge")

    match kind:
        case "ran":
            r = keys("start", "word", "done", "steps")
            word = _wholes(r["word"], f"{place}.word")
            return Ran(whole("start"), word, whole("done"), whole("steps"))
        case "read":
            r = keys("loop", "after", "first", "samples")
            samples = _list(r["samples"], f"{place}.samples", _sample)
            return Read(whole("loop"), whole("after"), whole("first"), samples)
        case "period":
            r = keys("number", "tests", "period", "charge")
            tests = _list(r["tests"], f"{place}.tests", _test)
            return PeriodFound(whole("number"), tests, whole("period"), charge())
        case "labels":
            r = keys("number", "known", "positions", "charge")
            known = _wholes(r["known"], f"{place}.known")
            positions = _list(r["positions"], f"{place}.positions", _position)
            return LabelsFound(whole("number"), known, positions, charge())
        case "encoder":
            r = keys("number", "datasets", "charge")
            datasets = _list(r["datasets"], f"{place}.datasets", _wholes)
            return Trained(whole("number"), datasets, charge())
    raise Malformed(place, "expected an entry of kind ran, read, period, labels or encoder")


def _parameters(value: object) -> Parameters:
    least = {"actions": 1, "max_states": 1, "max_diameter": 0, "mixing_time": 1, "class_size": 1}
    r = _keys(value, "parameters", *least, "delta", "epsilon")
    for name, bound in least.items():
        if _whole(r[name], f"parameters.{name}") < bound:
            raise Malformed(f"parameters.{name}", f"expected at least {bound}")
    delta, epsilon = (_fraction(r[name], f"parameters.{name}") for name in ("delta", "epsilon"))
    for name, chance in (("delta", delta), ("epsilon", epsilon)):
        if not 0 < chance < 1 or chance.denominator > 10**LONGEST_NUMBER:
            raise Malformed(f"parameters.{name}", "expected a simple fraction between 0 and 1")
    actions, states, diameter, mixing, size = (_whole(r[name], name) for name in least)
    return Parameters(actions, states, diameter, mixing, size, delta, epsilon)


def _require_provenance(value: object) -> None:
    """Only its shape: no rule looks at what it says."""
    r = _keys(value, "provenance", "world", "env_seed", "noise_seed", "python", "versions")
    if not isinstance(r["versions"], dict):
        raise Malformed("provenance.versions", "expected an object")
    for text in (r["world"], r["python"], *r["versions"].values()):
        _text(text, "provenance")
    for seed in (r["env_seed"], r["noise_seed"]):
        _whole(seed, "provenance")


def _certificate(value: object, size: int) -> Certificate:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise Malformed("", f"expected an object of format {FORMAT!r}")
    if (version := _whole(value.get("version"), "version")) != VERSION:
        raise Malformed("version", f"{version}, but this checker reads version {VERSION}")
    r = _keys(
        value, "", "format", "version", "method", "recipe", "parameters", "assumptions", "record",
        "table", "current", "classifiers", "spent", "steps", "provenance", "digest",
    )  # fmt: skip
    _list(r["assumptions"], "assumptions", _text)
    _require_provenance(r["provenance"])
    classifiers = r["classifiers"]
    return Certificate(
        method=_text(r["method"], "method"),
        recipe=_text(r["recipe"], "recipe"),
        parameters=_parameters(r["parameters"]),
        record=_list(r["record"], "record", _entry),
        table=_list(r["table"], "table", _row),
        current=_whole(r["current"], "current"),
        classifiers=None if classifiers is None else _wholes(classifiers, "classifiers"),
        spent=_fraction(r["spent"], "spent"),
        steps=_whole(r["steps"], "steps"),
        digest=_text(r["digest"], "digest"),
        digest_found=digest_of({key: part for key, part in r.items() if key != "digest"}),
        size=size,
    )
