"""Reads claims from files of entries.

A file belongs to a section of the paper. Its checks are functions of the module beside it, or
of the module that `checks` names (`checks = "paper.steel.covering"`). It may abbreviate formulas
(`[let]`) and lists of conditions (`[where]`). Every other table is a claim:

    [D04]
    lines = "945"
    says = "every state has a self-loop of at most D+1 steps"
    shown = ["proof: TOURING.D04"]
    tried = ["check: loops_are_short(beyond=1)"]
    assuming = ["the graph is strongly connected"]
    [D04.mistakes]
    "at most D steps" = "check: loops_are_short(beyond=0)"

`strength` is the strength that `shown` must reach; the default is the strongest, `proved`. `tried`
lists checks of small cases in addition to a proof: they compare the symbols of the proof with the
code. They must succeed, but do not change the strength. The kernel must refuse every mistake.
`[ID.erratum]` has `printed`, `counterexample`, `refuted` (a call that evaluates it), `corrected`
and `consequence`.

`beyond` names the part of the sentence of an `argued` claim that is not replayed.

`rests` lists the claims that the proofs of a claim cite; it is compared with the proofs. `[leaves]`
names the unproved statements on which the joins of a file depend, one or several for a text
`kind, topic: text`; the kinds are in `tree.py`. `[quotes]` lists the claims that joins of the file
quote, and their files.
`[ID.tied.PART]` says which checks compare a part of the program with the theories that describe it
(`claim.Tie`).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, TypeGuard

from proofs_checks.claim import Claim, Erratum, Mistake, Tie
from proofs_checks.kernels.evidence import Strength
from proofs_checks.notation import Notation

ROOT: Final = Path(__file__).parent
_FIELDS: Final = frozenset(
    {
        *("lines", "section", "says", "strength", "shown", "tried", "assuming", "mistakes"),
        *("rests", "tied", "beyond", "erratum"),
    }
)


def claims_in(file: Path) -> tuple[Claim, ...]:
    """Return the claims of a file; raise `ValueError` with the file and the fault."""
    try:
        data: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
        section = data.pop("section")
        beside = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        module = f"proofs_checks.{_text(data.pop('checks', beside))}"
        let, where, leaves = (_texts(data.pop(name, {})) for name in ("let", "where", "leaves"))
        leaves = {name: text for names, text in leaves.items() for name in names.split(", ")}
        quoted = dict(_quoted(*each) for each in _texts(data.pop("quotes", {})).items())
        notation = Notation(let, where, module, leaves, quoted)
        place = str(file.relative_to(ROOT))
        return tuple(_claim(name, entry, section, notation, place) for name, entry in data.items())
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from error


def _quoted(name: str, file: str) -> tuple[str, tuple[str, Notation]]:
    """A claim of another file, as its join and its notation."""
    (claim,) = (each for each in claims_in(ROOT / file) if each.id == name)
    (way,) = claim.shown
    return name, (way, claim.notation)


def _claim(name: str, entry: object, section: object, notation: Notation, file: str) -> Claim:
    if not _is_table(entry) or (unknown := entry.keys() - _FIELDS):
        raise ValueError(f"{name} is not an entry, or has unknown fields: {unknown}")
    strength = Strength[_text(entry.get("strength", "proved")).upper()]
    ways = _listed(entry.get("shown", ()))
    mistakes = _texts(entry.get("mistakes", {}))
    if not ways or not mistakes:
        raise ValueError(f"{name} needs a way to show it and a mistake that is refused")
    beyond = _text(entry.get("beyond", ""))
    if bool(beyond) != (strength is Strength.ARGUED):
        raise ValueError(f"{name}: `beyond` says what is not replayed of a claim that is argued")
    return Claim(
        id=name,
        lines=_text(entry["lines"]),
        section=_text(entry.get("section", section)),
        says=_text(entry["says"]),
        strength=strength,
        shown=ways,
        tried=_listed(entry.get("tried", ())),
        assuming=_listed(entry.get("assuming", ())),
        mistakes=tuple(Mistake(says, way) for says, way in mistakes.items()),
        rests=_listed(entry.get("rests", ())),
        tied=tuple(_tie(part, tie) for part, tie in _table(entry.get("tied", {})).items()),
        beyond=beyond,
        erratum=Erratum(**_texts(entry["erratum"])) if "erratum" in entry else None,
        notation=notation,
        file=file,
    )


def _tie(part: str, tie: object) -> Tie:
    fields = _table(tie)
    found = Tie(
        part=part,
        code=_text(fields.pop("code")),
        calls=_listed(fields.pop("calls")),
        trials=_listed(fields.pop("trials", ())),
        tests=_listed(fields.pop("tests")),
        size=_text(fields.pop("size")),
        uncovered=_text(fields.pop("uncovered")),
    )
    if fields:
        raise ValueError(f"unknown fields of a tie: {sorted(fields)}")
    return found


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
