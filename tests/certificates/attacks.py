"""Changes to honest certificates that the checker must notice; file names tell the attack."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from . import content

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def attacked(data: bytes, attack: str) -> bytes:
    """Return the tampered certificate with a recomputed digest."""
    value = json.loads(content.as_json(data))

    def repay(entry: dict[str, str], tests: int, of: int) -> None:
        """Charge only this many of the charged tests, in the entry and in the sum."""
        charge = Fraction(entry["charge"])
        entry["charge"] = str(charge * tests / of)
        value["spent"] = str(Fraction(value["spent"]) - charge * (of - tests) / of)

    exec(attack, {"c": value, "r": value["record"], "repay": repay})
    return content.written(value)


def damaged(data: bytes, damage: str) -> bytes:
    names = {"data": data}
    exec(damage, names)
    return names["data"]


@dataclass(frozen=True)
class Attacks:
    """Changes to one certificate. File names begin with the prefix."""

    prefix: str
    honest: Callable[[], bytes]
    rejected: Mapping[str, tuple[str, str]]
    """By the name of the attack: the rule that detects it, and the change of the record `r` of the
    certificate `c`."""
    before: str = ""
    """A text in front of each of these changes, for names that they use."""
    malformed: Mapping[str, str] = field(default_factory=dict)
    """Changes of the record after which the file is no certificate."""
    damaged: Mapping[str, str] = field(default_factory=dict)
    """The same, as changes of the bytes `data`."""

    def files(self) -> dict[str, bytes]:
        """Return every file by its path."""
        honest = self.honest()
        made = {
            f"rejected/{self.prefix}{name}.json": attacked(honest, self.before + how)
            for name, (_, how) in self.rejected.items()
        }
        for name, how in self.malformed.items():
            made[f"malformed/{self.prefix}{name}.json"] = attacked(honest, how)
        for name, how in self.damaged.items():
            made[f"malformed/{self.prefix}{name}.json"] = damaged(honest, how)
        return made

    def rules(self) -> dict[str, str]:
        """Return the rule that each rejected file breaks, by its path."""
        return {f"rejected/{self.prefix}{name}.json": r for name, (r, _) in self.rejected.items()}
