"""The rule `separation`: rows that are compared were read at least t̂_mix steps apart.

It uses the recorded times and does not rely on the schedule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_checks.checker.findings import Finding
from proofs_checks.checker.looped.entries import Read
from proofs_checks.checker.looped.formulas import last

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs_checks.checker.looped.entries import Entry, Piece, Sample


def check_period_gaps(entry: Entry | None, place: str, apart: int) -> Iterator[Finding]:
    """Gaps in D_1 ∪ D_0^(j) for each j; D_0^(j) has one time of each repetition (l. 601)."""
    if not isinstance(entry, Read):
        return
    for i in range(0, len(entry.samples) - 1, 2):
        zeros, ones = _only(entry.samples[i], 5), _only(entry.samples[i + 1], 3)
        if zeros is None or ones is None or zeros[1:3] != ones[1:3]:
            continue  # not the times of a test: the rule `times` reports this
        count, every = ones[1], ones[2]
        first_row = zeros[0] - ones[0]
        gaps = [first_row]
        if count > 1:
            gaps += [every, every - first_row - (zeros[3] - 1) * zeros[4]]
        if min(gaps) < apart:
            at = f"{place}.samples[{i}]"
            yield Finding("separation", at, f"gap {min(gaps)} < {apart} in D_1 ∪ D_0^(j)")


def check_position_gaps(
    entry: Entry | None, place: str, apart: int, kept_until: int | None
) -> Iterator[Finding]:
    """Gaps within A and B, between any A and any B, and to the datasets of earlier calls."""
    if not isinstance(entry, Read):
        return
    pairs = [sample[1] for sample in entry.samples if len(sample[1]) == 2]
    if not pairs or len(pairs) < len(entry.samples):
        return  # not the times of positions: the rule `times` reports this
    for i, pieces in enumerate(pairs):
        yield from check_stride(pieces, f"{place}.samples[{i}]", apart)
    gap = min(late[0] for _, late in pairs) - max(last(early) for early, _ in pairs)
    if gap < apart:
        message = f"gap {gap} < {apart} between the last A and the first B"
        yield Finding("separation", f"{place}.samples", message)
    first = entry.loop + min(early[0] for early, _ in pairs)
    if kept_until is not None and first - kept_until < apart:
        message = f"gap {first - kept_until} < {apart} from a dataset of an earlier call"
        yield Finding("separation", f"{place}.samples", message)


def check_stride(pieces: tuple[Piece, ...], place: str, apart: int) -> Iterator[Finding]:
    """The gap between the times of one arithmetic progression."""
    for piece in pieces:
        if len(piece) == 3 and piece[1] > 1 and piece[2] < apart:
            yield Finding("separation", place, f"gap {piece[2]} < {apart}")


def _only(sample: Sample, length: int) -> Piece | None:
    """Return the only piece of a dataset if it has this length, else None."""
    pieces = sample[1]
    return pieces[0] if len(pieces) == 1 and len(pieces[0]) == length else None
