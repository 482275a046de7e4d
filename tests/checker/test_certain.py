"""The checker of certain STEEL accepts what is decided, refuses the rest, and agrees with Coq's."""

from __future__ import annotations

import subprocess
import time
from base64 import b64encode
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker import certain as checker
from proofs_checks.checker.certain import Answer, Closed, Learned, Record
from proofs_checks.checker.judging import judged
from proofs_checks.checker.reading import Broken, Finding, Malformed, Work, opened
from proofs_checks.checker.verified import PROGRAM_OF_CERTAIN, answer_of_certain
from steel_verified.learning.covers import hints
from steel_verified.learning.deciding import Decided, without_lone_labels
from steel_verified.learning.knowledge import bits
from tests.learning.certain.test_certain import flickering
from tests.learning.certain.worlds import (
    NOISE,
    Definition,
    Hostile,
    explored,
    hostile_worlds,
    is_connected,
    judge,
    known_of,
    logs,
)
from tests.reaching import reach

from ..certificates.content import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proofs_checks.checker.certain import Step
    from steel_verified.learning.knowledge import Trajectory

    from ..certificates.content import Value


def answer_of(record: Record) -> Answer | Finding:
    """The answer of the checker, or the rule that is broken, with the limit of a short file."""
    try:
        return checker.answer_of(record, Work.of_file(0))
    except Broken as broken:
        return broken.finding


def record_of(
    episodes: Sequence[Trajectory],
    classifiers: int,
    actions: int,
    claim: Sequence[int],
    *,
    connected: bool,
) -> Record:
    """The record of a log, with a claim and without hints."""
    paths = tuple(checker.Trajectory(episode.rows, episode.actions) for episode in episodes)
    return Record(classifiers, actions, connected, paths, tuple(claim))


def certified(
    episodes: Sequence[Trajectory], classifiers: int, actions: int, *, connected: bool
) -> Record | None:
    """The record of a decided log with its hints; None if it is not decided."""
    decision = judge(episodes, classifiers, actions, connected=connected)
    if not isinstance(decision, Decided):
        return None
    claim = [fits[0] for fits in decision.labels]
    known = without_lone_labels(known_of(episodes, classifiers, actions), connected=connected)
    here = episodes[-1].rows[-1] if connected else None
    found = hints(episodes, known, (sum(1 << f for f in claim),), here)
    clauses = (Learned(*signed(clause)) for clause in found.refutation)
    record = record_of(episodes, classifiers, actions, claim, connected=connected)
    proof: tuple[Step, ...] = (*map(Closed, found.closed), *clauses)
    return replace(record, removals=found.removed, proof=proof)


def signed(clause: Sequence[int]) -> tuple[int, int]:
    yes = sum(1 << literal - 1 for literal in clause if literal > 0)
    return yes, sum(1 << -literal - 1 for literal in clause if literal < 0)


@given(logs())
def test_decided_log_is_accepted_with_hints_and_nothing_else_is(
    drawn: tuple[Hostile, list[Trajectory]],
) -> None:
    world, episodes = drawn
    record = certified(episodes, world.size, world.actions, connected=False)
    if record is not None:
        assert isinstance(answer_of(record), Answer)
        assert isinstance(answer_of(replace(record, removals=())), Answer)
        return
    definition = Definition.of(episodes, world.size, world.actions, connected=False)
    for cover in definition.covers()[:3]:
        claim = [
            next(f for f in range(world.size) if definition.column(f) == column) for column in cover
        ]
        record = record_of(episodes, world.size, world.actions, claim, connected=False)
        assert isinstance(answer_of(record), Finding)


@given(hostile_worlds(connected=True), st.integers(0, 3))
def test_accepted_answer_is_that_of_the_learner(world: Hostile, seed: int) -> None:
    state, path = explored(world, most=60, seed=seed, check_steps=5)
    decision = state.decision
    if isinstance(decision, Decided):
        record = certified([path], world.size, world.actions, connected=True)
        assert record is not None
        assert answer_of(record) == Answer(
            decision.table, decision.labels, decision.current or 0, decision.supposes_two
        )


def random_hostile(random: Random) -> Hostile:
    """A connected world of a few states with up to eight arbitrary classifiers more."""
    table: list[list[int]] = [[1], [1]]
    while not is_connected(table):
        states, actions = random.randrange(2, 5), random.randrange(1, 3)
        table = [[random.randrange(states) for _ in range(actions)] for _ in range(states)]
    others = [random.randrange(1 << len(table) * NOISE) for _ in range(random.randrange(3, 9))]
    return Hostile(table, others, [random.randrange(NOISE) for _ in range(60)])


