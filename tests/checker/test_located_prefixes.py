"""Whatever the rows are, and however a run ends, the checker follows it entry by entry.

The worlds here break the assumptions, so that labels are merged wrongly, some cannot be reached
again, and rounds fail. The learner is stopped after some steps. Of what it has written, the checker
must miss nothing but what would come next.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.checker.judging import judged
from proofs_checks.checker.located import Following, Pool
from proofs_checks.checker.located_record import Seen, read
from proofs_checks.checker.reading import Broken, Ran
from steel_verified.classes.finite import Components
from steel_verified.evidence.certificate import Claim, Class, Header, Parameters, lines, provenance
from steel_verified.evidence.ledger import Opening
from steel_verified.evidence.oracle import of_kind
from steel_verified.learning.drive import checked_run
from steel_verified.learning.graph import Labels
from steel_verified.learning.located import Located, Revisiting, State, _closed
from steel_verified.learning.results import Accepted
from tests.bounds import bounds

from ..certificates.content import as_json
from ..learning.random_worlds import BitWorld, NoiseBit, random_world
from .material import finite, located_runs, resealed

if TYPE_CHECKING:
    from proofs_checks.checker.located import Ending


MERGED_WHILE_LOOKING_AGAIN = 611
"""A run that merges labels while it revisits states, and then restarts with one pass."""


def arbitrary_run(seed: int) -> bytes:
    """What a learner has written after some steps in a world that breaks its assumptions.

    Some bits of a random world are missing, so that states may not be told apart; the bounds may
    be too small, and the noise slow.
    """
    rng = np.random.default_rng(seed)
    world = random_world(rng, max_states=4)
    bits = tuple(bit for bit in world.bits if rng.random() < 0.85) or world.bits
    slow = Fraction(1, int(rng.choice([2, 9, 40])))
    noise = tuple(NoiseBit(bit.ones, slow) for bit in world.noise)
    p = bounds(
        world.dynamics.actions,
        max(1, world.dynamics.states + int(rng.integers(-1, 3))),
        int(rng.integers(1, 6)),
        delta=Fraction(9, 10),
        epsilon=Fraction(1, 2),
    )
    oracle = Components(len(bits))
    shown = BitWorld(world.dynamics, world.start, noise, bits).world(seed)
    result = checked_run(shown, oracle, Located(p), max_steps=int(rng.integers(10, 600)))

    last = result.classifiers if isinstance(result, Accepted) else None
    header = Header(
        method="located",
        parameters=msgspec.convert(p, Parameters, from_attributes=True),
        functions=Class("finite", "bits", len(bits), "lowest number"),
        assumptions=("x" * 20_000,),
        provenance=provenance("test", 0, 0),
    )
    claim = Claim(
        table=tuple(tuple(-1 if to is None else to for to in row) for row in result.model.table),
        current=result.current if isinstance(result, Accepted) else 0,
        classifiers=of_kind(int, *(last or ())),
        spent=result.ledger.budget.spent,
        steps=result.ledger.steps,
    )
    entries = (e for e in result.ledger.entries if not isinstance(e, Opening))
    return b"".join(lines(header, entries, claim))


def ending(data: bytes) -> str:
    """Return how checking ends: accepted, or the missing entry after the last one."""
    findings = judged(data).findings
    if not findings:
        return "accepted"
    (finding,) = findings
    assert finding.place == f"record[{len(read(data).record)}]", str(finding)
    assert finding.rule in ("order", "bounds")
    return finding.rule


@given(seed=st.integers(0, 2**32))
def test_arbitrary_runs_are_followed_to_their_end(seed: int) -> None:
    ending(arbitrary_run(seed))


def test_some_hundred_arbitrary_runs_are_of_many_kinds() -> None:
    """Some runs revisit states, some have failed rounds, some repeat an action when lost."""
    found = Counter[str]()
    for seed in (*range(150), MERGED_WHILE_LOOKING_AGAIN):
        data = arbitrary_run(seed)
        found[ending(data)] += 1
        found.update(kinds_of(data))
    for kind in ("accepted", "order", "bounds", "looks again", "fails", "loops again"):
        assert found[kind] > 2, found


def test_path_into_closed_component_is_walked_once() -> None:
    """Label 0 leads to label 1, which leads to itself. No generated run has this shape."""
    value = json.loads(as_json(located_runs()["two states"]))
    value["parameters"] |= {"actions": 1, "max_states": 1}
    certificate = replace(
        read(resealed(value)),
        record=(Ran(0, (0,), 0, 1), Seen(0, (1,), (b"\2",))),
    )

    class Closing(Following[tuple[int, int]]):
        def close(self, passes: int) -> Ending | int:
            return self._close(passes)

    run = Closing(certificate, finite(certificate))
    for label, bits in ((0, 1), (1, 2)):
        run.labels.add()
        run.labels.lead(label, 0, 1)
        run.pools[label] = Pool(8, (bits, bits))
    run.lost = 3
    assert run.close(4) == 2
    assert run.lost == 0
    assert run.current == 1
    assert run.pools[1].rows == 9
    state = learner_on(run.labels.rows)
    stage = _closed(state, 0, 4, Components(2)).stage
    assert stage == Revisiting(0, walk=(0,), done=0, passes=1)


def learner_on(rows: dict[int, dict[int, int]]) -> State:
    """Return a learner that knows these transitions of one action."""
    p = bounds(1, 1, delta=Fraction(1, 2), epsilon=Fraction(1, 2))
    table = {label: (row[0],) for label, row in rows.items()}
    return replace(Located(p).begin(), labels=Labels(1, tuple(rows), table))


def kinds_of(data: bytes) -> set[str]:
    """Return the kinds of events in a run, according to the checker."""
    certificate, found = read(data), set[str]()

    class Watched(Following[tuple[int, int]]):
        def _walk(self, walk: tuple[int, ...], passes: int) -> int:
            found.add("looks again")
            return super()._walk(walk, passes)

        def loop(self, action: int) -> None:
            if self.pools:
                found.add("loops again")
            super().loop(action)

    run = Watched(certificate, finite(certificate))
    with suppress(Broken):
        run.follow()
    if run.rounds > 1:
        found.add("fails")
    return found
