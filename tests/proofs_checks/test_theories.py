"""Every lemma of every theory is proved, and a model shows that its hypotheses are satisfiable."""

from itertools import accumulate

import pytest

from proofs_checks.kernels.deduction import Proof, replay
from proofs_checks.kernels.deduction.statements import Apply, Lemma
from proofs_checks.kernels.evidence import Strength
from proofs_checks.proofs import theories, theory
from tests.proofs_checks import models_of_runs
from tests.proofs_checks.models import Model, broken

IN_WORLDS = {
    "ALL_REACH",
    "COMPLETE",
    "DIAMETER",
    "ESCAPING",
    "LOOPED_WORDS",
    "NAMING",
    "NEAREST_FIRST",
    "NEWS",
    "ONTO",
    "PASSES",
    "REVERSIBLE",
    "TOURING",
    "TOUR_LENGTH",
    "WAYS_OUT",
}
"""Those whose models are real small worlds, in another test."""
IN_RUNS = {name for name, _ in models_of_runs.MODELS}
"""Those whose models are small runs, in another test."""


@pytest.mark.parametrize("name", theories())
def test_all_lemmas_are_shown(name: str) -> None:
    lemmas = [step.name for step in theory(name).steps if isinstance(step, Lemma | Apply)]
    assert replay(Proof(theory(name), tuple(lemmas))).strength is Strength.PROVED


def at(values: list[int], index: int) -> int:
    """Return the value at this index, or the last value for larger indices."""
    return values[max(0, min(index, len(values) - 1))]


X, Y, F = [1, 0, 1], [1, 1, 0, 1], [3, 0, 0]
SUMS_X, SUMS_Y = [0, *accumulate(X)], [0, *accumulate(Y)]
ORIGIN = [0, 1, 0]
"""Of three states, 0 leaves; 1 and 2 both go to 1."""
LONGER = [0, 1, 1, 1, 0]
"""From 0 to 1, three times round its self-loop, and back."""
WALK = [0, 1, 1, 1, 1, 0]
HAVE = [[1, 2], [2, 3], [3, 3]]
"""Samples of two states, d = 3: after the second pass, only the first state still lacks one."""
FRESH, COST = [1, 0, 1], [1, 3, 2]

