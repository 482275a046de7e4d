"""Run the command `steel` in this process, and look at what it prints."""

import json

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
