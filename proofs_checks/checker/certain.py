"""Checks a record of certain STEEL: rows and actions, and hints that it need not believe.

A classifier is handled as its column: the set of the rows on which it is 1. A *cover* is a set of
columns that could belong to the visited states: each row has one member, and equal actions have
equal effects. The checker removes columns that belong to no cover. It accepts if only the claimed
cover is left and every action was taken at each of its labels.

    Then, in every world that fits the record and the assumptions, the labels are the states, the
    table is the dynamics, and the classifiers listed for a label are those that fit its state. No
    probability enters: an adversary may have chosen the noise.

The hints are the claimed cover, pairs (classifier, row) by which a row removes a classifier, and
the steps of a proof for what these leave open. Whatever they say, what is accepted is right.
`proofs_checks/coq/certain/Checker.v` is the same program in Coq, and `certain_is_sound` the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from struct import iter_unpack
from typing import TYPE_CHECKING, TypeAlias

from proofs_checks.checker.reading import (
    LARGEST_ROW,
    Broken,
    Fields,
    Finding,
    Malformed,
    Work,
    findings_of,
    header_of,
    require,
    text,
    wholes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from proofs_checks.checker.reading import Document, Line

Column: TypeAlias = int
"""A set of rows: bit t is row t."""
Members: TypeAlias = int
"""A set of classifiers: bit f is classifier f."""
Step: TypeAlias = "Learned | Closed"

BEGINS = (1 << 16) - 1
"""What a step has instead of an action if a new trajectory begins with its row."""
AT_ONCE = 1 << 26
"""So many bits are transposed at once; each takes a byte of memory."""

RULES = {
    "digest": "the content is that of the digest",
    "rows": "all bits and actions are within the declared numbers",
    "cover": "there are two labels or more, each row shows one of them, and equal actions have "
    "equal effects",
    "complete": "every action was taken at every label",
    "connected": "in the claimed table every label reaches every other",
    "only": "no other classifiers explain the rows: the others are removed by rows, or excluded by "
    "a proof",
    "claim": "the claimed table, present label and classifiers are those of the record",
}

EXPLANATION = """\
Accepted means: in every world that fits the recorded rows and actions and the assumptions below,
the labels are the states and the table is the dynamics, up to names. The classifiers listed for a
label are all that fit its rows; if there is one, it is exactly that of the state. This holds for
every noise. No probability is involved."""

EXPLANATION_OF_LOG = """\
Accepted means: in every world that fits the recorded rows and actions and the assumptions below,
the labels are the states that were visited, and the table is the dynamics on them, up to names. No
action leaves them, so these are all states that can be reached from the starts of the log. The
classifiers listed for a label are all that fit its rows; if there is one, it is exactly that of the
state. This holds for every noise and every policy. No probability is involved."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Rows, each as the set of the classifiers that are 1, and the actions between them."""

    rows: tuple[Members, ...]
    actions: tuple[int, ...]
    terminated: bool = False
    """Whether the world ended it: by convention, every action stays in the state of its end."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Some classifier of `yes` is in the cover, or some of `no` is not (by unit propagation)."""

    yes: Members
    no: Members


