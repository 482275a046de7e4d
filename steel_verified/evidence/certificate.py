"""The certificate of a run: its ledger, what was learned, and a digest. It holds no observation.

Everything is taken from the ledger, and nothing is computed again: recomputing is the work of the
independent checker (`proofs_checks.checker`), which has formulas of its own. This module imports
nothing from `theory/`. The same types write a certificate, read it back and make its JSON Schema.
"""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from steel_verified.errors import InvalidArgument
from steel_verified.evidence import ledger as recorded
from steel_verified.evidence.codec import canonical, digest_of, document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from steel_verified.evidence.codec import Json

FORMAT: Final = "steel-certificate"
VERSION: Final = 2

ASSUMPTIONS: Final = (
    "the latent dynamics are deterministic, and every state reaches every other",
    "the noise ignores actions, is irreducible and aperiodic, and mixes within mixing_time",
    "there are at most max_states states, at most max_diameter steps apart",
    "F has at most class_size classifiers, one-versus-rest ones for each state among them",
    "the oracle returns a separating classifier whenever there is one",
    "the run took place: every row was read at its time from one unbroken trajectory",
)

Times: TypeAlias = tuple[int, ...]
"""[first, count, stride, count, stride, …]: nested progressions, the outermost first."""
Sample: TypeAlias = tuple[int, tuple[Times, ...]]
"""The number of rows that came back, and the times at which they were read."""


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters that the recipe was made for. Fractions are written as text."""

    actions: int
    max_states: int
    max_diameter: int
    mixing_time: int
    class_size: int
    delta: str
    epsilon: str


class Ran(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ran"):
    """`steps` steps of the loop of `word` were taken, after `done` steps of it, from `start` on."""

    start: int
    word: tuple[int, ...]
    done: int
    steps: int


class Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="read"):
    """Datasets, numbered from `first` on, were read from the loop that began at step `loop`.

    Times are counted from the start of the loop. They depend on the first `after` decisions alone.
    """

    loop: int
    after: int
    first: int
    samples: tuple[Sample, ...]


class PeriodFound(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="period"
):
    """Tests [n'_cyc, number of D_0, number of D_1, 1 if they were separated], and the decision."""

    number: int
    tests: tuple[tuple[int, int, int, int], ...]
    period: int
    charge: str


class LabelsFound(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="labels"
):
    """Positions [number of the dataset, verdicts, label]; `known` are datasets of earlier states.

    A verdict is 1 if the dataset was separated from that of state 0, 1, …; it ends at the first 0.
    """

    number: int
    known: tuple[int, ...]
    positions: tuple[tuple[int, str, int], ...]
    charge: str


class Trained(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="encoder"
):
    """A classifier was trained for each state, on the datasets of these numbers."""

    number: int
    datasets: tuple[tuple[int, ...], ...]
    charge: str


Entry: TypeAlias = Ran | Read | PeriodFound | LabelsFound | Trained


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The certificate of a run of the method `looped`."""

    format: Literal["steel-certificate"] = FORMAT
    version: Literal[2] = VERSION
    method: Literal["looped"] = "looped"
    recipe: str
    parameters: Parameters
    assumptions: tuple[str, ...] = ASSUMPTIONS
    record: tuple[Entry, ...]
    table: tuple[tuple[int, ...], ...]
    current: int
    classifiers: tuple[int, ...] | None
    spent: str
    steps: int
    provenance: dict[str, msgspec.Raw] | dict[str, object]
    digest: str = ""


def certificate(
    ledger: recorded.Ledger,
    *,
    table: Sequence[Sequence[int | None]],
    current: int,
    classifiers: tuple[int, ...] | None,
    provenance: Mapping[str, Json],
) -> Certificate:
    """Write the certificate of a finished run; `provenance` says where it came from."""
    began, *entries = ledger.entries
    if not isinstance(began, recorded.Opened):
        raise InvalidArgument("ledger", type(began).__name__, "the ledger of a run")
    p = began.recipe.parameters
    ...
