"""The checker that is extracted from the Coq proofs agrees with Python's.

Whatever Python accepts, the extracted checker accepts, with the same answer. The reverse need not
hold: the extracted checker decides what its theorem needs, and no more. `LEFT_TO_PYTHON` lists the
rules that it leaves to Python; a file that breaks another rule is rejected by both.

Where the program is not built, this file has one test instead, whose name says so.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from proofs_checks.checker import verified
from proofs_checks.checker.__main__ import main
from proofs_checks.checker.classes import ANNOUNCED
from proofs_checks.checker.judging import judged
from proofs_checks.checker.located_record import Joins, read
from proofs_checks.checker.reading import Malformed
from proofs_checks.checker.verified import HOW_TO_BUILD, MOST_STACK, PROGRAM, NotVerified

from ..certificates.attacks import attacked
from ..certificates.content import as_json, written
from ..classes.random_worlds import NAMES, random_run
from ..learning.scenes import random_scene
from .material import located_runs, run_of, verdict
from .test_classes_of_located_runs import RUNS, certificate
from .test_tampering import FLIP, tampered

CORPUS = Path(__file__).parents[1] / "certificates"

LEFT_TO_PYTHON = {
    "digest": "the digest is about the file, not about the run",
    "recipe": "a name",
    "order": "entries that only repeat what the rows decide are not read",
    "plans": "a learner may act as it likes; the theorem is about every learner",
    "rows": "rows may be numbered, and times listed, in another way",
    "periods": "stated periods are not read: they are computed from the rows",
    "same": "stated merges are not read: they are computed from the rows",
    "joins": "stated joins are not read; a run that ended by them is refused",
    "proofs": "which half-spaces separate is computed",
    "walk": "any closed walk through all states that is long enough will do",
    "passes": "more passes than are needed will do",
    "encoder": "the classifiers announced with a round are computed; half-spaces may be any",
    "checks": "stated failures are not read: they are computed",
    "charges": "stated charges are not read: they are computed",
    "budget": "the stated sum is not read",
    "bounds": "one state is not refused",
}


ONLY_STATED = {
    "charge_of_a_first_round_twice",
    "encoder_picked_afterwards",
    "failed_check_reported_as_passed",
    "failed_round_left_out_of_the_sum",
    "failed_round_not_charged",
    "merge_left_out",
    "merge_without_proof",
    "merged_with_another_label",
    "pass_numbered_again",
    "period_struck_out",
    "period_that_was_refuted",
    "rows_numbered_again",
    "visits_exchanged",
}
"""Attacks of the corpus that change only what the extracted checker computes and does not read."""


def of_extracted(data: bytes) -> str:
    """The verdict of the extracted checker."""
    try:
        return "rejected" if judged(data).verified() else "accepted"
    except Malformed:
        return "malformed"
    except NotVerified:
        return "not read"  # as a file that names an unknown method


def agreed(data: bytes) -> str:
    """Both verdicts on a file, as a text; they agree as the docstring of this module says."""
    python, extracted = verdict(data), of_extracted(data)
    if python == "accepted":
        assert extracted == "accepted", "Python accepts, the extracted checker does not"
    elif extracted == "accepted":
        rules = {finding.rule for finding in judged(data).findings}
        assert rules <= LEFT_TO_PYTHON.keys(), f"accepted although it breaks {rules}"
    return f"{python}, {extracted}"


@cache
def material() -> tuple[bytes, ...]:
    """Certificates of small runs, with every class that the extracted checker reads."""
    shown = (random_run(name, seed) for name in NAMES for seed in range(3))
    return (*located_runs().values(), *(data for data in shown if data is not None))


def honest(runs: int, seed: int) -> Counter[str]:
    """Compare both checkers on random runs of every class; count the verdicts."""
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(runs):
        name, number = rng.choice(["finite", *NAMES]), rng.randrange(1 << 30)
        data = run_of(random_scene(number)) if name == "finite" else random_run(name, number)
        if data is not None:
            seen[agreed(data)] += 1
    return seen


def changed(changes: int, seed: int) -> Counter[str]:
    """Compare both checkers on random changes of small runs; count the verdicts."""
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(changes):
        _, data = tampered(rng, rng.choice(material()))
        if verdict(data) != "malformed" and judged(data).method == "located":
            seen[agreed(data)] += 1
    return seen


def test_where_it_is_not_built_the_command_says_how_to_build_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(verified, "PROGRAM", tmp_path / "nothing")
    grid = CORPUS / "accepted" / "located_grid.json"
    assert main([str(grid), "--verified"]) == 2
    assert HOW_TO_BUILD in capsys.readouterr().out


def test_it_reads_no_announced_conjunctions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Old files have no declared rule."""
    value = json.loads(as_json(certificate("conjunctions")))
    value["class"]["rule"] = ANNOUNCED
    (tmp_path / "run.json").write_bytes(written(value))
    assert main([str(tmp_path / "run.json"), "--verified"]) == 2
    assert "here they are announced" in capsys.readouterr().out


def test_it_reads_no_looped_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(CORPUS / "accepted" / "grid.json"), "--verified"]) == 2
    assert "located and certain runs only" in capsys.readouterr().out


