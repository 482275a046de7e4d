"""The protocol, on results that are made up and on real ones."""

import json
import pickle
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
import pytest

from steel_verified.baselines.ac_state.choices import Choices, variations
from steel_verified.baselines.ac_state.jobs import Source, jobs, row
from steel_verified.baselines.ac_state.judging import intervals
from steel_verified.baselines.ac_state.outcomes import Outcome, as_row, outcome_of
from steel_verified.baselines.ac_state.protocol import (
    Protocol,
    curves,
    median_lag,
    outcome,
    study,
)
from steel_verified.baselines.ac_state.repeats import (
    condensed,
    differences,
    readings,
    repeats,
    spread,
    together,
)
from steel_verified.errors import SteelError
from steel_verified.sweeps.study import Job, Row, Study


@dataclass(frozen=True)
class Truth:
    """Made-up results: on which K a trajectory is right, and whether it is with K_opt."""

    right: Callable[[int, int], list[list[int]]]
    """By T and trajectory."""
    tested: Callable[[int], int]
    """How many of 20 are right, by T."""
    tied: Callable[[int, int], list[list[int]]] = lambda _length, _index: []
    lags: int = 50_000

    def row(self, job: Job) -> Row:
        assert isinstance(job.run, partial)
        _, stage, length, _, batch = job.run.args
        if stage == "search":
            return {
                "trajectories": [
                    {
                        "lags": self.lags,
                        "right": self.right(length, index),
                        "tied": self.tied(length, index),
                    }
                    for index in batch
                ]
            }
        if stage == "test":
            return {"signs": [1 if index < self.tested(length) else -1 for index in batch]}
        return {"signs": [-1 for _ in batch]}


