"""Each example runs, draws its picture, and prints what the page shows."""

from __future__ import annotations

import ast
import json
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import gymnasium
import pytest
from matplotlib.image import imread

from examples import (
    broken_assumptions,
    cliff_and_taxi,
    coffee_machine,
    door_key,
    drifting_tank,
    elevator,
    frozen_lake,
    grey_images,
    many_locks,
    minigrid_with_noise,
    recorded_lake,
    robot,
    shop_log,
    slippery_lake,
)
from steel_verified.gymnasium import Continuing
from tests.examples.steps import (
    CASES,
    WITHOUT_A_CLASS,
    row_on_page,
    row_without_a_class,
)
from tests.examples.steps import SLOW as SLOW_CASES
from tests.public import PUBLIC

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
PAGE = "".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in ("use/examples.md", "use/logs.md", "theory/factors.md")
)
FILES = sorted((ROOT / "examples").glob("*.py"))
EXAMPLES: dict[str, Callable[[Path], None]] = {
    "broken_assumptions": broken_assumptions.main,
    "coffee_machine": coffee_machine.main,
    "door_key": door_key.main,
    "drifting_tank": drifting_tank.main,
    "elevator": elevator.main,
    "frozen_lake": frozen_lake.main,
    "grey_images": grey_images.main,
    "many_locks": many_locks.main,
    "minigrid_with_noise": minigrid_with_noise.main,
    "recorded_lake": recorded_lake.main,
    "robot": robot.main,
    "shop_log": shop_log.main,
    "slippery_lake": slippery_lake.main,
}
SLOW = "cliff_and_taxi"

LONGEST = 90
"""Lines: an example is a short script, which can be read alone."""


def shown(name: str) -> str:
    """What the page says that an example prints."""
    shown_by = rf"```text\n\$ python -m examples\.{name}\n(.*?)```"
    found: list[str] = re.findall(shown_by, PAGE, re.DOTALL)
    assert len(found) == 1
    return found[0]


def without_seconds(text: str) -> str:
    """The text with every time that was measured taken out: times differ from run to run."""
    return re.sub(r"[\d.,]+ s\b", "… s", text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_the_page_shows_and_draws(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    EXAMPLES[name](tmp_path)
    assert without_seconds(capsys.readouterr().out) == without_seconds(shown(name))
    require_picture(tmp_path / f"{name}.png")


def test_the_cliff_alone_prints_what_the_page_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cliff = Continuing(gymnasium.make("CliffWalking-v1"))
    moves = ("up", "right", "down", "left")
    cliff_and_taxi.learn_and_go("Cliff", cliff, moves, cliff_and_taxi.on_cliff, tmp_path)
    assert without_seconds(shown(SLOW)).startswith(without_seconds(capsys.readouterr().out))
    require_picture(tmp_path / "Cliff.png")


@pytest.mark.slow
def test_cliff_and_taxi_print_what_the_page_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cliff_and_taxi.main(tmp_path)
    assert without_seconds(capsys.readouterr().out) == without_seconds(shown(SLOW))
    require_picture(tmp_path / "Taxi.png")


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.slow) if each in SLOW_CASES else each for each in CASES],
)
def test_the_page_has_the_steps_of_each_method(name: str) -> None:
    case, cells = CASES[name](), row_on_page(name, PAGE)
    assert cells[:4] == [name, str(case.truth().states), case.classifiers, str(case.most)]
    assert cells[4:9:2] == [case.certain(), case.located(), case.looped()]


@pytest.mark.parametrize("name", WITHOUT_A_CLASS)
def test_the_page_has_what_is_learned_without_a_class(name: str) -> None:
    assert row_on_page(name, PAGE)[:-1] == [*row_without_a_class(name)][:-1]


def require_picture(file: Path) -> None:
    """The file is a picture of some size, and something is drawn on it."""
    pixels = imread(file)
    assert min(pixels.shape[:2]) > 150
    assert pixels[..., :3].std() > 0.02


def test_the_notebook_runs_from_its_first_cell_to_its_last(
    capsys: pytest.CaptureFixture[str],
) -> None:
    read = json.loads((ROOT / "examples" / "first_steps.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    for cell in read["cells"]:
        assert not cell.get("outputs"), "it is stored without outputs"
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    assert "Recommended: Components(16)" in capsys.readouterr().out


def test_every_example_is_tested() -> None:
    assert [file.stem for file in FILES] == sorted([*EXAMPLES, SLOW])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_examples_use_public_names_only(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("steel_verified"):
            module = node.module or ""
            names = {alias.name for alias in node.names}
            assert module.removeprefix("steel_verified").lstrip(".") in ("", *PUBLIC), module
            assert names <= set(import_module(module).__all__)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_examples_are_short(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST
