"""Opens files that strangers give: regular ones only, and only up to a size."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from proofs_checks.checker.document import Malformed

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_FILE = 16 << 20


class NoFile(Exception):
    """There is no such file, or it cannot be read."""


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises `NoFile` if there is none (a pipe or a device is refused before it is opened, as it could
    block or never end), and `Malformed` if it has more than `LARGEST_FILE` bytes.
    """
    try:
        _require_regular(path.stat())
        # Should it be replaced by a pipe in between, O_NONBLOCK keeps the call from waiting.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            found = os.fstat(file.fileno())
            _require_regular(found)
            if found.st_size > LARGEST_FILE:
                raise Malformed("", f"{found.st_size:,} bytes are more than {LARGEST_FILE:,}")
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise NoFile(str(error)) from None
    if len(data) > LARGEST_FILE:
        raise Malformed("", f"more than {LARGEST_FILE:,} bytes")
    return data


def _require_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise NoFile("not a regular file")
