"""Files are written whole or not at all."""

import os
from pathlib import Path

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.files import write_atomically


def test_a_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "out"
    write_atomically(file, b"one")
    write_atomically(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [file]


def test_the_old_file_survives_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out"
    write_atomically(file, b"one")

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidArgument, match="no space left"):
        write_atomically(file, b"two")
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="can be written to"):
        write_atomically(tmp_path / "no" / "out", b"")
