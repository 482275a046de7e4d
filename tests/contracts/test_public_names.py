"""What the package offers is what it lists, and missing extras are named."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib import import_module
from inspect import getsource
from pathlib import Path

import pytest

import steel_verified
from steel_verified.errors import MissingExtra, missing_extra

from ..public import PUBLIC


def names_for_type_checkers() -> dict[str, str]:
    """The module of each name that `steel_verified/__init__.py` imports for type checkers only."""
    return {
        alias.name: statement.module
        for node in ast.parse(getsource(steel_verified)).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "typing.TYPE_CHECKING"
        for statement in node.body
        if isinstance(statement, ast.ImportFrom) and statement.module is not None
        for alias in statement.names
    }


def test_names_are_sorted_and_exist() -> None:
    assert sorted(steel_verified.__all__) == steel_verified.__all__
    assert all(hasattr(steel_verified, name) for name in steel_verified.__all__)


def test_every_public_name_is_explained() -> None:
    for name in steel_verified.__all__:
        value = getattr(steel_verified, name)
        assert name == "Result" or value.__doc__, name  # a union has no docstring of its own


@pytest.mark.parametrize("room", PUBLIC)
def test_public_packages_have_a_sorted_all(room: str) -> None:
    module = import_module(f"steel_verified.{room}")
    listed: list[str] = module.__all__
    assert listed == sorted(listed)
    assert all(getattr(module, name).__doc__ for name in listed)


def test_runtime_names_equal_type_checker_names() -> None:
    seen = names_for_type_checkers()
    assert sorted(seen) == steel_verified.__all__
    for name, module in seen.items():
        assert getattr(steel_verified, name) is getattr(import_module(module), name)


def test_dir_of_the_package_lists_only_public_names() -> None:
    """In a fresh process, where no submodule has been imported yet."""
    program = "import steel_verified; print(*(n for n in dir(steel_verified) if n[0] != '_'))"
    offered = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(offered) - set(steel_verified.__all__) == {"importlib", "lazy_names", "typing"}


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nobody'"):
        _ = getattr(steel_verified, "Nobody")  # noqa: B009 (mypy would refuse the attribute)


ROOT = Path(__file__).parents[2]
MODULES = {
    "plots": "matplotlib",
    "gymnasium": "gymnasium",
    "strategies": "hypothesis",
    "linear": "scipy",
    "cluster": "distributed",
    "ac-state": "numba",
    "graphs": "networkx",
    "audit": "sympy",
}

# Each is tried in one process in which no extra can be imported.
HIDDEN = """
import sys
names = ("matplotlib", "gymnasium", "hypothesis", "scipy", "distributed", "numba")
names += ("networkx", "sympy", "rich")
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
    "a graph": (
        "graphs",
        """
from steel_verified import Components, SteppedWorld, learn
class Switch(SteppedWorld):
    actions, on = 2, False
    def step(self, action):
        self.on ^= action == 0
        return [self.on, not self.on]
learned = learn(Switch(), Components(2))
learned.to_dot(), repr(learned), learned._repr_html_(), learned.check()
learned.to_networkx()
""",
    ),
    "steel claims": ("audit", "steel('claims', 'G33')"),
    "an audit page": ("audit", "steel('learn', 'grid', '--html', 'never.html')"),
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
    error = missing_extra(extra, ModuleNotFoundError(name=f"{MODULES[extra]}.part"))
    assert isinstance(error, MissingExtra)
    assert f"steel_verified[{extra}]" in str(error)


def test_other_import_errors_are_not_reported_as_missing_extras() -> None:
    fault = ModuleNotFoundError("No module named 'steel_verified.nowhere'", name="steel_verified")
    assert missing_extra("plots", fault) is fault


def test_all_names_are_there_without_any_extra() -> None:
    """An extra is asked for when it is used: `from steel_verified import *` needs none."""
    program = f"{HIDDEN}from steel_verified import *\nassert callable(learn_episodes)"
    subprocess.run([sys.executable, "-c", program], check=True)
