"""Reads files from untrusted sources: only regular files, only up to a maximum size."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from proofs_checks.checker.document import Malformed

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_FILE = 16 << 20


class NoFile(Exception):
    """The file does not exist or cannot be read."""


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a regular file.

    Raises `NoFile` if there is no such file, or if it is a pipe or a device: opening or reading
    those could block forever. Raises `Malformed` if it has more than `LARGEST_FILE` bytes.
    """
    try:
        _require_regular(path.stat())
        # If the file is replaced by a pipe after the check, O_NONBLOCK keeps `open` from blocking.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            found = os.fstat(file.fileno())
            _require_regular(found)
            if found.st_size > LARGEST_FILE:
                raise Malformed(
                    "", f"the file has {found.st_size:,} bytes; the limit is {LARGEST_FILE:,}"
                )
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: null byte in the name
        raise NoFile(str(error)) from None
    if len(data) > LARGEST_FILE:
        raise Malformed("", f"the file has more than {LARGEST_FILE:,} bytes, the limit")
    return data


def _require_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise NoFile("not a regular file; give the path of a certificate on disk")
