"""What a way replays, so that a person can check it again: the formal statement, not evaluated.

For formulas, the statement with the abbreviations that it uses; for a lemma, its statement, the
instances that it follows from and the multipliers of the first case; for a proof about sums, its
goals. The remarks in the source say what the symbols mean.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.deduction.replaying import contradictions
from proofs_checks.kernels.deduction.statements import Apply, Lemma
from proofs_checks.kernels.deduction.telling import statement_of
from proofs_checks.proofs import chains, file_of, home_of
from proofs_checks.replays import cited_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.kernels.deduction.linear import Contradiction
    from proofs_checks.kernels.deduction.statements import Theory
    from proofs_checks.kernels.sums import Proof as SumsProof
    from proofs_checks.notation import Notation

_WORD: Final = re.compile(r"[^\W\d]\w*")


def formal_lines(way: str, notation: Notation) -> Iterator[str]:
    """The formal statement of a way, line by line."""
    cited = cited_in(way, notation)
    if not cited:
        yield from _formulas(" ".join(way.split()), notation)
    for part in cited:
        shown = part.lemmas if part.join is None else part.lemmas[: _named(way)]
        for theory, name in shown:
            yield from _lemma(theory, name)
        for proof in part.sums:
            yield from _sums(proof)


def _named(way: str) -> int:
    """How many lemmas a join names before its proofs about sums."""
    return " ".join(way.split()).partition(" with ")[0].count(",") + 1


def _formulas(way: str, notation: Notation) -> Iterator[str]:
    yield way
    waiting, seen = _WORD.findall(way.partition(":")[2]), set[str]()
    while waiting:
        name = waiting.pop(0)
        text = notation.let.get(name) or notation.where.get(name)
        if text is not None and name not in seen:
            seen.add(name)
            yield f"  {name} is {text}"
            waiting += _WORD.findall(text)


def _lemma(theory: Theory, name: str) -> Iterator[str]:
    step = next(
        each for each in theory.steps if isinstance(each, Lemma | Apply) and each.name == name
    )
    yield f"{home_of(step)}.{name} ({file_of(step)}): {statement_of(step)}"
    if isinstance(step, Lemma):
        measure = f"induction on {step.induction}; " * bool(step.induction)
        yield f"  {measure}from {step.by or 'nothing else'}"
        yield _multipliers(contradictions(theory, step))
    yield from _remarks(file_of(step), f"theory {home_of(step)} ")


def _multipliers(cases: tuple[Contradiction, ...]) -> str:
    used = [
        [f"{factor}·({term})" for term, factor in case.multipliers.items() if factor != 0]
        for case in cases
    ]
    counted = "one case" if len(cases) == 1 else f"{len(cases)} cases, the longest of them"
    longest = max(used, key=len)
    return (
        f"  {counted}: terms that are at least 0 add up to a negative number: {' + '.join(longest)}"
    )


def _sums(proof: SumsProof) -> Iterator[str]:
    name = chains.name_of(proof)
    file = f"proofs/chains/{name.partition('.')[0]}.proof"
    for goal in chains.goals_of(proof):
        yield f"{name} ({file}): {goal}"
    for shown in proof.goals:
        yield f"  with the values of its parameters, multiplied out: {shown}"
    yield from _remarks(file, f"proof {name.partition('.')[2]}")


def _remarks(file: str, begins: str) -> Iterator[str]:
    """What a source says of its symbols: at its top, above and in a block, and above symbols."""
    lines = (files("proofs_checks") / file).read_text(encoding="utf-8").split("\n")
    remarks, wanted, inside = list[str](), True, False
    for line in lines:
        words = line.strip()
        if words.startswith("#"):
            remarks.append(words)
            continue
        if words and not line.startswith(" "):
            inside = line.startswith(begins)
            wanted |= inside or line.startswith(("symbols", "index", "fixed"))
        if wanted or inside:
            yield from (f"  {remark}" for remark in remarks)
        remarks, wanted = [], False


def symbols_in(file: str) -> Iterator[str]:
    """What a file of entries says of its symbols: the remarks before its first entry."""
    text = (files("proofs_checks") / file).read_text(encoding="utf-8")
    before = re.split(r"^\[(?!let\]|where\]|leaves\])", text, maxsplit=1, flags=re.MULTILINE)[0]
    return (line for line in before.split("\n") if line.startswith("#"))
