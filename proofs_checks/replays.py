"""Parses the texts after `proof:`, `chain:` and `join:`, and replays what they name.

A replay depends only on the text, so each result is cached.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels import deduction, sums
from proofs_checks.kernels.deduction import Apply, Lemma
from proofs_checks.kernels.evidence import Evidence, all_of
from proofs_checks.kernels.joining import Join, Quote, joined
from proofs_checks.notation import conditions
from proofs_checks.proofs import chains, theory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.sums.statements import Cited as SumsCited
    from proofs_checks.notation import Notation

_PROOF: Final = re.compile(
    r"(?P<lemmas>\w+\.\w+(?:,\s+\w+\.\w+)*)"
    r"(?: without (?P<dropped>\w+)"
    r"| where (?P<step>\w+)(?: supposes (?P<given>.*?))??(?: says (?P<then>.*))?)?"
)


@cache
def proof(text: str) -> Evidence:
    """Replay lemmas of theories, which are written after `proof:`."""
    found = _PROOF.fullmatch(text)
    if not found:
        raise ValueError(f"not a proof: {text}")
    lemmas: dict[str, list[str]] = {}
    for reference in found["lemmas"].split(","):
        name, _, lemma = reference.strip().partition(".")
        lemmas.setdefault(name, []).append(lemma)
    proofs = [deduction.Proof(theory(name), tuple(listed)) for name, listed in lemmas.items()]
    if found["dropped"] or found["step"]:
        (whole,) = proofs
        proofs = [_mistaken(whole, found)]
    return all_of(*map(deduction.replay, proofs))


def _mistaken(whole: deduction.Proof, found: re.Match[str]) -> deduction.Proof:
    """Return the proof with the one change that the text names."""
    if found["dropped"]:
        return deduction.without(whole, found["dropped"])
    return deduction.restated(whole, found["step"], given=found["given"], then=found["then"])


_CHAIN: Final = re.compile(
    r"(?P<proof>\w+\.\w+(?:\([^()]*\))?)"
    r"(?: without line (?P<line>\d+)| with line (?P<nudged>\d+) nudged| without (?P<dropped>.+)"
    r"| where (?P<name>.+?) says (?P<statement>.+))?"
)


@cache
def chain(text: str) -> Evidence:
    """Replay a proof about sums, which is written after `chain:`."""
    found = _CHAIN.fullmatch(text)
    if not found:
        raise ValueError(f"not a proof about sums: {text}")
    says = ((found["name"], found["statement"]),) if found["name"] else ()
    whole = chains.proof(found["proof"], *says)
    if found["line"]:
        whole = sums.without_line(whole, int(found["line"]))
    elif found["nudged"]:
        whole = sums.nudged(whole, int(found["nudged"]))
    elif found["dropped"]:
        whole = sums.without(whole, found["dropped"])
    return sums.replay(whole)


_JOIN: Final = re.compile(
    r"(?P<theory>\w+)\.(?P<lemmas>\w+(?:, \w+)*) with (?P<sums>.+?)(?P<ties> where .+?)?"
    r"(?: quoting (?P<quotes>.+?))?"
    r"(?: but without (?P<dropped>\w+)"
    r"| but (?P<step>\w+)(?: supposes (?P<given>.*?))??(?: says (?P<then>.*))?)?"
)


def join_of(text: str, notation: Notation) -> Join:
    """Return the join that a text after `join:` describes."""
    found = _JOIN.fullmatch(text)
    if not found:
        raise ValueError(f"not a join: {text}")
    whole = deduction.Proof(theory(found["theory"]), tuple(found["lemmas"].split(", ")))
    if found["dropped"] or found["step"]:
        whole = _mistaken(whole, found)
    ties = dict[str, str]()
    for tie in conditions(f"…{found['ties'] or ''}", notation)[1]:
        given, _, rule = tie.partition(" is ")
        if not rule or given in ties:
            raise ValueError(f"not a tie, or a second one: {tie}")
        ties[given] = rule
    lemmas = dict.fromkeys((*whole.lemmas, *(name for name in ties.values())))
    shown = {step.name for step in whole.theory.steps if isinstance(step, Lemma | Apply)}
    whole = replace(whole, lemmas=tuple(name for name in lemmas if name in shown))
    about_sums = tuple(map(chains.proof, found["sums"].split(", ")))
    texts = found["quotes"].split(" and ") if found["quotes"] else ()
    known = {name: _join_quoted(*each) for name, each in notation.quoted.items()}
    quotes = dict(_quote(text, known, about_sums[0]) for text in texts)
    return Join(whole, about_sums, ties, quotes)


def _join_quoted(way: str, notation: Notation) -> tuple[Join, frozenset[str]]:
    """Return the join of another claim, and the names of its leaves."""
    text = " ".join(way.split()).removeprefix("join: ")
    return join_of(text, notation), frozenset(notation.leaves)


_QUOTE: Final = re.compile(r"(?P<claim>\w+)\.(?P<part>\w+) for (?P<name>.+?) by (?P<meaning>.+)")


def _quote(
    text: str, known: Mapping[str, tuple[Join, frozenset[str]]], where: sums.Proof
) -> tuple[str, Quote]:
    """What shows something that is given or assumed: `T1.fails for each past by Pr(o) := …`."""
    found = _QUOTE.fullmatch(text)
    if not found:
        raise ValueError(f"not a quote: {text}")
    whole, named = known[found["claim"]]
    how = _meant(whole, found["part"], found["meaning"], where)
    return found["name"], Quote(whole, named, how)


def _meant(whole: Join, part: str, meaning: str, where: sums.Proof) -> SumsCited | Apply:
    """Return the proof about sums or the lemma of a join, with its functions replaced."""
    for proof in whole.sums:
        if chains.name_of(proof).endswith(f".{part}"):
            return chains.quoted(proof, meaning, where)
    return Apply("quoted", "", "", whole.theory.theory, part, meaning, ())


def join(text: str, notation: Notation) -> Evidence:
    """Replay a join, which is written after `join:`; its leaves are those that the file names."""
    return joined(join_of(text, notation), frozenset(notation.leaves))


# --- what a way cites -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cited:
    """The lemmas and the proofs about sums that a way replays, and its join, if it is one."""

    lemmas: tuple[tuple[deduction.Theory, str], ...] = ()
    sums: tuple[sums.Proof, ...] = ()
    join: Join | None = None
    changed: deduction.Theory | None = None
    """The theory that is replayed, if the way states a lemma of it in another form"""


def cited_in(way: str, notation: Notation) -> tuple[Cited, ...]:
    """Return what a way cites; nothing if it is not a proof, a proof about sums or a join."""
    kind, _, body = " ".join(way.split()).partition(": ")
    if kind == "proof" and (found := _PROOF.fullmatch(body)):
        names = [reference.strip().split(".") for reference in found["lemmas"].split(",")]
        changed = None
        if found["step"]:
            changed = _mistaken(deduction.Proof(theory(names[0][0]), ()), found).theory
        return (Cited(tuple((theory(name), lemma) for name, lemma in names), changed=changed),)
    if kind == "chain" and (found := _CHAIN.fullmatch(body)):
        return (Cited(sums=(chains.proof(found["proof"]),)),)
    if kind == "join":
        whole = join_of(body, notation)
        lemmas = tuple((whole.theory.theory, lemma) for lemma in whole.theory.lemmas)
        return (Cited(lemmas, whole.sums, whole),)
    return ()
