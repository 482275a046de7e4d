"""Programs that break the rules fail to type-check, each with the error expected."""

import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((Path(__file__).parent / "reject").glob("*.py"))


@pytest.fixture(scope="module")
def errors() -> set[tuple[str, int, str]]:
    """What mypy finds in all of them, with the project's own settings."""
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


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_rejected_where_and_why_expected(program: Path, errors: set[tuple[str, int, str]]) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    expected = {
        (number, code)
        for number, line in enumerate(lines, start=1)
        for code in re.findall(r"# expect: ([\w-]+)", line)
    }
    assert expected
    assert {(line, code) for file, line, code in errors if file == program.name} == expected