@dataclass(frozen=True, slots=True)
class Closed:
    """Not all of these classifiers are in the cover, since they could never be left (Lemma 2)."""

    classifiers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What was seen, with the hints."""

    classifiers: int
    actions: int
    connected: bool
    """Whether it is assumed that every state of the world can be reached from every state."""
    trajectories: tuple[Trajectory, ...]
    claim: tuple[int, ...]
    """One classifier for each label."""
    removals: tuple[tuple[int, int], ...] = ()
    """(f, t): row t shows that classifier f belongs to no cover."""
    proof: tuple[Step, ...] = ()

    def all_trajectories(self) -> Iterator[Trajectory]:
        """Yield the trajectories, and after them what the convention about their ends says."""
        yield from self.trajectories
        for path in self.trajectories:
            if path.terminated:
                end = path.rows[-1:] * 2
                yield from (Trajectory(end, (action,)) for action in range(self.actions))


@dataclass(frozen=True, slots=True)
class Answer:
    """What is accepted."""

    table: tuple[tuple[int, ...], ...]
    encoders: tuple[tuple[int, ...], ...]
    """For each label all classifiers that fit it."""
    current: int
    """The label of the last row."""
    supposes_two: bool
    """Whether some classifier is 1 on all rows, so that two states are an assumption."""


ASSUMPTIONS = {
    "block": "each observation shows one state",
    "deterministic": "the next state depends on the state and the action only",
    "realised": "F has a classifier for each visited state",
    "connected": "every state can be reached from every state",
    "two": "there are two states (in recorded logs: two states were visited)",
    "terminal": "a state in which an episode terminated is left by no action, by convention",
    "bounded": "there are at most max_states states",
}
"""What no record can show; the last four only where they are used."""


def assumed(record: Record, answer: Answer) -> tuple[str, ...]:
    """Return the names of the assumptions under which an answer is right."""
    unused = {
        "connected": not record.connected,
        "two": not answer.supposes_two,
        "terminal": not any(path.terminated for path in record.trajectories),
        "bounded": True,
    }
    return tuple(name for name in ASSUMPTIONS if not unused.get(name, False))


@dataclass(frozen=True, slots=True)
class Certificate:
    """A record from a file, and what the file claims about it."""

    record: Record
    table: tuple[tuple[int, ...], ...]
    current: int | None
    """The label of the last row; None in recorded logs."""
    steps: int
    assumes: tuple[str, ...]
    document: Document

    def assumptions(self, known: Mapping[str, str] = ASSUMPTIONS) -> tuple[str, ...]:
        """The assumptions that the file names, in words; the rules compare them with those used."""
        named = (known[name] for name in self.assumes if name in known)
        return ("the record was written as it happened", *named)


def check(certificate: Certificate) -> list[Finding]:
    """Return the rules that a certificate breaks."""

    def rules() -> Iterator[Finding]:
        found = answer_of(certificate.record, Work.of_file(certificate.document.size))
        yield from compared(certificate, found, assumed(certificate.record, found))

    return findings_of(certificate.document, rules())


def compared(c: Certificate, found: Answer, assumes: tuple[str, ...]) -> Iterator[Finding]:
    """Yield a finding for each part of a claim that is not that of the answer."""
    steps = sum(len(trajectory.actions) for trajectory in c.record.trajectories)
    current = found.current if c.record.connected else None
    for name, stated, computed in (
        ("table", c.table, found.table),
        ("current", c.current, current),
        ("steps", c.steps, steps),
        ("assumes", c.assumes, assumes),
    ):
        if stated != computed:
            yield Finding("claim", f"claim.{name}", "not that of the record")


def check_truth(certificate: Certificate, table: Sequence[Sequence[int]]) -> Iterator[Finding]:
    """Yield a finding if the claimed table is not the true one, up to names."""
    size = len(certificate.table)
    for start in range(len(table)):
        meaning, new = {0: start}, [0]
        while new:
            label = new.pop()
            for action, to in enumerate(certificate.table[label]):
                if to not in meaning:
                    meaning[to] = table[meaning[label]][action]
                    new.append(to)
        if len(set(meaning.values())) == size == len(table) and all(
            meaning[to] == table[meaning[label]][action]
            for label, line in enumerate(certificate.table)
            for action, to in enumerate(line)
        ):
            return
    yield Finding("truth", "claim.table", "not the true dynamics under other names")


# --- the file -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listed:
    """The columns that a class has on a record, as a finite class."""

    classifiers: int
    rows: dict[int, Members]
    """For the number of each row in the record, the columns that are 1 on it."""
    claim: tuple[int, ...]


def certificate_in(
    document: Document,
    *more_claimed: str,
    more: tuple[str, ...] = (),
    aside: Collection[str] = (),
    columns: Callable[[Sequence[int], Sequence[Column]], Listed] | None = None,
) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if it is none.

    A claim that has more was made with coins: there is a δ, and lines that `coins` or `factored`
    reads. `more` are further parameters, `aside` are kinds of lines that others read. If the class
    is not finite, `columns` lists its columns on a trajectory, given the numbers of its rows and,
    for each action, when it was taken.
    """
    with_coins = bool(more_claimed)
    header, more = header_of(document), ("delta",) if with_coins else more
    aside = ("trial", "coin", "toss") if with_coins else aside
    parameters = Fields(header["parameters"], "parameters", "actions", "connected", *more)
    described = Fields(header["class"], "class", "name", "entries", "width", "rule")
    finite = ("finite", "bits", "lowest number")
    if columns is None and tuple(described[key] for key in ("name", "entries", "rule")) != finite:
        raise Malformed("class", "expected a finite class, with its rule")
    if type(parameters["connected"]) is not bool:
        raise Malformed("parameters.connected", "expected true or false")
    actions, width = parameters.whole("actions"), described.whole("width")
    if not 1 <= actions <= BEGINS:
        raise Malformed("parameters.actions", f"expected 1 to {BEGINS}")
    claim = Fields(
        document.claim, "claim", "assumes", "classifiers", "current", "kind", "steps", "table",
        *more_claimed,
    )  # fmt: skip
    paths, hints = _paths_and_hints(document, aside)
    if parameters["connected"] and any(path.terminated for path in paths):
        raise Malformed("record", "a connected world has no terminal states")
    numbered = [row for path in paths for row in path.rows]
    if columns is None:
        rows = dict(enumerate(int.from_bytes(row, "little") for row in document.rows))
        listed = Listed(width, rows, claim.wholes("classifiers"))
    else:
        listed = columns(*_only_path(paths, actions, connected=parameters["connected"]))
    first = {row: t for t, row in reversed(list(enumerate(numbered)))}
    return Certificate(
        Record(
            listed.classifiers,
            actions,
            parameters["connected"] is True,
            tuple(
                Trajectory(
                    tuple(listed.rows[i] for i in path.rows), tuple(path.actions), path.terminated
                )
                for path in paths
            ),
            listed.claim,
            tuple((f, first.get(row, len(numbered))) for f, row in hints.removed),
            (*map(Closed, hints.closed), *hints.learned),
        ),
        claim.list_of("table", wholes),
        None if claim["current"] is None else claim.whole("current"),
        claim.whole("steps"),
        claim.list_of("assumes", text),
        document,
    )