def carried_out(asked: Study, done: Callable[[Job], Row]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    while more := asked(rows):
        assert len({job.key for job in more}) == len(more)
        assert not {job.key for job in more} & rows.keys()
        rows |= {job.key: done(job) for job in more}
    return rows


def found(truth: Truth, choices: Choices | None = None) -> Outcome:
    protocol = Protocol((3, 5), choices=choices or Choices())
    rows = carried_out(study(protocol), truth.row)
    result = outcome(protocol, rows)
    assert result is not None
    return result


def from_length(
    least: int, window: list[int], late: int = 0
) -> Callable[[int, int], list[list[int]]]:
    """Right for the K of a window from some T on; the last trajectory only from `late` on."""
    return lambda length, index: [window] if length >= (late if index == 19 else least) else []


def test_decades_refinement_median_and_test() -> None:
    truth = Truth(
        from_length(3_500, [20, 30], late=3_500), tested=lambda length: min(20, length // 250)
    )
    result = found(truth)
    assert (result.decade, result.searched_length, result.k_opt) == (4, 4_000, 25)
    assert result.right_lags == (20, 30, 11)
    assert [right for _, right, _ in result.tested] == [4, 8, 12, 16, 20]
    assert (result.t_max, result.t_median, result.single_right) == (5_000, 3_000, 20)


def test_one_wrong_trajectory_makes_the_grid_ten_times_coarser() -> None:
    truth = Truth(
        from_length(900, [20, 30], late=1_500), tested=lambda length: 20 if length > 1_200 else 3
    )
    strict, lenient = found(truth), found(truth, Choices(decade_right=19))
    assert (strict.decade, strict.t_max) == (4, 2_000)
    assert (lenient.decade, lenient.searched_length, lenient.t_max) == (3, 1_500, 1_300)


def test_the_decade_itself_is_the_last_refinement() -> None:
    result = found(Truth(from_length(10_000, [7, 8], late=10_000), tested=lambda _: 20))
    assert (result.decade, result.searched_length, result.t_max) == (4, 10_000, 1_000)


def test_the_test_goes_on_beyond_the_decade() -> None:
    truth = Truth(
        from_length(2_000, [7, 8], late=2_000), tested=lambda length: 20 if length > 14_000 else 9
    )
    assert (found(truth).t_max, found(truth).t_median) == (15_000, 15_000)


def test_different_k_for_different_trajectories_do_not_count() -> None:
    """Some K must be right on all 20: windows that do not meet are not enough."""
    truth = Truth(
        lambda length, index: (
            [[10 + index, 29 + index - (length < 10_000)]] if length >= 1_000 else []
        ),
        tested=lambda _: 20,
    )
    assert found(truth).decade == 4
    assert found(truth).right_lags == (29, 29, 1)


def test_ties_count_as_right_or_not() -> None:
    truth = Truth(
        from_length(10_000, [20, 30], late=10_000),
        tested=lambda _: 20,
        tied=lambda length, _: [[1, 50_000]] if length < 10_000 else [],
    )
    assert found(truth).decade == 2
    assert found(truth, Choices(ties="smaller")).decade == 4


def test_lags_beyond_the_data_repeat_the_last_one() -> None:
    truth = Truth(from_length(100, [41, 50], late=100), tested=lambda _: 20, lags=50)
    assert found(truth).right_lags == (41, 50_000, 49_960)
    assert found(truth, Choices(beyond_the_data="ignore")).right_lags == (41, 50, 10)


@pytest.mark.parametrize(
    ("choices", "lag"),
    [(Choices(), 4), (Choices(median="mean"), 6), (Choices(median="high"), 9)],
)
def test_the_median_of_an_even_number_of_lags(choices: Choices, lag: int) -> None:
    assert median_lag([1, 4, 9, 30], choices) == lag
    assert median_lag([1, 4, 30], choices) == 4


def test_curves_say_for_each_length_how_many_are_right() -> None:
    protocol = Protocol((3, 5))
    truth = Truth(
        lambda length, index: [[20, 30 + index]] if length >= 5_000 else [], tested=lambda _: 20
    )
    rows = carried_out(study(protocol), truth.row)
    of_length = {curve.length: curve.steps for curve in curves(protocol, rows)}
    assert list(of_length) == [100, 1_000, 2_000, 3_000, 4_000, 5_000, 10_000]
    assert of_length[100] == ((1, 0),)
    steps = of_length[10_000]
    assert steps[:4] == ((1, 0), (20, 20), (31, 19), (32, 18))
    assert steps[-1] == (50, 0)
    assert outcome(protocol, {}) is None


def test_intervals() -> None:
    chosen = np.array([True, True, False, True, False, False, True])
    assert intervals(chosen) == [[1, 2], [4, 4], [7, 7]]
    assert intervals(np.zeros(4, dtype=np.bool_)) == []


def test_jobs_cover_all_trajectories_and_say_all_that_rows_depend_on() -> None:
    keys = set()
    for policy in ("uniform", "exploration"):
        for shared in (True, False):
            for repeat in range(2):
                for pair in ((3, 5), (5, 7)):
                    source = Source(*pair, policy, "first", shared, repeat)
                    for length in (100, 10**5, 10**7):
                        for stage in ("search", "test", "single"):
                            asked = jobs(source, stage, length, 900)
                            covered = [
                                index
                                for job in asked
                                if isinstance(job.run, partial)
                                for index in job.run.args[-1]
                            ]
                            assert covered == list(range(20))
                            keys |= {job.key for job in asked}
    assert len(keys) == 2 * 2 * 2 * 2 * 3 * (len(keys) // 48)
    other = Source(3, 5, "exploration", "as if once more", shared_state=True, repeat=0)
    assert not {job.key for job in jobs(other, "search", 100)} & keys


@pytest.mark.parametrize("stage", ["search", "test", "single"])
@pytest.mark.parametrize("policy", ["uniform", "exploration"])
def test_a_row_is_plain_data_and_a_function_of_its_key(stage: str, policy: str) -> None:
    source = Source(3, 5, policy, "first", shared_state=True, repeat=3)  # type: ignore[arg-type]  # the names are the literals
    job = jobs(source, stage, 600, 40)[0]  # type: ignore[arg-type]  # the names are the literals
    first, again = job.run(), pickle.loads(pickle.dumps(job.run))()
    assert first == again == json.loads(json.dumps(first))


def test_the_shared_state_changes_the_first_half_only_a_little() -> None:
    """One observation of fifty: other counts, so that some K may change; most do not."""
    apart, shared = (
        row(Source(3, 5, "uniform", "first", state, 0), "search", 100, 50_000, range(20))
        for state in (False, True)
    )
    assert apart != shared


def test_the_whole_protocol_on_the_smallest_loops() -> None:
    """T_max is printed as 4·10³ (l. 1953); over repeats it is 3 to 9·10³."""
    protocol = Protocol((3, 5))
    rows = carried_out(study(protocol), lambda job: job.run())
    result = outcome(protocol, rows)
    assert result is not None
    assert (result.decade, result.single_right) == (4, 20)
    assert 3_000 <= result.t_max <= 9_000
    assert 2_000 <= result.t_median <= result.t_max
    assert 12 < result.right_lags[0] <= result.k_opt <= result.right_lags[1] < 100


def test_every_variation_differs_in_one_choice() -> None:
    usual = asdict(Choices())
    named = [
        [name for name, value in asdict(choices).items() if value != usual[name]]
        for _, choices in variations()
    ]
    assert named[0] == []
    assert all(len(names) == 1 for names in named[1:])
    assert {name for names in named for name in names} == set(Choices.__slots__)


def test_differences_share_what_the_readings_have_in_common() -> None:
    truth = Truth(
        from_length(900, [20, 31], late=1_500), tested=lambda length: 20 if length > 1_200 else 3
    )
    protocol = Protocol((3, 5))
    all_readings = [run for _, runs in readings(protocol, 2) for run in runs]
    assert len(all_readings) == 2 * 7
    rows = carried_out(together(all_readings), truth.row)
    found_differences = {one.name: one for one in differences(protocol, 2, rows)}
    assert len(found_differences) == 7
    assert found_differences["as assumed"].spread.t_max == ((2_000, 2),)
    assert found_differences["19 of 20 are enough to end the decades"].changed == 2
    assert found_differences["the halves share no state"].changed == 0
    assert found_differences["K_opt: the higher of the middle two"].spread.k_opt == (26, 26, 26)
    searches = [key for key in rows if " search " in key and "halves=shared" in key]
    assert len(searches) == len({key for key in searches if "repeat=00" in key}) * 2
    assert differences(protocol, 2, {}) == []


def test_the_spread_over_repeats() -> None:
    truth = Truth(
        from_length(900, [20, 31], late=900), tested=lambda length: 20 if length > 700 else 10
    )
    protocols = repeats(Protocol((3, 5)), 3)
    rows = carried_out(together(protocols), truth.row)
    outcomes = [one for protocol in protocols if (one := outcome(protocol, rows)) is not None]
    assert spread(outcomes).t_max == ((800, 3),)
    assert spread(outcomes).t_median == ((100, 3),)
    assert all(one.single_right == 20 for one in outcomes)


def test_rows_that_are_not_ours_are_refused() -> None:
    protocol = Protocol((3, 5))

    def strange(job: Job) -> Mapping[str, str]:
        return {"trajectories": job.key}

    with pytest.raises(SteelError, match="expected a list"):
        carried_out(study(protocol), strange)


def test_outcomes_in_place_of_rows_tell_the_same() -> None:
    truth = Truth(
        from_length(900, [20, 31], late=1_500), tested=lambda length: 20 if length > 1_200 else 3
    )
    protocol = Protocol((3, 5))
    runs = [run for _, several in readings(protocol, 3) for run in several]
    made_with = {"versions": {"python": "3"}}
    rows = {
        key: {**row, **made_with}
        for key, row in carried_out(together(runs), truth.row).items()
        if "repeat=02 test" not in key
    }
    fewer = condensed(rows, runs)
    assert len(fewer) < 0.6 * len(rows)
    assert [outcome(run, fewer) for run in runs] == [outcome(run, rows) for run in runs]
    assert outcome(runs[2], fewer) is None
    assert study(runs[2])(fewer)[0].key == study(runs[2])(rows)[0].key
    assert differences(protocol, 2, fewer) == differences(protocol, 2, rows)
    assert curves(protocol, fewer) == curves(protocol, rows)
    assert condensed(fewer, runs) == fewer
    assert all(row["versions"] == made_with["versions"] for row in fewer.values())


def test_an_outcome_is_read_back_or_refused() -> None:
    truth = Truth(from_length(100, [41, 50], late=100), tested=lambda _: 20, lags=50)
    kept = as_row(found(truth))
    assert outcome_of(json.loads(json.dumps(kept))) == found(truth)
    for wrong in ({**kept, "k_opt": "7"}, {**kept, "single": 20}, {"k_opt": 7}):
        with pytest.raises(SteelError):
            outcome_of(wrong)
