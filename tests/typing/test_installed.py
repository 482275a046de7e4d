"""Whoever installs the package gets its types and its data: after `make`, and from a wheel."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
PACKAGES = ("steel_verified", "proofs_checks")

USERS_FILE = """
from steel_verified import Learned, exactly

half = exactly("0.5")
reveal_type(half)
reveal_type(Learned.load("lock.json").plan(to=0))
exactly([])
"""


def test_the_package_is_on_the_path_that_type_checkers_search(tmp_path: Path) -> None:
    """An import hook, as an editable install may make, would be enough for Python only."""
    program = (
        "from importlib.machinery import PathFinder\n"
        f"print(*(PathFinder.find_spec(name).origin for name in {PACKAGES}), sep='\\n')"
    )
    found = subprocess.run(
        [sys.executable, "-I", "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    ).stdout.splitlines()
    assert all(Path(module).with_name("py.typed").is_file() for module in found)


@pytest.mark.slow
def test_mypy_finds_our_types_in_a_file_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder from which the repository cannot be seen, with the settings of a stranger."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(USERS_FILE, encoding="utf-8")
    report, trouble, _ = api.run(["--strict", "--cache-dir=cache", "mine.py"])
    assert not trouble
    *notes, error, total = report.splitlines()
    assert [note.partition("note: ")[2] for note in notes] == [
        'Revealed type is "fractions.Fraction"',
        'Revealed type is "tuple[int, ...]"',
    ]
    assert error.startswith('mine.py:7: error: Argument 1 to "exactly"')
    assert total.startswith("Found 1 error in 1 file")


@pytest.mark.slow
def test_a_wheel_has_every_module_and_data_file_and_runs_the_checker(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path))
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, str(source)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("steel_verified-*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    kept = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert packed == {name for name in kept if not name.endswith((".md", ".gitignore"))}
    assert "steel_verified/py.typed" in packed
    certificate = ROOT / "tests" / "certificates" / "accepted" / "grid.json"
    checked = subprocess.run(
        [sys.executable, "-S", "-m", "proofs_checks.checker", str(certificate)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(wheel), "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    assert checked.stdout.startswith("Accepted: 6 states")
