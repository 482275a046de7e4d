"""The claims: sentences of the paper, and our own, with how each is shown.

A file of entries belongs to a section of the paper. The functions that its entries call are in the
module beside it, or in the module that `checks` names (`checks = "paper.steel.covering"`). It may
abbreviate formulas (`[let]`) and lists of conditions (`[where]`). Every other table is a claim:

    [D04]
    lines = "945"
    says = "every state has a self-loop of at most D+1 steps"
    coq = ["claims.Tours.D04"]
    tried = ["exhausted: loops_are_short(beyond=1)"]
    assuming = ["the graph is strongly connected"]
    [D04.mistakes]
    "at most D steps" = "exhausted: loops_are_short(beyond=0)"

A claim is shown by theorems of Coq (`coq`) and by checks (`shown`, see `kinds_of_evidence.py`); its
strength is that of the weakest. An entry cannot state a strength. If a part of the sentence is not
shown, `beyond` says which, and the claim is `argued`. `tried` lists further checks, such as the
comparison of a theorem with the code that runs: they must succeed, but do not change the strength.

`mistakes` has the same statement with an error in it, which must be refused: this guards against
checks that accept everything. A claim that is shown or tried by a check has at least one.
`[ID.erratum]` has `printed`, `counterexample`, `refuted` (a call that evaluates it), `corrected`
and `consequence`; its claim shows the corrected statement.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeGuard

from proofs_checks.checks.evidence import Evidence, NotEarned, Strength, all_of
from proofs_checks.kinds_of_evidence import Notation, holds, show, strength_of
from proofs_checks.theorems import theorem

ROOT: Final = Path(__file__).parent
FOLDERS: Final = ("paper", "sharper")


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """A printed statement that is false as printed, with a corrected statement."""

    printed: str
    counterexample: str
    refuted: str
    """A call that evaluates the counterexample: it returns True if the printed statement fails."""
    corrected: str
    consequence: str
    """The consequence for the theorem."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The claim with a plausible mistake in it, as a check that must refuse it."""

    says: str
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement. For an erratum, what is shown is the corrected statement."""

    id: str
    lines: str
    section: str
    says: str
    coq: tuple[str, ...]
    """The theorems of Coq that show it"""
    shown: tuple[str, ...]
    """The checks that show it"""
    tried: tuple[str, ...]
    """Further checks: they must succeed, and do not change the strength."""
    assuming: tuple[str, ...]
    beyond: str
    """The part of the sentence that is not shown"""
    mistakes: tuple[Mistake, ...]
    erratum: Erratum | None
    notation: Notation
    file: str
    """The file of its entry, relative to `proofs_checks/`"""

    @property
    def strength(self) -> Strength:
        """How it is shown; `NotEarned` if one of its theorems may not count."""
        for name in self.coq:
            theorem(name)
        if self.beyond:
            return Strength.ARGUED
        return max([Strength.PROVED, *map(strength_of, self.shown)])

    @property
    def label(self) -> str:
        """Its strength in one word, or `not shown`."""
        try:
            return self.strength.name.lower()
        except NotEarned:
            return "not shown"


def evidence_for(claim: Claim) -> Evidence:
    """Run everything that shows a claim; raise `NotEarned` if a part of it fails."""
    found = [show(way, claim.notation) for way in claim.shown]
    for way in claim.tried:
        show(way, claim.notation)
    if claim.erratum is not None and not holds(claim.erratum.refuted, claim.notation):
        raise NotEarned(f"{claim.id}: the counterexample does not refute the printed statement")
    proved = [Evidence(Strength.PROVED, f"by {theorem(name).name}, in Coq") for name in claim.coq]
    argued = [Evidence(Strength.ARGUED, f"not shown: {claim.beyond}")] if claim.beyond else []
    return all_of(*proved, *found, *argued)


# --- files of entries -----------------------------------------------------------------------------


@cache
def all_claims() -> tuple[Claim, ...]:
    """Return every claim in `paper/` and `sharper/`, sorted by its first line in the paper."""
    found: list[Claim] = []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.toml")):
            found += claims_in(file)
    twice = {claim.id for claim in found if sum(other.id == claim.id for other in found) > 1}
    if twice:
        raise ValueError(f"claims with the same id: {sorted(twice)}")
    return tuple(sorted(found, key=lambda claim: (_first_line(claim), claim.id)))


def claims_in(file: Path) -> tuple[Claim, ...]:
    """Return the claims of a file; raise `ValueError` with the file and the fault."""
    try:
        data: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
        section = data.pop("section")
        beside = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        module = f"proofs_checks.{_text(data.pop('checks', beside))}"
        let, where = (_texts(data.pop(name, {})) for name in ("let", "where"))
        notation = Notation(let, where, module)
        place = file.relative_to(ROOT).as_posix()
        return tuple(_claim(name, entry, section, notation, place) for name, entry in data.items())
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from error


def _claim(name: str, entry: object, section: object, notation: Notation, file: str) -> Claim:
    fields = _table(entry)
    claim = Claim(
        id=name,
        lines=_text(fields.pop("lines")),
        section=_text(fields.pop("section", section)),
        says=_text(fields.pop("says")),
        coq=_listed(fields.pop("coq", ())),
        shown=_listed(fields.pop("shown", ())),
        tried=_listed(fields.pop("tried", ())),
        assuming=_listed(fields.pop("assuming", ())),
        beyond=_text(fields.pop("beyond", "")),
        mistakes=tuple(Mistake(*each) for each in _texts(fields.pop("mistakes", {})).items()),
        erratum=Erratum(**_texts(fields.pop("erratum"))) if "erratum" in fields else None,
        notation=notation,
        file=file,
    )
    if fields:
        raise ValueError(f"{name} has unknown fields: {sorted(fields)}")
    if not (claim.coq or claim.shown or claim.beyond):
        raise ValueError(f"{name} is shown by nothing, and does not say so (`beyond`)")
    if (claim.shown or claim.tried) and not claim.mistakes:
        raise ValueError(f"{name} is checked, and needs a mistake that is refused")
    for way in (*claim.shown, *claim.tried, *(mistake.way for mistake in claim.mistakes)):
        strength_of(way)
    return claim


def _first_line(claim: Claim) -> int:
    digits = "".join(c if c.isdigit() else " " for c in claim.lines).split()
    return int(digits[0])


def _table(value: object) -> dict[str, object]:
    if not _is_table(value):
        raise TypeError(f"expected a table: {value}")
    return dict(value)


def _is_table(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text: {value}")
    return value


def _listed(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"expected a list of texts: {value}")
    return tuple(map(_text, value))


def _texts(value: object) -> dict[str, str]:
    return {name: _text(text) for name, text in _table(value).items()}
