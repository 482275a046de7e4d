"""Work in a copy of this process: whatever it changes or breaks, nothing of it comes back."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import traceback
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_MOST_MEMORY: Final = 6 << 30


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """What the copy returned."""

    value: T


@dataclass(frozen=True, slots=True)
class Died:
    """The copy was ended by a signal."""

    signal: int
    last_words: str

    @property
    def out_of_time(self) -> bool:
        return self.signal in (signal.SIGPROF, signal.SIGALRM)


def forked(work: Callable[[Callable[[str], object]], T]) -> Ended[T] | Died:
    """Run `work` in a copy of this process; it is given a function by which to leave last words.

    Answers go through files, not a pipe: there is no one who could keep the other waiting.
    """
    gc.freeze()
    with TemporaryDirectory(prefix="mutants-") as folder:
        answer, words = Path(folder, "answer"), Path(folder, "words")
        child = os.fork()
        if child == 0:
            _as_copy(work, answer, words)
        gc.unfreeze()
        _, status = os.waitpid(child, 0)
        last = words.read_text(encoding="utf-8") if words.exists() else ""
        if os.WIFSIGNALED(status):
            return Died(os.WTERMSIG(status), last)
        if os.WEXITSTATUS(status):
            raise ChildProcessError(f"failed, not by a signal; last words: {last}")
        value: T = pickle.loads(answer.read_bytes())
        return Ended(value)


def _as_copy(work: Callable[[Callable[[str], object]], T], answer: Path, words: Path) -> None:
    status = 1
    try:
        value = work(lambda text: words.write_text(text, encoding="utf-8"))
        answer.write_bytes(pickle.dumps(value))
        status = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(status)


def allow(seconds: float) -> None:
    """Give this process so much time of a processor from now on, and ten times that on the clock.

    The signals are left to end the process: no code of its own has a say in it.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def bound_memory() -> None:
    """A mutant may ask for all the memory there is: let that be an error in it."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
