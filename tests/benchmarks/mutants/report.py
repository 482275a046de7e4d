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
    from tests.benchmarks.mutants.statements import Statements
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
    statements: Statements | None,
    laws: frozenset[str],
    reasons: Mapping[Name, str],
    command: str,
    seconds: float,
) -> str:
    """The whole report; `laws` are the tests that are laws."""
    versions = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    lines = [
        "# Mutants",
        "",
        f"Written by `{command}`",
        f"with Python {platform.python_version()}, {versions}, in {seconds / 60:.0f} minutes.",
        "",
    ]
    if rooms:
        lines += _code(rooms, laws, reasons)
    if statements is not None:
        lines += _claims(statements)
    return "\n".join(lines)


def _code(rooms: Sequence[Room], laws: frozenset[str], reasons: Mapping[Name, str]) -> list[str]:
    lines = [
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
        "Which test failed first. Laws (marked `properties`) and claims come first, then",
        "single examples, the cheapest first. So what an example killed, no law and no claim saw",
        "in the time given; of two laws, the other may have seen it as well.",
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
            [
                (text, *(room.left_out.get(rule, 0) for room in rooms))
                for rule, text in RULES.items()
                if any(room.left_out.get(rule, 0) for room in rooms)
            ],
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
    return lines


def _claims(statements: Statements) -> list[str]:
    """The part about claims."""
    outcomes = Counter(judgement.outcome for judgement in statements.judgements)
    earned = [j.mutant for j in statements.judgements if j.outcome == "earned"]
    by_rule = Counter(statements.harmless.values())
    used = len(statements.judgements) - outcomes["unused"]
    caught = used - outcomes["earned"]
    judged = len(statements.judgements)
    lines = [
        "## Mistakes in the claims",
        "",
        f"The claims come with {statements.explicit} mutants written by hand, and",
        "`tests/proofs_checks/test_claims.py` sees that each of them is refused. Beside them,",
        "numbers, signs and comparisons were changed by rule, in statements and in checks:",
        f"{statements.made:,} such mistakes can be made, {judged} were drawn at random and judged.",
        f"{outcomes['unused']} lie where no check comes by (most serve mutants only). Of the other",
        f"{used}, {caught} are caught ({100 * caught / used:.1f} %), and",
        f"{len(statements.harmless)} more say nothing that is wrong, by rule.",
        "",
        *_table(
            ("outcome", "mutants"),
            [
                ("refused: not earned", outcomes["refused"]),
                ("stopped by another error", outcomes["stopped"]),
                ("came to no end", outcomes["endless"]),
                *((f"still earned: {rule}", number) for rule, number in by_rule.items()),
                ("still earned, for another reason", len(earned) - len(statements.harmless)),
            ],
        ),
        "",
        "Not counted, by rule:",
        "",
        *_table(
            ("rule", "mutants"),
            [(RULES[rule], number) for rule, number in sorted(statements.left_out.items())],
        ),
        "",
        "### Still earned, for another reason",
        "",
    ]
    rest = [name for name in earned if name not in statements.harmless]
    for path, inside in groupby(rest, key=lambda name: name[0]):
        lines += [f"`{path}`", ""]
        lines += [
            f"- {f'`{function}`: ' if function else ''}{text}" for _, function, text in inside
        ]
        lines.append("")
    return lines


def _where(name: Name, statements: Statements) -> str:
    place = name[1] or statements.entries.get(name, "")
    return f"`{place}`: " if place else ""


def _killers(rooms: Sequence[Room], laws: frozenset[str]) -> list[tuple[object, ...]]:
    counts = [Counter(_kind(verdict.killer, laws) for verdict in room.killed) for room in rooms]
    kinds = sorted(
        {kind for count in counts for kind in count}, key=lambda kind: (kind[1], kind[0])
    )
    return [
        (f"{what} in {where}" if where else what, *(count[where, what] for count in counts))
        for where, what in kinds
    ]


def _kind(killer: str, laws: frozenset[str]) -> tuple[str, str]:
    if killer == AT_IMPORT:
        return "", "tests could not be collected"
    if "::test_earned" in killer:
        return "", "claims"
    file = killer.split("::", maxsplit=1)[0]
    folder = file.rsplit("/", 1)[0] if file.count("/") > 1 else file
    return f"`{folder}`", "laws" if killer in laws else "single examples"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(map(str, row))} |" for row in rows),
    ]