def test_the_program_has_a_large_stack_for_long_records(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho "$(ulimit -s) of $(ulimit -H -s)" >&2\nexit 3\n')
    program.chmod(0o755)
    monkeypatch.setattr(verified, "PROGRAM", program)
    with pytest.raises(Malformed) as caught:
        judged(located_runs()["lock"]).verified()
    now, most = str(caught.value).split()[-3::2]
    assert now in (most, str(MOST_STACK >> 10))


if PROGRAM.is_file():

    @pytest.mark.parametrize("path", sorted(CORPUS.glob("*/located_*.json")), ids=lambda p: p.stem)
    def test_both_agree_on_the_corpus(path: Path) -> None:
        data = path.read_bytes()
        if path.parent.name == "malformed":
            assert of_extracted(data) == "malformed"
        else:
            accepted = path.parent.name == "accepted" or path.stem[8:] in ONLY_STATED
            assert agreed(data).startswith(path.parent.name)
            assert (of_extracted(data) == "accepted") == accepted

    @pytest.mark.parametrize("path", sorted(CORPUS.glob("*/joins_*.json")), ids=lambda p: p.stem)
    def test_runs_for_the_dynamics_only_are_read_if_they_were_validated(path: Path) -> None:
        data = path.read_bytes()
        if of_extracted(data) == "not read":
            assert isinstance(read(data).record[-1], Joins)
        else:
            assert agreed(data).startswith(path.parent.name)

    @pytest.mark.parametrize("name", sorted(located_runs()))
    def test_both_accept_honest_runs(name: str) -> None:
        assert agreed(located_runs()[name]) == "accepted, accepted"

    def test_it_computes_what_coq_computes() -> None:
        """The run of proofs_checks/coq/located/Example.v, whose answer Coq computes as well."""
        states = [0, 1, 0, 1, 0, 0, 1, 1, *[0, 1] * 52]
        coins = [1, 0, 1, 1, 0, 1, 0, 1, *[0, 1, 1] * 35]
        rows = [(2 if state else 1) + 4 * coin for state, coin in zip(states, coins, strict=False)]
        actions = [0, 0, 0, 0, 1, 0, 1, *[0] * 104]
        steps = [f"D {a} {x:x}" for a, x in zip(actions, rows[1:], strict=True)]
        walk = "V 12 0 0 0 0 0 0 0 0"
        lines = [
            "P 2 2 1 1/4 1/10",
            "C finite 3",
            "L",
            *steps[:4],
            "E",
            *steps[4:7],
            walk,
            *steps[7:],
        ]

        def printed(lines: list[str]) -> list[str]:
            text = "\n".join(lines)
            done = subprocess.run(
                [PROGRAM], input=text, capture_output=True, text=True, check=False
            )
            return done.stdout.splitlines()

        assert printed(lines) == ["1 0", "0 1", "current 0", "steps 111", "1", "0"]
        assert printed(lines[:-1]) == ["rejected"]

    @pytest.mark.parametrize(
        ("name", "change"),
        [
            ("lock", "for bit in range(30): flip(r[-2], bit)"),  # the last pass names other states
            ("lock", "c['parameters']['actions'] += 1"),  # an action that was never tried
            ("lock", "c['parameters']['max_states'] = 3"),  # more states than there may be
            ("lock", "c['parameters']['mixing_time'] *= 9"),  # the walk is too short
            ("two states", "c['parameters']['epsilon'] = '1/50'"),  # too few passes
        ],
    )
    def test_it_rejects_what_its_theorem_needs(name: str, change: str) -> None:
        assert of_extracted(attacked(located_runs()[name], f"{FLIP}\n{change}")) == "rejected"

    def test_the_command_says_that_both_accept(capsys: pytest.CaptureFixture[str]) -> None:
        assert main([str(CORPUS / "accepted" / "located_grid.json"), "--verified"]) == 0
        assert "extracted from the Coq proofs" in capsys.readouterr().out

    @pytest.mark.parametrize("name", RUNS)
    def test_both_accept_runs_of_other_classes(name: str) -> None:
        assert agreed(certificate(name)) == "accepted, accepted"

    @pytest.mark.parametrize("name", RUNS)
    def test_another_classifier_than_that_of_the_rule_is_rejected_by_both(name: str) -> None:
        """The claim of the file must have the classifiers that the round was about."""
        value = json.loads(as_json(certificate(name)))
        first, *others = value["classifiers"]
        value["classifiers"] = [others[0], *others[1:], first]
        assert agreed(written(value)) == "rejected, rejected"

    @pytest.mark.parametrize("seed", range(3))
    def test_both_agree_on_some_random_runs(seed: int) -> None:
        assert honest(runs=12, seed=seed)["accepted, accepted"] >= 6

    @pytest.mark.parametrize("seed", range(3))
    def test_both_agree_on_some_random_changes(seed: int) -> None:
        seen = changed(changes=60, seed=seed)
        assert seen["rejected, rejected"] >= 10

    @pytest.mark.coq
    @pytest.mark.parametrize("seed", range(10, 20))
    def test_both_agree_on_a_thousand_random_changes(seed: int) -> None:
        seen = changed(changes=100, seed=seed)
        assert seen["rejected, rejected"] >= 15

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(20, 30))
    def test_both_agree_on_thousands_of_random_runs_and_changes(seed: int) -> None:
        """Prints how often each pair of verdicts occurred: `pytest -m slow -s tests/checker`."""
        seen = honest(runs=200, seed=seed) + changed(changes=1500, seed=seed)
        print(f"\n{dict(seen)}")
        assert seen["accepted, accepted"] >= 100
        assert seen["rejected, rejected"] >= 300

else:

    def test_not_compared_because_the_extracted_checker_is_not_built() -> None:
        with pytest.raises(NotVerified, match="not built"):
            judged((CORPUS / "accepted" / "located_grid.json").read_bytes()).verified()
