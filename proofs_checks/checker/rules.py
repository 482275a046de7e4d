"""The rules that a certificate must keep, each a function that yields what breaks it.

Everything is recomputed from the parameters and the stated verdicts alone. So whatever is accepted
is a function of them, and therefore, unless a verdict was wrong, of the dynamics: not of the noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker import formulas
from proofs_checks.checker.ending import check_ending
from proofs_checks.checker.findings import Finding, Progress, paid
from proofs_checks.checker.planning import escaping_word, walk
from proofs_checks.checker.reading import Times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.reading import Call, Certificate


def check(certificate: Certificate) -> list[Finding]:
    """Everything that is wrong with a certificate. An empty list accepts it."""
    return list(_check(certificate))


def _check(c: Certificate) -> Iterator[Finding]:
    if c.digest != c.digest_found:
        yield Finding("digest", "digest", f"stated {c.digest[:12]}…, found {c.digest_found[:12]}…")
    if c.recipe != "paper":
        yield Finding("recipe", "recipe", f"{c.recipe!r} is not known; only 'paper' is")
        return
    progress = Progress()
    for number, call in enumerate(c.calls):
        place = f"calls[{number}]"
        yield from _word(c, call, place, progress)
        if not call.word or max(call.word) >= c.parameters.actions or not call.positions:
            yield Finding("words", place, "a call needs a word of actions, and positions")
            return
        found = list(_call(c, call, place, progress))
        yield from found
        if any(finding.rule in ("labels", "period", "transitions") for finding in found):
            return  # what follows would only repeat it
    yield from check_ending(c, progress)
    if c.spent != progress.spent:
        yield Finding("budget", "spent", f"{c.spent} is not the sum of the charges")
    if progress.spent > c.parameters.delta:
        yield Finding("budget", "spent", f"{progress.spent} is more than δ = {c.parameters.delta}")
    if c.steps != progress.now:
        yield Finding("steps", "steps", f"{c.steps} stated, {progress.now} taken")
    if c.current != progress.current:
        yield Finding("current", "current", f"{c.current} stated, {progress.current} follows")


def _word(c: Certificate, call: Call, place: str, progress: Progress) -> Iterator[Finding]:
    """The first word is any one action; every other follows from the model (l. 306–324)."""
    if not progress.table:
        if len(call.word) != 1:
            yield Finding("words", f"{place}.word", "the first word is a single action")
        return
    expected = escaping_word(progress.table, len(call.word), progress.work)
    if expected != call.word:
        yield Finding("words", f"{place}.word", "not the word that follows from the model so far")
    inside = [
        state
        for state in range(len(progress.table))
        if max(call.word, default=0) < c.parameters.actions
        and walk(progress.table, state, call.word) is not None
    ]
    if inside:
        yield Finding("words", f"{place}.word", f"does not leave the known graph from {inside[0]}")


def _call(c: Certificate, call: Call, place: str, progress: Progress) -> Iterator[Finding]:
    p, word = c.parameters, len(call.word)
    period = _period_of(call.period_verdicts, p.max_states)
    if period is None or call.period != period:
        message = f"{call.period} does not follow from the verdicts {call.period_verdicts[:40]!r}"
        yield Finding("period", f"{place}.period", message)
        return
    if len(call.positions) != period * word:
        message = f"{len(call.positions)} positions, but the loop has {period * word}"
        yield Finding("positions", f"{place}.positions", message)
        return
    yield from _rollout(c, call, place, progress)
    yield from _period_tests(c, call, place, progress)
    yield from _positions(c, call, place)
    yield from _separation(c, call, place, progress)
    yield from _labels(c, call, place, progress)


def _period_of(verdicts: str, max_states: int) -> int | None:
    """Tests for N, N−1, … stop at the first that separates; if none does, the period is 1."""
    if len(verdicts) == max_states - 1 and "1" not in verdicts:
        return 1
    if verdicts.endswith("1") and verdicts.count("1") == 1 and len(verdicts) < max_states:
        return max_states - len(verdicts) + 1
    return None


def _rollout(c: Certificate, call: Call, place: str, progress: Progress) -> Iterator[Finding]:
    p, word = c.parameters, len(call.word)
    if call.start != progress.now:
        message = f"{call.start}, but the call before ended at {progress.now}"
        yield Finding("rollouts", f"{place}.start", message)
    initial = formulas.initial_steps(p, word)
    if call.initial_steps != initial:
        message = f"{call.initial_steps} steps, c_init is {initial}"
        yield Finding("rollouts", f"{place}.initial_steps", message)
    steps = formulas.call_steps(p, word, call.period)
    if call.steps != steps:
        yield Finding("rollouts", f"{place}.steps", f"{call.steps} steps, but needs {steps}")
    progress.now += call.steps


def _period_tests(c: Certificate, call: Call, place: str, progress: Progress) -> Iterator[Finding]:
    p, word, tests = c.parameters, len(call.word), call.period_tests
    if (tests is None) != (p.max_states == 1):
        yield Finding("period tests", f"{place}.period_tests", "needed unless max_states is 1")
    if tests is None:
        return
    needed = formulas.period_samples(p)
    progress.work.add(20 * len(call.period_verdicts))
    for hypothesis in range(p.max_states, p.max_states - len(call.period_verdicts), -1):
        repetitions, gap, last = formulas.period_test(p, word, hypothesis)
        at = f"{place}.period_verdicts[{p.max_states - hypothesis}]"
        if repetitions < needed:
            yield Finding("period tests", at, f"{repetitions} repetitions < {needed}")
        if gap < p.mixing_time:
            yield Finding("period tests", at, f"gap {gap} < {p.mixing_time}")
        if last > call.initial_steps:
            yield Finding("period tests", at, f"time {last} is after {call.initial_steps}")
    charge = formulas.separation_charge(p, len(call.period_verdicts), needed)
    yield from paid(tests, f"{place}.period_tests", needed, charge, progress)


def _positions(c: Certificate, call: Call, place: str) -> Iterator[Finding]:
    p, word = c.parameters, len(call.word)
    settled = formulas.first_sample(p, word, call.period)
    needed = formulas.position_samples(p)
    for i, position in enumerate(call.positions):
        expected = formulas.position_times(p, word, call.period, i)
        for name, times, right in zip("AB", (position.early, position.late), expected, strict=True):
            at = f"{place}.positions[{i}].{name}"
            if times.count < needed:
                yield Finding("positions", at, f"{times.count} samples < {needed}")
            if times.first < settled:
                yield Finding("positions", at, f"time {times.first} is before {settled}")
            if times.last > call.steps:
                yield Finding("positions", at, f"time {times.last} is after {call.steps}")
            length = len(call.positions)
            if times.first % length != i or times.stride % length:
                yield Finding("positions", at, f"not always at position {i} of {length}")
            if times != right:
                yield Finding("positions", at, "not the times that the schedule prescribes")


def _separation(c: Certificate, call: Call, place: str, progress: Progress) -> Iterator[Finding]:
    """Within A and B, between them, between any A and any B, and from all that is kept already."""
    apart = c.parameters.mixing_time
    for i, position in enumerate(call.positions):
        for name, times in (("A", position.early), ("B", position.late)):
            if times.count > 1 and times.stride < apart:
                at = f"{place}.positions[{i}].{name}"
                yield Finding("separation", at, f"gap {times.stride} < {apart}")
    last_early = max(range(len(call.positions)), key=lambda i: call.positions[i].early.last)
    first_late = min(range(len(call.positions)), key=lambda i: call.positions[i].late.first)
    gap = call.positions[first_late].late.first - call.positions[last_early].early.last
    if gap < apart:
        at = f"{place}.positions[{first_late}].B"
        message = f"gap {gap} < {apart} from positions[{last_early}].A"
        yield Finding("separation", at, message)
    kept = [times.last for dataset in progress.kept for times in dataset]
    first = min(position.early.first for position in call.positions)
    if kept and call.start + first - max(kept) < apart:
        message = f"gap {call.start + first - max(kept)} < {apart} from an earlier call"
        yield Finding("separation", f"{place}.positions", message)


def _labels(c: Certificate, call: Call, place: str, progress: Progress) -> Iterator[Finding]:
    """Read labels off the verdicts, then add the cycle to the model (l. 411–440)."""
    p, table, tests = c.parameters, progress.table, 0
    for i, position in enumerate(call.positions):
        verdicts, known = position.verdicts, len(table)
        tests += len(verdicts)
        ones = verdicts.count("1")
        matched = verdicts.endswith("0") and ones == len(verdicts) - 1 < known
        if not matched and not ones == len(verdicts) == known:
            at = f"{place}.positions[{i}].verdicts"
            message = f"{verdicts[:40]!r} is no sequence of tests against {known} states"
            yield Finding("labels", at, message)
            return
        label = len(verdicts) - 1 if matched else known
        if position.label != label:
            at = f"{place}.positions[{i}].label"
            yield Finding("labels", at, f"{position.label}, but the verdicts say {label}")
            return
        if label == known:
            progress.work.add(p.actions)
            table.append([None] * p.actions)
            pieces = (position.early, position.late)
            progress.kept.append(
                [Times(call.start + times.first, times.count, times.stride) for times in pieces]
            )
    needed = formulas.position_samples(p)
    charge = formulas.separation_charge(p, tests, needed)
    yield from paid(call.position_tests, f"{place}.position_tests", needed, charge, progress)
    yield from _transitions(call, place, progress)
    progress.current = call.positions[call.steps % len(call.positions)].label
    if call.current != progress.current:
        message = f"{call.current}, but the loop ends in {progress.current}"
        yield Finding("current", f"{place}.current", message)


def _transitions(call: Call, place: str, progress: Progress) -> Iterator[Finding]:
    labels, added = [position.label for position in call.positions], set()
    for i, label in enumerate(labels):
        action, to = call.word[i % len(call.word)], labels[(i + 1) % len(labels)]
        known = progress.table[label][action]
        if known is None:
            progress.table[label][action] = to
            added.add((label, action, to))
        elif known != to:
            message = f"T({label}, {action}) = {to} contradicts {known}"
            yield Finding("transitions", f"{place}.positions[{i}]", message)
            return
    if not added:
        yield Finding("transitions", place, "adds no transition")
    if call.added != tuple(sorted(added)):
        message = "not the transitions of the cycle that were unknown, in order"
        yield Finding("transitions", f"{place}.added", message)