@dataclass(slots=True)
class _Path:
    """A trajectory that is being read; its rows are numbers."""

    rows: list[int]
    actions: list[int]
    terminated: bool = False


def _only_path(
    paths: Sequence[_Path], actions: int, *, connected: bool
) -> tuple[list[int], list[Column]]:
    """Return the rows of the only trajectory, and when each action was taken."""
    if len(paths) != 1 or not connected:
        raise Malformed("record", "expected one trajectory, in a connected world")
    if any(action >= actions for action in paths[0].actions):
        raise Malformed("record", "an action is not one of the world")
    times = dict[int, list[int]]()
    for t, action in enumerate(paths[0].actions):
        times.setdefault(action, []).append(t)
    taken = [_column(times.get(action, ()), len(paths[0].rows)) for action in range(actions)]
    return paths[0].rows, taken


@dataclass(slots=True)
class _Hints:
    removed: tuple[tuple[int, int], ...] = ()
    closed: tuple[tuple[int, ...], ...] = ()
    learned: tuple[Learned, ...] = ()


def _paths_and_hints(document: Document, aside: Collection[str]) -> tuple[list[_Path], _Hints]:
    """Return the trajectories and the hints; lines of the kinds `aside` are not read."""
    paths, hints = list[_Path](), _Hints()
    for number, line in enumerate(document.record):
        place = f"record[{number}]"
        match line.value.get("kind"):
            case "trajectory":
                row = Fields(line.value, place, "kind", "row").whole("row")
                paths.append(_Path([_known_row(row, line, place)], []))
            case "steps" if paths and not paths[-1].terminated:
                for action, row in iter_unpack("<HI", line.raw):
                    if action == BEGINS:
                        paths.append(_Path([], []))
                    else:
                        paths[-1].actions.append(action)
                    paths[-1].rows.append(_known_row(row, line, place))
            case "terminated" if paths:
                Fields(line.value, place, "kind")
                paths[-1].terminated = True
            case "hints":
                fields = Fields(line.value, place, "kind", "removed")
                hints.removed += fields.list_of("removed", _pair)
            case "closed":
                hints.closed += (
                    Fields(line.value, place, "kind", "classifiers").wholes("classifiers"),
                )
            case "refutation":
                hints.learned += Fields(line.value, place, "kind", "clauses").list_of(
                    "clauses", _clause
                )
            case str(kind) if kind in aside:
                continue
            case _:
                raise Malformed(place, "expected a trajectory, its steps or hints")
    return paths, hints


