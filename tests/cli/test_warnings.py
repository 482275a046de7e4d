"""What `steel learn` says of false bounds, before a run, and if it is interrupted."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from steel_verified.cli.console import INTERRUPTED
from steel_verified.cli.learn import foretell
from steel_verified.evidence.checkpoint import read_checkpoint
from steel_verified.evidence.observed import run
from steel_verified.learning import drive
from steel_verified.worlds import ideal
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import method_named, predict

from .running import on_a_terminal, reported, steel

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK = "learn combination-lock --states 4 --components 40"


def spoken(words: str) -> tuple[str, str, list[dict[str, object]]]:
    """What a command says on standard error and in its outcome, and the warnings of its JSON."""
    plain, for_program = steel(words), steel(f"{words} --json")
    said = json.loads(for_program.stdout)
    found = said.get("located", said)["warnings"]
    assert for_program.stderr == plain.stderr
    assert isinstance(found, list)
    return plain.stderr, plain.stdout, found


@pytest.mark.parametrize("method", ["looped", "located", "all"])
def test_too_small_mixing_time_gives_a_warning(method: str) -> None:
    said, shown, found = spoken(f"{LOCK} --mixing-time 3 --method {method}")
    proven = "only 8 is proven to be enough"
    assert said.startswith(f"Warning: t̂_mix = 3 is too small: {proven}. This run has no guarantee")
    (row,) = (line for line in shown.splitlines() if line.startswith("t̂_mix"))
    assert row.split()[1] == "3"
    assert f"too small: {proven}; nothing is guaranteed" in row
    (warning,) = found
    assert warning["condition"] == "MIXING"
    assert (warning["argument"], warning["given"], warning["needed"]) == ("mixing_time", 3, 8)


def test_method_tables_each_other_state_no_guarantee_if_a_bound_is_false() -> None:
    shown = steel(f"{LOCK} --mixing-time 3 --method all").stdout
    (row,) = (line for line in shown.splitlines() if line.startswith("is right"))
    assert " ".join(row.split()) == "is right for every noise no guarantee no guarantee"
    _, shown, found = spoken(f"{LOCK} --method all")
    (row,) = (line for line in shown.splitlines() if line.startswith("is right"))
    assert " ".join(row.split()) == "is right for every noise chance ≥ 19/20 chance ≥ 19/20"
    assert not found
    (row,) = (line for line in shown.splitlines() if line.startswith("self-check"))
    assert row.split() == ["self-check", "passed", "passed", "passed"]
    unchecked = steel(f"{LOCK} --method all --no-self-check").stdout
    (row,) = (line for line in unchecked.splitlines() if line.startswith("self-check"))
    assert row.split() == ["self-check", "none", "none", "none"]


def test_too_small_diameter_gives_a_warning_for_looped_only() -> None:
    """Looped STEEL notices it; located STEEL is not given D̂."""
    said, shown, found = spoken("learn grid --max-diameter 2")
    assert "Warning: D̂ = 2 is too small: some state is 3 steps away from another." in said
    assert "more than max_diameter = 2" in shown
    assert [warning["condition"] for warning in found] == ["MAX_DIAMETER"]
    report = reported("learn grid --method located --max-diameter 2")
    assert report["warnings"] == []
    assert report["looped_steps_predicted"] is None


def test_too_small_n_gives_a_warning() -> None:
    said, shown, found = spoken("learn grid --method looped --max-states 4")
    assert "Warning: N = 4 is too small: there are 6 states." in said
    assert "more than max_states = 4" in shown
    assert [warning["needed"] for warning in found] == [6]
    said, shown, found = spoken("learn grid --method located --max-states 4 --max-steps 2000")
    assert "Warning: N = 4" in said
    expected = "most likely, this condition does not hold: there are at most N"
    assert f"Not accepted on grid: {expected}" in shown
    assert "How the run ended: 6 labels were each seen on 63 walks" in shown
    assert len(found) == 1


def test_the_fallback_needs_a_true_diameter() -> None:
    words = "learn grid --method fallback --max-states 5 --max-diameter 1 --json"
    found = json.loads(steel(words).stdout)["warnings"]
    assert [warning["condition"] for warning in found] == ["MAX_STATES", "MAX_DIAMETER"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("learn grid", "Estimated for certain: at least 225 steps."),
        (
            "learn grid --method looped",
            "Predicted for looped: 38,090 steps, in less than a second.",
        ),
        (
            "learn grid --method all",
            "Estimated for located: 468 to 1,478 steps, in less than a second.",
        ),
        (
            "learn grid --method looped --max-states 4",
            "No estimate of steps or time: with a false bound, a run",
        ),
        (
            "learn grid --method fallback",
            "in 29,718 steps, looped STEEL continues, for at most 297,180 steps.",
        ),
        (
            "learn grid --slips 1/20",
            "Estimated for slipping: at least",
        ),
    ],
)
def test_estimate_is_printed_in_a_line_of_its_own(words: str, text: str) -> None:
    shown = re.sub(r"\r|\x1b\[2K", "\n", on_a_terminal(words))
    lines = re.sub(r"\x1b\[[?\d;]*\w", "", shown).splitlines()
    (line,) = (line for line in lines if text in line)
    assert line.startswith(("Predicted", "Estimated", "No estimate"))


class Terminal:
    """Standard error as if it were a terminal."""

    said = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.said += text


def test_resumed_run_is_said_to_take_less(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, terminal = instance("multi-maze", 0), Terminal()
    predicted, method = predict(chosen), method_named("looped", chosen)
    monkeypatch.setattr(sys, "stderr", terminal)
    foretell(chosen, method, predicted, checked=True, resumed=True)
    assert terminal.said == (
        "Predicted for looped: 38,819,636 steps, in about 7 seconds. It is less for a run that is "
        "resumed.\n"
    )


def test_nothing_is_printed_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = instance("grid", 0)
    foretell(chosen, method_named("located", chosen), None, checked=True, resumed=False)
    assert capsys.readouterr().err == ""


SMALL_LOCK = "learn combination-lock --states 5 --components 40 --method looped"


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
    words = f"{SMALL_LOCK} --method {method}"
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
    assert report["because"].startswith("the limit of 100 steps was reached, and the next plan")
    assert report["steps"] <= 100
    assert len(report["table"]) == report["states"]


def test_resuming_from_a_damaged_checkpoint_fails_and_keeps_the_file(tmp_path: Path) -> None:
    file = tmp_path / "lock.run"
    assert steel(f"{SMALL_LOCK} --max-steps 1 --checkpoint {file}").exit_code == 1
    whole = file.read_bytes()
    for damaged, named in (
        (whole[:-40], "ends too early: it is cut off"),
        (whole.replace(b'"version":1', b'"version":2'), "version is 2, newer than 1"),
        (whole.replace(b'"steps":0', b'"steps":1'), "does not match its digest"),
    ):
        file.write_bytes(damaged)
        result = steel(f"{SMALL_LOCK} --resume {file}")
        assert result.exit_code == 2
        assert named in " ".join(result.output.split())
        assert file.read_bytes() == damaged


def test_a_long_prediction_shows_its_progress_at_once() -> None:
    """Half a minute of CPU time passes before the first call of CycleFind is predicted."""
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
        while b"predicting" not in shown:
            shown += os.read(screen, 1000)
        taken = sum(times_of(child.pid))
        child.kill()
    os.close(screen)
    assert taken < 10.0


def times_of(process: int) -> tuple[float, float]:
    """The CPU seconds that a process has taken: its own, and the system's for it."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / ticks, int(fields[12]) / ticks
