"""Programs that break the rules fail to type-check, each with the error expected."""

import re
from pathlib import Path

from mypy import api

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((Path(__file__).parent / "reject").glob("*.py"))


def errors_found() -> set[tuple[str, int, str]]:
    """The file, line and code of each error that mypy finds, with the project's own settings."""
    report, trouble, _ = api.run(
        [
            f"--config-file={ROOT / 'pyproject.toml'}",
            "--no-error-summary",
            "--hide-error-context",
            *(str(program) for program in PROGRAMS),
        ]
    )
    assert not trouble
    found = re.findall(r"^(.*?):(\d+): error: .*\[([\w-]+)\]$", report, re.MULTILINE)
    return {(Path(file).name, int(line), code) for file, line, code in found}


def errors_expected(program: Path) -> set[tuple[str, int, str]]:
    """The errors that the comments `# expect: CODE` of a program announce."""
    return {
        (program.name, number, code)
        for number, line in enumerate(program.read_text(encoding="utf-8").splitlines(), start=1)
        for code in re.findall(r"# expect: ([\w-]+)", line)
    }


def test_mypy_rejects_each_program_at_the_expected_lines() -> None:
    """One run of mypy for all programs: it takes seconds to start."""
    expected = {program: errors_expected(program) for program in PROGRAMS}
    assert all(expected.values())
    names = {program.name for program in PROGRAMS}
    found = {error for error in errors_found() if error[0] in names}
    assert found == set().union(*expected.values())
