"""Sweeps: nothing lost, nothing done twice, the same bytes whoever does the work."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from steel_verified.cli.reproduce import accepts
from steel_verified.cli.workers import workers
from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.experiments.steel_runs import Seeds, SteelRuns, study
from steel_verified.reports.result_files import results_file
from steel_verified.sweeps.study import Job
from steel_verified.sweeps.sweep import JobFailed, Progress, sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from steel_verified.sweeps.study import Row, Study

SMALL = SteelRuns(
    "combination-lock",
    {"states": 3, "components": 12},
    tuple(Seeds(env, noise) for env in range(2) for noise in range(3)),
)


@pytest.fixture(autouse=True)
def _functions_of_this_file_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By worker processes, which do not share how tests are imported."""
    root = str(Path(__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", root)
    monkeypatch.syspath_prepend(root)


def square(number: int, seen: Path | None = None, wait: float = 0) -> Row:
    """A job that leaves a mark for every time it is done."""
    time.sleep(wait)
    if seen is not None:
        with seen.open("a") as marks:
            marks.write(f"{number}\n")
    if number == 13:
        raise ValueError("unlucky")
    return {"square": number * number}


def squares(numbers: Sequence[int], seen: Path | None = None, wait: float = 0) -> Study:
    jobs = [Job(f"square {n:03d}", partial(square, n, seen, wait)) for n in numbers]
    return lambda done: [job for job in jobs if job.key not in done]


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path) -> None:
    files = []
    for jobs in (1, 2):
        files.append(tmp_path / f"{jobs}.jsonl")
        with results_file(files[-1]) as kept, workers(jobs, None) as pool:
            rows = sweep(study([SMALL], accepts), kept, pool)
        assert sorted(rows) == sorted(SMALL.keys)
        assert all(row["as_predicted"] and row["dynamics_right"] for row in rows.values())
        assert all(row["certificate_accepted"] for row in rows.values())
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_sweep_goes_on_where_it_stopped(tmp_path: Path) -> None:
    seen, file = tmp_path / "seen", tmp_path / "rows.jsonl"
    with results_file(file) as kept, ThreadPoolExecutor(1) as pool:
        sweep(squares(range(5), seen), kept, pool)
    whole = file.read_bytes()
    # Killed while the next row was being written.
    file.write_bytes(whole + b'{"key":"square 005","squ')
    with results_file(file) as kept, ThreadPoolExecutor(3) as pool:
        rows = sweep(squares(range(8), seen), kept, pool)
    assert sorted(map(int, seen.read_text().split())) == list(range(8))
    assert {row["square"] for row in rows.values()} == {n * n for n in range(8)}
    assert file.read_bytes().startswith(whole)
    with results_file(file) as kept, ThreadPoolExecutor(1) as pool:
        sweep(squares(range(8), seen), kept, pool)
    assert len(seen.read_text().split()) == 8


def test_later_rounds_see_the_rows_of_earlier_ones(tmp_path: Path) -> None:
    def growing(done: Mapping[str, Row]) -> Sequence[Job]:
        numbers = [row["square"] for row in done.values() if isinstance(row["square"], int)]
        largest = max(numbers, default=2)
        return [Job(f"{largest:09d}", partial(square, largest))] if largest < 1000 else []

    told: list[Progress] = []
    with results_file(tmp_path / "rows.jsonl") as kept, ThreadPoolExecutor(1) as pool:
        rows = sweep(growing, kept, pool, told.append)
    assert [row["square"] for _, row in sorted(rows.items())] == [4, 16, 256, 65536]
    assert told[-1] == Progress(4, 4)


def test_a_job_that_fails_is_named_and_the_others_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    with (
        pytest.raises(JobFailed, match="square 013: ValueError unlucky"),
        results_file(file) as kept,
        ThreadPoolExecutor(2) as pool,
    ):
        sweep(squares([12, 13, 14]), kept, pool)
    with results_file(file) as kept:
        assert sorted(kept.rows()) == ["square 012", "square 014"]


def test_a_dead_worker_process_is_reported_and_what_is_done_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"

    def dying(done: Mapping[str, Row]) -> Sequence[Job]:
        del done
        return [Job("dies", partial(die, 0.5)), *squares(range(3))({})]

    with (
        pytest.raises(JobFailed, match="What is finished is kept"),
        results_file(file) as kept,
        workers(2, None) as pool,
    ):
        sweep(dying, kept, pool)
    with results_file(file) as kept:
        assert sorted(kept.rows()) == ["square 000", "square 001", "square 002"]


def die(after: float) -> Row:
    time.sleep(after)
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """A real scheduler on this machine, at a free port."""
    told = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    place = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told)]
    process = subprocess.Popen([*command, *place], stderr=subprocess.DEVNULL)
    try:
        yield _address(told)
    finally:
        process.kill()
        process.wait()


def _address(told: Path) -> str:
    for _ in range(300):
        if told.exists() and (text := told.read_text()):
            return str(json.loads(text)["address"])
        time.sleep(0.1)
    raise AssertionError("the scheduler did not start")


def _worker(address: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny"]
    size = ["--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
    return subprocess.Popen([*command, *size], stderr=subprocess.DEVNULL)


def test_a_cluster_that_loses_a_worker_loses_no_run(tmp_path: Path, scheduler: str) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    numbers = range(40, 60)
    with results_file(here) as kept, ThreadPoolExecutor(1) as pool:
        sweep(squares(numbers), kept, pool)
    both = [_worker(scheduler), _worker(scheduler)]
    victim = both[0]

    def kill_one(progress: Progress) -> None:
        if progress.done == 6:
            victim.kill()

    try:
        with results_file(there) as kept, workers(1, scheduler) as cluster:
            sweep(squares(numbers, wait=0.1), kept, cluster, kill_one)
    finally:
        for process in both:
            process.kill()
            process.wait()
    assert victim.returncode == -signal.SIGKILL
    assert there.read_bytes() == here.read_bytes()


def test_no_scheduler_no_sweep() -> None:
    with pytest.raises(InvalidArgument, match="cluster = nonsense://x"), workers(1, "nonsense://x"):
        pass


def test_one_writer_at_a_time(tmp_path: Path) -> None:
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
def test_damage_is_named_by_line_and_nothing_is_touched(
    tmp_path: Path, line: bytes, complaint: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(data := b'{"key":"a","square":4}\n' + line)
    with pytest.raises(SteelError, match=complaint), results_file(file):
        pass
    assert file.read_bytes() == data


def test_rows_of_other_versions_are_not_mixed_in(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"key":"a","versions":{"numpy":"1.0"}}\n')
    with pytest.raises(InvalidArgument, match=r"a was made with numpy 1\.0"), results_file(file):
        pass


def test_an_interrupted_command_says_what_is_kept(tmp_path: Path) -> None:
    # Where tests run in the background, the signal may be ignored from the start.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from steel_verified.cli import main; "
        f"main(['reproduce', 'table3', '--pair', '5,7', '--results', {str(tmp_path)!r}])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as running:
        file = tmp_path / "table3.jsonl"
        while running.poll() is None and not (file.exists() and file.stat().st_size):
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        printed, _ = running.communicate()
    assert running.returncode == 130
    assert "run again to go on" in printed
    with results_file(file) as kept:
        assert kept.rows()


def test_no_worker_waits_for_the_slowest_of_a_round() -> None:
    """A chain of quick jobs goes on beside a slow one that was asked for at the same time."""
    order: list[str] = []

    def chain_beside_slow(done: Mapping[str, Row]) -> Sequence[Job]:
        links = sum(key.startswith("link") for key in done)
        slow = [] if "slow" in done else [Job("slow", partial(square, 1, None, 0.5))]
        link = [Job(f"link {links}", partial(square, links))] if links < 5 else []
        return [*slow, *link]

    class Watched:
        """Rows in memory, in the order in which they came."""

        def __init__(self) -> None:
            self._rows: dict[str, Row] = {}

        def rows(self) -> Mapping[str, Row]:
            return self._rows

        def add(self, key: str, row: Row) -> None:
            order.append(key)
            self._rows[key] = row

    with ThreadPoolExecutor(2) as pool:
        sweep(chain_beside_slow, Watched(), pool)
    assert order == [*(f"link {n}" for n in range(5)), "slow"]


WORKERS_AND_NOTHING_ELSE = """
import os, time
from steel_verified.cli.workers import workers

if __name__ == "__main__":
    with workers(2, None) as executor:
        waiting = [executor.submit(time.sleep, 600) for _ in range(2)]
        print(*executor._processes, flush=True)
        time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_sweep_leaves_no_worker_behind(tmp_path: Path) -> None:
    program = tmp_path / "sweep.py"
    program.write_text(WORKERS_AND_NOTHING_ELSE, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, text=True
    ) as sweep:
        assert sweep.stdout is not None
        workers = [Path(f"/proc/{pid}") for pid in sweep.stdout.readline().split()]
        assert workers
        time.sleep(1)
        assert all(worker.exists() for worker in workers)
        sweep.kill()
    for _ in range(100):
        if not any(worker.exists() for worker in workers):
            return
        time.sleep(0.1)
    pytest.fail(f"still there: {workers}")
