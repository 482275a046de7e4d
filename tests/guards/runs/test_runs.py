"""A sample of the recorded runs is repeated: steps, plans, verdicts, charges and tables are stored.

`python -m tests.guards.runs` repeats all of them.
"""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from .adapter import record_of
from .canonical import DIGITS, PARTS, Loop, digests
from .stored import (
    DIGESTED,
    SAMPLE,
    all_runs,
    both,
    difference,
    expected,
    texts_by_digest,
)

RECORDED = Path(__file__).parents[3] / "steel_verified" / "experiments" / "recorded"


@pytest.mark.parametrize("run", both(SAMPLE))
def test_a_run_of_the_sample_is_as_stored(run: str) -> None:
    """Without the self-check, which takes most of the time and changes nothing that is stored."""
    text = difference(run, self_check=False)
    assert text is None, f"{text}\n`python -m tests.guards.runs` compares all runs"


def test_all_recorded_runs_are_stored() -> None:
    assert sorted(expected()) == sorted(all_runs())
    assert len(expected()) == 800
    assert set(both(SAMPLE)) <= set(expected())
    for parts in expected().values():
        assert tuple(parts) == PARTS
        assert parts["ended"] == "right"


def test_stored_runs_have_the_steps_and_charges_of_the_recorded_experiments() -> None:
    """Two records of the same runs, made at different times by different code."""
    compared = 0
    for file, method in (("table2", "looped"), ("table3", "looped"), ("located", "located")):
        for line in (RECORDED / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "env_seed" not in row:
                continue  # predictions from all starts
            _, *words = (word for word in row["key"].split() if word[:4] not in ("env=", "nois"))
            world = " ".join(word if "=" not in word else f"--{word}" for word in words)
            seeds = f"--env-seed {row['env_seed']} --noise-seed {row['noise_seed']}"
            run = f"{world.replace('=', ' ')} {seeds} --method {method}"
            parts = expected()[run]
            assert parts["steps"] == str(row["steps"]), run
            charges = texts_by_digest()[parts["charges"]]
            assert charges.endswith(f"\nspent {row['delta_spent']}\n"), run
            compared += 1
    assert compared == 800


# --- the guard itself -----------------------------------------------------------------------------

SMALL = "single-prime --p 3 --q 5 --env-seed 0 --noise-seed 0 --method looped"


def test_every_part_has_its_own_digest() -> None:
    """A change of one part changes the digest of this part; only plans are part of several."""
    record = record_of(SMALL, self_check=False)
    first, *rest = record.loops
    shorter = Loop(first.start, first.steps - 1, first.word)
    turned = Loop(first.start, first.steps, tuple(1 - action for action in first.word))
    changed = {
        "ended": replace(record, ended="exit code 1"),
        "steps actions plans": replace(record, loops=[shorter, *rest]),
        "actions plans": replace(record, loops=[turned, *rest]),
        "times": replace(record, times=[record.times[0] + 1, *record.times[1:]]),
        "rows": replace(record, rows=b"\1"),
        "verdicts": replace(record, verdicts=record.verdicts[:-1]),
        "charges": replace(record, spent=2 * record.spent),
        "table": replace(record, current=record.current + 1),
        "classifiers": replace(record, classifiers=record.classifiers[::-1]),
    }
    before = digests(record)
    for names, other in changed.items():
        after = digests(other)
        assert {name for name in PARTS if before[name] != after[name]} == set(names.split())


def test_stored_texts_are_those_of_their_digests() -> None:
    stored = {parts[name] for parts in expected().values() for name in DIGESTED}
    for digest, text in texts_by_digest().items():
        assert hashlib.sha256(text.encode()).hexdigest()[:DIGITS] == digest
        assert digest in stored
