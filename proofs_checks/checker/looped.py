"""The rules for certificates of looped runs, the paper's algorithm.

Such a record contains no observations. The checker recomputes every entry of the record from the
parameters and the verdicts alone, and compares. So everything in an accepted record is a function
of these, and therefore, unless a verdict was wrong, a function of the dynamics and not of the
noise.

`_run` executes Algorithms 1 and 2 and compares each entry of the record with the expected one.
Later entries depend on earlier ones, so checking ends at the first entry that breaks a rule. Lines
(l.) are those of the paper's source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from proofs_checks.checker import formulas
from proofs_checks.checker.formulas import Parameters
from proofs_checks.checker.planning import Model, covering_cycle, escaping_word, farthest
from proofs_checks.checker.reading import (
    Fields,
    Finding,
    Malformed,
    Ran,
    Record,
    Stated,
    Work,
    check_totals,
    counted,
    entries_of,
    findings_of,
    header_of,
    list_of,
    parameters_in,
    shown,
    stated_in,
    text,
    unknown_method,
    whole,
    wholes,
)
from proofs_checks.checker.version2 import opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.checker.formulas import Piece, Sample
    from proofs_checks.checker.reading import Document, Line, Table, Word

MOST_LEVELS = 4
"""The maximal number of nested progressions; schedules use at most two."""

RULES = {
    "digest": "the stated digest is the digest of the file's content",
    "method": "the method is 'looped', with the constants of the paper",
    "order": "the record has exactly the entries of Algorithms 1 and 2, in their order",
    "words": "each word is the one that the algorithm computes from the model so far",
    "plans": "each plan starts where the last one ended, and has the length of the formulas",
    "numbers": "loops, datasets, decisions are numbered in order; times depend on earlier ones",
    "times": "each dataset was read at exactly the times of the schedule, one row for each time",
    "samples": "each dataset has the rows its test needs, all after the transient and in the plan",
    "separation": "rows are at least t̂_mix apart, in each dataset and between compared ones",
    "comparisons": "each test compared the datasets that the algorithm compares",
    "period": "periods N, N−1, … are tested until one is separated: this is the period, else 1",
    "labels": "verdicts are for states 0, 1, … up to the first 0, and determine the labels",
    "transitions": "the transitions are those of the cycles found, without contradiction",
    "table": "the table is total, strongly connected, and holds the transitions of the calls",
    "bounds": "the table has at most N states, and at most |F|, and a diameter of at most D̂",
    "tracking": "following the table through all plans gives the state found at every position",
    "tour": "ā is computed from the table, visits all states, returns, and is run as d requires",
    "encoder": "each state has one classifier of the class, and all are different",
    "charges": "each decision is charged exactly what its tests cost",
    "budget": "the charges sum to the stated total, which is at most δ",
    "steps": "the steps of the plans sum to the stated total",
    "current": "the current state is the one in which the last plan ended",
}

EXPLANATION = """\
Acceptance means that the record is complete and consistent: every plan, every time at
which a row was read, every comparison, label, charge and transition is what Algorithms 1 and 2
prescribe for the stated parameters and verdicts, and the stated table agrees with all of them. If
the run took place as recorded and the assumptions hold, then with probability at least 1 − δ the
table is the true one up to the names of the states, and each classifier errs on each state with
probability at most ε. Acceptance does not show that a run took place: a certificate can be
written without one. It does not show that the assumptions hold, that verdicts and classifiers are
those that the oracle gave, or who wrote the file: observations are not in it, and the digest is
not a signature."""


def assumptions(c: Certificate) -> tuple[str, ...]:
    """Return the assumptions that remain: no certificate can show them."""
    p = c.parameters
    classifiers, states = counted(p.class_size, "classifier"), counted(p.max_states, "state")
    return (
        "the run took place: every row was read at its time from one unbroken trajectory",
        "F has a one-versus-rest classifier for each latent state (realizability)",
        f"F has at most {classifiers}, and the oracle returns a separating one if any",
        f"there are at most {states}, at most {counted(p.max_diameter, 'step')} apart",
        f"the noise ignores actions and mixes within {counted(p.mixing_time, 'step')}",
        "the latent dynamics are deterministic, and every state reaches every other",
        "verdicts and classifiers are those that the oracle gave",
    )


# --- the certificate ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Read:
    """Datasets `first`, `first` + 1, … were read from the loop that began at step `loop`."""

    kind: ClassVar[str] = "read"
    loop: int
    after: int
    first: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class PeriodFound:
    """Tests [hypothesis, id of D_0, id of D_1, 1 if separated], and the period they decide."""

    kind: ClassVar[str] = "period"
    number: int
    tests: tuple[tuple[int, ...], ...]
    period: int
    charge: Fraction


@dataclass(frozen=True, slots=True)
class LabelsFound:
    """Positions (dataset id, verdicts, label), each compared with the datasets `known`."""

    kind: ClassVar[str] = "labels"
    number: int
    known: tuple[int, ...]
    positions: tuple[tuple[int, str, int], ...]
    charge: Fraction


@dataclass(frozen=True, slots=True)
class Trained:
    """A classifier was trained for each state, on the datasets with these ids."""

    kind: ClassVar[str] = "encoder"
    number: int
    datasets: tuple[tuple[int, ...], ...]
    charge: Fraction


Entry: TypeAlias = Ran | Read | PeriodFound | LabelsFound | Trained


@dataclass(frozen=True, slots=True)
class Certificate:
    stated: Stated
    parameters: Parameters
    record: tuple[Entry, ...]
    classifiers: tuple[int, ...] | None


def read(data: bytes) -> Certificate:
    """Return the certificate in a file's bytes; raise `Malformed` if there is none."""
    return certificate_in(opened(data))


