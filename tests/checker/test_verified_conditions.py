"""Each condition of the Coq checker's acceptance is needed: a record is rejected for it alone.

`RECORDS` has a record for each condition, as the extracted program reads it, and the mistake in the
Coq source by which this record would be accepted. In the tests that need Coq, every mistake is
planted, the checker is extracted again, and the record must be accepted.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from shutil import copy

import pytest

from proofs_checks.checker.verified import ACCEPTED, COQ, PROGRAM, REJECTED
from proofs_checks.recheck import compiled

SOURCES = (
    "located/Periods.v",
    "located/Checker.v",
    "located/Classes.v",
    "extraction/ExtractLocated.v",
)
MAIN = "extraction/located_main.ml"


@dataclass(frozen=True)
class Condition:
    """A record that breaks one condition, and a text of the Coq source with a mistake."""

    record: str
    right: str
    wrong: str
    file: str = "located/Checker.v"


# One action leads from each of two states to the other; they show the rows 1 and 2. A round has a
# walk of two steps and one pass, which any δ ≥ 9/4 pays for.
P = "P 1 2 1 1/4 5/1; C finite 2"
SEEN = "D 0 1; D 0 2; D 0 1"
PASS = "D 0 -; D 0 -; D 0 2; D 0 1"
GOOD = f"{P}; {SEEN}; V 1 0 0; {PASS}"
TEN_PASSES = "; ".join(["D 0 -; D 0 -", *["D 0 2; D 0 1"] * 10])
# The third of three states shows 4; action 1 leads there, or to the first state.
THREE = "P 2 3 1 1/4 5/1; C finite 3; D 0 1; D 0 2; D 0 1; D 1 4; D 0 1; D 0 2; D 1 1"
# Half-spaces tell each of these rows from the others; two of them add up to 0.
HALF_SPACES = "C half-spaces 1"
ROUND_ZERO = "D 0 1 0; D 0 -1 0; D 0 0 1"
ONE_STATE = "V 1 0; F 0 1; D 0 -; D 0 0 1"

RECORDS = {
    # The round of validation.
    "the walk returns": Condition(
        f"{P}; {SEEN}; V 1 0 0 0; D 0 -; D 0 -; D 0 -; D 0 2; D 0 1; D 0 -",
        "last l0 ls == l0, l0 \\in kept",
        "l0 \\in kept",
    ),
    "every action was tried": Condition(
        GOOD.replace("P 1 ", "P 2 "),
        "is Some l' then l' \\in kept else false",
        "is Some l' then l' \\in kept else true",
    ),
    "no action leads out of the walk": Condition(
        f"{THREE}; V 1 0 0; {PASS}",
        "is Some l' then l' \\in kept else false",
        "is Some l' then true else false",
    ),
    "the table is closed": Condition(
        GOOD.replace("P 1 ", "P 2 "), "closed st kept, size", "true, size"
    ),
    "there are at most N states": Condition(
        "P 1 2 1 1/4 5/1; C finite 3; D 0 1; D 0 2; D 0 4; D 0 1; V 1 0 0 0; "
        "D 0 -; D 0 -; D 0 -; D 0 2; D 0 4; D 0 1",
        "size kept <= N",
        "size kept <= N.+1",
    ),
    "the encoder names the states": Condition(
        f"{P}; {SEEN}; V 1 0 0; D 0 -; D 0 -; D 0 1; D 0 1",
        "& all (checked enc (planned kept ls)) seen",
        "& true",
    ),
    "a row was read at each check": Condition(
        f"{P}; {SEEN}; V 1 0 0; D 0 -; D 0 -; D 0 -; D 0 1",
        "  | _, _ => false\n",
        "  | Some _ :: plan', None :: pass' => checked enc plan' pass'\n  | _, _ => false\n",
    ),
    "the walk follows known transitions": Condition(
        f"{P}; {SEEN}; V 1 0 0 5; D 0 -; D 0 -; D 5 -; D 0 2; D 0 1; D 5 -",
        "then omap (cons l') (follow st l' w') else None",
        "then omap (cons l') (follow st l' w') else omap (cons l) (follow st l w')",
    ),
    "each state has a classifier against all others": Condition(
        # Each two states can be told apart, but not the first from both others.
        "P 1 3 1 1/4 5/1; C finite 4; D 0 3; D 0 6; D 0 9; D 0 3; V 1 0 0 0; "
        "D 0 -; D 0 -; D 0 -; D 0 6; D 0 9; D 0 3",
        "is Npos p then Some (lowest p) else None",
        "is Npos p then Some (lowest p) else Some width",
        "located/Classes.v",
    ),
    "the actions are those of the walk": Condition(
        f"{P}; {SEEN}; V 1 0 0; D 0 -; D 0 -; D 7 2; D 0 1",
        "if unzip1 now == flatten (nseq (passes rd).+1 (walk rd)) then",
        "if true then",
    ),
    # What a round costs.
    "the walk has a mixing time": Condition(GOOD.replace("P 1 2 1", "P 1 2 3"), "0 < j, ", ""),
    "there is a pass": Condition(
        f"{P}; {SEEN}; V 0 0 0; D 0 -; D 0 -", "0 < passes rd, N.ltb", "N.ltb"
    ),
    "epsilon is a fraction": Condition(GOOD.replace("1/4", "1/0"), "N.ltb 0 (epsilon p).2, ", ""),
    "delta is a fraction": Condition(
        GOOD.replace("5/1", "5/0"), "N.ltb 0 (delta p).2\n    & affordable", "true & affordable"
    ),
    "there are enough passes": Condition(
        GOOD.replace("5/1", "1/10"), "& affordable e e'", "& true || affordable e e'"
    ),
    "epsilon counts as 1/2 at most": Condition(
        GOOD.replace("1/4 5/1", "1/1 13/10"),
        "if e.2 <=? 2 * e.1 then (1, 2) else e",
        "e",
    ),
    "a later round costs more": Condition(
        f"P 1 2 1 1/4 1/2; C finite 2; {SEEN}; V 1 0 0; {PASS}; V 10 0 0; {TEN_PASSES}",
        "else scan (Config st None) k.+1 t es'",
        "else scan (Config st None) k t es'",
    ),
    # Following the record.
    "an action that is tried exists": Condition(
        f"{P}; D 3 1; D 0 2; D 0 1; V 1 0 0; {PASS}",
        "    if a < nA then Some (set_node",
        "    if true then Some (set_node",
    ),
    "a new label has a row": Condition(
        f"{P}; D 0 -; {SEEN}; V 1 0 0; {PASS}",
        "    else None\n  else None.\n\n(** Rule 4",
        "    else None\n  else Some st.\n\n(** Rule 4",
    ),
    "the action of a loop exists": Condition(
        f"{P}; L; D 3 1; D 3 2; D 3 1; E; D 0 2; D 0 1; V 1 0 0; {PASS}",
        "[&& a < nA, 0 < M &",
        "[&& 0 < M &",
    ),
    "the periods of a loop have a small multiple": Condition(
        f"P 1 3 1 1/4 5/1; C finite 2; L; D 0 1; E; {SEEN}; V 1 0 0; {PASS}",
        "[&& a < nA, 0 < M &",
        "[&& a < nA &",
    ),
    "a loop is long enough": Condition(
        f"{P}; L; D 0 1; V 1 0 0; {PASS}", "0 < M & settled + M <= size xs]", "true & 0 < M]"
    ),
    "a loop repeats one action": Condition(
        f"{P}; L; D 0 1; D 1 2; D 0 1; V 1 0 0; {PASS}",
        "if all (fun ax => ax.1 == a) xs' then",
        "if true then",
    ),
    "every row of a loop is read": Condition(
        f"{P}; L; D 0 1; D 0 -; D 0 2; D 0 1; V 1 0 0; {PASS}",
        "(Some ((a, x) :: xs))) else None",
        "(Some ((a, x) :: xs))) else Some c",
    ),
    # Half-spaces: with either mistake, several states are taken for one.
    "the hulls of inseparable rows meet": Condition(
        f"P 1 2 1 1/4 5/1; {HALF_SPACES}; D 0 0 1; D 0 1 1; D 0 0 1; {ONE_STATE}",
        "& all (Z.eqb 0) (foldr (fun c => plus",
        "& true || all (Z.eqb 0) (foldr (fun c => plus",
        "located/Classes.v",
    ),
    "ones take part where hulls meet": Condition(
        f"P 1 3 1 1/4 5/1; {HALF_SPACES}; L; {ROUND_ZERO}; {ROUND_ZERO}; {ONE_STATE}",
        "(0 <? c.1) && (zeros <= c.2 < size vs)%N",
        "(0 <? c.1) && (c.2 < size vs)%N",
        "located/Classes.v",
    ),
}

NEVER_ALONE = {
    "l0 \\in kept": "a walk that returns, and is not empty, has its start among its labels",
    "[&& l1 < n, l2 < n & ~~ apart": "labels are merged only after `twin` has found as much",
    "all (fun c => 0 <=? c.1) weights": "the search finds no other weights",
}
"""Conditions that are there for the proof: what they say follows from others."""


def verdict(program: Path, record: str) -> int:
    text = record.replace("; ", "\n")
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert done.returncode in (ACCEPTED, REJECTED), done.stderr
    return done.returncode


def planted(condition: Condition, folder: Path) -> Path:
    """The program that is extracted from the Coq source with this mistake."""
    whole = ""  # in one file, which is compiled sooner than four, with all imports first
    for name in SOURCES:
        text = (COQ / name).read_text(encoding="utf-8")
        if name == condition.file:
            assert text.count(condition.right) == 1, f"{condition.right!r} is not once in {name}"
            text = text.replace(condition.right, condition.wrong)
        whole += text
    imports = [
        line for line in re.findall(r"^From .*$", whole, re.MULTILINE) if "Steel" not in line
    ]
    body = re.sub(r"^From .*$", "", whole, flags=re.MULTILINE)
    (folder / "Mistaken.v").write_text("\n".join([*sorted(imports), body]), encoding="utf-8")
    compiled(folder / "Mistaken.v", folder)
    copy(COQ / MAIN, folder)
    command = ["ocamlfind", "ocamlc", "-w", "-a", "-package", "zarith", "-linkpkg"]
    files = ["located.mli", "located.ml", Path(MAIN).name]
    subprocess.run([*command, *files, "-o", "mistaken"], cwd=folder, check=True)
    return folder / "mistaken"


def test_every_condition_of_acceptance_has_a_record() -> None:
    """No conjunct of `accept` and `paid` is missing here."""
    text = (COQ / "located/Checker.v").read_text(encoding="utf-8")
    found = "".join(
        text.partition(start)[2].partition("]")[0] for start in ("      if [&& last", "  [&& 0 < j")
    )
    assert found.count(",") + found.count("&") == 8
    classes = (COQ / "located/Classes.v").read_text(encoding="utf-8")
    assert all((text + classes).count(each) == 1 for each in NEVER_ALONE if each[-1] != "t")


if PROGRAM.is_file():

    def test_the_record_without_a_fault_is_accepted() -> None:
        assert verdict(PROGRAM, GOOD) == ACCEPTED

    @pytest.mark.parametrize("name", RECORDS)
    def test_a_record_that_breaks_one_condition_is_rejected(name: str) -> None:
        assert verdict(PROGRAM, RECORDS[name].record) == REJECTED


@pytest.mark.coq
@pytest.mark.parametrize("name", RECORDS)
def test_with_a_planted_mistake_it_would_be_accepted(name: str, tmp_path: Path) -> None:
    assert verdict(planted(RECORDS[name], tmp_path), RECORDS[name].record) == ACCEPTED
