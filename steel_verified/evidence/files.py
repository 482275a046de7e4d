"""Writes result files, and reads files up to a size limit. No other module writes result files.

A file is written completely or not at all (atomic rename). Existing files are protected: only
regular files with write permission are replaced. Outputs are checked before a run starts.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

LARGEST_FILE: Final = 64 << 20
_UNFINISHED: Final = ".unfinished"


def require_outputs(**outputs: Path | None) -> None:
    """Raise `InvalidArgument` unless every output can be written and all are different files."""
    taken: dict[Path, str] = {}
    for argument, path in outputs.items():
        if path is None:
            continue
        _require_replaceable(argument, path)
        if not path.parent.is_dir():
            raise InvalidArgument(argument, path, "a file in a folder that exists")
        try:
            with _temporary(path):
                pass
        except OSError as error:
            expected = f"a file in a folder that can be written to ({error.strerror})"
            raise InvalidArgument(argument, path, expected) from None
        other = taken.setdefault(path.resolve(), argument)
        if other != argument:
            raise InvalidArgument(argument, path, f"another file than --{other} has")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file in the same folder, then rename it atomically."""
    _require_replaceable("file", path)
    try:
        with _temporary(path) as (beside, file):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            beside.chmod(0o666 & ~_umask())
            beside.replace(path)
    except OSError as error:
        raise InvalidArgument(
            "file", path, f"a place that can be written to ({error.strerror or error})"
        ) from error


def write_or_rescue(path: Path, data: bytes) -> None:
    """Write a file atomically, or else into the system's temporary folder, and say so."""
    try:
        write_atomically(path, data)
    except InvalidArgument as failed:
        handle, rescued = tempfile.mkstemp(prefix="steel-rescued-", suffix=f"-{path.name[-100:]}")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        raise InvalidArgument(
            failed.argument, path, f"{failed.expected}; what was learned is in {rescued}"
        ) from failed


def open_to_append(argument: str, path: Path) -> FileIO:
    """Open a file for reading and appending, or create it."""
    _require_replaceable(argument, path)
    if not path.parent.is_dir():
        raise InvalidArgument(argument, path, "a file in a folder that exists")
    try:
        return path.open("a+b", buffering=0)
    except OSError as error:
        expected = f"a file that can be written ({error.strerror})"
        raise InvalidArgument(argument, path, expected) from None


def read_bytes(path: Path, largest: int = LARGEST_FILE, argument: str = "file") -> bytes:
    """Return the bytes of a file; raise `InvalidArgument` if it does not exist or is too large."""
    try:
        if not path.is_file():
            raise InvalidArgument(argument, path, "a regular file that exists")
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise InvalidArgument(argument, path, f"a file that can be read ({error})") from error
    if len(data) > largest:
        raise InvalidArgument(argument, path, f"a file of at most {largest >> 20} MB")
    return data


def _require_replaceable(argument: str, path: Path) -> None:
    """Raise `InvalidArgument` for links, folders, pipes, devices and read-only files."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise InvalidArgument(argument, path, f"a path that can be read ({error})") from None
    if stat.S_ISLNK(mode):
        raise InvalidArgument(argument, path, "a file of its own, not a symbolic link")
    if not stat.S_ISREG(mode):
        raise InvalidArgument(argument, path, "a regular file, or a name that is still free")
    if not mode & 0o222:
        raise InvalidArgument(argument, path, "a file that may be written: this one is read-only")


@contextmanager
def _temporary(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Open a temporary file in the same folder; it is removed unless it was renamed.

    It is locked while it is open, so the files of killed processes can be told and are removed.
    """
    name = f".{path.name[:100]}."
    for left in path.parent.glob(f"{escape(name)}*{_UNFINISHED}"):
        with suppress(OSError), left.open("rb") as unfinished:
            if _locked(unfinished):
                left.unlink()
    while True:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=name, suffix=_UNFINISHED, delete=False
        ) as file:
            beside = Path(file.name)
            try:
                if _locked(file) and not beside.exists():
                    continue  # Another process removed it before it was locked.
                yield beside, file
            finally:
                beside.unlink(missing_ok=True)
            return


def _locked(file: IO[bytes]) -> bool:
    """Lock a file until it is closed; return whether this was possible (on Windows, always)."""
    if sys.platform == "win32":
        return True
    import fcntl  # noqa: PLC0415 (not on Windows)

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # Another process has the lock, or the file system has no locks.
        return False
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
