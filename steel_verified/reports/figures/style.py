"""How every figure looks, and how it becomes a file."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from steel_verified.errors import InvalidArgument

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

FORMATS: Final = (".svg", ".pdf", ".png")

COLUMN: Final = 3.3
"""The width of a column of text, in inches."""
PAGE: Final = 6.75
"""The width of a page of text, in inches."""

LARGEST_UNIT: Final = 0.45
"""Neighbouring states are no further apart than this, in inches: small worlds stay small."""

TEXT: Final = 7.0
"""The size of letters, in points."""
SMALL: Final = 6.0
"""The smallest letters that there are."""

INK: Final = "#1f2a30"
QUIET: Final = "#b9c3ca"
FAINT: Final = "#eef1f3"
SHADE: Final = "#dde2e6"
PAPER: Final = "#ffffff"
RED: Final = "#d7301f"

# Hues that stay apart with any kind of colour vision, and in shades of grey (after Okabe and Ito).
HUES: Final = ("#0072b2", "#d55e00", "#009e73", "#aa3377", "#e69f00", "#56b4e9", "#7a6a00")


def styled() -> AbstractContextManager[None]:
    """While this lasts, new parts of figures get the common look."""
    return mpl.rc_context(
        {
            "font.family": "DejaVu Sans",
            "font.size": TEXT,
            "mathtext.fontset": "dejavusans",
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": INK,
            "axes.linewidth": 0.6,
            "axes.titlesize": TEXT,
            "axes.labelsize": TEXT,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "xtick.color": INK,
            "ytick.color": INK,
            "xtick.labelsize": SMALL,
            "ytick.labelsize": SMALL,
            "xtick.major.width": 0.6,
            "ytick.major.width": 0.6,
            "xtick.major.size": 2.5,
            "ytick.major.size": 2.5,
            "xtick.minor.size": 1.5,
            "legend.fontsize": SMALL,
            "legend.frameon": False,
            "figure.constrained_layout.h_pad": 0.03,
            "figure.constrained_layout.w_pad": 0.03,
            # The same figure gives the same bytes: names inside a file come from its content alone.
            "svg.hashsalt": "steel_verified",
        }
    )


def hue(number: int) -> str:
    """The colour of an action or a state; after the last one they start again."""
    return HUES[number % len(HUES)]


def blank(width: float, height: float) -> Figure:
    """An empty figure of a size in inches."""
    return Figure(figsize=(width, height), layout="constrained")


def as_bytes(figure: Figure, suffix: str) -> bytes:
    """The figure as a file of this kind; the same figure gives the same bytes."""
    kind = suffix.lower()
    if kind not in FORMATS:
        raise InvalidArgument("output", suffix, "a name that ends in " + ", ".join(FORMATS))
    file = BytesIO()
    no_date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[kind]
    with styled():
        figure.savefig(file, format=kind[1:], dpi=200, metadata=no_date)
    return file.getvalue()