@pytest.fixture(scope="module")
def hard() -> list[Record]:
    """Decided records that rule R alone leaves open, each with a proof."""
    found = list[Record]()
    for seed in range(600):
        world = random_hostile(Random(seed))
        state, path = explored(world, most=25, seed=seed, check_steps=0)
        if isinstance(state.decision, Decided):
            record = certified([path], world.size, world.actions, connected=True)
            if record is not None and record.proof:
                found.append(record)
    return found


def test_proof_is_accepted_and_needed(hard: list[Record]) -> None:
    assert len(hard) >= 10
    for record in hard:
        assert isinstance(answer_of(record), Answer)
        found = answer_of(replace(record, proof=()))
        assert isinstance(found, Finding)
        assert found.rule == "only"


def test_labels_that_can_be_left_or_that_are_all_labels_are_not_excluded(
    hard: list[Record],
) -> None:
    for record in hard:
        for labels in (record.claim, *((f,) for f in record.claim), ()):
            found = answer_of(replace(record, proof=(Closed(labels), *record.proof)))
            assert isinstance(found, Finding)
            assert found.place == "proof[0]"


@pytest.fixture(scope="module")
def lock() -> Record:
    """The lock of 20 states among 512 bits."""
    world = flickering(20, 492, 1)
    _, path = explored(world, most=1000, check_steps=0)
    record = certified([path], world.size, world.actions, connected=True)
    assert record is not None
    return record


def test_lock_is_checked_within_a_tenth_of_a_second(lock: Record) -> None:
    began = time.process_time()
    assert isinstance(answer_of(lock), Answer)
    assert time.process_time() - began <= 0.1


def in_coq(record: Record) -> Answer | None:
    """What the extracted program accepts; None if it rejects."""
    found = answer_of_certain(record)
    if found is None:
        return None
    rows = [row for path in record.trajectories for row in path.rows]
    last = next(label for label, f in enumerate(record.claim) if rows[-1] >> f & 1)
    always = any(all(row >> f & 1 for row in rows) for f in range(record.classifiers))
    return Answer(*found, last, always)


def tampered(record: Record, random: Random) -> Record:
    """The record with one change, which may or may not matter."""
    number = random.randrange(len(record.trajectories))
    path = record.trajectories[number]
    t, f = random.randrange(len(path.rows)), random.randrange(record.classifiers)
    rows, actions = list(path.rows), list(path.actions)
    claim, removals, proof = list(record.claim), list(record.removals), list(record.proof)
    match random.randrange(8):
        case 0:
            rows[t] ^= 1 << f
        case 1 if actions:
            actions[t % len(actions)] = random.randrange(record.actions)
        case 2 if actions:
            rows.pop()
            actions.pop()
        case 3:
            claim[random.randrange(len(claim))] = f
        case 4:
            claim.pop()
        case 5:
            removals.insert(0, (f, t))
        case 6 if proof:
            del proof[random.randrange(len(proof))]
        case _:
            own = record.claim[random.randrange(len(record.claim))]
            more: tuple[Step, ...] = (Learned(0, 1 << own), Learned(1 << f, 0), Closed((own,)))
            proof.insert(0, more[random.randrange(len(more))])
    paths = list(record.trajectories)
    paths[number] = checker.Trajectory(tuple(rows), tuple(actions))
    return replace(
        record,
        trajectories=tuple(paths),
        claim=tuple(claim),
        removals=tuple(removals),
        proof=tuple(proof),
    )


def test_tampered_lock_is_refused(lock: Record) -> None:
    first, (path,) = lock.claim[0], lock.trajectories
    noise = next(f for f in range(lock.classifiers) if f not in lock.claim)
    forged = {
        "a light more": replace(path, rows=(path.rows[0] ^ 1 << lock.claim[1], *path.rows[1:])),
        "last step cut": checker.Trajectory(path.rows[:-1], path.actions[:-1]),
        "an action changed": replace(path, actions=(1 - path.actions[0], *path.actions[1:])),
    }
    for why, changed in forged.items():
        assert isinstance(answer_of(replace(lock, trajectories=(changed,))), Finding), why
    assert isinstance(answer_of(replace(lock, claim=(noise, *lock.claim[1:]))), Finding)
    assert isinstance(answer_of(replace(lock, claim=lock.claim[1:])), Finding)
    assert isinstance(answer_of(replace(lock, claim=(first, *lock.claim))), Finding)
    assert isinstance(answer_of(replace(lock, removals=((first, 0), *lock.removals))), Answer)


