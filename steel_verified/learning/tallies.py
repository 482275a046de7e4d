"""What rows say about a finite class F if steps may slip: conflicts by counting, and rule R.

T is deterministic, but up to k of the steps so far went elsewhere (`theory/slips`; all that follows
is true on its event E). Observations never lie: each shows one state, and F has a classifier for
each state. Let f be the classifier of a state. After each action a, its visits that were not
followed by the state T(f, a) slipped. So:

1. Two classifiers of states are never both 1 on one row. If they are, they *conflict*.
2. Each action at f usually leads to f, to g or elsewhere. So the visits to f that were not followed
   by the most frequent of these three are at most the slips out of f. Let them be counted for all
   actions, and at g as well: if they are more than k, f and g conflict.
3. Each action at f usually leads to f, or to some g that does not conflict with f; and some action
   leaves f, since every state can be reached and there are two. If even the best choice leaves more
   than k visits that slipped, f is refuted. (Rules D and S)
4. Each row shows a state. If all candidates of some row conflict with f, f is refuted. (Rule R)

With k = 0 this is what `knowledge` does. What was found with a smaller k stays true on E.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steel_verified.learning.knowledge import bits, minimal, refuted_by_rows

if TYPE_CHECKING:
    from steel_verified.learning.knowledge import Bits

Flags: TypeAlias = NDArray[np.bool_]
Counts: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """How often what followed what, for the classifiers that were seen and not refuted. A value."""

    classifiers: int
    left: NDArray[np.int64]
    """The numbers of these classifiers, in the order in which they were seen, as in all arrays."""
    visits: Counts
    """`visits[i, a]`: how often action a was taken where classifier i is 1."""
    after: Counts
    """`after[i, a, j]`: how often classifier j was 1 after that."""
    together: Flags
    """`together[i, j]`: whether both are 1 on some row."""
    always: Flags
    """`always[i, j]`: whether j is 1 on all rows on which i is."""
    elsewhere: Counts
    """`elsewhere[i, j]`: how many steps at i slipped at least, if i and j are of two states (2)."""
    apart: Flags
    """`apart[i, j]`: whether both conflict."""
    led: Flags
    """`led[i, a, j]`: whether j has ever been ahead by the lead that decides."""
    out: Bits
    """The classifiers that were refuted."""
    candidates: frozenset[Bits]
    """For each row the classifiers that are 1 on it and left; only the ⊆-minimal sets."""
    every: Bits
    """The classifiers that are 1 on all rows."""

    @property
    def is_contradicted(self) -> bool:
        """Whether some row has no candidate."""
        return 0 in self.candidates

    @property
    def is_resolved(self) -> bool:
        """Whether the candidates of each row have one column."""
        return not bool((self.together & ~self.always).any())

    def labels(self) -> NDArray[np.int64]:
        """Return the first place of each column, if each row has one column."""
        first = self.together.argmax(axis=1)
        return np.flatnonzero(first == np.arange(len(self.left)))

    def leaders(self, places: NDArray[np.int64]) -> dict[int, tuple[int | None, ...]]:
        """Return for these places and each action what has been ahead by the lead, if anything.

        Until each row has one column, this is a guess.
        """
        ahead = self.led[places] & ~self.apart[places][:, None, :]
        best = np.where(ahead, self.after[places], -1).argmax(axis=2)
        lines = np.where(ahead.any(axis=2), best, -1).tolist()
        return {
            place: tuple(None if to < 0 else to for to in line)
            for place, line in zip(places.tolist(), lines, strict=True)
        }

    def guess(self, row: Bits) -> int:
        """Return the place of a candidate of a row; of one that has rows of its own if there is."""
        candidates = self.places(row)
        alone = candidates & ~(self.together & ~self.always).any(axis=1)
        return int((alone if alone.any() else candidates).argmax())

    def with_row(
        self, before: Bits, action: int | None, row: Bits, most: int, lead: int
    ) -> Tallies:
        """Add a row, the action and the row before it, and all that follows.

        The first row has no action. `most` is how many steps can have slipped, `lead` how far the
        usual next state must be ahead.
        """
        known = self._with(row & ~self.out & ~self._numbers())
        was, now = known.places(before), known.places(row)
        visits, after, led = known.visits.copy(), known.after.copy(), known.led.copy()
        if action is not None:
            visits[was, action] += 1
            after[was, action] += now
            led[was, action] |= 2 * after[was, action] - visits[was, action, None] >= lead
        together, always = known.together.copy(), known.always.copy()
        together[now] |= now
        always[now] &= now
        candidates = minimal(known.candidates, 0, (row & ~known.out,))
        known = replace(
            known,
            visits=visits,
            after=after,
            together=together,
            always=always,
            led=led,
            candidates=candidates,
            every=known.every & row,
        )
        return known.inferred(np.flatnonzero(was), most)

    def places(self, row: Bits) -> Flags:
        """Return which of these classifiers are 1 on a row."""
        packed = np.frombuffer(row.to_bytes(-(-self.classifiers // 8), "little"), np.uint8)
        return np.unpackbits(packed, bitorder="little")[self.left].astype(bool)

    def inferred(self, left: NDArray[np.int64], most: int) -> Tallies:
        """Return what follows after steps at some places, if at most so many steps slipped."""
        elsewhere = self.elsewhere.copy()
        elsewhere[left] = self._elsewhere(left)
        far: Flags = np.greater(elsewhere[left] + elsewhere[:, left].T, most)
        apart = self.apart | self.together
        apart[left] |= far
        apart[:, left] |= far.T
        np.fill_diagonal(apart, val=False)
        known = replace(self, elsewhere=elsewhere, apart=apart)
        changed = (apart != self.apart).any(axis=1)
        changed[left] = True
        while not known.is_contradicted:
            gone = known.places(known.refuted())
            gone[changed] |= known.misses(np.flatnonzero(changed)) > most
            if not gone.any():
                break
            changed = np.any(known.after[:, :, np.flatnonzero(gone)] > 0, axis=(1, 2))[~gone]
            known = known.without(gone)
        return known

    def _elsewhere(self, places: NDArray[np.int64]) -> Counts:
        """Return how many steps at these slipped, if they and each other one are of states (2)."""
        after, visits = self.after[places], self.visits[places][:, :, None]
        own = self.after[places, :, places][:, :, None]
        best = np.maximum(np.maximum(own, after), visits - own - after)
        slipped: Counts = (visits - best).sum(axis=1, dtype=np.int32)
        return slipped

    def misses(self, places: NDArray[np.int64]) -> Counts:
        """Return for each of these how many steps slipped if it is that of a state (3)."""
        counts = np.where(self.apart[places][:, None, :], 0, self.after[places])
        best = counts.max(axis=2)
        counts[np.arange(len(places)), :, places] = 0
        leaving = counts.max(axis=2)
        missed: Counts = (self.visits[places] - best).sum(axis=1) + (best - leaving).min(axis=1)
        return missed

    def refuted(self) -> Bits:
        """Return the classifiers that rule R refutes (4)."""
        wide = np.zeros((len(self.left), self.classifiers), dtype=bool)
        wide[:, self.left] = self.apart
        packed = np.packbits(wide, axis=1, bitorder="little")
        conflicts = {
            number: int.from_bytes(line.tobytes(), "little")
            for number, line in zip(self.left.tolist(), packed, strict=True)
        }
        return refuted_by_rows(self.candidates, conflicts, self._numbers())

    def _numbers(self) -> Bits:
        """Return these classifiers as a set."""
        flags = np.zeros(self.classifiers, dtype=bool)
        flags[self.left] = True
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")

    def without(self, gone: Flags) -> Tallies:
        """Remove classifiers that were refuted."""
        kept = np.flatnonzero(~gone)
        square = np.ix_(kept, kept)
        out = sum(1 << number for number in self.left[gone].tolist())
        return replace(
            self,
            left=self.left[kept],
            visits=self.visits[kept],
            after=self.after[kept][:, :, kept],
            together=self.together[square],
            always=self.always[square],
            elsewhere=self.elsewhere[square],
            apart=self.apart[square],
            led=self.led[kept][:, :, kept],
            out=self.out | out,
            candidates=minimal(self.candidates, out),
        )

    def _with(self, new: Bits) -> Tallies:
        """Add classifiers that were 0 on all rows so far."""
        if not new:
            return self
        old, more = len(self.left), list(bits(new))
        one, two = (0, len(more)), ((0, len(more)), (0, len(more)))
        three = (one, (0, 0), one)
        own = np.einsum("iai->ia", self.after)
        always, elsewhere = np.pad(self.always, two), np.pad(self.elsewhere, two)
        always[old:] = True
        elsewhere[:old, old:] = np.minimum(own, self.visits - own).sum(axis=1)[:, None]
        return replace(
            self,
            left=np.concatenate((self.left, more)),
            visits=np.pad(self.visits, (one, (0, 0))),
            after=np.pad(self.after, three),
            together=np.pad(self.together, two),
            always=always,
            elsewhere=elsewhere,
            apart=np.pad(self.apart, two),
            led=np.pad(self.led, three),
        )


def nothing_counted(classifiers: int, actions: int) -> Tallies:
    """Return the tallies before the first row."""
    flags, counts = np.zeros((0, 0), dtype=bool), np.zeros((0, 0), np.int32)
    return Tallies(
        classifiers,
        left=np.zeros(0, np.int64),
        visits=np.zeros((0, actions), np.int32),
        after=np.zeros((0, actions, 0), np.int32),
        together=flags,
        always=flags,
        elsewhere=counts,
        apart=flags,
        led=np.zeros((0, actions, 0), dtype=bool),
        out=0,
        candidates=frozenset(),
        every=(1 << classifiers) - 1,
    )
