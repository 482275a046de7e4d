"""The tool that makes mutants makes them, and sees which are killed."""

from __future__ import annotations

import gc
from itertools import pairwise
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import pytest

from steel_verified.theory.progressions import Level, Progression

from .mutants.forks import Died, Ended, allow, forked
from .mutants.places import Mutant, mutants_of
from .mutants.reasons import complaints, reasons
from .mutants.trials import make_the_mistake

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
IN_STEP = Progression(5, (Level(2, 7), Level(4, 2)))
MUTANTS = {
    (mutant.function, mutant.mistake): mutant
    for mutant in mutants_of(ROOT / "steel_verified" / "theory" / "progressions.py", ROOT)
}


def passes(mutant: Mutant, functions: list[FunctionType]) -> bool:
    """A test of gaps, on code with the mistake."""
    make_the_mistake(mutant, functions)
    times = list(IN_STEP)
    return IN_STEP.gap == min(b - a for a, b in pairwise(times)) and len(times) == 8


@pytest.mark.parametrize(
    ("function", "mistake", "survives"),
    [
        ("Progression.gap", "`level.stride - span` → `level.stride + span`", False),
        ("Progression.gap", "`for level in reversed(self.levels):`: only once", False),
        (
            "Progression.__iter__",
            "`range(self.levels[0].count)` → `range(self.levels[0].stride)`",
            False,
        ),
        # Of two equal gaps either is the smallest.
        (
            "Progression.gap",
            "`level.stride - span < smallest` → `level.stride - span <= smallest`",
            True,
        ),
    ],
)
def test_mistakes_are_made_and_seen(function: str, mistake: str, *, survives: bool) -> None:
    mutant = MUTANTS[function, mistake]
    functions = [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]
    assert forked(lambda _: passes(mutant, functions)) == Ended(survives)
    assert IN_STEP.gap == 1, "the mistake was made in a copy"


def endless(say: Callable[[str], object]) -> None:
    say("about to loop")
    allow(0.05)
    while True:
        pass


def test_what_comes_to_no_end_is_stopped() -> None:
    outcome = forked(endless)
    assert isinstance(outcome, Died)
    assert outcome.out_of_time
    assert outcome.last_words == "about to loop"


def test_texts_and_types_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(
        "from __future__ import annotations\n"
        "def f(x: tuple[int, ...] = (1, 2)) -> int:\n"
        "    if x[0] < 1:\n"
        "        what = str(3)\n"
        "        raise ValueError(4, what)\n"
        "    return x[0]\n"
    )
    found = mutants_of(file, tmp_path)
    assert {mutant.left_out for mutant in found if mutant.row in (4, 5)} == {"message"}
    assert {mutant.mistake for mutant in found if not mutant.left_out and mutant.function} == {
        "`if x[0] < 1:` → `if not x[0] < 1:`",
        "`if x[0] < 1:`: left out",
        "`x[0] < 1` → `x[0] <= 1`",
        "`x[0] < 1` → `x[0] < 2`",
        "`x[0] < 1` → `x[0] < 0`",
        "`x[0]` → `x[1]`",
        "`x[0]` → `x[-1]`",
        "`x[0]` → `x[1]` (2)",
        "`x[0]` → `x[-1]` (2)",
    }
    assert len({mutant.name for mutant in found}) == len(found)


def test_every_survivor_needs_a_reason_and_every_reason_a_survivor() -> None:
    one, other = ("a.py", "f", "`1` → `2`"), ("a.py", "f", "`1` → `0`")
    assert complaints([one], [other], {one: "equal"}) == []
    assert len(complaints([one], [other], {other: "equal"})) == 2


def test_reasons_are_about_mutants_that_can_be_made() -> None:
    """A reason outlives the line of its mutant, not the code that it speaks of."""
    given = reasons()
    made = {
        mutant.name
        for path in {path for path, _, _ in given}
        for mutant in mutants_of(ROOT / path, ROOT)
    }
    assert given.keys() <= made
