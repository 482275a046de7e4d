"""What the tests ask of the command `steel` and of the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from steel_verified.cli import main

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CERTIFICATES = Path(__file__).parents[1] / "certificates"


def steel(*words: str) -> None:
    """Run the command, which must succeed."""
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert ended.value.code == 0


def complaints(browser: Chrome) -> list[str]:
    """The messages in the browser's console since the last call."""
    entries: list[dict[str, object]] = browser.get_log("browser")  # type: ignore[no-untyped-call]  # it has no annotations
    return [str(entry["message"]) for entry in entries]
