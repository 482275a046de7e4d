"""The modules whose names are public, beside `steel_verified` itself."""

from typing import Final

PUBLIC: Final = (
    "classes",
    "errors",
    "findings",
    "gymnasium",
    "plots",
    "progress",
    "strategies",
    "worlds",
)
