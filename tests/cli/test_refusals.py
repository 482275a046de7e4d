"""Input that cannot work is refused in a sentence, soon, and before memory is taken."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy
from time import process_time
from types import FrameType

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steel_verified.cli import main

SOON = 15.0
"""CPU seconds that a refusal may take; the slowest takes one. Busy machines are much slower."""
SLOWEST = 20.0
"""CPU seconds after which a command is stopped: some of those that work take several."""
HANGING = 120.0
"""Seconds after which a command that waits for something is stopped."""
CERTIFICATES = Path(__file__).parents[1] / "certificates/accepted"
TRILLION, VAST = 10**12, 10**30
LONG = "9" * 5000


@contextmanager
def stopped(timer: int, number: int, seconds: float) -> Iterator[None]:
    """Let fail what is not done when the timer has run down."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"still running after {seconds} s")

    before = signal.signal(number, stop)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)


def steel(*words: str) -> Result:
    with (
        stopped(signal.ITIMER_PROF, signal.SIGPROF, SLOWEST),
        stopped(signal.ITIMER_REAL, signal.SIGALRM, HANGING),
    ):
        return CliRunner().invoke(main, words)


def require_ended_well(result: Result) -> None:
    """The command ended by itself, with an exit code that its help names."""
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert result.exit_code in {0, 1, 2, 3, 4}


