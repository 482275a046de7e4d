"""Prints the formal statement of a claim, so that a reader can compare it with the sentence.

For formulas: the statement and its abbreviations. For a lemma: its statement, the instances that it
follows from, and the multipliers of the longest case. For a proof about sums: its goals, and the
reason of each line as it is written. Comments in the source explain the symbols.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.notation import read_head, read_terms
from proofs_checks.kernels.deduction.replaying import contradictions
from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
)
from proofs_checks.kernels.deduction.telling import line_of, statement_of
from proofs_checks.notation import conditions
from proofs_checks.proofs import chains, file_of, home_of
from proofs_checks.replays import cited_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.claim import Claim
    from proofs_checks.kernels.deduction.linear import Contradiction
    from proofs_checks.kernels.deduction.statements import Theory
    from proofs_checks.kernels.sums import Proof as SumsProof
    from proofs_checks.notation import Notation

_WORD: Final = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Formal:
    """What ways replay: statements, why they follow, and what sources say of the symbols."""

    statements: tuple[str, ...]
    because: tuple[str, ...]
    symbols: tuple[str, ...]


def formal(claim: Claim) -> Formal:
    """Return the formal statement of a claim, without duplicate lines."""
    parts = [each for way in claim.shown for each in _of_way(way, claim.notation)]
    files = [*(part.symbols for part in parts), tuple(_symbols_in(claim.file, claim.id))]
    return Formal(
        tuple(dict.fromkeys(line for part in parts for line in part.statements)),
        tuple(dict.fromkeys(line for part in parts for line in part.because)),
        tuple(dict.fromkeys(line for symbols in files for line in symbols)),
    )


def _of_way(way: str, notation: Notation) -> Iterator[Formal]:
    cited = cited_in(way, notation)
    if not cited:
        yield Formal(tuple(_formulas(" ".join(way.split()), notation)), (), ())
    for part in cited:
        shown = part.lemmas if part.join is None else part.lemmas[: _named(way)]
        for theory, name in shown:
            yield _lemma(theory, name, part.changed or theory)
        yield from map(_sums, part.sums)
        if part.join is not None:
            yield Formal(tuple(_quotes(" ".join(way.split()))), (), ())


def _named(way: str) -> int:
    """Return the number of lemmas that a join names before its proofs about sums."""
    return " ".join(way.split()).partition(" with ")[0].count(",") + 1


def _quotes(way: str) -> Iterator[str]:
    """Return the statements that a join quotes from other theorems."""
    _, _, quotes = way.partition(" quoting ")
    for quote in filter(None, quotes.split(" and ")):
        part, _, meaning = quote.partition(" by ")
        what, _, name = part.partition(" for ")
        yield f"{name} is what {what} shows, with {meaning}"


def _formulas(way: str, notation: Notation) -> Iterator[str]:
    statement, given = conditions(way, notation)
    yield f"{statement}{' where ' * bool(given)}{', '.join(given)}"
    waiting, seen = _WORD.findall(" ".join([statement.partition(":")[2], *given])), set[str]()
    while waiting:
        name = waiting.pop(0)
        text = notation.let.get(name)
        if text is not None and name not in seen:
            seen.add(name)
            yield f"  {name} is {text}"
            waiting += _WORD.findall(text)


def _lemma(theory: Theory, name: str, replayed: Theory) -> Formal:
    step, found = _step(theory, name), _step(replayed, name)
    because = []
    if isinstance(found, Lemma):
        measure = f"by induction on {found.induction}, " * bool(found.induction)
        because = [
            f"{name}: {measure}from {found.by or 'nothing else'}",
            _multipliers(contradictions(replayed, found)),
        ]
    where = f"{home_of(step)}.{name} ({file_of(step)})"
    changed = ", with the conditions that the entry gives" * (found != step)
    return Formal(
        (f"{where}{changed}:", f"  {statement_of(found)}"),
        tuple(because),
        (
            *_meanings(theory, step),
            *_remarks(file_of(step), f"theory {home_of(step)} ", rf"^  (?:lemma|apply) {name}\b"),
        ),
    )


def _meanings(theory: Theory, step: Lemma | Apply) -> Iterator[str]:
    """Return the definitions of a statement's symbols, or the hypotheses that mention them."""
    spoken = set(_WORD.findall(statement_of(step)))
    for each in theory.steps:
        if isinstance(each, Let | Least | Recursion | Indicator):
            name = read_head(each.symbol)[0]
            if name in spoken:
                yield line_of(each)
                spoken.discard(name)
    for term in map(str, read_terms(theory.symbols)):
        if read_head(term)[0] in spoken:
            named = [
                each.name
                for each in theory.steps
                if isinstance(each, Assume)
                and read_head(term)[0] in _WORD.findall(f"{each.given} {each.then}")
            ]
            listed = ", ".join(named[:4]) + ", …" * (len(named) > 4)
            yield f"{term} is a symbol of {home_of(step)}; of it speak {listed or 'no hypotheses'}"


