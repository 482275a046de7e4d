"""Observed values cannot be used, changed or opened outside the allowed modules."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest

from steel_verified.evidence.omega import Observed, SealedError, reveal

# The programs are text, because the type checker would reject each of them.
USES = """
bool(x); not x; 1 if x else 2; x and 1; all([x]); len(x); iter(x); list(x); int(x); float(x);
complex(x); round(x); abs(x); hash(x); -x; ~x; x == 1; x != 1; 1 == x; x < 1; 1 < x; x >= 1; x == x;
x in [1]; 1 in x; [1][x]; x[0]; x(); {x}; {x: 1}; sorted([x, x]); max(x, 1); range(x); x + 1; 1 + x;
1 - x; x * 2; 2 ** x; x ** 2; divmod(x, 2); divmod(2, x); x @ x; x & 1; 1 | x; x << 1; sum([x]);
copy.copy(x); copy.deepcopy(x); copy.deepcopy([x]); pickle.dumps(x); pickle.dumps((1, x));
pickle.dumps(x, 0); x.__reduce__(); x.__reduce_ex__(2); x.__getstate__();
x._Observed__value; getattr(x, '_Observed__value')
""".replace("\n", " ").split(";")


@pytest.mark.parametrize("use", [use.strip() for use in USES])
def test_each_use_of_an_observed_value_raises_sealed_error(use: str) -> None:
    with pytest.raises(SealedError, match="depends on the noise"):
        eval(use, {"x": Observed(1), "copy": copy, "pickle": pickle})


def test_observed_value_is_immutable_and_hidden_in_its_repr() -> None:
    sealed = Observed(17)
    with pytest.raises(FrozenInstanceError):
        sealed.anything = 1  # type: ignore[attr-defined]  # this must not be possible
    assert "17" not in f"{sealed!r} {sealed} {sealed:}"
    assert not hasattr(sealed, "__dict__")


def test_reveal_refuses_modules_that_are_not_listed() -> None:
    with pytest.raises(SealedError, match=r"test_omega may not open observed values"):
        reveal(Observed(17))
