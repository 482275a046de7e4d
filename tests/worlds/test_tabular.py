"""Tables, chains and tabular worlds: against networkx, step by step, and by their exact laws."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steel_verified.errors import InvalidArgument
from steel_verified.evidence.plans import Plan
from steel_verified.strategies import chains, distributions, ex_bmdps
from steel_verified.theory.progressions import Level, Progression
from steel_verified.worlds.chains import (
    Chain,
    Distribution,
    common_denominator,
    distance_from_stationarity,
    mixing_time,
    stationary,
    thresholds,
)
from steel_verified.worlds.dynamics import Dynamics, orbit, read_table, times_of
from steel_verified.worlds.tabular import (
    ExBmdp,
    HiddenModel,
    HiddenWorld,
    TabularNoise,
    certain,
    law,
    tabular_world,
)

from .laws_of_data import chance, difference, too_far

if TYPE_CHECKING:
    from pathlib import Path

    from hypothesis.strategies import SearchStrategy

    from steel_verified.worlds.dynamics import Table
    from steel_verified.worlds.tabular import Law


ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)


@given(world=ex_bmdps(), seed=st.integers(0, 99), data=st.data())
def test_the_noise_does_not_depend_on_cuts_actions_or_order(
    world: ExBmdp, seed: int, data: st.DataObject
) -> None:
    """Asked at once or bit by bit, backwards or forwards: the noise at a time is the same."""
    times = np.array(data.draw(st.lists(st.integers(0, 40_000), min_size=1, max_size=20)))
    at_once = TabularNoise(world, seed).states(times)
    one_by_one = TabularNoise(world, seed)
    assert [int(one_by_one.states(np.array([t]))[0]) for t in times] == at_once.tolist()
    acting = tabular_world(world, seed)
    for steps in data.draw(st.lists(st.integers(1, 5000), max_size=4)):
        word = tuple(
            data.draw(st.lists(st.integers(0, acting.actions - 1), min_size=1, max_size=3))
        )
        acting.run(Plan(word, steps)).rows((Progression(1, (Level(steps, 1),)),))
    assert TabularNoise(world, seed).states(times).tolist() == at_once.tolist()


@given(world=ex_bmdps(), seed=st.integers(0, 99))
def test_observations_come_from_the_latent_state(world: ExBmdp, seed: int) -> None:
    """Block property: every observation is owned by the latent state at its time."""
    word = tuple(range(world.dynamics.actions))
    times = Progression(1, (Level(300, 1),))
    seen = tabular_world(world, seed).run(Plan(word, 300)).rows((times,))[0]
    loop = orbit(world.dynamics, world.start, word)
    owners = world.encoder()
    assert [owners[x] for x in seen] == [loop.at(t) for t in times]


def weather() -> ExBmdp:
    """One latent state; a chain of three noise states, seen through a coin."""
    rows = (
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
        (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
        (Fraction(2, 3), Fraction(0), Fraction(1, 3)),
    )
    coins = ((HALF, HALF, ZERO), (ZERO, HALF, HALF), (HALF, ZERO, HALF))
    return ExBmdp(
        dynamics=Dynamics(((0,),)),
        noise=Chain(rows),
        initial_noise=(Fraction(1, 12), Fraction(2, 12), Fraction(9, 12)),
        emission=(coins,),
        start=0,
    )


def kernel(steps: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = np.array([[float(p) for p in row] for row in weather().noise.rows])
    return np.linalg.matrix_power(rows, steps)


def runs_of_weather(time: int, runs: int) -> list[list[int]]:
    """The noise states up to a time, in many runs that differ in their seed."""
    world = weather()
    return [TabularNoise(world, seed).states(np.arange(time + 1)).tolist() for seed in range(runs)]


def test_noise_follows_the_initial_law_and_the_law_after_some_steps() -> None:
    """False alarm below 10⁻⁶ each; a shift of 0.09 in a weight is seen with 99 %."""
    runs = runs_of_weather(3, 2000)
    initial = np.array([float(p) for p in weather().initial_noise])
    for time in (0, 1, 3):
        counted = [sum(run[time] == e for run in runs) for e in range(3)]
        assert not too_far(counted, (initial @ kernel(time)).tolist(), alarm=1e-6)
        shifted = (initial @ kernel(time) + np.array([0.09, -0.09, 0])).tolist()
        assert too_far(counted, shifted, alarm=1e-6)


@pytest.mark.parametrize("lag", [1, 2, 7])
def test_noise_transitions_at_several_lags_follow_the_chain(lag: int) -> None:
    """Transitions of one long run, given where they start; around a block's border, too."""
    states = TabularNoise(weather(), 5).states(np.arange(60_000))
    border = TabularNoise(weather(), 5).states(np.arange(4096 - lag, 4096 + 1))
    assert border.tolist() == states[4096 - lag : 4097].tolist()
    for e in range(3):
        # Starts at least 20 steps apart are all but independent (TV below 10⁻⁸).
        starts = np.flatnonzero(states[: -lag - 20 : 20] == e) * 20
        arrivals = states[starts + lag].tolist()
        counted = [arrivals.count(f) for f in range(3)]
        assert not too_far(counted, kernel(lag)[e].tolist(), alarm=1e-6)


