"""Mistakes in what the claims say and how they are checked: each must be refused.

A mistake in a function is made in the function itself, and every claim whose check comes by it is
checked again. A mistake at the level of the module is made by running the module again: if it lies
in the entry of one claim, that claim is checked, else all claims of the module.
"""

from __future__ import annotations

import ast
import gc
import pickle
from collections import Counter
from dataclasses import dataclass
from functools import partial
from time import process_time
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Final, Literal

from proofs_checks.claim import evidence_for
from proofs_checks.kernels.evidence import NotEarned, Strength
from proofs_checks.registry import all_claims
from tests.benchmarks.mutants.coverage import digest_of_code, noting
from tests.benchmarks.mutants.forks import Died, Ended, allow, bound_memory, forked
from tests.benchmarks.mutants.sessions import ROOT, module_name, put_in
from tests.benchmarks.mutants.trials import make_the_mistake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from proofs_checks.claim import Claim
    from tests.benchmarks.mutants.coverage import Place
    from tests.benchmarks.mutants.places import Mutant

_SAFE_SIDE: Final = "a number moved to the safe side: moved the other way, it is refused"
_WEAK_SIGN: Final = "a strict sign made weak"
_PROVED: Final = "what it says now is proved or enclosed as well, so it is true, too"
_CASES: Final = "other cases are tried, and it holds in them, too"

