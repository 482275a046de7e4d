"""Private coins: which of several models is right, if actions do not influence the noise (T4).

Where F classifies a proper quotient of the dynamics, the rows leave several models for ever, and by
Theorem 7 no method that is never wrong can choose. A coin that the learner tosses for itself can.

When coins are tossed
    The rows leave a cover G at whose labels every action was taken, and all covers that are left
    are quotients of it (`covers.finest`). The true cover is one of those left. So, for every noise,
    there is a map σ from the labels of G onto the states that agrees with the actions. Open is only
    whether σ is injective. If it is not, the labels with equal states are the blocks of a
    congruence that is not trivial, and it contains an atom (`congruences.atoms`).

A trial
    A trial fixes G, a classifier for each label, and tosses coins for it. A coin is about two
    labels in a block of an atom, and two words of equal length that lead to them from the present
    label. All of this is recorded before the word of the side on which the coin fell is run. The
    coin is passed if the row at the end of the word shows the label aimed at: its classifier is 1,
    and those of the other labels are 0.

    The trial ends when a row does not show the one label that G predicts, so also when a coin is
    not passed. G is then refuted for every noise, and if the rows again leave a finest cover, the
    next trial begins. G is accepted when n coins were passed for each atom of its table. A trial is
    charged 2^−n, and n is the least number for which this is less than what is left of δ.

Theorem (T4)
    If the noise is exogenous and the coins are fair and independent of everything else, a wrong
    model is accepted with probability at most δ.

    Proof. Call a coin *blind* if both words lead to one state. Words of one length take the same
    time, and the noise ignores the actions. So, given all that happened before the toss, the row at
    the end has the same law for both sides, and P(passed) = P(shows l)/2 + P(shows l')/2 ≤ 1/2,
    since no row shows both. So the first n blind coins of a trial are all passed with chance at
    most 2^−n, however pairs and words are chosen from what happened before. If G is accepted and σ
    is not injective, σ joins the labels of some atom; all n coins of the trial for this atom were
    blind, and passed. So no union over the atoms is needed. The n of trial k depends only on k, and
    the chances 2^−n of all trials together are at most δ. ∎

    If σ is injective, the table of G is the dynamics, up to names. Nothing is said about the
    encoder beyond what is sure: where one classifier of F fits a label, it is that of the state.

If the noise depends on the actions, nothing follows: noise that knows the word passes all coins. If
no words of equal length lead to two labels of an atom, only the number of steps tells the labels
apart: a smaller model and a *clock* in the noise explain the rows as well, and no coin decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Literal

from steel_verified.learning.congruences import atoms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from steel_verified.evidence.plans import Word
    from steel_verified.learning.congruences import Congruence, Table
    from steel_verified.learning.knowledge import Bits

Side = Literal[0, 1]


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin that was tossed, and what is recorded with it."""

    atom: Congruence
    labels: tuple[int, int]
    """Two labels in one block of the atom."""
    words: tuple[Word, Word]
    """Words of equal length that lead to them from the present label."""
    side: Side
    """The word that is run."""

    @property
    def word(self) -> Word:
        return self.words[self.side]


@dataclass(frozen=True, slots=True)
class Trial:
    """A model that is tested with coins, and how many of them each atom has passed."""

    needed: int
    """n: how many coins each atom has to pass."""
    cover: Bits
    """The classifiers that were fixed, one for each label."""
    table: Table
    begun: int
    """The number of steps before it."""
    passed: Mapping[Congruence, int]
    """For each atom of the table, how many of its coins were passed."""
    coin: Coin | None = None
    """The coin whose word is run next; None if all were passed, or if none can be tossed."""

    @property
    def charge(self) -> Fraction:
        return chance_of(self.needed)

    @property
    def is_passed(self) -> bool:
        return all(passed >= self.needed for passed in self.passed.values())

    def tossed(self, current: int, steps: int, seed: int) -> Trial:
        """Return the trial with the next coin; `coin` was passed if there is one.

        It is for the atom with the shortest words among those that need more coins.
        """
        passed = dict(self.passed)
        if self.coin is not None:
            passed[self.coin.atom] += 1
        coin = None
        missing = [atom for atom, number in passed.items() if number < self.needed]
        ways = [(atom, equal_words(self.table, current, atom)) for atom in missing]
        found = [(atom, *way) for atom, way in ways if way is not None]
        if found and len(found) == len(missing):
            shortest = min(found, key=lambda one: len(one[2][0]))
            coin = Coin(*shortest, toss(seed, steps))
        return replace(self, passed=passed, coin=coin)


def begun(left: Fraction, cover: Bits, table: Table, steps: int) -> Trial:
    """Return a trial of a model before its first coin; `left` is what is left of δ."""
    return Trial(coins_needed(left), cover, table, steps, dict.fromkeys(atoms(table), 0))


def chance_of(coins: int) -> Fraction:
    """Return 2^−n: the chance that n blind coins are passed."""
    return Fraction(1, 1 << coins)


def coins_needed(left: Fraction) -> int:
    """Return the least n with 2^−n < what is left of δ, so that something is left after it."""
    return (left.denominator // left.numerator).bit_length()


def toss(seed: int, steps: int) -> Side:
    """Return the side of the coin that is tossed after so many steps.

    No other random number of the run is drawn from this stream.
    """
    return 1 if Random(f"coin/{seed}/{steps}").getrandbits(1) else 0


def equal_words(
    table: Table, start: int, atom: Congruence
) -> tuple[tuple[int, int], tuple[Word, Word]] | None:
    """Return two labels in a block of an atom, and shortest words of equal length to them.

    None if there are no such words: only the number of steps tells the labels of a block apart.
    """
    before: list[dict[int, tuple[int, int]]] = []
    here, seen = frozenset((start,)), set[frozenset[int]]()
    while here not in seen:
        seen.add(here)
        if (pair := _pair_in(here, atom)) is not None:
            return pair, (_word(before, pair[0]), _word(before, pair[1]))
        layer: dict[int, tuple[int, int]] = {}
        for label in sorted(here):
            for action, to in enumerate(table[label]):
                layer.setdefault(to, (label, action))
        before.append(layer)
        here = frozenset(layer)
    return None


def _pair_in(labels: frozenset[int], atom: Congruence) -> tuple[int, int] | None:
    """Return the first two labels of a set that are in one block."""
    first: dict[int, int] = {}
    for label in sorted(labels):
        if atom[label] in first:
            return first[atom[label]], label
        first[atom[label]] = label
    return None


def _word(before: Sequence[Mapping[int, tuple[int, int]]], label: int) -> Word:
    """Return the word that leads to a label through these layers of (label, action) before it."""

    def backwards() -> Iterator[int]:
        here = label
        for layer in reversed(before):
            here, action = layer[here]
            yield action

    return tuple(backwards())[::-1]
