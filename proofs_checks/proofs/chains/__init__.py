"""The paper's lemmas on Markov chains, for any finite number of states: the proofs in `*.proof`.

`proofs_checks/kernels/sums/reading.py` describes their syntax. Sums run through a finite set of
any size. If the set of exogenous states is infinite, the same steps hold for measures of finite
total variation, whose sums and integrals may be exchanged.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proofs_checks.kernels.sums.context import Context, Template
from proofs_checks.kernels.sums.lines import cited, instance
from proofs_checks.kernels.sums.reading import read_proofs
from proofs_checks.kernels.text import rational

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_checks.kernels.sums import Proof
    from proofs_checks.kernels.sums.context import Block
    from proofs_checks.kernels.sums.statements import Cited

FILES: Final = (
    "mixing",
    "measures",
    "lemma1",
    "matrix",
    "samples",
    "next_sample",
    "closing",
    "eigenvector",
    "closed_form",
    "pairs",
    "blocks",
    "events",
    "observations",
    "products",
    "checking",
    "bets",
    "theorem",
    "located",
    "fallback",
    "slips",
)
"""The names of the files without `.proof`, in reading order: a file may use earlier ones."""


@cache
def templates() -> Mapping[str, Template]:
    """All proofs by name, such as `lemma1.nearly_independent`; may raise `Unreadable`."""
    known: dict[str, Block] = {}
    found: dict[str, Template] = {}
    for name in FILES:
        text = (files(__name__) / f"{name}.proof").read_text(encoding="utf-8")
        after = read_proofs(f"{name}.proof", text, known)
        for key, block in after.items():
            if key not in known and isinstance(block, Template):
                found[f"{name}.{key}"] = block
        known = after
    return MappingProxyType(found)


def proof(text: str, *says: tuple[str, str]) -> Proof:
    """The proof that is called `lemma1.nearly_independent` or `eigenvector.all_pass(rate=1/2)`.

    `says` lists names and statements; each statement replaces the one of this name in the file.
    Raises `LookupError` if there is no such proof, and `ValueError` if it has no such parameter or
    no statement of such a name.
    """
    name, _, arguments = text.removesuffix(")").partition("(")
    if name not in templates():
        raise LookupError(f"no proof {name!r} about sums; there are {', '.join(templates())}")
    template = templates()[name]
    values = dict(template.parameters)
    for place, argument in enumerate(arguments.split(",") if arguments else ()):
        key, _, value = argument.rpartition("=")
        parameter = key.strip() or "".join([*values][place : place + 1])
        if parameter not in values:
            raise ValueError(f"{name} has no parameter for {argument}")
        values[parameter] = rational(value)
    return instance(template, tuple(values.values()), says)


def quoted(proof: Proof, replacing: str, where: Proof) -> Cited:
    """A proof with functions replaced, `Pr(o) := after(c, o); …`, by those of the proof `where`."""
    template = templates()[name_of(where)]
    context = Context(template.library, dict(template.names))
    parts = (name_of(proof).partition(".")[2], "", replacing)
    return replace(cited(template.node, parts, context), proof=proof)


def name_of(proof: Proof) -> str:
    """The name of a proof in its file, for any values of its parameters."""
    for name, template in templates().items():
        if template.title == proof.title:
            return name
    raise LookupError(f"no file has this proof: {proof.title}")


def goals_of(proof: Proof) -> tuple[str, ...]:
    """The goals of a proof as its file writes them; in normal form if the file only names them."""
    template = templates()[name_of(proof)]
    written = [
        node.rest.partition(": ")[2]
        for goal in template.node.below()
        if goal.keyword == "goal"
        for node in (goal, *(each for each in goal.inner if each.keyword == "and"))
    ]
    return tuple(written) if all(written) else tuple(map(str, proof.goals))


def reasons_of(proof: Proof) -> tuple[str, ...]:
    """Why each step and goal follows, as its file writes it, with instances and multipliers."""
    template = templates()[name_of(proof)]
    return tuple(
        f"{line.rest.partition(': ')[0]}: {why.keyword} {why.rest}"
        for line in template.node.below()
        if line.keyword in ("step", "claim", "goal", "cases")
        for why in line.inner
        if why.keyword not in ("and", "if")
    )
