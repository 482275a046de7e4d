"""Whoever installs the package gets its types and its data: after `make`, and from a wheel."""

import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
PACKAGES = ("steel_verified", "proofs_checks")
INSTALL = ("install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")

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


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel that is built from the source distribution, and nothing of it.

    It borrows the libraries of this one; of the repository it sees nothing.
    """
    folder = tmp_path_factory.mktemp("fresh")
    source = folder / "source"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().splitlines():
        if name.startswith((*PACKAGES, "pyproject.toml", "README.md", "LICENSE")):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    build = "import sys; from setuptools.build_meta import *; build_sdist(sys.argv[1])"
    run(sys.executable, "-c", build, str(folder), cwd=source)
    (sdist,) = folder.glob("steel_verified-*.tar.gz")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder))
    run(sys.executable, "-m", "pip", "wheel", *options, str(sdist), cwd=folder)
    (wheel,) = folder.glob("steel_verified-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", str(folder / "venv"), cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", str(python), *INSTALL, str(wheel), cwd=folder)
    (packages,) = (folder / "venv" / "lib").glob("*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder


def run(*command: str, cwd: Path) -> str:
    """What a command prints; it must succeed."""
    ended = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_wheel_has_every_module_and_data_file_and_runs_the_checker(fresh: Path) -> None:
    (wheel,) = fresh.glob("steel_verified-*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    kept = run("git", "ls-files", *PACKAGES, cwd=ROOT).splitlines()
    assert packed == {name for name in kept if not name.endswith((".md", ".gitignore"))}
    assert "steel_verified/py.typed" in packed
    certificate = ROOT / "tests" / "certificates" / "accepted" / "grid.json"
    checked = subprocess.run(
        [sys.executable, "-S", "-m", "proofs_checks.checker", str(certificate)],
        capture_output=True,
        text=True,
        cwd=fresh,
        env={"PYTHONPATH": str(wheel), "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    assert checked.stdout.startswith("Accepted: 6 states")


def test_the_readme_works_in_an_empty_folder_with_the_wheel_alone(
    fresh: Path, tmp_path: Path
) -> None:
    (program,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )
    where = [*(f"import {name}" for name in PACKAGES), "print(proofs_checks, steel_verified)"]
    Path(tmp_path, "mine.py").write_text("\n".join([program, *where]), encoding="utf-8")
    commands = fresh / "venv" / "bin"
    *_, last = run(str(commands / "python"), "mine.py", cwd=tmp_path).splitlines()
    assert last.count(str(fresh)) == len(PACKAGES)
    lake = ("gym:FrozenLake-v1", "--set", "is_slippery=false", "--certificate", "lake.json")
    assert "16 states" in run(str(commands / "steel"), "learn", *lake, cwd=tmp_path)
    assert run(str(commands / "steel"), "check", "lake.json", cwd=tmp_path).startswith("Accepted")
    assert "right" in run(str(commands / "steel"), "learn", cwd=tmp_path)


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
