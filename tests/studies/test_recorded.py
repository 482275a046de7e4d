"""The studies: recorded rows are made again, pages say what the rows say, promises were kept."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

import pytest

from tests.studies.certain.page import certain_page
from tests.studies.certain.sizes import CLASSES, LONG, RANDOM, SIZES, SLOW, learned_row
from tests.studies.costs import soak
from tests.studies.costs.alone import MOST_BYTES, Crashed, alone
from tests.studies.costs.page import costs_page
from tests.studies.costs.soak import CRASHED, EACH, REFUSED, WORLDS, soak_key
from tests.studies.costs.soak import WRONG as WRONG_MODEL
from tests.studies.factors import SEEDS, exorl_on_switches, factored_on_switches, lock_row
from tests.studies.rows import RESULTS, recorded_rows
from tests.studies.slips.page import slips_page
from tests.studies.slips.runs import CELLS, OPEN, RIGHT, WRONG, ended_cells
from tests.studies.violations.page import violations_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from steel_verified.sweeps.study import Row
    from tests.studies.certain.sizes import Size

CERTAIN, SLIPS = recorded_rows("certain"), recorded_rows("slips")
COSTS = recorded_rows("costs")
PAGES = {
    "certain": certain_page,
    "costs": costs_page,
    "slips": slips_page,
    "violations": violations_page,
}


@pytest.mark.parametrize(("name", "page"), PAGES.items())
def test_the_page_is_the_one_that_is_checked_in(
    name: str, page: Callable[[Mapping[str, Row]], str]
) -> None:
    """If this fails: `python -m tests.studies.NAME`."""
    assert (RESULTS / f"{name}.md").read_text(encoding="utf-8") == page(recorded_rows(name))


@pytest.mark.parametrize("size", [CLASSES[0], CLASSES[3], SLOW[3], RANDOM[1]])
def test_recorded_sizes_can_be_repeated(size: Size) -> None:
    again, was = learned_row(size), CERTAIN[size.key]
    assert all(again[name] == was[name] for name in ("steps", "least", "right"))


def test_all_recorded_runs_are_right() -> None:
    assert all(CERTAIN[size.key]["right"] == size.worlds for size in SIZES)


def test_late_rows_were_as_cheap_as_early_ones() -> None:
    spent, held = CERTAIN[LONG]["nanoseconds"], CERTAIN[LONG]["bytes"]
    assert isinstance(spent, list)
    assert isinstance(held, list)
    early, _, late = (cost for cost in spent if isinstance(cost, int))
    assert late <= 1.5 * early
    assert held[1] == held[2]


@pytest.mark.parametrize(("name", "seed"), [("grid", 3), ("switch", 5), ("small", 11)])
def test_recorded_slips_can_be_repeated(name: str, seed: int) -> None:
    assert [one.cell.key for one in ended_cells(SLIPS)] == [cell.key for cell in CELLS]
    for one in ended_cells(SLIPS):
        if one.cell.name == name:
            again = one.cell.run(one.cell.rate, seed)
            assert again == (one.fates[seed], one.steps[seed], one.slips[seed])


def test_wrong_runs_stay_below_delta() -> None:
    """False alarm: at most one in a million. With 500 small runs, 46 wrong ones would be seen."""
    for name in dict.fromkeys(cell.name for cell in CELLS):
        ended = [one for one in ended_cells(SLIPS) if one.cell.name == name]
        fates = "".join(one.fates for one in ended)
        wrong, runs, delta = fates.count(WRONG), len(fates), Fraction(1, 20)
        as_many = sum(
            comb(runs, k) * delta**k * (1 - delta) ** (runs - k) for k in range(wrong, runs + 1)
        )
        assert as_many > Fraction(1, 10**6)
        can_decide = [one.fates for one in ended if one.cell.rate < Fraction(1, 4)]
        assert "".join(can_decide).count(RIGHT) >= 0.8 * sum(map(len, can_decide))


def test_noise_that_slips_less_than_the_state_keeps_a_run_open() -> None:
    """The noise of the switch changes with chance 1/4, so with p = 2/5 it may be the state."""
    (one,) = (one for one in ended_cells(SLIPS) if one.cell.rate > Fraction(1, 4))
    assert one.fates == OPEN * 100


def test_no_run_of_the_soak_was_wrong_refused_or_crashed() -> None:
    rows = [row for key, row in COSTS.items() if key.startswith("soak")]
    assert len(rows) == sum(WORLDS.values()) / EACH
    assert not {WRONG_MODEL, REFUSED, CRASHED} & {*"".join(str(row["fates"]) for row in rows)}


@pytest.mark.parametrize(("name", "seed"), [("located", 3), ("certain", 4), ("looped", 3)])
def test_runs_of_the_soak_can_be_repeated(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "PROGRAMS", ())  # which may not be built here
    again, was = soak.ended(name, seed), COSTS[soak_key(name, 0)]
    steps, fates = was["steps"], was["fates"]
    assert isinstance(steps, list)
    assert isinstance(fates, str)
    assert (again["fate"], again["steps"]) == (fates[seed], steps[seed])


def test_a_process_that_fails_or_takes_too_much_is_a_crash() -> None:
    assert alone(lambda: {"steps": 7})["steps"] == 7
    for work in (lambda: {"steps": 1 // 0}, lambda: {"steps": len(bytes(MOST_BYTES))}):
        with pytest.raises(Crashed):
            alone(work)


FACTORS = (RESULTS / "factors.md").read_text(encoding="utf-8")


def test_page_has_the_steps_of_locks() -> None:
    assert f"| {' | '.join(lock_row(3, 10, shared=True, seeds=SEEDS))} |" in FACTORS


def test_page_has_the_steps_on_switches_and_those_of_exorl() -> None:
    steps, right, listed = factored_on_switches(2, 1, 10)
    line = f"factored, {listed} covers listed | {min(steps)} to {max(steps)} | {right}/10 |"
    assert f"| 2 switches, 1 bit of noise | {line}" in FACTORS
    taken, good = exorl_on_switches(2, 1, 1000, 10)
    assert (taken, good) == ([5000] * 10, 10)
    line = "ExoRL, 1,000 episodes a question | 5,000 | 10/10 |"
    assert f"| 2 switches, 1 bit of noise | {line}" in FACTORS