Outcome = Literal["refused", "stopped", "endless", "earned", "unused"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of a mutant of a claim: `refused` as not earned, `stopped` by another error."""

    mutant: tuple[str, str, str]
    outcome: Outcome
    claim: str = ""
    for_all: bool = False
    """Whether it is still earned, and every claim it could change is shown for all values."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim's check: the seconds it takes on a processor, and the places it comes by."""

    seconds: float
    places: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Statements:
    """What came of the mutants of all claims."""

    made: int
    left_out: Mapping[str, int]
    explicit: int
    judgements: Sequence[Judgement]
    harmless: Mapping[tuple[str, str, str], str]
    """The mutants that are earned and say nothing wrong, with the rule that tells so."""
    entries: Mapping[tuple[str, str, str], str]
    """The claim in whose entry a mistake was made."""


def of_statements(mutants: Iterable[Mutant]) -> list[Mutant]:
    """The mutants in which a number, a sign or a comparison is another."""
    kinds = ("Constant", "Compare", "BinOp", "UnaryOp")
    return [m for m in mutants if m.kind in kinds and not m.mistake.endswith(("True`", "False`"))]


def judged_statements(
    made: Sequence[Mutant], chosen: Sequence[Mutant], folder: Path, tell: Callable[[str], None]
) -> Statements:
    """Judge the chosen mutants, and explain those that are earned where a rule can."""
    checked = _kept(sorted({ROOT / mutant.path for mutant in made}), folder, tell)

    def told(judgement: Judgement) -> None:
        if judgement.outcome == "earned":
            tell(f"still earned: {', '.join(judgement.mutant)}")

    judgements = judged_claims(chosen, checked, told)
    earned = {judgement.mutant for judgement in judgements if judgement.outcome == "earned"}
    others = {
        mutant.name: other
        for mutant in chosen
        if mutant.name in earned and (other := opposite(mutant, made)) is not None
    }
    refused = {
        judgement.mutant
        for judgement in judged_claims([*others.values()], checked, lambda _: None)
        if judgement.outcome == "refused"
    }
    for_all = {judgement.mutant for judgement in judgements if judgement.for_all}
    harmless: dict[tuple[str, str, str], str] = {}
    for mutant in chosen:
        if mutant.name in earned:
            if mutant.name in others and others[mutant.name].name in refused:
                harmless[mutant.name] = _SAFE_SIDE
            elif loosened(mutant):
                harmless[mutant.name] = _WEAK_SIGN
            elif mutant.name in for_all:
                harmless[mutant.name] = _PROVED
            elif "`range(" in mutant.mistake or "`repeat=" in mutant.mistake:
                harmless[mutant.name] = _CASES
    entries = {m.name: _entries(m.path).get(m.row, "") for m in chosen if m.name in earned}
    left_out = Counter(mutant.left_out for mutant in made)
    explicit = forked(lambda _: sum(len(claim.mistakes) for claim in all_claims()))
    count = explicit.value if isinstance(explicit, Ended) else 0
    return Statements(left_out.pop("", 0), left_out, count, judgements, harmless, entries)


def opposite(mutant: Mutant, made: Sequence[Mutant]) -> Mutant | None:
    """The mutant in which the same number is moved the other way."""
    if mutant.kind != "Constant":
        return None
    before = mutant.mistake.split(" → ")[0]
    here = next(i for i, other in enumerate(made) if other is mutant)
    for other in made[max(here - 1, 0) : here + 2]:
        same = (other.path, other.row, other.kind) == (mutant.path, mutant.row, mutant.kind)
        if other is not mutant and same and other.mistake.startswith(f"{before} → "):
            return other
    return None


def loosened(mutant: Mutant) -> bool:
    """Whether a < or > has become ≤ or ≥."""
    before, after = mutant.mistake.split(" → ")[:2]
    return mutant.kind == "Compare" and after.count("=") == before.count("=") + 1


def _kept(files: list[Path], folder: Path, tell: Callable[[str], None]) -> dict[str, Checked]:
    """How each claim is checked; from the last time, where no code has changed."""
    store, digest = folder / "claims.pickle", digest_of_code()
    if store.exists():
        before, checked = pickle.loads(store.read_bytes())
        if before == digest:
            return dict(checked)
    checked = checked_claims(files, tell)
    folder.mkdir(parents=True, exist_ok=True)
    store.write_bytes(pickle.dumps((digest, checked)))
    return checked


def checked_claims(files: Iterable[Path], tell: Callable[[str], None]) -> dict[str, Checked]:
    """Check every claim once, on code that notes where it has been."""

    def work(_: Callable[[str], object]) -> dict[str, Checked]:
        places: set[Place] = set()
        put_in([noting(file, places) for file in files])
        found: dict[str, Checked] = {}
        for claim in all_claims():
            places.clear()
            outcome = forked(partial(_once, claim, places))
            if isinstance(outcome, Ended):
                found[claim.id] = outcome.value
        return found

    outcome = forked(work)
    if isinstance(outcome, Died):
        raise SystemExit("the claims cannot be imported")
    tell(f"checked {len(outcome.value)} claims")
    return outcome.value


def _once(claim: Claim, places: set[Place], _: Callable[[str], object]) -> Checked:
    allow(120)
    before = process_time()
    evidence_for(claim)
    return Checked(process_time() - before, frozenset(places))


def judged_claims(
    mutants: Sequence[Mutant], checked: Mapping[str, Checked], tell: Callable[[Judgement], None]
) -> list[Judgement]:
    """The judgement on each mutant."""

    def work(_: Callable[[str], object]) -> list[Judgement]:
        claims = {claim.id: claim for claim in all_claims()}
        functions = [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]
        found: list[Judgement] = []
        for mutant in mutants:
            outcome = forked(partial(_judge, mutant, claims, checked, functions))
            if isinstance(outcome, Ended):
                found.append(outcome.value)
            else:
                how: Outcome = "endless" if outcome.out_of_time else "stopped"
                found.append(Judgement(mutant.name, how, outcome.last_words))
            tell(found[-1])
        return found

    outcome = forked(work)
    if isinstance(outcome, Died):
        raise SystemExit("the claims cannot be imported")
    return outcome.value


def _judge(
    mutant: Mutant,
    claims: Mapping[str, Claim],
    checked: Mapping[str, Checked],
    functions: Iterable[FunctionType],
    say: Callable[[str], object],
) -> Judgement:
    bound_memory()
    try:
        met = _met(mutant, claims, checked, functions)
    except Exception:
        return Judgement(mutant.name, "stopped", "at import")
    for claim in sorted(met, key=lambda claim: checked[claim.id].seconds):
        say(claim.id)
        allow(5 * checked[claim.id].seconds + 3)
        try:
            evidence_for(claim)
        except NotEarned:
            return Judgement(mutant.name, "refused", claim.id)
        except Exception:
            return Judgement(mutant.name, "stopped", claim.id)
    for_all = all(claim.strength <= Strength.ENCLOSED for claim in met)
    return Judgement(mutant.name, "earned" if met else "unused", for_all=bool(met) and for_all)


def _met(
    mutant: Mutant,
    claims: Mapping[str, Claim],
    checked: Mapping[str, Checked],
    functions: Iterable[FunctionType],
) -> list[Claim]:
    """The claims that the mistake could change, with the mistake made."""
    if mutant.function:
        make_the_mistake(mutant, functions)
        place = (mutant.path, mutant.line)
        return [claims[name] for name, check in checked.items() if place in check.places]
    module = ModuleType(module_name(mutant.path))
    exec(mutant.compiled(), module.__dict__)
    of_module: Sequence[Claim] = module.__dict__.get("CLAIMS", ())
    entry = _entries(mutant.path).get(mutant.row)
    return [claim for claim in of_module if entry in (None, claim.id) and claim.id in checked]


def _entries(path: str) -> dict[int, str]:
    """For each line inside an entry of `CLAIMS`, the claim that it is about."""
    found: dict[int, str] = {}
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        match node:
            case ast.Call(args=[ast.Constant(value=str(name)), *_], lineno=first, end_lineno=last):
                known = _declares(node)
            case ast.Call(keywords=[ast.keyword("id", ast.Constant(value=str(name))), *_]):
                known, first, last = True, node.lineno, node.end_lineno
            case _:
                continue
        if known:
            found |= dict.fromkeys(range(first, (last or first) + 1), name)
    return found


def _declares(call: ast.Call) -> bool:
    """Whether a call is `SECTION.strength("id", "lines", "statement", …)`."""
    texts = [a for a in call.args[:3] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return isinstance(call.func, ast.Attribute) and len(texts) == 3
