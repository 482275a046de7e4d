"""Small runs as models of the theories about whole runs.

Symbols that a model does not mention are 0 everywhere.
"""

from collections.abc import Callable, Mapping
from typing import Final

from proofs_checks.kernels.deduction.notation import read_head, read_terms
from proofs_checks.proofs import theory
from tests.proofs_checks.models import Model

Function = Callable[[tuple[int, ...]], int]
Meant = Mapping[str, int | Function]


def run(name: str, ranges: Mapping[str, range], meant: Meant) -> Model:
    """A model of a theory in which all other symbols are 0; functions take a tuple of arguments."""
    heads = dict(read_head(str(term)) for term in read_terms(theory(name).symbols))
    assert meant.keys() <= heads.keys()
    found = {symbol: _function(meant.get(symbol, 0)) for symbol in heads}
    return Model(
        ranges=ranges,
        constants={symbol: f(()) for symbol, f in found.items() if not heads[symbol]},
        unary={symbol: _unary(f) for symbol, f in found.items() if len(heads[symbol]) == 1},
        binary={symbol: _binary(f) for symbol, f in found.items() if len(heads[symbol]) == 2},
        ternary={symbol: _ternary(f) for symbol, f in found.items() if len(heads[symbol]) == 3},
        otherwise=range(3),
    )


def _unary(of: Function) -> Callable[[int], int]:
    return lambda x: of((x,))


def _binary(of: Function) -> Callable[[int, int], int]:
    return lambda x, y: of((x, y))


def _ternary(of: Function) -> Callable[[int, int, int], int]:
    return lambda x, y, z: of((x, y, z))


def _function(meant: int | Function) -> Function:
    return (lambda _: meant) if isinstance(meant, int) else meant


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
    "names": lambda of: int(of[0] >= 1),
}
PLANNED: Final[Meant] = {
    **ONE_CALL,
    "known": lambda of: int(of[0] >= 1 and of[1] == of[2] == 0),
    "seen": lambda of: int(of[0] >= 1 and of[1] == 0),
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
    "value": lambda of: int(of[0] == 0 or (of[0] == 1 and of[1] % 2 == 0)),
    "side": lambda of: int(of[1] == 0),
    "sample": lambda of: of[1] if of[2] == 1 else 0,
    "best": lambda of: int(of[1] == 1),
    "decides": lambda of: int(of[2] == 1),
    "follow": lambda of: 2 * of[1] + of[2] + 1,
    "pt": lambda of: of[0],
    "clock": lambda of: 5 * of[0],
    "poor": lambda of: int(of[2] == 1),
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
    "kind": lambda of: [3, 4, 1][of[0]] if 0 <= of[0] < 3 else 0,
    "here": lambda of: int(of[0] >= 1),
    "rep": lambda of: 0 if of[0] >= 2 and of[1] == 1 else of[1],
    "next": 1,
    "wrote": lambda of: 0 if of[0] == of[1] == 0 else -1,
    "right": 1,
    "value": lambda of: int(of[0] == 0),
    "size": lambda of: int(of[1] == 0 or (of[1] == 1 and of[0] >= 1)),
    "at": lambda of: of[1],
}
LOCATED: Final[Meant] = {
    **SURE,
    "R": 1,
    "M": 1,
    "accepted": lambda of: int(of[0] == 0),
    "chosen": -1,
}

# The first run is accepted for c < 2 and fails at c = 1; the second, after c = 2, fails at o = 1.
FALLBACK: Final[Meant] = {
    "accepted": lambda of: int(of[0] < 2),
    "fails": lambda of: int(of[0] == 1),
    "looped": lambda of: int(of[0] == 2 and of[1] == 1),
    "took": lambda of: of[0] % 2,
    "budget": 1,
    "B": 10,
    "S": 1,
    "A": 1,
    "call_bound": 5,
    "d": 1,
    "most": 2,
    "length": lambda of: of[1],
    "real": lambda of: 12 if of[0] == 2 and of[2] == 1 else 9,
    "second": lambda of: 0 if of[0] < 2 else 9 if of[1] != 1 else 12,
}

# Two states that one action exchanges.
SWAPPED: Final[Meant] = {
    "S": 2,
    "N": 2,
    "L": 1,
    "cyc": 2,
    "T": lambda of: 1 - of[0],
    "s": lambda of: of[0] % 2,
}
CYCLE: Final[Meant] = {key: value for key, value in SWAPPED.items() if key not in ("S", "N")}
FEW: Final = dict.fromkeys("bikjlmopruvxyz", range(3))

MODELS: Final = [
    ("FIRST_RETURN", run("FIRST_RETURN", FEW, SWAPPED)),
    ("POSITIONS", run("POSITIONS", FEW, CYCLE)),
    ("ROUNDS", run("ROUNDS", FEW, CYCLE)),
    ("LEAVING", run("LEAVING", FEW, {**CYCLE, "seen": lambda of: int(of[0] == 0)})),
    (
        "NAMES",
        run(
            "NAMES",
            {"g": range(4)},
            {
                "G": 3,
                "names": lambda of: [0, 1, 2][min(of[0], 2)],
                "name": lambda of: of[0],
                "label": lambda of: of[0] % 2,
                "shown": lambda of: of[0] % 2,
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
                "value": lambda of: int(of[1] % 2 == of[0]),
                "phi": lambda of: of[0] % 2,
                "own": lambda of: of[0],
                "seen": lambda of: of[0],
                "refuted": lambda of: int(of[0] == 1),
                "member": 1,
                "witness_of": lambda of: 1 + int(of[1] == 1),
                "quotient": lambda of: 2 // of[0] if of[0] in (1, 2) else 0,
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
                "value": lambda of: int(of[1] % 2 == of[0]),
                "phi": lambda of: of[0] % 2,
                "own": lambda of: of[0],
                "other": lambda of: of[0],
            },
        ),
    ),
    (
        # From state 2, which has no label, one action leads to 0; it exchanges 0 and 1.
        "RETRACED",
        run(
            "RETRACED",
            FEW,
            {
                "S": 3,
                "A": 1,
                "n": 4,
                "M": 2,
                "home": 1,
                "T": lambda of: int(of[0] == 0),
                "s": lambda of: (of[0] + 1) % 2 if of[0] else 2,
                "sigma": lambda of: of[0],
                "name": lambda of: of[0] if of[0] < 2 else -1,
                "step": lambda of: 1 - of[0],
                "value": lambda of: int(of[1] % 3 == of[0]),
                "phi": lambda of: of[0] % 3,
                "own": lambda of: of[0],
            },
        ),
    ),
    ("SURE", run("SURE", FEW, SURE)),
    ("LOCATED", run("LOCATED", FEW, LOCATED)),
    ("FALLBACK", run("FALLBACK", {**FEW, "c": range(3)}, FALLBACK)),
]