def told(
    *paths: tuple[Sequence[int], Sequence[int]],
    claim: Sequence[int] = (0, 1),
    connected: bool = True,
) -> Record:
    """The record of these rows and actions, a claim, and as many classifiers."""
    trajectories = tuple(checker.Trajectory(tuple(rows), tuple(taken)) for rows, taken in paths)
    return Record(len(claim), 1, connected, trajectories, tuple(claim))


FORGED = {
    "a quotient explains the rows too": replace(
        told(((17, 34, 20, 40, 17), (0, 0, 0, 0)), claim=(0, 1, 2, 3)), classifiers=6
    ),
    "the world is not connected": told(((1, 2, 2), (0, 0))),
    "the last row is counted as taken": told(((1, 2), (0,))),
    "one state only": told(((1, 1), (0,)), claim=(0,)),
    "a step from one trajectory to the next": told(((1, 2), (0,)), ((1,), ()), connected=False),
    "a row shows two labels": told(((3, 1), (0,)), ((2,), ()), connected=False),
    "there is no such classifier": told(((1, 2, 1), (0, 0)), claim=(0, 2)),
    "an action is missing": told(((1, 2, 1), (0,))),
    "a bit is no classifier": told(((1, 6, 1), (0, 0))),
}


@pytest.mark.parametrize("why", FORGED)
def test_forged_record_is_refused(why: str) -> None:
    assert isinstance(answer_of(FORGED[why]), Finding)


def test_record_that_takes_too_long_is_malformed() -> None:
    honest = told(((1, 2, 1), (0, 0)))
    work = Work(1000)
    assert isinstance(checker.answer_of(honest, work), Answer)
    with pytest.raises(Malformed, match="too costly"):
        checker.answer_of(honest, Work(work.done - 1))


