"""Writing files so that nothing is lost: all of the new file, or the old one as it was."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from steel_verified.errors import InvalidArgument


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside the file, then take its place in one step."""
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


def _umask() -> int:
    """The mask that other files are made with; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