def _step(theory: Theory, name: str) -> Lemma | Apply:
    return next(
        each for each in theory.steps if isinstance(each, Lemma | Apply) and each.name == name
    )


def _multipliers(cases: tuple[Contradiction, ...]) -> str:
    used = [
        [f"{factor}·({term})" for term, factor in case.multipliers.items() if factor != 0]
        for case in cases
    ]
    longest = max(used, key=len)
    counted = "" if len(cases) == 1 else f"in the longest of {len(cases)} cases, "
    return (
        "  suppose the opposite; "
        f"{counted}these terms are at least 0, and their sum is negative: {' + '.join(longest)}"
    )


def _sums(proof: SumsProof) -> Formal:
    name = chains.name_of(proof)
    file = f"proofs/chains/{name.partition('.')[0]}.proof"
    stated = [f"{name} ({file}):"]
    for goal, shown in zip(chains.goals_of(proof), map(str, proof.goals), strict=True):
        stated += [f"  {goal}"] if goal == shown else [f"  {goal}", f"  that is, {shown}"]
    remarks = tuple(_remarks(file, f"proof {name.partition('.')[2]}"))
    return Formal(tuple(stated), chains.reasons_of(proof), remarks)


def _remarks(file: str, begins: str, statement: str = "") -> Iterator[str]:
    """What a source says of its symbols: at its top, in the block that is meant, above symbols.

    This is the block that begins in this way, or the one in which a statement stands.
    """
    for number, block in enumerate(_blocks(file)):
        head = re.sub(r"^(?:#[^\n]*\n)*", "", block)
        wanted = head.startswith((begins, "symbols", "index", "fixed"))
        if wanted or number == 0 or (statement and re.search(statement, block, re.MULTILINE)):
            yield from _paragraphs(block)


def _blocks(file: str) -> list[str]:
    """The parts of a source: what begins in column 0, with the remarks above it."""
    text = (files("proofs_checks") / file).read_text(encoding="utf-8")
    blocks, remarks = [""], ""
    for line in text.split("\n"):
        if line.startswith("#"):
            remarks += f"{line}\n"
        elif line and not line.startswith(" "):
            blocks.append(f"{remarks}{line}\n")
            remarks = ""
        else:
            blocks[-1] += f"{remarks}{line}\n"
            remarks = ""
    return blocks


def _symbols_in(file: str, name: str) -> Iterator[str]:
    """What a file of entries says of its symbols: before its first entry, above and in this one."""
    text = (files("proofs_checks") / file).read_text(encoding="utf-8")
    before = re.split(r"^\[(?!let\]|where\])", text, maxsplit=1, flags=re.MULTILINE)
    yield from _paragraphs(before[0])
    entry = re.search(rf'(?:^#[^\n]*\n)*^\["?{re.escape(name)}"?\][^[]*', text, re.MULTILINE)
    yield from _paragraphs(entry[0] if entry else "")


def _paragraphs(text: str) -> Iterator[str]:
    """The remarks of a text, each as one line."""
    found = list[str]()
    for line in [*text.split("\n"), ""]:
        words = line.strip()
        if words.startswith("#") and words != "#":
            found.append(words.strip("# "))
        elif found:
            yield " ".join(found)
            found = []
