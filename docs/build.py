"""Build the documentation site into build/site: `python docs/build.py`.

The pages of the site come from three places: this folder, a few pages elsewhere in the repository,
and pages generated from code (the public names, all claims, pictures, an audit page). They are
collected in build/pages, and Sphinx builds the site from them. Warnings are errors.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.cmd.build import main as sphinx_build

import steel_verified
from proofs_checks.claims import all_claims
from steel_verified import (
    classes,
    errors,
    findings,
    gymnasium,
    plots,
    progress,
    strategies,
    worlds,
)
from steel_verified.cli.audit_pages import write_audit_page
from steel_verified.cli.reproduce import runs_shown, steps_by_size
from steel_verified.experiments.registry import preset
from steel_verified.reports.figures.gallery import all_figures
from steel_verified.reports.figures.style import as_bytes

if TYPE_CHECKING:
    from types import ModuleType

DOCS: Final = Path(__file__).parent
ROOT: Final = DOCS.parent
PAGES: Final = {
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "proofs_checks/README.md": "reference/proofs.md",
    **{
        f"docs/{name}": name
        for name in (page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    },
}
"""Pages of the repository, and where they are on the site."""
PICTURES: Final = (
    "figure-1-discovery",
    "figure-2-period-test",
    "figure-4-positions",
    "located-exploration",
    "certain-exploration",
    "learned-factors",
    "steps",
)
"""Figures that pages of the site show."""
MODULES: Final[tuple[ModuleType, ...]] = (
    steel_verified,
    worlds,
    classes,
    gymnasium,
    strategies,
    findings,
    plots,
    progress,
    errors,
)
"""The modules whose names are public."""
_LINK: Final = re.compile(r"\[([^\]\n]*)\]\(([^)\s]+)\)")


def build(target: Path) -> int:
    """Build the site into a folder; return 0 if there was no warning."""
    source = target.parent / "pages"
    for old in (source, target):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(DOCS / "style", source / "style")
    shutil.copy(DOCS / "conf.py", source)
    for origin, name in PAGES.items():
        (source / name).parent.mkdir(exist_ok=True)
        content = (ROOT / origin).read_text(encoding="utf-8")
        (source / name).write_text(_linked(content, origin), encoding="utf-8")
    (source / "reference" / "claims.md").write_text(_claims(), encoding="utf-8")
    (source / "reference" / "names.rst").write_text(_names(), encoding="utf-8")
    (source / "pictures").mkdir()
    for made in (DOCS / "picture.svg", DOCS / "results" / "costs.svg"):
        shutil.copy(made, source / "pictures")
    for name, picture in _pictures().items():
        (source / "pictures" / name).write_bytes(picture)
    (source / "extra").mkdir()
    lock = preset("combination-lock-20")
    write_audit_page(source / "extra" / "audit.html", lock.parameters, lock.extent)
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--fresh-env", "--builder=html"]
    return sphinx_build([*options, str(source), str(target)])


def _pictures() -> dict[str, bytes]:
    steps = steps_by_size()
    figures = all_figures(runs_shown(), by_size=steps)
    return {f"{name}.svg": as_bytes(figures[name].make(), ".svg") for name in PICTURES}


def _linked(markdown: str, source: str) -> str:
    """The page with links to its pages on the site; links to code become plain names."""
    pages = PAGES | {"README.md": "index.md"}
    here = posixpath.dirname(PAGES[source]) or "."

    def link(found: re.Match[str]) -> str:
        text, target = found.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or not path:
            return found[0]
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if inside in pages:
            page = posixpath.relpath(pages[inside], here)
            return f"[{text}]({page}{'#' * bool(anchor)}{anchor})"
        return text if (ROOT / inside).exists() else found[0]

    return _LINK.sub(link, markdown)


def _names() -> str:
    """Every public name, with its docstring and types."""
    lines = [
        "Public names",
        "============",
        "",
        "Every public name, with its types and documentation. Every other module is internal and",
        "may change from one version to the next.",
        "",
    ]
    described: dict[int, str] = {}
    for module in MODULES:
        summary = (module.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        lines += [module.__name__, "-" * len(module.__name__), "", summary, ""]
        names: list[str] = module.__all__
        if again := [name for name in names if id(getattr(module, name)) in described]:
            lines += [f"Also here: {', '.join(f'`{name}`' for name in again)} (see above).", ""]
        for name in names:
            if name not in again:
                described[id(getattr(module, name))] = name
                lines += [*_entry(module, name), ""]
    return "\n".join(lines)


def _entry(module: ModuleType, name: str) -> list[str]:
    value = getattr(module, name)
    if isinstance(value, type):
        shown = ["   :members:"]
        if issubclass(value, Enum):
            shown = ["   :members:", "   :undoc-members:"]
        return [f".. autoclass:: {module.__name__}.{name}", *shown]
    kind = "autofunction" if callable(value) else "autodata"
    return [f".. {kind}:: {module.__name__}.{name}"]


def _claims() -> str:
    """All claims, by section."""
    claims = all_claims()
    lines = [
        "# Claims",
        "",
        f"{len(claims)} claims, from the paper and our own, each with how strongly it is shown.",
        "`steel claims ID` shows the statement, as Coq prints it or as it is checked.",
    ]
    for section in dict.fromkeys(claim.section for claim in claims):
        lines += [
            "",
            f"## {section[:1].upper()}{section[1:]}",
            "",
            "| id | lines | claim | strength |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {claim.id} | {claim.lines} | {_plain(claim.says)} | {claim.label} |"
            for claim in claims
            if claim.section == section
        ]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """The text with all special characters of Markdown escaped, outside of `names`."""
    parts = text.replace("\n", " ").split("`")
    parts[::2] = (re.sub(r"([\\*_\[\]<>|~$#])", r"\\\1", part) for part in parts[::2])
    return "`".join(parts)


if __name__ == "__main__":
    sys.exit(build(ROOT / "build" / "site"))
