"""The configuration of Sphinx. `python docs/build.py` prepares the pages and runs Sphinx."""

from __future__ import annotations

from enum import EnumType
from importlib.metadata import version as installed
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "steel_verified"
version = release = installed("steel_verified")
author = "the steel_verified developers"
copyright = "2026, the steel_verified developers"  # noqa: A001  Sphinx calls it so
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 3
default_role = "code"
autodoc_inherit_docstrings = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
html_theme = "furo"
html_title = "steel_verified"
html_extra_path = ["extra"]
html_static_path = ["style"]
html_css_files = ["screen.css", ("print.css", {"media": "print"})]
html_show_sourcelink = False


def _with_bars(
    _app: object, _what: str, _name: str, _value: object, _options: object, lines: list[str]
) -> None:
    """Escape bars such as those of |F|, which reStructuredText would read as a substitution."""
    lines[:] = [line.replace("|", r"\|") for line in lines]


def _without_placeholders(
    _app: object,
    what: str,
    _name: str,
    value: object,
    _options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Leave out the signature of classes that are not called: protocols and enumerations."""
    if what == "class" and (getattr(value, "_is_protocol", False) or isinstance(value, EnumType)):
        return "", None
    return signature, returns


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-docstring", _with_bars)
    app.connect("autodoc-process-signature", _without_placeholders)
