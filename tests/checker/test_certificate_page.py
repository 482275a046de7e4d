"""certificate.md and certificate.schema.json agree with the checker and the learner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from proofs_checks.checker import coins, factored, located, looped, slipping, template
from proofs_checks.checker.looped import MOST_LEVELS
from proofs_checks.checker.reading import (
    LARGEST_FILE,
    LEAST_STEPS,
    LONGEST_FRACTION,
    LONGEST_NUMBER,
    STEPS_PER_BYTE,
    opened,
)
from proofs_checks.checker.slipping import MOST_FOR_PAIRS, STEPS_PER_PAIR

from ..certificates.make import SCHEMA, schema_as_bytes
from .material import looped_runs

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "certificate.md").read_text(encoding="utf-8")
CORPUS = ROOT / "tests" / "certificates" / "accepted"
ACCEPTED = {file.stem: file for file in sorted(CORPUS.glob("*.json"))}


def test_the_schema_is_made_again_to_the_same_bytes() -> None:
    """If this fails: `python -m tests.certificates.make`."""
    assert SCHEMA.read_bytes() == schema_as_bytes()


def lines_of(data: bytes) -> list[dict[str, object]]:
    """Return every line of a certificate, as `reading.opened` finds them."""
    document = opened(data)
    rows = {"kind": "rows", "count": max(1, len(document.rows))}
    entries = [line.value for line in document.record]
    end: dict[str, object] = {"kind": "end", "digest": document.digest}
    return [document.header, *([rows] if document.rows else []), *entries, document.claim, end]


@pytest.mark.parametrize("name", [*ACCEPTED, *looped_runs()], ids=str)
def test_certificates_of_every_shape_follow_the_schema(name: str) -> None:
    schema = json.loads(SCHEMA.read_bytes())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for line in lines_of(ACCEPTED[name].read_bytes() if name in ACCEPTED else looped_runs()[name]):
        assert validator.is_valid(line), line
        assert not validator.is_valid({**line, "more": 1})
        for key in line.keys() - {
            "format",
            "version",
            "spent",
            "assumes",
            "factors",
        }:  # they have a default
            assert not validator.is_valid({k: v for k, v in line.items() if k != key}), key


METHODS = {
    "looped": looped,
    "located": located,
    "coins": coins,
    "factored": factored,
    "slipping": slipping,
    "bounded": template,
}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_the_page_names_every_rule_as_the_checker_does(method: ModuleType) -> None:
    rules: dict[str, str] = method.RULES
    rows = [f"| `{rule}` | {rules[rule].replace('|', chr(92) + '|')} |" for rule in rules]
    assert "\n".join(rows) in PAGE


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_the_page_says_what_acceptance_means_as_the_checker_does(method: ModuleType) -> None:
    assert method.EXPLANATION in PAGE


def test_the_page_names_every_field() -> None:
    found = json.loads(SCHEMA.read_bytes())["$defs"]
    for definition in found.values():
        for field in definition.get("properties", ()):
            assert f"`{field}`" in PAGE, field


def test_the_page_states_the_limits() -> None:
    assert f"at most {LARGEST_FILE >> 20} MB" in PAGE
    assert f"at most {LEAST_STEPS:,} counted steps" in PAGE
    assert f"{STEPS_PER_BYTE} for each byte" in PAGE
    assert f"{STEPS_PER_PAIR} for each such pair" in PAGE
    assert f"up to {MOST_FOR_PAIRS:,}" in PAGE
    assert f"at most {LONGEST_NUMBER} digits" in PAGE
    assert f"{LONGEST_FRACTION:,} characters" in PAGE
    assert f"at most {MOST_LEVELS} levels" in PAGE
