"""The audit page in a browser: its numbers are those of `theory/`, whatever is typed."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from steel_verified.experiments.registry import preset
from steel_verified.reports.audit import AUDITS
from steel_verified.reports.audit_page.page import audit_values, shown
from steel_verified.reports.formulas import DEFINITIONS
from steel_verified.theory.parameters import Extent, Parameters
from tests.bounds import bounds, with_class

from ..certificates.content import as_json
from .commands import CERTIFICATES, complaints, steel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser

POINTS = 2_000


def opened(browser: Chrome, page: Path, width: int = 1200) -> None:
    browser.set_window_size(width, 900)
    browser.get(page.as_uri())


def run_script(browser: Chrome, script: str, *arguments: object) -> object:
    """What a script returns, through JSON, so that its type is known."""
    wrapped = f"return JSON.stringify((function() {{ {script} }}).apply(null, arguments))"
    return json.loads(str(browser.execute_script(wrapped, *arguments)))


def by_theory(p: Parameters, extent: Extent) -> dict[str, Fraction]:
    return audit_values({name: audit(p, extent, None) for name, audit in AUDITS.items()})


def points(many: int) -> Iterator[tuple[Parameters, Extent]]:
    """Parameters of all sizes, from the same seed every time."""
    draw = Random(20)
    while many:
        most = draw.choice([1, 3, 10, 40, 200])
        n = draw.randint(1, most)
        size = draw.choice([draw.randint(1, 50), draw.randint(1, 10**9)])
        states = draw.randint(1, min(n, size))
        diameter = draw.randint(min(1, states - 1), states - 1)
        multiple = states * (diameter + 1) * draw.randint(1, 12)
        chances = [Fraction(draw.randint(1, 99), 100), Fraction(1, draw.randint(2, 10**6))]
        p = with_class(
            bounds(
                draw.randint(1, 9),
                n,
                draw.choice([1, draw.randint(1, 60), draw.randint(1, 10**5), multiple]),
                delta=draw.choice(chances),
                epsilon=draw.choice(chances),
            ),
            size,
            draw.randint(diameter, diameter + 30),
        )
        yield p, Extent(states, diameter)
        many -= 1


def test_numbers_agree_with_python_on_thousands_of_points(
    browser: Chrome, audit_page: Path
) -> None:
    opened(browser, audit_page)
    expected = [by_theory(p, extent) for p, extent in points(POINTS)]
    given = [
        {key: str(value) for key, value in each.items() if key not in DEFINITIONS}
        for each in expected
    ]
    found = run_script(
        browser,
        """return arguments[0].map((given) => {
          const values = computed(Object.fromEntries(
            Object.entries(given).map(([key, text]) => [key, parsed(text)])));
          return Object.fromEntries(Object.entries(values).map(([key, value]) =>
            [key, value === null ? null : `${value.n}/${value.d}`]));
        });""",
        given,
    )
    assert isinstance(found, list)
    undecided = 0
    for texts, values in zip(found, expected, strict=True):
        for key, value in values.items():
            if texts[key] is None:
                undecided += 1
            else:
                assert Fraction(texts[key]) == value, (key, values)
    assert undecided == 0


def test_enclosure_that_touches_an_integer_is_undecided(browser: Chrome, audit_page: Path) -> None:
    opened(browser, audit_page)
    found = run_script(
        browser,
        """const definitions = {d: (v) => ceiling(v.x), later: (v) => sum(v.d, whole(1)),
             sure: (v) => floor(v.y)};
           const unit = 10n ** 30n;
           const near = {lo: fraction(unit - 1n, unit), hi: fraction(unit + 1n, unit)};
           const found = evaluateAll(definitions, {x: near, y: whole(7)});
           return [found.d, found.later, Number(found.sure.n), shown(found.d)];""",
    )
    assert found == [None, None, 7, "undecided"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("log(whole(2))", "0.693147180559945309417232121458176568"),
        ("log(exact(fraction(1n, 1000n)))", "-6.907755278982137052053974364053092622"),
        ("exp(exact(fraction(-1n)))", "0.367879441171442321595523770161460867"),
        ("exp(exact(fraction(-201n, 10n)))", "0.0000000018650089219027697331"),
    ],
)
def test_logarithm_and_exponential_are_enclosed(
    browser: Chrome, audit_page: Path, script: str, expected: str
) -> None:
    opened(browser, audit_page)
    ends = run_script(
        browser,
        f"const x = {script}; return [x.lo, x.hi].map((each) => `${{each.n}}/${{each.d}}`)",
    )
    assert isinstance(ends, list)
    low, high = map(Fraction, ends)
    digits = len(expected.split(".")[1])
    assert low < high < low + Fraction(1, 10**60)
    assert abs(low - Fraction(expected)) <= Fraction(1, 10**digits)


def test_page_starts_with_the_numbers_of_python(browser: Chrome, audit_page: Path) -> None:
    static = audit_page.read_text(encoding="utf-8")
    opened(browser, audit_page)
    lock = preset("combination-lock-20")
    for key, value in by_theory(lock.parameters, lock.extent).items():
        text = shown(value, key)
        for element in browser.find_elements(By.CSS_SELECTOR, f'output[data-value="{key}"]'):
            assert element.get_attribute("textContent") == text
            assert f'data-value="{key}">{text}</output>' in static
    assert complaints(browser) == []


def typed(browser: Chrome, name: str, text: str) -> None:
    field = browser.find_element(By.NAME, name)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(text)


def test_typing_and_sliding_change_the_numbers(
    browser: Chrome, audit_page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened(browser, audit_page)
    typed(browser, "delta", "1/1000")
    typed(browser, "max_states", "45")
    browser.find_element(By.CSS_SELECTOR, 'input[data-for="mixing_time"]').send_keys(
        *[Keys.ARROW_RIGHT] * 40
    )
    mixing_time = browser.find_element(By.NAME, "mixing_time").get_attribute("value")
    assert mixing_time is not None
    assert int(mixing_time) > 40
    steel(
        "audit", "--preset", "combination-lock-20", "--delta", "1/1000", "--max-states", "45",
        "--mixing-time", mixing_time, "--json",
    )  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    for key, symbol in printed["symbols"].items():
        value = Fraction(symbol["value"])
        assert browser.find_element(
            By.CSS_SELECTOR, f'#symbol-{key} td.number output[data-value="{key}"]'
        ).text == shown(value)
    announced = browser.find_element(By.ID, "status").get_attribute("textContent") or ""
    total = shown(Fraction(printed["numbers"]["exact_total"]))
    assert f"Looped: at most {total} steps" in announced
    browser.find_element(By.ID, "as-it-was").click()
    assert browser.find_element(By.NAME, "max_states").get_attribute("value") == "30"
    assert complaints(browser) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("delta", "0", "between 0 and 1"),
        ("delta", "abc", "abc is not a number"),
        ("delta", "", "nothing is not a number"),
        ("delta", "1/0", "1/0 is not a number"),
        ("epsilon", "1e-90", "at least 2^−100"),
        ("states", "31", "more states than N = 30"),
        ("class_size", "19", "more states than classifiers"),
        ("diameter", "20", "expected 1 to |S| − 1 = 19"),
        ("max_diameter", "3", "above D̂ = 3"),
        ("max_states", "2.5", "expected a whole number"),
        ("mixing_time", "9999999999999", "at most 10^12"),
    ],
)
def test_invalid_input_shows_an_error_and_keeps_the_page(
    browser: Chrome, audit_page: Path, name: str, text: str, expected: str
) -> None:
    opened(browser, audit_page)
    typed(browser, name, text or Keys.DELETE)
    assert expected in browser.find_element(By.ID, "problem").text
    assert len(browser.find_elements(By.CSS_SELECTOR, 'input[aria-invalid="true"]')) == 1
    assert browser.find_elements(By.CSS_SELECTOR, "body.stale")
    assert browser.find_element(By.CSS_SELECTOR, '#symbols output[data-value="d"]').text
    browser.find_element(By.ID, "as-it-was").click()
    assert not browser.find_elements(By.CSS_SELECTOR, "body.stale")
    assert complaints(browser) == []


@pytest.mark.parametrize("width", [400, 1200])
def test_page_fits_its_window_and_can_be_heard(
    browser: Chrome, audit_page: Path, width: int
) -> None:
    """Everything has a name, and one sentence is announced, not every number."""
    opened(browser, audit_page, width)
    found = run_script(
        browser,
        """const all = (what) => [...document.querySelectorAll(what)];
           const page = document.documentElement;
           const named = (e) => e.getAttribute("aria-label") || (e.labels && e.labels.length)
             || e.getAttribute("aria-labelledby");
           return [page.scrollWidth <= page.clientWidth,
             all("input, [role=img], [role=region]").filter((e) => !named(e)).length,
             all("output, [role=status], [role=alert]")
               .filter((e) => e.getAttribute("aria-live") !== "off").map((e) => e.id)];""",
    )
    assert found == [True, 0, ["problem", "status"]]


@pytest.mark.parametrize("method", ["grid", "located_grid", "one_state", "no_tour"])
def test_page_of_a_run(browser: Chrome, tmp_path: Path, method: str) -> None:
    path = tmp_path / "run.html"
    certificate = CERTIFICATES / "accepted" / f"{method}.json"
    steel("audit", "--certificate", str(certificate), "--html", str(path))
    opened(browser, path)
    content = json.loads(as_json(certificate.read_bytes()))
    section = browser.find_element(By.ID, "run")
    verdict = browser.find_element(By.CSS_SELECTOR, "header .verdict").text
    assert "The independent checker accepts" in verdict
    width = "const e = document.documentElement; return e.scrollWidth <= e.clientWidth"
    assert browser.execute_script(width) is True
    assert f"{content['steps']:,}" in section.text
    rows = section.find_elements(By.CSS_SELECTOR, "[aria-label*='by phase'] tbody tr")
    in_all = [cell.text for cell in rows[-1].find_elements(By.TAG_NAME, "td")]
    predicted = f"{content['steps']:,}" if content["method"] == "looped" else "none"
    assert in_all[:2] == [f"{content['steps']:,}", predicted]
    labels = section.find_elements(By.CSS_SELECTOR, "figure:first-of-type svg text")
    assert [each.text for each in labels] == [str(s) for s in range(len(content["table"]))]
    assert complaints(browser) == []


def test_page_of_a_rejected_run_lists_the_findings(browser: Chrome, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    certificate = CERTIFICATES / "rejected" / "gap_one_short.json"
    steel("audit", "--certificate", str(certificate), "--html", str(path))
    opened(browser, path)
    assert "rejects" in browser.find_element(By.CSS_SELECTOR, "header .verdict").text
    assert browser.find_elements(By.CSS_SELECTOR, "header ul li")


def test_only_the_script_of_the_page_is_executed(
    browser: Chrome, audit_page: Path, tmp_path: Path
) -> None:
    """The policy of the page refuses scripts and files that somebody adds to it."""
    added = (
        "<script>document.title = 'changed'</script><img src='https://example.com/x.png'></body>"
    )
    changed = tmp_path / "changed.html"
    text = audit_page.read_text(encoding="utf-8")
    changed.write_text(text.replace("</body>", added), encoding="utf-8")
    complaints(browser)
    opened(browser, changed)
    assert browser.title != "changed"
    refused = sum("Content Security Policy" in message for message in complaints(browser))
    assert refused == 2
