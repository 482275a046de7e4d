"""The paper's experiments by name, for the audit: `combination-lock-20`, `double-prime-3-5`, …"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument
from steel_verified.experiments.registry import TABLE2
from steel_verified.worlds.catalogue import setting

if TYPE_CHECKING:
    from steel_verified.worlds.kinds import Setting

_NAMED: Final = {column.name: column.setting for column in TABLE2}
_DOUBLE_PRIME: Final = re.compile(r"double-prime-(\d{1,6})-(\d{1,6})", re.ASCII)

NAMES: Final = (*_NAMED, "double-prime-P-Q")


def preset(name: str) -> Setting:
    """The experiment of this name; P and Q stand for two primes, as in double-prime-3-5.

    Raises `InvalidArgument` for any other name.
    """
    if name in _NAMED:
        return _NAMED[name]
    if match := _DOUBLE_PRIME.fullmatch(name):
        try:
            return setting("double-prime", p=int(match[1]), q=int(match[2]))
        except InvalidArgument as error:
            raise InvalidArgument("preset", name, "two primes P < Q") from error
    raise InvalidArgument("preset", name, "one of " + ", ".join(NAMES))