def _known_row(row: int, line: Line, place: str) -> int:
    if row >= line.rows:
        raise Malformed(place, f"row {row} is not written before it is named")
    return row


def _pair(value: object, place: str) -> tuple[int, int]:
    classifier, row = wholes(value, place, 2)
    return classifier, row


def _clause(value: object, place: str) -> Learned:
    """Return a clause; literal f + 1: classifier f is in the cover, −f − 1: it is not."""
    if not isinstance(value, list) or not all(
        type(one) is int and 1 <= abs(one) <= LARGEST_ROW for one in value
    ):
        raise Malformed(place, "expected whole numbers other than 0")
    return Learned(
        _set_of(one - 1 for one in value if one > 0), _set_of(-one - 1 for one in value if one < 0)
    )


# --- the answer -----------------------------------------------------------------------------------


def answer_of(record: Record, work: Work, *, or_quotients: bool = False) -> Answer:
    """Return the answer that the record proves; raise `Broken` for the first rule that it breaks.

    With `or_quotients` it proves only that the dynamics are the table, or a quotient of it.
    """
    check_rows(record)
    view = View.of(record, work)
    claimed = [view.columns[f] for f in record.claim]
    view.check_cover(claimed)
    view.check_no_other([claimed], record, or_quotients=or_quotients)
    fitting: dict[Column, list[int]] = {}
    for f, column in enumerate(view.columns):
        fitting.setdefault(column, []).append(f)
    return Answer(
        table=view.table(claimed),
        encoders=tuple(tuple(fitting[column]) for column in claimed),
        current=view.shown(claimed)[-1],
        supposes_two=view.everywhere in view.columns,
    )


def check_rows(record: Record) -> None:
    """Raise `Broken` if a row, an action or a classifier is outside of the declared numbers."""
    for number, trajectory in enumerate(record.trajectories):
        place = f"trajectory {number}"
        if any(row >> record.classifiers for row in trajectory.rows):
            raise Broken("rows", place, "a row has a bit that is no classifier")
        if any(not 0 <= action < record.actions for action in trajectory.actions):
            raise Broken("rows", place, "an action is not one of the world")
        if len(trajectory.rows) != len(trajectory.actions) + 1:
            raise Broken("rows", place, "actions are not between rows")
    for f in (*record.claim, *(f for f, _ in record.removals)):
        require(0 <= f < record.classifiers, "rows", "hints", f"there is no classifier {f}")