def test_emissions_have_their_law_and_are_independent_of_moves() -> None:
    noise = TabularNoise(weather(), 8)
    times = np.arange(40_000)
    states = noise.states(times)
    seen = noise.observations(times, np.zeros(len(times), dtype=np.int64))
    for e in range(3):
        for after in range(3):
            here = (states[:-1] == e) & (states[1:] == after)
            if here.sum() > 100:
                counted = [int((seen[:-1][here] == x).sum()) for x in range(3)]
                law = [float(p) for p in weather().emission[0][e]]
                assert not too_far(counted, law, alarm=1e-6)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"start": 1}, "start"),
        ({"initial_noise": (ONE,)}, "initial_noise"),
        ({"emission": ()}, "emission"),
        ({"emission": (((ONE,),),)}, r"emission\[0\]"),
    ],
)
def test_worlds_that_do_not_fit_together_are_refused(change: dict[str, object], why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        replace(weather(), **change)  # type: ignore[arg-type]  # wrong on purpose


def test_emission_shared_by_two_states_is_refused() -> None:
    """Both states emit observation 0."""
    with pytest.raises(InvalidArgument, match="observation 0: expected only observations"):
        ExBmdp(
            dynamics=Dynamics(((1,), (0,))),
            noise=Chain(((ONE,),)),
            initial_noise=(ONE,),
            emission=(((ONE, ZERO),), ((HALF, HALF),)),
            start=0,
        )


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ((), "at least one state"),
        (((),), "at least one"),
        (((0, 0), (0,)), r"table\[1\]"),
        (((0, 2), (0, 1)), "states from 0 to 1"),
        (((1,), (2,), (1,)), r"2 components \[0\], \[1, 2\]"),
    ],
)
def test_dynamics_that_steel_cannot_learn_are_refused(
    table: tuple[tuple[int, ...], ...], why: str
) -> None:
    with pytest.raises(InvalidArgument, match=why):
        Dynamics(table)


@given(data=st.data(), world=ex_bmdps())
def test_orbit_agrees_with_walking_step_by_step(data: st.DataObject, world: ExBmdp) -> None:
    truth = world.dynamics
    word = tuple(data.draw(st.lists(st.integers(0, truth.actions - 1), min_size=1, max_size=5)))
    loop = orbit(truth, world.start, word)
    states, here = [], world.start
    for t in range(120):
        states.append(here)
        here = truth.table[here][word[t % len(word)]]
    assert [loop.at(t) for t in range(120)] == states
    assert loop.at_each(np.arange(120)).tolist() == states
    assert loop.transient % len(word) == 0
    levels = (Level(data.draw(st.integers(1, 4)), 25), Level(3, data.draw(st.integers(1, 8))))
    times = Progression(data.draw(st.integers(0, 9)), levels)
    assert loop.within(times) == {states[t] for t in times}
    assert times_of([times, times]).tolist() == [*times, *times]


HALF = Fraction(1, 2)


