"""Small runs as models of the theories about whole runs.

Symbols that a model does not mention are 0 everywhere.
"""

from collections.abc import Callable, Mapping
from typing import Final

from proofs_checks.kernels.deduction.notation import read_head, read_terms
from proofs_checks.proofs import theory
from tests.proofs_checks.models import Model

Function = Callable[..., int]
Meant = Mapping[str, int | Function]


def run(name: str, ranges: Mapping[str, range], meant: Meant) -> Model:
    """A model of a theory in which all other symbols are 0."""
    found: list[dict[str, Function]] = [{}, {}, {}, {}]
    for term in read_terms(theory(name).symbols):
        symbol, parameters = read_head(str(term))
        found[len(parameters)][symbol] = _function(meant.get(symbol, 0))
    assert meant.keys() <= {symbol for functions in found for symbol in functions}
    return Model(
        ranges=ranges,
        constants={symbol: value() for symbol, value in found[0].items()},
        unary=found[1],
        binary=found[2],
        ternary=found[3],
        otherwise=range(3),
    )


def _function(meant: int | Function) -> Function:
    return (lambda *_: meant) if isinstance(meant, int) else meant


# One state and one action, N = 2: the one call tests the period 2, which is not to pass. The noise
# o = 1 shows two observations that the classifier 1 tells apart, by accident.
ONE_CALL: Final[Meant] = {
    "S": 1,
    "N": 2,
    "A": 1,
    "n": 1,
    "L": 1,
    "begin": 1,
    "found": 1,
    "G": 1,
    "names": lambda g: int(g >= 1),
}
PLANNED: Final[Meant] = {
    **ONE_CALL,
    "known": lambda r, u, b: int(r >= 1 and u == b == 0),
    "seen": lambda r, u: int(r >= 1 and u == 0),
}
STEEL: Final[Meant] = {
    **PLANNED,
    "Q": 1,
    "size": 2,
    "kind": 1,
    "tested": 2,
    "gap": 1,
    "late": 1,
    "latest": 1,
    "jump": 1,
    "reps": 1,
    "pairs": 1,
    "minus": 1,
    "np": 1,
    "t": 1,
    "nc": 1,
    "ns": 1,
    "stride": 1,
    "steps": 5,
    "call_bound": 6,
    "loop": 1,
    "most": 1,
    "passes2": 2,
    "offset": 1,
    "d": 2,
    "states_of": 1,
    "length": 7,
    "value": lambda f, i: int(f == 0 or (f == 1 and i % 2 == 0)),
    "side": lambda _, j: int(j == 0),
    "sample": lambda _, j, o: j if o == 1 else 0,
    "best": lambda _, o: int(o == 1),
    "decides": lambda *of: int(of[2] == 1),
    "follow": lambda _, h, b: 2 * h + b + 1,
    "pt": lambda k: k,
    "clock": lambda r: 5 * r,
    "poor": lambda *of: int(of[2] == 1),
}

# A label is made twice for the one state (event 0), both are merged (1), and the transition is then
# known (2).
SURE: Final[Meant] = {
    "S": 1,
    "n": 3,
    "N": 1,
    "A": 1,
    "L": 1,
    "multiple": 1,
    "quotient": 1,
    "kind": lambda i: [3, 4, 1][i] if 0 <= i < 3 else 0,
    "here": lambda i: int(i >= 1),
    "rep": lambda i, label: 0 if i >= 2 and label == 1 else label,
    "next": 1,
    "wrote": lambda label, b: 0 if label == b == 0 else -1,
    "right": 1,
    "value": lambda f, _: int(f == 0),
    "size": lambda i, label: int(label == 0 or (label == 1 and i >= 1)),
    "at": lambda _, label, __: label,
}
LOCATED: Final[Meant] = {**SURE, "R": 1, "M": 1, "accepted": lambda o: int(o == 0), "chosen": -1}

# Two states that one action exchanges.
SWAPPED: Final[Meant] = {
    "S": 2,
    "N": 2,
    "L": 1,
    "cyc": 2,
    "T": lambda u, _: 1 - u,
    "s": lambda i: i % 2,
}
CYCLE: Final[Meant] = {key: value for key, value in SWAPPED.items() if key not in ("S", "N")}
FEW: Final = dict.fromkeys("bikjlmopruvxyz", range(3))

MODELS: Final = [
    ("FIRST_RETURN", run("FIRST_RETURN", FEW, SWAPPED)),
    ("POSITIONS", run("POSITIONS", FEW, CYCLE)),
    ("ROUNDS", run("ROUNDS", FEW, CYCLE)),
    ("LEAVING", run("LEAVING", FEW, {**CYCLE, "seen": lambda u: int(u == 0)})),
    (
        "NAMES",
        run(
            "NAMES",
            {"g": range(4)},
            {
                "G": 3,
                "names": lambda g: [0, 1, 2][min(g, 2)],
                "name": lambda u: u,
                "label": lambda g: g % 2,
                "shown": lambda g: g % 2,
            },
        ),
    ),
    ("PHASE_1", run("PHASE_1", FEW, ONE_CALL)),
    ("PLANNED", run("PLANNED", FEW, PLANNED)),
    ("STEEL", run("STEEL", FEW, STEEL)),
    ("LENGTHENED", run("LENGTHENED", {}, {"S": 2, "D": 1, "t": 7, "n": 2, "l": 2})),
    (
        "PERIODS_LEFT",
        run(
            "PERIODS_LEFT",
            FEW,
            {
                **SWAPPED,
                "multiple": 2,
                "value": lambda f, y: int(y % 2 == f),
                "phi": lambda y: y % 2,
                "own": lambda u: u,
                "seen": lambda k: k,
                "refuted": lambda m: int(m == 1),
                "member": 1,
                "witness_of": lambda _, f: 1 + int(f == 1),
                "quotient": lambda m: 2 // m if m in (1, 2) else 0,
            },
        ),
    ),
    (
        "TOLD_APART",
        run(
            "TOLD_APART",
            FEW,
            {
                "S": 2,
                "n": 1,
                "m": 2,
                "value": lambda f, y: int(y % 2 == f),
                "phi": lambda y: y % 2,
                "own": lambda u: u,
                "other": lambda j: j,
            },
        ),
    ),
    ("SURE", run("SURE", FEW, SURE)),
    ("LOCATED", run("LOCATED", FEW, LOCATED)),
]
