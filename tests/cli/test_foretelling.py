"""`steel learn` says on a terminal how many steps and about how much time a run will take."""

from __future__ import annotations

import os
import pty
import re
import sys
from pathlib import Path

import pytest

from steel_verified.cli.learn import foretell
from steel_verified.worlds.catalogue import instance
from steel_verified.worlds.runs import method_named, predict


def on_a_terminal(words: str) -> str:
    """What `steel` shows on a terminal, line by line, without what is overwritten."""
    shown = bytearray()

    def read(terminal: int) -> bytes:
        shown.extend(part := os.read(terminal, 1 << 16))
        return part

    pty.spawn([str(Path(sys.executable).parent / "steel"), *words.split()], read)
    lines = re.sub(r"\r|\x1b\[2K", "\n", shown.decode())
    return re.sub(r"\x1b\[[?\d;]*\w", "", lines)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("learn grid", "Estimated: at least 225 steps."),
        ("learn grid --method looped", "Predicted: 38,090 steps, in less than a second."),
        ("learn grid --method all", "Estimated: 468 to 1,478 steps, in less than a second."),
        ("learn grid --method located", "Estimated: 468 to 1,478 steps, in less than a second."),
        (
            "learn grid --method looped --max-states 4",
            "No estimate of steps or time: with a false bound, a run",
        ),
        (
            "learn grid --method fallback",
            "in 29,718 steps, looped STEEL continues, for at most 297,180 steps.",
        ),
        (
            "learn grid --method located --slips 1e-5",
            "Estimated: attempts of at most 981 steps, each in less than a second; at most 30",
        ),
    ],
)
def test_estimate_is_printed_in_a_line_of_its_own(words: str, told: str) -> None:
    lines = on_a_terminal(words).splitlines()
    (line,) = (line for line in lines if told in line)
    assert line.startswith(("Predicted", "Estimated", "No estimate"))


class Terminal:
    """Standard error as if it were a terminal."""

    said = ""

    def isatty(self) -> bool:
        return True

    def write(self, told: str) -> None:
        self.said += told


def test_resumed_run_is_said_to_take_less(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, terminal = instance("multi-maze", 0), Terminal()
    predicted, method = predict(chosen), method_named("looped", chosen)
    monkeypatch.setattr(sys, "stderr", terminal)
    foretell(chosen, method, predicted, checked=True, resumed=True)
    assert terminal.said == (
        "Predicted: 38,819,636 steps, in about 7 seconds. It is less for a run that is resumed.\n"
    )


def test_nothing_is_printed_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = instance("grid", 0)
    foretell(chosen, method_named("located", chosen), None, checked=True, resumed=False)
    assert capsys.readouterr().err == ""