def certificate_in(document: Document) -> Certificate:
    """Return the certificate in a document; raise `Malformed` if its fields are wrong."""
    r, (stated, claim) = header_of(document), stated_in(document)
    if r["class"] is not None:
        raise Malformed("class", "expected null: the certificate of a looped run has no rows")
    least = {"actions": 1, "max_states": 1, "max_diameter": 0, "mixing_time": 1, "class_size": 1}
    (actions, states, diameter, mixing, size), delta, epsilon = parameters_in(
        r["parameters"], least
    )
    return Certificate(
        stated,
        Parameters(actions, states, diameter, mixing, size, delta, epsilon),
        entries_of(document, _entry),
        None if claim["classifiers"] is None else claim.wholes("classifiers"),
    )


def _entry(line: Line, place: str) -> Entry:
    def fields(*names: str) -> Fields:
        return Fields(line.value, place, "kind", *names)

    match line.value.get("kind"):
        case "ran":
            return Ran.read(line.value, place)
        case "read":
            r = fields("loop", "after", "first", "samples")
            samples = r.list_of("samples", _sample)
            return Read(r.whole("loop"), r.whole("after"), r.whole("first"), samples)
        case "period":
            r = fields("number", "tests", "period", "charge")
            tests = r.list_of("tests", _test)
            return PeriodFound(r.whole("number"), tests, r.whole("period"), r.fraction("charge"))
        case "labels":
            r = fields("number", "known", "positions", "charge")
            known, positions = r.wholes("known"), r.list_of("positions", _position)
            return LabelsFound(r.whole("number"), known, positions, r.fraction("charge"))
        case "encoder":
            r = fields("number", "datasets", "charge")
            datasets = r.list_of("datasets", wholes)
            return Trained(r.whole("number"), datasets, r.fraction("charge"))
    raise Malformed(place, "expected an entry of kind ran, read, period, labels or encoder")


def _piece(value: object, place: str) -> Piece:
    found = wholes(value, place)
    if len(found) % 2 != 1 or len(found) > 1 + 2 * MOST_LEVELS or 0 in found[1:]:
        message = "expected [first, count, stride, …], each count and stride at least 1"
        raise Malformed(place, message)
    return found


def _sample(value: object, place: str) -> Sample:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed(place, "expected [rows, times]")
    return whole(value[0], f"{place}[0]"), list_of(value[1], f"{place}[1]", _piece)


def _test(value: object, place: str) -> tuple[int, ...]:
    found = wholes(value, place, 4)
    if found[3] > 1:
        raise Malformed(f"{place}[3]", "expected 0 or 1")
    return found


def _position(value: object, place: str) -> tuple[int, str, int]:
    if not isinstance(value, list) or len(value) != 3:
        raise Malformed(place, "expected [dataset, verdicts, label]")
    verdicts = text(value[1], f"{place}[1]")
    if verdicts.strip("01"):
        raise Malformed(f"{place}[1]", "expected a string of 0 and 1")
    return whole(value[0], f"{place}[0]"), verdicts, whole(value[2], f"{place}[2]")


