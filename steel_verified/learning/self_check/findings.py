"""The findings of a run that was not accepted, as a file: partial model, ledger and rows.

The file has the format steel-findings. It contains the evidence against a condition, so that the
conclusion can be derived again: `rederived` replays the recorded calls, repeats the bets of the
self-check on the rows, or decides again from the rows of a certain run. Anyone who can edit the
file can forge a run.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from fractions import Fraction  # noqa: TC003 (msgspec reads the annotations)
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Format, opened, sealed
from steel_verified.evidence.entries import (
    Entry,
    Fixed,
    LabelsFound,
    Ran,
    Whole,
    of_plain,
    plain,
    rows_in,
)
from steel_verified.evidence.files import read_bytes, write_atomically
from steel_verified.evidence.ledger import Ledger, OpenedCertain, Opening
from steel_verified.evidence.observed import kept_of, packed_rows
from steel_verified.evidence.oracle import Declared  # noqa: TC001 (msgspec reads it)
from steel_verified.learning.deciding import Refuted, decide, steps_that_refute
from steel_verified.learning.knowledge import Knowledge, nothing_known
from steel_verified.learning.looped import (
    Call,
    require_bounds,
    require_few_states,
    require_whole_run,
    with_loop,
)
from steel_verified.learning.model import Model
from steel_verified.learning.reading import trajectories_of
from steel_verified.learning.results import Accepted, Contradicted, GivenUp, Result, require_result
from steel_verified.learning.self_check.rows import Kept, LoopRows, Terms
from steel_verified.learning.self_check.won import SelfChecked, check
from steel_verified.learning.slipping import Impossible, Slipping
from steel_verified.theory.conditions import AssumptionViolated, Cause, Condition
from steel_verified.theory.parameters import LocatedParameters, Parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


FINDINGS: Final = Format("steel-findings", 2)
LARGEST_FINDINGS: Final = 1 << 28
_PARAMETERS: Final[Mapping[str, type[Opening]]] = {
    "looped": Parameters,
    "located": LocatedParameters,
    "certain": OpenedCertain,
    "slipping": OpenedCertain,
}
"""The parameters of each method."""
_REMEDY: Final = "Write it again with steel learn --findings, or restore a copy"


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a run that was not accepted, read from a file."""

    world: str
    method: str
    contradicted: bool
    """Whether there is evidence against a condition."""
    because: str
    causes: tuple[Cause, ...]
    parameters: Opening
    model: Model
    steps: int
    spent: Fraction
    record: tuple[Entry, ...]
    """The ledger, in the form of certificates."""
    kept: Kept

    def derived_again(self) -> Rederived:
        """Derive the conclusion again from the rows and the record, without the file's sentence."""
        return rederived(self)


class CauseJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a condition, and the evidence against it."""

    condition: str
    because: str
    supported: bool = False


class LoopJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `LoopRows`, with its rows as bytes."""

    word: tuple[Whole, ...]
    cycle: tuple[Whole, ...]
    start: Whole
    times: tuple[Whole, ...]
    rows: bytes
    dense_from: Whole
    dense: bytes | None


class FindingsJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a file, without header and digest."""

    world: str
    method: Annotated[str, msgspec.Meta(pattern="^(looped|located|certain|slipping)$")]
    contradicted: bool
    because: str
    causes: tuple[CauseJson, ...]
    parameters: dict[str, int | str | None]
    functions: Declared = msgspec.field(name="class")
    table: tuple[tuple[Whole | None, ...], ...]
    steps: Whole
    spent: Fraction
    record: tuple[dict[str, object], ...]
    loops: tuple[LoopJson, ...]
    tested: Terms | None


def save_findings(result: Result, path: Path | str, *, world: str = "") -> None:
    """Write the findings of a run that was not accepted: partial model, ledger, rows and causes.

    Raises `InvalidArgument` for an accepted result, and if the file cannot be written.
    """
    require_result(result)
    if isinstance(result, Accepted):
        expected = "a run that was not accepted; use Learned.save and certificate for this one"
        raise InvalidArgument("result", "Accepted", expected)
    write_atomically(Path(path), findings_as_bytes(result, world))


def load_findings(path: Path | str) -> Findings:
    """Read findings; raise `InvalidArgument` if there is no file, `Unreadable` if it is invalid."""
    return findings_of(read_bytes(Path(path), LARGEST_FINDINGS, "path"), str(path))


def findings_as_bytes(result: GivenUp, world: str) -> bytes:
    """Return the findings of a run as a document with header and digest."""
    if result.kept is None:
        raise InvalidArgument("result", type(result).__name__, "a result that `learn` returned")
    p = result.method.parameters or result.ledger.opening
    content = FindingsJson(
        world=world,
        method=result.method.name,
        contradicted=isinstance(result, Contradicted),
        because=result.because,
        causes=tuple(
            CauseJson(each.condition.name, each.because, each.is_supported)
            for each in result.causes
        ),
        parameters=msgspec.to_builtins(p, enc_hook=plain),
        functions=result.kept.declared,
        table=result.model.table,
        steps=result.ledger.steps,
        spent=result.ledger.budget.spent,
        record=msgspec.to_builtins(tuple(_record(result.ledger)), enc_hook=plain),
        loops=tuple(map(_loop_as_json, result.kept.loops)),
        tested=result.kept.tested,
    )
    return sealed({**FINDINGS.header, **msgspec.to_builtins(content, enc_hook=plain)})


def findings_of(data: bytes, name: str) -> Findings:
    """Return the findings in a document; raise `Unreadable`. `name` is the file name for errors."""
    content = opened(data, FINDINGS, name)
    try:
        found = msgspec.convert(content, FindingsJson, strict=True, dec_hook=of_plain)
        declared = found.functions
        record = [_of_version_1(entry, declared) for entry in found.record]
        kind = _PARAMETERS[found.method]
        parameters: Opening = msgspec.convert(found.parameters, kind, dec_hook=of_plain)
        return Findings(
            world=found.world,
            method=found.method,
            contradicted=found.contradicted,
            because=found.because,
            causes=tuple(
                Cause(Condition[each.condition], each.because, each.supported)
                for each in found.causes
            ),
            parameters=parameters,
            model=Model(parameters.actions, found.table),
            steps=found.steps,
            spent=found.spent,
            record=msgspec.convert(record, tuple[Entry, ...], strict=True, dec_hook=of_plain),
            kept=Kept(declared, _loops(found.loops, declared), found.tested),
        )
    except KeyError as error:
        raise Unreadable(name, "causes", f"name the unknown condition {error}", _REMEDY) from None
    except ValueError as error:
        raise Unreadable(name, "", f"is not a file of findings ({error})", _REMEDY) from None


def _record(ledger: Ledger) -> Iterator[Entry]:
    """Yield the entries of a ledger. Classifiers other than numbers are written as text."""
    for entry in ledger.entries:
        if isinstance(entry, Fixed):
            numbers = (each if type(each) is int else str(each) for each in entry.classifiers)
            yield msgspec.structs.replace(entry, classifiers=tuple(numbers))
        elif not isinstance(entry, Opening):
            yield entry


def _of_version_1(entry: dict[str, object], declared: Declared) -> dict[str, object]:
    """Return an entry as it is written today: version 1 joined the rows that were read together."""
    if entry.get("kind") != "read" or not isinstance(joined := entry.get("rows"), str):
        return entry
    rows = rows_in(base64.b64decode(joined, validate=True), declared.row_bytes)
    return {**entry, "kind": "seen", "rows": [plain(row) for row in rows]}


def _loop_as_json(loop: LoopRows) -> LoopJson:
    rows, dense = packed_rows(loop.rows), None if loop.dense is None else packed_rows(loop.dense)
    return LoopJson(loop.word, loop.cycle, loop.start, loop.times, rows, loop.dense_from, dense)


def _loops(found: Sequence[LoopJson], declared: Declared) -> tuple[LoopRows, ...]:
    loops = []
    for number, loop in enumerate(found):
        # A call that failed has no labels, so only consecutive rows of it are kept.
        failed = not loop.cycle and not loop.times and loop.dense is not None
        if not loop.word or any(b <= a for a, b in pairwise((0, *loop.times))):
            raise ValueError("a loop has no word, or times that do not increase")
        if not loop.cycle and not failed:
            raise ValueError("a loop has neither a cycle nor consecutive rows")
        rows = kept_of(declared, [loop.rows])
        dense = None if loop.dense is None else kept_of(declared, [loop.dense])
        # The comparison values for numbers may come from rows before the loops, without times.
        explored = not number and not loop.times and declared.entries != "bits"
        if not explored and loop.cycle and rows.rows != 2 * len(loop.times):
            raise ValueError(f"loop {number} has {rows.rows} rows at {len(loop.times)} times")
        loops.append(
            LoopRows(loop.word, loop.cycle, loop.start, loop.times, rows, loop.dense_from, dense)
        )
    return tuple(loops)


@dataclass(frozen=True, slots=True)
class Rederived:
    """What follows from the rows or the record of a file, if anything does."""

    because: str | None
    """The sentence that follows; None if nothing contradicts a condition."""
    self_check: SelfChecked | None = None
    """The repeated self-check, if there was one."""
    shown_by: tuple[int, ...] = ()
    """Steps of a certain run whose rows show it, none of which can be left out."""
    is_from_rows: bool = False
    """Whether the rows alone decide: if nothing follows, a contradiction was not true."""


def rederived(findings: Findings) -> Rederived:
    """Derive the evidence again: from the self-check, the recorded calls or the rows."""
    kept, p = findings.kept, findings.parameters
    if isinstance(p, OpenedCertain) and p.slips:
        return _of_counts(findings.record, Slipping(p.slips, p.classifiers, p.actions, p.delta))
    if isinstance(p, OpenedCertain):
        return _of_rows(findings.record, nothing_known(p.classifiers, p.actions))
    if kept.tested is not None:
        checked = check(kept.loops, kept.tested, mixing_time=p.mixing_time, max_states=p.max_states)
        won = checked.won[0].sentence if checked.won else None
        return Rederived(won, checked, is_from_rows=True)
    return Rederived(_of_calls(findings, p) if isinstance(p, Parameters) else None)


def _of_rows(record: Iterable[Entry], nothing: Knowledge) -> Rederived:
    """Decide again from all rows of a certain run."""
    for path in trajectories_of(record):
        decision = decide(nothing.of(path), path.rows[-1])
        if isinstance(decision, Refuted):
            steps = steps_that_refute(path, nothing)
            return Rederived(decision.because, shown_by=steps, is_from_rows=True)
    return Rederived(None, is_from_rows=True)


def _of_counts(record: Iterable[Entry], method: Slipping) -> Rederived:
    """Count again in all rows of a run in which steps may slip."""
    for path in trajectories_of(record):
        known = method.with_rows(method.nothing(), (0, *path.actions), path.rows)
        if isinstance(known.decision, Impossible):
            return Rederived(known.decision.because, is_from_rows=True)
    return Rederived(None, is_from_rows=True)


def _of_calls(findings: Findings, p: Parameters) -> str | None:
    """Return the contradiction to which the recorded calls of CycleFind lead, or None."""
    model, before, done = Model(p.actions), None, []
    try:
        for call in _calls(findings):
            require_few_states(call.labels, p.max_states)
            model = with_loop(model, before, call.word, call.labels, at_step=call.start)
            before = call.current
            done.append(call)
        if model.is_total:
            require_bounds(model, p)
            require_whole_run(model, done)
    except AssumptionViolated as violated:
        return str(violated)
    return None


def _calls(findings: Findings) -> Iterator[Call]:
    runs: list[Ran] = []
    for entry in findings.record:
        if isinstance(entry, Ran):
            runs.append(entry)
        elif isinstance(entry, LabelsFound):
            steps = sum(run.steps for run in runs)
            yield Call(runs[0].word, runs[0].start, steps, entry.labels)
            runs = []
