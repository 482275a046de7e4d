"""Where an extra is not installed, the error says what to install."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from steel_verified.errors import MissingExtra, missing_extra

ROOT = Path(__file__).parents[2]
MODULES = {
    "plots": "matplotlib",
    "gymnasium": "gymnasium",
    "strategies": "hypothesis",
    "linear": "scipy",
    "cluster": "distributed",
    "ac-state": "numba",
}

# Each is tried in one process in which no extra can be imported.
HIDDEN = """
import sys
names = ("matplotlib", "gymnasium", "hypothesis", "scipy", "distributed", "numba")
sys.modules |= dict.fromkeys(names)
"""
USES = {
    "steel_verified.strategies": ("strategies", "import steel_verified.strategies"),
    "the law checks": (
        "strategies",
        "from steel_verified.strategies.laws import check_oracle_laws",
    ),
    "a Gymnasium world": ("gymnasium", "import steel_verified.gymnasium.world"),
    "the Gymnasium environments": ("gymnasium", "import steel_verified.gymnasium.envs"),
    "steel_verified.gymnasium": ("gymnasium", "import steel_verified.gymnasium"),
    "half-spaces": (
        "linear",
        """
import numpy as np
from steel_verified.classes.half_spaces import HalfSpaces
plane = HalfSpaces(1)
plane.separating(*(plane.summarise(np.array([[x]])) for x in (0.0, 1.0)))
""",
    ),
    "steel_verified.plots": ("plots", "import steel_verified.plots"),
    "figures": ("plots", "import steel_verified.reports.figures.gallery"),
    "steel reproduce figures": ("plots", "steel('reproduce', 'figures', '--output', 'never')"),
    "steel draw": ("plots", "steel('draw', 'grid', '--output', 'never.svg')"),
    "steel reproduce --cluster": (
        "cluster",
        "steel('reproduce', 'table3', '--cluster', 'tcp://127.0.0.1:1', '--repeats', '1')",
    ),
    "steel reproduce --ac-state": (
        "ac-state",
        "steel('reproduce', 'table3', '--ac-state', '--pair', '3,5', '--results', 'never')",
    ),
}
PROGRAM = """
from steel_verified.errors import MissingExtra
import click

def steel(*words):
    from steel_verified.cli import main
    try:
        main(words, standalone_mode=False)
    except click.ClickException as error:
        raise error.__cause__ from None
    except MissingExtra as error:
        raise AssertionError("shown as a traceback") from error

for what, (_, program) in USES.items():
    try:
        exec(program)
    except MissingExtra as error:
        print(what, error, sep="\t")
    else:
        print(what, "nothing was missing", sep="\t")
"""


def test_every_use_of_a_missing_extra_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{HIDDEN}USES = {USES!r}\n{PROGRAM}"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = dict(line.split("\t") for line in done.stdout.splitlines())
    assert said.keys() == USES.keys()
    for what, (extra, _) in USES.items():
        assert said[what].endswith(f"{MODULES[extra]}: pip install 'steel_verified[{extra}]'"), what


@pytest.mark.parametrize("extra", MODULES)
def test_the_message_names_an_extra_that_installs_the_module(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert any(each.startswith(MODULES[extra]) for each in project["optional-dependencies"][extra])
    told = missing_extra(extra, ModuleNotFoundError(name=f"{MODULES[extra]}.part"))
    assert isinstance(told, MissingExtra)
    assert f"steel_verified[{extra}]" in str(told)


def test_other_import_errors_are_not_reported_as_missing_extras() -> None:
    fault = ModuleNotFoundError("No module named 'steel_verified.nowhere'", name="steel_verified")
    assert missing_extra("plots", fault) is fault