class View:
    """A record by columns. The names are those of Checker.v."""

    def __init__(
        self,
        height: int,
        taken: Sequence[Column],
        columns: Sequence[Column],
        work: Work,
        *,
        connected: bool,
    ) -> None:
        self.height = height
        self.everywhere: Column = (1 << height) - 1
        self.taken = taken
        self.columns = columns
        self.connected = connected
        self.work = work
        self.cost = 10 + len(taken) * (2 + (height >> 11))
        """Steps of work for two columns that are compared."""
        self._ways: dict[Column, tuple[Column, ...]] = {}

    @classmethod
    def of(cls, record: Record, work: Work) -> View:
        rows, times = list[Members](), dict[int, list[int]]()
        for trajectory in record.all_trajectories():
            work.add(len(trajectory.rows) * (8 + (record.classifiers >> 4)))
            for t, action in enumerate(trajectory.actions, len(rows)):
                times.setdefault(action, []).append(t)
            rows += trajectory.rows
        work.add(record.actions + (len(times) * len(rows) >> 7))
        taken = [_column(times.get(action, ()), len(rows)) for action in range(record.actions)]
        columns = transposed(rows, record.classifiers)
        return cls(len(rows), taken, columns, work, connected=record.connected)

    def count(self, comparisons: int) -> None:
        self.work.add(comparisons * self.cost)

    # --- conflicts

    def ways(self, column: Column) -> tuple[Column, ...]:
        """Return for each action the rows that came after the column and the action."""
        if column not in self._ways:
            self.work.add(len(self.taken) * (2 + (self.height >> 7)))
            self._ways[column] = tuple((column & taken) << 1 for taken in self.taken)
        return self._ways[column]

    def conflict(self, one: Column, other: Column) -> bool:
        """Whether both cannot belong to states; with equal columns, whether one cannot."""
        if one != other and one & other:
            return True
        for way in self.ways(one):
            if way & other not in (0, way):
                return True
        return one != other and any(way & one not in (0, way) for way in self.ways(other))

    def hits(self, columns: Iterable[Column]) -> bool:
        """Whether each row has a column that is 1."""
        return reduce(or_, columns, 0) == self.everywhere

    def closed(self, columns: Sequence[Column]) -> bool:
        """Whether every action was taken at every column and led into one of the columns."""
        self.count(len(columns) ** 2)
        return all(
            way and any(way & ~to == 0 for to in columns)
            for column in columns
            for way in self.ways(column)
        )

    def alone(self, column: Column) -> bool:
        """Whether the column would belong to the only state."""
        return self.closed([column]) if self.connected else column == self.everywhere

    # --- columns that belong to no cover

    def left(
        self, removals: Iterable[tuple[int, int]], claimed: Collection[Column]
    ) -> list[Column]:
        """Return the columns that rule R leaves; the hints only make it faster.

        The claimed columns are a cover, so it leaves them.
        """
        left = {
            column: None
            for column in self.columns
            if column and not self.conflict(column, column) and not self.alone(column)
        }
        for f, t in removals:
            column = self.columns[f]
            if column in left and self.refutes(t, column, left):
                del left[column]
        while any(column not in claimed for column in left):
            kept = [column for column in left if self.hits(self.compatible(column, left))]
            if len(kept) == len(left):
                break
            left = dict.fromkeys(kept)
        return list(left)

    def refutes(self, t: int, column: Column, left: Iterable[Column]) -> bool:
        """Whether row t shows that a column belongs to no cover: all its candidates conflict."""
        if not 0 <= t < self.height:
            return False
        candidates = [other for other in left if other >> t & 1]
        self.count(len(candidates))
        return all(self.conflict(column, other) for other in candidates)

    def compatible(self, column: Column, left: Collection[Column]) -> list[Column]:
        self.count(len(left))
        return [other for other in left if not self.conflict(column, other)]

    # --- what rule R leaves open

    def check_no_other(
        self, claims: Sequence[Sequence[Column]], record: Record, *, or_quotients: bool = False
    ) -> None:
        """Raise `Broken` unless it is shown that there are no covers but those of the claims.

        Another cover has a member outside of each. With `or_quotients` this may not be a union of
        claimed columns.
        """
        labels = [frozenset(claimed) for claimed in claims]
        left = self.left(record.removals, frozenset[Column]().union(*labels))
        first = {column: f for f, column in reversed(list(enumerate(self.columns)))}
        clauses = list[Learned]()
        for claimed in labels:
            self.count(len(left))
            outside = [column for column in left if column not in claimed]
            if or_quotients:
                self.count(len(outside) * len(claimed))
                outside = [c for c in outside if any(c & one not in (0, one) for one in claimed)]
            if not outside:
                return
            clauses.append(Learned(_set_of(first[column] for column in outside), 0))
        clauses += dict.fromkeys(
            Learned(_set_of(first[column] for column in left if column >> t & 1), 0)
            for t in range(self.height)
        )
        excludes = [
            (1 << first[column], _set_of(first[c] for c in left if self.conflict(column, c)))
            for column in left
        ]
        for number, step in enumerate(record.proof):
            place = f"proof[{number}]"
            if isinstance(step, Closed):
                if not all(0 <= f < record.classifiers for f in step.classifiers):
                    raise Broken("only", place, "there is no such classifier")
                columns = [self.columns[f] for f in step.classifiers]
                if not (self.connected and columns and self.closed(columns)) or self.hits(columns):
                    raise Broken("only", place, "these labels can be left, or are all labels")
                clauses.append(Learned(0, _set_of(step.classifiers)))
            elif not self.follows(clauses, excludes, step):
                raise Broken("only", place, "the clause does not follow from those before it")
            else:
                clauses.append(step)
        if not self.follows(clauses, excludes, Learned(0, 0)):
            raise Broken("only", "claim", "the hints do not show that no other cover exists")

    def follows(
        self,
        clauses: Sequence[Learned],
        excludes: Sequence[tuple[Members, Members]],
        clause: Learned,
    ) -> bool:
        """Whether a clause follows by reverse unit propagation: its negation leads nowhere."""
        yes, no = clause.no, clause.yes
        while True:
            before = yes, no
            self.work.add((len(clauses) + len(excludes)) * (3 + (len(self.columns) >> 9)))
            for own, others in excludes:
                if yes & own:
                    if yes & others:
                        return True
                    no |= others
            for one in clauses:
                can, cannot = one.yes & ~no, one.no & ~yes
                if not cannot:
                    if not can:
                        return True
                    if not can & can - 1:
                        yes |= can
                elif not can and not cannot & cannot - 1:
                    no |= cannot
            if (yes, no) == before:
                return False

    # --- the claimed cover

    def check_cover(self, claimed: Sequence[Column], of: str = "") -> None:
        """Raise `Broken` unless the claimed columns are a complete cover; `of` says whose."""
        self.count(len(claimed))
        if len(claimed) < 2 or not all(claimed):
            message = "fewer than two labels, or one that is never shown"
            raise Broken("cover", f"{of}claim", message)
        if sum(column.bit_count() for column in claimed) != self.height or not self.hits(claimed):
            raise Broken("cover", f"{of}claim", "some row does not show exactly one label")
        shown = self.shown(claimed)
        for label, column in enumerate(claimed):
            place = f"{of}label {label}"
            for action, way in enumerate(self.ways(column)):
                if not way:
                    raise Broken("complete", place, f"action {action} was never taken there")
                if way & ~claimed[shown[_lowest(way)]]:
                    raise Broken("cover", place, f"action {action} leads to several labels")
        if self.connected and not is_connected(self.table(claimed)):
            raise Broken("connected", f"{of}claim", "some label does not reach every label")

    def table(self, claimed: Sequence[Column]) -> tuple[tuple[int, ...], ...]:
        """Return the label after each label and action, for a complete cover."""
        shown = self.shown(claimed)
        return tuple(tuple(shown[_lowest(way)] for way in self.ways(column)) for column in claimed)

    def shown(self, claimed: Sequence[Column]) -> list[int]:
        """Return the label that each row shows, for columns of which each row has one."""
        self.work.add(len(claimed) * (2 + (self.height >> 6)))
        return labels_of(claimed, self.height)


