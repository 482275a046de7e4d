"""What a factored run learned, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.reports.tables import Column, Kind, Part, Prose, Style, Table, records

if TYPE_CHECKING:
    from steel_verified.evidence.codec import Json
    from steel_verified.using.factors import LearnedFactors
    from steel_verified.worlds.locks import Locks

_COLUMNS: Final = (
    Column("factor", Kind.NUMBER),
    Column("labels", Kind.NUMBER),
    Column("actions", Kind.NUMBER, heading="actions that act"),
    Column("coins", Kind.NUMBER),
    Column("truth", style=Style.NAME),
    Column("known", priority=1),
)


def as_json(learned: LearnedFactors, world: Locks) -> Json:
    joint = learned.product.joint_states
    return {
        "steps": learned.steps,
        "delta": str(learned.delta),
        "joint_states": {"number": joint.number, "is_exact": joint.is_exact},
        "independent": list(learned.product.independent),
        "factors": records(_table(learned, world)),
        "tables": [[list(line) for line in factor.table] for factor in learned.factors],
        "right": is_right(learned, world),
    }


def as_parts(learned: LearnedFactors, world: Locks) -> tuple[Part, ...]:
    first, *rest = str(learned).splitlines()
    text = [line for line in rest if not line.startswith("  factor")]
    return Prose(first), _table(learned, world), Prose(" ".join(text))


def is_right(learned: LearnedFactors, world: Locks) -> bool:
    """Whether the independent factors are exactly the locks, each once, with exact tables."""
    independent = [learned.factors[number] for number in learned.product.independent]
    return {world.lock_of(each) for each in independent} == {*range(len(world.indicators))}


def _table(learned: LearnedFactors, world: Locks) -> Table:
    def truth(number: int) -> str:
        lock = world.lock_of(learned.factors[number])
        return "no lock" if lock is None else f"lock {lock}, exactly"

    return Table(
        "Factors",
        _COLUMNS,
        tuple(
            (n, each.values, len(each.acting), each.coins, truth(n), learned.said_of(n))
            for n, each in enumerate(learned.factors)
        ),
    )
