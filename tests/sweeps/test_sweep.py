"""Sweeps lose no row, repeat no job, and write the same bytes with any workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

import pytest

from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.sweeps.study import Job, JobFailed, Progress, results_file, sweep

from .squares import square, squares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from steel_verified.sweeps.study import Row


def test_restarted_sweep_runs_only_the_missing_jobs(tmp_path: Path) -> None:
    seen, file = tmp_path / "seen", tmp_path / "rows.jsonl"
    with results_file(file) as kept, ThreadPoolExecutor(1) as pool:
        sweep(squares(range(5), seen), kept, pool)
    whole = file.read_bytes()
    # The process was killed while it wrote the next row.
    file.write_bytes(whole + b'{"key":"square 005","squ')
    with results_file(file) as kept, ThreadPoolExecutor(3) as pool:
        rows = sweep(squares(range(8), seen), kept, pool)
    assert sorted(map(int, seen.read_text().split())) == list(range(8))
    assert {row["square"] for row in rows.values()} == {n * n for n in range(8)}
    assert file.read_bytes().startswith(whole)
    with results_file(file) as kept, ThreadPoolExecutor(1) as pool:
        sweep(squares(range(8), seen), kept, pool)
    assert len(seen.read_text().split()) == 8


def test_later_rounds_receive_the_rows_of_earlier_rounds(tmp_path: Path) -> None:
    def growing(done: Mapping[str, Row]) -> Sequence[Job]:
        numbers = [row["square"] for row in done.values() if isinstance(row["square"], int)]
        largest = max(numbers, default=2)
        return [Job(f"{largest:09d}", partial(square, largest))] if largest < 1000 else []

    reports: list[Progress] = []
    with results_file(tmp_path / "rows.jsonl") as kept, ThreadPoolExecutor(1) as pool:
        rows = sweep(growing, kept, pool, reports.append)
    assert [row["square"] for _, row in sorted(rows.items())] == [4, 16, 256, 65536]
    assert reports[-1] == Progress(4, 4)


def test_failed_job_is_named_and_other_rows_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    with (
        pytest.raises(JobFailed, match="square 013: ValueError unlucky"),
        results_file(file) as kept,
        ThreadPoolExecutor(2) as pool,
    ):
        sweep(squares([12, 13, 14]), kept, pool)
    with results_file(file) as kept:
        assert sorted(kept.rows()) == ["square 012", "square 014"]


def test_second_writer_of_a_results_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    with (
        results_file(file),
        pytest.raises(InvalidArgument, match="no other sweep"),
        results_file(file),
    ):
        pass


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{nonsense}\n", "line 2 is not JSON"),
        (b"[1]\n", "line 2 is not a JSON object"),
        (b'{"square":9}\n', "line 2 has no key"),
        (b'{"format":"rows","key":"b"}\n', "newer steel_verified"),
        (b'{"square": 9,"key":"square 003"}\n', "line 2 was changed"),
        (b'{"key":"a","square":4}\n', "line 2 has a a second time"),
    ],
)
def test_damaged_results_file_is_refused_and_unchanged(
    tmp_path: Path, line: bytes, complaint: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(data := b'{"key":"a","square":4}\n' + line)
    with pytest.raises(SteelError, match=complaint), results_file(file):
        pass
    assert file.read_bytes() == data


def test_results_file_of_other_versions_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"key":"a","versions":{"numpy":"1.0"}}\n')
    with pytest.raises(InvalidArgument, match=r"a was made with numpy 1\.0"), results_file(file):
        pass


def test_quick_jobs_continue_while_a_slow_job_runs() -> None:
    """A chain of quick jobs runs beside a slow job that was requested at the same time.

    The slow job ends when the chain has ended; were the chain held up, after a minute.
    """
    order, chain_has_ended = list[str](), Event()

    def slowly() -> Row:
        chain_has_ended.wait(60)
        return {}

    def chain_beside_slow(done: Mapping[str, Row]) -> Sequence[Job]:
        links = sum(key.startswith("link") for key in done)
        slow = [] if "slow" in done else [Job("slow", slowly)]
        link = [Job(f"link {links}", partial(square, links))] if links < 5 else []
        return [*slow, *link]

    class Watched:
        """Rows in memory, in the order in which they were added."""

        def __init__(self) -> None:
            self._rows: dict[str, Row] = {}

        def rows(self) -> Mapping[str, Row]:
            return self._rows

        def add(self, key: str, row: Row) -> None:
            order.append(key)
            self._rows[key] = row
            if key == "link 4":
                chain_has_ended.set()

    with ThreadPoolExecutor(2) as pool:
        sweep(chain_beside_slow, Watched(), pool)
    assert order == [*(f"link {n}" for n in range(5)), "slow"]
