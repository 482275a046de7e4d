"""The line counts and the worked example in the README of proofs_checks agree with the files."""

import re
from collections import Counter
from pathlib import Path

import pytest

from proofs_checks.proofs import chains, theories
from proofs_checks.second_opinion.obligations import obligations

HOME = Path(__file__).parents[2] / "proofs_checks"
README = (HOME / "README.md").read_text(encoding="utf-8")
PARTS = {
    "`checker/`": "checker/*.py",
    "`kernels/deduction/`": "kernels/deduction/*.py",
    "`kernels/sums/`": "kernels/sums/*.py",
    "`kernels/` (other files)": "kernels/*.py",
    "`ways.py`, `entries.py`, `claim.py`, …": "*.py",
    "`proofs/*.proof`": "proofs/*.proof",
    "`proofs/chains/*.proof`": "proofs/chains/*.proof",
    "`paper/*.toml`": "paper/**/*.toml",
    "`sharper/*.toml`": "sharper/*.toml",
    "`second_opinion/`": "second_opinion/*.py",
}


def lines(pattern: str) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in HOME.glob(pattern))


@pytest.mark.parametrize("part", PARTS)
def test_stated_line_counts_are_within_10_percent(part: str) -> None:
    (stated,) = re.findall(rf"^\| {re.escape(part)} \| ([\d,]+) \|", README, re.MULTILINE)
    found = lines(PARTS[part])
    assert abs(int(stated.replace(",", "")) - found) <= found / 10


def test_stated_second_opinion_counts_are_within_10_percent() -> None:
    written = {name: obligations(each) for name, each in theories().items()}
    kinds = Counter(each.kind for found in written.values() for each in found)
    for what, found in (
        (r"steps: .*? \| (\d+), in", kinds["step"]),
        (r"steps: .*?, in (\d+) theories", len(written)),
        (r"readings: .*? \| (\d+) \|", kinds["reading"]),
        (r"sums \| \d+, in (\d+) proofs", len(chains.templates())),
    ):
        (stated,) = re.findall(what, README)
        assert abs(int(stated) - found) <= found / 10


def test_worked_example_equals_the_files() -> None:
    entry, proof = re.findall(r"```(?:toml)?\n(.*?)```", README, re.DOTALL)
    assert entry in (HOME / "paper/steel/covering.toml").read_text(encoding="utf-8")
    whole = (HOME / "proofs/touring.proof").read_text(encoding="utf-8")
    for piece in re.split(r"^ *…\n", proof, flags=re.MULTILINE):
        assert piece in whole
