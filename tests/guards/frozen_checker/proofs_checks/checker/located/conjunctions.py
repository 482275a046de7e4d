"""Conjunctions of literals over bits. The rows alone decide what they can separate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_checks.checker.document import Malformed, text
from proofs_checks.checker.located.classes import TRUSTED
from proofs_checks.checker.located.trees import Tree

if TYPE_CHECKING:
    from proofs_checks.checker.planning import Work


@dataclass(frozen=True, slots=True)
class Literals:
    """Bits that must be 1, and bits that must be 0."""

    needed: int
    barred: int

    def hold(self, bits: int) -> bool:
        return not self.needed & ~bits and not self.barred & bits


@dataclass(frozen=True, slots=True)
class Bits:
    """Rows, and the strongest conjunction that is true on all of them."""

    tightest: Literals
    rows: Tree[int]


@dataclass(frozen=True, slots=True)
class Conjunctions:
    """Conjunctions of literals over `width` bits."""

    width: int
    work: Work

    @property
    def trusted(self) -> str:
        return TRUSTED

    @property
    def row_bytes(self) -> int:
        return -(-self.width // 8)

    def require_row(self, row: bytes, place: str) -> None:
        if int.from_bytes(row, "little") >> self.width:
            raise Malformed(place, f"a bit is set after the last of the {self.width} bits")

    def nothing(self) -> Bits:
        every = (1 << self.width) - 1
        return Bits(Literals(every, every), Tree())

    def dataset(self, row: bytes) -> Bits:
        bits = int.from_bytes(row, "little")
        return Bits(Literals(bits, (1 << self.width) - 1 - bits), Tree(bits))

    def merged(self, one: Bits, other: Bits) -> Bits:
        a, b = one.tightest, other.tightest
        tightest = Literals(a.needed & b.needed, a.barred & b.barred)
        return Bits(tightest, Tree(parts=(one.rows, other.rows)))

    def separable(self, zeros: Bits, ones: Bits) -> bool:
        return not zeros.rows.has(ones.tightest, ones.tightest.hold, self.work)

    def classifier(self, value: object, place: str) -> object:
        said = text(value, place)
        if len(said) != self.width or said.strip("01-x"):
            raise Malformed(place, f"expected {self.width} characters, each 0, 1, - or x")
        return Literals(
            sum(1 << i for i, letter in enumerate(said) if letter in "1x"),
            sum(1 << i for i, letter in enumerate(said) if letter in "0x"),
        )

    def is_chosen(self, classifier: object, zeros: Bits, ones: Bits) -> bool:
        assert isinstance(classifier, Literals)
        looser = ones.tightest
        return (
            not classifier.needed & ~looser.needed
            and not classifier.barred & ~looser.barred
            and not zeros.rows.has(classifier, classifier.hold, self.work)
        )

    def value(self, classifier: object, row: bytes) -> bool:
        assert isinstance(classifier, Literals)
        return classifier.hold(int.from_bytes(row, "little"))
