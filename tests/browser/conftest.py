"""A real browser for the tests (Chromium without a window), and the pages that it opens."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from .commands import steel

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
_SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """Chromium and its driver, as Debian's packages chromium and chromium-driver install them."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.fail(
            "these tests need a browser: install Debian's packages chromium and chromium-driver, "
            "or put programs of these names (chromium, chromedriver) into the PATH"
        )
    options = Options()
    options.binary_location = program
    for switch in _SWITCHES:
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with Chrome(options=options, service=Service(driver)) as chrome:
        chrome.set_script_timeout(300)  # thousands of points take half a minute on a busy machine
        yield chrome


@pytest.fixture(scope="session")
def audit_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The audit page of the combination lock."""
    path = tmp_path_factory.mktemp("page") / "audit.html"
    steel("audit", "--html", str(path))
    return path


@pytest.fixture(scope="session")
def site() -> list[Path]:
    """All pages of the documentation site, built anew."""
    subprocess.run([sys.executable, str(ROOT / "docs" / "build.py")], check=True)
    return sorted((ROOT / "build" / "site").rglob("*.html"))