@given(chain=chains())
def test_stationary_distribution_is_invariant_under_a_step(chain: Chain) -> None:
    pi = stationary(chain)
    after = tuple(
        sum((pi[e] * chain.rows[e][f] for e in range(len(chain))), Fraction(0))
        for f in range(len(chain))
    )
    assert after == pi
    assert sum(pi) == 1
    assert min(pi) > 0


@given(chain=chains(max_size=3))
def test_mixing_time_is_the_least_one_found_step_by_step(chain: Chain) -> None:
    """Against walking one step at a time, and the distance never grows."""
    t = mixing_time(chain)
    assert t >= 1
    distances = [distance_from_stationarity(chain, n) for n in range(1, min(t, 40) + 1)]
    assert all(a >= b for a, b in pairwise(distances))
    assert distance_from_stationarity(chain, t) <= Fraction(1, 4)
    assert t == 1 or distance_from_stationarity(chain, t - 1) > Fraction(1, 4)


@given(on=st.integers(1, 11), off=st.integers(1, 11), steps=st.integers(1, 30))
def test_distance_of_two_state_chain_equals_the_papers_formula(
    on: int, off: int, steps: int
) -> None:
    """|1 − ε₀ − ε₁|ⁿ·max(ε₀, ε₁)/(ε₀ + ε₁) (l. 1607)."""
    up, down = Fraction(on, 12), Fraction(off, 12)
    chain = Chain(((1 - up, up), (down, 1 - down)))
    expected = abs(1 - up - down) ** steps * max(up, down) / (up + down)
    assert distance_from_stationarity(chain, steps) == expected


@given(law=distributions(4))
def test_thresholds_give_the_law_exactly(law: Distribution) -> None:
    whole = common_denominator([law])
    edges = thresholds(law, whole)
    drawn = [sum(edge <= u for edge in edges) for u in range(whole)]
    assert tuple(Fraction(drawn.count(x), whole) for x in range(4)) == law


def test_accepted_chains_agree_with_networkx_on_all_small_graphs() -> None:
    for n in (1, 2, 3):
        sets = [own for size in range(1, n + 1) for own in combinations(range(n), size)]
        for leads in product(sets, repeat=n):
            rows = tuple(
                tuple(Fraction(int(f in own), len(own)) for f in range(n)) for own in leads
            )
            graph: nx.DiGraph[int] = nx.DiGraph()
            graph.add_edges_from((e, f) for e, own in enumerate(leads) for f in own)
            if nx.is_strongly_connected(graph) and nx.is_aperiodic(graph):
                assert Chain(rows)
            else:
                with pytest.raises(InvalidArgument):
                    Chain(rows)


def test_weights_with_a_huge_common_denominator_raise() -> None:
    with pytest.raises(InvalidArgument, match="common denominator"):
        common_denominator([(Fraction(1, 3**40), 1 - Fraction(1, 3**40))])


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (((HALF, Fraction(1, 3)), (HALF, HALF)), "sum to 1"),
        (((Fraction(3, 2), -HALF), (HALF, HALF)), "nonnegative"),
        (((HALF, HALF),), "entries"),
    ],
)
def test_rows_that_are_no_laws_are_refused(rows: tuple[Distribution, ...], why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        Chain(rows)


def graph(table: Table) -> nx.DiGraph[int]:
    edges: nx.DiGraph[int] = nx.DiGraph()
    edges.add_edges_from((state, to) for state, row in enumerate(table) for to in row)
    return edges


@pytest.mark.parametrize(("states", "actions"), [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1)])
def test_dynamics_agree_with_networkx_on_all_small_tables(states: int, actions: int) -> None:
    """Every table is accepted or refused as networkx says, and has the diameter it says."""
    rows = list(product(range(states), repeat=actions))
    for table in product(rows, repeat=states):
        if nx.is_strongly_connected(graph(table)):
            assert Dynamics(table).diameter == nx.diameter(graph(table))
        else:
            with pytest.raises(InvalidArgument, match="every state to reach every other"):
                Dynamics(table)


