"""`steel learn` and `steel preflight` on a world of the user's own, and `steel draw` as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from steel_verified import Learned
from tests.cli.running import reported, require_refused, steel

FILE = """
import numpy as np
from steel_verified import SteppedWorld


class Shop(SteppedWorld):
    actions = 3
    leads = ((0, 1, 0), (0, 1, 2), (0, 1, 3), (0, 3, 4), (0, 0, 0))

    def __init__(self, ads=20):
        self.page, self.ads, self.random = 0, ads, np.random.default_rng(1)

    def step(self, action):
        self.page = self.leads[self.page][action]
        return np.concatenate([np.arange(5) == self.page, self.random.random(self.ads) < 0.3])


number = [0]


def step(action):
    number[0] = (number[0] + (1, 2)[action]) % 5
    return number[0]


def shuffled(action):
    return int(np.random.default_rng().integers(4))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command runs in a folder with the file of a user."""
    monkeypatch.chdir(tmp_path)
    Path("shop.py").write_text(FILE, encoding="utf-8")


LAKE = "gym:FrozenLake-v1 --set is_slippery=false"


def test_an_environment_of_gymnasium_is_learned_and_its_certificate_is_accepted() -> None:
    found = reported(f"learn {LAKE} --certificate lake.json --model lake.dot --html lake.html")
    assert "<svg" in Path("lake.html").read_text(encoding="utf-8")  # its holes cannot be left
    assert (found["states"], found["method"], found["class"]) == (16, "log", "Components(16)")
    checked = steel("check lake.json")
    assert checked.output.startswith("Accepted: 16 states")
    assert Path("lake.dot").read_text(encoding="utf-8").startswith("digraph learned")


def test_a_class_in_a_file_is_made_with_its_settings_and_learned() -> None:
    files = "--model shop.json --certificate evidence.json --html shop.html"
    done = steel(f"learn shop.py:Shop --class components --set ads=3 {files}")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("5 states and 3 actions, learned in ")
    learned = Learned.load("shop.json")
    assert learned.plan(to=[0, 0, 0, 0, 1] + [0] * 3, start=[1] + [0] * 7) == (1, 2, 2, 2)
    assert steel("check evidence.json").exit_code == 0
    assert "<svg" in Path("shop.html").read_text(encoding="utf-8")


def test_bounds_choose_located_and_a_function_needs_the_number_of_its_actions() -> None:
    bounds = "--class boxes --max-states 6 --mixing-time 1"
    found = reported(f"learn shop.py:step --actions 2 {bounds}")
    assert (found["states"], found["method"]) == (5, "located")
    require_refused("learn shop.py:step", "the number of actions of the function")


def test_what_is_not_accepted_exits_with_1_and_leaves_its_findings() -> None:
    few = "learn shop.py:Shop --class components --max-states 2 --mixing-time 1 --max-steps 900"
    done = steel(f"{few} --findings shop.json --model shop.dot")
    assert done.exit_code == 1
    assert "there are at most N latent states" in " ".join(done.output.split())
    assert Path("shop.dot").exists()
    assert steel("findings shop.json").exit_code == 0


def test_preflight_recommends_a_class_or_looks_with_one() -> None:
    recommended = steel("preflight shop.py:Shop --max-states 9")
    assert recommended.exit_code == 0, recommended.output
    assert recommended.output.startswith("Recommended: Components(25)")
    looked = steel("preflight shop.py:Shop --class components --max-states 3")
    assert looked.exit_code == 1
    assert "N = 3 seems too small" in looked.output
    assert steel("preflight shop.py:shuffled --actions 2").exit_code == 1


def test_what_does_not_fit_is_refused() -> None:
    require_refused("learn shop.py:Nothing", "a name that is defined in shop.py")
    require_refused("learn shop.py:number --actions 2", "WORLD: shop.py:number: expected an object")
    require_refused("learn other.py:Shop", "a Python file that exists")
    require_refused("learn gym:Nothing-v0", "an environment of Gymnasium")
    require_refused("learn shop.py:Shop --set colour=red", "these settings make an object of")
    require_refused("learn shop.py:Shop --set ads", "NAME=VALUE")
    of_the_paper = ("env-seed 3", "states 4", "max-diameter 2", "class-size 9", "dynamics-only")
    for option in (*of_the_paper, "slips 1e-4"):
        told = f"--{option.split()[0]} does not fit a world of your own"
        require_refused(f"learn shop.py:Shop --{option}", told)
    require_refused("learn grid --class components", "a world of your own: gym:ID")
    require_refused("learn grid --set states=3", "a world of your own: gym:ID")
    Path("text.py").write_text("def say(action):\n    return 'on'\n", encoding="utf-8")
    for command in ("learn", "preflight"):
        shown = "shows booleans or numbers (here an observation is a str)"
        require_refused(f"{command} text.py:say --actions 2", shown)
    require_refused("learn gym:FrozenLake-v1", "the dynamics are random, or depend on something")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def step(:\n", "SyntaxError: invalid syntax (broken.py, line 1)"),
        ("import nowhere", "No module named 'nowhere' ("),
        ("x = 1\n1 / 0\n", "broken.py, line 2)"),
    ],
)
def test_a_file_that_cannot_be_imported_is_refused_with_its_error(source: str, told: str) -> None:
    Path("broken.py").write_text(source, encoding="utf-8")
    require_refused("learn broken.py:World", "a file that Python can import")
    require_refused("preflight broken.py:World", told)


@pytest.mark.parametrize("animate", [False, True])
def test_draw_names_its_file_after_the_world(animate: bool) -> None:  # noqa: FBT001
    done = steel("draw grid" + " --animate" * animate)
    assert done.exit_code == 0, done.output
    name = "grid.html" if animate else "grid.svg"
    assert done.output == f"Wrote {name}.\n"
    assert Path(name).stat().st_size > 1000


@pytest.mark.parametrize("world", ["shop.py:Shop", LAKE])
def test_a_run_is_resumed_in_a_world_that_is_made_anew(world: str) -> None:
    learn = f"learn {world} --class components"
    result = steel(f"{learn} --max-steps 12 --checkpoint kept.run")
    assert result.exit_code == 1
    assert "the limit of 12 steps" in " ".join(result.output.split())
    again = reported(f"{learn} --resume kept.run --certificate resumed.json")
    whole = reported(f"{learn} --checkpoint other.run --certificate whole.json")
    assert again == whole
    assert Path("resumed.json").read_bytes() == Path("whole.json").read_bytes()


def test_a_run_is_not_resumed_in_another_world() -> None:
    learn = "learn shop.py:Shop --class components"
    steel(f"{learn} --max-steps 12 --checkpoint kept.run")
    require_refused(f"{learn} --set ads=21 --resume kept.run", "resume")
    Path("shop.py").write_text(FILE.replace("default_rng(1)", "default_rng(2)"), encoding="utf-8")
    require_refused(f"{learn} --resume kept.run", "noise")
    require_refused("learn shop.py:Shop --checkpoint kept.run", "class")
