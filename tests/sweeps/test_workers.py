"""Worker processes and clusters write the same bytes as one thread, and no process is left."""

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

import gymnasium
import pytest

from steel_verified import Components, learn_episodes
from steel_verified.cli.jobs import workers
from steel_verified.cli.reproduce import accepts
from steel_verified.errors import InvalidArgument
from steel_verified.experiments.seeded_runs import SeededRuns, Seeds, seeded_study
from steel_verified.sweeps.study import Job, JobFailed, Progress, results_file, sweep

from .squares import squares

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from steel_verified.sweeps.study import Row

SMALL = SeededRuns(
    "combination-lock",
    {"states": 3, "components": 12},
    tuple(Seeds(env, noise) for env in range(2) for noise in range(3)),
)


@pytest.fixture(autouse=True)
def _functions_of_this_file_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes import this module: they do not share the import path of the tests."""
    root = str(Path(__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", root)
    monkeypatch.syspath_prepend(root)


def test_worker_processes_write_the_same_bytes_as_one_thread(tmp_path: Path) -> None:
    files = []
    for name, executor in (("here", ThreadPoolExecutor(1)), ("there", workers(2, None))):
        files.append(tmp_path / f"{name}.jsonl")
        with results_file(files[-1]) as kept, executor as pool:
            rows = sweep(seeded_study("looped", [SMALL], accepts), kept, pool)
        assert sorted(rows) == sorted(SMALL.keys("looped"))
        assert all(row["as_predicted"] and row["dynamics_right"] for row in rows.values())
        assert all(row["certificate_accepted"] for row in rows.values())
    assert files[0].read_bytes() == files[1].read_bytes()


def test_killed_worker_process_raises_job_failed_and_rows_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"

    def dying(done: Mapping[str, Row]) -> Sequence[Job]:
        del done
        return [Job("dies", partial(die_after, file, 3)), *squares(range(3))({})]

    with (
        pytest.raises(JobFailed, match="What is finished is kept"),
        results_file(file) as kept,
        workers(2, None) as pool,
    ):
        sweep(dying, kept, pool)
    with results_file(file) as kept:
        assert sorted(kept.rows()) == ["square 000", "square 001", "square 002"]


def die_after(file: Path, rows: int) -> Row:
    """Kill the own process when so many rows are in the file."""
    while file.read_bytes().count(b"\n") < rows:
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """A real scheduler on this machine, at a free port."""
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    place = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    process = subprocess.Popen([*command, *place], stderr=subprocess.DEVNULL)
    try:
        yield _address(file)
    finally:
        process.kill()
        process.wait()


def _address(file: Path) -> str:
    for _ in range(900):
        if file.exists() and (text := file.read_text()):
            return str(json.loads(text)["address"])
        time.sleep(0.1)
    raise AssertionError("the scheduler did not start")


def _worker(address: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny"]
    size = ["--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
    return subprocess.Popen([*command, *size], stderr=subprocess.DEVNULL)


def test_cluster_with_a_killed_worker_writes_all_rows(tmp_path: Path, scheduler: str) -> None:
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


def test_actors_in_processes_and_on_a_cluster_learn_the_same_as_here(scheduler: str) -> None:
    lake = partial(gymnasium.make, "FrozenLake-v1", is_slippery=False, max_episode_steps=20)
    learn = partial(learn_episodes, lake, Components(16), actors=3)
    here, worker = learn(), _worker(scheduler)
    assert here.model.states == 16
    try:
        for executor in (workers(2, None), workers(1, scheduler)):
            with executor as pool:
                assert learn(executor=pool).certificate() == here.certificate()
    finally:
        worker.kill()
        worker.wait()


def test_invalid_cluster_address_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="cluster = nonsense://x"), workers(1, "nonsense://x"):
        pass


def test_interrupted_command_exits_with_130_and_keeps_rows(tmp_path: Path) -> None:
    # If tests run in the background, the signal may be ignored from the start.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from steel_verified.cli import main; "
        "main(['reproduce', 'table3', '--pair', '5,7', '--jobs', '1', "
        f"'--results', {str(tmp_path)!r}])"
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
    assert "run the command again to continue" in printed
    with results_file(file) as kept:
        assert kept.rows()


WORKERS_AND_NOTHING_ELSE = """
import os, time
from steel_verified.cli.jobs import workers

if __name__ == "__main__":
    with workers(2, None) as executor:
        waiting = [executor.submit(time.sleep, 600) for _ in range(2)]
        print(*executor._processes, flush=True)
        time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_worker_processes_end_after_the_sweep_is_killed(tmp_path: Path) -> None:
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
    for _ in range(900):
        if not any(worker.exists() for worker in workers):
            return
        time.sleep(0.1)
    pytest.fail(f"still there: {workers}")