# --- the run --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Call:
    """A call of CycleFind: the repeated word, and the period and labels found."""

    place: str
    word: Word = ()
    period: int = 1
    steps: int = 0
    labels: list[int] = field(default_factory=list)

    @property
    def current(self) -> int:
        """Return the state in which the call ends (l. 440)."""
        return self.labels[self.steps % len(self.labels)]


class Progress:
    """The state of the checker after the entries checked so far."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.setting = formulas.setting_of(certificate.parameters)
        self.work = Work.of_file(certificate.stated.size)
        self.record = Record(certificate.record)
        self.model = Model(certificate.parameters.actions)
        self.now = 0
        """Steps taken."""
        self.loop = 0
        """The step at which the loop of the last plan began."""
        self.looped = 0
        """Steps taken of that loop."""
        self.datasets = 0
        self.decisions = 0
        self.spent = Fraction(0)
        self.calls: list[Call] = []
        self.known: list[int] = []
        """The id of the first dataset of each state."""
        self.kept_until: int | None = None
        """The last step at which a row of these datasets was read."""

    def paid(
        self, entry: PeriodFound | LabelsFound | Trained, place: str, charge: Fraction
    ) -> Iterator[Finding]:
        """Check that a decision has the next number and is charged what its tests cost."""
        if entry.number != self.decisions:
            message = f"{entry.number}, expected {self.decisions}"
            yield Finding("numbers", f"{place}.number", message)
        if entry.charge != charge:
            message = f"{shown(entry.charge)}, but these tests cost {shown(charge)}"
            yield Finding("charges", f"{place}.charge", message)
        self.decisions += 1
        self.spent += charge


def check(certificate: Certificate) -> list[Finding]:
    """Return all findings against a certificate; an empty list means that it is accepted.

    Raises `Malformed` if checking takes too many steps for the size of the file.
    """
    return findings_of(certificate.stated, _broken(certificate))


def _broken(c: Certificate) -> Iterator[Finding]:
    if c.stated.method != "looped":
        yield unknown_method(c.stated.method, "'looped'")
        return
    for rules in _run(Progress(c)):
        if found := list(rules):
            yield from found
            return


def _run(run: Progress) -> Iterator[Iterable[Finding]]:
    """Yield the rules for each entry in the order of Algorithm 1 (l. 300–360)."""
    while not run.model.is_total:
        yield from _cycle_find(run)
    yield from ending(run)


def _cycle_find(run: Progress) -> Iterator[Iterable[Finding]]:
    """Yield the rules for one call of CycleFind, Algorithm 2 (l. 362–442)."""
    s, call = run.setting, Call(run.record.place)
    yield _word(run, call)
    word, initial = len(call.word), formulas.initial_steps(s, len(call.word))
    if initial:
        yield check_plan(run, call.word, 0, initial)
        first = run.datasets
        yield _period_reading(run, word)
        yield _period(run, call, first)
    call.steps = formulas.call_steps(s, word, call.period)
    if call.steps > initial:
        yield check_plan(run, call.word, initial, call.steps - initial)
    first = run.datasets
    yield _position_reading(run, word, call.period)
    yield _labels(run, call, first)
    yield _transitions(run, call)
    run.calls.append(call)


def _word(run: Progress, call: Call) -> Iterator[Finding]:
    """The first word is any single action; the model determines all others (l. 306–324)."""
    entry, place = run.record.peek(Ran), f"{run.record.place}.word"
    if run.known:
        if entry.word != escaping_word(run.model, len(entry.word), run.work):
            yield Finding(
                "words", place, "not the word that the algorithm computes from the model so far"
            )
    elif len(entry.word) != 1 or entry.word[0] >= run.model.actions:
        yield Finding("words", place, f"expected a single action, 0 to {run.model.actions - 1}")
    call.word = entry.word


def _period_reading(run: Progress, word: int) -> Iterator[Finding]:
    """D_0 and D_1 for the hypotheses N, N−1, …, 2 (l. 379–384)."""
    s, (entry, place) = run.setting, run.record.take(Read)
    hypotheses = range(s.p.max_states, 1, -1)
    right = (sample for h in hypotheses for sample in formulas.period_test(s, word, h))
    settled = max((s.p.max_states - 1) * word, s.p.mixing_time)
    count = 2 * (s.p.max_states - 1)
    yield from check_reading(run, entry, place, count, right, s.period_samples, settled)
    yield from check_period_gaps(entry, place, s.p.mixing_time)


def _period(run: Progress, call: Call, first: int) -> Iterator[Finding]:
    """The largest hypothesis whose D_0 and D_1 were separated, or 1 (l. 377–392)."""
    (entry, place), s = run.record.take(PeriodFound), run.setting
    for i, (hypothesis, zeros, ones, separated) in enumerate(entry.tests):
        at = f"{place}.tests[{i}]"
        if hypothesis != s.p.max_states - i or hypothesis < 2:
            yield Finding("period", at, f"hypothesis {hypothesis}, expected {s.p.max_states - i}")
        if (zeros, ones) != (first + 2 * i, first + 2 * i + 1):
            message = f"datasets {zeros} and {ones} are not D_0 and D_1 of this hypothesis"
            yield Finding("comparisons", at, message)
        if separated and i + 1 < len(entry.tests):
            yield Finding("period", at, "separated, but more hypotheses were tested afterwards")
    separated = bool(entry.tests and entry.tests[-1][3])
    if not separated and len(entry.tests) != s.p.max_states - 1:
        message = f"{len(entry.tests)} tests, none separated; expected {s.p.max_states - 1}"
        yield Finding("period", f"{place}.tests", message)
    call.period = entry.tests[-1][0] if separated else 1
    if entry.period != call.period:
        message = f"{entry.period}, but the tests say {call.period}"
        yield Finding("period", f"{place}.period", message)
    charge = formulas.separation_charge(s.p, len(entry.tests), s.period_samples)
    yield from run.paid(entry, place, charge)


def _position_reading(run: Progress, word: int, period: int) -> Iterator[Finding]:
    """D'_i for each position i of the cycle (l. 401–409)."""
    s, (entry, place) = run.setting, run.record.take(Read)
    length = period * word
    right = (formulas.position_sample(s, word, period, i) for i in range(length))
    settled = formulas.first_sample(s.p, word, period)
    yield from check_reading(run, entry, place, length, right, 2 * s.position_samples, settled)
    yield from check_position_gaps(entry, place, s.p.mixing_time, run.kept_until)