@pytest.mark.parametrize(
    ("name", "text"),
    [("t.csv", "1,0\n0, 1\n\n"), ("t.csv", '"1","0"\r\n0,1'), ("t.json", "[[1, 0], [0, 1]]")],
)
def test_tables_are_read_from_json_and_csv(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    assert read_table(file).table == ((1, 0), (0, 1))


@pytest.mark.parametrize(
    "entry", ["１", "٠", "+1", "1_0", "-1", "0x1", "1.0", "one", "", "9" * 5000, "true"]
)
def test_only_plain_state_numbers_are_read_from_csv(entry: str, tmp_path: Path) -> None:
    """Python's `int` takes digits of all alphabets, signs and underscores."""
    file = tmp_path / "t.csv"
    file.write_text(f"1,0\n{entry},1\n", encoding="utf-8")
    with pytest.raises(InvalidArgument, match=r"line 2.*state numbers separated by commas"):
        read_table(file)


def few_laws(size: int) -> SearchStrategy[Law]:
    """Certain outcomes and fair coins: few laws, so that equal models are often drawn."""
    outcome = st.integers(0, size - 1)
    return st.builds(
        lambda one, other: law({one: HALF, other: HALF}) if one != other else certain(one),
        outcome,
        outcome,
    )


@st.composite
def models(draw: st.DrawFn) -> HiddenModel:
    size = draw(st.integers(1, 3))
    return HiddenModel(
        draw(few_laws(size)),
        tuple((draw(few_laws(size)), draw(few_laws(size))) for _ in range(size)),
        tuple(draw(few_laws(2)) for _ in range(size)),
    )


@given(one=models(), other=models())
def test_exact_difference_agrees_with_summing_over_all_histories(
    one: HiddenModel, other: HiddenModel
) -> None:
    """Two models with n hidden states in all differ within n steps, if they differ at all."""
    found = difference(one, other, first_action=0)
    longest = min(4, len(one) + len(other)) if found is None else len(found.history)
    for steps in range(1, min(longest, 5) + 1):
        for taken in product((0, 1), repeat=steps - 1):
            for seen in product((0, 1), repeat=steps):
                history = tuple(zip((0, *taken), seen, strict=True))
                chances = chance(one, history), chance(other, history)
                if found is None or steps < len(found.history):
                    assert chances[0] == chances[1]
                elif history == found.history:
                    assert chances == found.chances
                    assert chances[0] != chances[1]


def test_simulated_histories_follow_the_exact_law() -> None:
    """False alarm below 10⁻⁶; a law with 1/3 in place of 1/2 is seen with more than 99 %."""
    moves = ((law({0: HALF, 1: HALF}), certain(1)), (certain(0), law({0: HALF, 1: HALF})))
    shows = (certain(0), law({0: Fraction(1, 3), 1: Fraction(2, 3)}))
    model = HiddenModel(certain(0), moves, shows)
    taken = (0, 1, 1)
    times = tuple((Progression(t),) for t in (1, 2, 3))
    counted = Counter(
        tuple(int(row[0]) for row in HiddenWorld(model, seed).run(Plan(taken, 3)).rows(*times))
        for seed in range(2000)
    )
    histories = list(product((0, 1), repeat=3))
    counts = [counted[seen] for seen in histories]
    other = replace(model, start=certain(1))
    for right, of in ((True, model), (False, other)):
        exact = [float(chance(of, tuple(zip(taken, seen, strict=True)))) for seen in histories]
        assert too_far(counts, exact, alarm=1e-6) is not right


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"start": ((0, HALF),)}, "start"),
        ({"start": certain(2)}, "outcomes from 0 to 1"),
        ({"shows": (certain(0),)}, "shows"),
        ({"moves": ((certain(0),), ())}, r"moves\[1\]"),
    ],
)
def test_models_that_do_not_fit_together_are_refused(change: dict[str, object], why: str) -> None:
    model = HiddenModel(certain(0), ((certain(1),), (certain(0),)), (certain(0), certain(1)))
    with pytest.raises(InvalidArgument, match=why):
        replace(model, **change)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="denominator"):
        HiddenWorld(replace(model, start=law({0: HALF, 1: HALF})), 0, denominator=3)
