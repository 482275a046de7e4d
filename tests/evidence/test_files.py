"""Files are written completely or not at all, and existing files are protected."""

import os
import tempfile
from pathlib import Path

import pytest

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.files import (
    LARGEST_FILE,
    open_to_append,
    read_bytes,
    require_outputs,
    write_atomically,
    write_or_rescue,
)


def full(_: int) -> None:
    raise OSError("no space left")


def test_write_atomically_replaces_a_file(tmp_path: Path) -> None:
    file = tmp_path / "out"
    write_atomically(file, b"one")
    write_atomically(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [file]
    assert not file.stat().st_mode & 0o111


def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out"
    write_atomically(file, b"one")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidArgument, match="no space left"):
        write_atomically(file, b"two")
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]


def test_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="can be written to"):
        write_atomically(tmp_path / "no" / "out", b"")
    with pytest.raises(InvalidArgument, match=r"model = .*a file in a folder that exists"):
        require_outputs(model=tmp_path / "no" / "out")


def test_links_pipes_and_folders_are_refused_and_unchanged(tmp_path: Path) -> None:
    target, link, pipe, folder = (tmp_path / name for name in ("target", "link", "pipe", "folder"))
    target.write_bytes(b"precious")
    link.symlink_to(target)
    os.mkfifo(pipe)
    folder.mkdir()
    for path, expected in ((link, "symbolic link"), (pipe, "regular"), (folder, "regular")):
        with pytest.raises(InvalidArgument, match=expected):
            write_atomically(path, b"two")
        with pytest.raises(InvalidArgument, match=f"certificate = .*{expected}"):
            require_outputs(certificate=path)
        with pytest.raises(InvalidArgument, match=f"results = .*{expected}"):
            open_to_append("results", path)
    with pytest.raises(InvalidArgument, match="regular"):
        write_atomically(Path(os.devnull), b"two")
    assert link.is_symlink()
    assert pipe.is_fifo()
    assert target.read_bytes() == b"precious"


def test_read_only_file_is_refused_and_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"one")
    file.chmod(0o444)
    with pytest.raises(InvalidArgument, match="read-only"):
        write_atomically(file, b"two")
    with pytest.raises(InvalidArgument, match="read-only"):
        require_outputs(model=file)
    assert file.read_bytes() == b"one"


def test_two_outputs_with_the_same_file_are_refused(tmp_path: Path) -> None:
    require_outputs(model=tmp_path / "a", certificate=tmp_path / "b", other=None)
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(InvalidArgument, match=r"certificate = .*another file than --model has"):
        require_outputs(model=tmp_path / "a", certificate=folder / ".." / "a")
    assert list(tmp_path.iterdir()) == [folder]


def test_failed_output_is_saved_in_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rescue").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "rescue"))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidArgument, match=r"no space left.*what was learned is in ") as failed:
        write_or_rescue(tmp_path / "model.json", b"learned")
    (rescued,) = (tmp_path / "rescue").iterdir()
    assert str(rescued) in str(failed.value)
    assert rescued.name.endswith("model.json")
    assert rescued.read_bytes() == b"learned"


def test_reading_refuses_special_missing_and_large_files(tmp_path: Path) -> None:
    pipe, large = tmp_path / "pipe", tmp_path / "large"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    for path, expected in (
        (pipe, "regular"),
        (Path("/dev/zero"), "regular"),
        (tmp_path / "none", "exists"),
        (large, "at most 64 MB"),
    ):
        with pytest.raises(InvalidArgument, match=expected):
            read_bytes(path)
