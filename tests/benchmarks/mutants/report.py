"""The report on all mutants, as a page."""

from __future__ import annotations

import platform
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tests.benchmarks.mutants.places import RULES
from tests.benchmarks.mutants.trials import AT_IMPORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.benchmarks.mutants.reasons import Name
    from tests.benchmarks.mutants.trials import Verdict

_LIBRARIES: Final = ("pytest", "hypothesis", "numpy", "python-flint", "sympy")


@dataclass(frozen=True, slots=True)
class Room:
    """What came of the mutants of one room."""

    name: str
    made: int
    """How many there are; fewer are judged if a sample was asked for."""
    left_out: Mapping[str, int]
    verdicts: Sequence[Verdict]

    @property
    def killed(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if not verdict.survived]

    @property
    def survivors(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.survived]


def page(
    rooms: Sequence[Room],
    laws: frozenset[str],
    reasons: Mapping[Name, str],
    command: str,
    seconds: float,
) -> str:
    """The part of the report about mutants of the code; `laws` are the tests that are laws."""
    versions = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    lines = [
        "# Mutants",
        "",
        f"Written by `{command}` with Python {platform.python_version()}, {versions}, in",
        f"{seconds / 60:.0f} minutes.",
        "",
        "## Mistakes in the code",
        "",
        *_table(
            ("room", "mutants", "judged", "killed", "of these endless", "survive", "killed, %"),
            [
                (
                    room.name,
                    room.made,
                    len(room.verdicts),
                    len(room.killed),
                    sum(verdict.endless for verdict in room.killed),
                    len(room.survivors),
                    f"{100 * len(room.killed) / len(room.verdicts):.1f}",
                )
                for room in rooms
            ],
        ),
        "",
        "Which test failed first. Laws (tests marked `properties`) and claims come first, then single",
        "examples; the cheapest first. So what an example killed, no law and no claim saw in the time",
        "given; of two laws, the other may have seen it as well.",
        "",
        *_table(
            ("killed by", *(room.name for room in rooms)),
            _killers(rooms, laws),
        ),
        "",
        "Not counted, by rule:",
        "",
        *_table(
            ("rule", *(room.name for room in rooms)),
            [(text, *(room.left_out.get(rule, 0) for room in rooms)) for rule, text in RULES.items()],
        ),
        "",
        "### Survivors",
        "",
    ]
    survivors = [verdict.mutant for room in rooms for verdict in room.survivors]
    for path, inside in groupby(survivors, key=lambda name: name[0]):
        lines += [f"`{path}`", ""]
        lines += [
            f"- {f'`{function}`: ' if function else ''}{mistake}. {reasons.get(name, '?')}"
            for name in inside
            for _, function, mistake in [name]
        ]
        lines.append("")
    return "\n".join(lines)


def _killers(rooms: Sequence[Room], laws: frozenset[str]) -> list[tuple[object, ...]]:
    counts = [Counter(_kind(verdict.killer, laws) for verdict in room.killed) for room in rooms]
    kinds = sorted({kind for count in counts for kind in count}, key=lambda kind: (kind[1], kind[0]))
    return [
        (f"{what} in {where}" if where else what, *(count[where, what] for count in counts))
        for where, what in kinds
    ]


def _kind(killer: str, laws: frozenset[str]) -> tuple[str, str]:
    if killer == AT_IMPORT:
        return "", "tests could not be collected"
    if "::test_earned" in killer:
        return "", "claims"
    folder = killer.split("::")[0].rsplit("/", 1)[0] if killer.count("/") > 1 else killer.split("::")[0]
    return f"`{folder}`", "laws" if killer in laws else "single examples"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(map(str, row))} |" for row in rows),
    ]
