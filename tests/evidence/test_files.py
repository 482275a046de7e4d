"""Files are written wholly or not at all; what was written is read, and all else is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.certificate import certificate_of, lines
from steel_verified.evidence.codec import (
    Format,
    Json,
    canonical,
    opened,
    rows_as_bytes,
    rows_of,
    sealed,
)
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
    with file.open("rb") as old:
        write_atomically(file, b"two")
        assert old.read() == b"one"
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


ROOT = Path(__file__).parents[2]
NOTE = Format("steel-note", 2)
TEXTS = st.text(max_size=8)
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
HEADER = {"format", "version", "digest"}
CONTENTS = st.dictionaries(TEXTS.filter(lambda key: key not in HEADER), VALUES, max_size=4)


def note(content: dict[str, Json]) -> bytes:
    return sealed({**NOTE.header, **content})


@given(content=CONTENTS)
def test_document_is_read_as_it_was_written(content: dict[str, Json]) -> None:
    assert opened(note(content), NOTE, "n.json") == content


@example(content={"}": 'a"}'})
@given(content=CONTENTS)
def test_truncated_document_is_reported_as_cut_off(content: dict[str, Json]) -> None:
    whole = note(content).rstrip()
    for length in range(len(whole)):
        with pytest.raises(Unreadable) as refused:
            opened(whole[:length], NOTE, "n.json")
        assert "n.json: ends too early: it is cut off. Write the file again" in str(refused.value)


@given(content=CONTENTS, data=st.data())
def test_one_changed_character_is_detected(content: dict[str, Json], data: st.DataObject) -> None:
    """An exception: the hexadecimal digits of an escape may be written as capitals."""
    whole = bytearray(note(content).rstrip())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] = data.draw(st.integers(33, 126).filter(lambda letter: letter != whole[place]))
    try:
        found = opened(bytes(whole), NOTE, "n.json")
    except Unreadable:
        return
    assert found == content
    assert b"\\u" in whole


@given(data=st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        opened(data, NOTE, "n.json")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"a":1,"b":2,"a":3}', 'has the key "a" twice'),
        (b'{"a":{"b":1,"b":1}}', 'has the key "b" twice'),
        (b'{"a":NaN}', "has NaN, which is not a number"),
        (b'{"a":-Infinity}', "has -Infinity, which is not a number"),
        (b'{"a":1.0}', "has 1.0 where a whole number or a string must be"),
        (b'{"a":1e3}', "has 1e3 where a whole number or a string must be"),
        (b'{"a":' + b"9" * 5000 + b"}", "has a number of 5,000 digits"),
        (b'{"a" 1}', "is not JSON (Expecting ':' delimiter, line 1, column 6)"),
        (b'{"a":1}\n{"b":2}', "is not JSON (Extra data, line 2, column 1)"),
        (b'{"a":"\xff"}', "is not UTF-8 at byte 6"),
        (b"[1]", "is not a JSON object"),
        (b"null }", "is not JSON"),
        (b"", "is cut off"),
        (b"{}", 'format is null and not "steel-note". Give a file of format steel-note'),
        (b'{"format":"steel-model","version":1}', 'format is "steel-model" and not "steel-note"'),
        (b'{"format":"steel-note","version":true}', "version is true and not a whole number"),
        (b'{"format":"steel-note","version":0}', "version is 0 and not a whole number from 1"),
        (
            b'{"format":"steel-note","version":3}',
            "version is 3, newer than 2, the newest known here. Read the file with a newer",
        ),
        (b'{"format":"steel-note","version":2}', "has no digest. Write the file again"),
        (
            b'{"digest":"00","format":"steel-note","version":2}',
            "does not match its digest: it was changed after it was written",
        ),
    ],
)
def test_invalid_document_is_refused_with_file_and_reason(data: bytes, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        opened(data, NOTE, "n.json")
    assert str(refused.value).startswith("n.json: ")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "data", [b"[" * 200_000, b'{"a":' * 100_000, b'{"a":1' + b',"a":1' * 10**5]
)
def test_huge_invalid_documents_are_refused_quickly(data: bytes) -> None:
    began = process_time()
    with pytest.raises(Unreadable):
        opened(data + b"}", NOTE, "n.json")
    assert process_time() - began < 5


def test_document_of_an_older_version_is_read() -> None:
    data = sealed({"format": "steel-note", "version": 1, "a": 1})
    assert opened(data, NOTE, "n.json") == {"a": 1}


def test_document_with_other_white_space_is_read() -> None:
    again = json.dumps(json.loads(note({"a": [1, 2]})), indent=2).encode()
    assert opened(again, NOTE, "n.json") == {"a": [1, 2]}


@pytest.mark.parametrize(
    "file", sorted((ROOT / "tests/certificates/accepted").glob("*.json")), ids=lambda f: f.stem
)
def test_accepted_certificate_is_rewritten_to_the_same_bytes(file: Path) -> None:
    data = file.read_bytes()
    found = certificate_of(data, file.name)
    assert b"".join(lines(found.header, found.record, found.claim)) == data


@pytest.mark.parametrize("name", ["table2", "table3", "ac_state"])
def test_recorded_rows_are_rewritten_to_the_same_bytes(name: str) -> None:
    data = (ROOT / "steel_verified/experiments/recorded" / f"{name}.jsonl").read_bytes()
    assert rows_as_bytes(rows_of(data, name)) == data


@given(rows=st.dictionaries(TEXTS, CONTENTS, max_size=4))
def test_rows_are_read_as_they_were_written(rows: dict[str, dict[str, Json]]) -> None:
    plain = {key: {f: v for f, v in row.items() if f != "key"} for key, row in rows.items()}
    assert rows_of(rows_as_bytes(plain), "r.jsonl") == plain


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"key":"a","n":1,"n":1}\n', 'r.jsonl: line 2 has the key "n" twice. Correct or remove'),
        (b'{"key":"a","n":0.5}\n', "r.jsonl: line 2 has 0.5 where a whole number"),
        (b'{"key":"a","n":NaN}\n', "r.jsonl: line 2 has NaN"),
        (b'{"key":"a","n":\n', "r.jsonl: line 2 ends too early"),
        (
            b'{"key":"a" "n":1}\n',
            "r.jsonl: line 2 is not JSON (Expecting ',' delimiter, column 12)",
        ),
        (b'{"key":"a"}', "r.jsonl: line 2 was changed, or is cut short"),
        (b'{"format":"x","key":"a"}\n', "Read the file with a newer steel_verified"),
    ],
)
def test_damaged_row_is_refused_with_its_line_number(line: bytes, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        rows_of(b'{"key":"first"}\n' + line, "r.jsonl")
    assert said in str(refused.value)


def test_nan_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical({"a": float("nan")})


def test_no_module_imports_pickle() -> None:
    for package in ("steel_verified", "proofs_checks"):
        for module in (ROOT / package).rglob("*.py"):
            text = module.read_text(encoding="utf-8")
            assert not re.search(r"\b(import|from) (pickle|marshal|shelve)\b", text), module


_KILLED_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from steel_verified.evidence import files
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
files.write_atomically(Path(sys.argv[1]), b"half")
"""


def test_the_next_write_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    path = tmp_path / "model[1].json"
    program = [sys.executable, "-c", _KILLED_WHILE_WRITING, str(path)]
    assert subprocess.run(program, check=False).returncode == -9
    assert [each.suffix for each in tmp_path.iterdir()] == [".unfinished"]
    write_atomically(path, b"whole")
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_leaves_the_unfinished_file_of_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fsync = tmp_path / "model.json", os.fsync

    def interleaved(handle: int) -> None:
        monkeypatch.setattr(os, "fsync", fsync)
        write_atomically(path, b"second")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", interleaved)
    write_atomically(path, b"first")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]
