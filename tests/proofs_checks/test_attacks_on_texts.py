"""Attacks: texts that would show something false if they were misread."""

import pytest

from proofs_checks.checks.evidence import NotEarned
from proofs_checks.kinds_of_evidence import Notation, show

NOTATION = Notation({"one": "1", "later": "one + x"}, {}, "tests.proofs_checks.checks")


@pytest.mark.parametrize(
    "way",
    [
        "interval: x == x + 1 for x in [0, 1]",  # the gap is positive
        "interval: x == x + 1 for x in [0, 1], equal at 0, rising to 1/2",
        "interval: x < x + 1 < x for x in [0, 1]",
        "interval: log(x) < x for x in [-1, -1/2]",
        "interval: 0 < 1 + y for x in [0, 1]",
        "bound: 0 <= 1 # - 2",
        "bound: 1 <= 0 where x >= x + 1",
        "bound: x <= 0 where x >= 0, x >= -1",
        "bound: 0 <= x where x + 1 >= 1",
        "bound: 0 < 1",
        "bound: 0 <= one where one >= 2",
        "algebra: sqrt(x**2) == x",
        "algebra: 0 <= 1",
        "algebra: x == 0 where x == 0",
        "number: 1 == 1.0",
        "number: True == 1",
        "number: 0/0 == 1",
        "number: (-1)**(1/2) < 1",
        "number: log(4) == 2*log(2)",
        "number: log(2) < 1",
        "interval: log(4) == 2*log(2)",
        "interval: 0 < x",
        "number: 0 < x",
        "number: 0 < diff(1 + x, one)",
    ],
)
def test_false_or_malformed_statement_is_refused(way: str) -> None:
    with pytest.raises((NotEarned, ValueError)):
        show(way, NOTATION)
