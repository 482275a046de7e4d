"""Learn from data that somebody else recorded: episodes in memory, a generator of them, or files.

Alignment: action t of an episode leads from its observation t to its observation t + 1. No action
leads from one episode to the next, so a reset must begin a new episode. Any policy, any starts and
any resets are allowed. The whole log is read before it answers.

An episode is *terminated* if the world ended it: its last state is then taken to stay where it is
under every action. The end by a time limit (Gymnasium's `truncated`) is not a termination; a log
that calls it one can give a wrong model, and nothing can notice it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sized
from functools import partial, reduce
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast

import numpy as np

from steel_verified.errors import InvalidArgument
from steel_verified.learning.listed import MOST_CLASSIFIERS
from steel_verified.learning.logs import result_of
from steel_verified.learning.reading import Reading, Row, nothing_read
from steel_verified.progress import progress_bar
from steel_verified.theory.parameters import require_integer, require_oracle
from steel_verified.using.attempt import is_listed, learned_or_raise
from steel_verified.worlds.log_files import NO_ACTION, Episode, Part, parts_of_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from steel_verified.evidence.oracle import Class
    from steel_verified.learning.results import Result
    from steel_verified.using.learned import Learned

Batch = TypeVar("Batch", bound=Sized)
Source: TypeAlias = "Callable[[], Iterable[Part]]"
"""Reads a part of a log from its beginning."""

MOST_ACTIONS: Final = 1 << 16
_EPISODE: Final = "Episode(observations, actions)"
_AT_ONCE: Final = 1000
"""Progress is shown after this many rows; Ctrl-C loses at most as many."""


class StackedFrames(UserWarning):
    """Observations seem to contain the observation before: shifted actions are not noticed then."""


def learn_from(
    log: Episode[Batch] | Iterable[Episode[Batch]] | Path | str | Sequence[Path],
    F: Class[Batch],  # noqa: N803 (the name of the class in the paper)
    *,
    actions: int | None = None,
    executor: Executor | None = None,
) -> Learned:
    """Learn from a log, for every noise, and return what was learned, ready for use.

    The arguments are those of `attempt_from`. Raises `NotLearned` if the log does not decide or
    contradicts the assumptions: the message says what is missing, or where the contradiction is.
    Raises `KeyboardInterrupt` if reading was interrupted.
    """
    return learned_or_raise(attempt_from(log, F, actions=actions, executor=executor), F)


def attempt_from(
    log: Episode[Batch] | Iterable[Episode[Batch]] | Path | str | Sequence[Path],
    F: Class[Batch],  # noqa: N803
    *,
    actions: int | None = None,
    executor: Executor | None = None,
) -> Result:
    """Return what a log decides: accepted, contradicted or not accepted.

    The log is an `Episode`, several of them (a list, or a generator that is read once), a file
    (.npz or .csv, see `log_files`), or a list of files, whose episodes follow each other and which
    the executor reads in parallel if one is given. F is a finite class of at most 2^16 classifiers.
    `actions` is the number of actions; by default it is one more than the highest action of the
    log, but a generator needs it.

    What is accepted is right for every noise and every policy, about all states that can be reached
    from the starts that occurred. Raises `InvalidArgument` for what is not a log, and names the
    episode and the row.
    """
    require_oracle(F)
    require_listed(F)
    if actions is not None:
        require_integer("actions", actions, at_least=1)
    elif isinstance(log, Iterator):
        raise InvalidArgument("actions", None, "the number of actions, for a generator")
    sources = _sources(log)
    if actions is None:
        parts = (part for source in sources for part in source())
        actions = 1 + max((int(part.actions.max(initial=0)) for part in parts), default=0)
    if actions > MOST_ACTIONS:
        raise InvalidArgument("actions", actions, f"at most {MOST_ACTIONS:,}")
    if executor is not None and len(sources) > 1:
        read = executor.map(partial(_reading_of, F, actions), sources)
        return result_of(reduce(Reading.merged, read))
    reading, interrupted = nothing_read(F.declared.width, actions), False
    rows = rows_in(log, F, actions)
    with progress_bar("reading the log", None) as tell:
        try:
            while some := tuple(islice(rows, _AT_ONCE)):
                reading = reading.of(some)
                tell(reading.rows, None)
        except KeyboardInterrupt:
            interrupted = True
    return result_of(reading, interrupted=interrupted)


def rows_in(log: object, F: Class[Batch], actions: int) -> Iterator[Row]:  # noqa: N803
    """Yield the rows of a log as the class reads them."""
    return chain.from_iterable(_rows(source(), F, actions) for source in _sources(log))


def require_listed(F: Class[Batch]) -> None:  # noqa: N803
    """Raise `InvalidArgument` unless the class is finite, and small enough to be listed."""
    if not is_listed(F):
        expected = f"a finite class of at most {MOST_CLASSIFIERS:,} classifiers"
        raise InvalidArgument("F", type(F).__name__, expected)


def _reading_of(F: Class[Batch], actions: int, source: Source) -> Reading:  # noqa: N803
    return nothing_read(F.declared.width, actions).of(_rows(source(), F, actions))


# --- where the rows come from ---------------------------------------------------------------------


def width_of(files: Sequence[Path]) -> int:
    """Return the number of components of an observation in these files of a log."""
    first = next((part for file in files for part in parts_of_file(file)), None)
    if first is None:
        raise InvalidArgument("log", ", ".join(file.name for file in files), "at least one row")
    return int(np.prod(np.asarray(first.observations).shape[1:]))


def _sources(log: object) -> list[Source]:
    """Return functions that read a log, one for each of its files."""
    if isinstance(log, str | Path):
        return [partial(parts_of_file, Path(log))]
    if isinstance(log, Episode):
        return [partial(_parts, (log,))]
    if isinstance(log, Iterator):
        return [partial(_parts, log)]
    if not isinstance(log, list | tuple) or not log:
        expected = f"an {_EPISODE}, a list or a generator of them, or .npz or .csv files"
        raise InvalidArgument("log", f"{type(log).__name__} without episodes", expected)
    if all(isinstance(each, str | Path) for each in log):
        return [partial(parts_of_file, Path(each)) for each in log]
    return [partial(_parts, log)]


def _parts(episodes: Iterable[object]) -> Iterator[Part]:
    for number, episode in enumerate(episodes):
        place = f"episode {number}"
        if not isinstance(episode, Episode):
            raise InvalidArgument(place, type(episode).__name__, f"an {_EPISODE}")
        taken = _actions(episode.actions, place)
        rows = len(episode.observations)
        if rows not in (len(taken), len(taken) + 1) or not rows:
            raise InvalidArgument(
                place,
                f"{rows} observations and {len(taken)} actions",
                "one observation more than actions: action t leads from observation t to t + 1",
            )
        ends = np.zeros(rows, np.bool_)
        if rows > len(taken):
            taken = np.append(taken, NO_ACTION)
            ends[-1] = episode.terminated
        elif episode.terminated:
            expected = "its last observation, one more than actions, since it terminated there"
            raise InvalidArgument(place, f"{rows} observations", expected)
        else:
            taken[-1] = NO_ACTION
        yield Part(episode.observations, taken, ends, place)


def _actions(given: object, place: str) -> NDArray[np.int64]:
    found = np.asarray(given)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        shown = f"{found.dtype} of shape {found.shape}"
        raise InvalidArgument(f"{place}, actions", shown, "whole numbers, one for each step")
    if found.size and found.min() < 0:
        first = int(np.argmax(found < 0))
        raise InvalidArgument(f"{place}, action {first}", found[first], "a number from 0 on")
    return found.astype(np.int64)


def _rows(parts: Iterable[Part], F: Class[Batch], actions: int) -> Iterator[Row]:  # noqa: N803
    """Yield the rows of a log as the class reads them."""
    size, looked = F.declared.row_bytes, False
    for part in parts:
        if part.actions.max(initial=0) >= actions:
            first = int(np.argmax(part.actions >= actions))
            expected = f"an action from 0 to {actions - 1}"
            place = f"{part.place}, row {part.first + first}"
            raise InvalidArgument(place, part.actions[first], expected)
        if not looked and isinstance(part.observations, np.ndarray):
            looked = True
            _look_for_stacked_frames(part)
        packed = _packed(part, F)
        for t, (action, ends) in enumerate(zip(part.actions, part.terminated, strict=True)):
            row = int.from_bytes(packed[t * size : t * size + size], "little")
            yield Row(row, None if action == NO_ACTION else int(action), terminated=bool(ends))


def _packed(part: Part, F: Class[Batch]) -> bytes:  # noqa: N803
    """Return all rows of a part; raise `InvalidArgument` with the first one that is invalid."""
    rows = part.observations
    if isinstance(rows, np.ndarray) and rows.ndim > 2:
        rows = rows.reshape(len(rows), -1)  # images are flattened, as worlds do it
    batch = cast("Batch", rows)  # the class refuses rows that it cannot read
    try:
        packed = F.pack(batch)
    except InvalidArgument as error:
        raise _first_invalid(part, F) or InvalidArgument(
            part.place, error.value, error.expected
        ) from None
    if len(packed) != len(part.actions) * F.declared.row_bytes:
        shown = f"{len(packed) // F.declared.row_bytes} rows from {type(F).__name__}"
        raise InvalidArgument(part.place, shown, f"{len(part.actions)}, one for each observation")
    return packed


def _first_invalid(part: Part, F: Class[Batch]) -> InvalidArgument | None:  # noqa: N803
    rows = part.observations
    if isinstance(rows, list | tuple | np.ndarray):
        for t in range(len(rows)):
            try:
                F.pack(cast("Batch", rows[t : t + 1]))  # the class refuses what it cannot read
            except InvalidArgument as error:
                place = f"{part.place}, row {part.first + t}"
                return InvalidArgument(place, error.value, error.expected)
    return None


def _look_for_stacked_frames(part: Part) -> None:
    """Warn if each observation contains most of the one before, moved by one frame."""
    rows = np.asarray(part.observations)[:_AT_ONCE].reshape(len(part.actions[:_AT_ONCE]), -1)
    follows = part.actions[: len(rows) - 1] != NO_ACTION
    before, after = rows[:-1][follows], rows[1:][follows]
    width = rows.shape[1]
    for frame in (frame for frame in range(1, width // 2 + 1) if width % frame == 0):
        same = after[:, : width - frame] == before[:, frame:]
        if len(before) > 1 and same.all() and (before != after).any(axis=1).sum() > 1:
            warnings.warn(
                f"{part.place}: each observation contains the one before, moved by {frame} of "
                f"{width} entries, as stacked frames do. If the actions were shifted by one, "
                "nothing would notice it: learn from single frames.",
                StackedFrames,
                stacklevel=2,
            )
            return
