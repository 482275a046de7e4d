"""The rules for certificates of looped runs. Each rule is a function that yields its violations.

The checker recomputes every entry of the record from the parameters and the verdicts alone, and
compares. So everything in an accepted record is a function of these, and therefore, unless a
verdict was wrong, a function of the dynamics and not of the noise.

`_run` executes Algorithms 1 and 2 and compares each entry of the record with the expected one.
Later entries depend on earlier ones, so checking ends at the first entry that breaks a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.entries import Ran
from proofs_checks.checker.findings import Finding
from proofs_checks.checker.looped import formulas
from proofs_checks.checker.looped.ending import ending
from proofs_checks.checker.looped.entries import LabelsFound, PeriodFound
from proofs_checks.checker.looped.progress import Call, Progress
from proofs_checks.checker.looped.running import check_plan, check_reading
from proofs_checks.checker.looped.separation import check_period_gaps, check_position_gaps
from proofs_checks.checker.planning import escaping_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proofs_checks.checker.looped.entries import Certificate


def check(certificate: Certificate) -> list[Finding]:
    """Return all findings against a certificate; an empty list means that it is accepted.

    Raises `Malformed` if checking takes too many steps for the size of the file.
    """
    findings = list(_header(certificate))
    if any(finding.rule == "recipe" for finding in findings):
        return findings
    for rules in _run(Progress(certificate)):
        found = list(rules)
        findings += found
        if found:
            break
    return findings


def _header(c: Certificate) -> Iterator[Finding]:
    if c.digest != c.digest_found:
        message = f"stated {c.digest[:12]!r}…, but the content has {c.digest_found[:12]!r}…"
        yield Finding("digest", "digest", message)
    if c.recipe != "paper":
        yield Finding("recipe", "recipe", f"unknown recipe {c.recipe[:40]!r}; expected 'paper'")
    if c.method != "looped":
        yield Finding(
            "recipe", "method", f"unknown method {c.method[:40]!r}; expected 'looped' or 'located'"
        )


def _run(run: Progress) -> Iterator[Iterable[Finding]]:
    """Yield the rules for each entry in the order of Algorithm 1 (l. 300–360)."""
    while not run.model.is_total:
        yield from _cycle_find(run)
    yield from ending(run)


def _cycle_find(run: Progress) -> Iterator[Iterable[Finding]]:
    """Yield the rules for one call of CycleFind, Algorithm 2 (l. 362–442)."""
    s, call = run.setting, Call(run.place)
    yield _word(run, call)
    word, initial = len(call.word), formulas.initial_steps(s, len(call.word))
    if initial:
        yield check_plan(run, call.word, 0, initial)
        first = run.datasets
        yield _period_reading(run, word)
        yield _period(run, call, first)
    call.steps = formulas.call_steps(s, word, call.period)
    if call.steps > initial:
        yield check_plan(run, call.word, initial, call.steps - initial)
    first = run.datasets
    yield _position_reading(run, word, call.period)
    yield _labels(run, call, first)
    yield _transitions(run, call)
    run.calls.append(call)


def _word(run: Progress, call: Call) -> Iterator[Finding]:
    """The first word is any single action; the model determines all others (l. 306–324)."""
    entry, place = run.peek(), f"{run.place}.word"
    if not isinstance(entry, Ran):
        yield run.expected("ran")
        return
    if run.known:
        if entry.word != escaping_word(run.model, len(entry.word), run.work):
            yield Finding(
                "words", place, "not the word that the algorithm computes from the model so far"
            )
    elif len(entry.word) != 1 or entry.word[0] >= run.model.actions:
        yield Finding("words", place, f"expected a single action, 0 to {run.model.actions - 1}")
    call.word = entry.word


def _period_reading(run: Progress, word: int) -> Iterator[Finding]:
    """D_0 and D_1 for the hypotheses N, N−1, …, 2 (l. 379–384)."""
    s, entry, place = run.setting, run.peek(), run.place
    hypotheses = range(s.p.max_states, 1, -1)
    right = (sample for h in hypotheses for sample in formulas.period_test(s, word, h))
    settled = max((s.p.max_states - 1) * word, s.p.mixing_time)
    yield from check_reading(run, 2 * (s.p.max_states - 1), right, s.period_samples, settled)
    yield from check_period_gaps(entry, place, s.p.mixing_time)


def _period(run: Progress, call: Call, first: int) -> Iterator[Finding]:
    """The largest hypothesis whose D_0 and D_1 were separated, or 1 (l. 377–392)."""
    entry, place, s = run.peek(), run.place, run.setting
    if not isinstance(entry, PeriodFound):
        yield run.expected("period")
        return
    run.entries += 1
    for i, (hypothesis, zeros, ones, separated) in enumerate(entry.tests):
        at = f"{place}.tests[{i}]"
        if hypothesis != s.p.max_states - i or hypothesis < 2:
            yield Finding("period", at, f"hypothesis {hypothesis}, expected {s.p.max_states - i}")
        if (zeros, ones) != (first + 2 * i, first + 2 * i + 1):
            message = f"datasets {zeros} and {ones} are not D_0 and D_1 of this hypothesis"
            yield Finding("comparisons", at, message)
        if separated and i + 1 < len(entry.tests):
            yield Finding("period", at, "separated, but more hypotheses were tested afterwards")
    separated = bool(entry.tests and entry.tests[-1][3])
    if not separated and len(entry.tests) != s.p.max_states - 1:
        message = f"{len(entry.tests)} tests, none separated; expected {s.p.max_states - 1}"
        yield Finding("period", f"{place}.tests", message)
    call.period = entry.tests[-1][0] if separated else 1
    if entry.period != call.period:
        message = f"{entry.period}, but the tests say {call.period}"
        yield Finding("period", f"{place}.period", message)
    charge = formulas.separation_charge(s.p, len(entry.tests), s.period_samples)
    yield from run.paid(entry, place, charge)


def _position_reading(run: Progress, word: int, period: int) -> Iterator[Finding]:
    """D'_i for each position i of the cycle (l. 401–409)."""
    s, entry, place = run.setting, run.peek(), run.place
    length = period * word
    right = (formulas.position_sample(s, word, period, i) for i in range(length))
    settled = formulas.first_sample(s.p, word, period)
    yield from check_reading(run, length, right, 2 * s.position_samples, settled)
    yield from check_position_gaps(entry, place, s.p.mixing_time, run.kept_until)


