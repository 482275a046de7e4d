"""Conjunctions of literals on bits: some bits must be 1, some must be 0, the others are ignored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steel_verified.classes.rows import (
    Bits,
    Cloud,
    Rows,
    cloud,
    require_features,
    rows_of_bits,
    shown,
)
from steel_verified.errors import InvalidArgument
from steel_verified.evidence.oracle import Classifier, Decides, Declared, Function, Summary, of_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from steel_verified.evidence.codec import Json


@dataclass(frozen=True, slots=True)
class Conjunction(Function):
    """The classifier x ↦ 1 if all bits of `needed` are 1 in x and all of `barred` are 0, else 0.

    Both are sets of bits, written as integers with bit 0 lowest. Example: `Conjunction(0b100, 0b1)`
    is "bit 2 is 1 and bit 0 is 0". A bit in both sets gives a contradiction, which is always 0.
    """

    needed: int
    barred: int


@dataclass(frozen=True, slots=True)
class Conjunctions(Decides):
    """All conjunctions of literals on `features` bits, including the contradiction."""

    has_tightest: ClassVar[bool] = True
    features: int

    def __post_init__(self) -> None:
        require_features(self.features)

    @property
    def class_size(self) -> int:
        """3^n + 1 for n bits; this is the exact number.

        Each bit is needed, barred or ignored, and different choices give different functions. In
        addition there is the contradiction.
        """
        return int(3**self.features) + 1

    @property
    def declared(self) -> Declared:
        return Declared("conjunctions", "bits", self.features)

    @property
    def described(self) -> Json:
        return {"name": "conjunctions", "features": self.features}

    @property
    def none_is_proved(self) -> bool:
        return True

    def pack(self, batch: Bits) -> bytes:
        return rows_of_bits(batch, self.features).packed().tobytes()

    def summarise(self, batch: Bits) -> Cloud:
        return cloud(rows_of_bits(batch, self.features).packed())

    def nothing(self) -> Cloud:
        return cloud(np.empty((0, -(-self.features // 8)), dtype=np.uint8))

    def merge(self, one: Summary, other: Summary) -> Cloud:
        a, b = of_kind(Cloud, one, other)
        return a.merged(b)

    def contains(self, classifier: Classifier) -> bool:
        return type(classifier) is Conjunction and all(
            type(bits) is int and 0 <= bits < 1 << self.features
            for bits in (classifier.needed, classifier.barred)
        )

    def separates(self, classifier: Classifier, zeros: Summary, ones: Summary) -> bool:
        low, high = of_kind(Cloud, zeros, ones)
        return bool(self._holds(classifier, high.held).all()) and not bool(
            self._holds(classifier, low.held).any()
        )

    def separable(self, zeros: Summary, ones: Summary) -> bool:
        """Return whether all literals that hold on the ones exclude every zero."""
        low, high = of_kind(Cloud, zeros, ones)
        if not low or not high:
            return True
        (always, sometimes), (every, some) = low.bits, high.bits
        if every & ~sometimes or always & ~some:  # a bit that differs in all rows
            return True
        size, marked = low.held.shape[1], low.held.astype(np.uint8, copy=False)
        seen, never = (
            np.frombuffer(bits.to_bytes(size, "little"), dtype=np.uint8)
            for bits in (every, ~some & (1 << 8 * size) - 1)
        )
        return bool(((seen & ~marked) | (marked & never)).any(axis=1).all())

    def first_true(
        self, classifiers: Sequence[Classifier], datasets: Iterable[Summary]
    ) -> list[int | None]:
        found = of_kind(Conjunction, *classifiers)
        held = (rows.bits for rows in of_kind(Cloud, *datasets))
        return [
            next(
                (n for n, f in enumerate(found) if not (f.needed & ~every | f.barred & some)), None
            )
            for every, some in held
        ]

    def separating(self, zeros: Summary, ones: Summary) -> Conjunction | None:
        """Return a conjunction of few literals that separates, or None if there is none.

        The conjunction of all literals that hold on the ones excludes at least the zeros that any
        other such conjunction excludes. So if it does not exclude some zero, none separates.

        A conjunction is a box on bits, and a literal is a side of it. Its margin is always 1, so
        the rule of boxes (`widest_sides`) is here: the literal that excludes the most zeros, and of
        several the first one, "bit i is 1" for all i and then "bit i is 0".
        """
        low, high = of_kind(Cloud, zeros, ones)
        if not high:
            return Conjunction(1, 1)
        marked, seen = self._bits(low.rows), self._bits(high.rows)
        excludes = np.concatenate([seen.all(axis=0) & ~marked, ~seen.any(axis=0) & marked], axis=1)
        if not excludes.any(axis=1).all():
            return None
        chosen = [0, 0]
        while len(excludes):
            literal = int(excludes.sum(axis=0).argmax())
            is_barred, bit = divmod(literal, self.features)
            chosen[is_barred] |= 1 << bit
            excludes = excludes[~excludes[:, literal]]
        return Conjunction(*chosen)

    def values(self, classifier: Classifier, batch: Bits) -> NDArray[np.bool_]:
        return self._holds(classifier, rows_of_bits(batch, self.features).packed())

    def written(self, classifier: Classifier) -> Json:
        """Return a letter for each bit: 1 is needed, 0 is barred, - is ignored, x is both."""
        (found,) = of_kind(Conjunction, classifier)
        return "".join(
            "-10x"[(found.needed >> i & 1) + 2 * (found.barred >> i & 1)]
            for i in range(self.features)
        )

    def read(self, found: Json) -> Conjunction:
        if not isinstance(found, str) or len(found) != self.features or found.strip("-01x"):
            expected = f"one of 1, 0, - and x for each of {self.features} bits"
            raise InvalidArgument("classifiers", shown(found), expected)
        return Conjunction(
            needed=sum(1 << i for i, letter in enumerate(found) if letter in "1x"),
            barred=sum(1 << i for i, letter in enumerate(found) if letter in "0x"),
        )

    def _holds(self, classifier: Classifier, rows: Rows) -> NDArray[np.bool_]:
        """Return on which packed rows a conjunction is 1."""
        (found,) = of_kind(Conjunction, classifier)
        size, packed = -(-self.features // 8), rows.astype(np.uint8)
        needed, barred = (
            np.frombuffer(bits.to_bytes(size, "little"), dtype=np.uint8)
            for bits in (found.needed, found.barred)
        )
        holds: NDArray[np.bool_] = (((needed & ~packed) | (barred & packed)) == 0).all(axis=1)
        return holds

    def _bits(self, rows: Rows) -> NDArray[np.bool_]:
        packed = rows.astype(np.uint8)
        bits = np.unpackbits(packed, axis=1, count=self.features, bitorder="little")
        return bits.astype(np.bool_)
