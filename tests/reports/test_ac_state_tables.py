"""Our runs of AC-State's protocol beside the printed numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from steel_verified.baselines.ac_state.protocol import Protocol, outcome, study
from steel_verified.reports.ac_state_tables import (
    completed,
    quoted,
    ratios,
    table3_ac_state,
    table4,
)
from steel_verified.reports.comparison import Agreement, recorded
from steel_verified.reports.figures.measured import searches

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.sweeps.study import Job, Row


def made_up(job: Job, right_from: int) -> Row:
    """All is right from some T on, for K = 20 … 30."""
    assert isinstance(job.run, partial)
    _, stage, length, _, batch = job.run.args
    right = length >= right_from
    if stage == "search":
        lags: list[Json] = [[20, 30]] if right else []
        of_one: Row = {"lags": 50_000, "right": lags, "tied": []}
        return {"trajectories": [of_one for _ in batch]}
    return {"signs": [1 if right and stage == "test" else -1 for _ in batch]}


def rows_of(*right_from: int) -> dict[str, Row]:
    """One repeat of (3, 5) for each."""
    rows: dict[str, Row] = {}
    for repeat, least in enumerate(right_from):
        asked = study(Protocol((3, 5), repeat=repeat))
        while jobs := asked(rows):
            rows |= {job.key: made_up(job, least) for job in jobs}
    return rows


def test_ac_state_table_shows_agreement_and_missing_pairs() -> None:
    table = table3_ac_state(rows_of(4_000))
    most = [number for number in table.numbers if number.what == "AC-State, max steps"]
    assert [number.column for number in most][:2] == ["(3, 5)", "(5, 7)"]
    assert (most[0].printed, most[0].ours, most[0].agreement) == ("4·10³", "4·10³", Agreement.SAME)
    assert {number.agreement for number in most[1:]} == {Agreement.MISSING}
    median = next(number for number in table.numbers if number.what == "AC-State, median steps")
    assert (median.printed, median.ours, median.reason) == ("3·10³", "4·10³", "random variation")
    assert any("φ_SP on 20 of 20" in remark for remark in table.remarks)
    assert any(
        "(3, 5): 25 (K = 20 to 30 at T = 4·10³; no K below 13" in one for one in table.remarks
    )


def test_the_spread_over_runs_is_shown() -> None:
    rows = rows_of(4_000, 5_000, 4_000)
    assert len(completed(rows, (3, 5), "uniform")) == 3
    first = table3_ac_state(rows).numbers[0]
    assert first.reason == "in 3 runs 4·10³ (2), 5·10³ (1)"


def test_ac_state_tables_without_rows_show_not_run() -> None:
    for table, count in (
        (table3_ac_state({}), 2 * 6),
        (table4({}), 4 * 5),
        (ratios({}, {}), 2 * 6),
    ):
        assert len(table.numbers) == count
        assert {number.agreement for number in table.numbers} == {Agreement.MISSING}


@pytest.mark.parametrize(
    ("last", "ours", "agreed", "reason"),
    [
        (
            " search T=00000003000 ",
            "",
            Agreement.UNFINISHED,
            "the search for K has come to T = 3·10³",
        ),
        (
            " test T=00000004000 ",
            "",
            Agreement.UNFINISHED,
            "the test with K = 25 has come to T = 4·10³",
        ),
        (" single ", "4·10³", Agreement.SAME, "SinglePrime so far: φ_SP on 0 of 0"),
    ],
)
def test_a_run_that_is_not_finished_says_how_far_it_is(
    last: str, ours: str, agreed: Agreement, reason: str
) -> None:
    rows = {key: row for key, row in rows_of(4_000).items() if last not in key}
    first = table3_ac_state(rows).numbers[0]
    assert (first.ours, first.agreement, first.reason) == (ours, agreed, reason)


def test_a_recorded_outcome_is_what_its_run_finds() -> None:
    """The trajectories of a repeat whose rows are not shipped, drawn and judged again."""
    protocol = Protocol((3, 5), repeat=1)
    again: dict[str, Row] = {}
    while jobs := study(protocol)(again):
        again |= {job.key: job.run() for job in jobs}
    shipped = recorded("ac_state")
    assert not again.keys() & shipped.keys()
    assert outcome(protocol, shipped) == outcome(protocol, again)


def test_ratios_divide_what_both_tables_have() -> None:
    first, _, second, *_ = ratios(rows_of(4_000), recorded("table3")).numbers
    assert (first.printed, first.ours, first.agreement) == ("0.07", "0.065", Agreement.NEAR)
    assert second.agreement is Agreement.MISSING


def test_searches_are_drawn_as_they_were_run() -> None:
    (search,) = searches(rows_of(4_000), "uniform")
    assert (search.pair, search.chosen) == ((3, 5), 25)
    decisive = search.decisive
    assert decisive is not None
    assert decisive.length == 4_000
    assert decisive.steps == ((1, 0), (20, 20), (31, 0))


@pytest.mark.parametrize(
    ("steps", "text"), [(4_000, "4·10³"), (20_000_000, "2·10⁷"), (100, "1·10²"), (11_000, "11·10³")]
)
def test_steps_are_quoted_as_in_the_paper(steps: int, text: str) -> None:
    assert quoted(steps) == text