def _labels(run: Progress, call: Call, first: int) -> Iterator[Finding]:
    """Each position is compared with the states in order, up to the first match (l. 411–435)."""
    (entry, place), s = run.record.take(LabelsFound), run.setting
    if entry.known != tuple(run.known):
        message = "not the first dataset of each known state, in the order of their labels"
        yield Finding("comparisons", f"{place}.known", message)
    length, tests = call.period * len(call.word), 0
    if len(entry.positions) != length:
        message = f"{len(entry.positions)} positions, but the cycle has {length}"
        yield Finding("labels", f"{place}.positions", message)
        return
    for i, (number, verdicts, stated) in enumerate(entry.positions):
        at = f"{place}.positions[{i}]"
        if number != first + i:
            message = f"dataset {number}, but position {i} has dataset {first + i}"
            yield Finding("comparisons", at, message)
        known, ones = len(run.known), verdicts.count("1")
        matched = verdicts.endswith("0") and ones == len(verdicts) - 1 < known
        if not matched and not ones == len(verdicts) == known:
            message = f"{verdicts[:40]!r} is not a valid sequence of verdicts for {known} states"
            yield Finding("labels", at, message)
            return
        if stated != ones:
            yield Finding("labels", at, f"label {stated}, but the verdicts say {ones}")
        if not matched:
            if known == s.p.max_states:
                yield Finding(
                    "bounds", at, f"a new state, but there are max_states = {known} already"
                )
                return
            run.known.append(number)
            run.model.add_state()
            late = formulas.position_sample(s, len(call.word), call.period, i)[1][1]
            run.kept_until = max(run.kept_until or 0, run.loop + formulas.last(late))
        call.labels.append(ones)
        tests += len(verdicts)
    charge = formulas.separation_charge(s.p, tests, s.position_samples)
    yield from run.paid(entry, place, charge)


def _transitions(run: Progress, call: Call) -> Iterator[Finding]:
    """The transitions of the cycle are added to the model (l. 437).

    At least one is new: the word takes an unknown transition from every known state.
    """
    for i, state in enumerate(call.labels):
        action, to = call.word[i % len(call.word)], call.labels[(i + 1) % len(call.labels)]
        known = run.model.rows[state].get(action)
        if known is None:
            run.model.add(state, action, to)
        elif known != to:
            message = f"position {i} says T({state}, {action}) = {to}, but it is {known}"
            yield Finding("transitions", call.place, message)
            return


