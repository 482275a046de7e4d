"""The page on certain STEEL: its example happens as it is told, and its names exist."""

from __future__ import annotations

import re
from pathlib import Path

from steel_verified.learning.deciding import Decided, Open, decide
from steel_verified.learning.knowledge import bits, nothing_known
from steel_verified.reports.comparison import recorded
from steel_verified.reports.method_tables import three_methods_table2
from steel_verified.reports.tables import as_markdown

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "theory" / "certain.md").read_text(encoding="utf-8")
NAMES = ["A", "B", "n", "A∨n", "B∧n"]
ACTIONS = ["switch", "wait"]


LINE = re.compile(r"^\| (\d) \| ([AB]) \| ([01]) \| (.*) \| (\w*) ?\| ?(.*?) ?\|$", re.MULTILINE)


def shown(state: str, noise: str) -> list[str]:
    a, n = state == "A", noise == "1"
    values = [a, not a, n, a or n, not a and n]
    return [name for name, value in zip(NAMES, values, strict=True) if value]


def as_row(names: list[str]) -> int:
    return sum(1 << NAMES.index(name) for name in names)


def test_the_example_happens_as_it_is_told() -> None:
    lines = LINE.findall(PAGE)
    assert len(lines) == 7
    known, before, decided = nothing_known(5, 2), None, list[object]()
    for _, state, noise, listed, action, removed in lines:
        assert listed.split(", ") == shown(state, noise)
        row, out = as_row(listed.split(", ")), known.out
        known = known.with_transition((row, None, row) if before is None else (*before, row))
        gone = [NAMES[f] for f in bits(known.out & ~out)]
        assert gone == (removed.split(", ") if removed else [])
        decided.append(decide(known, row))
        before = (row, ACTIONS.index(action)) if action else None
    assert all(isinstance(decision, Open) for decision in decided[:-1])
    assert known.is_resolved
    match decided[-1]:
        case Decided(labels=labels, table=table):
            assert (labels, table) == (((0,), (1,)), ((1, 0), (0, 1)))
        case other:
            raise AssertionError(other)


def test_theorems_that_the_page_names_are_in_coq() -> None:
    named = re.findall(r"`(certain\.\w+|Theorems)\.(\w+)`", PAGE)
    assert len(named) >= 9
    for module, name in named:
        file = ROOT / "proofs_checks" / "coq" / f"{module.replace('.', '/')}.v"
        proved = re.findall(
            r"^(?:Lemma|Theorem) (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert name in proved


def test_the_page_has_the_recorded_table() -> None:
    table = three_methods_table2(recorded("table2"), recorded("located"), recorded("certain"))
    assert as_markdown(table) in PAGE
