"""Makes the certificate of an accepted run, as the bytes of a file."""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from steel_verified.classes.columns import growing, no_columns
from steel_verified.classes.features import Featured
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.certificate import (
    ASSUMPTIONS,
    Claim,
    Header,
    Parameters,
    certificate,
    lines,
)
from steel_verified.evidence.certificate import Class as Described
from steel_verified.evidence.entries import (
    Closed,
    Coin,
    Derivation,
    Hints,
    Meeting,
    Proofs,
    Refutation,
    Row,
    Stays,
    Steps,
    Toss,
    Trial,
)
from steel_verified.evidence.entries import Trajectory as Begun
from steel_verified.evidence.ledger import OpenedCertain
from steel_verified.evidence.oracle import savable
from steel_verified.learning.certain import Exploring
from steel_verified.learning.covers import hints, transposed
from steel_verified.learning.deciding import without_lone_labels
from steel_verified.learning.knowledge import Trajectory, nothing_known
from steel_verified.learning.reading import (
    Reading,
    entries_of,
    nothing_read,
    rows_of,
    trajectories_of,
)
from steel_verified.learning.template import Bounded, no_template, refuted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from steel_verified.classes.columns import Growing
    from steel_verified.classes.hulls import Mixture
    from steel_verified.evidence import entries
    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.entries import Entry
    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.learning.covers import Hints as Found
    from steel_verified.learning.deciding import Decided
    from steel_verified.learning.factored import Factors
    from steel_verified.learning.results import Accepted
    from steel_verified.learning.template import Template

Batch = TypeVar("Batch")


def certificate_of_run(learned: Accepted, oracle: Class[Batch], provenance: Provenance) -> bytes:
    """Return the certificate of a run; `oracle` is the one with which it was learned.

    Raises `InvalidArgument` if the oracle cannot prove its answers.
    """
    if not oracle.none_is_proved:
        name = type(oracle).__name__
        expected = "one of the exact classes: a search that finds nothing proves nothing"
        raise InvalidArgument("oracle", name, expected)
    if learned.decided is not None and (functions := growing(oracle)) is not None:
        return _certificate_of_rows(learned, learned.decided, functions, provenance)
    if learned.decided is not None:
        return certificate_of_certain(learned, learned.decided, provenance)
    has_rows = learned.ledger.keeps_rows
    return certificate(
        learned.ledger,
        oracle.declared,
        learned.model.table,
        learned.current,
        learned.classifiers,
        provenance,
        written=savable(oracle).written if has_rows else None,
        proofs=_proofs(oracle) if has_rows else None,
    )


