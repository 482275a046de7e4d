"""The documentation site in a browser: no errors, no broken links, nothing cut off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

import pytest
from selenium.webdriver.common.by import By

from .commands import complaints

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser

PAGES = ("index", "names", "claims")
"""Pages that must be there; all pages are opened."""


def links(browser: Chrome) -> set[tuple[str, str]]:
    """The file and the anchor of every link to a page of the site."""
    targets = [
        element.get_attribute("href") or ""
        for element in browser.find_elements(By.CSS_SELECTOR, "a[href], link[href]")
    ]
    local = (urlparse(target) for target in targets if target.startswith("file:"))
    return {(unquote(each.path), unquote(each.fragment)) for each in local}


def test_every_page_opens_without_errors_and_fits_into_a_narrow_window(
    browser: Chrome, site: list[Path]
) -> None:
    assert {page.stem for page in site} >= set(PAGES)
    browser.set_window_size(400, 900)
    for page in site:
        browser.get(page.as_uri())
        assert complaints(browser) == [], page.name
        widths = "const e = document.documentElement; return `${e.scrollWidth} ${e.clientWidth}`"
        content, window = map(int, str(browser.execute_script(widths)).split())
        assert content <= window, page.name


def test_no_link_is_broken(browser: Chrome, site: list[Path]) -> None:
    browser.set_window_size(1200, 900)
    anchors: dict[str, set[str]] = {}
    wanted: set[tuple[str, str]] = set()
    for page in site:
        browser.get(page.as_uri())
        marked = browser.find_elements(By.CSS_SELECTOR, "[id]")
        anchors[str(page)] = {element.get_attribute("id") or "" for element in marked}
        wanted |= links(browser)
    broken = [
        (path, anchor)
        for path, anchor in sorted(wanted)
        if not Path(path).exists() or (anchor and anchor not in anchors.get(path, {anchor}))
    ]
    assert broken == []


def test_search_finds_a_public_name(browser: Chrome, site: list[Path]) -> None:
    browser.get(
        next(page for page in site if page.name == "search.html").as_uri()
        + "?q=learn_with_doubling"
    )
    browser.implicitly_wait(10)
    found = browser.find_elements(By.CSS_SELECTOR, "#search-results li a")
    browser.implicitly_wait(0)
    assert any("names.html" in (each.get_attribute("href") or "") for each in found)