def test_checker_that_forgets_conflicts_over_steps_differs(
    hard: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    def together(_: object, one: int, other: int) -> bool:
        return one != other and one & other != 0

    monkeypatch.setattr(checker.View, "conflict", together)  # a mistake, on purpose
    assert any(isinstance(answer_of(record), Finding) for record in hard)


if PROGRAM_OF_CERTAIN.exists():

    def test_same_answer_as_the_extracted_checker(hard: list[Record], lock: Record) -> None:
        for record in (*hard, lock):
            assert in_coq(record) == answer_of(record)

    def test_same_verdict_as_the_extracted_checker_on_changed_records(hard: list[Record]) -> None:
        accepted = 0
        for seed in range(300):
            random = Random(seed)
            record = tampered(random.choice(hard), random)
            found = answer_of(record)
            assert in_coq(record) == (found if isinstance(found, Answer) else None)
            accepted += isinstance(found, Answer)
        assert 30 <= accepted <= 270

    @pytest.mark.parametrize("text", ["", "certain 2 2 maybe\n", "certain 2 2 log\n0 1\n"])
    def test_extracted_checker_refuses_text_that_is_no_record(text: str) -> None:
        done = subprocess.run([PROGRAM_OF_CERTAIN], input=text.encode(), check=False)
        assert done.returncode == 3

    @given(logs())
    def test_extracted_checker_decides_what_brute_force_decides(
        drawn: tuple[Hostile, list[Trajectory]],
    ) -> None:
        """With a proof by all cases; then the table is the true one."""
        world, episodes = drawn
        definition = Definition.of(episodes, world.size, world.actions, connected=False)
        first = {definition.column(f): f for f in reversed(range(world.size))}
        proof = tuple(cases(tuple(first.values())))
        for cover in definition.covers()[:3] or [frozenset({definition.column(0)})]:
            columns = sorted(cover, key=sorted)
            claim = [first[column] for column in columns]
            record = record_of(episodes, world.size, world.actions, claim, connected=False)
            found = answer_of_certain(replace(record, proof=proof))
            assert (found is not None) == definition.is_decided()
            if found is not None and len(set(world.visited)) > 1:
                true = [world.visited[min(column)] for column in columns]
                assert [[true[to] for to in line] for line in found[0]] == [
                    world.table[state] for state in true
                ]

    def test_logs_that_are_decided_and_logs_that_are_not_are_drawn() -> None:
        def covers(drawn: tuple[Hostile, list[Trajectory]]) -> int:
            world, episodes = drawn
            definition = Definition.of(episodes, world.size, world.actions, connected=False)
            return -1 if definition.is_decided() else len(definition.covers())

        reach(logs(), lambda drawn: covers(drawn) == -1)
        reach(logs(), lambda drawn: covers(drawn) > 1)

else:

    def test_extracted_checker_of_certain_steel_is_not_built_and_was_not_compared() -> None:
        assert not PROGRAM_OF_CERTAIN.exists()


def cases(left: tuple[int, ...], yes: int = 0, no: int = 0) -> Iterator[Learned]:
    """Every choice leads to a contradiction; those of a part come before those of the whole."""
    if left:
        yield from cases(left[1:], yes, no | 1 << left[0])
        yield from cases(left[1:], yes | 1 << left[0], no)
    if yes or no:
        yield Learned(yes, no)


def file_of(record: Record, **changes: object) -> bytes:
    """The certificate of a record, with fields of the claim changed."""
    answer, paths = answer_of(record), record.trajectories
    assert isinstance(answer, Answer)
    flat, width = [row for path in paths for row in path.rows], -(-record.classifiers // 8)
    number = {row: i for i, row in enumerate(dict.fromkeys(flat))}

    def text(rows: Sequence[int]) -> str:
        return b64encode(b"".join(row.to_bytes(width, "little") for row in rows)).decode()

    entries: list[Value] = []
    for path in paths:
        entries.append({"kind": "trajectory", "rows": text(path.rows[:1])})
        if path.actions:
            steps: Value = {
                "kind": "steps",
                "actions": [*path.actions],
                "rows": text(path.rows[1:]),
            }
            entries.append(steps)
    entries.append({"kind": "hints", "removed": [[f, number[flat[t]]] for f, t in record.removals]})
    closed = (step for step in record.proof if isinstance(step, Closed))
    entries += [{"kind": "closed", "classifiers": [*step.classifiers]} for step in closed]
    learned = (step for step in record.proof if isinstance(step, Learned))
    clauses: Value = [
        [*(f + 1 for f in bits(step.yes)), *(-f - 1 for f in bits(step.no))] for step in learned
    ]
    content = {
        "assumptions": [],
        "class": {
            "name": "finite",
            "entries": "bits",
            "width": record.classifiers,
            "rule": "lowest number",
        },
        "format": "steel-certificate",
        "method": "certain",
        "parameters": {"actions": record.actions, "connected": record.connected},
        "provenance": {
            "env_seed": 0,
            "noise_seed": 0,
            "python": "",
            "versions": {},
            "world": "a test",
        },
        "version": 3,
        "record": [*entries, {"kind": "refutation", "clauses": clauses}],
        "assumes": checker.assumed(record, answer),
        "classifiers": record.claim,
        "current": answer.current if record.connected else None,
        "steps": sum(len(path.actions) for path in paths),
        "table": answer.table,
        **changes,
    }
    return written(cast("dict[str, Value]", content))  # tuples become lists there


def test_file_says_what_the_record_says(hard: list[Record], lock: Record) -> None:
    for record in (*hard, lock):
        verdict = judged(file_of(record))
        assert verdict.findings == []
        assert verdict.method == "certain"
        assert verdict.learned == len(record.claim)
    assert len(file_of(lock)) < 20_000


def test_file_with_a_false_claim_is_rejected(lock: Record) -> None:
    answer = answer_of(lock)
    assert isinstance(answer, Answer)
    other = (answer.table[1], answer.table[0], *answer.table[2:])
    for changes in (
        {"table": other},
        {"current": (answer.current + 1) % 20},
        {"steps": 3},
        {"assumes": ("block", "deterministic", "realised")},
    ):
        findings = judged(file_of(lock, **changes)).findings
        assert [finding.rule for finding in findings] == ["claim"]
    broken = file_of(lock).replace(b'"world":"a test"', b'"world":"b test"')
    assert [finding.rule for finding in judged(broken).findings] == ["digest"]


def test_truth_is_compared_under_other_names(lock: Record) -> None:
    certificate = checker.certificate_in(opened(file_of(lock)))
    turned = certificate.table[::-1]
    renamed = [[19 - to for to in line] for line in turned]
    assert list(checker.check_truth(certificate, renamed)) == []
    renamed[3][0] = renamed[3][1]
    assert len(list(checker.check_truth(certificate, renamed))) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"name":"finite"', b'"name":"convex"'),
        (b'"connected":true', b'"connected":1'),
        (b'"row":0', b'"row":9999'),
        (b'"kind":"hints","removed":[', b'"kind":"hints","removed":[[1,2,3],'),
        (b'"clauses":[', b'"clauses":[[0],'),
        (b'{"kind":"trajectory"', b'{"kind":"trajectories"'),
    ],
)
def test_file_that_is_no_certificate_is_malformed(
    hard: list[Record], old: bytes, new: bytes
) -> None:
    data = file_of(hard[0])
    assert old in data
    with pytest.raises(Malformed):
        judged(data.replace(old, new).replace(b",]", b"]"))