def certificate_of_certain(learned: Accepted, decided: Decided, provenance: Provenance) -> bytes:
    """Return the certificate of a certain run or a log, with hints how to check it fast.

    It has the transitions that said something new, since they decide the same as all of them. Coins
    are about the whole run, so if they decided, it has all rows, and the models that were tested.
    Where steps may slip, it has all rows and no hints: the checker counts by itself.
    """
    opening = learned.ledger.opening
    if not isinstance(opening, OpenedCertain):
        raise InvalidArgument("ledger", type(opening).__name__, "the ledger of a certain run")
    connected = opening.rows_of_log is None
    by_coins = bool(decided.chance) and not opening.slips
    record: Iterable[Entry]
    proof: Iterable[Entry] = ()
    if opening.slips:
        record = [each for each in learned.ledger.entries if isinstance(each, Begun | Steps)]
        paths = trajectories_of(record)
    else:
        reading = reduce(
            Reading.of,
            map(rows_of, trajectories_of(learned.ledger.entries)),
            nothing_read(opening.classifiers, opening.actions),
        )
        last = tuple(each.row for each in (reading.last,) if each is not None)
        if by_coins:
            kinds = Begun | Steps | Trial | Coin
            record = [entry for entry in learned.ledger.entries if isinstance(entry, kinds)]
            paths = trajectories_of(record)
        else:
            paths = reading.parts
            if connected and paths[-1].rows[-1:] != last:
                paths += (Trajectory(last),)  # the present label is that of the last row
            record = entries_of(paths, opening.classifiers)
        stated = [*paths, *(end for path in paths for end in path.ends(opening.actions))]
        supposed = without_lone_labels(reading.known, connected=connected)
        cover = sum(1 << fits[0] for fits in decided.labels)
        here = last[0] if connected else None
        found = hints(stated, supposed, (cover,), here, quotients=by_coins)
        proof = _written(found, stated, opening)
    used = {
        "block": True,
        "deterministic": not opening.slips,
        "realised": True,
        "connected": connected,
        "two": decided.supposes_two,
        "terminal": any(path.terminated for path in paths),
        "slips": bool(opening.slips),
        "exogenous": by_coins,
        "coins": by_coins,
    }
    method = "slipping" if opening.slips else "coins" if by_coins else "certain"
    header = Header(
        method=method,
        parameters=Parameters(
            actions=opening.actions,
            connected=connected,
            delta=decided.chance or None,
            slips=opening.slips or None,
        ),
        functions=Described("finite", "bits", opening.classifiers, "lowest number"),
        assumptions=ASSUMPTIONS[method if connected else "log"],
        provenance=provenance,
    )
    claim = Claim(
        table=decided.table,
        current=decided.current,
        classifiers=tuple(fits[0] for fits in decided.labels),
        steps=sum(len(path.actions) for path in paths),
        spent=learned.ledger.budget.spent if by_coins else None,
        assumes=tuple(name for name, is_used in used.items() if is_used),
    )
    return b"".join(lines(header, [*record, *proof], claim))


def _certificate_of_rows(
    learned: Accepted, decided: Decided, functions: Growing, provenance: Provenance
) -> bytes:
    """Return the certificate of a certain run with a class that was not listed beforehand.

    It has all rows, as the class reads them, and the proof that no other labels exist.
    """
    actions, declared, most = learned.model.actions, functions.declared, decided.supposes_at_most
    record = [each for each in learned.ledger.entries if isinstance(each, Begun | Steps)]
    (path,) = trajectories_of(record)
    chosen, assumptions = learned.classifiers or (), [*ASSUMPTIONS["certain"]]
    assumes = ["block", "deterministic", "realised", "connected", "two"]
    if most is not None and isinstance(functions, Bounded):
        proof = _proof_of_template(path, no_template(functions, most, actions), chosen)
        assumptions.append(f"there are at most {most} states")
        assumes.append("bounded")
    else:
        proof = _proof_of_columns(path, decided, functions, actions)
    header = Header(
        method="certain",
        parameters=Parameters(actions=actions, connected=True, max_states=most),
        functions=Described(declared.name, declared.entries, declared.width, declared.rule),
        assumptions=tuple(assumptions),
        provenance=provenance,
    )
    claim = Claim(
        table=decided.table,
        current=decided.current,
        classifiers=tuple(map(functions.written, chosen)),
        steps=len(path.actions),
        assumes=tuple(assumes),
    )
    return b"".join(lines(header, [*record, *proof], claim))


def _proof_of_columns(
    path: Trajectory, decided: Decided, functions: Growing, actions: int
) -> list[Entry]:
    """Return hints for the columns that are left, in the order of their rows.

    The checker lists the columns anew.
    """
    known = Exploring(nothing_known(1, actions), columns=no_columns(functions))
    known = reduce(Exploring.heard, zip((0, *path.actions), path.rows, strict=True), known)
    assert known.columns is not None
    columns = known.columns.on(path.rows, known.knowledge.left)
    left = sorted(columns, key=columns.__getitem__)
    rows = transposed([columns[number] for number in left], len(path.rows))
    listed = Trajectory(tuple(rows), path.actions)
    supposed = without_lone_labels(nothing_known(len(left), actions).of(listed), connected=True)
    cover = sum(1 << left.index(number) for (number,) in decided.labels)
    return _closed(hints((listed,), supposed, (cover,), listed.rows[-1]))


