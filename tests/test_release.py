"""The version stands in one place, and the files of a release name the same one."""

import re
import tomllib
from pathlib import Path

import steel_verified

ROOT = Path(__file__).parents[1]


def test_all_files_of_a_release_name_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert steel_verified.__version__ == project["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    cited = re.search(r"^version: (.*)$", citation, re.MULTILINE)
    assert cited is not None
    assert cited[1] == project["version"]
    newest = re.search(
        r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert newest is not None
    assert project["version"] in newest[1]