# --- plans and datasets ---------------------------------------------------------------------------


def check_plan(run: Progress, word: Word, done: int, steps: int) -> Iterator[Finding]:
    """The next entry is a plan: `steps` steps of repeating `word`, after `done` steps of it."""
    entry, place = run.record.take(Ran)
    if entry.word != word:
        yield Finding("words", f"{place}.word", "not the word that is repeated in this loop")
    stated = {"start": entry.start, "done": entry.done, "steps": entry.steps}
    right = {"start": run.now, "done": done, "steps": steps}
    yield from _compared("plans", place, stated, right)
    run.loop, run.looped = run.now - done, done + steps
    run.now += steps


def check_reading(
    run: Progress,
    entry: Read,
    place: str,
    count: int,
    right: Iterable[Sample],
    needed: int,
    settled: int,
) -> Iterator[Finding]:
    """The entry reads `count` datasets from the last loop, at the times in `right`.

    Each has at least `needed` rows, none before `settled` and none after the last plan.
    """
    stated = {"loop": entry.loop, "after": entry.after, "first": entry.first}
    due = {"loop": run.loop, "after": run.decisions, "first": run.datasets}
    yield from _compared("numbers", place, stated, due)
    if len(entry.samples) != count:
        message = f"{len(entry.samples)} datasets, expected {count}"
        yield Finding("times", f"{place}.samples", message)
        return
    for i, (sample, expected) in enumerate(zip(entry.samples, right, strict=True)):
        at = f"{place}.samples[{i}]"
        rows, pieces = sample
        if rows != formulas.size(pieces):
            yield Finding("times", at, f"{rows} rows, but {formulas.size(pieces)} times")
        if sample != expected:
            yield Finding("times", at, "not the times of the schedule")
        if rows < needed:
            yield Finding("samples", at, f"{rows} rows, but {needed} are needed")
        for piece in pieces:
            if piece[0] < settled:
                yield Finding(
                    "samples", at, f"time {piece[0]} is before the end of the transient, {settled}"
                )
            if formulas.last(piece) > run.looped:
                message = f"time {formulas.last(piece)} is after the plan's end, {run.looped}"
                yield Finding("samples", at, message)
    run.datasets += count


def _compared(
    rule: str, place: str, stated: dict[str, int], right: dict[str, int]
) -> Iterator[Finding]:
    for name, value in stated.items():
        if value != right[name]:
            yield Finding(rule, f"{place}.{name}", f"{value}, expected {right[name]}")


def check_period_gaps(entry: Read, place: str, apart: int) -> Iterator[Finding]:
    """Rows compared by a test of the period are at least t̂_mix apart, by the recorded times.

    These are D_1 ∪ D_0^(j) for each j, where D_0^(j) has one time of each repetition (l. 601).
    """
    for i in range(0, len(entry.samples) - 1, 2):
        zeros, ones = _only(entry.samples[i], 5), _only(entry.samples[i + 1], 3)
        if zeros is None or ones is None or zeros[1:3] != ones[1:3]:
            continue  # not the times of a test: the rule `times` reports this
        count, every = ones[1], ones[2]
        first_row = zeros[0] - ones[0]
        gaps = [first_row]
        if count > 1:
            gaps += [every, every - first_row - (zeros[3] - 1) * zeros[4]]
        if min(gaps) < apart:
            at = f"{place}.samples[{i}]"
            yield Finding("separation", at, f"gap {min(gaps)} < {apart} in D_1 ∪ D_0^(j)")


def check_position_gaps(
    entry: Read, place: str, apart: int, kept_until: int | None
) -> Iterator[Finding]:
    """Gaps within A and B, between any A and any B, and to the datasets of earlier calls."""
    pairs = [sample[1] for sample in entry.samples if len(sample[1]) == 2]
    if not pairs or len(pairs) < len(entry.samples):
        return  # not the times of positions: the rule `times` reports this
    for i, pieces in enumerate(pairs):
        yield from check_stride(pieces, f"{place}.samples[{i}]", apart)
    gap = min(late[0] for _, late in pairs) - max(formulas.last(early) for early, _ in pairs)
    if gap < apart:
        message = f"gap {gap} < {apart} between the last A and the first B"
        yield Finding("separation", f"{place}.samples", message)
    first = entry.loop + min(early[0] for early, _ in pairs)
    if kept_until is not None and first - kept_until < apart:
        message = f"gap {first - kept_until} < {apart} from a dataset of an earlier call"
        yield Finding("separation", f"{place}.samples", message)