def _proof_of_template(
    path: Trajectory, template: Template, chosen: Sequence[Classifier]
) -> list[Entry]:
    """Return the proof that no other labels exist if there are at most N states."""
    for action, row in zip((0, *path.actions), path.rows, strict=True):
        template = template.with_row(action, row)
    closed, steps = refuted(template, template.labels_by(chosen))
    stays = (Stays(tuple(each.table.items()), each.outside) for each in closed)
    return [*stays, Derivation(steps)]


def certificate_of_factors(learned: Factors, provenance: Provenance) -> bytes:
    """Return the certificate of a factored run: its rows, actions and coins, and how to check them.

    The table of the claim has the labels of all factors, those of one factor after the other.
    """
    opening, entries = learned.ledger.opening, learned.ledger.entries
    if not isinstance(opening, OpenedCertain):
        raise InvalidArgument("ledger", type(opening).__name__, "the ledger of a factored run")
    (path,) = trajectories_of(entries)
    known = nothing_known(opening.classifiers, opening.actions).of(path)
    factors = learned.product.factors
    chosen = [tuple(fits[0] for fits in factor.classifiers) for factor in factors]
    only = [sum(1 << f for f in each) for each in chosen]
    found = hints((path,), without_lone_labels(known, connected=True), only, path.rows[-1])
    header = Header(
        method="factored",
        parameters=Parameters(actions=opening.actions, connected=True, delta=opening.delta),
        functions=Described("finite", "bits", opening.classifiers, "lowest number"),
        assumptions=ASSUMPTIONS["factored"],
        provenance=provenance,
    )
    sizes = [factor.values for factor in factors]
    first = accumulate(sizes[:-1], initial=0)
    assumes = ("block", "deterministic", "realised", "connected", "two")
    claim = Claim(
        table=tuple(
            tuple(start + to for to in line)
            for start, factor in zip(first, factors, strict=True)
            for line in factor.table
        ),
        current=None,
        classifiers=tuple(f for each in chosen for f in each),
        steps=len(path.actions),
        spent=learned.ledger.budget.spent,
        assumes=(*assumes, "exogenous", "coins") if opening.delta else assumes,
        factors=tuple(sizes),
    )
    record = [entry for entry in entries if isinstance(entry, Begun | Steps | Trial | Toss)]
    return b"".join(lines(header, [*record, *_written(found, [path], opening)], claim))


def _written(found: Found, paths: Iterable[Trajectory], opening: OpenedCertain) -> list[Entry]:
    """Return hints as lines of a file."""
    size = -(-opening.classifiers // 8)
    rows = [row for path in paths for row in path.rows]
    removed = tuple((f, Row(rows[t].to_bytes(size, "little"))) for f, t in found.removed)
    return [Hints(removed), *_closed(found)]


def _closed(found: Found) -> list[Entry]:
    refutation = [Refutation(found.refutation)] if found.refutation else []
    return [*map(Closed, found.closed), *refutation]


def _proofs(oracle: object) -> Proofs | None:
    """Return the proofs that half-spaces need; raise `InvalidArgument` if they were not stored."""
    inner = oracle.functions if isinstance(oracle, Featured) else oracle
    if isinstance(inner, Witnessed):
        return Proofs(
            tuple(inner.written(each) for each in inner.separators),
            tuple(Meeting(_mixed(each.zeros), _mixed(each.ones)) for each in inner.meetings),
            tuple(inner.answers),
        )
    if isinstance(inner, HalfSpaces):
        expected = "Witnessed(HalfSpaces(…)), which keeps the proofs of its answers"
        raise InvalidArgument("oracle", "HalfSpaces", expected)
    return None


def _mixed(mixture: Mixture) -> entries.Mixture:
    return tuple(zip(mixture.points, mixture.weights, strict=True))
