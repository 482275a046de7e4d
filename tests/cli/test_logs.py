"""`steel learn --log` learns from files, and says what does not fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from steel_verified.cli import main
from tests.using.test_logs import as_csv, as_npz, flat, ring

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


def steel(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_log_is_learned_and_its_files_are_written(tmp_path: Path) -> None:
    walk = as_npz(tmp_path / "walk.npz", **flat(ring(0)))
    certificate, model = tmp_path / "walk.json", tmp_path / "walk.dot"
    page = tmp_path / "walk.html"
    files = ("--certificate", certificate, "--model", model, "--html", page)
    done = steel("learn", "--log", walk, *files)
    assert done.exit_code == 0, done.output
    assert "5 states and 2 actions, learned from episodes with 252 rows" in done.output
    assert "  4: 4 0" in done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    checked = steel("check", certificate)
    assert checked.exit_code == 0, checked.output
    assert "digraph" in model.read_text()
    assert "can be reached from the starts of the log" in page.read_text(encoding="utf-8")


def test_several_files_are_one_log_and_json_has_the_keys_of_every_run(tmp_path: Path) -> None:
    log = ring(0)
    files = [as_npz(tmp_path / "a.npz", **flat(log[:6])), as_csv(tmp_path / "b.csv", log[6:])]
    done = steel("learn", "--log", files[0], "--log", files[1], "--json")
    found = json.loads(done.output)
    assert found["accepted"]
    assert found["steps"] == 252
    assert found["world"] == "a.npz, b.csv"
    assert found.keys() == json.loads(steel("learn", "grid", "--json").output).keys()


def test_images_are_flattened(tmp_path: Path) -> None:
    arrays = flat(ring(0))
    images = arrays["observations"].reshape(-1, 3, 4)
    done = steel("learn", "--log", as_npz(tmp_path / "a.npz", **{**arrays, "observations": images}))
    assert done.exit_code == 0, done.output


def test_open_and_contradicted_logs_exit_with_1(tmp_path: Path) -> None:
    few = as_npz(tmp_path / "few.npz", **flat(ring(0, episodes=30, steps=3)))
    done = steel("learn", "--log", few)
    assert done.exit_code == 1
    assert "was never left by action" in done.output.replace("\n", " ")
    arrays = flat(ring(0))
    arrays["actions"] = np.roll(arrays["actions"], 1)
    done = steel("learn", "--log", as_npz(tmp_path / "late.npz", **arrays), "--json")
    assert done.exit_code == 1
    assert not json.loads(done.output)["accepted"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--method", "located"), "--method does not fit --log"),
        (("--states", 4), "--states does not fit --log"),
        (("--max-steps", 4), "--max-steps does not fit --log"),
        (("--checkpoint", "x.run"), "--checkpoint does not fit --log"),
        (("--class", "boxes"), "components, with --log"),
    ],
)
def test_options_that_do_not_fit_are_named(
    options: tuple[object, ...], said: str, tmp_path: Path
) -> None:
    walk = as_npz(tmp_path / "walk.npz", **flat(ring(0)))
    done = steel("learn", "--log", walk, *options)
    assert done.exit_code == 2
    assert said in done.output


def test_class_needs_a_log_and_a_log_must_exist(tmp_path: Path) -> None:
    assert "a world of your own" in steel("learn", "--class", "components").output
    done = steel("learn", "--log", tmp_path / "absent.npz")
    assert done.exit_code == 2
    assert "absent.npz" in done.output
