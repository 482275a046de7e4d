"""Every run's certificate is accepted; tampering is seen; hostile files are refused quickly."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.checker.__main__ import main
from proofs_checks.checker.findings import RULES
from proofs_checks.checker.reading import Malformed, canonical, digest_of, read
from proofs_checks.checker.rules import check
from proofs_checks.checker.truth import wrong_verdicts
from steel_verified.evidence.certificate import certificate
from steel_verified.evidence.codec import sealed
from steel_verified.experiments.instances import Sizes, instance
from steel_verified.strategies import Problem, problems
from steel_verified.theory.recipe import paper
from steel_verified.worlds.driver import learn
from steel_verified.worlds.ideal import ideal_run
from steel_verified.worlds.tabular import tabular_world

from ..learning.test_steel import ALL_FUNCTIONS, COIN, slow_coin
from ..learning.test_steel import run as learn_problem

if TYPE_CHECKING:
    from steel_verified.learning.steel import Learned

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "certificates"
SOURCES = sorted((ROOT / "proofs_checks" / "checker").glob("*.py"))

Value = dict[str, "Value"] | list["Value"] | str | int | None


def of(learned: Learned[int], problem: Problem) -> bytes:
    return sealed(certificate(learned, paper(problem.parameters), {"seed": 1}))


@cache
def lock() -> bytes:
    """A small real run, once."""
    chosen = instance("combination-lock", 0, Sizes(states=4, components=30))
    assert chosen.run is not None
    run = chosen.run(
        1, chosen.parameters, first_action=chosen.first_action, with_encoder=True, watch=None
    )
    return sealed(certificate(run.learned, paper(chosen.parameters), {"world": "lock"}))


def resealed(value: Value) -> bytes:
    """As written by someone who recomputes the digest after tampering."""
    assert isinstance(value, dict)
    without = {key: part for key, part in value.items() if key != "digest"}
    return canonical({**without, "digest": digest_of(without)})


@pytest.mark.properties
@given(problem=problems(max_states=5), seed=st.integers(0, 999), real=st.booleans())
def test_every_run_is_accepted(problem: Problem, seed: int, *, real: bool) -> None:
    if real:
        learned, _ = learn_problem(problem, seed)
    else:
        learned = ideal_run(
            problem.world.dynamics,
            problem.world.start,
            problem.parameters,
            first_action=problem.first_action,
            with_encoder=bool(seed % 2),
        )
        # The classifiers of an ideal run are true states, of which F has at least as many.
    assert check(read(of(learned, problem))) == []


@pytest.mark.properties
@given(problem=problems())
def test_certificates_are_canonical(problem: Problem) -> None:
    """Reading and writing again gives the same bytes; observations are not in it."""
    learned = ideal_run(problem.world.dynamics, problem.world.start, problem.parameters,
                        first_action=problem.first_action)  # fmt: skip
    data = of(learned, problem)
    value = json.loads(data)
    digest = value.pop("digest")
    assert sealed(value) == data
    assert digest == digest_of(value)


# --- tampering --------------------------------------------------------------------------------

HARMLESS = ("provenance", "assumptions")
"""Said for people; no rule rests on them."""

BEYOND_RECOMPUTATION = ("encoder.classifiers",)
"""Which of several classifiers the oracle chose follows from observations, which are not here."""

EQUALLY_VALID = ("parameters.max_diameter", "parameters.delta", "parameters.epsilon")
"""A bound that is a little looser or tighter may ask for exactly the same run: then the certificate
is as good for it as for the one it was made for."""


def leaves(value: Value, place: str = "") -> list[tuple[str, list[str | int]]]:
    """Every number and string in a certificate, with the way to it."""
    if isinstance(value, dict):
        inner = [(f"{place}.{key}".lstrip("."), key, part) for key, part in value.items()]
        return [(p, [k, *way]) for at, k, part in inner for p, way in leaves(part, at)]
    if isinstance(value, list):
        return [
            (p, [i, *way])
            for i, part in enumerate(value)
            for p, way in leaves(part, f"{place}[{i}]")
        ]
    return [(place, [])]


def changed(value: Value, way: list[str | int], to: Value) -> Value:
    if not way:
        return to
    copy = dict(value) if isinstance(value, dict) else list(value)  # type: ignore[arg-type]  # one of both
    copy[way[0]] = changed(copy[way[0]], way[1:], to)  # type: ignore[index]  # the way fits
    return copy


def at(value: Value, way: list[str | int]) -> Value:
    for step in way:
        value = value[step]  # type: ignore[index]  # the way fits
    return value


@st.composite
def tamperings(draw: st.DrawFn) -> tuple[str, bytes]:
    """One change to a valid certificate, with the digest made to match."""
    value: Value = json.loads(lock())
    ways = [
        (place, way)
        for place, way in leaves(value)
        if not place.startswith((*HARMLESS, "digest", "format"))
    ]
    place, way = draw(st.sampled_from(ways))
    old = at(value, way)
    if isinstance(old, int):
        new: Value = draw(
            st.sampled_from([old + 1, max(old - 1, 0), 0, old + 7, 2 * old]).filter(
                lambda n: n != old
            )
        )
    elif isinstance(old, str) and old and not old.strip("01"):
        i = draw(st.integers(0, len(old) - 1))
        flipped = old[:i] + str(1 - int(old[i])) + old[i + 1 :]
        new = draw(st.sampled_from([flipped, old[:-1], old + "0", old + "1"]))
    elif isinstance(old, str):
        new = draw(st.sampled_from([f"{old}1", "0", "1/7", "1/1000000", f"9{old}"]))
    else:
        new = 3
    return place, resealed(changed(value, way, new))


def verdict(data: bytes) -> str:
    try:
        return "rejected" if check(read(data)) else "accepted"
    except Malformed:
        return "malformed"


@pytest.mark.properties
@settings(max_examples=4 * settings().max_examples)
@given(tampering=tamperings())
def test_any_single_change_is_seen(tampering: tuple[str, bytes]) -> None:
    place, data = tampering
    if verdict(data) == "accepted":
        assert place.startswith((*BEYOND_RECOMPUTATION, *EQUALLY_VALID))


@st.composite
def structural_tamperings(draw: st.DrawFn) -> bytes:
    """Something dropped, doubled, or swapped with its neighbour, in one of the lists."""
    value: Value = json.loads(lock())
    lists = sorted({
        tuple(way[: i + 1])
        for place, way in leaves(value)
        if not place.startswith((*HARMLESS, *BEYOND_RECOMPUTATION))
        for i, step in enumerate(way[:-1])
        if isinstance(at(value, way[: i + 1]), list)
    }, key=str)  # fmt: skip
    way = list(draw(st.sampled_from(lists)))
    items = at(value, way)
    assert isinstance(items, list)
    i = draw(st.integers(0, len(items) - 1))
    kind = draw(st.sampled_from(["drop", "double", "swap"]))
    if kind == "drop":
        new = items[:i] + items[i + 1 :]
    elif kind == "double":
        new = items[: i + 1] + items[i:]
    else:
        j = (i + 1) % len(items)
        new = list(items)
        new[i], new[j] = new[j], new[i]
    if new == items:
        new = [*items, items[0]]
    return resealed(changed(value, way, new))


@pytest.mark.properties
@settings(max_examples=3 * settings().max_examples)
@given(data=structural_tamperings())
def test_anything_dropped_doubled_or_swapped_is_seen(data: bytes) -> None:
    assert verdict(data) != "accepted"


def test_a_changed_file_without_a_new_digest_is_seen() -> None:
    value = json.loads(lock())
    value["provenance"]["world"] = "another"
    (finding,) = check(read(canonical(value)))
    assert finding.rule == "digest"


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"model", "period tests", "budget"}))
def test_every_rule_can_be_broken_alone_or_first(rule: str) -> None:
    """For each rule, some single change is found by it."""
    value: Value = json.loads(lock())
    for place, way in leaves(value):
        old = at(value, way)
        news: list[Value] = [old + 1, old + 40] if isinstance(old, int) else ["0", "other", "10"]
        for new in news:
            data = resealed(changed(value, way, new))
            if place == "digest" or rule == "digest":
                data = canonical(changed(value, way, new))
            try:
                if rule in {finding.rule for finding in check(read(data))}:
                    return
            except Malformed:
                continue
    pytest.fail(f"no change was found by {rule}")


# --- hostile files ----------------------------------------------------------------------------


@pytest.mark.properties
@given(data=st.binary(max_size=300))
def test_random_bytes_are_malformed(data: bytes) -> None:
    assert verdict(data) == "malformed"


@pytest.mark.properties
@settings(max_examples=3 * settings().max_examples)
@given(cut=st.integers(0, 10**6), length=st.integers(0, 30), patch=st.binary(max_size=12))
def test_mutated_bytes_never_crash_it(cut: int, length: int, patch: bytes) -> None:
    data = lock()
    cut %= len(data)
    began = perf_counter()
    assert verdict(data[:cut] + patch + data[cut + length :]) in (
        "malformed",
        "rejected",
        "accepted",
    )
    assert perf_counter() - began < 5


HOSTILE = {
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "long number": b'{"steps":' + b"9" * 5000 + b"}",
    "float": lock().replace(b'"version":1', b'"version":1.0'),
    "nan": lock().replace(b'"version":1', b'"version":NaN'),
    "twice": lock().replace(b'"version":1', b'"version":1,"version":1'),
    "not utf-8": b"\xff\xfe",
    "empty": b"",
    "a list": b"[]",
    "null": b"null",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_quickly(kind: str) -> None:
    began = perf_counter()
    assert verdict(HOSTILE[kind]) == "malformed"
    assert perf_counter() - began < 2


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as out:
        out.truncate(65 << 20)
    began = perf_counter()
    assert main([str(file)]) == 3
    assert perf_counter() - began < 1


@pytest.mark.parametrize(
    "name", ["max_states", "max_diameter", "mixing_time", "class_size", "actions"]
)
def test_absurd_parameters_cost_nothing(name: str) -> None:
    value = json.loads(lock())
    value["parameters"][name] = 10**99
    began = perf_counter()
    assert verdict(resealed(value)) in ("rejected", "malformed")
    assert perf_counter() - began < 5


def test_too_much_work_is_refused() -> None:
    """A period that was tested ten million times: legal to write down, not worth checking."""
    value = json.loads(lock())
    value["parameters"]["max_states"] = 10**7
    value["calls"][0]["period_verdicts"] = "0" * (10**7 - 1)
    value["calls"][0]["period"] = 1
    value["calls"][0]["positions"] = value["calls"][0]["positions"][:1]
    assert verdict(resealed(value)) == "malformed"


# --- the command ------------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path: Path) -> Path:
    file = tmp_path / "lock.json"
    file.write_bytes(lock())
    return file


def test_accepted_with_its_rules_and_assumptions(
    written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(written)]) == 0
    printed = capsys.readouterr().out
    assert "Accepted: 4 states learned" in printed
    assert all(rule in printed for rule in RULES)
    assert "realizability" in printed
    assert main([str(written), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "accepted"
    assert report["findings"] == []
    assert set(report["rules"]) == set(RULES)
    assert len(report["assumptions"]) >= 5


def test_rejected_with_the_place(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(lock())
    value["calls"][1]["positions"][0]["B"][2] -= 1
    written.write_bytes(resealed(value))
    assert main([str(written)]) == 4
    printed = capsys.readouterr().out
    assert "calls[1].positions[0].B: gap 39 < 40" in printed
    assert "Rejected" in printed
    assert main([str(written), "--json"]) == 4
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {
        "rule": "separation",
        "place": "calls[1].positions[0].B",
        "message": "gap 39 < 40",
    } in found


def test_malformed_and_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere.json")]) == 3
    assert main([str(tmp_path / "nowhere.json"), "--json"]) == 3
    assert "No such file" in capsys.readouterr().out
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    with pytest.raises(SystemExit):
        main(["--help"])
    printed = capsys.readouterr().out
    assert all(f"\n  {code}  " in printed for code in range(5))


def test_the_truth_can_be_replayed(written: Path, tmp_path: Path) -> None:
    chosen = instance("combination-lock", 0, Sizes(states=4, components=30))
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps(chosen.dynamics.table), encoding="utf-8")
    start = str(chosen.start)
    assert main([str(written), "--dynamics", str(truth), "--start", start]) == 0
    other = str((chosen.start + 1) % 4)
    assert main([str(written), "--dynamics", str(truth), "--start", other]) in (0, 4)
    truth.write_text("[[1, 0], [2, 0], [0, 0], [0, 3], [4, 4]]", encoding="utf-8")
    assert main([str(written), "--dynamics", str(truth), "--start", start]) == 4
    for bad in ("[[1]]", "{}", "nonsense"):
        truth.write_text(bad, encoding="utf-8")
        assert main([str(written), "--dynamics", str(truth)]) == 3
    truth.write_text(json.dumps(chosen.dynamics.table), encoding="utf-8")
    assert main([str(written), "--dynamics", str(truth), "--start", "9"]) == 3


@pytest.mark.properties
@given(problem=problems(max_states=5))
def test_the_truth_of_generated_runs_has_no_wrong_verdict(problem: Problem) -> None:
    learned = ideal_run(problem.world.dynamics, problem.world.start, problem.parameters,
                        first_action=problem.first_action)  # fmt: skip
    table = [list(row) for row in problem.world.dynamics.table]
    assert list(wrong_verdicts(read(of(learned, problem)), table, problem.world.start)) == []


def test_it_runs_from_a_clone_with_nothing_installed(written: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "proofs_checks.checker", str(written)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Accepted")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_it_imports_the_standard_library_alone(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        for name in names:
            top = name.split(".")[0]
            assert top in sys.stdlib_module_names or name.startswith("proofs_checks.checker")


def test_it_can_be_read_in_one_sitting() -> None:
    lines = sum(len(source.read_text(encoding="utf-8").splitlines()) for source in SOURCES)
    assert lines < 1300


# --- the corpus -------------------------------------------------------------------------------

CODES = {"accepted": 0, "rejected": 4, "malformed": 3}
FILES = sorted(file for kind in CODES for file in (CORPUS / kind).iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_corpus(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(file)]) == CODES[file.parent.name], capsys.readouterr().out


def test_the_corpus_is_there() -> None:
    assert {kind: len(list((CORPUS / kind).iterdir())) >= 3 for kind in CODES} == dict.fromkeys(
        CODES, True
    )


def test_a_tabular_run_is_accepted() -> None:
    """The world of the other tests, through the public door."""
    learned = learn(tabular_world(slow_coin(Fraction(1, 2)), 3), ALL_FUNCTIONS, COIN)
    assert check(read(sealed(certificate(learned, paper(COIN), {})))) == []
