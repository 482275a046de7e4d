"""Factors in use: a product of small models that reads observations, plans, follows and is saved.

learned = learn(world, F, Factored(F.class_size, world.actions))
print(learned)                       # which factors, and how many joint states
learned.state_of(observation)        # a label for each factor
learned.plan({0: 3, 2: 1})           # a word to label 3 of factor 0 and label 1 of factor 2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction  # noqa: TC003 (msgspec reads the annotations)
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar, cast

import msgspec
import numpy as np

from steel_verified.classes.saving import classifiers_from_json, saved_part
from steel_verified.errors import InvalidArgument, Unreadable
from steel_verified.evidence.codec import Format, opened, sealed
from steel_verified.evidence.entries import of_plain, plain
from steel_verified.evidence.files import read_bytes, write_atomically
from steel_verified.learning.factors import Factor, Product
from steel_verified.learning.names import Names
from steel_verified.theory.wording import counted
from steel_verified.using.encoder import Encoder
from steel_verified.using.routes import Route, follow
from steel_verified.using.verdict import HasEvidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from steel_verified.evidence.certificate import Provenance
    from steel_verified.evidence.oracle import Class, Classifier
    from steel_verified.learning.factored import Factors
    from steel_verified.learning.factors import Labels
    from steel_verified.using.encoder import Reads
    from steel_verified.using.routes import Followed

Batch = TypeVar("Batch")

FACTORS: Final = Format("steel-factors", 1)


@dataclass(frozen=True, slots=True, repr=False)
class LearnedFactors(HasEvidence):
    """What a factored run learned. Every factor that F classifies is among `factors`, exactly."""

    _saved: ClassVar[str] = "a product of factors"

    product: Product
    steps: int
    delta: Fraction
    """With this chance at most, one that passed its coins is a function of the noise."""
    encoders: tuple[Reads, ...]
    """One for each factor."""
    _evidence: Callable[[Provenance], bytes] | None = None

    @staticmethod
    def of(
        found: Factors,
        functions: Class[Batch],
        features: Callable[[object], object] | None = None,
    ) -> LearnedFactors:
        """Return what a run found; `functions` is the class with which it was learned."""
        from steel_verified.learning.certifying import (  # noqa: PLC0415 (seldom used)
            certificate_of_factors,
        )

        encoders = _encoders(found.product, functions, features)
        evidence = partial(certificate_of_factors, found)
        return LearnedFactors(
            found.product, found.ledger.steps, found.method.delta, encoders, evidence
        )

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.product.factors

    def __repr__(self) -> str:
        sizes = " × ".join(str(factor.values) for factor in self.factors)
        return f"<LearnedFactors: {sizes} labels, {counted(self.steps, 'step')}>"

    def __str__(self) -> str:
        joint = self.product.joint_states
        number = f"{'' if joint.is_exact else 'at most '}{counted(joint.number, 'joint state')}"
        count = counted(len(self.factors), "factor")
        lines = [f"{count} that stand for {number}, learned in {counted(self.steps, 'step')}."]
        lines += [
            f"  factor {n}: {counted(factor.values, 'label')}, {self.said_of(n)}"
            for n, factor in enumerate(self.factors)
        ]
        lines.append("If F classifies all values of a factor, it is one of these, with this table.")
        if self.delta:
            lines.append(
                f"With probability {1 - self.delta} or more, none that moves with the actions is "
                "noise\nalone, if the noise ignores the actions."
            )
        return "\n".join(lines)

    def said_of(self, number: int) -> str:
        """Return what is known of a factor, in a few words."""
        factor, derived = self.factors[number], self.product.derived.get(number)
        how = "moves with the actions" if factor.coins else "not tested by coins"
        if factor.is_autonomous:
            how = "moves by itself: no action makes a difference"
        if derived is None:
            return how
        others = " and ".join(map(str, derived.of))
        return f"{how}; a {derived.how} of {others}, so it says nothing new"

    # --- reading observations

    def encode(self, observations: object) -> NDArray[np.int64]:
        """Return the labels of each observation, with a column for each factor."""
        return np.stack([each.encode(observations) for each in self.encoders], axis=-1)

    def state_of(self, observation: object) -> Labels:
        """Return the labels of one observation."""
        return tuple(each.state_of(observation) for each in self.encoders)

    # --- acting

    def plan(self, to: object, *, start: object = None) -> tuple[int, ...]:
        """Return a shortest word to labels of some factors, such as {0: 3}, or to an observation.

        An observation stands for the labels of all factors that do not move by themselves. `start`
        is a tuple of labels or an observation; by default it is where the run ended. Raises
        `InvalidArgument` if the labels never occur together.
        """
        return self.product.plan(self._goal(to), self._labels(start))

    def follow(self, where: object, to: object, *, start: object = None) -> Followed:
        """Take the actions of a plan, and compare what is seen with what the factors predict.

        `where` is the world, the environment or the function that was learned.
        """
        begin, word = self._labels(start), self.plan(to, start=start)
        path = (begin, *self.product.walk(begin, word))
        number = {labels: n for n, labels in enumerate(dict.fromkeys(path))}
        states = tuple(number[labels] for labels in path)
        return follow(
            Route(states[0], states[-1], word, states[1:]),
            where,
            actions=self.product.actions,
            encoder=_Joint(self, number),
            epsilon=None,
            names=Names((), (*map(str, number), "that was not predicted")),
        )

    def _goal(self, to: object) -> dict[int, int]:
        if isinstance(to, Mapping):
            return {int(number): int(label) for number, label in to.items()}
        labels = self.state_of(to)
        return {n: labels[n] for n, each in enumerate(self.factors) if not each.is_autonomous}

    def _labels(self, start: object) -> Labels:
        if start is None:
            return self.product.current
        if not isinstance(start, tuple):
            return self.state_of(start)
        sizes = [factor.values for factor in self.factors]
        if len(start) != len(sizes) or not all(
            type(label) is int and 0 <= label < size
            for label, size in zip(start, sizes, strict=False)
        ):
            raise InvalidArgument("start", start, "a label of each factor, or an observation")
        return start

    # --- files

    def save(self, file: Path | str) -> None:
        """Write the factors and their class as JSON (format steel-factors)."""
        described, on_features = saved_part(self.encoders[0].functions)
        if described is None or on_features or self.encoders[0].features is not None:
            expected = "a class that is given by its sizes: a function cannot be written"
            raise InvalidArgument("functions", type(self.encoders[0].functions).__name__, expected)
        content = _Saved(
            self.product.actions, self.product.factors, self.steps, self.delta, described
        )
        written = msgspec.to_builtins(content, enc_hook=plain)
        write_atomically(Path(file), sealed({**FACTORS.header, **written}))

    @staticmethod
    def load(file: Path | str) -> LearnedFactors:
        """Read saved factors. Raises `Unreadable` for any other file."""
        name = str(file)
        content = opened(read_bytes(Path(file)), FACTORS, name)
        try:
            held = msgspec.convert(content, _Saved, strict=True, dec_hook=of_plain)
            product = Product(held.factors, held.actions)
            _require_product(product)
        except (msgspec.ValidationError, InvalidArgument) as error:
            raise Unreadable(name, "", f"has no factors ({error})", "Write it again") from None
        chosen = [f for each in held.factors for fits in each.classifiers for f in fits]
        functions, _ = classifiers_from_json(content["functions"], chosen, name)
        return LearnedFactors(product, held.steps, held.delta, _encoders(product, functions, None))

    def to_dot(self) -> str:
        """Return the factors as a Graphviz graph, one box for each; present labels are bold."""
        return "\n".join(["digraph factors {", "  node [shape=circle];", *self._boxes(), "}", ""])

    def _boxes(self) -> Iterator[str]:
        for number, factor in enumerate(self.factors):
            yield f'  subgraph cluster_{number} {{ label="factor {number}: {self.said_of(number)}";'
            yield f"    f{number}_{factor.current} [penwidth=3];"
            for label, line in enumerate(factor.table):
                yield f'    f{number}_{label} [label="{label}"];'
                for to in dict.fromkeys(line):
                    taken = ",".join(str(a) for a, after in enumerate(line) if after == to)
                    yield f'    f{number}_{label} -> f{number}_{to} [label="{taken}"];'
            yield "  }"


class _Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file, without header and digest."""

    actions: int
    factors: tuple[Factor, ...]
    steps: int
    delta: Fraction
    functions: object