REFUSED = {
    # What a run would need is known from the formulas.
    "learn --method looped --epsilon 1e-9": "1/1000000000: expected about 0.00054 or more, or",
    "learn --method looped --epsilon 1e-300": "(303 characters): expected more",
    f"learn --method looped --mixing-time {TRILLION}": "expected at most 1,000,000",
    f"learn --method looped --max-states {10**9}": "= 40,000,001,560 tests, and 1,500,000",
    "learn --method looped --max-states 5000": "--max-states: 5000: expected at most about 894",
    "learn --method looped --components 16384 --max-states 200": "400 datasets of 16,384 bits",
    "learn multi-maze --method looped --mazes 250": "a run of at most 20,080,321 steps, not 49,",
    "learn --method located --epsilon 1e-9": "at least 3,688,879,453 checks of each state",
    "learn --method located --epsilon 1e-300": "10^300 checks of each state, and 100,000",
    "learn --method located --delta 1e-300": "--delta: 1/1000000",
    f"learn --method located --mixing-time {TRILLION}": "at least 73,000,000,000,000 steps",
    f"learn --method located --max-states {10**9}": "--max-states: 1000000000: expected at most",
    f"learn --method located --max-steps {TRILLION}": "1000000000000: expected at most 100,000,000",
    f"learn grid --self-check-steps {TRILLION}": "expected at most 10,000,000",
    "learn --method fallback --epsilon 1e-9": "--epsilon: 1/1000000000",
    "learn --method fallback --delta 1e-300": "at least 2^−100",
    f"learn --method all --mixing-time {VAST}": "--mixing-time: 10000000",
    "predict grid --epsilon 1e-300": "samples of each state, and fewer than 2^62",
    f"predict grid --mixing-time {TRILLION}": "--mixing-time: 1000000000000",
    f"predict grid --method located --mixing-time {TRILLION}": "--mixing-time: 1000000000000",
    f"predict grid --method located --noise-seeds {10**9}": "expected at most 10,000",
    "predict --table 2000.json": "= 23,996,000 tests, and 1,500,000 are allowed",
    "predict --table 500.json --method located": "|S|³|A| of at most 100,000,000, not 250,000,000",
    "predict --table 3000.json": "3,000 states and 2 actions: expected |S|²|A| of at most",
    f"audit --preset multi-maze --mixing-time {10**42} --max-states {TRILLION} "
    f"--class-size {TRILLION} --states {10**10}": "the worst period would be searched among",
    "audit --preset multi-maze --method located --delta 1e-300": "at least 2^−100",
    # Sizes of worlds.
    "learn single-prime --p 1000003 --q 1000033": "--q: 1000033: expected at most 1,000",
    f"predict double-prime --p {VAST + 57} --q {VAST + 99}": "expected at most 1,000",
    "predict single-prime --p 4 --q 6": "--p: 4 (with q = 6): expected two primes p < q",
    "learn multi-maze --mazes 100000": "--mazes: 100000: expected at most 1,000",
    f"learn --states {10**6}": "--states: 1000000: expected at most 2,000",
    f"learn --components {10**9}": "--components: 1000000000: expected at most 16,384",
    f"learn grid --states {10**6}": "--states: 1000000: expected nothing",
    f"audit --preset double-prime-{VAST}-{VAST}": "expected one of",
    # Numbers that are none.
    "learn --least-noise nan": "--least-noise: nan: expected a finite number",
    "learn --least-noise inf": "--least-noise: inf: expected a finite number",
    "learn --states nan": "'nan': expected a whole number",
    "learn --states ٢٠": "'٢٠': expected a whole number",
    "learn --states 2_0": "'2_0': expected a whole number",
    f"learn --mixing-time {LONG}": "expected a whole number of at most 99 digits",
    "learn --epsilon ٠.٥": "expected a decimal",
    "learn --epsilon 1/0": "a ratio whose denominator is not 0",
    "learn --epsilon nan": "expected a decimal",
    "learn --delta 1e-99999": "expected a decimal",
    "learn --env-seed -1": "--env-seed: -1: expected at least 0",
    "learn --noise-seed -1": "-1: expected at least 0",
    f"learn --noise-seed {VAST}": "expected at most 18,446,744,073,709,551,615",
    f"claims A26 --jobs {10**9}": "expected at most 256",
    f"reproduce table2 --jobs {10**9}": "expected at most 256",
    # Options that are missing, or do not fit the method, the world or each other.
    "audit --actions 2": "Missing --max-states",
    "audit --preset lock": "--preset: lock: expected one of combination-lock-20",
    "audit --delta 0.0.5": "--delta: '0.0.5': expected a decimal",
    "audit --preset multi-maze --delta 0": "--delta: 0: expected a number strictly between",
    "audit --preset multi-maze --epsilon 7/6": "--epsilon: 7/6",
    "audit --preset multi-maze --mixing-time 0": "--mixing-time: 0: expected an integer",
    "audit --preset multi-maze --mixing-time soon": "--mixing-time",
    "audit --preset multi-maze --states 81": "--states: 81: expected at most 80",
    "audit --preset multi-maze --diameter 68": "--diameter: 68: expected 1 to |S|−1 = 67",
    "audit --preset multi-maze --max-diameter 5": "--diameter: 16: expected at most",
    "audit --preset double-prime-9-11": "--preset: double-prime-9-11: expected two primes",
    "audits": "No such command",
    "draw grid --output x.bmp": ".svg, .pdf, .png",
    "draw grid --output nowhere/x.svg": "a file in a folder that exists",
    "draw grid --output x.html": "(with --animate: .html)",
    "draw grid --animate --output x.pdf": "(without --animate: .svg, .pdf, .png)",
    "draw grid --start 6 --discovery --output x.svg": "--start: 6: expected 0 to 5",
    "predict": "Missing --actions, --max-states, --mixing-time. Give them, or a WORLD or a",
    "predict grid --table x.json": "Give either a WORLD or a --table",
    "predict chess": "WORLD: chess: expected one of combination-lock",
    "predict grid --start 6": "--start: 6: expected 0 to 5",
    "predict grid --first-action 4": "--first-action: 4: expected 0 to 3",
    "predict grid --max-states 5": "--states: 6: expected at most 5",
    "predict grid --actions 3": "--actions: 3: expected 4",
    "predict combination-lock --states 513": "--states: 513: expected 1 to 512",
    "predict --actions 2 --max-states 3": "Missing --mixing-time. Give them, or",
    "predict --actions 2 --max-states 3 --mixing-time 0": "--mixing-time",
    "predict --actions 2 --max-states 3 --mixing-time 1 --steps-per-second 0": "--steps-per-second",
    "predict grid --steps-per-second 5": "--steps-per-second",
    "learn grid --html nowhere/out.html": "--html: nowhere/out.html: expected a file in a folder",
    "learn grid --html x.json --certificate x.json": "another file than --certificate has",
    "learn grid --html x.json --findings x.json": "another file than --html has",
    "learn grid --method located --max-states 4": "4: expected at least 6, as there are 6 states",
    "learn grid --mazes 4": "--mazes: 4: expected nothing: only multi-maze can have it",
    "learn grid --class-size 5": "--class-size: 5: expected at least 6, the size of the",
    "learn grid --method all --certificate x.json": "x.json: expected one --method: a file",
    "learn grid --method fallback --certificate x.json": "algorithms has no certificate",
    "learn grid --method fallback --html x.html": "no certificate, from which the",
    "learn grid --method certain --dynamics-only": "True: expected --method looped or located",
    "learn grid --method fallback --checkpoint x": "two algorithms has no checkpoint",
    "learn grid --method guessed": "--method",
    "learn grid --method fallback --max-steps 9": "--max-steps: 9: expected no --max-",
    "learn grid --method certain --slips 1e-5": "--slips: 1e-5: expected --method slipping",
    "learn grid --method certain --max-states 9": "--max-states: 9: expected no --method certain",
    "learn grid --method located --slips 1e-5": "expected --method slipping",
    "learn grid --slips x": "--slips: 'x': expected a decimal",
    "learn grid --slips 0": "--slips: 0: expected a number strictly between 0 and 1",
    "learn grid --slips 1/2": "--slips: 1/2: expected more than 0 and less than 1/2",
    "learn grid --slips 0.1 --max-states 9": "--max-states: 9: expected no --method slipping",
    "learn grid --method slipping": "--slips: None: expected a bound on the chance",
    "learn grid --method all --slips 0.1": "--slips: 0.1: expected --method slipping",
    # Files.
    "predict --table empty.json": "--table: empty.json: expected a JSON list of rows",
    "predict --table binary.csv": "expected a text file in UTF-8",
    "predict --table wide.csv": "--table: wide.csv: expected CSV",
    "predict --table large.json": "--table: large.json: expected a file of at most 1 MB",
    "predict --table fifo.json": "--table: fifo.json: expected a regular file",
    "predict --table folder.json": "--table: folder.json: expected a regular file",
    "predict --table /dev/zero": "--table: /dev/zero: expected a regular file",
    "learn --model fifo.json": "--model: fifo.json: expected a regular file",
    "learn --model model.txt": "--model: model.txt: expected a name that ends in",
    "learn --certificate nowhere/c.json": "expected a file in a folder that exists",
    "check fifo.json": "not a regular file",
    "check grid.json --dynamics fifo.json": "not a regular file",
    "learn grid --resume fifo.json": "--resume: fifo.json: expected a regular file",
    "learn grid --resume nowhere.run": "--resume: nowhere.run: expected a regular file that exists",
    "learn grid --resume binary.csv": "binary.csv: is not UTF-8 at byte 128",
    "learn grid --resume empty.json": "empty.json: ends too early: it is cut off",
    "learn grid --checkpoint fifo.json": "--checkpoint: fifo.json: expected a regular file",
    "learn grid --checkpoint folder.json": "folder.json",
    "learn grid --checkpoint a.run --certificate a.run": "expected another file than",
    "learn grid --method all --resume a.run": "--resume: a.run: expected one --method",
    "check nowhere.json": "No such file",
    "findings folder.json": "FILE: folder.json: expected a regular file",
    "findings fifo.json": "FILE: fifo.json: expected a regular file",
    "findings /dev/zero": "FILE: /dev/zero: expected a regular file",
    "learn grid --findings fifo.json": "--findings: fifo.json: expected a regular file",
    "learn grid --findings nowhere/x.json": "nowhere/x.json: expected a file in a folder",
    "learn grid --findings x.json --model x.json": "expected another file than --model has",
    "learn grid --method all --findings x.json": "--findings: x.json: expected one --method",
    "learn grid --resume grid.json": "grid.json: is not JSON",
    "draw grid --output fifo.svg": "--output: fifo.svg: expected a regular file",
    "draw --table 2000.json --animate --output x.html": "= 23,996,000 tests",
    "reproduce table2 --results fifo.json": "--results: fifo.json: expected a folder",
    "reproduce table2 --cluster nonsense": "--cluster: nonsense: expected the address",
    "reproduce table2 --cluster tcp://127.0.0.1:1": "--cluster: tcp://127.0.0.1:1: expected",
}


