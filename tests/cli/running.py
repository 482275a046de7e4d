"""Run the command `steel` in this process, and look at what it prints."""

import json
import os
import pty
import sys

from click.testing import CliRunner, Result

from steel_verified.cli import main


def steel(words: str) -> Result:
    return CliRunner().invoke(main, words.split())


def reported(words: str) -> dict[str, object]:
    """What a command that succeeds prints with --json."""
    result = steel(f"{words} --json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert isinstance(report, dict)
    return report


def require_refused(words: str, named: str) -> None:
    """The command says what is wrong with its arguments, in a sentence."""
    result = steel(words)
    assert result.exit_code == 2
    assert named in " ".join(result.output.split())
    assert "Traceback" not in result.output


def on_a_terminal(words: str, **environment: str) -> str:
    """What a command prints on a real terminal, whose width is the variable COLUMNS."""
    child, terminal = pty.fork()
    if child == 0:
        program = "from steel_verified.cli import main; main()"
        arguments = [sys.executable, "-c", program, *words.split()]
        os.execve(sys.executable, arguments, {**os.environ, **environment})
    pieces = []
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # how Linux tells that the other end was closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(terminal)
    os.waitpid(child, 0)
    return b"".join(pieces).decode()
