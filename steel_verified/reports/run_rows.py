"""The recorded rows of groups of runs, as the tables use them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from steel_verified.errors import SteelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from steel_verified.experiments.steel_runs import SteelRuns
    from steel_verified.sweeps.study import Row


@dataclass(frozen=True, slots=True)
class Runs:
    """The rows of one group of runs."""

    rows: Sequence[Row]

    def numbers(self, field: str) -> list[int]:
        """The integer in this field of each row; raises `SteelError` for any other value."""
        return [_number(row, field) for row in self.rows]

    @property
    def successes(self) -> int:
        """How many runs learned both the dynamics and the encoder correctly."""
        return sum(
            bool(row.get("dynamics_right")) and bool(row.get("encoder_right")) for row in self.rows
        )


def steel_runs(rows: Mapping[str, Row], *groups: SteelRuns) -> Runs | None:
    """The rows of these groups with the paper's algorithm, or None if some are missing."""
    return _found(rows, (key for group in groups for key in group.keys))


def located_runs(rows: Mapping[str, Row], *groups: SteelRuns) -> Runs | None:
    """The rows of these groups with located STEEL, or None if some are missing."""
    return _found(rows, (key for group in groups for key in group.located_keys))


def _found(rows: Mapping[str, Row], keys: Iterable[str]) -> Runs | None:
    listed = list(keys)
    return Runs([rows[key] for key in listed]) if all(key in rows for key in listed) else None


def _number(row: Row, field: str) -> int:
    value = row[field]
    if not isinstance(value, int):
        raise SteelError(f"{field} = {value} in a row of results: expected a whole number")
    return value