def check_stride(pieces: tuple[Piece, ...], place: str, apart: int) -> Iterator[Finding]:
    """The gap between the times of one arithmetic progression."""
    for piece in pieces:
        if len(piece) == 3 and piece[1] > 1 and piece[2] < apart:
            yield Finding("separation", place, f"gap {piece[2]} < {apart}")


def _only(sample: Sample, length: int) -> Piece | None:
    """Return the only piece of a dataset if it has this length, else None."""
    pieces = sample[1]
    return pieces[0] if len(pieces) == 1 and len(pieces[0]) == length else None


# --- the end of a run -----------------------------------------------------------------------------


def ending(run: Progress) -> Iterator[Iterable[Finding]]:
    """Yield, in order, the rules for everything after the last call of CycleFind."""
    yield _model(run)
    yield _tracking(run)
    if run.certificate.classifiers is not None:
        yield from _tour_and_encoder(run)
    yield _totals(run)


def _model(run: Progress) -> Iterator[Finding]:
    """The table holds exactly the transitions found by the calls, and keeps the stated bounds."""
    p, model = run.certificate.parameters, run.model
    table = run.certificate.stated.table
    states = len(model.rows)
    if len(table) != states:
        message = f"the table has {len(table)} states, but the calls found {states}"
        yield Finding("table", "table", message)
    for state, (stated, row) in enumerate(zip(table, model.rows, strict=False)):
        if len(stated) != p.actions or any(row[a] != to for a, to in enumerate(stated)):
            yield Finding("table", f"table[{state}]", "not the transitions that the calls found")
    if p.class_size < states:
        message = f"{states} states need {states} classifiers, but class_size = {p.class_size}"
        yield Finding("bounds", "table", message)
    distances = [farthest(model, state, run.work) for state in range(states)]
    reached = [distance for distance in distances if distance is not None]
    if len(reached) < states:
        message = f"not strongly connected: {distances.index(None)} does not reach every state"
        yield Finding("table", "table", message)
    elif max(reached) > p.max_diameter:
        message = f"diameter {max(reached)}, more than max_diameter = {p.max_diameter}"
        yield Finding("bounds", "table", message)


def _tracking(run: Progress) -> Iterator[Finding]:
    """Following the table from the end of each call into the next leads to the states it found.

    A repeated word returns to an earlier state at the end of a repetition: this closes its cycle.
    """
    for call in run.calls:
        ends = call.labels[:: len(call.word)]
        if len(set(ends)) < len(ends):
            message = f"period {call.period}, but in the table the loop returns earlier"
            yield Finding("tracking", call.place, message)
    for before, call in zip(run.calls, run.calls[1:], strict=False):
        yield from _followed(run, before.current, call)


def _followed(run: Progress, start: int, call: Call) -> Iterator[Finding]:
    """Once the table and the call agree on one state, they agree on all later states."""
    here, words, seen = start, 0, set[int]()
    while here != (found := call.labels[words * len(call.word) % len(call.labels)]):
        if here in seen:
            message = f"the table leads from state {start} to {here}, but {found} was found there"
            yield Finding("tracking", call.place, message)
            return
        seen.add(here)
        run.work.add(len(call.word) + 5)
        for action in call.word:
            here = run.model.rows[here][action]
        words += 1


def _tour_and_encoder(run: Progress) -> Iterator[Iterable[Finding]]:
    """Phases 2 and 3 (l. 327–359). There is no tour if no state lacks samples."""
    p, passes = run.certificate.parameters, formulas.tour_passes(run.setting, len(run.known))
    first = run.datasets
    if passes:
        entry, home = run.record.peek(Ran), run.calls[-1].current
        cycle = covering_cycle(run.model, home, p.mixing_time, len(entry.word), run.work)
        if cycle is None or cycle != entry.word:
            message = "not the covering cycle computed from the table"
            yield [Finding("tour", f"{run.record.place}.word", message)]
            return
        yield check_plan(run, cycle, 0, passes * len(cycle))
        yield _tour_reading(run, home, cycle, passes)
    yield _encoder(run, [[old, first + s] if passes else [old] for s, old in enumerate(run.known)])


