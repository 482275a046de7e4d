"""The colours of actions: the same ones in every figure and on the audit page."""

from typing import Final

HUES: Final = ("#0072b2", "#d55e00", "#009e73", "#aa3377", "#e69f00", "#56b4e9", "#7a6a00")
"""Colours that stay apart with any kind of colour vision, and in grey (after Okabe and Ito)."""


def hue(number: int) -> str:
    """The colour of an action or a state; after the last colour they start again."""
    return HUES[number % len(HUES)]
