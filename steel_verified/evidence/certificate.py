"""The certificate of a run: everything that was decided, when it was sampled, and what it cost.

It holds no observation. What is regular is written as [first, count, stride]. The independent
checker (`proofs_checks.checker`) recomputes all of it from the parameters and the verdicts.
"""

from __future__ import annotations

import platform
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.evidence.codec import Format
from steel_verified.learning.ledger import Added, Certified, Ran
from steel_verified.theory.counts import initial_rollout
from steel_verified.theory.schedules import FixedByVerdicts, position_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from steel_verified.evidence.codec import Json
    from steel_verified.learning.ledger import Call, Ledger, Row
    from steel_verified.learning.steel import Learned
    from steel_verified.theory.progressions import Progression
    from steel_verified.theory.recipe import Recipe

CERTIFICATE: Final = Format("steel-certificate", 1)

ASSUMPTIONS: Final = (
    "the latent dynamics are deterministic, and every state reaches every other",
    "the noise ignores actions, is irreducible and aperiodic, and mixes within mixing_time",
    "there are at most max_states states, at most max_diameter steps apart",
    "F has at most class_size classifiers, one-versus-rest ones for each state among them",
    "the oracle returns a separating classifier whenever there is one",
)


def certificate(
    learned: Learned[int], recipe: Recipe, provenance: Mapping[str, Json]
) -> dict[str, Json]:
    """The certificate of a finished run; `provenance` says where it came from (versions, seeds)."""
    rows = learned.ledger.rows
    calls = tuple(_calls(recipe, learned.ledger))
    return {
        **CERTIFICATE.header,
        "recipe": recipe.name,
        "parameters": {
            name: str(value) if isinstance(value, Fraction) else value
            for name, value in asdict(recipe.parameters).items()
        },
        "assumptions": ASSUMPTIONS,
        "calls": calls,
        "tour": _tour(rows),
        "encoder": _encoder(learned, rows),
        "table": learned.model.table,
        "current": learned.current,
        "spent": str(learned.ledger.budget.spent),
        "steps": learned.ledger.steps,
        "provenance": provenance,
    }


def provenance(world: str, seeds: Mapping[str, Json]) -> dict[str, Json]:
    """Where a run came from: the world, its seeds, and the versions that ran it."""
    from importlib.metadata import version  # noqa: PLC0415 (only a certificate needs it)

    names = ("steel_verified", "numpy", "python-flint")
    return {
        "world": world,
        "seeds": seeds,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in names},
    }


def _calls(recipe: Recipe, ledger: Ledger) -> Iterator[Json]:
    known = 0
    for call in ledger.calls():
        yield _call(recipe, call, known)
        known += len(call.kept)


def _call(recipe: Recipe, call: Call, known: int) -> Json:
    positions = position_times(recipe, len(call.word), call.period, call.naming.because)
    return {
        "start": call.runs[0].start,
        "word": call.word,
        "initial_steps": initial_rollout(recipe, len(call.word)),
        "steps": call.steps,
        "period_tests": None if call.finding is None else _tests(call.finding),
        "period_verdicts": _period_verdicts(recipe.parameters.max_states, call.period),
        "period": call.period,
        "position_tests": _tests(call.naming),
        "positions": [
            {"A": _times(times.early), "B": _times(times.late), "verdicts": bits, "label": label}
            for times, bits, label in zip(
                positions, _label_verdicts(call.labels, known), call.labels, strict=True
            )
        ],
        "added": [list(transition) for transition in call.added.transitions],
        "current": call.added.current,
    }


def _tests(row: Certified) -> Json:
    earlier = row.because.earlier if isinstance(row.because, FixedByVerdicts) else 0
    return {
        "id": row.number,
        "after": earlier,
        "samples": row.charge.samples,
        "charge": str(row.charge.amount),
    }


def _period_verdicts(max_states: int, period: int) -> str:
    """One bit for each test, from N down: 1 where the datasets could be told apart."""
    if period == 1:
        return "0" * (max_states - 1)
    return "0" * (max_states - period) + "1"


def _label_verdicts(labels: Sequence[int], known: int) -> Iterator[str]:
    """For each position, one bit for each state it was tested against, up to the first match."""
    for label in labels:
        yield "1" * label + "0" if label < known else "1" * known
        known = max(known, label + 1)


def _times(times: Progression) -> list[int]:
    (level,) = times.levels
    return [times.first, level.count, level.stride]


def _tour(rows: Sequence[Row]) -> Json:
    """What was run after the last call, if anything."""
    last = max(n for n, row in enumerate(rows) if isinstance(row, Added))
    home = rows[last]
    for run in rows[last:]:
        if isinstance(run, Ran) and isinstance(home, Added):
            return {
                "start": run.start,
                "home": home.current,
                "cycle": run.plan.word,
                "passes": run.plan.steps // len(run.plan.word),
                "kept": [_times(times) for times in run.plan.keeps],
            }
    return None


def _encoder(learned: Learned[int], rows: Sequence[Row]) -> Json:
    for row in rows:
        if isinstance(row, Certified) and row.question == "encoder":
            return {"tests": _tests(row), "classifiers": learned.classifiers}
    return None