MODELS = [
    (
        "INJECTIONS",
        Model(
            ranges={"k": range(5), "n": range(5), "w": range(4)},
            constants={"p": 3, "q": 4},
            unary={
                "X": lambda u: at(X, u),
                "Y": lambda u: at(Y, u),
                "f": lambda u: at(F, u),
                "A": lambda k: at(SUMS_X, k),
                "B": lambda k: at(SUMS_Y, k),
            },
        ),
    ),
    (
        "GROWING",
        Model(
            ranges={},
            constants={"n": 3, "m": 4},
            unary={"fresh": lambda k: k},
            binary={"X": lambda k, u: int(u < k)},
        ),
    ),
    (
        "SHRINKING",
        Model(
            ranges={},
            constants={"M": 3, "z": 0},
            unary={
                "B": lambda _: 1,
                "C": lambda u: int(u == 1),
                "stays": lambda u: int(u > 0),
                "end": lambda _: 1,
                "origin": lambda v: at(ORIGIN, v),
            },
        ),
    ),
    (
        "CALLS",
        Model(
            ranges={},
            constants={"S": 2, "A": 2, "n": 3},
            unary={"new": lambda k: k},
            binary={"have": lambda k, e: int(e < k)},
        ),
    ),
    (
        "LENGTHENING",
        Model(
            ranges={"i": range(6), "g": range(4)},
            constants={"S": 2, "D": 1, "t": 5, "n": 2, "l": 1, "where": 1},
            unary={
                "p": lambda i: i % 2,
                "q": lambda i: WALK[i] if i < 6 else (i + 1) % 2,
                "loop": lambda _: 1,
                "bar": lambda _: 0,
                "longer": lambda i: at(LONGER, i),
                "letter": lambda _: 1,
            },
            binary={"T": lambda u, b: u if b else 1 - u},
        ),
    ),
    (
        "COLLECTING",
        Model(
            ranges={"u": range(2)},
            constants={"S": 2, "d": 3, "n": 2, "plans": 2, "most": 2, "last": 0},
            unary={
                "done": lambda k: k,
                "full": lambda k: 1 - k,
                "size": lambda _: 2,
                "silent": lambda _: 2,
            },
            binary={"have": lambda r, u: HAVE[min(r, 2)][u]},
        ),
    ),
    (
        "TOGETHER",
        Model(
            ranges={},
            constants={"S": 3, "c": 2, "d": 4, "n": 3},
            binary={"have": lambda r, _: 2 + r},
        ),
    ),
    (
        "GAPS",
        Model(
            ranges={},
            constants={"t": 3, "n": 3, "plans": 2},
            unary={
                "x": lambda j: 3 * j,
                "begin": lambda k: at([6, 18, 30], k),
                "size": lambda k: at([4, 3], k),
                "passes": lambda k: at([2, 3], k),
                "offset": lambda k: at([4, 1], k),
            },
        ),
    ),
    (
        "COMPARING",
        Model(
            ranges={"i": range(4), "v": range(4)},
            constants={"S": 3, "known": 1, "L": 3},
            unary={"fresh": lambda i: at(FRESH, i), "cost": lambda i: at(COST, i)},
        ),
    ),
    (
        "PERIODS",
        Model(
            ranges={"n": range(1, 6), "k": range(5)},
            constants={"N": 5, "c": 3},
            unary={"passes": lambda n: int(n in {2, 3, 4})},
        ),
    ),
    (
        "TESTS",
        Model(
            ranges={"n": range(6), "i": range(6)},
            constants={"size": 4, "best": 1, "some": 2},
            unary={"side": lambda i: at([0, 1, 1, 1], i)},
            binary={"f": lambda h, i: at([0, 1, 1, int(h > 0)], i)},
        ),
    ),
    (
        "TIMING",
        Model(
            ranges={},
            constants={"N": 3, "L": 2, "t": 5, "n": 3, "c_init": 60, "settled": 5},
        ),
    ),
    (
        "CLASSIFIERS",
        Model(
            ranges={"u": range(3), "x": range(6)},
            constants={"S": 3, "u0": 0, "u1": 1},
            unary={
                "phi": lambda x: x % 3,
                "zero": lambda i: 3 * i,
                "one": lambda i: 3 * i + 1,
                "best": lambda x: x % 3,
                "chosen": lambda u: u,
                "some": lambda u: u + 3,
            },
            binary={
                "f": lambda u, x: int(x % 3 == u),
                "g": lambda u, x: int(x % 3 == u),
            },
        ),
    ),
    (
        # The third decision errs.
        "DETERMINED",
        Model(
            ranges={"rounds": range(5), "k": range(5)},
            binary={
                "decides": lambda k, h: (k * h) % 2,
                "right": lambda k, h: (k * h) % 2 or k // 2,
            },
            ternary={"follow": lambda _, h, b: 2 * h + b + 1},
        ),
    ),
    (
        "OPEN_LOOP",
        Model(
            ranges={},
            constants={"start": 1, "first": 7},
            unary={"plan": lambda h: h % 5},
            binary={
                "end": lambda s, w: (s + w) % 3,
                "model": lambda _, k: [0, 8, 13, 18, 23][k],
                "state": lambda _, k: [1, 2, 2, 2, 2][k],
                "word": lambda _, k: [7, 3, 3, 3, 3][k],
            },
            ternary={"learn": lambda h, s, w: h + s + w},
        ),
    ),
    (
        # From 0, action 0 leads to 1, which stays there; action 1 leads to 2, which returns.
        "EXCHANGED",
        Model(
            ranges={"u": range(3), "b": range(2)},
            constants={"s": 0, "a": 0, "c": 1},
            unary={"reached": lambda u: int(u == 1), "letter": lambda i: i % 2},
            binary={
                "T": lambda u, b: [[1, 2], [1, 1], [0, 0]][u][b],
                "U": lambda u, b: [[2, 1], [1, 1], [0, 0]][u][b],
            },
        ),
    ),
]


@pytest.mark.parametrize(("name", "model"), MODELS, ids=[name for name, _ in MODELS])
def test_a_model_fulfils_all_hypotheses_and_lemmas(name: str, model: Model) -> None:
    assert broken(theory(name), model) == []


def test_every_theory_has_a_model() -> None:
    assert {name for name, _ in MODELS} | IN_WORLDS | IN_RUNS == set(theories())
