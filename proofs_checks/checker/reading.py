"""Reads a certificate, or says where it is malformed. Nothing in a file is ever executed.

Sizes are limited before anything is computed with them; every object must have exactly the keys
that it should; numbers are whole (fractions are strings), and keys do not occur twice.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT, VERSION = "steel-certificate", 1
LARGEST_FILE = 64 << 20
LONGEST_NUMBER = 100
LONGEST_FRACTION = 4000
DEEPEST = 12

T = TypeVar("T")


class Malformed(Exception):
    """The file is no certificate. `place` says where."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)


@dataclass(frozen=True, slots=True)
class Parameters:
    actions: int
    max_states: int
    max_diameter: int
    mixing_time: int
    class_size: int
    delta: Fraction
    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Times:
    """`count` times from `first` on, `stride` apart."""

    first: int
    count: int
    stride: int

    @property
    def last(self) -> int:
        return self.first + (self.count - 1) * self.stride


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Tests that were decided together: an id, what they depend on, and what they cost."""

    id: int
    after: int
    samples: int
    charge: Fraction


@dataclass(frozen=True, slots=True)
class Position:
    """Times are counted from the start of the call. Each verdict is 1 for "can be told apart"."""

    early: Times
    late: Times
    verdicts: str
    label: int


@dataclass(frozen=True, slots=True)
class Call:
    start: int
    word: tuple[int, ...]
    initial_steps: int
    steps: int
    period_tests: Verdicts | None
    period_verdicts: str
    period: int
    position_tests: Verdicts
    positions: tuple[Position, ...]
    added: tuple[tuple[int, int, int], ...]
    current: int


@dataclass(frozen=True, slots=True)
class Tour:
    start: int
    home: int
    cycle: tuple[int, ...]
    passes: int
    kept: tuple[Times, ...]


@dataclass(frozen=True, slots=True)
class Encoder:
    tests: Verdicts
    classifiers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    recipe: str
    parameters: Parameters
    assumptions: tuple[str, ...]
    calls: tuple[Call, ...]
    tour: Tour | None
    encoder: Encoder | None
    table: tuple[tuple[int, ...], ...]
    current: int
    spent: Fraction
    steps: int
    digest: str
    digest_found: str


def read(data: bytes) -> Certificate:
    """The certificate in a file's bytes."""
    if len(data) > LARGEST_FILE:
        raise Malformed("", f"{len(data):,} bytes are more than {LARGEST_FILE:,}")
    try:
        value: object = json.loads(
            data.decode("utf-8"),
            parse_int=_number,
            parse_float=_refuse,
            parse_constant=_refuse,
            object_pairs_hook=_object,
        )
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed("", f"not JSON of the kind expected ({error})") from None
    if not isinstance(value, dict):
        raise Malformed("", "expected an object")
    _require_shallow(value)
    without = {key: part for key, part in value.items() if key != "digest"}
    return _certificate(value, digest_of(without))


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


def _require_shallow(value: object) -> None:
    layer = [value]
    for _ in range(DEEPEST):
        inner: list[object] = []
        for part in layer:
            if isinstance(part, dict):
                inner += part.values()
            elif isinstance(part, list):
                inner += part
        if not inner:
            return
        layer = inner
    raise Malformed("", f"nested more than {DEEPEST} deep")