def _tour_reading(run: Progress, home: int, cycle: Word, passes: int) -> Iterator[Finding]:
    """Each pass except the first reads one row per state, at the pass's first visit to it."""
    (entry, place), apart = run.record.take(Read), run.setting.p.mixing_time
    here, first_visit = home, dict[int, int]()
    for time, action in enumerate(cycle, start=1):
        here = run.model.rows[here][action]
        first_visit.setdefault(here, time)
    rows, length = passes - 1, len(cycle)
    right = (
        (rows, ((length + first_visit[state], rows, length),)) for state in range(len(run.known))
    )
    yield from check_reading(run, entry, place, len(run.known), right, rows, length + 1)
    if run.kept_until is not None:
        for i, (_, pieces) in enumerate(entry.samples):
            at = f"{place}.samples[{i}]"
            yield from check_stride(pieces, at, apart)
            for piece in pieces:
                if (gap := entry.loop + piece[0] - run.kept_until) < apart:
                    yield Finding("separation", at, f"gap {gap} < {apart} from phase 1")


def _encoder(run: Progress, datasets: list[list[int]]) -> Iterator[Finding]:
    """One classifier for each state, trained on all datasets kept for it (l. 354–359)."""
    entry, place = run.record.take(Trained)
    p, classifiers = run.certificate.parameters, run.certificate.classifiers or ()
    if list(map(list, entry.datasets)) != datasets:
        message = "not the datasets that were kept for each state"
        yield Finding("comparisons", f"{place}.datasets", message)
    if len(set(classifiers)) != len(classifiers) or len(classifiers) != len(datasets):
        message = f"expected {len(datasets)} different classifiers, one per state"
        yield Finding("encoder", "classifiers", message)
    for state, classifier in enumerate(classifiers):
        if classifier >= p.class_size:
            message = f"classifier {classifier} is not one of the {p.class_size} of the class"
            yield Finding("encoder", f"classifiers[{state}]", message)
    yield from run.paid(entry, place, formulas.encoder_charge(p, len(datasets)))


def _totals(run: Progress) -> Iterator[Finding]:
    """No entry is left over, and the stated totals are correct."""
    c = run.certificate
    yield from run.record.check_end()
    yield from check_totals(
        c.stated,
        delta=c.parameters.delta,
        spent=run.spent,
        steps=run.now,
        current=run.calls[-1].current,
    )


# --- the true dynamics ----------------------------------------------------------------------------


def check_truth(c: Certificate, table: Table, start: int) -> Iterator[Finding]:
    """Yield a finding for each decision that contradicts the true dynamics."""
    meaning: dict[int, int] = {}
    work = Work.of_file(c.stated.size + 8 * len(table))
    word: Word = ()
    here, loop, cycle = start, [start], 0
    for number, entry in enumerate(c.record):
        place = f"record[{number}]"
        match entry:
            case Ran():
                if entry.done == 0:
                    word = entry.word
                    loop, cycle = _loop(table, here, word, work)
                here = _at(loop, cycle, entry.done + entry.steps)
            case PeriodFound():
                period = (len(loop) - cycle) // len(word)
                if entry.period != period:
                    message = f"{entry.period}, but the true period is {period}"
                    yield Finding("truth", f"{place}.period", message)
            case LabelsFound():
                for i, (_, _, label) in enumerate(entry.positions):
                    # The state at a time when the loop is in its cycle, at this position.
                    true = loop[cycle + (i - cycle) % (len(loop) - cycle)]
                    if meaning.setdefault(label, true) != true:
                        at = f"{place}.positions[{i}]"
                        yield Finding("truth", at, f"label {label} stands for two states")
                        return
                if len(set(meaning.values())) < len(meaning):
                    yield Finding("truth", place, "two labels stand for one state")
                    return
    if len(meaning) != len(table):
        message = f"{len(meaning)} states were learned, but the true dynamics have {len(table)}"
        yield Finding("truth", "table", message)


def _loop(table: Table, start: int, word: Word, work: Work) -> tuple[list[int], int]:
    """Return the states while a word is repeated until a state recurs, and the recurring index."""
    seen: dict[int, int] = {}
    states: list[int] = []
    here = start
    while here not in seen:
        seen[here] = len(states)
        work.add(len(word))
        for action in word:
            states.append(here)
            here = table[here][action]
    return states, seen[here]


def _at(loop: list[int], cycle: int, time: int) -> int:
    return loop[time] if time < cycle else loop[cycle + (time - cycle) % (len(loop) - cycle)]
