"""Ctrl-C, limits and checkpoints of `steel learn`."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from steel_verified.cli.console import INTERRUPTED
from steel_verified.evidence.checkpoint import read_checkpoint
from steel_verified.evidence.observed import run
from steel_verified.learning import drive
from steel_verified.worlds import ideal

from .running import steel

LOCK = "learn combination-lock --states 5 --components 40 --method looped"


@pytest.fixture(autouse=True)
def sigint_is_not_ignored() -> Iterator[None]:
    """A shell that starts pytest in the background makes it ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("method", ["looped", "located"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_writes_partial_model_and_checkpoint(
    method: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal comes while the world runs a plan."""
    model, file, certificate = (tmp_path / name for name in ("m.dot", "lock.run", "c.json"))
    words = f"{LOCK} --method {method}"
    left = 30 if method == "located" else 3

    def interrupted(*given: object) -> object:
        nonlocal left
        if isinstance(given[1], ideal.IdealWorld):
            return run(*given)  # type: ignore[arg-type]  # passed on as they came
        left -= 1
        if not left:
            signal.raise_signal(number)
        return run(*given)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(drive, "run", interrupted)
    result = steel(f"{words} --model {model} --checkpoint {file} --certificate {certificate}")
    assert result.exit_code == INTERRUPTED
    assert "interrupted after" in result.output
    assert "c.json was not written: the run gave up" in result.output
    assert b"nothing is guaranteed" in model.read_bytes()
    assert read_checkpoint(file).steps > 0
    again = steel(f"{words} --resume {file} --certificate {certificate}")
    assert again.exit_code == 0
    whole = tmp_path / "whole.json"
    assert steel(f"{words} --certificate {whole}").exit_code == 0
    assert certificate.read_bytes() == whole.read_bytes()
    assert f"{INTERRUPTED} interrupted" in " ".join(steel("learn --help").output.split())


def test_interrupted_prediction_prints_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(drive, "run", interrupted)
    result = steel("learn grid --method looped")
    assert result.exit_code == INTERRUPTED
    assert "Interrupted." in result.output


@pytest.mark.parametrize("method", ["looped", "located"])
def test_max_steps_ends_the_run_as_not_accepted(method: str) -> None:
    printed = steel(f"learn grid --method {method} --max-steps 100 --html never.html").output
    assert "Not accepted on grid: the limit of 100 steps was reached" in printed
    assert "without any guarantee" in printed
    assert "never.html was not written: the run gave up" in printed
    result = steel(f"learn grid --method {method} --max-steps 100 --json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["because"] == "the limit of 100 steps was reached"
    assert report["steps"] <= 100
    assert len(report["table"]) == report["states"]


def test_resuming_from_a_damaged_checkpoint_fails_and_keeps_the_file(tmp_path: Path) -> None:
    file = tmp_path / "lock.run"
    assert steel(f"{LOCK} --max-steps 1 --checkpoint {file}").exit_code == 1
    whole = file.read_bytes()
    for damaged, named in (
        (whole[:-40], "ends too early: it is cut off"),
        (whole.replace(b'"version":1', b'"version":2'), "version is 2, newer than 1"),
        (whole.replace(b'"steps":0', b'"steps":1'), "does not match its digest"),
    ):
        file.write_bytes(damaged)
        result = steel(f"{LOCK} --resume {file}")
        assert result.exit_code == 2
        assert named in " ".join(result.output.split())
        assert file.read_bytes() == damaged


def test_a_long_prediction_shows_its_progress_at_once() -> None:
    """Half a minute passes before the first call of CycleFind is predicted."""
    words = "from steel_verified.cli import main; main()", "predict", "double-prime"
    screen, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", *words, "--p=59", "--q=61"],
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm"},
    ) as child:
        os.close(terminal)
        shown = b""
        while b"transitions known" not in shown:
            shown += os.read(screen, 1000)
        taken = sum(times_of(child.pid))
        child.kill()
    os.close(screen)
    assert taken < 2.0


def times_of(process: int) -> tuple[float, float]:
    """The CPU seconds that a process has taken: its own, and the system's for it."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / ticks, int(fields[12]) / ticks
