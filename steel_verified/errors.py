"""What can go wrong, and what to do about it."""

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
}
"""The module that each extra of the package installs, and what it is for."""


class SteelError(Exception):
    """Every error that this package raises on purpose."""


class InvalidArgument(SteelError, ValueError):
    """An argument lies outside what the theory allows; the message says what would do."""

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
    """A charge would bring the failures accounted for above the δ that was promised."""


class Undecided(SteelError):
    """An enclosure straddles an integer at every precision tried: the value may be that integer."""


class BrokenWorld(SteelError):
    """A world broke its protocol: it took other steps, or gave other rows than asked for."""


class RecordEnds(SteelError):
    """A recorded world cannot serve a plan: it ends, or other actions were taken in it."""


class BrokenOracle(SteelError):
    """An oracle returned a classifier that is not of its class, or does not separate."""


class Unreadable(SteelError):
    """A file that cannot be read. The message names the file, the place, the fault and a remedy."""

    def __init__(self, name: str, place: str, found: str, remedy: str) -> None:
        super().__init__(f"{name}: {place + ' ' if place else ''}{found}. {remedy}")


class NotThisRun(SteelError):
    """A checkpoint does not belong to the run that is to be resumed."""

    def __init__(self, name: str, found: str) -> None:
        super().__init__(f"{name} is not of this run: {found}")


class MissingExtra(SteelError, ImportError):
    """A part of the package needs a library that is not installed; the message says how to."""


def missing_extra(extra: str, missing: ImportError) -> ImportError:
    """The error to raise where an import of an extra failed: what to install.

    If another module than that of the extra is missing, that is a fault, and is raised as it is.
    """
    module, needs = _EXTRAS[extra]
    if (missing.name or "").partition(".")[0] != module:
        return missing
    return MissingExtra(f"{needs} {module}: pip install 'steel_verified[{extra}]'", name=module)