def _require_product(product: Product) -> None:
    """Raise `InvalidArgument` unless these are complete tables with a classifier for each label."""
    for number, factor in enumerate(product.factors):
        model, place = factor.model if factor.table else None, f"factors[{number}]"
        if model is None or not model.is_total or model.actions != product.actions:
            raise InvalidArgument(place, factor.table, f"a table of {product.actions} actions")
        if not 0 <= factor.current < factor.values:
            raise InvalidArgument(f"{place}.current", factor.current, "one of its labels")
        if len(factor.classifiers) != factor.values or not all(factor.classifiers):
            raise InvalidArgument(f"{place}.classifiers", factor.classifiers, "some of each label")
    if not product.factors:
        raise InvalidArgument("factors", (), "at least one factor")


def _encoders(
    product: Product, functions: Class[Batch], features: Callable[[object], object] | None
) -> tuple[Reads, ...]:
    chosen = (tuple(fits[0] for fits in factor.classifiers) for factor in product.factors)
    return tuple(Encoder(functions, each, features) for each in chosen)


@dataclass(frozen=True, slots=True)
class _Joint:
    """Reads the labels of all factors as the number of a step's prediction, or as none of them."""

    learned: LearnedFactors
    number: Mapping[Labels, int]

    @property
    def functions(self) -> object:
        return self.learned.encoders[0].functions

    @property
    def classifiers(self) -> tuple[Classifier, ...]:
        return ()

    @property
    def features(self) -> Callable[[object], object] | None:
        return self.learned.encoders[0].features

    def rows(self, batch: object) -> NDArray[np.int64]:
        return self._numbers(np.stack([one.rows(batch) for one in self.learned.encoders], axis=-1))

    def encode(self, observations: object) -> NDArray[np.int64]:
        return self._numbers(self.learned.encode(observations))

    def state_of(self, observation: object) -> int:
        return self.number.get(self.learned.state_of(observation), len(self.number))

    def _numbers(self, labels: NDArray[np.int64]) -> NDArray[np.int64]:
        # numpy types `tolist` as Any; the array has two dimensions.
        lines = cast("list[list[int]]", labels.tolist())
        return np.array([self.number.get(tuple(line), len(self.number)) for line in lines])
