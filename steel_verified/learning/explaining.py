"""Explains the rows of a located run in several ways, in each of which one condition is broken.

An explanation gives the state of each different row. The better it is, the shorter is the code that
it allows for the run: from each state and action the next state, and in each state the row. Lengths
are in nats, so a difference of 1 is a likelihood ratio of e. A run that fails is often shorter than
fifty rows, so a simple count would not tell causes apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise
from math import inf, lgamma, log
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.theory.conditions import Condition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from steel_verified.evidence.kept_rows import OpenedRun

MOST_KINDS: Final = 48
"""If more different rows were seen, they hardly ever repeat, and nothing is explained."""
_MOST_ROWS: Final = 400
"""So many of the last rows are explained."""
_MOST_COVERS: Final = 300
_NOT_TOLD: Final = -1
_CLASH: Final = 15.0
"""What a transition costs that leads elsewhere than before, where dynamics are deterministic."""
_MORE_STATES: Final = 2.0
_MISSING: Final = 6.0
_ALIKE: Final = 2.0
_UNSURE: Final = 8.0
"""What these explanations cost beside their code, since there are more of them to choose from than
of random transitions. Tuned on the worlds of `worlds/violated` with seeds below 60."""
_NOISE: Final = 12.0
"""Noise is blamed only if it shortens the code by so much."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One way to explain a run; `condition` is None if all conditions hold in it."""

    condition: Condition | None
    nats: float
    told: str


@dataclass(frozen=True, slots=True)
class _Run:
    masks: tuple[int, ...]
    """For each probe, the kinds of rows on which it is 1, as bits."""
    sizes: tuple[int, ...]
    """How often each kind was seen."""
    pieces: tuple[tuple[tuple[int, int], ...], ...]
    """Rows one after the other: the action before each, and its kind."""

    @property
    def whole(self) -> int:
        return (1 << len(self.sizes)) - 1


@dataclass(frozen=True, slots=True)
class _Labelled:
    """The kinds of rows as states, and where each state and action led, in order."""

    states: int
    labels: tuple[int, ...]
    moves: dict[tuple[int, ...], list[int]]
    rows: float
    """The nats of the rows, once their states are known."""

    @property
    def clashes(self) -> int:
        """After how many moves another state came than usual."""
        return sum(len(to) - max(Counter(to).values()) for to in self.moves.values())

    @property
    def nats(self) -> float:
        """The code if dynamics are deterministic."""
        return self.rows + len(self.moves) * log(self.states) + self.clashes * _CLASH

    @property
    def nats_with_slips(self) -> float:
        """The code if all transitions have the same chance of leading elsewhere."""
        again, odd = sum(len(to) - 1 for to in self.moves.values()), self.clashes
        slips = _coded((odd, again - odd)) + odd * log(self.states)
        return self.rows + len(self.moves) * log(self.states) + slips


def explanations(opened: OpenedRun, max_states: int) -> tuple[Explanation, ...]:
    """All explanations, the best one first; none if rows hardly ever repeat."""
    run = _run(opened)
    if run is None:
        return ()
    covers = list(_some(_covers(run, run.whole)))
    told_apart = sorted((_labelled(run, cover) for cover in covers), key=lambda each: each.nats)
    few = [each for each in told_apart if 1 < each.states <= max_states]
    found = [
        *_honest(run, few),
        *_of_slips(few),
        _best(
            Condition.MAX_STATES,
            f"classifiers tell more than N = {max_states} states apart, and each action in each of "
            "them always has the same effect",
            (each for each in told_apart if each.states > max_states),
            _MORE_STATES,
        ),
        *_of_classifiers(run, covers, max_states),
    ]
    possible = (each for each in found if each.nats < inf)
    return tuple(sorted(possible, key=lambda each: each.nats))


def _honest(run: _Run, few: Sequence[_Labelled]) -> Iterator[Explanation]:
    """All conditions hold, or only those that are about the noise do not."""
    yield (best := _best(None, "all conditions hold", few, 0.0))
    if best.nats < inf:
        plain = _noise(run, few[0])
        slow = plain - _noise(run, few[0], by_past=True)
        acted = plain - _noise(run, few[0], by_action=True)
        if acted > max(slow, _NOISE):
            told = f"what a state shows depends on the action before ({acted:.0f} nats)"
            yield Explanation(Condition.EXOGENOUS, best.nats - acted, told)
        elif slow > _NOISE:
            told = f"what a state shows depends on the row before ({slow:.0f} nats)"
            yield Explanation(Condition.MIXING, best.nats - slow, told)


def _of_slips(few: Sequence[_Labelled]) -> Iterator[Explanation]:
    """Classifiers tell the states apart, and transitions are random."""
    best = min(few, key=lambda each: each.nats_with_slips, default=None)
    if best is None:
        return
    moves = sum(len(to) - 1 for to in best.moves.values())
    told = f"{best.clashes} of {moves} transitions lead elsewhere than those before"
    yield Explanation(Condition.DETERMINISTIC, best.nats_with_slips, told)


