"""Observed values stay sealed; decisions are paid for and written down."""

import ast
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path

import pytest

from steel_verified.errors import Overspent
from steel_verified.evidence.ledger import Certified, Ledger
from steel_verified.evidence.omega import Observed, SealedError, certify, release, reveal
from steel_verified.theory.budget import Budget, Charge
from steel_verified.theory.schedules import FixedByParameters, FixedByVerdicts

PACKAGE = Path(__file__).parents[2] / "steel_verified"

MAY_OPEN = {"learning/oracle.py"}
"""The modules that may open observed values, besides omega itself."""

# Programs as text, because none of them would pass the type checker.
USES = """
bool(x); not x; 1 if x else 2; x and 1; all([x]); len(x); iter(x); list(x); int(x); float(x);
complex(x); round(x); abs(x); hash(x); -x; ~x; x == 1; x != 1; 1 == x; x < 1; 1 < x; x >= 1; x == x;
x in [1]; 1 in x; [1][x]; x[0]; x(); {x}; {x: 1}; sorted([x, x]); max(x, 1); range(x); x + 1; 1 + x;
1 - x; x * 2; 2 ** x; x ** 2; divmod(x, 2); divmod(2, x); x @ x; x & 1; 1 | x; x << 1; sum([x])
""".replace("\n", " ").split(";")


@pytest.mark.parametrize("use", [use.strip() for use in USES])
def test_an_observed_value_cannot_be_used(use: str) -> None:
    with pytest.raises(SealedError, match="depends on the noise"):
        eval(use, {"x": Observed(1)})


def test_an_observed_value_cannot_be_changed_or_read_off() -> None:
    sealed = Observed(17)
    with pytest.raises(FrozenInstanceError):
        sealed.anything = 1  # type: ignore[attr-defined]  # what must not be possible
    assert "17" not in f"{sealed!r} {sealed} {sealed:}"


def test_an_observed_value_can_be_written_down_and_read_back() -> None:
    assert reveal(pickle.loads(pickle.dumps(Observed((1, 2))))) == (1, 2)


def test_only_the_oracle_opens_observed_values() -> None:
    found = set()
    for module in PACKAGE.rglob("*.py"):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        names = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        if "reveal" in names | attributes or "_sealed" in attributes:
            found.add(module.relative_to(PACKAGE).as_posix())
    assert found - {"learning/omega.py"} == MAY_OPEN


def charge(amount: Fraction) -> Charge:
    return Charge(amount, "tests", tests=3, samples=2)


def test_a_decision_is_charged_and_written_down() -> None:
    ledger = Ledger(Budget(Fraction(1, 2)))
    answer, after = certify(
        ledger,
        Observed((4,)),
        question="period",
        charge=lambda decided: charge(Fraction(decided[0], 10)),
        because=FixedByParameters(),
    )
    assert answer == (4,)
    assert after.budget.spent == Fraction(4, 10)
    assert after.rows == (
        Certified(0, "period", (4,), charge(Fraction(4, 10)), FixedByParameters()),
    )
    assert ledger.rows == ()
    assert ledger.because() == FixedByParameters()
    assert after.because() == FixedByVerdicts(1)


def test_a_decision_that_delta_does_not_cover_is_not_made() -> None:
    with pytest.raises(Overspent):
        certify(
            Ledger(Budget(Fraction(1, 2))),
            Observed((4,)),
            question="period",
            charge=lambda _: charge(Fraction(51, 100)),
            because=FixedByParameters(),
        )


def test_what_is_released_is_paid_for_but_not_in_the_ledger() -> None:
    ledger = Ledger(Budget(Fraction(1, 2)))
    trained, after = release(
        ledger, Observed(("f", "g")), charge=charge(Fraction(1, 4)), because=FixedByVerdicts(2)
    )
    assert trained == ("f", "g")
    assert after.budget.left == Fraction(1, 4)
    (row,) = after.rows
    assert isinstance(row, Certified)
    assert row.answer == ()
