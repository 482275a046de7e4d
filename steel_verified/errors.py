"""The errors that this package raises. Each message says what to do."""

import sys
from importlib.util import find_spec
from typing import Final

__all__ = [
    "BrokenOracle",
    "BrokenWorld",
    "InvalidArgument",
    "MissingExtra",
    "NotThisRun",
    "Overspent",
    "RecordEnds",
    "SteelError",
    "TooClose",
    "Undecided",
    "Unreadable",
]

_EXTRAS: Final = {
    "plots": ("matplotlib", "Figures need"),
    "gymnasium": ("gymnasium", "Gymnasium environments need"),
    "strategies": ("hypothesis", "Hypothesis strategies need"),
    "linear": ("scipy", "Half-spaces need"),
    "cluster": ("distributed", "A cluster needs"),
    "ac-state": ("numba", "Runs of AC-State need"),
    "graphs": ("networkx", "Graphs for other programs, and least walks, need"),
    "audit": ("sympy", "Claims and audit pages need"),
}
"""The module that each extra of the package installs, and what it is for."""


class SteelError(Exception):
    """Every error that this package raises on purpose."""


class InvalidArgument(SteelError, ValueError):
    """An argument is not allowed; the message names it, its value, and what is expected."""

    def __init__(self, argument: str, value: object, expected: str) -> None:
        super().__init__(f"{argument} = {value}: expected {expected}")
        self.argument = argument
        self.value = value
        self.expected = expected


class TooClose(SteelError):
    """Two timesteps of a set that must be separated lie closer than the mixing time."""

    def __init__(self, gap: int, required: int, where: str) -> None:
        super().__init__(f"{where}: gap {gap} < {required}")
        self.gap = gap
        self.required = required


class Overspent(SteelError):
    """A charge would make the sum of all charges exceed δ."""


class Undecided(SteelError):
    """Intervals around a number contain an integer at every precision: it may be that integer."""


class BrokenWorld(SteelError):
    """A world took other steps, or returned other rows, than it was asked for."""


class RecordEnds(SteelError):
    """A world cannot follow a plan because it ends; it raises this, and so does the run."""


class BrokenOracle(SteelError):
    """An oracle returned a classifier that is not in its class, or that does not separate."""


class Unreadable(SteelError):
    """A file that cannot be read. The message names the file, the place, the fault and a remedy."""

    def __init__(self, name: str, place: str, found: str, remedy: str) -> None:
        super().__init__(f"{name}: {place + ' ' if place else ''}{found}. {remedy}")


class NotThisRun(SteelError):
    """A checkpoint does not belong to the run that is to be resumed."""

    def __init__(self, name: str, found: str) -> None:
        super().__init__(f"{name} is not of this run: {found}")


class Unsaved(UserWarning):
    """A file could not be written at the end of a run; the command `steel` exits with 2."""


class MissingExtra(SteelError, ImportError):
    """A library is not installed; the message says how to install it."""


def extra_with(module: str | None) -> str | None:
    """Return the extra that installs a module, or None if no extra does."""
    name = (module or "").partition(".")[0]
    return next((extra for extra, (needed, _) in _EXTRAS.items() if needed == name), None)


def is_installed(module: str) -> bool:
    """Return whether a module can be imported, without importing it."""
    if module in sys.modules:
        return sys.modules[module] is not None
    return find_spec(module) is not None


def missing_extra(extra: str, missing: ImportError) -> ImportError:
    """Return the error to raise if an import failed: it says which extra to install.

    If a module other than that of the extra is missing, this returns the import error itself.
    """
    module, needs = _EXTRAS[extra]
    if (missing.name or "").partition(".")[0] != module:
        return missing
    return MissingExtra(f"{needs} {module}: pip install 'steel_verified[{extra}]'", name=module)