def _of_classifiers(
    run: _Run, covers: Sequence[tuple[int, ...]], max_states: int
) -> Iterator[Explanation]:
    """No classifier tells one of the states from all others."""
    missing = _some(_covers(run, run.whole, spare=True))
    yield _best(
        Condition.REALISABLE,
        "all states but one are told from all others by a classifier, and each action in each of "
        "them always has the same effect",
        (_labelled(run, cover) for cover in missing if 1 < len(cover) <= max_states),
        _MISSING,
    )
    yield _best(
        Condition.REALISABLE,
        "dynamics are deterministic if two states have one classifier together",
        (
            _labelled(run, cover, hidden=state)
            for cover in covers
            if 1 < len(cover) < max_states
            for state in range(len(cover))
        ),
        _ALIKE,
    )
    yield _best(
        Condition.REALISABLE,
        "dynamics are deterministic but for an observation that no classifier tells, or several",
        (
            _labelled(run, cover, hidden=_NOT_TOLD)
            for kind in range(len(run.sizes))
            for cover in _some(_covers(run, run.whole & ~(1 << kind)))
            if 1 < len(cover) <= max_states
        ),
        _UNSURE,
    )


def _best(
    condition: Condition | None, told: str, labelled: Iterable[_Labelled], price: float
) -> Explanation:
    nats = min((each.nats for each in labelled), default=inf)
    return Explanation(condition, nats + price, told)


def _run(opened: OpenedRun) -> _Run | None:
    kinds, which = np.unique(opened.seen[-_MOST_ROWS:], axis=0, return_inverse=True)
    which = which.reshape(-1)
    if len(kinds) > MOST_KINDS:
        return None
    masks = {sum(1 << kind for kind in np.flatnonzero(probe).tolist()) for probe in kinds.T}
    cuts = np.flatnonzero(np.diff(opened.times[-_MOST_ROWS:]) != 1) + 1
    rows = list(zip(opened.actions[-_MOST_ROWS:].tolist(), which.tolist(), strict=True))
    ends = [0, *cuts.tolist(), len(rows)]
    pieces = tuple(tuple(rows[i:j]) for i, j in pairwise(ends))
    return _Run(tuple(sorted(masks)), tuple(np.bincount(which).tolist()), pieces)


def _some(covers: Iterator[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    return islice(covers, _MOST_COVERS)


def _covers(run: _Run, whole: int, *, spare: bool = False) -> Iterator[tuple[int, ...]]:
    """Sets of probes of which exactly one is 1 on each of these kinds of rows.

    With `spare`, what is left by the probes is one more state, which no probe tells.
    """
    useful = sorted({mask & whole for mask in run.masks} - {0, whole})

    def go(left: int, rest: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not left:
            if not spare:
                yield chosen
            elif rest and rest not in useful:
                yield (*chosen, rest)
            return
        lowest = left & -left
        for mask in useful:
            if mask & lowest and not mask & ~left:
                yield from go(left & ~mask, rest, (*chosen, mask))
        if spare:
            yield from go(left & ~lowest, rest | lowest, chosen)

    return go(whole, 0, ())


def _labelled(run: _Run, cover: tuple[int, ...], hidden: int | None = None) -> _Labelled:
    """Take the kinds of rows as states in this way.

    What follows a hidden state is foretold by what came before it, and not by itself.
    """
    labels = tuple(
        next((state for state, mask in enumerate(cover) if mask >> kind & 1), _NOT_TOLD)
        for kind in range(len(run.sizes))
    )
    moves: dict[tuple[int, ...], list[int]] = {}
    for piece in run.pieces:
        before: tuple[int, ...] = ()
        for action, kind in piece:
            state = labels[kind]
            if before and state != _NOT_TOLD:
                moves.setdefault((*before, action), []).append(state)
            if state != hidden:
                before = (state,)
            elif before:
                before = (*before, action)
    sizes = list(zip(run.sizes, labels, strict=True))
    rows = sum(_coded([n for n, label in sizes if label == s]) for s in range(len(cover)))
    if odd := sum(n for n, label in sizes if label == _NOT_TOLD):
        rows += _coded((odd, sum(run.sizes) - odd))
    return _Labelled(len(cover), labels, moves, rows)


def _noise(
    run: _Run, labelled: _Labelled, *, by_action: bool = False, by_past: bool = False
) -> float:
    """The nats of the rows, if they depend on the state, and on the action or the row before."""
    own = Counter(labelled.labels)
    seen: dict[tuple[int, int, int], Counter[int]] = {}
    for piece in run.pieces:
        for (_, past), (action, kind) in pairwise(piece):
            context = labelled.labels[kind], action * by_action, past * by_past
            seen.setdefault(context, Counter())[kind] += 1
    return sum(
        _coded([*counts.values(), *(0,) * (own[state] - len(counts))])
        for (state, _, _), counts in seen.items()
    )


def _coded(counts: Sequence[int]) -> float:
    """The nats of symbols that come so often, for a forecaster who learns how often they come."""
    half = len(counts) / 2
    own = sum(lgamma(n + 0.5) - lgamma(0.5) for n in counts)
    return lgamma(sum(counts) + half) - lgamma(half) - own if counts else 0.0
