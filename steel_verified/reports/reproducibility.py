"""The page of reproducibility: each printed number beside ours, from the rows that are shipped."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from steel_verified.reports import comparison
from steel_verified.reports.result_files import read
from steel_verified.reports.steel_tables import table2, table3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steel_verified.experiments.study import Row

_HEAD: Final = """\
# Reproducibility

The numbers of the paper's tables beside ours. This page is written by `steel reproduce page` from
the rows of runs in `steel_verified/experiments/recorded/`, which `steel reproduce table2 --results
steel_verified/experiments/recorded` and its like write; nothing on it is typed by hand. *Same* is
the printed number to its last digit; where a number is only *near*, the reason stands beside it.

Made with {versions}.
"""


def recorded(name: str) -> Mapping[str, Row]:
    """The rows of runs that are shipped with the package."""
    file = files("steel_verified.experiments") / "recorded" / f"{name}.jsonl"
    return read(file.read_bytes(), f"{name}.jsonl")


def page() -> str:
    """The whole page, as Markdown."""
    rows = {name: recorded(name) for name in ("table2", "table3")}
    made_with = {
        f"{name} {number}"
        for found in rows.values()
        for row in found.values()
        if isinstance(versions := row["versions"], dict)
        for name, number in versions.items()
    }
    tables = [table2(rows["table2"]), table3(rows["table3"])]
    head = _HEAD.format(versions=", ".join(sorted(made_with)))
    return head + "\n" + comparison.as_markdown(tables)
