"""Files at the edge of the codec: written whole or not at all, and read up to a limit."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from steel_verified.errors import InvalidArgument

LARGEST_FILE: Final = 64 << 20


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file in the same folder, then rename it: all of the new file, or the old.

    Raises `InvalidArgument` if the file cannot be written.
    """
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            beside = Path(file.name)
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                beside.chmod(0o666 & ~_umask())
                beside.replace(path)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise InvalidArgument("file", path, f"a place that can be written to ({error})") from error


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; raises `InvalidArgument` if there is none, or if it is too large."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InvalidArgument("file", path, f"a file that can be read ({error})") from error
    if len(data) > LARGEST_FILE:
        raise InvalidArgument("file", path, f"a file of at most {LARGEST_FILE >> 20} MB")
    return data


def _umask() -> int:
    """The mask that other files are made with; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
