"""AALpy's L* on the same automata: queries with resets, where STEEL takes steps without any.

L* sees no noise: after each step it is told a name for the state, as the encoder that STEEL learns
would. So this is what resets are worth, with perception solved.
"""

from __future__ import annotations

from functools import partial
from time import process_time
from typing import TYPE_CHECKING

from steel_verified.sweeps.study import Job
from steel_verified.worlds.catalogue import instance

from .methods import WORLDS

try:
    from aalpy.base import SUL
    from aalpy.learning_algs import run_Lstar
    from aalpy.oracles import StatePrefixEqOracle
except ImportError as _missing:
    raise ImportError("L* of this study needs AALpy: pip install aalpy") from _missing

if TYPE_CHECKING:
    from steel_verified.sweeps.study import Row
    from steel_verified.worlds.dynamics import Dynamics


class Resettable(SUL):
    """The dynamics of a world, which each query begins in the same state."""

    def __init__(self, dynamics: Dynamics, start: int) -> None:
        super().__init__()
        self.table, self.start = dynamics.table, start
        self.state = start

    def pre(self) -> None:
        self.state = self.start

    def post(self) -> None: ...

    def step(self, letter: int | None) -> int:
        if letter is not None:
            self.state = self.table[self.state][letter]
        return self.state


def with_resets(world: str) -> Row:
    """Learn the dynamics of a world with L*, and compare them with the truth."""
    name, sizes = WORLDS[world]
    chosen = instance(name, 0, **sizes)
    automaton = Resettable(chosen.dynamics, chosen.start)
    letters = [*range(chosen.dynamics.actions)]
    check = StatePrefixEqOracle(letters, automaton, walks_per_state=1, walk_len=10)
    began = process_time()
    model, spent = run_Lstar(
        letters, automaton, check, automaton_type="moore", return_data=True, print_level=0
    )
    seconds = process_time() - began
    assert len(model.states) == chosen.dynamics.states
    for state in model.states:
        to = {letter: after.output for letter, after in state.transitions.items()}
        assert chosen.dynamics.table[state.output] == tuple(to[letter] for letter in letters)
    return {
        "queries": int(spent["queries_learning"]),
        "steps": int(spent["steps_learning"]),
        "checks": int(spent["queries_eq_oracle"]),
        "learn": round(1000 * seconds),
    }


def query_key(world: str) -> str:
    return f"L* on {world}"


def query_jobs() -> list[Job]:
    """All runs of this part of the study: on the worlds that all methods learn, and K = 100."""
    few = (world for world, (_, sizes) in WORLDS.items() if sizes.get("states", 0) <= 100)
    return [Job(query_key(world), partial(with_resets, world)) for world in few]