@pytest.fixture(scope="module", autouse=True)
def _files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Files that are no tables, and tables that are too large, in the current folder."""
    folder = tmp_path_factory.mktemp("nonsense")
    for states in (500, 2000, 3000):
        rows = [[(s + 1) % states, 7 * s % states] for s in range(states)]
        (folder / f"{states}.json").write_text(json.dumps(rows))
    (folder / "empty.json").touch()
    copy(CERTIFICATES / "grid.json", folder)
    (folder / "binary.csv").write_bytes(bytes(range(256)))
    (folder / "wide.csv").write_text("0" * 200_000)
    (folder / "large.json").write_text(json.dumps([[0] * 10**6]))
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "fifo.json")
    os.mkfifo(folder / "fifo.svg")
    before = Path.cwd()
    os.chdir(folder)
    yield
    os.chdir(before)


def test_modules_are_imported_before_times_are_measured() -> None:
    """What is imported at first is not counted as the time of a refusal."""
    for command in OPTIONS:
        assert steel(command, "--help").exit_code == 0
    assert steel("draw", "grid", "--output", "x.txt").exit_code == 2


@pytest.mark.parametrize("words", REFUSED)
def test_impossible_input_is_rejected_quickly_with_a_message(words: str) -> None:
    began = process_time()
    result = steel(*words.split())
    assert process_time() - began < SOON
    require_ended_well(result)
    assert result.exit_code == 2
    assert REFUSED[words] in " ".join(result.output.split())


SMALL = 1 << 30


@pytest.mark.parametrize(
    "words",
    [
        f"learn --components {10**9}",
        f"learn --method looped --mixing-time {10**9}",
        "learn --epsilon 1e-9",
        f"learn --method located --mixing-time {10**9} --max-steps {10**8}",
        "learn multi-maze --mazes 1000 --method looped",
        "predict --table 2000.json",
    ],
)
def test_impossible_input_is_rejected_within_one_gigabyte(words: str) -> None:
    """A process that may take a gigabyte, code and libraries included, still says what is wrong."""
    done = subprocess.run(
        [sys.executable, "-c", "from steel_verified.cli import main; main()", *words.split()],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (SMALL, SMALL)),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "expected" in done.stderr


NASTY = (
    "0", "1", "-1", "2", "7", "nan", "inf", "-inf", "1/0", "0/1", "1/2", "3/2", "1e-9", "1e-300",
    "1e300", "٣", "²", "1_0", "", " ", "--", "x", "1000000", str(TRILLION), str(VAST), LONG,
    "fifo.json", "folder.json", "binary.csv", "empty.json", "/dev/zero", "/dev/null",
    "nowhere/x.svg", "2000.json",
)  # fmt: skip
NOT_TEXT = "\udcff"
"""A byte that is not UTF-8, as Python hands it over."""
WORLDS = ("combination-lock", "multi-maze", "double-prime", "single-prime", "grid", "", "nowhere")
PARAMETERS = (
    "actions", "max-states", "max-diameter", "mixing-time", "class-size", "delta", "epsilon",
)  # fmt: skip
SIZES = ("states", "components", "least-noise", "mazes", "p", "q", "env-seed", "first-action")
OPTIONS = {
    "learn": (
        *PARAMETERS,
        *SIZES,
        "noise-seed",
        "max-steps",
        "model",
        "certificate",
        "findings",
        "method",
        "checkpoint",
        "resume",
    ),
    "predict": (*PARAMETERS, *SIZES, "table", "start", "noise-seeds", "method", "steps-per-second"),
    "audit": (*PARAMETERS, "states", "diameter", "preset", "method"),
    "draw": (*PARAMETERS, *SIZES, "table", "start", "noise-seed", "output"),
    "check": ("dynamics", "start"),
    "findings": ("json",),
    "claims": ("section", "strength", "jobs"),
    "reproduce": ("env-seed", "states", "repeats", "jobs", "results", "cluster"),
}
GOOD = {"method": "located", "preset": "multi-maze", "strength": "exact", "output": "drawn.png"}
FIRST = {
    "claims": ("A26", "NOPE"),
    # Real studies take minutes: here none is begun, or only what is recorded is shown.
    "reproduce": ("table2 --recorded", "table9", ""),
    "check": (*NASTY, NOT_TEXT),
    "findings": (*NASTY, NOT_TEXT, "grid.json"),
    "audit": ("--json", "--method=located"),
    # A whole run in the maze takes half a minute.
    "learn": tuple(world for world in WORLDS if world != "multi-maze"),
}
TAME = {
    "combination-lock": ("--states=3",),
    "multi-maze": ("--mazes=1",),
    "double-prime": ("--max-steps=1000",),  # Several models are left, for ever.
}


@st.composite
def commands(draw: st.DrawFn) -> list[str]:
    """A command with some options, each with a nasty value, now and then with a good one."""
    command = draw(st.sampled_from(sorted(OPTIONS)))
    first = draw(st.sampled_from(FIRST.get(command, WORLDS)))
    words = [command, *(first.split() or [first]), *TAME.get(first, ())]
    values = (*NASTY, NOT_TEXT)
    options = OPTIONS[command]
    for option in draw(st.lists(st.sampled_from(options), max_size=4)) if options else ():
        value = draw(st.sampled_from(values))
        good = GOOD.get(option)
        words.append(f"--{option}={good if good and draw(st.booleans()) else value}")
    return words


@given(commands())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_random_commands_end_with_a_documented_exit_code(words: list[str]) -> None:
    require_ended_well(steel(*words))