def is_connected(table: Sequence[Sequence[int]]) -> bool:
    """Whether label 0 reaches every label, and every label reaches label 0."""
    before: list[list[int]] = [[] for _ in table]
    for label, row in enumerate(table):
        for to in row:
            before[to].append(label)
    return all(len(_reached(lists)) == len(table) for lists in (table, before))


def _reached(lists: Sequence[Sequence[int]]) -> set[int]:
    """Return the labels that lists of neighbours lead to from label 0."""
    reached, new = {0}, [0]
    while new:
        found = {to for label in new for to in lists[label]} - reached
        reached |= found
        new = list(found)
    return reached


def labels_of(claimed: Sequence[Column], height: int) -> list[int]:
    """Return the label that each row shows, for columns of which each row has one."""
    labels = [0] * height
    for label, column in enumerate(claimed):
        digits = bin(column)[:1:-1]
        at = digits.find("1")
        while at >= 0:
            labels[at] = label
            at = digits.find("1", at + 1)
    return labels


def transposed(rows: Sequence[Members], width: int) -> list[Column]:
    """Return for each classifier the rows on which it is 1."""
    columns = list[Column]()
    some = max(64, AT_ONCE // (len(rows) + 1))
    while len(columns) < width:
        first, size = len(columns), min(some, width - len(columns))
        lines = [f"{row >> first & (1 << size) - 1:0{size}b}" for row in reversed(rows)]
        if not lines:
            return [0] * width
        columns += [int("".join(column), 2) for column in zip(*lines, strict=True)][::-1]
    return columns


def _column(times: Iterable[int], height: int) -> Column:
    """Return a set of rows."""
    column = bytearray(height // 8 + 1)
    for t in times:
        column[t >> 3] |= 1 << (t & 7)
    return int.from_bytes(column, "little")


def _set_of(members: Iterable[int]) -> Members:
    return reduce(or_, (1 << member for member in members), 0)


def _lowest(rows: Column) -> int:
    """Return the number of the first of these rows."""
    return (rows & -rows).bit_length() - 1
