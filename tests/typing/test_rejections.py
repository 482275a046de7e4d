"""Programs that break the rules fail to type-check, each with the error expected."""

import re
from pathlib import Path

from mypy import api

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((Path(__file__).parent / "reject").glob("*.py"))


def errors_found() -> dict[tuple[str, int], tuple[str, str]]:
    """The code and message of the error at each line, with the project's own settings."""
    report, trouble, _ = api.run(
        [
            f"--config-file={ROOT / 'pyproject.toml'}",
            "--no-error-summary",
            "--hide-error-context",
            *(str(program) for program in PROGRAMS),
        ]
    )
    assert not trouble
    found = re.findall(r"^(.*?):(\d+): error: (.*)  \[([\w-]+)\]$", report, re.MULTILINE)
    return {(Path(file).name, int(line)): (code, text) for file, line, text, code in found}


def errors_expected() -> dict[tuple[str, int], tuple[str, str]]:
    """The errors that comments announce: `# expect: CODE, WORDS`, and words of the message."""
    return {
        (program.name, number): (code, words)
        for program in PROGRAMS
        for number, line in enumerate(program.read_text(encoding="utf-8").splitlines(), start=1)
        for code, words in re.findall(r"# expect: ([\w-]+), (.*)$", line)
    }


def test_mypy_rejects_each_program_for_the_reason_that_it_names() -> None:
    """One run of mypy for all programs: it takes seconds to start."""
    expected, found = errors_expected(), errors_found()
    names = {program.name for program in PROGRAMS}
    assert {name for name, _ in expected} == names
    assert {place for place in found if place[0] in names} == expected.keys()
    for place, (code, words) in expected.items():
        assert found[place][0] == code, (place, found[place])
        assert words in found[place][1], (place, found[place])
