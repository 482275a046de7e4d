"""The page about a run: the run first, only what applies to its method, and Coq's names."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from proofs_checks.claims import all_claims
from steel_verified import Components, Episode, learn_from
from steel_verified.cli.audit_pages import write_run_page
from steel_verified.evidence.certificate import certificate_of
from steel_verified.reports.audit_page.runs import Checked, run_of

if TYPE_CHECKING:
    from collections.abc import Mapping

CORPUS = Path(__file__).parents[1] / "certificates"
NUMBERS = {"looped": ("delta", "steps", "symbols"), "located": ("delta", "symbols")}
RESTS_ON = {
    "grid": ("looped", "T1"),
    "located_grid": ("located", "L1"),
    "coins_double_prime": ("coins", "C2.coins"),
    "slipping_lock": ("slipping", "S.S02"),
    "factored_two_locks": ("factored", "F1.cover"),
}
"""A certificate of each method, and a claim on which its promise rests."""


def page_of(data: bytes, folder: Path) -> str:
    file = folder / "page.html"
    write_run_page(file, data, "a certificate")
    return unescape(file.read_text(encoding="utf-8"))


def sections(page: str) -> list[str]:
    return re.findall(r'<section id="(\w+)"', page)


def facts(page: str) -> Mapping[str, str]:
    table = page.partition('<table class="facts">')[2].partition("</table>")[0]
    return dict(re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', table))


@pytest.mark.parametrize(("name", "method", "claim"), [(k, *v) for k, v in RESTS_ON.items()])
def test_page_has_the_run_first_and_only_what_applies(
    tmp_path: Path, name: str, method: str, claim: str
) -> None:
    page = page_of((CORPUS / "accepted" / f"{name}.json").read_bytes(), tmp_path)
    numbers = ["parameters", *NUMBERS[method]] if method in NUMBERS else []
    assert sections(page) == ["run", "promise", *numbers]
    cited = next(each for each in all_claims() if each.id == claim)
    assert cited.says in page
    assert all(f"<code>{theorem}</code>" in page for theorem in cited.coq)
    assert ('data-value="bound_total"' in page) == (method == "looped")
    assert ('data-value="steps_1"' in page) == (method == "located")
    assert ('name="class_size"' in page) == (method == "looped")
    assert ('name="max_states"' in page) == (method in NUMBERS)
    assert ("<script>" in page) == bool(numbers)
    assert ("Timeline" in page) == (method in NUMBERS)


@pytest.mark.parametrize("name", ["grid", "located_grid"])
def test_every_plan_and_every_sampled_time_is_drawn_in_its_place(tmp_path: Path, name: str) -> None:
    data = (CORPUS / "accepted" / f"{name}.json").read_bytes()
    page = page_of(data, tmp_path)
    run = run_of(certificate_of(data, name), Checked((), (), (), ""))
    names = list(dict.fromkeys(each.name for each in run.story.stretches))
    bar = (
        r'<rect class="fill-(\d)" x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="14"><title>(.*?)<'
    )
    bars = re.findall(bar, page)
    for each, (colour, x, y, width, text) in zip(run.story.stretches, bars, strict=True):
        assert (int(colour), text) == (names.index(each.name) + 1, each.text)
        assert int(y) == 26 * names.index(each.name) + 6
        assert float(x) == pytest.approx(205 + 555 * each.start / run.steps, abs=0.01)
        assert float(width) == pytest.approx(max(0.6, 555 * each.steps / run.steps), abs=0.01)
    last = max(one.times[-1] for one in run.story.datasets)
    rows = re.findall(r'<path class="edge stroke-(\d)" d="(.*?)">', page)
    for row, (one, (colour, ticks)) in enumerate(zip(run.story.datasets, rows, strict=True)):
        places = [205 + 555 * time / last for time in one.times[:: -(-len(one.times) // 400)]]
        drawn = re.findall(rf"M ([\d.]+) {26 * row + 6} v 14", ticks)
        assert list(map(float, drawn)) == pytest.approx(places, abs=0.01)
        assert int(colour) == row % 2 + 1
        assert f">{one.name}</text>" in page


def test_each_factor_is_drawn_with_the_actions_that_move_it(tmp_path: Path) -> None:
    page = page_of((CORPUS / "accepted" / "factored_two_locks.json").read_bytes(), tmp_path)
    drawings = re.findall(r"<h3>Factor \d</h3><svg.*?</svg>", page, re.DOTALL)
    colours = [set(re.findall(r'class="stroke-(\d)', drawing)) for drawing in drawings]
    assert sorted(map(sorted, colours)) == [["1", "2"], ["3", "4"]]
    assert facts(page)["learned"].startswith("2 factors")


def test_slips_are_counted(tmp_path: Path) -> None:
    page = page_of((CORPUS / "accepted" / "slipping_lock.json").read_bytes(), tmp_path)
    slipped, _, allowed = facts(page)["steps that slipped"].partition(";")
    assert 0 < int(slipped) < 30
    assert "with chance 1/20 at most" in allowed


def test_states_without_a_way_out_are_drawn(tmp_path: Path) -> None:
    """Each of two doors ends the episode: no state reaches every other one."""
    shown = np.eye(3, dtype=bool)
    episodes = [Episode(shown[[0, end]], [end - 1], terminated=True) for end in (1, 2)]
    learned = learn_from(episodes, Components(3))
    page = page_of(learned.certificate(), tmp_path)
    assert facts(page)["learned"] == "3 states, each with 2 actions"
    assert "accepts" in page


@pytest.mark.parametrize("file", sorted((CORPUS / "rejected").glob("*.json"))[::7], ids=str)
def test_page_of_a_rejected_run_promises_nothing(tmp_path: Path, file: Path) -> None:
    page = page_of(file.read_bytes(), tmp_path)
    assert "nothing follows from it" in page
    assert "cceptance means" not in page
    assert "Accepted means" not in page
