"""The README of proofs_checks says how much there is to trust, and shows what is there."""

import re
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2] / "proofs_checks"
README = (HOME / "README.md").read_text(encoding="utf-8")
PARTS = {
    "`checker/looped/`": "checker/looped/*.py",
    "`checker/located/`": "checker/located/*.py",
    "`checker/` (other files)": "checker/*.py",
    "`kernels/deduction/`": "kernels/deduction/*.py",
    "`kernels/sums/`": "kernels/sums/*.py",
    "`kernels/` (other files)": "kernels/*.py",
    "`ways.py`, `entries.py`, `claim.py`, …": "*.py",
    "`proofs/*.proof`": "proofs/*.proof",
    "`proofs/chains/*.proof`": "proofs/chains/*.proof",
    "`paper/*.toml`": "paper/**/*.toml",
    "`sharper/*.toml`": "sharper/*.toml",
}


def lines(pattern: str) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in HOME.glob(pattern))


@pytest.mark.parametrize("part", PARTS)
def test_the_lines_to_trust_are_stated_within_a_tenth(part: str) -> None:
    (stated,) = re.findall(rf"^\| {re.escape(part)} \| ([\d,]+) \|", README, re.MULTILINE)
    found = lines(PARTS[part])
    assert abs(int(stated.replace(",", "")) - found) <= found / 10


def test_the_worked_example_is_what_stands_in_the_files() -> None:
    entry, proof = re.findall(r"```(?:toml)?\n(.*?)```", README, re.DOTALL)
    assert entry in (HOME / "paper/steel/covering.toml").read_text(encoding="utf-8")
    whole = (HOME / "proofs/touring.proof").read_text(encoding="utf-8")
    for piece in re.split(r"^ *…\n", proof, flags=re.MULTILINE):
        assert piece in whole
