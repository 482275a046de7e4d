"""The site and the audit page on paper: as PDF files, nothing is missing or beyond the margins."""

from __future__ import annotations

import base64
import html
import json
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from selenium.webdriver.common.print_page_options import PrintOptions

from .commands import CERTIFICATES, steel

if TYPE_CHECKING:
    from pathlib import Path

    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser

A4 = (21.0, 29.7)
"""Width and height of the paper, in cm. A4 is narrower than US Letter."""
POINTS_PER_CM = 72 / 2.54
MARGIN = 1.5 * POINTS_PER_CM
ROUNDING = 2.0
"""The browser rounds the width of the page to whole pixels."""
NOT_FOR_PAPER = ("genindex", "search")
WHITE = "rgb(255, 255, 255)"
_WORD = re.compile(r'<word xMin="([^"]*)" yMin="[^"]*" xMax="([^"]*)" yMax="[^"]*">([^<]*)</word>')


class Word(NamedTuple):
    """A word on paper; left and right are in points from the left edge."""

    left: float
    right: float
    text: str


def printed(browser: Chrome, folder: Path) -> list[Word]:
    """Print the open page to PDF and return its words."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.fail("this test reads PDF files: install Debian's package poppler-utils")
    options = PrintOptions()
    options.page_width, options.page_height = A4
    options.background = True
    pdf, text = folder / "page.pdf", folder / "page.html"
    pdf.write_bytes(base64.b64decode(browser.print_page(options)))
    subprocess.run([program, "-bbox", str(pdf), str(text)], check=True)
    found = _WORD.findall(text.read_text(encoding="utf-8"))
    return [Word(float(left), float(right), html.unescape(word)) for left, right, word in found]


def visible(browser: Chrome, selector: str) -> str:
    """The text that a part of the page shows on paper."""
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    script = "return JSON.stringify(document.querySelector(arguments[0]).innerText)"
    text = str(json.loads(str(browser.execute_script(script, selector))))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    return text


def letters(text: str) -> Counter[str]:
    return Counter("".join(unicodedata.normalize("NFKC", text).split()))


def outside(words: list[Word]) -> list[Word]:
    """The words that reach beyond the left or right margin."""
    width = A4[0] * POINTS_PER_CM
    return [
        word
        for word in words
        if word.left < MARGIN - ROUNDING or word.right > width - MARGIN + ROUNDING
    ]


def test_pages_of_the_site_are_printed_whole(
    browser: Chrome, site: list[Path], tmp_path: Path
) -> None:
    for page in site:
        if page.stem in NOT_FOR_PAPER:
            continue
        browser.get(page.as_uri())
        words = printed(browser, tmp_path)
        shown = letters("".join(word.text for word in words))
        assert letters(visible(browser, "article, main")) - shown == Counter(), page.name
        assert outside(words) == [], page.name


@pytest.mark.parametrize("name", ["grid", "located_grid"])
def test_audit_page_is_printed_whole_and_with_all_formulas(
    browser: Chrome, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "run.html"
    certificate = CERTIFICATES / "accepted" / f"{name}.json"
    steel("audit", "--certificate", str(certificate), "--html", str(path))
    browser.get(path.as_uri())
    words = printed(browser, tmp_path)
    browser.execute_script("document.querySelectorAll('details').forEach((e) => { e.open = true })")
    shown = letters("".join(word.text for word in words))
    assert letters(visible(browser, "main")) - shown == Counter()
    assert outside(words) == []


def test_audit_page_is_printed_black_on_white_in_dark_mode(
    browser: Chrome, audit_page: Path
) -> None:
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})
    browser.get(audit_page.as_uri())
    colour = "return getComputedStyle(document.body).backgroundColor"
    assert browser.execute_script(colour) != WHITE
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    assert browser.execute_script(colour) == WHITE
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