def _record(value: object, place: str, *keys: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Malformed(place, "expected an object")
    if set(value) != set(keys):
        wrong = sorted(set(value) ^ set(keys))
        raise Malformed(place, f"keys {wrong} are missing or too many")
    return value


def _whole(value: object, place: str) -> int:
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


def _bits(value: object, place: str) -> str:
    text = _text(value, place)
    if text.strip("01"):
        raise Malformed(place, "expected a string of 0 and 1")
    return text


def _list(value: object, place: str, part: Callable[[object, str], T]) -> tuple[T, ...]:
    if not isinstance(value, list):
        raise Malformed(place, "expected a list")
    return tuple(part(item, f"{place}[{i}]") for i, item in enumerate(value))


def _wholes(value: object, place: str) -> tuple[int, ...]:
    return _list(value, place, _whole)


def _transition(value: object, place: str) -> tuple[int, int, int]:
    found = _wholes(value, place)
    if len(found) != 3:
        raise Malformed(place, "expected [state, action, to]")
    return found[0], found[1], found[2]


def _times(value: object, place: str) -> Times:
    found = _wholes(value, place)
    if len(found) != 3 or found[1] < 1 or found[2] < 1:
        raise Malformed(place, "expected [first, count, stride], the last two at least 1")
    return Times(*found)


def _verdicts(value: object, place: str) -> Verdicts:
    r = _record(value, place, "id", "after", "samples", "charge")
    return Verdicts(
        _whole(r["id"], f"{place}.id"),
        _whole(r["after"], f"{place}.after"),
        _whole(r["samples"], f"{place}.samples"),
        _fraction(r["charge"], f"{place}.charge"),
    )


def _position(value: object, place: str) -> Position:
    r = _record(value, place, "A", "B", "verdicts", "label")
    return Position(
        _times(r["A"], f"{place}.A"),
        _times(r["B"], f"{place}.B"),
        _bits(r["verdicts"], f"{place}.verdicts"),
        _whole(r["label"], f"{place}.label"),
    )


def _call(value: object, place: str) -> Call:
    r = _record(
        value, place, "start", "word", "initial_steps", "steps", "period_tests",
        "period_verdicts", "period", "position_tests", "positions", "added", "current",
    )  # fmt: skip
    tests = r["period_tests"]
    return Call(
        start=_whole(r["start"], f"{place}.start"),
        word=_wholes(r["word"], f"{place}.word"),
        initial_steps=_whole(r["initial_steps"], f"{place}.initial_steps"),
        steps=_whole(r["steps"], f"{place}.steps"),
        period_tests=None if tests is None else _verdicts(tests, f"{place}.period_tests"),
        period_verdicts=_bits(r["period_verdicts"], f"{place}.period_verdicts"),
        period=_whole(r["period"], f"{place}.period"),
        position_tests=_verdicts(r["position_tests"], f"{place}.position_tests"),
        positions=_list(r["positions"], f"{place}.positions", _position),
        added=_list(r["added"], f"{place}.added", _transition),
        current=_whole(r["current"], f"{place}.current"),
    )


def _tour(value: object, place: str) -> Tour:
    r = _record(value, place, "start", "home", "cycle", "passes", "kept")
    return Tour(
        _whole(r["start"], f"{place}.start"),
        _whole(r["home"], f"{place}.home"),
        _wholes(r["cycle"], f"{place}.cycle"),
        _whole(r["passes"], f"{place}.passes"),
        _list(r["kept"], f"{place}.kept", _times),
    )


def _encoder(value: object, place: str) -> Encoder:
    r = _record(value, place, "tests", "classifiers")
    return Encoder(
        _verdicts(r["tests"], f"{place}.tests"), _wholes(r["classifiers"], f"{place}.classifiers")
    )


def _parameters(value: object) -> Parameters:
    whole = ("actions", "max_states", "max_diameter", "mixing_time", "class_size")
    r = _record(value, "parameters", *whole, "delta", "epsilon")
    numbers = [_whole(r[name], f"parameters.{name}") for name in whole]
    for name, number in zip(whole, numbers, strict=True):
        if number < (name != "max_diameter"):
            raise Malformed(f"parameters.{name}", "expected at least 1")
    chances = [_fraction(r[name], f"parameters.{name}") for name in ("delta", "epsilon")]
    for name, chance in zip(("delta", "epsilon"), chances, strict=True):
        if not 0 < chance < 1 or chance.denominator > 10**LONGEST_NUMBER:
            raise Malformed(f"parameters.{name}", "expected a simple fraction between 0 and 1")
    actions, max_states, max_diameter, mixing_time, class_size = numbers
    delta, epsilon = chances
    return Parameters(actions, max_states, max_diameter, mixing_time, class_size, delta, epsilon)


def _certificate(value: dict[str, object], digest_found: str) -> Certificate:
    r = _record(
        value, "", "format", "version", "recipe", "parameters", "assumptions", "calls", "tour",
        "encoder", "table", "current", "spent", "steps", "provenance", "digest",
    )  # fmt: skip
    if r["format"] != FORMAT or r["version"] != VERSION:
        raise Malformed("format", f"expected {FORMAT!r}, version {VERSION}")
    tour, encoder = r["tour"], r["encoder"]
    return Certificate(
        recipe=_text(r["recipe"], "recipe"),
        parameters=_parameters(r["parameters"]),
        assumptions=_list(r["assumptions"], "assumptions", _text),
        calls=_list(r["calls"], "calls", _call),
        tour=None if tour is None else _tour(tour, "tour"),
        encoder=None if encoder is None else _encoder(encoder, "encoder"),
        table=_list(r["table"], "table", _wholes),
        current=_whole(r["current"], "current"),
        spent=_fraction(r["spent"], "spent"),
        steps=_whole(r["steps"], "steps"),
        digest=_text(r["digest"], "digest"),
        digest_found=digest_found,
    )