def _labels(run: Progress, call: Call, first: int) -> Iterator[Finding]:
    """Each position is compared with the states in order, up to the first match (l. 411–435)."""
    entry, place, s = run.peek(), run.place, run.setting
    if not isinstance(entry, LabelsFound):
        yield run.expected("labels")
        return
    run.entries += 1
    if entry.known != tuple(run.known):
        message = "not the first dataset of each known state, in the order of their labels"
        yield Finding("comparisons", f"{place}.known", message)
    length, tests = call.period * len(call.word), 0
    if len(entry.positions) != length:
        message = f"{len(entry.positions)} positions, but the cycle has {length}"
        yield Finding("labels", f"{place}.positions", message)
        return
    for i, (number, verdicts, stated) in enumerate(entry.positions):
        at = f"{place}.positions[{i}]"
        if number != first + i:
            message = f"dataset {number}, but position {i} has dataset {first + i}"
            yield Finding("comparisons", at, message)
        known, ones = len(run.known), verdicts.count("1")
        matched = verdicts.endswith("0") and ones == len(verdicts) - 1 < known
        if not matched and not ones == len(verdicts) == known:
            message = f"{verdicts[:40]!r} is not a valid sequence of verdicts for {known} states"
            yield Finding("labels", at, message)
            return
        if stated != ones:
            yield Finding("labels", at, f"label {stated}, but the verdicts say {ones}")
        if not matched:
            if known == s.p.max_states:
                yield Finding(
                    "bounds", at, f"a new state, but there are max_states = {known} already"
                )
                return
            run.known.append(number)
            run.model.add_state()
            late = formulas.position_sample(s, len(call.word), call.period, i)[1][1]
            run.kept_until = max(run.kept_until or 0, run.loop + formulas.last(late))
        call.labels.append(ones)
        tests += len(verdicts)
    charge = formulas.separation_charge(s.p, tests, s.position_samples)
    yield from run.paid(entry, place, charge)


def _transitions(run: Progress, call: Call) -> Iterator[Finding]:
    """The transitions of the cycle are added to the model (l. 437).

    At least one is new: the word takes an unknown transition from every known state.
    """
    for i, state in enumerate(call.labels):
        action, to = call.word[i % len(call.word)], call.labels[(i + 1) % len(call.labels)]
        known = run.model.rows[state].get(action)
        if known is None:
            run.model.add(state, action, to)
        elif known != to:
            message = f"position {i} says T({state}, {action}) = {to}, but it is {known}"
            yield Finding("transitions", call.place, message)
            return
